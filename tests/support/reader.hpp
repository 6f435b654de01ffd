// A trait that looks at everything that it is shown, with any choice of services.
//
// Each hook compares the nodes and points that it gets with what is known of them from outside, and notes
// what is wrong. It also mixes them into sums that don't depend on the order of events, and decides by them:
// so whatever is left out, shown twice, or shown otherwise than in the reference walk changes the result.
#pragma once
#include <array>
#include <atomic>
#include <new>
#include <string>

#include "support/known.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/union_find.hpp"

namespace test {

/// What a hook was shown wrongly.
enum class Flaw { node, diagonal, label, summary, state, range, point, payload, d2, dx, order, scratch };
inline constexpr std::array flaw_names{"node",  "diagonal", "label", "summary", "state", "range",
                                       "point", "payload",  "d2",    "dx",      "order", "scratch"};
inline std::string names_of(std::uint32_t flaws) {
    std::string all;
    for (std::size_t i = 0; i < flaw_names.size(); ++i)
        if (flaws >> i & 1) all += std::string(flaw_names[i]) + " ";
    return all;
}

/// What the hooks of a walk note: bits of Flaw, and of what was decided.
struct Notes {
    std::uint32_t flaws = 0, decisions = 0;

    static void add(std::uint32_t& bits, int bit) {
        std::atomic_ref<std::uint32_t>(bits).fetch_or(1U << bit, std::memory_order_relaxed);
    }
};

struct Trail {
    std::uint64_t bits;
};
struct Sums {
    std::uint64_t nodes = 0, points = 0;
    friend bool operator==(Sums const&, Sums const&) = default;
};

template <int DIM, class SpaceT, Uses services, bool has_payload>
struct Reader : Types<DIM, float, std::conditional_t<has_payload, Mark, Empty>,
                      std::conditional_t<services.summary, Digest, Empty>,
                      std::conditional_t<services.state, Trail, Empty>> {
    using Base = Types<DIM, float, std::conditional_t<has_payload, Mark, Empty>,
                       std::conditional_t<services.summary, Digest, Empty>,
                       std::conditional_t<services.state, Trail, Empty>>;
    using Space = SpaceT;
    using typename Base::Displacement;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State,
        typename Base::Summary;
    using T = float;
    static constexpr int D = DIM;
    static constexpr Uses uses = services;
    /// What becomes of accepted pairs. Without any of these they would be lost.
    static constexpr bool can_accept = uses.state || uses.links || uses.total || uses.far;
    static constexpr bool only_accept_links = uses.links && !(uses.state || uses.total || uses.far);
    /// Where both reach and horizon say what matters, a source within them must not be lost.
    /// Whether end() has a sink.
    static constexpr bool at_end = uses.total && !uses.symmetric;
    static constexpr bool can_discard = !(uses.reach && uses.ordered);

    Space space;
    Known<D> const *targets, *sources;
    Notes* notes;
    std::uint64_t* out;  ///< of target points
    Links links;
    T radius2;

    // ---- what is known from outside ----

    void expect(bool holds, Flaw flaw) const {
        if (!holds) Notes::add(notes->flaws, int(flaw));
    }
    /// Returns the node's plane.
    [[gnu::noinline]] int look(Node const& n, Known<D> const& known) const {
        int const plane = known.plane_of(n);
        expect(plane >= 0, Flaw::node);
        if (plane < 0) return 0;
        auto const view = known.tree.template plane<D>(std::size_t(plane));
        expect(n.diag2 == node_range(space, view, n.index, view, n.index).hi2, Flaw::diagonal);
        if constexpr (uses.summary)
            expect(n.summary == known.digest[std::size_t(plane)][n.index], Flaw::summary);
        return plane;
    }
    void look_at_label(Node const& n) const {
        for (;;) {  // others may link meanwhile; a root that is none any more is never one again
            pos_t const label = links.root(n.label), own = links.root(n.first);
            if (label == own) return;
            if (links.root(label) != label || links.root(own) != own) continue;
            return expect(false, Flaw::label);
        }
    }
    [[gnu::noinline]] void look(Node const& t, Node const& s, Range<T> range, bool final = true) const {
        auto const tp = targets->tree.template plane<D>(std::size_t(look(t, *targets)));
        auto const sp = sources->tree.template plane<D>(std::size_t(look(s, *sources)));
        if (t.index >= tp.nodes || s.index >= sp.nodes) return;
        Range<T> right = node_range(space, tp, t.index, sp, s.index);
        if (final) right = own_range(t, s, right);
        expect(range.lo2 == right.lo2 && range.hi2 == right.hi2, Flaw::range);
        if constexpr (uses.links) look_at_label(t), look_at_label(s);
    }
    [[gnu::noinline]] void look(Point const& p, Known<D> const& known) const {
        if (p.position >= known.tree.size()) return expect(false, Flaw::point);
        for (int j = 0; j < D; ++j)
            expect(p.x[j] == known.tree.template points<D>().point(p.position)[j], Flaw::point);
        if constexpr (has_payload)
            expect(p.payload.bits == known.mark[p.position].bits &&
                       p.payload.weight == known.mark[p.position].weight,
                   Flaw::payload);
    }
    [[gnu::noinline]] void look(Point const& p, Point const& q, T d2) const {
        look(p, *targets);
        look(q, *sources);
        expect(d2 == distance2(space, p.x, q.x), Flaw::d2);
    }
    [[gnu::noinline]] void look(Point const& p, Point const& q, Displacement const& dx) const {
        for (int j = 0; j < D; ++j) {
            T const d = q.x[j] - p.x[j], length = space.axis(j, abs_of(d));
            bool const other_side = length < abs_of(d);
            bool const negative = other_side == (d > 0);
            expect(dx[j] == (negative ? -length : length), Flaw::dx);
        }
    }
    [[nodiscard]] Mark mark(Point const& p) const {
        if constexpr (has_payload) return p.payload;
        else return mark_without_payload(p.position);
    }
    static Mark mark_without_payload(pos_t i) {
        return {std::uint32_t(mix(i)) / 2 * 2 + (i / 40) % 2, float(mix(i, 1) % 64) / 64};
    }

    // ---- sums ----

    [[gnu::noinline]] std::uint64_t sum(Node const& n) const {
        std::uint64_t h = mix(n.index, n.first, n.count, n.diag2);
        if constexpr (uses.summary) h = mix(h, n.summary.hash, n.summary.least, n.summary.most);
        return h;
    }
    [[gnu::noinline]] std::uint64_t sum(Node const& t, Node const& s, Range<T> d) const {
        std::uint64_t h = mix(sum(t), sum(s), d.lo2, d.hi2);
        if constexpr (uses.state) h = mix(h, t.state.bits);
        return h;
    }
    [[gnu::noinline]] std::uint64_t sum(Point const& p, Point const& q, T d2) const {
        return mix(p.position, q.position, d2, mark(p).bits, mark(q).bits);
    }

    // ---- hooks of nodes ----

    Range<T> own_range(Node const& t, Node const& s, Range<T> d) const {
        if constexpr (uses.metric && uses.summary)
            return {d.lo2 + radius2 * max_of(t.summary.least, s.summary.least),
                    d.hi2 + radius2 * max_of(t.summary.most, s.summary.most)};
        else if constexpr (uses.metric) return {d.lo2 + radius2, d.hi2 + radius2 * T(t.count + s.count)};
        else return d;
    }
    T own_d2(Point const& p, Point const& q, T d2) const {
        if constexpr (uses.metric && uses.summary)
            return d2 + radius2 * max_of(mark(p).weight, mark(q).weight);
        else return uses.metric ? d2 + radius2 : d2;
    }
    Range<T> metric(Node const& t, Node const& s, Range<T> d) const requires(services.metric) {
        look(t, s, d, false);
        return own_range(t, s, d);
    }

    using Reach = Key<T>;
    Reach reach_begin(Node const& t) const requires(services.reach) {
        look(t, *targets);
        return {};
    }
    void reach_add(Reach& r, Node const& t, Node const& s, Range<T> d) const requires(services.reach) {
        look(t, s, d);
        r = min_of(r, Key<T>{d.hi2, s.last()});
    }
    Key<T> reach_end(Reach const& r, Node const& t) const requires(services.reach) {
        look(t, *targets);
        return max_of(r, Key<T>{2 * radius2, no_pos});
    }

    Decision decide(Node const& t, Node const& s, Range<T> d) const {
        look(t, s, d);
        Decision const decision = choose(t, s, d);
        Notes::add(notes->decisions, int(decision));
        return decision;
    }
    /// By what the contract fixes, so the same in every walk.
    [[gnu::noinline]] Decision choose(Node const& t, Node const& s, Range<T> d) const {
        using enum Decision;
        if constexpr (uses.reach)
            if (t.reach < Key<T>{d.lo2, s.first}) return discard;
        if constexpr (uses.cutoff)
            if (d.lo2 > largest_cutoff2()) return discard;
        if (t.count + s.count > targets->tree.size() / 4) return descend;
        std::uint64_t const chance = sum(t, s, d) % 16;
        if (can_discard && chance == 0) return discard;
        if (!can_accept || chance > 3) return descend;
        if constexpr (only_accept_links)
            if (t.label == s.label && whole(t) && whole(s)) return discard;
        return accept;
    }
    void accept(Node const& t, Node const& s, Range<T> d, auto& sink) const
        requires(services.links || services.total) {
        look(t, s, d);
        if constexpr (uses.idle)
            if (!t.summary.asks) return;
        if constexpr (uses.total) sink.total().nodes += sum(t, s, d);
        if constexpr (uses.links) sink.link(t.first, s.first);
    }
    using Total = Sums;
    ZWALK_HD void combine(Total& a, Total const& b) const requires(services.total) {
        a.nodes += b.nodes;
        a.points += b.points;
    }

    State top_state() const requires(services.state) { return {1}; }
    State inherit(State const& s, Node const& parent, Node const& child) const requires(services.state) {
        look(parent, *targets);
        look(child, *targets);
        expect(parent.state.bits == s.bits, Flaw::state);
        expect(parent.first <= child.first && child.last() <= parent.last(), Flaw::node);
        return {mix(s.bits, sum(parent), sum(child))};
    }
    void absorb(State& state, Node const& t, Node const& s, Range<T> d) const requires(services.state) {
        look(t, s, d);
        state.bits += sum(t, s, d);
    }

    Summary summarize(Point const& p) const requires(services.summary) { return Digest(mark(p)); }
    Summary merge(Summary const& a, Summary const& b) const requires(services.summary) { return a + b; }
    bool idle(Node const& t) const requires(services.idle) {
        look(t, *targets);
        return !t.summary.asks;
    }
    bool whole(Node const& n) const requires(services.links) {
        look(n, *targets);
        return n.count <= 8 && sum(n) % 4 == 0;
    }

    // ---- hooks of points ----

    struct Slot {
        std::uint64_t sum;
        pos_t owner, visits;
    };
    struct Fold {
        std::uint64_t sum;
        Key<T> nearest, least_horizon;
        Slot* slot;
    };
    [[nodiscard]] bool asks(Point const& p) const { return !uses.idle || (mark(p).bits & 1); }
    /// Sources within it are counted where walks are ordered.
    [[nodiscard]] T own_radius2(Point const& p) const {
        return radius2 * T(1 + mark(p).bits % 8) / T(4);
    }
    std::size_t scratch_bytes() const requires(services.scratch) { return sizeof(Slot) + 4; }
    [[gnu::noinline]] Fold start(Point const& p, State const& state, void* scratch) const {
        look(p, *targets);
        Fold f{p.position, {}, {asks(p) ? own_radius2(p) : T(-1), no_pos}, nullptr};
        if constexpr (uses.state) f.sum += state.bits;
        if constexpr (uses.scratch) {
            expect(std::uintptr_t(scratch) % 8 == 0, Flaw::scratch);
            f.slot = new (scratch) Slot{0, p.position, 0};
        }
        return f;
    }
    Fold begin(Point const& p, State const& state) const
        requires(!services.symmetric && !services.scratch) {
        return start(p, state, nullptr);
    }
    Fold begin(Point const& p, State const& state, void* scratch) const requires(services.scratch) {
        return start(p, state, scratch);
    }
    Key<T> horizon(Fold const& f) const requires(services.ordered) {
        return f.least_horizon.d2 < 0 ? f.least_horizon : max_of(f.least_horizon, f.nearest);
    }
    void far(Fold& f, Point const& p, Summary const& s, auto const&) const requires(services.far) {
        look(p, *targets);
        f.sum += mix(p.position, s.hash, s.most);
    }
    [[gnu::noinline]] void meet(Fold& f, Point const& p, Point const& q, T d2) const {
        look(p, q, d2);
        if constexpr (uses.cutoff)
            if (d2 > own_cutoff2(p)) return;
        T const own = own_d2(p, q, d2);
        if (Key<T>{own, q.position} < f.nearest) f.nearest = {own, q.position};
        if (uses.ordered && own > own_radius2(p)) return;
        if constexpr (uses.scratch) {
            expect(f.slot->owner == p.position, Flaw::scratch);
            f.slot->sum += sum(p, q, d2);
            ++f.slot->visits;
        } else {
            f.sum += sum(p, q, d2);
        }
    }
    void visit(Fold& f, Point const& p, Point const& q, T d2) const
        requires(!services.symmetric && !services.displacement) {
        meet(f, p, q, d2);
    }
    void visit(Fold& f, Point const& p, Point const& q, T d2, Displacement const& dx) const
        requires(!services.symmetric && services.displacement) {
        look(p, q, dx);
        meet(f, p, q, d2);
    }
    void end(Fold const& f, Target const& p) const requires(!services.symmetric && !at_end) {
        finish(f, p);
    }
    /// With a total the sink shows what came of targets, with idle also the space.
    void end(Fold const& f, Target const& p, auto& sink) const requires(at_end && !services.idle) {
        sink.total().points += finish(f, p);
    }
    void end(Fold const& f, Target const& p, auto& sink, auto const& seen) const
        requires(at_end&& services.idle) {
        expect(distance2(seen, p.x, p.x) == 0 && sizeof(seen) == sizeof(space), Flaw::d2);
        sink.total().points += finish(f, p);
    }
    std::uint64_t finish(Fold const& f, Target const& p) const {
        look(p, *targets);
        if (!asks(p)) return 0;
        std::uint64_t all = f.sum + mix(f.nearest.d2, f.nearest.pos);
        if constexpr (uses.scratch) all += mix(f.slot->owner, f.slot->visits) + f.slot->sum;
        out[p.index] += all;
        return all;
    }

    /// Targets that carry something have cutoffs of their own.
    static constexpr bool own_cutoffs = services.cutoff && !services.symmetric && has_payload;
    [[nodiscard]] T largest_cutoff2() const { return 16 * radius2; }
    [[nodiscard]] T own_cutoff2(Point const& p) const {
        return own_cutoffs ? largest_cutoff2() * T(1 + mark(p).bits % 4) / T(4) : largest_cutoff2();
    }
    T cutoff2() const requires(services.cutoff && !own_cutoffs) { return largest_cutoff2(); }
    T cutoff2(Target const& p) const requires own_cutoffs { return own_cutoff2(p); }
    [[gnu::noinline]] void meet(Point const& p, Point const& q, T d2, auto& sink) const {
        look(p, q, d2);
        expect(p.position < q.position, Flaw::order);
        if constexpr (uses.cutoff)
            if (d2 > largest_cutoff2()) return;
        if constexpr (uses.total) sink.total().points += sum(p, q, d2);
        if constexpr (uses.links)
            if (sum(p, q, d2) % 256 == 0) sink.link(p.position, q.position);
        if constexpr (!uses.links || uses.total)  // else pairs may be left out, or met again
            for (pos_t i : {p.position, q.position})
                std::atomic_ref<std::uint64_t>(out[i]).fetch_add(sum(p, q, d2),
                                                                 std::memory_order_relaxed);
    }
    void pair(Point const& p, Point const& q, T d2, auto& sink) const
        requires(services.symmetric && !services.displacement) {
        meet(p, q, d2, sink);
    }
    void pair(Point const& p, Point const& q, T d2, Displacement const& dx, auto& sink) const
        requires(services.symmetric&& services.displacement) {
        look(p, q, dx);
        meet(p, q, d2, sink);
    }
};

}  // namespace test
