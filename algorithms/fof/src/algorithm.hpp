// Friends-of-friends in the form that run/driver.hpp needs; the driver is in driver.hpp.
#pragma once
#include <array>
#include <cstdint>

#include "zwalk/fof/device_fof_memory.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/run/driver.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

struct FofAlgorithm : FofCall {
    static constexpr char const* name = "friends-of-friends";

    template <class T>
    static void check(FofOptions const& options, CallSets const& sets);
    static std::array<Option, 3> agreed(FofOptions const& o, Option const& place) {
        return {Option("the linking length", o.linking_length), Option("order", int(o.order)), place};
    }
    static std::uint64_t device_bytes(CallSets const& sets, int columns, std::size_t item_bytes,
                                      FofOptions const& o) {
        return device_fof_memory(double(sets.points.size), columns, item_bytes, o.tree);
    }
    /// leaf_size 0 on CPU threads: from 48 to 96 the walk takes the same time within 5 %, and fewer nodes are cut
    /// faster; small leaves cost most where points are clustered.
    template <class P>
    static TreeOptions tree_options(FofOptions const& o) {
        TreeOptions cut = o.tree;
        if (!is_device<P> && cut.leaf_size == 0) cut.leaf_size = 64;
        return cut;
    }
    template <class Points>
    static ResultOf<FofAlgorithm, Points> run(Points& points, FofOptions const& options) {
        return run<ResultOf<FofAlgorithm, Points>>(points, options, [](auto const&, auto&) {});
    }
    /// @tparam R    the result, or one with more
    /// @param then  then(groups, result) once there are labels
    template <class R, class Points, class Then>
    static R run(Points& points, FofOptions const& options, Then const& then);
};

}}}  // namespace zwalk::v0::detail
