// Density peaks in the form that run/driver.hpp needs; the driver is in driver.hpp.
#pragma once
#include <array>
#include <cstdint>

#include "zwalk/peaks/device_peaks_memory.hpp"
#include "zwalk/peaks/peaks.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/run/driver.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

struct PeaksAlgorithm : PeaksCall {
    static constexpr char const* name = "density peaks";

    template <class T>
    static void check(PeaksOptions const& options, CallSets const& sets);
    static std::array<Option, 3> agreed(PeaksOptions const& o, Option const& place) {
        return {Option("k", o.k), Option("order", int(o.order)), place};
    }
    static std::uint64_t device_bytes(CallSets const& sets, int columns, std::size_t item_bytes,
                                      PeaksOptions const& o) {
        return device_peaks_memory(double(sets.size()), columns, item_bytes, o.k, o.tree);
    }
    template <class P>
    static TreeOptions tree_options(PeaksOptions const& o) {
        return o.tree;
    }
    template <class Points>
    static ResultOf<PeaksAlgorithm, Points> run(Points& points, PeaksOptions const& options);
};

}}}  // namespace zwalk::v0::detail
