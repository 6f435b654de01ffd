// Groups of pieces that reach a border: what is known of them while the pieces come and go, and which of them are one group.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "zwalk/core/index.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The part of a group that a piece has found, if some of its points are at the border.
struct Fragment {
    index_t label;         ///< smallest row of a member
    std::uint64_t before;  ///< points of all parts of groups that begin before it, alone or not
    std::uint64_t count;   ///< members
};

/// All of them, in the z-order of their first points.
class Fragments {
  public:
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    /// What they take of memory, with what join() adds.
    [[nodiscard]] std::uint64_t bytes() const {
        return all_.capacity() * sizeof(Fragment) + size() * (sizeof(Fragment) + sizeof(pos_t));
    }
    void add(Fragment const& one) { all_.push_back(one); }
    /// Says how many points are in front of fragment i, and in it.
    void count(std::size_t i, std::uint64_t before, std::uint64_t count) {
        all_[i].before = before;
        all_[i].count = count;
    }
    [[nodiscard]] Fragment const& operator[](std::size_t i) const { return all_[i]; }

    /// Makes groups of them. link(links) links those that are one group, by their numbers.
    template <class Link>
    void join(Link const& link) {
        group_.resize(size());
        std::iota(group_.begin(), group_.end(), pos_t(0));
        Links const links{group_.data()};
        link(links);
        for (pos_t i = 0; i < size(); ++i) links.settle(i);
        whole_ = all_;
        for (pos_t i = 0; i < size(); ++i) {
            if (is_first(i)) continue;
            Fragment& group = whole_[group_[i]];
            group.label = std::min(group.label, all_[i].label);
            group.count += all_[i].count;
        }
    }
    /// The first fragment of a fragment's group, and whether that is itself.
    [[nodiscard]] pos_t group(std::size_t i) const { return group_[i]; }
    [[nodiscard]] bool is_first(std::size_t i) const { return group_[i] == i; }
    /// The whole group of a fragment; its `before` is that of its first one.
    [[nodiscard]] Fragment const& whole(std::size_t i) const { return whole_[group_[i]]; }

    /// before[i]: how many points the parts of groups have that begin before some point. Becomes how many the groups have.
    void count_whole_groups(std::span<index_t> before) const {
        std::vector<std::int64_t> more{
            0};  // that whole groups have, of those of the first fragments, than these
        for (std::size_t i = 0; i < size(); ++i)
            more.push_back(more.back() + (is_first(i) ? std::int64_t(whole_[i].count) : 0) -
                           std::int64_t(all_[i].count));
        for (index_t& points : before) {
            auto const next = std::lower_bound(
                all_.begin(), all_.end(), points,
                [](Fragment const& one, index_t at) { return index_t(one.before) < at; });
            points += more[std::size_t(next - all_.begin())];
        }
    }

  private:
    std::vector<Fragment> all_, whole_;
    std::vector<pos_t> group_;
};

}}}  // namespace zwalk::v0::detail
