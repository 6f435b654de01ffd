// DBSCAN in the form that run/algorithm.hpp needs; the driver is in driver.hpp.
#pragma once
#include <type_traits>

#include "zwalk/dbscan/dbscan_cuda.hpp"
#include "zwalk/dbscan/device_dbscan_memory.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk::inline v0::detail {

/// The first step alone, where the points are those that a rank has and has imported: the result has `core` of these targets
/// only, in the order of z.
template <class T, class P>
struct EnoughPart {
    Tree<T, P> const* targets = nullptr;  ///< null: some of the points
    TargetNodes some{};                   ///< of the targets' top nodes
    pos_t size = 0;                       ///< how many targets these have
    pos_t enough = 1;
    pos_t sources = 0;                         ///< of all ranks; no_pos: more
    KnownNodes<Empty> const* known = nullptr;  ///< WalkInputs::known
};

template <class T, class P>
struct DbscanTask {
    DbscanTask(DbscanOptions const& o) : options(o) {}  // NOLINT: options alone are a task
    DbscanOptions options;
    EnoughPart<T, P> const* part = nullptr;
};

struct DbscanAlgorithm {
    using Options = DbscanOptions;
    template <class T, class P>
    using Task = std::type_identity_t<DbscanTask<T, P>>;  // not deduced: options convert to it
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
    template <class T, class P>
    static void to_unit(DbscanTask<T, P>& task, LengthUnit<T> const& unit) {
        task.options.epsilon = unit.limit(task.options.epsilon);
    }
    template <int D, class T, class P>
    static DbscanResult<P> run(P& place, RunPoints<T, P>& points, Task<T, P> const& task);
};

}  // namespace zwalk::inline v0::detail
