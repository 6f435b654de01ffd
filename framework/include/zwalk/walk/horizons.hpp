// How far target points look once they have met some of the sources: sources further away don't matter to them, whatever else
// there is.
#pragma once
#include <vector>

#include "zwalk/walk/detail/cpu_steps.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/workspace_pool.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Whether sources alone determine how far points of a trait look, as they meet them one by one.
template <class I>
inline constexpr bool has_horizons = [] {
    if constexpr (I::uses.ordered && !(I::uses.symmetric || I::uses.state || I::uses.links))
        return !LeafTargets<I>::selects;
    else return false;
}();

/// Target leaves that meet source leaves as in a walk, but for end(): only horizons are needed. For traits with has_horizons.
template <class I, class Space>
class Horizons {
    using T = typename I::real;
    static constexpr int D = I::dim;

  public:
    /// @param some  the targets, where not all points of their tree are: indices count from the first of them
    Horizons(I const& trait, Space const& space, Tree<T, Cpu> const& targets,
             ColumnsView<typename I::Payload> const& target_payload, TargetNodes const& some,
             Tree<T, Cpu> const& sources, ColumnsView<typename I::Payload> const& source_payload)
        : step_{trait, space, {}, {}},
          points_{targets.template points<D>(), sources.template points<D>(), target_payload,
                  source_payload, first_target(targets, some)} {
        if (!targets.planes.empty()) step_.targets = targets.template plane<D>(0);
        if (!sources.planes.empty()) step_.sources = sources.template plane<D>(0);
        if constexpr (I::uses.scratch) points_.scratch_stride = (trait.scratch_bytes() + 7) / 8 * 8;
    }

    /// f(position, squared distance) for each point of a target leaf. By any number of threads.
    /// @param sources  leaves, in any order
    template <class F>
    void of_leaf(pos_t leaf, std::vector<Entry<T>> const& sources, F const& f) const {
        typename WorkspacePool<Workspace<I>>::Lease ws(rooms_);
        auto& order = (*ws).room.order;
        make_room(order, sources.size() + 1);
        LeafPoints<I> points = points_;  // with the room for folds of this thread
        each_piece(CpuSteps<T>{}, *ws, step_, points, leaf, [&](auto meeting, pos_t begin, pos_t end) {
            return meeting.find_horizons(begin, end, {sources.data(), sources.size()}, order.data(), f);
        });
    }

  private:
    Step<I, Space> step_;
    LeafPoints<I> points_;
    mutable WorkspacePool<Workspace<I>> rooms_;
};

}}}  // namespace zwalk::v0::detail
