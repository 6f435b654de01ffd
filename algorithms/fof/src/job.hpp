// What fof() hands to the kernels of one compiled dimension (run.hpp; compiled apart).
#pragma once
#include <vector>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/fof/fof.hpp"

namespace zwalk::inline v0::detail {

/// Arguments after validation. `period` holds one length per data axis, +infinity on open ones, and is
/// empty in open space.
template <class T>
struct FofJob {
    Points<T> points;
    T linking_length;
    std::vector<T> period;
    TreeOptions tree;
};

/// The groups without labels: z_order, root and stats.
template <int D, class T>
FofResult<T> run_fof(Cpu const& cpu, FofJob<T> const& job);

}  // namespace zwalk::inline v0::detail
