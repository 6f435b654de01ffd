// Traits with summaries: gravity (far fields, payload, displacement), the tutorial's toy.
#include "support/everywhere.hpp"
#include "traits/monopole.hpp"
#include "traits/nearest_brighter.hpp"

using namespace test;
using namespace zwalk::examples;

namespace {

constexpr int D = 3;
using V = Vec<D, double>;

std::vector<Mass<double>> masses(std::size_t n) {
    std::vector<Mass<double>> m(n);
    for (std::size_t i = 0; i < n; ++i) m[i].mass = 1. + double(i % 3);
    return m;
}

/// Accelerations in input order by one of the walks.
template <class Space, class Walker>
std::vector<V> gravity(Cpu const& cpu, Space const& space, Rows<D, double> const& rows, double theta,
                       TreeOptions const& options, Walker const& walker) {
    using Trait = Monopole<D, double>;
    auto const tree = build_tree(cpu, view<D>(rows), D, options);
    Columns<Mass<double>> const payload(masses(rows.size()), tree.input);
    std::vector<V> z(rows.size());
    Trait trait;
    trait.theta2 = theta * theta;
    trait.softening2 = 1e-4;
    trait.acceleration = z.data();
    WalkInputs<Trait> inputs{payload.view(), payload.view()};
    walker(trait, space, tree, tree, inputs);
    return to_input(z, tree.input);
}

template <class Space>
double relative_error(Space const& space, Rows<D, double> const& rows, std::vector<V> const& a) {
    Monopole<D, double> trait;
    trait.softening2 = 1e-4;
    auto const mass = masses(rows.size());
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        V exact{}, p, q;
        for (int k = 0; k < D; ++k) p[k] = rows[i][k];
        for (std::size_t j = 0; j < rows.size(); ++j) {
            for (int k = 0; k < D; ++k) q[k] = rows[j][k];
            if (i != j) trait.pull(exact, displacement(space, p, q), mass[j].mass);
        }
        for (int k = 0; k < D; ++k) {
            error += std::pow(a[i][k] - exact[k], 2);
            norm += exact[k] * exact[k];
        }
    }
    return std::sqrt(error / norm);
}

auto walker_on(Cpu const& cpu) {
    return [&cpu](auto const&... arguments) { walk(cpu, arguments...); };
}

std::vector<pos_t> brute_brighter(Rows<D, float> const& rows, std::vector<Star> const& star,
                                  std::vector<pos_t> const& z) {
    std::vector<pos_t> result(rows.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
        Key<float> best;
        for (std::size_t j = 0; j < z.size(); ++j) {
            if (!(star[z[j]].light > star[z[i]].light)) continue;
            Vec<D, float> p, q;
            for (int k = 0; k < D; ++k) p[k] = rows[z[i]][k], q[k] = rows[z[j]][k];
            best = std::min(best, Key<float>{distance2(Open<D, float>{}, p, q), pos_t(j)});
        }
        result[z[i]] = best.pos == no_pos ? no_pos : z[best.pos];
    }
    return result;
}

}  // namespace

TEST_CASE("Barnes-Hut: direct sum at opening angle 0, close to it at 0.5") {
    for (auto const* kind : {"uniform", "clustered", "normal", "sites40"}) {
        CAPTURE(kind);
        auto const rows = make_points<D, double>(kind, 700, 3);
        Cpu const cpu(2);
        cpu.run([&] {
            Open<D, double> const space;
            auto const direct = gravity(cpu, space, rows, 0, {}, walker_on(cpu));
            CHECK(relative_error(space, rows, direct) < 1e-13);
            // Small leaves, or nothing would be far enough to be accepted.
            TreeOptions const fine{.leaf_size = 6, .coarsening = 2, .top_nodes = 8};
            auto const tree = gravity(cpu, space, rows, .5, fine, walker_on(cpu));
            CHECK(relative_error(space, rows, tree) < 2e-2);
            CHECK(relative_error(space, rows, tree) > 1e-6);
            Periodic<D, double> const box{{50, 50, 50}};
            CHECK(relative_error(box, rows, gravity(cpu, box, rows, 0, {}, walker_on(cpu))) < 1e-13);
        });
    }
}

TEST_CASE("Barnes-Hut: same bits on every group and any number of threads") {
    auto const rows = make_points<D, double>("clustered", 600, 4);
    TreeOptions const options{.leaf_size = 10, .coarsening = 4, .top_nodes = 8};
    Open<D, double> const space;
    std::vector<V> expected;
    CheckedRun races;
    for (int threads : {1, 2, 5}) {
        Cpu const cpu(threads);
        auto const a = cpu.run([&] { return gravity(cpu, space, rows, .6, options, walker_on(cpu)); });
        if (expected.empty()) expected = a;
        CHECK(a == expected);
    }
    Cpu const cpu(1);
    auto const checked = [&](auto const&... arguments) {
        walk(cpu, arguments..., CheckedGroups<8, 16>{&races});
    };
    CHECK(cpu.run([&] { return gravity(cpu, space, rows, .6, options, checked); }) == expected);
    CHECK(races.races == 0);
}

TEST_CASE("the tutorial's trait: nearest brighter star") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<D, float>(kind, 400, 9);
        std::vector<Star> star(rows.size());
        Random r(5);
        for (auto& s : star) s.light = float(r.below(100));
        Cpu const one(1);
        auto const z = listed(build_tree(one, view<D>(rows), D).input);
        check_everywhere(brute_brighter(rows, star, z),
                         [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
                             auto const tree = build_tree(cpu, view<3>(rows), 3, options);
                             Columns<Star> const stars(star, tree.input);
                             std::vector<pos_t> brighter(tree.size());
                             NearestBrighter trait;
                             trait.brighter = brighter.data();
                             WalkInputs<NearestBrighter> const inputs{stars.view(), stars.view()};
                             walker(trait, Open<3, float>{}, tree, tree, inputs);
                             for (pos_t& b : brighter) b = b == no_pos ? b : tree.input[b];
                             return to_input(brighter, tree.input);
                         });
    }
}
