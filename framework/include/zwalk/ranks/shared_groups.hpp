// Groups of which several ranks have parts: what these parts have found is joined where the group's first point is.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/core/index.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/detail/links.hpp"
#include "zwalk/ranks/detail/ranks.hpp"

namespace zwalk { inline namespace v0 {

/// A rank's part of a group that spans ranks.
struct GroupPart {
    std::uint64_t group;  ///< the position of the group's first point among all points: its name
    pos_t root;           ///< the own position of the part's first point
};

/// The parts that a rank has, by the settled names of groups, ascending, and a part for each.
///
/// root[i] is the root of the own point at position base + i of all. Groups of this rank that are one by way of others
/// become one part here: their roots become that of the first. O(n + own names).
/// @param root  root[root[i]] = root[i] <= i
std::vector<GroupPart> join_own_parts(GroupNames const& names, std::uint64_t base,
                                      std::span<pos_t> root);

/// The way from the parts of groups to the ranks that have their first points, and back.
class SharedGroups {
  public:
    SharedGroups() = default;
    /// Parts of groups ascending, at most one of each, of which every rank passes its own. A group has a part on the rank
    /// that has its first point. Collective.
    SharedGroups(Comm& comm, Ranks const& ranks, std::vector<GroupPart> parts);

    [[nodiscard]] std::span<GroupPart const> parts() const { return parts_; }

    /// of_parts[i] is the fold of parts()[i]; becomes that of the whole group, joined in the order of ranks. Each fold travels
    /// at most once here and there. A Fold has no pointers, and folds.join(other). Collective.
    template <class Fold>
    void join(Comm& comm, std::span<Fold> of_parts) const;

  private:
    std::vector<GroupPart> parts_;
    Routes routes_;
    std::vector<std::uint64_t> same_;  // of each record that arrives: the first one of its group
};

template <class Fold>
void SharedGroups::join(Comm& comm, std::span<Fold> of_parts) const {
    static_assert(std::is_trivially_copyable_v<Fold>);
    auto const step = comm.step("groups");
    auto in = comm.exchange(routes_, std::span<Fold const>(of_parts));
    for (std::size_t i = 0; i < in.size(); ++i)
        if (same_[i] != i) in[same_[i]].join(in[i]);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = in[same_[i]];
    auto const out = comm.exchange(routes_.back(), std::span<Fold const>(in));
    std::copy(out.begin(), out.end(), of_parts.begin());
}

}}  // namespace zwalk::v0
