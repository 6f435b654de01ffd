// DBSCAN in the form that run/driver.hpp needs; the driver is in driver.hpp.
#pragma once
#include <array>
#include <cstdint>

#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/dbscan/device_dbscan_memory.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/run/driver.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

struct DbscanAlgorithm : DbscanCall {
    static constexpr char const* name = "DBSCAN";

    template <class T>
    static void check(DbscanOptions const& options, CallSets const& sets);
    static std::array<Option, 4> agreed(DbscanOptions const& o, Option const& place) {
        return {Option("epsilon", o.epsilon), Option("min_samples", o.min_samples),
                Option("order", int(o.order)), place};
    }
    static std::uint64_t device_bytes(CallSets const& sets, int columns, std::size_t item_bytes,
                                      DbscanOptions const& o) {
        return device_dbscan_memory(double(sets.points.size), columns, item_bytes, o.tree);
    }
    template <class P>
    static TreeOptions tree_options(DbscanOptions const& o) {
        return o.tree;
    }
    template <class Points>
    static ResultOf<DbscanAlgorithm, Points> run(Points& points, DbscanOptions const& options);
};

}}}  // namespace zwalk::v0::detail
