// Traits with one mistake each, for verify() and checked walks to find. A family shares a type, since types are what takes
// time to compile: which mistake it makes is said by a number.
#pragma once
#include <tbb/task_arena.h>

#include <atomic>

#include "traits/monopole.hpp"
#include "traits/nearest_brighter.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace test {
using namespace zwalk;

/// Counts in a radius (state).
struct Counting : examples::RadiusCount<3, float> {
    using Right = examples::RadiusCount<3, float>;
    enum Mistake {
        none,
        discards_too_much,
        accepts_too_much,
        absorbs_too_little,
        forgets_on_the_way_down,
        changes_its_mind,
        discards_parents_only,
        accepts_parents_only,
        depends_on_threads,
        counts_one_tree,
        only_descends,  // which costs time alone
        never_accepts,
    } mistake = none;

    Decision decide(Node const& t, Node const& s, Range<float> d) const {
        static std::atomic<unsigned> asked;
        if (mistake == discards_too_much && d.lo2 > radius2 / 4) return Decision::discard;
        if (mistake == accepts_too_much && d.hi2 <= 2 * radius2) return Decision::accept;
        if (mistake == changes_its_mind && d.lo2 > radius2 && asked++ % 2) return Decision::descend;
        // Of which the result doesn't become wrong: what is discarded is too far, its children are met for nothing.
        if (mistake == discards_parents_only && d.lo2 > radius2 && t.count < 4) return Decision::descend;
        if (mistake == accepts_parents_only && t.count < 4 && d.lo2 <= radius2) return Decision::descend;
        if (mistake == counts_one_tree && t.index == s.index && t.first != s.first)
            return Decision::discard;
        if (mistake == only_descends) return Decision::descend;
        if (mistake == never_accepts && d.lo2 <= radius2) return Decision::descend;
        return Right::decide(t, s, d);
    }
    void absorb(size_type& n, Node const&, Node const& s, Range<float>) const {
        n += s.count - (mistake == absorbs_too_little && s.count > 1);
    }
    size_type inherit(size_type n, Node const&, Node const& child) const {
        return mistake == forgets_on_the_way_down && child.count == 1 ? 0 : n;
    }
    void end(size_type const& n, Target const& p) const {
        bool const alone = tbb::this_task_arena::max_concurrency() == 1;
        count[p.index] = n + (mistake == depends_on_threads && !alone);
    }
};

/// The nearest brighter star (summary, reach, ordered).
struct Brighter : examples::NearestBrighter {
    using Right = examples::NearestBrighter;
    enum Mistake {
        none,
        averages_lights,
        horizon_too_near,
        reach_too_small,
        reach_nan,
        horizon_nan,
    } mistake = none;

    examples::Lights merge(examples::Lights a, examples::Lights b) const {
        if (mistake != averages_lights) return Right::merge(a, b);
        return {(a.faintest + b.faintest) / 2, (a.brightest + b.brightest) / 2};
    }
    Key<float> reach_end(Reach const& r, Node const& t) const {
        if (mistake == reach_too_small) return {r.d2 / 4, r.pos};
        if (mistake == reach_nan && t.count == 1) return {not_a_number<float>, no_pos};
        return r;
    }
    Key<float> horizon(Fold const& best) const {
        if (mistake == horizon_too_near && best.pos != no_pos) return {best.d2 / 2, no_pos};
        if (mistake == horizon_nan && best.pos != no_pos) return {not_a_number<float>, no_pos};
        return best;
    }
};

/// A histogram of separations (symmetric, total, cutoff).
struct Pairs : examples::PairCounts<3, float, 4> {
    using Right = examples::PairCounts<3, float, 4>;
    enum Mistake {
        none,
        cutoff_too_small,
        keeps_the_first,
        halves,
        begins_with_one,
        counts_pairs_twice,
    } mistake = none;

    Pairs() {
        for (int b = 0; b <= 4; ++b) edge2[b] = .04f * float(b * b);
    }
    float cutoff2() const { return mistake == cutoff_too_small ? edge2[3] : edge2[4]; }
    Decision decide(Node const& t, Node const& s, Range<float> d) const {
        return Right::decide(t, s, d);
    }
    ZWALK_HD void combine(Total& a, Total const& b) const {
        if (mistake == keeps_the_first && a.pairs[1] > 0) return;
        for (int i = 0; i < 4; ++i) {
            a.pairs[i] += b.pairs[i];
            if (mistake == halves) a.pairs[i] = (a.pairs[i] + 1) / 2;
            if (mistake == begins_with_one) ++a.pairs[i];
        }
    }
    void accept(Node const& t, Node const& s, Range<float> d, auto& sink) const {
        Right::accept(t, s, d, sink);
        if (mistake == counts_pairs_twice) Right::accept(t, s, d, sink);
    }
};

/// How many points have so many near, and the most that one has: totals from end() alone.
struct Crowds : Types<3, float> {
    static constexpr Uses uses{.total = true};
    enum Mistake { none, keeps_the_first, begins_with_one } mistake = none;

    struct Total {
        size_type crowded = 0, most = 0;
    };
    ZWALK_HD void combine(Total& a, Total const& b) const {
        if (mistake == keeps_the_first && a.crowded > 0) return;
        a.crowded += b.crowded + (mistake == begins_with_one);
        a.most = max_of(a.most, b.most);
    }
    Decision decide(Node const&, Node const&, Bounds d) const {
        return d.lo2 <= .05f ? Decision::descend : Decision::discard;
    }
    using Fold = size_type;
    Fold begin(Target const&, State) const { return 0; }
    void visit(Fold& n, Target const&, Point const&, float d2) const { n += d2 <= .05f; }
    void end(Fold const& n, Target const&, auto& sink) const { combine(sink.total(), {n + 1, n}); }
};

/// Forces that both points of a pair get at once: sums in whichever order pairs come (symmetric).
struct BothEnds : Types<3, float> {
    static constexpr Uses uses{.symmetric = true, .displacement = true};
    Vec<3, float>* force;

    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    void pair(Point const& p, Point const& q, float d2, Vec<3, float> const& dx, auto&) const {
        for (int j = 0; j < 3; ++j) {
            float const f = dx[j] / (d2 + .01f);
            force[p.position][j] += f;
            force[q.position][j] -= f;
        }
    }
};

/// Friends-of-friends (links).
struct Friends : Fof<3, float> {
    using Right = Fof<3, float>;
    enum Mistake { none, whole_too_often, joins_near_nodes, links_beyond } mistake = none;

    Friends() : Right(.15f) {}
    bool whole(Node const& n) const { return n.diag2 <= (mistake == whole_too_often ? 4 : 1) * link2; }
    Decision decide(Node const& t, Node const& s, Range<float> d) const {
        if (mistake == joins_near_nodes && t.index != s.index && d.lo2 <= link2 && s.count < 8)
            return Decision::accept;
        return Right::decide(t, s, d);
    }
    void pair(Point const& p, Point const& q, float d2, auto& sink) const {
        if (d2 <= link2) sink.link(p.position, q.position + (mistake == links_beyond ? 1000000 : 0));
    }
};

struct Weight {
    float w;
};
struct WeightRange {
    float least, most;
};
/// The least of distance² + both weights (metric, summary by leaves, idle: weights above 3/4 don't search).
struct Lightest : Types<3, float, Weight, WeightRange> {
    static constexpr Uses uses{.metric = true, .summary = true, .idle = true};
    static constexpr Tuning tuning{.leaf_summary = true};
    enum Mistake {
        none,
        metric_widens,
        metric_inside_out,
        leaf_summary_of_first,
        idle_too_often,
        idle_by_some,
    } mistake = none;
    float* lightest = nullptr;

    WeightRange summarize(Point const& p) const { return {p.payload.w, p.payload.w}; }
    WeightRange merge(WeightRange a, WeightRange b) const {
        return {min_of(a.least, b.least), max_of(a.most, b.most)};
    }
    WeightRange summarize_leaf(Leaf const& leaf) const {
        WeightRange all = summarize(leaf[0]);
        if (mistake != leaf_summary_of_first)
            for (pos_t i = 1; i < leaf.count; ++i) all = merge(all, summarize(leaf[i]));
        return all;
    }
    bool idle(Node const& n) const {
        if (mistake == idle_too_often) return n.summary.least > .5f;
        if (mistake == idle_by_some) return n.summary.most > .75f;
        return n.summary.least > .75f;
    }
    Range<float> metric(Node const& t, Node const& s, Range<float> d) const {
        auto const &a = t.summary, &b = s.summary;
        Range<float> own{d.lo2 + a.least + b.least, d.hi2 + a.most + b.most};
        if (mistake == metric_widens) own.hi2 += 100 / float(t.count);
        if (mistake == metric_inside_out) std::swap(own.lo2, own.hi2);
        return own;
    }
    Decision decide(Node const&, Node const&, Range<float> d) const {
        return d.lo2 > 8 ? Decision::discard : Decision::descend;
    }
    using Fold = float;
    Fold begin(Target const&, State) const { return 8; }
    void visit(Fold& f, Target const& p, Point const& q, float d2) const {
        f = min_of(f, d2 + p.payload.w + q.payload.w);
    }
    void end(Fold const& f, Target const& p) const {
        if (p.payload.w <= .75f) lightest[p.index] = f;
    }
};

/// Gravity (far, displacement).
struct Gravity : examples::Monopole<3, float> {
    using Right = examples::Monopole<3, float>;
    bool forgets_images = false, ignores_mass = false;
    void far(Fold& a, Target const& p, examples::Moments<3, float> m, auto const& space) const {
        if (ignores_mass) m.mass *= 2;
        if (forgets_images) Right::far(a, p, m, Open<3, float>{});
        else Right::far(a, p, m, space);
    }
};

/// Accepts, and has no service that takes it: of state only a hook is there, no flag.
struct NoService : Types<3, float> {
    static constexpr Uses uses{};
    float radius2 = .05f;
    size_type* count = nullptr;
    Decision decide(Node const&, Node const&, Range<float> d) const {
        if (d.lo2 > radius2) return Decision::discard;
        return d.hi2 <= radius2 ? Decision::accept : Decision::descend;
    }
    void absorb(size_type& n, Node const&, Node const& s, Range<float>) const { n += s.count; }
    using Fold = size_type;
    Fold begin(Target const&, State) const { return 0; }
    void visit(Fold& n, Target const&, Point const&, float d2) const { n += d2 <= radius2; }
    void end(Fold const& n, Target const& p) const { count[p.index] = n; }
};

/// The nearest point but itself (blocks on CPUs, batches on devices).
struct NearestOther : Types<3, float> {
    static constexpr Uses uses{.ordered = true};
    static constexpr Tuning tuning{.blocks = true, .batch = true};
    bool wrong_block = false, wrong_batch = false;
    pos_t* nearest = nullptr;

    Decision decide(Node const&, Node const&, Range<float>) const { return Decision::descend; }
    using Fold = Key<float>;
    Fold begin(Target const&, State) const { return {}; }
    void visit(Fold& best, Target const& p, Point const& q, float d2) const {
        take(best, p, {d2, q.position});
    }
    void take(Fold& best, Target const& p, Key<float> key) const {
        if (key.pos != p.position && key < best) best = key;
    }
    template <Isa isa, class Block>
    void visit_block(Fold& best, Target const& p, Block const& block) const {
        for (pos_t i = wrong_block; i < block.count; ++i)
            take(best, p,
                 {distance2(block.space, p.x, block.sources.point(block.first + i)), block.first + i});
    }
    void visit_batch(Fold& best, Target const& p, Key<float> (&batch)[batch_size]) const {
        for (int i = wrong_batch; i < batch_size; ++i) take(best, p, batch[i]);
    }
    Key<float> horizon(Fold const& best) const { return best; }
    void end(Fold const& best, Target const& p) const { nearest[p.index] = best.pos; }
};

/// The nearest of other points; whoever has one within `enough` needn't know which (reach, ordered). What is right with all
/// sources at hand, and wrong on ranks.
struct NearEnough : Types<3, float> {
    static constexpr Uses uses{.reach = true, .ordered = true};
    enum Mistake { none, reach_is_an_answer, horizon_too_near } mistake = none;
    float enough = 0;
    float* nearest2 = nullptr;

    using Reach = float;
    ZWALK_HD Reach reach_begin(Node const&) const { return infinity<float>; }
    ZWALK_HD void reach_add(Reach& r, Node const&, Node const&, Bounds d) const { r = min_of(r, d.hi2); }
    ZWALK_HD Key<float> reach_end(Reach const& r, Node const&) const { return {r, no_pos}; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Bounds d) const {
        if (mistake == reach_is_an_answer && t.reach.d2 <= enough) return Decision::discard;
        return Key<float>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }
    using Fold = float;
    ZWALK_HD Fold begin(Target const&, State) const { return infinity<float>; }
    ZWALK_HD void visit(Fold& best, Target const&, Point const&, float d2) const {
        best = min_of(best, d2);
    }
    ZWALK_HD Key<float> horizon(Fold const& best) const {
        if (best <= enough) return {-1, 0};
        return {mistake == horizon_too_near && best < infinity<float> ? best / 2 : best, no_pos};
    }
    ZWALK_HD void end(Fold const& best, Target const& p) const {
        nearest2[p.index] = best <= enough ? enough : best;
    }
};

/// What the neighbours behind each point in z-order weigh.
struct Behind : Types<3, float, Weight> {
    static constexpr Uses uses{};
    enum Mistake { none, compares_nodes, reads_by_position } mistake = none;
    float radius2 = .05f;
    float const* heavy = nullptr;  ///< by position, which nobody may read
    float* weight = nullptr;

    ZWALK_HD Decision decide(Node const& t, Node const& s, Bounds d) const {
        if (mistake == compares_nodes && s.last() < t.first) return Decision::discard;
        return d.lo2 <= radius2 ? Decision::descend : Decision::discard;
    }
    using Fold = float;
    ZWALK_HD Fold begin(Target const&, State) const { return 0; }
    ZWALK_HD void visit(Fold& sum, Target const& p, Point const& q, float d2) const {
        if (d2 > radius2 || q.position <= p.position) return;
        sum += mistake == reads_by_position ? heavy[q.position] : q.payload.w;
    }
    ZWALK_HD void end(Fold const& sum, Target const& p) const { weight[p.index] = sum; }
};

}  // namespace test
