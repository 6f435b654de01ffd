// Positions sorted by group: a counting sort, piece by piece of the positions, by all threads.
#pragma once
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/numbered_pieces.hpp"
#include "zwalk/core/page_vector.hpp"
#include "zwalk/core/parallel_scan.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Members that a piece of the positions has of groups that began in earlier pieces. Of groups that lie side by side in z-order these
/// are few.
class Guests {
  public:
    struct Group {
        pos_t root;
        pos_t members;  ///< in this piece
        pos_t at = 0;   ///< where the next one of them goes
    };

    void add(pos_t root) {
        if (!groups_.empty() && groups_.back().root == root) {
            ++groups_.back().members;
            return;
        }
        if (groups_.size() >= enough_) merge();
        groups_.push_back({root, 1});
    }
    /// Makes one entry of those of each group. To be called before they are looked up.
    void merge() {
        std::sort(groups_.begin(), groups_.end(),
                  [](Group const& a, Group const& b) { return a.root < b.root; });
        std::size_t kept = 0;
        for (Group const& group : groups_)
            if (kept > 0 && groups_[kept - 1].root == group.root)
                groups_[kept - 1].members += group.members;
            else groups_[kept++] = group;
        groups_.resize(kept);
        enough_ = std::max(least_enough, 2 * kept);
    }
    [[nodiscard]] std::span<Group> groups() { return groups_; }
    /// The entry of a group that has one.
    [[nodiscard]] Group& of(pos_t root) {
        if (last_ >= groups_.size() || groups_[last_].root != root)
            last_ = std::size_t(std::lower_bound(groups_.begin(), groups_.end(), root,
                                                 [](Group const& g, pos_t r) { return g.root < r; }) -
                                groups_.begin());
        return groups_[last_];
    }

  private:
    static constexpr std::size_t least_enough = 1 << 12;
    std::vector<Group> groups_;
    std::size_t enough_ = least_enough, last_ = 0;
};

/// Positions 0, 1, ... by the group of each.
class SortedByGroup {
  public:
    /// Sorts: order() has name_of(position), and those of a group ascend. O(n).
    /// @param root  names the group of each position by the smallest position in it
    template <class NameOf>
    SortedByGroup(Cpu const& cpu, std::span<pos_t const> root, NameOf const& name_of,
                  std::size_t grain = 1 << 16)
        : root_(root),
          pieces_(root.size(), grain),
          order_(cpu.buffer<pos_t>(root.size())),
          end_(cpu.buffer<pos_t>(root.size())) {
        std::vector<Guests> guests(pieces_.size());
        cpu.run([&] {
            pieces_.each([&](std::size_t p, std::size_t i, std::size_t end) {
                count(pos_t(i), pos_t(end), guests[p]);
            });
            // One piece after the other, but only the groups that lie in several.
            for (Guests& here : guests)
                for (auto& group : here.groups())
                    group.at = std::exchange(end_[group.root], end_[group.root] + group.members);
            parallel_exclusive_scan(end_.data(), end_.data(), end_.size());
            begin_.resize(pieces_.size());
            pieces_.each([&](std::size_t p, std::size_t i, std::size_t) {
                begin_[p] = i < root_.size() ? end_[i] : 0;
                for (auto& group : guests[p].groups()) group.at += end_[group.root];
            });
            pieces_.each([&](std::size_t p, std::size_t first, std::size_t end) {
                for (auto i = pos_t(first); i < end; ++i) {
                    pos_t& at = root_[i] >= first ? end_[root_[i]] : guests[p].of(root_[i]).at;
                    order_[at++] = name_of(i);
                }
            });
            for (Guests& here : guests)
                for (auto const& group : here.groups()) end_[group.root] += group.members;
        });
    }

    [[nodiscard]] Buffer<pos_t> take_order() { return std::move(order_); }
    [[nodiscard]] std::size_t pieces() const { return pieces_.size(); }
    /// f(root, begin, end) for each group whose root is in a piece: where in the order it is.
    template <class F>
    void each_group_of(std::size_t piece, F const& f) const {
        pos_t first = begin_[piece];
        for (auto i = pos_t(pieces_.begin(piece)); i < pieces_.begin(piece + 1); ++i)
            if (root_[i] == i) {
                f(i, first, end_[i]);
                first = end_[i];
            }
    }
    /// The same for all groups, in the order of their roots.
    template <class F>
    void each_group(F const& f) const {
        for (std::size_t p = 0; p < pieces(); ++p) each_group_of(p, f);
    }

    /// What found(root, begin, end), a std::optional, has of each group that it has something of, in the order of their roots. By all
    /// threads: call inside Cpu::run.
    template <class Found>
    auto collect(Found const& found) const {
        using V = typename std::invoke_result_t<Found, pos_t, pos_t, pos_t>::value_type;
        std::vector<std::vector<V>> of_piece(pieces());
        pieces_.each([&](std::size_t p, std::size_t, std::size_t) {
            each_group_of(p, [&](pos_t root, pos_t begin, pos_t end) {
                if (auto const one = found(root, begin, end)) of_piece[p].push_back(*one);
            });
        });
        std::vector<std::size_t> before(of_piece.size());
        std::transform_exclusive_scan(of_piece.begin(), of_piece.end(), before.begin(), std::size_t(0),
                                      std::plus<>(), [](auto const& piece) { return piece.size(); });
        PageVector<V> all(before.back() + of_piece.back().size());
        pieces_.each([&](std::size_t p, std::size_t, std::size_t) {
            std::copy(of_piece[p].begin(), of_piece[p].end(), all.begin() + std::ptrdiff_t(before[p]));
        });
        return all;
    }

  private:
    /// Counts the members of groups that begin in a piece, at their roots, and those of others.
    void count(pos_t first, pos_t last, Guests& guests) {
        std::fill(end_.begin() + first, end_.begin() + last, pos_t(0));
        for (pos_t i = first; i < last; ++i)
            if (root_[i] >= first) ++end_[root_[i]];
            else guests.add(root_[i]);
        guests.merge();
    }

    std::span<pos_t const> root_;
    NumberedPieces pieces_;
    Buffer<pos_t> order_;
    /// At roots: sizes of groups, then where they begin, then where they end.
    Buffer<pos_t> end_;
    std::vector<pos_t> begin_;  ///< in the order: of the groups whose roots are in a piece
};

}}}  // namespace zwalk::v0::detail
