#include "zwalk/ranks/detail/links.hpp"

#include <algorithm>

#include "zwalk/core/error.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk { inline namespace v0 {
namespace {

void drop_copies(std::vector<GroupLink>& links) {
    for (GroupLink& link : links)
        if (link.b < link.a) std::swap(link.a, link.b);
    std::sort(links.begin(), links.end(),
              [](GroupLink const& x, GroupLink const& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    links.erase(std::unique(links.begin(), links.end()), links.end());
}

}  // namespace

GroupNames::GroupNames(std::span<GroupLink const> links) {
    for (GroupLink const& link : links) name_.insert(name_.end(), {link.a, link.b});
    std::sort(name_.begin(), name_.end());
    name_.erase(std::unique(name_.begin(), name_.end()), name_.end());
    if (name_.size() > max_points)
        throw Error(
            "too many groups span ranks: one rank settles their links, and can number no more; use "
            "fewer ranks");
    group_.resize(name_.size());
    for (std::size_t i = 0; i < group_.size(); ++i) group_[i] = std::uint32_t(i);
    // The root of a group is its smallest number, and names ascend like numbers.
    static_assert(sizeof(pos_t) == sizeof(std::uint32_t));
    Links const groups{group_.data()};
    for (GroupLink const& link : links) groups.link(pos_t(number(link.a)), pos_t(number(link.b)));
    for (std::size_t i = 0; i < group_.size(); ++i) groups.settle(pos_t(i));
}

std::uint64_t GroupNames::of(std::uint64_t name) const {
    std::size_t const i = number(name);
    return i < name_.size() && name_[i] == name ? of_number(i) : name;
}

GroupNames settle_links(Comm& comm, std::vector<GroupLink> links) {
    auto const step = comm.step("links");
    comm.attempt([&] { drop_copies(links); });
    auto const all = comm.gather_all(std::span<GroupLink const>(links));
    return comm.agree([&] { return GroupNames(all.records); });
}

}}  // namespace zwalk::v0
