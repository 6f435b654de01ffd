// Linkages and condensed trees that are made by many threads, against the plainest way to make them.
#include <doctest/doctest.h>

#include <string>

#include "hdbscan/same_condensed.hpp"
#include "hdbscan/shapes.hpp"
#include "strips.hpp"
#include "zwalk/core/error.hpp"

using namespace test;

namespace {

/// Merges edge by edge, event by event, as linkage.hpp says. The edge that closes a circle, if any does, is left in `circle`.
std::vector<Merge> plain_linkage(Forest const& f, std::size_t& circle) {
    struct Part {
        double id, size;
    };
    std::vector<std::size_t> above(f.points);
    std::vector<Part> part(f.points);
    for (std::size_t i = 0; i < f.points; ++i) above[i] = i, part[i] = {double(i), 1};
    auto const root = [&](std::size_t i) {
        while (above[i] != i) i = above[i] = above[above[i]];
        return i;
    };
    std::vector<Merge> merges;
    circle = f.lengths.size();
    for (std::size_t i = 0; i < f.lengths.size();) {
        std::size_t end = i;
        std::map<std::size_t, Part> taking;
        for (; end < f.lengths.size() && f.lengths[end] == f.lengths[i]; ++end)
            for (index_t const p : {f.edges[2 * end], f.edges[2 * end + 1]})
                taking[root(std::size_t(p))] = part[root(std::size_t(p))];
        for (std::size_t e = i; e < end; ++e) {
            auto const a = root(std::size_t(f.edges[2 * e])), b = root(std::size_t(f.edges[2 * e + 1]));
            if (a == b) return circle = e, merges;
            above[std::max(a, b)] = std::min(a, b);
        }
        std::map<std::size_t, std::vector<Part>> wholes;
        for (auto const& [point, p] : taking) wholes[root(point)].push_back(p);
        for (auto& [point, parts] : wholes) {
            std::sort(parts.begin(), parts.end(), [](Part const& a, Part const& b) {
                return a.size != b.size ? a.size > b.size : a.id < b.id;
            });
            Part made = parts[0];
            for (std::size_t k = 1; k < parts.size(); ++k) {
                double const size = made.size + parts[k].size;
                merges.push_back({std::min(made.id, parts[k].id), std::max(made.id, parts[k].id),
                                  f.lengths[i], size});
                made = {double(f.points + merges.size() - 1), size};
            }
            part[point] = made;
        }
        i = end;
    }
    return merges;
}

/// The condensed tree by going down the hierarchy level by level.
CondensedTree plain_condensed(Linkage const& z, std::size_t least) {
    struct Row {
        index_t parent, child;
        double lambda;
        index_t size;
    };
    std::size_t const n = z.points;
    std::vector<Row> rows;
    CondensedTree t;
    t.points = n, t.min_cluster_size = least;
    auto const merge = [&](double id) { return z.merges[std::size_t(id) - n]; };
    auto const size = [&](double id) { return id < double(n) ? 1. : merge(id).size; };
    auto const add = [&](std::size_t c, std::size_t child, double lambda, double points) {
        rows.push_back({index_t(n + c), index_t(child), lambda, index_t(points)});
        auto& cluster = t.clusters[c];
        cluster.death = lambda;
        if (lambda > cluster.birth) cluster.stability += (lambda - cluster.birth) * points;
    };
    t.clusters.push_back({-1, index_t(n), 0});
    std::vector<std::pair<double, std::size_t>> open{{double(n + z.merges.size() - 1), 0}};
    for (std::size_t i = 0; i < open.size(); ++i) {
        auto const [id, c] = open[i];
        Merge const m = merge(id);
        double const lambda = lambda_of(m.distance);
        bool const splits = std::min(size(m.left), size(m.right)) >= double(least);
        if (splits) t.clusters[c].leaf = false;
        for (double const half : {m.left, m.right}) {
            if (splits) {
                add(c, n + t.clusters.size(), lambda, size(half));
                open.emplace_back(half, t.clusters.size());
                t.clusters.push_back({index_t(c), index_t(size(half)), lambda});
            } else if (size(half) >= double(least)) {
                open.emplace_back(half, c);
            } else {
                std::vector<double> dropped{half};
                for (std::size_t k = 0; k < dropped.size(); ++k) {
                    double const d = dropped[k];
                    if (d < double(n)) add(c, std::size_t(d), lambda, 1);
                    else dropped.insert(dropped.end(), {merge(d).left, merge(d).right});
                }
            }
        }
    }
    for (Row const& r : rows) {
        t.parent.push_back(r.parent), t.child.push_back(r.child);
        t.lambda.push_back(r.lambda), t.child_size.push_back(r.size);
    }
    return t;
}

void check_condensed(Linkage const& z, std::size_t least) {
    CAPTURE(least);
    auto const expected = plain_condensed(z, least);
    for (int const threads : {1, 2, 7})
        for (bool const chains : {false, true}) {
            CAPTURE(threads);
            CAPTURE(chains);
            auto const t = chains ? detail::condense_by_chains(z, least, Cpu(threads))
                                  : condense(z, least, Cpu(threads));
            CHECK(t.parent == expected.parent);
            CHECK(t.child == expected.child);
            CHECK(t.lambda == expected.lambda);
            CHECK(t.child_size == expected.child_size);
            CHECK(same_clusters(t, expected));
        }
}

/// What edges are taken in: strips, or windows.
struct Pieces {
    std::size_t edges;
    std::size_t strips;  ///< of a window; 0: one thread makes all rows
};
constexpr Pieces sizes_of_pieces[] = {{1, 1}, {1, 4}, {3, 2}, {8, 7}, {50, 3}, {1, 0}, {3, 0}, {50, 0}};

Linkage in_pieces(Forest const& f, int threads, Pieces sizes) {
    if (sizes.strips == 0)
        return detail::linkage_in_windows<double>(f.points, f.edges, f.lengths, Cpu(threads),
                                                  sizes.edges);
    return detail::linkage_in_strips<double>(f.points, f.edges, f.lengths, Cpu(threads),
                                             {sizes.edges, sizes.strips});
}

}  // namespace

TEST_CASE("linkage: events that are wide") {
    std::size_t const many = 50;
    for (std::size_t const width : {1, 2, 49, 50, 51, 99, 100, 101, 500})
        for (std::size_t const before : {0, 1, 49, 50, 137})
            for (std::size_t const after : {0, 1, 60}) {
                std::vector<float> lengths(before + width + after);
                std::iota(lengths.begin(), lengths.end(), 1.f);
                std::fill_n(lengths.begin() + std::ptrdiff_t(before), width, float(before + 1));
                bool const found = detail::has_wide_event<float>(lengths, many);
                CAPTURE(width);
                CAPTURE(before);
                CHECK((width >= 2 * many ? found : width <= many ? !found : true));
            }
    CHECK(!detail::has_wide_event<float>({}, many));
}

TEST_CASE("linkage: the same rows in strips and windows of any size, on any number of threads") {
    for (std::size_t const n : {2, 3, 17, 400})
        for_shapes(n, [](Forest const& f) {
            std::size_t circle = 0;
            auto const expected = plain_linkage(f, circle);
            REQUIRE(circle == f.lengths.size());
            Linkage table{f.points, Buffer<Merge>(expected.size())};
            std::copy(expected.begin(), expected.end(), table.merges.begin());
            for (auto const& sizes : sizes_of_pieces)
                for (int const threads : {1, 2, 7}) {
                    CAPTURE(sizes.edges);
                    CAPTURE(sizes.strips);
                    CAPTURE(threads);
                    auto const z = in_pieces(f, threads, sizes);
                    CHECK(std::equal(z.table().begin(), z.table().end(), table.table().begin(),
                                     table.table().end()));
                }
        });
}

TEST_CASE("linkage: the first edge that closes a circle is named, in whatever strip or window it is") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        Random r(seed);
        Forest f = random_forest(60, seed % 3 == 0 ? 0 : 1 + seed % 25, false, seed);
        for (int k = 0; k < 3; ++k)  // edges in place of others
            f.edges[2 * r.below(59) + r.below(2)] = index_t(r.below(60));
        std::size_t circle = 0;
        (void)plain_linkage(f, circle);
        if (circle == f.lengths.size()) continue;
        std::string const expected = "edge " + std::to_string(circle) + " (";
        for (auto const& sizes : sizes_of_pieces) {
            std::string said;
            try {
                (void)in_pieces(f, 3, sizes);
            } catch (InputError const& e) {
                said = e.what();
            }
            CHECK(said.substr(0, expected.size()) == expected);
        }
    }
}

TEST_CASE("condensed tree: the same rows, clusters and sums on any number of threads") {
    for (std::size_t const n : {2, 3, 17, 400})
        for_shapes(n, [](Forest const& f) {
            auto const z = f.linkage();
            for (std::size_t const least : {2, 3, 9, 1000}) check_condensed(z, least);
        });
}

TEST_CASE("hierarchy: as many points as several threads share, of all shapes") {
    std::size_t const n = 70000;
    for_shapes(n, [](Forest const& f) {
        std::size_t circle = 0;
        auto const expected = plain_linkage(f, circle);
        for (int const threads : {1, 2, 7}) {
            auto const z = single_linkage<double>(f.points, f.edges, f.lengths, Cpu(threads));
            bool const same = std::equal(z.merges.begin(), z.merges.end(), expected.begin(),
                                         expected.end(), [](Merge const& a, Merge const& b) {
                                             return a.left == b.left && a.right == b.right &&
                                                    a.distance == b.distance && a.size == b.size;
                                         });
            CHECK(same);
            if (threads == 2)
                for (std::size_t const least : {2, 30}) check_condensed(z, least);
        }
    });
}

TEST_CASE("condensed tree: levels that many threads write to at once") {
    auto const f = shaped_forest("halves", 1 << 19, 0, 1);
    auto const z = f.linkage();
    for (int repeat = 0; repeat < 3; ++repeat) check_condensed(z, 2);
}
