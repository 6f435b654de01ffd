// Which nodes images in a periodic box have to have, against all pairs of leaves and nodes; and the field of images that are far away.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "gravity/src/algorithm.hpp"
#include "gravity/src/far_field.hpp"
#include "gravity/src/opened_nodes.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/testing/points.hpp"
#include "zwalk/walk/summaries.hpp"

using namespace zwalk;
using namespace zwalk::detail;

namespace {

using I = Gravity<2, double>;

/// Whether leaf t descends into node s of plane p, there.
bool descends(I const& trait, SummarizedTree<I> const& tree, pos_t t, std::size_t p, pos_t s,
              Vec<3, double> const& shift) {
    Open<3, double> const space;
    auto stub = node_stub(tree, p, s);
    for (int j = 0; j < 3; ++j) {
        stub.box.lo[j] = stub.summary.lo[j] += shift[j];
        stub.box.hi[j] = stub.summary.hi[j] += shift[j];
    }
    StubPlane<I> const source(std::span<NodeStub<I> const>(&stub, 1));
    auto const leaves = tree.plane(0);
    return trait.decide(node_view<I>(space, leaves, tree.summary[0].data(), t),
                        node_view<I>(space, source.view(), source.summary.data(), 0),
                        node_range(space, leaves, t, source.view(), 0)) == Decision::descend;
}
std::vector<std::vector<pos_t>> opened_by_leaves(I const& trait, SummarizedTree<I> const& tree,
                                                 pos_t begin, pos_t end, Vec<3, double> const& shift) {
    std::vector<std::vector<pos_t>> opened(tree.planes());
    for (std::size_t p = 0; p < tree.planes(); ++p)
        for (pos_t s = 0; s < tree.plane(p).nodes; ++s)
            for (pos_t t = begin; t < end; ++t)
                if (descends(trait, tree, t, p, s, shift)) {
                    opened[p].push_back(s);
                    break;
                }
    return opened;
}
/// The first leaf below a top node, or below one behind the last.
pos_t first_leaf(Tree<double, Cpu> const& tree, pos_t top) {
    for (std::size_t p = tree.planes.size(); p-- > 1;) top = tree.planes[p].child[top];
    return top;
}

}  // namespace

TEST_CASE("gravity, images: the nodes that leaves look into, by all pairs") {
    std::size_t some = 0, none = 0;
    for (auto const* kind : {"uniform", "clustered", "sites40", "equal", "line"})
        for (double const softening : {0., .01}) {
            CAPTURE(kind);
            CAPTURE(softening);
            auto const rows = testing::make_points<3, double>(kind, 700, 5);
            Index<double> const index(rows,
                                      {.tree = {.leaf_size = 8, .coarsening = 2, .top_nodes = 20}});
            auto const& points = index.points().tree;
            auto const trait = gravity_trait<2, double>({.softening = softening, .opening = .9}, 1);
            std::vector<PointMass<double>> const masses(rows.size(), {1.});
            Columns<PointMass<double>> const columns{std::span<PointMass<double> const>(masses)};
            SummarizedTree<I> const tree{&points, summarize(trait, points, columns.view())};
            pos_t const tops = points.planes.back().nodes();
            for (TargetNodes const& targets :
                 {TargetNodes{0, tops}, TargetNodes{tops / 3, tops / 2 + 1}, TargetNodes{1, 1}})
                for (Vec<3, double> const& shift :
                     {Vec<3, double>{1, 0, 0}, Vec<3, double>{-1, 1, 0}, Vec<3, double>{.3, -.1, .2},
                      Vec<3, double>{0, 3, 0}}) {
                    OpenedNodes<double> const opened(trait, tree, targets);
                    auto const expected =
                        opened_by_leaves(trait, tree, first_leaf(points, targets.begin),
                                         first_leaf(points, targets.end), shift);
                    CHECK(opened.of_image(shift) == expected);
                    (expected[0].empty() ? none : some) += 1;
                }
        }
    CHECK(some > 10);
    CHECK(none > 10);
}

TEST_CASE("gravity, images: rows of coefficients have each of them once, and its monomial") {
    Vec<3, double> const x{.3, -.4, .25};
    auto const all = monomials<lattice_order>(Vec<3, double>{-.3, .4, -.25});
    std::vector<int> times(all.count, 0);
    for (int number = 0; number < LatticeRow::count; ++number) {
        LatticeRow const row(number);
        int last = -1;
        row.each(x, LatticeInverses(), [&](int i, double monomial) {
            CHECK(i == ++last);
            CHECK(monomial == all.at[row.index(i)]);
            ++times[std::size_t(row.index(i))];
        });
        CHECK(last == row.last());
    }
    CHECK(times == std::vector<int>(all.count, 1));
}

TEST_CASE("gravity, images: the field of those that are far away, and its derivatives") {
    ImageBox const box(std::vector<double>{1, 1, 1});
    std::vector<LatticeMass> const masses{{{.1, -.2, .3}, 1}, {{-.4, .4, .05}, 2}};
    auto const moments = lattice_moments(masses.size(), [&](std::size_t i) { return masses[i]; });
    auto const field = lattice_field(box, moments);
    // By the expansion as it is defined: L_n = sum over m of M_m D_(n + m).
    auto const d = lattice_derivatives(box.sides, box.shells);
    LatticeCoefficients plain{};
    using N = MultiIndices<lattice_order>;
    for (int i = 0; i < plain.count; ++i)
        for (int k = 0; k < plain.count; ++k) {
            auto const n = N::powers.at[i], m = N::powers.at[k];
            if (n.sum() + m.sum() <= lattice_order)
                plain.at[i] += moments.at[k] * d.at[N::index(n.i + m.i, n.j + m.j, n.k + m.k)];
        }
    for (Vec<3, double> const& x :
         {Vec<3, double>{0, 0, 0}, Vec<3, double>{.5, -.5, .5}, Vec<3, double>{-.1, .3, .45}}) {
        auto const expected = evaluate<lattice_order>(plain, x), got = lattice_pull(field.data(), x, 1);
        CHECK(got.sum == doctest::Approx(expected.sum).epsilon(1e-13));
        for (int j = 0; j < 3; ++j)
            CHECK(std::abs(got.gradient[j] - expected.gradient[j]) < 1e-13 * std::abs(expected.sum));
        auto const half = lattice_pull(field.data(), x, .5);  // in a box of twice the length
        CHECK(half.sum == got.sum / 2);
        CHECK(half.gradient[1] == got.gradient[1] / 4);
    }
}
