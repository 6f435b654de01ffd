// Whether a walk is worth it: what it would do for a few targets, counted.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <type_traits>
#include <vector>

#include "zwalk/nearest/trait.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/cpu_node_step.hpp"
#include "zwalk/walk/source_block.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Cost per target, in about the cycles of one core. Only ratios matter: the numbers were fitted to
/// measured times, and the ratio of walk and all pairs holds within a factor of 1.5 around one.
struct MeetingCost {
    int width;  ///< lanes of a SIMD block
    int axes, compiled_axes;
    int walk_axis;  ///< one axis of one block in a walk: its sums wait for each other

    [[nodiscard]] double all_pairs(pos_t sources) const { return double(sources) / width * (axes + 6); }
    /// The box of a source leaf against `targets` points of one leaf, for each of them.
    [[nodiscard]] double box(pos_t targets) const {
        return 6. * compiled_axes * blocks(targets) / targets;
    }
    /// One target and the points of a source leaf.
    [[nodiscard]] double leaf(pos_t sources) const {
        return 60 + double(walk_axis * compiled_axes) * blocks(sources);
    }

  private:
    [[nodiscard]] double blocks(pos_t n) const { return double((n + width - 1) / width); }
};

/// The leaf step of single targets: which boxes it would test and which leaves it would visit.
template <Isa isa, int D, class T, class Space>
class Rehearsal {
    using Block = SourceBlock<Space>;

  public:
    Rehearsal(Space const& space, Tree<T, Cpu> const& targets, Tree<T, Cpu> const& sources, pos_t k,
              MeetingCost const& cost)
        : space_(space),
          targets_(targets),
          sources_(sources),
          leaves_(sources.template plane<D>(0)),
          k_(k),
          cost_(cost),
          entry_(leaves_.nodes) {}

    /// Cost of the walk for the target at position p, counted up to a little above `enough`.
    ZWALK_INLINE double cost_of(pos_t p, double enough) {
        auto const plane = targets_.template plane<D>(0);
        pos_t const leaf =
            pos_t(std::upper_bound(plane.first, plane.first + plane.nodes, p) - plane.first) - 1;
        for (pos_t s = 0; s < leaves_.nodes; ++s)
            entry_[s] = {s, node_range(space_, plane, leaf, leaves_, s).lo2};
        std::nth_element(entry_.begin(), entry_.begin(), entry_.end(), EntryOrder<T>{});
        Vec<D, T> const x = targets_.template points<D>().point(p);
        nearest_.clear();
        visit(x, entry_[0].source);
        double cost = cost_.leaf(leaves_.count(entry_[0].source));
        auto const end = std::partition(entry_.begin() + 1, entry_.end(),
                                        [&](Entry<T> e) { return e.lo2 <= horizon(); });
        std::sort(entry_.begin() + 1, end, EntryOrder<T>{});
        double const box = cost_.box(plane.count(leaf));
        for (auto e = entry_.begin() + 1; e < end && e->lo2 <= horizon() && cost < enough; ++e) {
            cost += box;
            if (distance2_to_box(x, e->source) > horizon()) continue;
            cost += cost_.leaf(leaves_.count(e->source));
            visit(x, e->source);
        }
        return cost;
    }

  private:
    [[nodiscard]] T horizon() const { return nearest_.size() < k_ ? infinity<T> : nearest_[0]; }

    ZWALK_INLINE T distance2_to_box(Vec<D, T> const& x, pos_t s) const {
        Range<T> r{0, 0};
        for (int j = 0; j < D; ++j)
            add_axis(space_, j, x[j], x[j], leaves_.box_lo(j, s), leaves_.box_hi(j, s), r);
        return r.lo2;
    }
    ZWALK_INLINE void visit(Vec<D, T> const& x, pos_t s) {
        PointColumns<D, T> const points = sources_.template points<D>();
        for (pos_t c = leaves_.first[s]; c < leaves_.first[s + 1]; c += Block::width) {
            pos_t const count = min_of(pos_t(leaves_.first[s + 1] - c), pos_t(Block::width));
            alignas(64) T d2[Block::width];
            Block{c, count, space_, points, x}.distances(0, d2);
            for (pos_t l = 0; l < count; ++l)
                if (d2[l] < horizon()) keep(d2[l]);
        }
    }
    void keep(T d2) {
        if (nearest_.size() == k_) {
            std::pop_heap(nearest_.begin(), nearest_.end());
            nearest_.pop_back();
        }
        nearest_.push_back(d2);
        std::push_heap(nearest_.begin(), nearest_.end());
    }

    Space const& space_;
    Tree<T, Cpu> const& targets_;
    Tree<T, Cpu> const& sources_;
    PlaneView<D, T> leaves_;
    pos_t k_;
    MeetingCost cost_;
    std::vector<Entry<T>> entry_;
    std::vector<T> nearest_;  ///< a heap of the k smallest squared distances so far
};

/// True if all pairs are expected to take less time than a walk. Looks at one of 512 targets, at most
/// 16, which takes about a hundredth of the work; the answer depends on the points and k alone. For data of up to
/// four axes it is no. The environment variable ZWALK_ALL_PAIRS (0 or 1) decides instead.
template <int D, class T, class Output, class Space>
bool lists_are_dense(Nearest<D, T, Output> const& trait, Space const& space, Tree<T, Cpu> const& targets,
                     Tree<T, Cpu> const& sources, int axes) {
    char const* const asked = std::getenv("ZWALK_ALL_PAIRS");
    if (asked && *asked) return std::string_view(asked) != "0";
    if (axes <= 4 || targets.planes.empty() || sources.planes.empty()) return false;
    constexpr bool open = std::is_same_v<Space, Open<D, T>>;
    MeetingCost const cost{simd_width<T>, axes, D, open ? 4 : 5};
    pos_t const samples = std::clamp<pos_t>(targets.size() / 512, 1, 16);
    double const all = samples * cost.all_pairs(sources.size());
    return with_isa(best_isa(), [&]<Isa isa>() {
        Rehearsal<isa, D, T, Space> rehearsal(space, targets, sources,
                                              trait.k + pos_t(trait.exclude_self), cost);
        double walk = 0;
        for (size_type i = 0; i < samples && walk <= all; ++i)
            walk += rehearsal.cost_of(pos_t((2 * i + 1) * targets.size() / (2 * samples)), all - walk);
        return walk > all;
    });
}

}}}  // namespace zwalk::v0::detail
