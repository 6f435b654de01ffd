// Minimum spanning trees as run/algorithm.hpp wants an algorithm; its driver is in driver.hpp.
#pragma once
#include "zwalk/emst/device_emst_memory.hpp"
#include "zwalk/emst/emst_cuda.hpp"
#include "zwalk/run/algorithm.hpp"

namespace zwalk::inline v0::detail {

struct EmstAlgorithm {
    using Options = EmstOptions;
    template <class T, class P>
    using Task = EmstOptions;
    template <class T, class P>
    using Result = EmstResult<T, P>;
    static constexpr char const* name = "a spanning tree";

    template <class T>
    static void check(EmstOptions const& options, std::size_t points);
    static std::uint64_t device_bytes(double n, int columns, std::size_t item_bytes,
                                      EmstOptions const& o) {
        return device_emst_memory(n, columns, item_bytes, o.min_samples, o.tree);
    }
    template <class P>
    static TreeOptions tree_options(EmstOptions const& o) {
        return o.tree;
    }
    template <int D, class T, class P>
    static EmstResult<T, P> run(P& place, RunPoints<T, P>& points, EmstOptions const& options);
};

}  // namespace zwalk::inline v0::detail
