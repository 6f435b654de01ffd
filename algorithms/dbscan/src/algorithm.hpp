// DBSCAN as run/algorithm.hpp wants an algorithm; the driver is in driver.hpp.
#pragma once
#include "zwalk/dbscan/dbscan_cuda.hpp"
#include "zwalk/dbscan/device_dbscan_memory.hpp"
#include "zwalk/run/algorithm.hpp"

namespace zwalk::inline v0::detail {

struct DbscanAlgorithm {
    using Options = DbscanOptions;
    template <class T, class P>
    using Task = DbscanOptions;
    template <class T, class P>
    using Result = DbscanResult<P>;
    static constexpr char const* name = "DBSCAN";

    template <class T>
    static void check(DbscanOptions const& options, std::size_t points);
    static std::uint64_t device_bytes(double n, int columns, std::size_t item_bytes,
                                      DbscanOptions const& o) {
        return device_dbscan_memory(n, columns, item_bytes, o.tree);
    }
    template <class P>
    static TreeOptions tree_options(DbscanOptions const& o) {
        return o.tree;
    }
    template <int D, class T, class P>
    static DbscanResult<P> run(P& place, RunPoints<T, P>& points, DbscanOptions const& options);
};

}  // namespace zwalk::inline v0::detail
