// Walks on ranks of traits that accept nodes, which travel without their points where nobody looks into them.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "ranks/compared.hpp"
#include "traits/monopole.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/run/host_device.hpp"
#include "zwalk/run/mpi.hpp"

using namespace zwalk;
using namespace zwalk::test;
using namespace zwalk::examples;

namespace {

struct Weight {
    std::uint64_t weight;
};

/// Adds up the weights of all points, whether they are met, or a node for them: each point counts once.
struct WeightsSeen : Types<3, float, Weight, Weight, std::uint64_t> {
    static constexpr Uses uses{.state = true, .summary = true, .far = true};
    struct Seen {
        std::uint64_t weight = 0, points = 0, accepted = 0;
        friend bool operator==(Seen const&, Seen const&) = default;
    };
    float theta2;
    Seen* seen;

    Weight summarize(Point const& p) const { return p.payload; }
    Weight merge(Weight a, Weight b) const { return {a.weight + b.weight}; }
    Decision decide(Node const& t, Node const& s, Range<float> d) const {
        return t.diag2 + s.diag2 < theta2 * d.lo2 ? Decision::accept : Decision::descend;
    }
    std::uint64_t top_state() const { return 0; }
    std::uint64_t inherit(std::uint64_t n, Node const&, Node const&) const { return n; }
    void absorb(std::uint64_t& n, Node const&, Node const& s, Range<float>) const { n += s.count; }
    using Fold = Seen;
    Fold begin(Target const&, std::uint64_t accepted) const { return {0, accepted, accepted}; }
    void far(Fold& f, Target const&, Weight w, auto const&) const { f.weight += w.weight; }
    void visit(Fold& f, Target const&, Point const& q, float) const {
        f.weight += q.payload.weight;
        ++f.points;
    }
    void end(Fold const& f, Target const& p) const { seen[p.index] = f; }
};

/// The same, where leaves of few points meet by these if they are there.
struct FewSeen : WeightsSeen {
    static constexpr Uses uses{.state = true, .summary = true, .far = true};
    static constexpr Tuning tuning{.few_pairs = 40};
};

/// Small targets take large nodes as a whole and want to look into small ones, or the other way round.
struct NotMonotone : Types<3, float> {
    static constexpr Uses uses{.total = true};
    struct Total {
        std::uint64_t n = 0;
    };
    ZWALK_HD void combine(Total& a, Total const& b) const { a.n += b.n; }
    Decision decide(Node const& t, Node const& s, Range<float>) const {
        bool const is_large = s.count > 4;
        if (t.count > 8) return Decision::descend;
        return is_large == (t.count % 2 == 0) ? Decision::accept : Decision::descend;
    }
    void accept(Node const& t, Node const& s, Range<float>, auto& sink) const {
        sink.total().n += std::uint64_t(t.count) * s.count;
    }
    struct Fold {};
    Fold begin(Target const&, State) const { return {}; }
    void visit(Fold&, Target const&, Point const&, float) const {}
    void end(Fold const&, Target const&) const {}
};

/// f(place, tree) on CPU threads, as which it is on a device.
template <class T, class F>
auto on_both(Cpu const& cpu, Tree<T, Cpu> const& tree, F const& f) {
    auto const result = f(cpu, tree);
    HostDevice<> device;
    auto const there = copy_tree(device, cpu, tree);
    CHECK(f(device, there) == result);
    return result;
}

}  // namespace

TEST_CASE("walks on ranks: counts within a radius") {
    Comm comm(world());
    using Trait = RadiusCount<3, float>;
    for_inputs<3, float>(comm, {400}, 0, [&](auto const& input, std::size_t) {
        auto const none = [](std::size_t) { return Empty{}; };
        auto const check = [&](auto const& space, float radius2) {
            Trait trait;
            trait.radius2 = radius2;
            auto const r = on_ranks_and_alone<Trait>(
                comm, space, input, trait, none,
                [&](auto const& tree, auto const& inputs, pos_t n, auto const&) {
                    return on_both(Cpu(1), tree, [&](auto& place, auto const& there) {
                        std::vector<size_type> count(n);
                        Trait own = trait;
                        own.count = count.data();
                        walk(place, own, space, there, there, inputs);
                        return count;
                    });
                });
            CHECK(r.found == r.expected);
        };
        for (float radius2 : {0.f, .02f, .3f, 100.f}) check(Open<3, float>{}, radius2);
        float extent = 1;
        for (auto const& row : input.rows)
            for (float const x : row) extent = std::max(extent, 2 * std::abs(x));
        check(Periodic<3, float>{{1.1f * extent, infinity<float>, 1.1f * extent}},
              .2f * extent * extent);
    });
}

TEST_CASE("walks on ranks: pairs, which one of two ranks meets") {
    Comm comm(world());
    using Trait = PairCounts<3, float, 4>;
    for_inputs<3, float>(comm, {300}, 0, [&](auto const& input, std::size_t turn) {
        Open<3, float> const space;
        Cpu const cpu(1);
        Trait trait;
        float const last = turn % 2 ? 1.f : infinity<float>;
        std::copy_n(std::array{0.f, .01f, .1f, .5f, last}.begin(), 5, trait.edge2);
        auto const count = [&](auto const& tree, TargetNodes targets,
                               KnownNodes<Trait::Summary> const* known) {
            return on_both(cpu, tree, [&](auto& place, auto const& there) {
                typename Trait::Total total;
                WalkInputs<Trait> inputs;
                inputs.total = &total;
                inputs.targets = targets;
                inputs.known = known;
                walk(place, trait, space, there, there, inputs);
                return std::to_array(total.pairs);
            });
        };
        auto const own = make_rank_tree(cpu, z_sort(comm, cpu, input.of(comm.rank())), 3, small_nodes);
        auto const all = import_sources(comm, cpu, trait, space, own);
        auto const total =
            comm.reduce_all(count(all.tree, all.targets, &all.known), [&](auto a, auto const& b) {
                for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
                return a;
            });
        auto const expected = count(build_tree(cpu, input.all(), 3), {}, nullptr);
        CHECK(total == expected);
    });
}

TEST_CASE("walks on ranks: every point counts once, in nodes or by itself") {
    Comm comm(world());
    for_inputs<3, float>(comm, {0, 1, 500}, 0, [&](auto const& input, std::size_t) {
        auto const weight = [](std::size_t row) { return Weight{row * 7919 % 101}; };
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < input.rows.size(); ++i) all += weight(i).weight;
        auto const check = [&]<class Trait>(Trait trait, float theta2) {
            trait.theta2 = theta2;
            Open<3, float> const space;
            auto const r = on_ranks_and_alone<Trait>(
                comm, space, input, trait, weight,
                [&](auto const& tree, auto const& inputs, pos_t n, auto const&) {
                    return on_both(Cpu(2), tree, [&](auto& place, auto const& there) {
                        std::vector<WeightsSeen::Seen> seen(n);
                        Trait own = trait;
                        own.seen = seen.data();
                        walk(place, own, space, there, there, inputs);
                        return seen;
                    });
                });
            for (auto const& some : {r.found, r.expected})
                for (auto const& seen : some) {
                    CHECK(seen.weight == all);
                    CHECK(seen.points == input.rows.size());
                }
        };
        for (float theta2 : {1e-6f, .3f, 1.f, 4.f}) {
            check(WeightsSeen{}, theta2);
            check(FewSeen{}, theta2);
        }
    });
}

TEST_CASE("walks on ranks: other targets and accepted nodes") {
    MpiRanks place(world(), Cpu(1));
    for_inputs<3, float>(place.comm(), {7, 400}, 3, [&](auto const& input, std::size_t turn) {
        Input<3, float> const queries{::test::make_points<3, float>("uniform", 120, turn),
                                      spread("uneven", 120, place.size())};
        auto const sources = make_tree<3>(place, input.of(place.rank()));
        auto const targets = sources.targets(queries.of(place.rank()));
        auto const mine = input.of(place.rank());
        std::vector<Weight> weights(mine.size, Weight{1});
        auto seen = targets.template array<WeightsSeen::Seen>();
        WeightsSeen trait;
        trait.theta2 = 1;
        trait.seen = seen.data();
        targets.walk_against(sources, trait, sources.payload(weights));
        for (auto const& s : seen.in_input_order()) {
            CHECK(s.weight == input.rows.size());
            CHECK(s.points == input.rows.size());
        }
    });
}

TEST_CASE("walks on ranks: gravity by nodes") {
    MpiRanks place(world(), Cpu(1));
    using Trait = Monopole<3, double>;
    std::size_t const n = 3000;
    Input<3, double> const input{::test::make_points<3, double>("clustered", n, 5),
                                 spread("even", n, place.size())};
    std::vector<Mass<double>> mass(n);
    for (std::size_t i = 0; i < n; ++i) mass[i].mass = double(1 + i % 10);
    auto const pulls = [&](auto& where, Points<double> rows, std::span<Mass<double> const> masses,
                           double theta) {
        auto const tree = make_tree<3>(where, rows);
        auto pull = tree.template array<Vec<3, double>>();
        Trait trait;
        trait.theta2 = theta * theta;
        trait.softening2 = 1e-4;
        trait.acceleration = pull.data();
        tree.walk(trait, tree.payload(masses));
        return pull.in_input_order();
    };
    Cpu one(1);
    auto const exact = pulls(one, input.all(), mass, 0);
    auto const rank = std::size_t(place.rank());
    std::span const all(mass);
    auto const own = all.subspan(input.begin[rank], input.begin[rank + 1] - input.begin[rank]);
    auto const error = [&](auto const& found) {
        double most = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            auto const& right = exact[input.begin[rank] + i];
            double d2 = 0, r2 = 0;
            for (int j = 0; j < 3; ++j) {
                d2 += (found[i][j] - right[j]) * (found[i][j] - right[j]);
                r2 += right[j] * right[j];
            }
            most = std::max(most, std::sqrt(d2 / r2));
        }
        return most;
    };
    CHECK(error(pulls(place, input.of(place.rank()), own, 0)) < 1e-12);
    double const by_nodes = error(pulls(place, input.of(place.rank()), own, .5));
    CHECK(by_nodes < .1);
    CHECK(place.comm().reduce_all(by_nodes, [](double a, double b) { return std::max(a, b); }) > 1e-6);
}

TEST_CASE("walks on ranks: accepted nodes come without their points") {
    Comm comm(world());
    if (comm.size() == 1) return;
    Cpu const cpu(1);
    Input<3, float> const input{::test::make_points<3, float>("uniform", 40000, 8),
                                spread("even", 40000, comm.size())};
    auto const own = make_rank_tree(cpu, z_sort(comm, cpu, input.of(comm.rank())), 3);
    Columns<Weight> const weights(std::span<Weight const>(std::vector<Weight>(own.tree.size())));
    WeightsSeen trait;
    trait.theta2 = 4;  // twice the distance
    auto const all = import_sources(comm, cpu, trait, Open<3, float>{}, own, weights.view());
    pos_t const others = pos_t(input.rows.size()) - own.tree.size();
    pos_t const imported = all.tree.size() - own.tree.size();
    CHECK(imported > 0);
    CHECK(imported < others / 3 * 2);
    // The top nodes know of all points.
    std::uint64_t count = 0;
    for (pos_t const n : all.known.count.back()) count += n;
    CHECK(count == input.rows.size());
}

TEST_CASE("walks on ranks: decisions that aren't monotone are refused") {
    MpiRanks place(world(), Cpu(1));
    Input<3, float> const input{::test::make_points<3, float>("uniform", 600, 5),
                                spread("even", 600, place.size())};
    auto const tree = make_tree<3>(place, input.of(place.rank()),
                                   {.tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 4}});
    auto const thrown = thrown_by([&] { tree.walk(NotMonotone{}); });
    CAPTURE(thrown);
    if (place.size() == 1) CHECK(thrown == "nothing");
    else CHECK(thrown.starts_with("Error: decide() of this trait accepts or discards"));
}
