// Friends-of-friends as an algorithm (run/algorithm.hpp): how the public functions call it, and drivers of algorithms that group
// points. The driver is in src/driver.hpp.
#pragma once
#include <cstdint>

#include "zwalk/fof/device_fof_memory.hpp"
#include "zwalk/fof/fof_cuda.hpp"
#include "zwalk/run/algorithm.hpp"

namespace zwalk::inline v0::detail {

struct FofAlgorithm {
    using Options = FofOptions;
    template <class T, class P>
    using Task = FofOptions;
    template <class T, class P>
    using Result = FofResult<P>;
    static constexpr char const* name = "friends-of-friends";

    template <class T>
    static void check(FofOptions const& options, std::size_t points);
    static std::uint64_t device_bytes(double n, int columns, std::size_t item_bytes,
                                      FofOptions const& o) {
        return device_fof_memory(n, columns, item_bytes, o.tree);
    }
    /// leaf_size 0 on CPU threads: from 48 to 96 the walk takes the same time within 5 %, and fewer nodes are cut
    /// faster; small leaves cost most where points are clustered.
    template <class P>
    static TreeOptions tree_options(FofOptions const& o) {
        TreeOptions cut = o.tree;
        if (!is_device<P> && cut.leaf_size == 0) cut.leaf_size = 64;
        return cut;
    }
    template <class T>
    static void to_unit(FofOptions& o, LengthUnit<T> const& unit) {
        o.linking_length = unit.limit(o.linking_length);
    }
    template <int D, class T, class P>
    static FofResult<P> run(P& place, RunPoints<T, P>& points, FofOptions const& options);
};

}  // namespace zwalk::inline v0::detail
