// The way down through two hierarchies, plane by plane, which is the same on threads and on devices.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/lists.hpp"
#include "zwalk/walk/node_part.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Groups of `size` top nodes, as offsets: begin, begin + size, ..., end.
inline std::vector<pos_t> super_nodes(TargetNodes const& nodes, pos_t size) {
    std::vector<pos_t> offset{nodes.begin};
    while (offset.back() < nodes.end) offset.push_back(std::min(nodes.end, offset.back() + size));
    return offset;
}

/// Step number `steps - 1` enters the coarsest plane, step 0 the leaves.
template <class I, class Space, class Place>
class StepsDown {
    using HomeTree = Tree<typename I::real, Place>;
    static constexpr int D = I::dim;

  public:
    StepsDown(HomeTree const& targets, HomeTree const& sources)
        : targets_(&targets),
          sources_(&sources),
          count_(int(std::max(targets.planes.size(), sources.planes.size()))) {}

    [[nodiscard]] int count() const { return count_; }
    /// The plane that a step enters. A shallow hierarchy repeats its leaves.
    [[nodiscard]] std::size_t target_plane(int step) const { return plane_at(*targets_, step); }
    [[nodiscard]] std::size_t source_plane(int step) const { return plane_at(*sources_, step); }
    /// Whether the step behind this one, if there is one, stays on the plane: nodes are their own children.
    [[nodiscard]] bool stays_on_targets(int step) const {
        return step == 0 || target_plane(step - 1) == target_plane(step);
    }
    [[nodiscard]] bool stays_on_sources(int step) const {
        return step == 0 || source_plane(step - 1) == source_plane(step);
    }

    /// The step j of targets from `begin` on.
    /// @param target_summary  target_summary(plane): where those of a plane begin; likewise source_summary, source_count
    template <class TargetSummary, class SourceSummary, class SourceCount>
    [[nodiscard]] Step<I, Space> step(I const& trait, Space const& space, pos_t* links, int j,
                                      pos_t begin, pos_t const* source_child,
                                      TargetSummary const& target_summary,
                                      SourceSummary const& source_summary,
                                      SourceCount const& source_count) const {
        Step<I, Space> step{trait, space, {}, {}, source_child};
        std::size_t const tp = target_plane(j), sp = source_plane(j);
        bool const any_source = !sources_->planes.empty();
        step.targets = targets_->template plane<D>(tp);
        if (any_source) step.sources = sources_->template plane<D>(sp);
        if constexpr (I::uses.summary) {
            step.target_summary = target_summary(tp);
            if (any_source) step.source_summary = source_summary(sp);
        }
        if (any_source) step.source_count = source_count(sp);
        step.links = {links};
        step.base = begin;
        step.is_last = j == 0;
        return step;
    }

  private:
    [[nodiscard]] std::size_t plane_at(HomeTree const& tree, int step) const {
        return std::size_t(std::max(0, step - count_ + int(tree.planes.size())));
    }

    HomeTree const *targets_, *sources_;
    int count_;
};

/// The step `s` for kernels of nodes, with the NodePart of its trait.
template <class I, class Space>
Step<typename NodePart<I>::type, Space> on_nodes(Step<I, Space> const& s) {
    return {NodePart<I>::of(s.trait),
            s.space,
            s.targets,
            s.sources,
            s.source_child,
            s.target_summary,
            s.source_summary,
            s.source_count,
            s.links,
            s.is_last,
            s.base,
            s.reach,
            s.inherited,
            s.state};
}

}}}  // namespace zwalk::v0::detail
