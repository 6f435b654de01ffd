// knn_reduce() in the form that run/driver.hpp needs; the driver is in driver.hpp.
#pragma once
#include <array>
#include <utility>

#include "zwalk/density/density.hpp"
#include "zwalk/knn/search.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

struct ReduceAlgorithm : NearestAlgorithm<ReduceCall> {
    template <class T>
    static void check(ReduceAsked const& o, CallSets const& sets);
    static std::array<Option, 7> agreed(ReduceAsked const& o, Option const& on, bool with_queries) {
        auto [k, exclude_self, within, order, queries, place] =
            NearestAlgorithm::agreed(o, on, with_queries);
        return {Option("the reduction", int(o.what)),
                std::move(k),
                std::move(exclude_self),
                std::move(within),
                std::move(order),
                std::move(queries),
                std::move(place)};
    }
    static CallNeed device_need(CallShape const& shape, ReduceAsked const& o) {
        return nearest_need(shape, o.k, o.order, true);
    }
    template <class Points, class Queries>
    static ResultOf<ReduceAlgorithm, Points> run(Points& sources, Queries* queries,
                                                 ReduceAsked const& o);
};

}}}  // namespace zwalk::v0::detail
