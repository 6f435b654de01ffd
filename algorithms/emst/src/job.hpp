// What emst() hands to the kernels of one compiled dimension (run.hpp; compiled apart).
#pragma once
#include <vector>

#include "zwalk/emst/emst.hpp"
#include "zwalk/emst/fragments.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::inline v0::detail {

/// Arguments after validation. `period` holds one length per data axis, +infinity on open ones, and is
/// empty in open space.
template <class T>
struct EmstJob {
    Points<T> points;
    pos_t min_samples;  ///< at most as many as there are points
    std::vector<T> period;
    TreeOptions tree;
};

/// A minimum spanning tree by z-order positions.
template <class T>
struct PositionTree {
    Buffer<Edge<T>> edges;  ///< in no particular order
    Buffer<T> core2;        ///< squared core distances; empty for min_samples 1
    Buffer<pos_t> input;
    Stats stats;
};

template <int D, class T>
PositionTree<T> run_emst(Cpu const& cpu, EmstJob<T> const& job);

}  // namespace zwalk::inline v0::detail
