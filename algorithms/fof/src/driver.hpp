// Friends-of-friends on any place, and on ranks: the walk, and the labels of the groups that it has linked.
#pragma once
#include <type_traits>
#include <utility>

#include "algorithm.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/run/call_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class R, class Points, class Then>
R FofAlgorithm::run(Points& points, FofOptions const& o, Then const& then) {
    using T = typename Points::real;
    R r;
    double const length = points.length(o.linking_length);
    auto groups = points.linked(
        length, [&]<int D>() { return Fof<D, T>(T(length)); }, TreeAfter::goes);
    points.end_phase("walk");
    auto found = points.label_rows(groups, o.order);
    r.labels = std::move(found.labels);
    r.groups = found.groups;
    then(groups, r);
    if constexpr (std::is_same_v<decltype(groups), decltype(r.root)>)  // not on ranks
        r.root = std::move(groups);
    points.finish(r, o.order);
    return r;
}

}}}  // namespace zwalk::v0::detail
