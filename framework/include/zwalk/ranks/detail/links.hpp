// Groups that span ranks: links between the groups of single ranks, settled on all of them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "zwalk/ranks/comm.hpp"

namespace zwalk { inline namespace v0 {

/// Two groups that are one; named by numbers that are those of one point each among all ranks.
struct GroupLink {
    std::uint64_t a, b;
    friend bool operator==(GroupLink const&, GroupLink const&) = default;
};

/// What groups are called once links are settled: of all names that occur in a link, the smallest one of their group.
class GroupNames {
  public:
    GroupNames() = default;
    /// The names by these links: O(L log L).
    explicit GroupNames(std::span<GroupLink const> links);

    /// The name of the group that was called `name`: itself, where no link has it. O(log L).
    [[nodiscard]] std::uint64_t of(std::uint64_t name) const;
    /// How many of the names that occur are less than this one: its own number, if it does. O(log L).
    [[nodiscard]] std::size_t number(std::uint64_t name) const {
        return std::size_t(std::lower_bound(name_.begin(), name_.end(), name) - name_.begin());
    }
    /// Names that occur in links, ascending, and what they are called.
    [[nodiscard]] std::span<std::uint64_t const> names() const { return name_; }
    [[nodiscard]] std::uint64_t of_number(std::size_t i) const { return name_[group_[i]]; }

  private:
    std::vector<std::uint64_t> name_;
    std::vector<std::uint32_t> group_;
};

/// The names of the groups of all ranks, the same on all, from the links that each has found. Links may occur several
/// times. Collective. Every rank gets all distinct links, 16 bytes each: of friends-of-friends in 3-D some n^(2/3) per
/// rank of n points.
GroupNames settle_links(Comm& comm, std::vector<GroupLink> links);

}}  // namespace zwalk::v0
