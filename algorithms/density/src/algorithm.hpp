// knn_reduce() in the form that run/driver.hpp needs; the driver is in driver.hpp.
#pragma once
#include <array>

#include "zwalk/density/density.hpp"
#include "zwalk/knn/search.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/run/driver.hpp"

namespace zwalk::inline v0::detail {

struct ReduceAlgorithm : ReduceCall {
    static constexpr char const* name = "kNN";
    static constexpr char const* others_name = "queries";
    static constexpr OthersAre others_are = OthersAre::queries;

    template <class T>
    static void check(ReduceAsked const& o, CallSets const& sets);
    static std::array<Option, 7> agreed(ReduceAsked const& o, Option const& place, bool with_queries) {
        return {Option("the reduction", int(o.what)),
                Option("k", o.k),
                Option("exclude_self", o.exclude_self),
                Option("within", o.within),
                Option("order", int(o.order)),
                Option("having queries", with_queries),
                place};
    }
    static CallNeed device_need(CallShape const& shape, ReduceAsked const& o) {
        return nearest_need(shape, o.k, o.order, true);
    }
    template <class P>
    static TreeOptions tree_options(ReduceAsked const& o) {
        return o.tree;
    }
    static bool answers_here(CallSets const& sets, int columns, ReduceAsked const& o) {
        return few_queries(sets, columns, o.order);
    }
    template <class Points, class Queries>
    static ResultOf<ReduceAlgorithm, Points> run(Points& sources, Queries* queries,
                                                 ReduceAsked const& o);
};

}  // namespace zwalk::inline v0::detail
