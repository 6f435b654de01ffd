// Turns each likely mistake of a trait's author into one plain sentence.
#pragma once
#include <cstdint>
#include <type_traits>

#include "zwalk/walk/detail/lost_results.hpp"
#include "zwalk/walk/hooks.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// True if I is a complete trait; otherwise compilation stops with a sentence that says what is
/// missing. Checks go both ways: a member without its Uses flag is an error too, since a service
/// that is silently off is the mistake that costs most time. One sentence at a time: later checks
/// wait until earlier ones hold.
#define ZWALK_CHECK(condition, sentence)                \
    else if constexpr (!(condition)) {                  \
        static_assert((condition), "zwalk: " sentence); \
        return false;                                   \
    }

template <class I>
consteval bool check_interaction() {
    using namespace detail;
    if constexpr (!HasNames<I>) {
        static_assert(HasNames<I>,
                      "zwalk: a trait needs `static constexpr Uses uses` and the names of Types<D, T>; "
                      "derive it from zwalk::Types<D, T>.");
        return false;
    }
    ZWALK_CHECK(std::is_trivially_copyable_v<I>,
                "a trait must be trivially copyable: hold plain numbers and pointers only.")
    ZWALK_CHECK(HasDecide<I>,
                "a trait needs `Decision decide(Node target, Node source, Bounds range) const`.")
    ZWALK_CHECK(!I::uses.reach || HasReach<I>,
                "uses.reach needs `Reach`, `reach_begin(t)`, `reach_add(Reach&, t, s, range)` and "
                "`Key reach_end(Reach, t)`, all const.")
    ZWALK_CHECK(!I::uses.reach || !LosesReach<I>,
                "reach_add takes `Reach&`: what it adds to a copy or a const& is lost.")
    ZWALK_CHECK(I::uses.reach || !HasReach<I>,
                "the trait has reach_begin/reach_add/reach_end but doesn't say uses.reach = true.")
    ZWALK_CHECK(!I::uses.metric || HasMetric<I>, "uses.metric needs `Bounds metric(t, s, range) const`.")
    ZWALK_CHECK(I::uses.metric || !HasMetric<I>,
                "the trait has metric() but doesn't say uses.metric = true.")
    ZWALK_CHECK(!I::uses.state || HasState<I>,
                "uses.state needs `top_state()`, `inherit(State, parent, child)` and "
                "`absorb(State&, t, s, range)`, all const.")
    ZWALK_CHECK(!I::uses.state || tuning_of<I>.lane_absorb || !LosesState<I>,
                "absorb takes `State&`: what it adds to a copy or a const& is lost.")
    ZWALK_CHECK(I::uses.state || !HasState<I>,
                "the trait has top_state/inherit/absorb but doesn't say uses.state = true.")
    ZWALK_CHECK(!tuning_of<I>.lane_absorb || I::uses.state, "tuning.lane_absorb goes with uses.state.")
    ZWALK_CHECK(
        !tuning_of<I>.lane_absorb || HasLaneAccepted<I>,
        "tuning.lane_absorb needs `template <class V> struct Accepted`, all of whose numbers are "
        "V's.")
    ZWALK_CHECK(!tuning_of<I>.lane_absorb || (HasLaneAbsorb<I, double> && HasLaneAbsorb<I, SomeDoubles>),
                "tuning.lane_absorb needs `Accepted<double> accepted(t, s, range) const` and `template "
                "<class V> void "
                "absorb(State&, t, AcceptedView<Accepted<V>> sources) const`.")
    ZWALK_CHECK(tuning_of<I>.lane_absorb || !HasAccepted<I>,
                "the trait has accepted() but doesn't say tuning.lane_absorb = true.")
    ZWALK_CHECK(tuning_of<I>.few_pairs == 0 || I::uses.state || I::uses.far,
                "tuning.few_pairs goes with uses.state or uses.far.")
    ZWALK_CHECK(!I::uses.summary || HasSummary<I>,
                "uses.summary needs `Summary summarize(Point) const` and "
                "`Summary merge(Summary, Summary) const`.")
    ZWALK_CHECK(I::uses.summary || !HasSummary<I>,
                "the trait has summarize/merge but doesn't say uses.summary = true.")
    ZWALK_CHECK(!tuning_of<I>.leaf_summary || HasLeafSummary<I>,
                "tuning.leaf_summary needs `Summary summarize_leaf(Leaf) const`.")
    ZWALK_CHECK(tuning_of<I>.leaf_summary || !HasLeafSummary<I>,
                "the trait has summarize_leaf() but doesn't say tuning.leaf_summary = true.")
    ZWALK_CHECK(!tuning_of<I>.leaf_summary || I::uses.summary,
                "tuning.leaf_summary goes with uses.summary.")
    ZWALK_CHECK(!I::uses.links || HasWhole<I>, "uses.links needs `bool whole(Node) const`.")
    ZWALK_CHECK(I::uses.links || !HasWhole<I>,
                "the trait has whole() but doesn't say uses.links = true.")
    ZWALK_CHECK(!I::uses.total || HasTotal<I>,
                "uses.total needs `Total` and `void combine(Total&, Total) const`.")
    ZWALK_CHECK(!I::uses.total || !LosesTotal<I>,
                "combine takes `Total&` first: what it adds to a copy or a const& is lost.")
    ZWALK_CHECK(I::uses.total || !HasTotal<I>,
                "the trait has Total/combine but doesn't say uses.total = true.")
    ZWALK_CHECK(!(I::uses.links || (I::uses.total && I::uses.symmetric)) || HasAccept<I>,
                "uses.links and uses.total need `void accept(t, s, range, auto& sink) const`.")
    ZWALK_CHECK((I::uses.links || I::uses.total) || !HasAccept<I>,
                "the trait has accept() but says neither uses.links nor uses.total.")
    ZWALK_CHECK(!I::uses.lanes || HasLanePayload<I>,
                "with uses.lanes a payload is a class template of the real type, all of whose numbers "
                "are of that type: "
                "`template <class T> struct Mass { T mass; }`.")
    ZWALK_CHECK(!(I::uses.lanes && I::uses.symmetric) ||
                    (HasLanePair<I, typename I::real> && HasLanePair<I, SomePack<I>>),
                "uses.lanes with uses.symmetric needs `template <class V> void pair(Point p, auto "
                "const& q, V d2, auto& sink) "
                "const` (with `Vec<dim, V> dx` behind d2, if uses.displacement).")
    ZWALK_CHECK(!I::uses.lanes || I::uses.symmetric || HasLaneFold<I>,
                "uses.lanes needs a fold that is a template, `template <class V> using Fold = ...`, or "
                "a struct.")
    ZWALK_CHECK(I::uses.lanes || !HasLaneFold<I>,
                "the trait has a template Fold but doesn't say uses.lanes = true.")
    ZWALK_CHECK(!I::uses.lanes || I::uses.symmetric ||
                    (HasLaneVisit<I, typename I::real> && HasLaneVisit<I, SomePack<I>>),
                "uses.lanes needs `template <class V> void visit(Fold<V>&, Target, auto const& q, V d2) "
                "const` (with "
                "`Vec<dim, V> dx` behind, if uses.displacement).")
    ZWALK_CHECK(!I::uses.lanes || I::uses.symmetric || (HasJoin<I, SomePack<I>>),
                "uses.lanes needs `void join(Fold<real>&, auto const& lanes) const`.")
    ZWALK_CHECK(!I::uses.lanes || !(I::uses.ordered || I::uses.links || I::uses.scratch ||
                                    tuning_of<I>.blocks || tuning_of<I>.group || tuning_of<I>.batch),
                "uses.lanes goes without uses.ordered, uses.links and uses.scratch (and blocks, group "
                "and batch).")
    ZWALK_CHECK(!I::uses.symmetric || I::uses.lanes || HasPair<I>,
                "uses.symmetric needs `void pair(p, q, d2, auto& sink) const`.")
    ZWALK_CHECK(I::uses.symmetric || I::uses.lanes || !HasPair<I>,
                "the trait has pair() but doesn't say uses.symmetric = true.")
    ZWALK_CHECK(!I::uses.cutoff || HasCutoff<I> || (HasCutoffs<I> && !I::uses.symmetric),
                "uses.cutoff needs `real cutoff2() const`, or `real cutoff2(Target) const` without "
                "uses.symmetric.")
    ZWALK_CHECK(I::uses.cutoff || !(HasCutoff<I> || HasCutoffs<I>),
                "the trait has cutoff2() but doesn't say uses.cutoff = true.")
    ZWALK_CHECK(!(HasCutoff<I> && HasCutoffs<I>),
                "the trait has cutoff2() and cutoff2(Target): which one counts? Keep one of them.")
    ZWALK_CHECK(!(I::uses.cutoff && I::uses.ordered),
                "uses.cutoff goes without uses.ordered: return the cutoff from horizon().")
    ZWALK_CHECK(I::uses.symmetric || HasBegin<I>,
                "a trait needs `Fold` and `Fold begin(Target, State) const` (with `void* scratch` "
                "behind, if uses.scratch).")
    ZWALK_CHECK(I::uses.symmetric || I::uses.lanes || HasVisit<I>,
                "a trait needs `void visit(Fold&, Target, Point source, real d2) const` "
                "(with `Displacement dx` behind, if uses.displacement): is it spelt so, and const?")
    ZWALK_CHECK(I::uses.symmetric || I::uses.lanes || !LosesFold<I>,
                "visit takes `Fold&`: what it adds to a copy or a const& is lost.")
    ZWALK_CHECK(
        I::uses.symmetric || HasEnd<I>,
        "a trait needs `void end(Fold&, Target) const` (with `auto& sink` behind, if uses.total; "
        "with `auto const& space` behind all others, if it is needed).")
    ZWALK_CHECK(I::uses.symmetric || !I::uses.total || HasAccept<I> || EndsInSink<I>,
                "uses.total needs `void accept(t, s, range, auto& sink) const`, or `void end(Fold&, "
                "Target, auto& sink) const`: else nothing is ever added.")
    ZWALK_CHECK(!(tuning_of<I>.group && EndsInSink<I>),
                "tuning.group goes without a sink in end(): its group_end has none.")
    ZWALK_CHECK(!I::uses.ordered || HasHorizon<I>,
                "uses.ordered needs `Key horizon(Fold const&) const`.")
    ZWALK_CHECK(I::uses.ordered || !HasHorizon<I>,
                "the trait has horizon() but doesn't say uses.ordered = true.")
    ZWALK_CHECK(!I::uses.far || HasFar<I>,
                "uses.far needs `void far(Fold&, Target, Summary, auto space) const`.")
    ZWALK_CHECK(!I::uses.far || !LosesFar<I>,
                "far takes `Fold&`: what it adds to a copy or a const& is lost.")
    ZWALK_CHECK(I::uses.far || !HasFar<I>, "the trait has far() but doesn't say uses.far = true.")
    ZWALK_CHECK(!I::uses.far || I::uses.summary, "uses.far needs uses.summary.")
    ZWALK_CHECK(!I::uses.scratch || HasScratch<I>,
                "uses.scratch needs `std::size_t scratch_bytes() const`.")
    ZWALK_CHECK(I::uses.scratch || !HasScratch<I>,
                "the trait has scratch_bytes() but doesn't say uses.scratch = true.")
    ZWALK_CHECK(
        !tuning_of<I>.blocks || HasBlocks<I>,
        "tuning.blocks needs `template <Isa isa> void visit_block(Fold&, Target, auto const& block) "
        "const`.")
    ZWALK_CHECK(tuning_of<I>.blocks || !HasBlocks<I>,
                "the trait has visit_block() but doesn't say tuning.blocks = true.")
    ZWALK_CHECK(!tuning_of<I>.blocks || (I::uses.ordered && !I::uses.displacement),
                "tuning.blocks goes with uses.ordered, and not with uses.displacement.")
    ZWALK_CHECK(!tuning_of<I>.leaf_pairs || (I::uses.symmetric && I::uses.lanes && !I::uses.links &&
                                             !I::uses.displacement && !I::uses.metric),
                "tuning.leaf_pairs goes with uses.symmetric and uses.lanes, and not with uses.links, "
                "uses.displacement or uses.metric.")
    ZWALK_CHECK(
        !tuning_of<I>.leaf_pairs || HasLeafPairs<I>,
        "tuning.leaf_pairs needs `void pair_leaves(auto const& leaves, Range<real> range, auto& sink) "
        "const`.")
    ZWALK_CHECK(tuning_of<I>.leaf_pairs || !HasLeafPairs<I>,
                "the trait has pair_leaves() but doesn't say tuning.leaf_pairs = true.")
    ZWALK_CHECK(
        !tuning_of<I>.guess || HasGuess<I>,
        "tuning.guess needs `void assume(Fold&, real d2) const`, `bool is_short(Fold const&) const` and "
        "`real enough(Fold const&) const`.")
    ZWALK_CHECK(tuning_of<I>.guess || !HasGuess<I>,
                "the trait has assume/is_short/enough but doesn't say tuning.guess = true.")
    ZWALK_CHECK(!tuning_of<I>.guess || I::uses.ordered, "tuning.guess goes with uses.ordered.")
    ZWALK_CHECK(
        !tuning_of<I>.group || HasGroup<I>,
        "tuning.group needs `GroupFold`, `group_begin(g, GroupFold&, p, State)`, `group_visit(g, "
        "GroupFold&, p, pos_t first, unsigned n, d2)`, `Key group_horizon<G>(GroupFold)` and "
        "`group_end(g, GroupFold&, p)`, all const.")
    ZWALK_CHECK(tuning_of<I>.group || !HasGroup<I>,
                "the trait has group_visit() but doesn't say tuning.group = true.")
    ZWALK_CHECK(
        !tuning_of<I>.group ||
            (I::uses.ordered && !I::uses.far && !I::uses.displacement && !I::uses.idle),
        "tuning.group goes with uses.ordered, and not with uses.far, uses.displacement or uses.idle.")
    ZWALK_CHECK(!tuning_of<I>.batch || tuning_of<I>.kept > 0 || HasBatch<I>,
                "tuning.batch needs `void visit_batch(Fold&, Target, Key (&)[batch_size]) const`.")
    ZWALK_CHECK(tuning_of<I>.kept == 0 || (tuning_of<I>.batch && HasKeptBatch<I>),
                "tuning.kept goes with tuning.batch, and needs `template <class Kept> void "
                "visit_batch(Fold&, Target, "
                "Key (&)[batch_size], Kept&) const` and `template <class Kept> void end_batches(Fold&, "
                "Kept&) const`.")
    ZWALK_CHECK(tuning_of<I>.batch || !(HasBatch<I> || HasKeptBatch<I>),
                "the trait has visit_batch() but doesn't say tuning.batch = true.")
    ZWALK_CHECK(!tuning_of<I>.batch || (I::uses.ordered && !I::uses.displacement && !tuning_of<I>.group),
                "tuning.batch goes with uses.ordered, and not with uses.displacement or tuning.group.")
    ZWALK_CHECK(!I::uses.idle || HasIdle<I>, "uses.idle needs `bool idle(Node) const`.")
    ZWALK_CHECK(I::uses.idle || !HasIdle<I>, "the trait has idle() but doesn't say uses.idle = true.")
    ZWALK_CHECK(!I::uses.idle || (I::uses.summary && !I::uses.symmetric),
                "uses.idle goes with uses.summary, and not with uses.symmetric.")
    ZWALK_CHECK(
        !tuning_of<I>.sift || HasSift<I>,
        "tuning.sift needs `template <Isa isa> std::uint32_t useful(Fold const&, ColumnsView<Payload>, "
        "pos_t "
        "first) const`, "
        "`bool alike(Fold const&, Fold const&) const` and `void narrow(Summary&, Fold const&) const`.")
    ZWALK_CHECK(tuning_of<I>.sift || !HasSift<I>,
                "the trait has useful/alike/narrow but doesn't say tuning.sift = true.")
    ZWALK_CHECK(!tuning_of<I>.sift || (tuning_of<I>.blocks && I::uses.idle && !I::uses.far),
                "tuning.sift goes with tuning.blocks and uses.idle, and not with uses.far.")
    ZWALK_CHECK(!(I::uses.symmetric && (I::uses.ordered || I::uses.far || I::uses.scratch)),
                "uses.symmetric has no fold, so ordered, far and scratch can't go with it.")
    ZWALK_CHECK(
        !(I::uses.symmetric && (I::uses.reach || I::uses.state)),
        "uses.symmetric shows a target only some of its sources, so reach and state can't go with "
        "it.")
    else {
        return true;
    }
}
#undef ZWALK_CHECK

/// A complete trait.
template <class I>
concept Interaction = check_interaction<I>();

}}  // namespace zwalk::v0
