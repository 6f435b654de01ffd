// Compiles the walk's kernels for the GPU: the bodies are those that the CPU tests execute.
#include "traits/nearest_brighter.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/knn/trait.hpp"
#include "zwalk/walk/kernels.cuh"

namespace zwalk::inline v0 {

#define ZWALK_NODE_KERNELS(I, S)                                                                 \
    template __global__ void descend_kernel<32, I, S>(Step<I, S>, pos_t const*,                  \
                                                      PlaneLists<I::real>, pos_t*,               \
                                                      size_type const*, Entry<I::real>*);
#define ZWALK_REACH_KERNEL(I, S)                                                                 \
    template __global__ void reach_kernel<32, I, S>(Step<I, S>, pos_t const*,                    \
                                                    PlaneLists<I::real>, Key<I::real>*);
#define ZWALK_ACCEPT_KERNEL(I, S)                                                                \
    template __global__ void accept_kernel<32, I, S>(Step<I, S>, pos_t const*,                   \
                                                     PlaneLists<I::real>, Sink<I>, pos_t*,       \
                                                     size_type const*, Entry<I::real>*);
#define ZWALK_LEAF_KERNEL(I, S)                                                                  \
    template __global__ void leaf_kernel<64, I, S>(Step<I, S>, LeafPoints<I>,                    \
                                                   PlaneLists<I::real>, I::State const*);
#define ZWALK_PAIR_KERNEL(I, S)                                                                  \
    template __global__ void leaf_pair_kernel<64, I, S>(Step<I, S>, LeafPoints<I>,               \
                                                        PlaneLists<I::real>, Sink<I>);

using Knn3f = Knn<3, float>;
using Knn2d = Knn<2, double>;
using Fof3f = Fof<3, float>;
using Fof2d = Fof<2, double>;
using Open3f = Open<3, float>;
using Periodic3f = Periodic<3, float>;
using Periodic2d = Periodic<2, double>;
using Count3f = examples::RadiusCount<3, float>;
using Pairs3f = examples::PairCounts<3, float, 8>;
using examples::NearestBrighter;

ZWALK_REACH_KERNEL(Knn3f, Open3f)
ZWALK_NODE_KERNELS(Knn3f, Open3f)
ZWALK_LEAF_KERNEL(Knn3f, Open3f)
ZWALK_REACH_KERNEL(Knn2d, Periodic2d)
ZWALK_LEAF_KERNEL(Knn2d, Periodic2d)
ZWALK_REACH_KERNEL(NearestBrighter, Periodic3f)
ZWALK_LEAF_KERNEL(NearestBrighter, Periodic3f)
ZWALK_ACCEPT_KERNEL(Count3f, Open3f)
ZWALK_LEAF_KERNEL(Count3f, Open3f)
ZWALK_ACCEPT_KERNEL(Pairs3f, Open3f)
ZWALK_PAIR_KERNEL(Pairs3f, Open3f)
ZWALK_ACCEPT_KERNEL(Fof3f, Periodic3f)
ZWALK_NODE_KERNELS(Fof3f, Periodic3f)
ZWALK_PAIR_KERNEL(Fof3f, Periodic3f)
ZWALK_PAIR_KERNEL(Fof2d, Periodic2d)

}  // namespace zwalk::inline v0
