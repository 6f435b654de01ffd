#include "zwalk/ranks/shared_groups.hpp"

#include <algorithm>
#include <numeric>

namespace zwalk { inline namespace v0 {

std::vector<GroupPart> join_own_parts(GroupNames const& names, std::uint64_t base,
                                      std::span<pos_t> root) {
    std::vector<GroupPart> parts;
    auto const all = names.names();
    for (std::size_t i = names.number(base); i < all.size() && all[i] < base + root.size(); ++i)
        parts.push_back({names.of_number(i), pos_t(all[i] - base)});
    std::stable_sort(parts.begin(), parts.end(),
                     [](GroupPart const& a, GroupPart const& b) { return a.group < b.group; });
    auto const same = [](GroupPart const& a, GroupPart const& b) { return a.group == b.group; };
    for (auto first = parts.begin(); first != parts.end();) {
        auto const next = std::find_if(
            first, parts.end(), [&](GroupPart const& part) { return part.group != first->group; });
        for (auto part = first; part != next; ++part) root[part->root] = first->root;
        first = next;
    }
    auto const end = std::unique(parts.begin(), parts.end(), same);
    if (end == parts.end()) return parts;
    parts.erase(end, parts.end());
    for (pos_t& r : root) r = root[r];  // ascending: roots are before their points
    return parts;
}

SharedGroups::SharedGroups(Comm& comm, Ranks const& ranks, std::vector<GroupPart> parts)
    : parts_(std::move(parts)) {
    auto const step = comm.step("groups");
    std::vector<std::uint64_t> sent;
    Buffer<std::uint64_t> own;
    comm.attempt([&] {
        own = Buffer<std::uint64_t>(parts_.size());
        for (std::size_t i = 0; i < own.size(); ++i) own[i] = parts_[i].group;
        for (int r = 0; r <= comm.size(); ++r)
            sent.push_back(std::uint64_t(
                std::lower_bound(own.begin(), own.end(), ranks.positions_before(r)) - own.begin()));
    });
    routes_ = comm.routes(std::move(sent));
    auto const groups = comm.exchange(routes_, std::span<std::uint64_t const>(own));
    same_ = comm.agree([&] {
        std::vector<std::uint64_t> order(groups.size()), same(groups.size());
        std::iota(order.begin(), order.end(), std::uint64_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint64_t a, std::uint64_t b) { return groups[a] < groups[b]; });
        std::uint64_t first = 0;
        for (std::uint64_t const i : order) {
            if (i == order.front() || groups[i] != groups[first]) first = i;
            same[i] = first;
        }
        return same;
    });
}

}}  // namespace zwalk::v0
