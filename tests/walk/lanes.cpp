// Leaf actions that take in several sources at once (uses.lanes): payloads, displacements, symmetric walks, sources that don't
// fill a pack, in all ways and against brute force.
#include "support/everywhere.hpp"
#include "support/sanitized.hpp"
#include "traits/monopole.hpp"
#include "traits/pair_counts.hpp"

using namespace test;
using namespace zwalk::examples;

namespace {

/// Small integers, so that sums are exact in any order.
template <class T>
struct Marks {
    T weight;
    Vec<2, T> mark;
};
template <class T>
std::vector<Marks<T>> marks(std::size_t n) {
    std::vector<Marks<T>> rows(n);
    for (std::size_t i = 0; i < n; ++i) rows[i] = {T(i % 7), {{T(i % 3), T(i % 5) - 2}}};
    return rows;
}

/// What a target finds within a radius.
template <class V>
struct Findings {
    V count{0}, weight{0}, left{0}, below{0}, nearest{1000};
    friend bool operator==(Findings const&, Findings const&) = default;
};

/// Sums over all sources within a radius, by everything that a leaf action is given.
template <int D, class T, bool Cutoff = false>
struct Survey : Types<D, T, Marks<T>> {
    using Base = Types<D, T, Marks<T>>;
    using typename Base::Bounds, typename Base::Node, typename Base::State, typename Base::Target;
    static constexpr Uses uses{.cutoff = Cutoff, .displacement = true, .lanes = true};
    T radius2;
    Findings<T>* out;

    T cutoff2() const requires Cutoff { return radius2; }

    Decision decide(Node const&, Node const&, Bounds d) const {
        return d.lo2 <= radius2 ? Decision::descend : Decision::discard;
    }
    template <class V>
    using Fold = Findings<V>;
    Fold<T> begin(Target const&, State) const { return {}; }
    template <class V>
    void visit(Fold<V>& a, Target const& p, auto const& q, V d2, Vec<D, V> const& dx) const {
        auto const in = d2 <= radius2;
        a.count += select(in, V(1), 0);
        a.weight += select(in, q.payload.weight * p.payload.mark[0], 0);
        a.left += select(in & (dx[0] < 0), q.payload.mark[1], 0);
        a.below += select(in & (q.x[D - 1] < p.x[D - 1]), q.payload.mark[0], 0);
        a.nearest = min_of(a.nearest, select(in & (d2 > 0), d2, 1000));
    }
    void join(Fold<T>& a, auto const& lanes) const {
        a.count += sum_of(lanes.count);
        a.weight += sum_of(lanes.weight);
        a.left += sum_of(lanes.left);
        a.below += sum_of(lanes.below);
        for (T x : lanes.nearest.lane) a.nearest = min_of(a.nearest, x);
    }
    void end(Fold<T> const& a, Target const& p) const { out[p.index] = a; }
};

/// The same over pairs, the first point being first in z-order.
template <int D, class T, bool Cutoff>
struct PairSurvey : Types<D, T, Marks<T>> {
    using Base = Types<D, T, Marks<T>>;
    using typename Base::Bounds, typename Base::Node, typename Base::Point;
    static constexpr Uses uses{
        .total = true, .symmetric = true, .cutoff = Cutoff, .displacement = true, .lanes = true};
    T radius2;

    struct Total {
        std::int64_t count = 0, weight = 0, left = 0, below = 0;
        friend bool operator==(Total const&, Total const&) = default;
    };
    ZWALK_HD void combine(Total& a, Total const& b) const {
        a.count += b.count, a.weight += b.weight, a.left += b.left, a.below += b.below;
    }
    T cutoff2() const requires Cutoff { return radius2; }
    Decision decide(Node const&, Node const&, Bounds d) const {
        return d.lo2 <= radius2 ? Decision::descend : Decision::discard;
    }
    void accept(Node const&, Node const&, Bounds, auto&) const {}
    template <class V>
    void pair(Point const& p, auto const& q, V d2, Vec<D, V> const& dx, auto& sink) const {
        Total& sum = sink.total();
        auto const in = d2 <= radius2;
        sum.count += count_of(in);
        sum.weight += std::int64_t(sum_of(select(in, p.payload.weight * q.payload.weight, 0)));
        sum.left += count_of(in & (dx[0] < 0));
        sum.below += std::int64_t(sum_of(select(in & (q.x[D - 1] < p.x[D - 1]), q.payload.mark[1], 0)));
    }
};

template <int D, class T>
struct Case {
    Rows<D, T> rows;
    std::vector<Marks<T>> payload = marks<T>(rows.size());
    std::vector<pos_t> order = [this] {
        Cpu const cpu(1);
        auto const input = listed(build_tree(cpu, view<D>(rows), D).input);
        return std::vector<pos_t>(input.begin(), input.end());
    }();
    Vec<D, T> at(std::size_t i) const {
        Vec<D, T> x;
        for (int j = 0; j < D; ++j) x[j] = rows[i][std::size_t(j)];
        return x;
    }
};

template <int D, class T, class Space>
std::vector<Findings<T>> brute(Case<D, T> const& c, Space const& space, T radius2) {
    std::vector<Findings<T>> out(c.rows.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        for (std::size_t j = 0; j < out.size(); ++j) {
            T const d2 = distance2(space, c.at(i), c.at(j));
            if (!(d2 <= radius2)) continue;
            out[i].count += 1;
            out[i].weight += c.payload[j].weight * c.payload[i].mark[0];
            if (displacement(space, c.at(i), c.at(j))[0] < 0) out[i].left += c.payload[j].mark[1];
            if (c.rows[j].back() < c.rows[i].back()) out[i].below += c.payload[j].mark[0];
            if (d2 > 0) out[i].nearest = min_of(out[i].nearest, d2);
        }
    return out;
}
template <class Total, int D, class T, class Space>
Total brute_pairs(Case<D, T> const& c, Space const& space, T radius2) {
    Total sum;
    for (std::size_t a = 0; a < c.order.size(); ++a)
        for (std::size_t b = a + 1; b < c.order.size(); ++b) {
            std::size_t const i = c.order[a], j = c.order[b];
            if (!(distance2(space, c.at(i), c.at(j)) <= radius2)) continue;
            sum.count += 1;
            sum.weight += std::int64_t(c.payload[i].weight * c.payload[j].weight);
            sum.left += displacement(space, c.at(i), c.at(j))[0] < 0;
            if (c.rows[j].back() < c.rows[i].back()) sum.below += std::int64_t(c.payload[j].mark[1]);
        }
    return sum;
}

template <bool Cutoff = false, int D, class T, class Space>
std::vector<Findings<T>> survey(Cpu const& cpu, Case<D, T> const& c, Space const& space, T radius2,
                                TreeOptions const& options, auto const& walker) {
    auto const tree = build_tree(cpu, view<D>(c.rows), D, options);
    Columns<Marks<T>> const payload(c.payload, tree.input);
    std::vector<Findings<T>> z(c.rows.size());
    Survey<D, T, Cutoff> trait;
    trait.radius2 = radius2;
    trait.out = z.data();
    walker(trait, space, tree, tree, WalkInputs<Survey<D, T, Cutoff>>{payload.view(), payload.view()});
    return to_input(z, tree.input);
}
template <class Trait, int D, class T, class Space>
typename Trait::Total pair_survey(Cpu const& cpu, Case<D, T> const& c, Space const& space, T radius2,
                                  TreeOptions const& options, auto const& walker) {
    auto const tree = build_tree(cpu, view<D>(c.rows), D, options);
    Columns<Marks<T>> const payload(c.payload, tree.input);
    typename Trait::Total total;
    Trait trait;
    trait.radius2 = radius2;
    WalkInputs<Trait> inputs{payload.view(), payload.view()};
    inputs.total = &total;
    walker(trait, space, tree, tree, inputs);
    return total;
}

template <int D, class T, class Space>
void check_everywhere_by_lanes(Space const& space, Case<D, T> const& c, T radius2) {
    check_everywhere(brute(c, space, radius2),
                     [&](Cpu const& cpu, TreeOptions const& o, auto const& walker) {
                         return survey(cpu, c, space, radius2, o, walker);
                     });
    check_everywhere<Ways::few>(brute(c, space, radius2),
                                [&](Cpu const& cpu, TreeOptions const& o, auto const& walker) {
                                    return survey<true>(cpu, c, space, radius2, o, walker);
                                });
    using Near = PairSurvey<D, T, true>;
    check_everywhere(brute_pairs<typename Near::Total>(c, space, radius2),
                     [&](Cpu const& cpu, TreeOptions const& o, auto const& walker) {
                         return pair_survey<Near>(cpu, c, space, radius2, o, walker);
                     });
    using Any = PairSurvey<D, T, false>;
    check_everywhere<Ways::few>(brute_pairs<typename Any::Total>(c, space, radius2),
                                [&](Cpu const& cpu, TreeOptions const& o, auto const& walker) {
                                    return pair_survey<Any>(cpu, c, space, radius2, o, walker);
                                });
}

auto const by_walk = [](auto const&... arguments) { walk(Cpu(1), arguments...); };

}  // namespace

TEST_CASE("lanes: exact sums equal brute force on every place and instruction set") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "line", "equal", "zeros"}) {
        CAPTURE(kind);
        check_everywhere_by_lanes<3, float>(Open<3, float>{}, {make_points<3, float>(kind, 300, 3)},
                                            .02f);
        check_everywhere_by_lanes<2, double>(Periodic<2, double>{{1, infinity<double>}},
                                             {make_points<2, double>(kind, 230, 4)}, .01);
    }
}

TEST_CASE("lanes: any number of points, few and more than are gathered at once") {
    Open<3, float> const space;
    Cpu const cpu(1);
    for (std::size_t n :
         {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 49, 65, 1023, 1024, 1025, 2100}) {
        if (sanitized && n > 1025) continue;  // as long as all others together
        CAPTURE(n);
        Case<3, float> const c{make_points<3, float>("uniform", n, n + 1)};
        for (float const radius2 : {.1f, 10.f}) {
            using Trait = PairSurvey<3, float, true>;
            auto const all = brute(c, space, radius2);
            auto const pairs = brute_pairs<Trait::Total>(c, space, radius2);
            for (pos_t leaf : {1, 16, 17, 48}) {
                if (sanitized && leaf == 1 && n > 100) continue;  // half a minute
                CAPTURE(leaf);
                TreeOptions const o{.leaf_size = leaf, .coarsening = 4, .top_nodes = 4};
                cpu.run([&] {
                    CHECK(survey(cpu, c, space, radius2, o, by_walk) == all);
                    CHECK(pair_survey<Trait>(cpu, c, space, radius2, o, by_walk) == pairs);
                });
            }
        }
    }
}

TEST_CASE(
    "lanes: sums of floats have one answer on threads and instruction sets, near that of one by one") {
    using V = Vec<3, float>;
    for (auto const* kind : {"uniform", "clustered"}) {
        auto const rows = make_points<3, float>(kind, fewer(3000, 3), 5);
        std::vector<Mass<float>> masses(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) masses[i].mass = 1.f + float(i % 10) / 7;
        auto const pull = [&]<class Trait>(Trait trait, int threads, Isa isa) {
            Cpu const cpu(threads);
            return cpu.run([&] {
                auto const tree = build_tree(cpu, view<3>(rows), 3);
                Columns<Mass<float>> const payload(masses, tree.input);
                std::vector<V> z(rows.size());
                trait.theta2 = .25f;
                trait.softening2 = 1e-4f;
                trait.acceleration = z.data();
                walk(cpu, trait, Open<3, float>{}, tree, tree,
                     WalkInputs<Trait>{payload.view(), payload.view()}, CpuSteps<float>{isa});
                return to_input(z, tree.input);
            });
        };
        auto const scalar = pull(Monopole<3, float>{}, 1, best_isa());
        auto const lanes = pull(MonopoleLanes<3, float>{}, 1, best_isa());
        double error = 0, norm = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (int j = 0; j < 3; ++j) {
                error += std::pow(double(scalar[i][j]) - double(lanes[i][j]), 2);
                norm += std::pow(double(scalar[i][j]), 2);
            }
        CHECK(error < 1e-11 * norm);
        CHECK(pull(MonopoleLanes<3, float>{}, 4, best_isa()) == lanes);
        for (Isa isa : {Isa::baseline, Isa::avx2})
            if (isa < best_isa()) CHECK(pull(MonopoleLanes<3, float>{}, 1, isa) == lanes);
    }
}
