// CUDA entry points of the walk's kernels: one block per parent target node (nodes) or per target
// leaf (points), the same bodies as on the CPU.
#pragma once
#include "zwalk/exec/group_cuda.cuh"
#include "zwalk/walk/leaf_step.hpp"
#include "zwalk/walk/node_step.hpp"

namespace zwalk::inline v0 {

/// Interaction lists of a whole plane: list of target i at entries[offset[i] ...] , count[i] long.
template <class T>
struct PlaneLists {
    Entry<T> const* entries;
    size_type const* offset;
    pos_t const* count;

    ZWALK_INLINE ListView<T> of(pos_t i) const { return {entries + offset[i], count[i]}; }
};

/// body(group, begin, end, list of the parent) for the children of target node blockIdx.x.
template <int W, class T, class Body>
__device__ __forceinline__ void for_children(pos_t const* target_child, PlaneLists<T> lists,
                                             Body const& body) {
    pos_t const parent = blockIdx.x;
    pos_t const end = target_child[parent + 1];
    for (pos_t t = target_child[parent]; t < end; t += W)
        body(CudaGroup<W>{}, t, min_of(end, t + W), lists.of(parent));
}

template <int W, class I, class Space>
__global__ void __launch_bounds__(W)
    reach_kernel(Step<I, Space> step, pos_t const* target_child,
                 PlaneLists<typename I::real> lists, Key<typename I::real>* reach) {
    for_children<W>(target_child, lists, [&](auto g, pos_t b, pos_t e, auto list) {
        reach_step(g, step, b, e, list, reach);
    });
}

template <int W, class I, class Space>
__global__ void __launch_bounds__(W)
    accept_kernel(Step<I, Space> step, pos_t const* target_child,
                  PlaneLists<typename I::real> lists, Sink<I> sink, pos_t* count,
                  size_type const* offset, Entry<typename I::real>* far) {
    for_children<W>(target_child, lists, [&](auto g, pos_t b, pos_t e, auto list) {
        accept_step(g, step, b, e, list, sink, count, offset, far);
    });
}

/// Counts (out == nullptr) or inserts.
template <int W, class I, class Space>
__global__ void __launch_bounds__(W)
    descend_kernel(Step<I, Space> step, pos_t const* target_child,
                   PlaneLists<typename I::real> lists, pos_t* count, size_type const* offset,
                   Entry<typename I::real>* out) {
    for_children<W>(target_child, lists, [&](auto g, pos_t b, pos_t e, auto list) {
        descend_step(g, step, b, e, list, count, offset, out);
    });
}

/// Points of target leaf blockIdx.x. Scratch is one area of W * scratch_stride bytes per block.
template <int W, class I, class Space>
__global__ void __launch_bounds__(W)
    leaf_kernel(Step<I, Space> step, LeafPoints<I> points, PlaneLists<typename I::real> lists,
                typename I::State const* state) {
    pos_t const leaf = blockIdx.x, end = step.targets.first[leaf + 1];
    if (points.scratch) points.scratch += std::size_t(leaf) * W * points.scratch_stride;
    typename I::State const own = state ? state[leaf] : typename I::State{};
    for (pos_t p = step.targets.first[leaf]; p < end; p += W)
        leaf_step(CudaGroup<W>{}, step, points, p, min_of(end, p + W), own, lists.of(leaf),
                  FarChain<I>{});
}

template <int W, class I, class Space>
__global__ void __launch_bounds__(W)
    leaf_pair_kernel(Step<I, Space> step, LeafPoints<I> points,
                     PlaneLists<typename I::real> lists, Sink<I> sink) {
    pos_t const leaf = blockIdx.x, end = step.targets.first[leaf + 1];
    for (pos_t p = step.targets.first[leaf]; p < end; p += W)
        leaf_pair_step(CudaGroup<W>{}, step, points, p, min_of(end, p + W), lists.of(leaf), sink);
}

}  // namespace zwalk::inline v0
