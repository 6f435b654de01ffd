#include "zwalk/ranks/labels.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>

#include "zwalk/ranks/detail/links.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// From groups of a walk's points to groups of all. They are named by the number that their first point has among all.
class JoinGroups {
  public:
    JoinGroups(Comm& comm, Cpu const& cpu, Buffer<pos_t> root, SourcesOfRanks const& sources,
               Ranks const& ranks)
        : comm_(comm),
          cpu_(cpu),
          root_(std::move(root)),
          sources_(sources),
          ranks_(ranks),
          first_(sources.first),
          own_(pos_t(sources.from[std::size_t(comm.rank()) + 1]) - sources.first),
          base_(ranks.positions_before(comm.rank())) {}

    JoinedGroups run() {
        take_roots();
        auto const names = settle_links(comm_, links());
        auto parts = comm_.attempt([&] {
            keep_own_roots();
            return join_own_parts(names, base_, root_);
        });
        SharedGroups shared(comm_, ranks_, std::move(parts));
        return {std::move(root_), std::move(shared)};
    }

  private:
    /// Groups that begin with points of lower ranks get the first own point for a root, if they have one.
    void take_roots() {
        auto const end = first_ + own_;
        for (pos_t i = first_; i < end; ++i) {
            pos_t const root = root_[i];
            if (root >= first_) continue;
            if (root_[root] == root) root_[i] = root_[root] = i;
            else root_[i] = root_[root];
        }
        auto const follow = [&](std::size_t begin, std::size_t last) {
            for (std::size_t i = begin; i < last; ++i)
                if (root_[i] < first_) root_[i] = root_[root_[i]];
        };
        follow(0, first_);
        follow(end, first_ > 0 ? root_.size() : end);
    }

    /// The name of an own group.
    [[nodiscard]] std::uint64_t name_of(pos_t own_position) const {
        return base_ + (root_[first_ + own_position] - first_);
    }

    /// Links between own groups and points of other ranks, by the names that these ranks have for their groups.
    std::vector<GroupLink> links() {
        auto const& from = sources_.from;
        auto const out = comm_.attempt([&] {
            Parts<GroupLink> found;
            std::vector<GroupLink> links;
            for (std::size_t r = 0; r + 1 < from.size(); ++r) {
                found.begin.push_back(links.size());
                if (r == std::size_t(comm_.rank())) continue;
                for (auto i = from[r]; i < from[r + 1]; ++i)
                    if (pos_t const root = root_[i]; root >= first_ && root < first_ + own_)
                        links.push_back({base_ + (root - first_), sources_.position[i]});
            }
            found.begin.push_back(links.size());
            found.records = Buffer<GroupLink>(links.size());
            std::copy(links.begin(), links.end(), found.records.begin());
            return found;
        });
        auto const in = comm_.exchange(out);
        return comm_.attempt([&] {
            std::vector<GroupLink> links(in.records.begin(), in.records.end());
            for (GroupLink& link : links) link.b = name_of(pos_t(link.b));
            return links;
        });
    }

    /// Forgets all roots but those of own points, which are own points.
    void keep_own_roots() {
        Buffer<pos_t> own(own_);
        cpu_.for_each(own_, [&](std::size_t i) { own[i] = root_[first_ + i] - first_; });
        root_ = std::move(own);
    }

    Comm& comm_;
    Cpu const& cpu_;
    Buffer<pos_t> root_;
    SourcesOfRanks const& sources_;
    Ranks const& ranks_;
    pos_t first_, own_;
    std::uint64_t base_;  // number of the first own point among all points
};

/// The least row of a group, or of a part of it.
struct LeastRow {
    index_t row = std::numeric_limits<index_t>::max();

    void join(LeastRow const& o) { row = std::min(row, o.row); }
};

}  // namespace

JoinedGroups join_groups(Comm& comm, Cpu const& cpu, Buffer<pos_t> root, SourcesOfRanks const& sources,
                         Ranks const& ranks) {
    return JoinGroups(comm, cpu, std::move(root), sources, ranks).run();
}

GroupLabels<Cpu> label_groups(Comm& comm, Cpu const& cpu, JoinedGroups const& groups,
                              Buffer<index_t> const& input_index, Ranks const& ranks) {
    auto const& root = groups.root;
    auto const parts = groups.shared.parts();
    GroupLabels<Cpu> r;
    Buffer<LeastRow> least, of_parts;  // of own groups, at their roots; of those that span ranks
    comm.attempt([&] {
        r.labels = Buffer<index_t>(root.size());
        least = Buffer<LeastRow>(root.size());
        std::fill(least.begin(), least.end(), LeastRow{});
        for (std::size_t i = 0; i < root.size(); ++i) least[root[i]].join({input_index[i]});
        of_parts = Buffer<LeastRow>(parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i) of_parts[i] = least[parts[i].root];
    });
    groups.shared.join(comm, std::span<LeastRow>(of_parts));
    auto const base = ranks.positions_before(comm.rank());
    auto const begun = comm.attempt([&] {  // a group counts where its first point is
        std::uint64_t first_points = 0;
        for (std::size_t i = 0; i < root.size(); ++i) first_points += root[i] == i;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            least[parts[i].root] = of_parts[i];
            first_points -= parts[i].group != base + parts[i].root;
        }
        cpu.for_each(root.size(), [&](std::size_t i) { r.labels[i] = least[root[i]].row; });
        return first_points;
    });
    r.groups = comm.reduce_all(begun, std::plus<>());
    return r;
}

}}  // namespace zwalk::v0
