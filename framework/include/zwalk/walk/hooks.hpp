// What each hook of a trait looks like: concepts, of which check.hpp makes sentences.
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// Stand-in for the core's sink, to check signatures with.
template <class Total>
struct SinkArchetype {
    void link(pos_t, pos_t);
    Total& total();
};

namespace detail {

template <class I>
concept HasNames = requires {
    typename I::real;
    typename I::Payload;
    typename I::Summary;
    typename I::State;
    typename I::Node;
    typename I::Point;
    typename I::Target;
    { I::dim } -> std::convertible_to<int>;
    typename std::bool_constant<Uses(I::uses).reach>;  // static constexpr
};
template <class I>
using KeyOf = Key<typename I::real>;
template <class I>
using RangeOf = Range<typename I::real>;

template <class I>
using SinkProbe = SinkArchetype<typename TotalOf<I>::type>;

template <class I>
concept HasDecide = requires(I const i, typename I::Node n, RangeOf<I> d) {
    { i.decide(n, n, d) } -> std::same_as<Decision>;
};
template <class I>
concept HasReach = requires(I const i, typename I::Reach& r, typename I::Node n, RangeOf<I> d) {
    { i.reach_begin(n) } -> std::same_as<typename I::Reach>;
    { i.reach_add(r, n, n, d) } -> std::same_as<void>;
    { i.reach_end(r, n) } -> std::same_as<KeyOf<I>>;
};
template <class I>
concept HasMetric = requires(I const i, typename I::Node n, RangeOf<I> d) {
    { i.metric(n, n, d) } -> std::same_as<RangeOf<I>>;
};
template <class I>
concept HasState = requires(I const i, typename I::State s, typename I::State& m, typename I::Node n,
                            RangeOf<I> d) {
    { i.top_state() } -> std::same_as<typename I::State>;
    { i.inherit(s, n, n) } -> std::same_as<typename I::State>;
    requires tuning_of<I>
    .lane_absorb || requires {
        { i.absorb(m, n, n, d) } -> std::same_as<void>;
    };
};
template <class I>
concept HasAccepted = requires(I const i, typename I::Node n, RangeOf<I> d) {
    i.accepted(n, n, d);
};
/// Whether a trait has absorb with tuning.lane_absorb, for one V.
template <class I, class V>
concept HasLaneAbsorb = requires(I const i, typename I::State& m, typename I::Node n, RangeOf<I> d,
                                 AcceptedView<typename I::template Accepted<V>> sources) {
    { i.accepted(n, n, d) } -> std::same_as<typename I::template Accepted<double>>;
    { i.template absorb<V>(m, n, sources) } -> std::same_as<void>;
};
template <class I>
concept HasSummary = requires(I const i, typename I::Point p, typename I::Summary s) {
    { i.summarize(p) } -> std::same_as<typename I::Summary>;
    { i.merge(s, s) } -> std::same_as<typename I::Summary>;
};
template <class I>
concept HasLeafSummary = requires(I const i, LeafOf<I> leaf) {
    { i.summarize_leaf(leaf) } -> std::same_as<typename I::Summary>;
};
template <class I>
concept HasWhole = requires(I const i, typename I::Node n) {
    { i.whole(n) } -> std::same_as<bool>;
};
template <class I>
concept HasIdle = requires(I const i, typename I::Node n) {
    { i.idle(n) } -> std::same_as<bool>;
};
template <class I>
concept HasTotal = requires(I const i, typename I::Total& t) {
    { i.combine(t, t) } -> std::same_as<void>;
};
template <class I>
concept HasAccept = requires(I const i, typename I::Node n, RangeOf<I> d, SinkProbe<I>& sink) {
    { i.accept(n, n, d, sink) } -> std::same_as<void>;
};
template <class I>
concept HasHorizon = requires(I const i, FoldOf<I> f) {
    { i.horizon(f) } -> std::same_as<KeyOf<I>>;
};
template <class I>
concept HasFar = requires(I const i, FoldOf<I>& f, typename I::Target p, typename I::Summary s,
                          Open<I::dim, typename I::real> space) {
    { i.far(f, p, s, space) } -> std::same_as<void>;
};
template <class I>
concept HasScratch = requires(I const i) {
    { i.scratch_bytes() } -> std::same_as<std::size_t>;
};
template <class I>
concept HasBegin = requires(I const i, typename I::Target p, typename I::State s, void* m) {
    typename FoldOf<I>;
    requires requires {
        { i.begin(p, s) } -> std::same_as<FoldOf<I>>;
    } || requires {
        { i.begin(p, s, m) } -> std::same_as<FoldOf<I>>;
    };
};
template <class I>
concept HasVisit = requires(I const i, typename I::Fold& f, typename I::Target p, typename I::Point q,
                            typename I::real d2, Vec<I::dim, typename I::real> dx) {
    requires requires {
        { i.visit(f, p, q, d2) } -> std::same_as<void>;
    } || requires {
        { i.visit(f, p, q, d2, dx) } -> std::same_as<void>;
    };
};
/// Whether a trait has visit with uses.lanes, for one V.
template <class I, class V>
concept HasLaneVisit = requires(I const i, typename I::template Fold<V>& f, typename I::Target p,
                                SourceOf<I, V> q, V d2, Vec<I::dim, V> dx) {
    requires requires {
        { i.template visit<V>(f, p, q, d2) } -> std::same_as<void>;
    } || requires {
        { i.template visit<V>(f, p, q, d2, dx) } -> std::same_as<void>;
    };
};
template <class I, class V>
concept HasLanePair = requires(I const i, typename I::Point p, SourceOf<I, V> q, V d2, Vec<I::dim, V> dx,
                               SinkProbe<I>& sink) {
    requires requires {
        { i.template pair<V>(p, q, d2, sink) } -> std::same_as<void>;
    } || requires {
        { i.template pair<V>(p, q, d2, dx, sink) } -> std::same_as<void>;
    };
};
template <class I, class V>
concept HasJoin = requires(I const i, FoldOf<I>& f, typename I::template Fold<V> lanes) {
    { i.join(f, lanes) } -> std::same_as<void>;
};
template <class I>
concept HasBlocks = requires(I const i, typename I::Fold& f, typename I::Target p,
                             SourceBlock<Open<I::dim, typename I::real>, typename I::Payload> b) {
    { i.template visit_block<Isa::baseline>(f, p, b) } -> std::same_as<void>;
};
/// What pair_leaves sees of two leaves.
template <class V>
struct SomeLeaves {
    using Numbers = V;
    [[nodiscard]] size_type count() const;
    template <class F>
    void each(F const&) const;
    template <class F, class T>
    void each(F const&, T limit2) const;
};
template <class I>
concept HasLeafPairs = requires(I const i, SomeLeaves<SomePack<I>> leaves, Range<typename I::real> d,
                                SinkProbe<I>& sink) {
    { i.pair_leaves(leaves, d, sink) } -> std::same_as<void>;
};
template <class I>
concept HasSift = requires(I const i, typename I::Fold const& f, typename I::Summary& leaf) {
    {
        i.template useful<Isa::baseline>(f, ColumnsView<typename I::Payload>{}, pos_t{})
        } -> std::same_as<std::uint32_t>;
    { i.alike(f, f) } -> std::same_as<bool>;
    { i.narrow(leaf, f) } -> std::same_as<void>;
};
template <class I>
concept HasGuess = requires(I const i, typename I::Fold& m, typename I::Fold const& f) {
    { i.assume(m, typename I::real{}) } -> std::same_as<void>;
    { i.is_short(f) } -> std::same_as<bool>;
    { i.enough(f) } -> std::same_as<typename I::real>;
};
template <class I, class G = CpuGroup<32>>
concept HasGroup = requires(I const i, G g, typename I::template GroupFold<G>& f, typename I::Target p,
                            typename I::State s, typename G::template var<typename I::real> d2) {
    { i.group_begin(g, f, p, s) } -> std::same_as<void>;
    { i.group_visit(g, f, p, pos_t{}, 0U, d2) } -> std::same_as<void>;
    { i.template group_horizon<G>(f) } -> std::same_as<KeyOf<I>>;
    { i.group_end(g, f, p) } -> std::same_as<void>;
};
template <class I>
concept HasBatch = requires(I const i, typename I::Fold& f, typename I::Target p,
                            KeyOf<I> (&batch)[batch_size]) {
    { i.visit_batch(f, p, batch) } -> std::same_as<void>;
};
/// Stands for the keys of one target (tuning.kept).
template <class T>
struct KeptProbe {
    void write(int i, Key<T> key);
    [[nodiscard]] Key<T> read(int i) const;
};
template <class I>
concept HasKeptBatch = requires(I const i, typename I::Fold& f, typename I::Target p,
                                KeyOf<I> (&batch)[batch_size], KeptProbe<typename I::real>& kept) {
    { i.visit_batch(f, p, batch, kept) } -> std::same_as<void>;
    { i.end_batches(f, kept) } -> std::same_as<void>;
};
/// The four forms of end(). With uses.total what stands behind the target is a sink.
template <class I>
concept EndsPlainly = requires(I const i, FoldOf<I>& f, typename I::Target p) {
    { i.end(f, p) } -> std::same_as<void>;
};
template <class I>
concept EndsWithSpace = !I::uses.total && requires(I const i, FoldOf<I>& f, typename I::Target p,
                                                   Open<I::dim, typename I::real> space) {
    { i.end(f, p, space) } -> std::same_as<void>;
};
template <class I>
concept EndsWithSink = I::uses.total&& requires(I const i, FoldOf<I>& f, typename I::Target p,
                                                SinkProbe<I>& sink) {
    { i.end(f, p, sink) } -> std::same_as<void>;
};
template <class I>
concept EndsWithSinkAndSpace = I::uses.total&& requires(I const i, FoldOf<I>& f, typename I::Target p,
                                                        SinkProbe<I>& sink,
                                                        Open<I::dim, typename I::real> space) {
    { i.end(f, p, sink, space) } -> std::same_as<void>;
};
template <class I>
concept EndsInSink = EndsWithSink<I> || EndsWithSinkAndSpace<I>;
template <class I>
concept HasEnd = EndsPlainly<I> || EndsWithSpace<I> || EndsInSink<I>;

template <class I>
concept HasCutoff = requires(I const i) {
    { i.cutoff2() } -> std::same_as<typename I::real>;
};
/// Whether each target has a cutoff of its own.
template <class I>
concept HasCutoffs = requires(I const i, typename I::Target p) {
    { i.cutoff2(p) } -> std::same_as<typename I::real>;
};

/// Whether pairs of nodes that are accepted go to the sink.
template <class I>
inline constexpr bool accepts_into_sink = (I::uses.links || I::uses.total) && HasAccept<I>;
/// Whether one cutoff holds for all targets, and so for nodes as well.
template <class I>
inline constexpr bool cuts_off_nodes = I::uses.cutoff&& HasCutoff<I>;
template <class I>
concept HasPair = requires(I const i, typename I::Point p, typename I::real d2,
                           Vec<I::dim, typename I::real> dx, SinkProbe<I>& sink) {
    requires requires {
        { i.pair(p, p, d2, sink) } -> std::same_as<void>;
    } || requires {
        { i.pair(p, p, d2, dx, sink) } -> std::same_as<void>;
    };
};

}  // namespace detail

/// Whether a target leaves out sources by their distance: by a horizon, or by a cutoff.
template <class I>
inline constexpr bool has_bound = I::uses.ordered || (I::uses.cutoff && !I::uses.symmetric);

/// The cutoff of a target (uses.cutoff), squared.
template <class I>
ZWALK_INLINE typename I::real cutoff_of(I const& trait, [[maybe_unused]] typename I::Target const& p) {
    if constexpr (detail::HasCutoffs<I>) return trait.cutoff2(p);
    else return trait.cutoff2();
}

}}  // namespace zwalk::v0
