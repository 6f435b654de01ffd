// Traits that count: neighbours within a radius (state), lists of them, pairs by separation
// (symmetric, total). Against brute force, on every group.
#include "support/everywhere.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "traits/radius_lists.hpp"

using namespace test;
using namespace zwalk::examples;

namespace {

template <int D, class T, class Space>
T brute_d2(Space const& space, std::array<T, D> const& a, std::array<T, D> const& b) {
    Vec<D, T> p, q;
    for (int j = 0; j < D; ++j) p[j] = a[j] + T(0), q[j] = b[j] + T(0);
    return distance2(space, p, q);
}

template <int D, class T, Ways ways = Ways::all, class Space>
void check_radius(Space const& space, Rows<D, T> const& sources, Rows<D, T> const& targets, T radius2) {
    std::vector<size_type> expected(targets.size());
    std::vector<std::vector<pos_t>> neighbours(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
        for (std::size_t j = 0; j < sources.size(); ++j)
            if (brute_d2<D>(space, targets[i], sources[j]) <= radius2)
                ++expected[i], neighbours[i].push_back(pos_t(j));

    auto const count = [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
        std::array<Points<T>, 2> const roles{view<D>(sources), view<D>(targets)};
        auto trees = build_joint<T>(cpu, std::span<Points<T> const>(roles), D, options);
        std::vector<size_type> z(targets.size());
        RadiusCount<D, T> trait;
        trait.radius2 = radius2;
        trait.count = z.data();
        walker(trait, space, trees[1], trees[0], WalkInputs<RadiusCount<D, T>>{});
        return to_input(z, trees[1].input);
    };
    check_everywhere<ways>(expected, count);

    auto const lists = [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
        std::array<Points<T>, 2> const roles{view<D>(sources), view<D>(targets)};
        auto trees = build_joint<T>(cpu, std::span<Points<T> const>(roles), D, options);
        std::vector<size_type> offset{0};
        for (pos_t const i : trees[1].input) offset.push_back(offset.back() + expected[i]);
        std::vector<pos_t> found(offset.back());
        RadiusLists<D, T> trait;
        trait.radius2 = radius2;
        trait.offset = offset.data();
        trait.source = found.data();
        walker(trait, space, trees[1], trees[0], WalkInputs<RadiusLists<D, T>>{});
        std::vector<std::vector<pos_t>> result(targets.size());
        for (std::size_t t = 0; t < targets.size(); ++t) {
            auto& row = result[trees[1].input[t]];
            for (size_type o = offset[t]; o < offset[t + 1]; ++o)
                row.push_back(trees[0].input[found[o]]);
            std::sort(row.begin(), row.end());
        }
        return result;
    };
    check_everywhere<ways>(neighbours, lists);
}

template <int D, class T, Ways ways = Ways::all, class Space>
void check_pairs(Space const& space, Rows<D, T> const& rows, T scale) {
    using Pairs = PairCounts<D, T, 6>;
    Pairs trait;
    for (int i = 0; i <= 6; ++i) trait.edge2[i] = scale * T(std::pow(4., i - 4));
    std::vector<size_type> expected(6);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            int const b = trait.bin(brute_d2<D>(space, rows[i], rows[j]));
            if (b >= 0 && b < 6) ++expected[std::size_t(b)];
        }
    check_everywhere<ways>(expected, [&](Cpu const& cpu, TreeOptions const& o, auto const& walker) {
        auto const tree = build_tree(cpu, view<D>(rows), D, o);
        typename Pairs::Total total;
        WalkInputs<Pairs> inputs;
        inputs.total = &total;
        walker(trait, space, tree, tree, inputs);
        return std::vector<size_type>(total.pairs, total.pairs + 6);
    });
}

}  // namespace

TEST_CASE("radius counts and lists: open space") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        check_radius<3, float>(Open<3, float>{}, make_points<3, float>(kind, 300, 1),
                               make_points<3, float>(kind, 170, 2), .04f);
    }
    check_radius<1, double, Ways::few>(Open<1, double>{}, make_points<1, double>("normal", 500, 3),
                                       make_points<1, double>("uniform", 40, 4), .01);
    check_radius<4, double, Ways::few>(Open<4, double>{}, make_points<4, double>("clustered", 250, 5),
                                       make_points<4, double>("uniform", 250, 6), .3);
}

TEST_CASE("radius counts and lists: no sources, no targets, few") {
    Open<2, float> const space;
    for (std::size_t n : {0, 1, 2, 47, 48, 49})
        for (std::size_t m : {0, 1, 3, 100})
            check_radius<2, float, Ways::few>(space, make_points<2, float>("uniform", n, 1),
                                              make_points<2, float>("uniform", m, 2), .1f);
}

TEST_CASE("radius counts and lists: periodic, and periodic on one axis") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "equal"}) {
        auto sources = make_points<3, float>(kind, 400, 7);
        auto targets = make_points<3, float>("uniform", 200, 8);
        for (auto* rows : {&sources, &targets})
            for (auto& p : *rows)
                for (float& x : p) x -= std::floor(x);
        check_radius<3, float, Ways::few>(Periodic<3, float>{{1, 1, 1}}, sources, targets, .05f);
        check_radius<3, float, Ways::few>(Periodic<3, float>{{1, infinity<float>, 1}}, sources, targets,
                                          .05f);
    }
}

TEST_CASE("pair counts: every unordered pair once") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        check_pairs<3, float>(Open<3, float>{}, make_points<3, float>(kind, 300, 11), .2f);
    }
    for (std::size_t n : {0, 1, 2, 3, 49})
        check_pairs<2, double, Ways::few>(Open<2, double>{}, make_points<2, double>("uniform", n, 3),
                                          .2);
    check_pairs<2, double, Ways::few>(Periodic<2, double>{{1, 1}},
                                      make_points<2, double>("uniform", 500, 3), .1);
}
