// The coarsest planes of a walk on a device have so few nodes that every target may have all sources in its list. Nobody has to
// know how long such lists are, so one pass makes them and the host waits for nothing. How long they were is read later, together
// with what it waits for on the first larger plane (device_pieces.hpp).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "zwalk/exec/device.hpp"
#include "zwalk/walk/counts.hpp"
#include "zwalk/walk/detail/device_pieces.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Nodes of the targets and of the sources on the plane that a step enters.
struct SmallPlaneNodes {
    pos_t targets, sources;
};

/// Which steps of a walk enter small planes, and the lengths of the lists there.
template <class Device>
class SmallPlanes {
  public:
    /// Entries that all lists of a plane may have. Two megabytes of floats; some hundred nodes meet as many.
    static constexpr std::size_t most_entries = std::size_t(1) << 18;
    /// Lists that a plane may have: the host writes where they begin.
    static constexpr pos_t most_targets = 4096;

    /// @param nodes         SmallPlaneNodes nodes(j) of step j; step number `steps` - 1 enters the coarsest planes
    /// @param entries       that all lists of all small planes may have; 0: there are no such planes
    /// @param longest_list  entries that one list may have
    template <class NodesOf>
    SmallPlanes(Device& device, int steps, NodesOf const& nodes, std::uint64_t entries,
                pos_t longest_list)
        : first_step_(steps) {
        std::size_t lists = 0;
        for (int j = steps; entries > 0 && j-- > 0;) {
            SmallPlaneNodes const n = nodes(j);
            lists += n.targets;
            if (n.targets > most_targets || n.sources > longest_list ||
                std::size_t(n.targets) * n.sources > most_entries || lists * n.sources > entries)
                break;
            first_step_ = j;
            stride_ = n.sources;
            most_lists_ = n.targets;
            lists_of_.push_back(n.targets);
            lists_ = lists;
        }
        record_ = device.template buffer<pos_t>(piece_words + lists_);
    }

    [[nodiscard]] bool has(int step) const { return step >= first_step_; }
    /// Room of one list on each of these planes.
    [[nodiscard]] pos_t stride() const { return stride_; }
    /// Where the lists of a plane begin, and the last one ends.
    [[nodiscard]] std::vector<size_type> offsets() const {
        std::vector<size_type> offset(lists_ > 0 ? std::size_t(most_lists_) + 1 : 0);
        for (std::size_t i = 0; i < offset.size(); ++i) offset[i] = size_type(i) * stride_;
        return offset;
    }
    /// Where the lengths of the lists of the next finer plane go, beginning with the coarsest one.
    pos_t* next_counts() {
        pos_t* const counts = record_.data() + piece_words + given_;
        given_ += lists_of_[planes_given_++];
        return counts;
    }

    /// The piece that `find` finds; and, the first time, what small planes have cost. One wait.
    Piece find_piece(Device& device, std::uint64_t entries, FindPiece find, std::size_t targets,
                     WalkCounts& counts) {
        find.piece = reinterpret_cast<Piece*>(record_.data());
        launch_find(device, entries, find, targets);
        std::vector<pos_t> const words = read(device, 0, counts);
        Piece piece;
        std::memcpy(&piece, words.data(), sizeof piece);
        return piece;
    }
    /// Adds what small planes have cost, unless a piece was found behind them. May wait.
    void finish(Device& device, WalkCounts& counts) {
        if (!is_read_ && lists_ > 0) (void)read(device, piece_words, counts);
    }

  private:
    static constexpr std::size_t piece_words = sizeof(Piece) / sizeof(pos_t);

    /// The record from a word on; lengths of lists only once.
    std::vector<pos_t> read(Device& device, std::size_t from, WalkCounts& counts) {
        std::vector<pos_t> words((is_read_ ? piece_words : record_.size()) - from);
        device.download(words.data(), record_.data() + from, words.size());
        if (is_read_) return words;
        is_read_ = true;
        auto own = words.begin() + std::ptrdiff_t(piece_words - from);
        for (std::size_t p = 0; p < lists_of_.size(); ++p) {
            size_type sum = 0;
            for (pos_t i = 0; i < lists_of_[p]; ++i) sum += *own++;
            std::size_t const step = first_step_ + lists_of_.size() - 1 - p;
            counts.node_entries += sum;
            counts.planes[step].descended += sum;
            if (step == 0) counts.leaf_entries += sum;
        }
        return words;
    }

    int first_step_;
    pos_t stride_ = 0, most_lists_ = 0;
    std::vector<pos_t> lists_of_;  ///< of each small plane, the coarsest one first
    std::size_t lists_ = 0, given_ = 0, planes_given_ = 0;
    bool is_read_ = false;
    DeviceBuffer<pos_t> record_;  ///< a piece, then the lengths of all lists
};

}}}  // namespace zwalk::v0::detail
