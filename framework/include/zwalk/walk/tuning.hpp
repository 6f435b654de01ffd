// What makes a trait faster, beside what it means (walk/interaction.hpp). Nobody needs it for a right result.
#pragma once
#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 {

/// Sources that tuning.batch hands over at once.
inline constexpr int batch_size = 8;

/// Other forms of a trait's hooks, for nodes and points by the dozen. A trait that has some says so by
/// `static constexpr Tuning tuning{...}` beside its `uses`. Each line names the members that come with it. They serve gravity,
/// neighbours and edges, which the library itself looks for. With all of them left out results are the same, but for few_pairs,
/// by which an approximation becomes better.
struct Tuning {
    /// absorb is a template and takes in several accepted sources at once, at the width of the CPU's registers. Instead of
    /// the other there are `template <class V> struct Accepted`, of V's only: what a target needs of a source;
    /// `Accepted<double> accepted(t, s, range)`, where s is best an `auto const&`, as it is in decide then: a `Node` has a copy
    /// of the summary; and
    /// `template <class V> void absorb(State&, t, AcceptedView<Accepted<V>> sources)`, where V is `double`, in the
    /// reference walk, or a Pack of them, whatever `real` is, or on devices one for each lane of a warp. Go through the sources in one
    /// loop, and look at the state behind it: on devices it isn't there before. Behind the last source there are lanes of
    /// an `Accepted<double>{}`: let these add nothing. A target's sources come in the same order for any number of threads and
    /// on every CPU, in one call or in several. Goes with state.
    bool lane_absorb = false;
    /// Two leaves that decide accepts meet point by point all the same, if they have at most so many pairs of points (target's
    /// count times source's). For traits whose accept is an approximation and takes as long as that many pairs. A leaf of another
    /// MPI rank that came without its points is accepted. 0: none. Goes with state or far.
    pos_t few_pairs = 0;

    /// `Summary summarize_leaf(Leaf)`: for the points of a leaf, at once, what summarize and merge give for them or, of an
    /// approximation, what is as good. Leaves are the same everywhere, so results don't depend on the place. Goes with summary.
    bool leaf_summary = false;
    /// `void visit_block<isa>(Fold&, point, SourceBlock)`: on CPUs, instead of visit: a run of source
    /// points at once, all of them, also those behind the horizon. The fold must end up as if visit
    /// had been called for each. Goes with ordered, not with displacement. For use in all_pairs make
    /// the block a template parameter, and use its first, count, distances, points and lanes only. `block.payload`
    /// has the columns of the sources, by position.
    bool blocks = false;
    /// `template <class Leaves> void pair_leaves(Leaves const& leaves, Range<real> range, sink)`: on CPUs, instead of pair, for
    /// all pairs of points of two leaves, or of one. `leaves.each(f)` calls f(d2) for packs of their squared distances, of type
    /// `Leaves::Numbers`: they are in `range`, or NaN where a lane has no pair. Pairs beyond the cutoff may be left out, and by
    /// `leaves.each(f, limit2)` those with a larger d2 than limit2. `Leaves::Numbers::Counts` counts lanes (LaneCounts).
    /// `leaves.count()` is how many pairs there are. Goes with symmetric and lanes, not with links, displacement or metric.
    bool leaf_pairs = false;
    /// `void assume(Fold&, d2)`, `bool is_short(Fold)`, `real enough(Fold)`: on CPUs, a target may start
    /// with a horizon of {d2, last position} that is only likely to be enough: the one that was for its
    /// neighbours, by enough(), which is called after end(). assume() sets it in a fold that has just begun.
    /// is_short() is true before end() if something behind it may be missing: then the target begins again,
    /// without it. So the guess decides on the time only. Goes with ordered.
    bool guess = false;
    /// `template <class G> GroupFold`, a class that lives on a lane group G of 32 lanes, with `void
    /// group_begin(g, GroupFold&, p, State)`, `void group_visit(g, GroupFold&, p, pos_t first, unsigned n,
    /// var<real> d2)`, `Key group_horizon(GroupFold)`, `void group_end(g, GroupFold&, p)`: on devices,
    /// instead of begin, visit, horizon and end: all lanes work on one target at a time, and see a source
    /// each, lane l < n that at position first + l. A GroupFold is begun anew for target after target. Goes
    /// with ordered, not with far, displacement or idle; with scratch, which it does without.
    bool group = false;
    /// `void visit_batch(Fold&, p, Key (&)[batch_size])`: on devices, instead of visit: as many sources at once, in no
    /// order; where there are fewer, the rest are Key{}. The fold must end up as if visit had been called for each,
    /// and may change the batch. Goes with ordered, not with displacement or group.
    bool batch = false;
    /// Not 0: visit_batch has memory for so many keys of each target, `template <class Kept> void visit_batch(Fold&, p,
    /// Key (&)[batch_size], Kept&)`, in which `kept.write(i, key)` and `kept.read(i)` are keys i = 0, 1, ...; where there are
    /// fewer sources, the rest have a NaN for their d2. `template <class Kept> void end_batches(Fold&, Kept&)` comes
    /// behind the last batch. Goes with batch.
    int kept = 0;
    /// `std::uint32_t useful<isa>(Fold, ColumnsView<Payload> sources, pos_t first)`, `bool alike(Fold, Fold)`,
    /// `void narrow(Summary&, Fold)`: on CPUs, the bits of those of simd_width source points from `first` on that
    /// can matter to a target (bits of points behind the last one have no meaning; columns that are read
    /// for them must have memory there). To targets that are alike the same ones can, and narrow() puts into their
    /// leaf's summary what is known of these alone. visit_block is shown only useful points then, of those near
    /// enough to any of the targets in question: see SourceBlock::lanes. Goes with blocks and idle.
    bool sift = false;
};

namespace detail {

/// The tuning that a trait has: none, if it doesn't say.
template <class I>
consteval Tuning find_tuning() {
    if constexpr (requires { I::tuning; }) return I::tuning;
    else return {};
}

}  // namespace detail

template <class I>
inline constexpr Tuning tuning_of = detail::find_tuning<I>();

}}  // namespace zwalk::v0
