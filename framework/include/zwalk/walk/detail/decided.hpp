// decide() of a trait, as walks call it.
#pragma once
#include "zwalk/core/config.hpp"
#include "zwalk/walk/hooks.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/lists.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Points [first, first + count) by z-order position: how sentences name a node.
struct NodePoints {
    pos_t first, count;
};
/// Throws InputError: nothing takes an accepted pair of nodes.
[[noreturn]] void refuse_accept(NodePoints target, NodePoints source);

/// Whether something comes of pairs that a trait accepts.
template <class I>
inline constexpr bool takes_accepts = I::uses.state || I::uses.far || accepts_into_sink<I>;

/// What the trait decides on a pair of nodes. An accept that nothing takes would lose the pair, so it is refused; in device
/// code, which can't throw, the walk descends instead.
/// @tparam Source  I::Node, or SourceNode<I>
/// @throws InputError  on the host: nothing takes the accept
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

/// Whether two leaves that are accepted meet point by point instead, if the source's points are there (tuning.few_pairs).
template <class I, class Source>
ZWALK_INLINE bool are_few_pairs([[maybe_unused]] typename I::Node const& target,
                                [[maybe_unused]] Source const& source) {
    if constexpr (tuning_of<I>.few_pairs == 0) return false;
    else return size_type(target.count) * source.count <= tuning_of<I>.few_pairs;
}

/// What becomes of a pair of nodes in a step of a walk.
template <class I, class Space, class Source>
ZWALK_INLINE Decision decided(Step<I, Space> const& step, typename I::Node const& target,
                              Source const& source, Range<typename I::real> range) {
    Decision const decision = decided(step.trait, target, source, range);
    if constexpr (tuning_of<I>.few_pairs > 0)
        if (decision == Decision::accept && step.is_last && are_few_pairs<I>(target, source) &&
            !step.lacks_points(source.index))
            return Decision::descend;
    return decision;
}

}}}  // namespace zwalk::v0::detail
