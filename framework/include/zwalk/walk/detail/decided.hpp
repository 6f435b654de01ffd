// decide() of a trait, as walks ask for it.
#pragma once
#include "zwalk/core/config.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk::inline v0::detail {

/// Points [first, first + count) by z-order position: how sentences name a node.
struct NodePoints {
    pos_t first, count;
};
/// Throws InputError: nothing takes an accepted pair of nodes.
[[noreturn]] void refuse_accept(NodePoints target, NodePoints source);

/// Something comes of pairs that a trait accepts.
template <class I>
inline constexpr bool takes_accepts = I::uses.state || I::uses.far || I::uses.links || I::uses.total;

/// What the trait decides on a pair of nodes. An accept that nothing takes would lose the pair, so it is refused; in device
/// code, which can't throw, the walk descends instead.
/// @tparam Source  I::Node, or SourceNode<I>
/// @throws InputError  on the host: see above
template <class I, class Source>
ZWALK_INLINE Decision decided(I const& trait, typename I::Node const& target, Source const& source,
                              Range<typename I::real> range) {
    Decision const decision = trait.decide(target, source, range);
    if constexpr (!takes_accepts<I>)
        if (decision == Decision::accept) {
#if defined(__CUDA_ARCH__)
            return Decision::descend;
#else
            refuse_accept({target.first, target.count}, {source.first, source.count});
#endif
        }
    return decision;
}

}  // namespace zwalk::inline v0::detail
