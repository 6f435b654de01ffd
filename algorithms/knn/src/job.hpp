// What knn() hands to the kernels of one compiled dimension (run.hpp; compiled apart).
#pragma once
#include <vector>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk::inline v0::detail {

/// Arguments after validation. `queries` is null for a self query; `period` holds one length per
/// data axis, +infinity on open ones, and is empty in open space.
template <class T>
struct KnnJob {
    Points<T> sources;
    Points<T> const* queries;
    std::vector<T> period;
    KnnOptions const& options;
    KnnVisitor<T> visitor{};  ///< sees the neighbours instead of a result's rows
};

template <int D, class T>
KnnResult<T> run_knn(Cpu const& cpu, KnnJob<T> const& job);

}  // namespace zwalk::inline v0::detail
