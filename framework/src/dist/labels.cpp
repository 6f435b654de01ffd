#include "zwalk/dist/labels.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>

#include "zwalk/dist/links.hpp"

namespace zwalk::inline v0 {
namespace {

/// The least row of a group, or of that part of it which a rank has.
struct NamedLabel {
    std::uint64_t group;
    index_t label;
};

/// Groups are named by the number that their first point on some rank has among all points.
class RankLabels {
  public:
    RankLabels(Comm& comm, Cpu const& cpu, Buffer<pos_t>& root, SourcesOfRanks const& sources,
               Ranks const& ranks)
        : comm_(comm),
          cpu_(cpu),
          root_(root),
          sources_(sources),
          first_(sources.first),
          own_(pos_t(sources.from[std::size_t(comm.rank()) + 1]) - sources.first),
          base_(ranks.positions_before(comm.rank())) {}

    RankGroups run(Buffer<index_t> const& input_index) {
        take_roots();
        auto const names = settle_links(comm_, links());
        return label(input_index, names);
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
        if (first_ == 0) return;
        for (pos_t i = 0; i < root_.size(); i = i + 1 == first_ ? end : i + 1)
            if (root_[i] < first_) root_[i] = root_[root_[i]];
    }

    /// The name of an own group.
    [[nodiscard]] std::uint64_t name_of(pos_t own_position) const {
        return base_ + (root_[first_ + own_position] - first_);
    }

    /// Links between own groups and points of other ranks, by the names that these ranks have for their groups.
    std::vector<GroupLink> links() {
        auto const& from = sources_.from;
        auto const out = comm_.agree([&] {
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
        return comm_.agree([&] {
            std::vector<GroupLink> links(in.records.begin(), in.records.end());
            for (GroupLink& link : links) link.b = name_of(pos_t(link.b));
            return links;
        });
    }

    /// The least row of each group becomes the label of its points; of groups that span ranks all of them know it.
    RankGroups label(Buffer<index_t> const& input_index, GroupNames const& names) {
        RankGroups r;
        Buffer<index_t> least;  // of own groups, at their roots
        auto const parts = comm_.agree([&] {
            least = Buffer<index_t>(own_);
            r.labels = Buffer<index_t>(own_);
            std::fill(least.begin(), least.end(), std::numeric_limits<index_t>::max());
            for (pos_t i = 0; i < own_; ++i) {
                index_t& of = least[root_[first_ + i] - first_];
                of = std::min(of, input_index[i]);
            }
            std::vector<NamedLabel> spanning;
            each_own(names, [&](std::size_t number, pos_t root) {
                spanning.push_back({names.of_number(number), least[root]});
            });
            return spanning;
        });
        auto const all = comm_.gather_all(std::span<NamedLabel const>(parts));
        auto const groups = comm_.agree([&] {
            auto const by_number = least_by_number(names, all.records);
            std::uint64_t roots = 0;
            for (pos_t i = 0; i < own_; ++i) roots += root_[first_ + i] == first_ + i;
            each_own(names, [&](std::size_t number, pos_t root) {
                least[root] = by_number[number];
                roots -= names.of_number(number) != names.names()[number];
            });
            cpu_.for_each(own_, [&](std::size_t i) { r.labels[i] = least[root_[first_ + i] - first_]; });
            return roots;
        });
        r.groups = comm_.reduce_all(groups, std::plus<>());
        return r;
    }
    /// f(number, own root) for the names that this rank has given.
    template <class F>
    void each_own(GroupNames const& names, F const& f) const {
        auto const all = names.names();
        for (std::size_t i = names.number(base_); i < all.size() && all[i] < base_ + own_; ++i)
            f(i, pos_t(all[i] - base_));
    }
    /// For every name that occurs in links: the least row of its group.
    static std::vector<index_t> least_by_number(GroupNames const& names,
                                                std::span<NamedLabel const> parts) {
        std::vector<index_t> least(names.names().size(), std::numeric_limits<index_t>::max());
        for (NamedLabel const& part : parts) {
            index_t& of = least[names.number(part.group)];
            of = std::min(of, part.label);
        }
        for (std::size_t i = 0; i < least.size(); ++i)
            least[i] = least[names.number(names.of_number(i))];
        return least;
    }

    Comm& comm_;
    Cpu const& cpu_;
    Buffer<pos_t>& root_;
    SourcesOfRanks const& sources_;
    pos_t first_, own_;
    std::uint64_t base_;  // number of the first own point among all points
};

}  // namespace

RankGroups label_groups(Comm& comm, Cpu const& cpu, Buffer<pos_t>& root, SourcesOfRanks const& sources,
                        Buffer<index_t> const& input_index, Ranks const& ranks) {
    return RankLabels(comm, cpu, root, sources, ranks).run(input_index);
}

}  // namespace zwalk::inline v0
