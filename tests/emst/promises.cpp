// What emst() promises beside the right tree: work that doesn't explode, refusals, memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <climits>

#include "emst/brute.hpp"
#include "support/sanitized.hpp"

using namespace test;

namespace {

template <class T>
std::uint64_t work_of(EmstResult<T> const& r) {
    std::uint64_t sum = 0;
    for (auto const& [name, value] : r.stats.counts)
        if (name.ends_with("_entries") || name == "points_searched") sum += value;
    return sum;
}

}  // namespace

TEST_CASE("EMST: every kind of points without an explosion of work") {
    std::size_t const n = fewer(200000, 10);
    for (int m : {1, 8})
        for (auto const& kind : kinds()) {
            CAPTURE(kind);
            CAPTURE(m);
            auto const rows = make_points<3, float>(kind, n, 4);
            auto const r = emst(view<3>(rows), {.min_samples = m});
            CHECK(r.lengths.size() == n - 1);
            CHECK(std::is_sorted(r.lengths.begin(), r.lengths.end()));
            CHECK(work_of(r) <= 20 * n);
        }
}

TEST_CASE("EMST: clusters far apart, where all distances between them are about the same") {
    std::size_t const n = fewer(200000, 10);
    for (int clusters : {2, 5})
        for (int m : {1, 8})
            for (float thickness : {1.f, 0.f})  // cubes, and sheets that face each other
                for (float apart : {3.f, 1e3f}) {
                    CAPTURE(clusters);
                    CAPTURE(m);
                    CAPTURE(thickness);
                    CAPTURE(apart);
                    auto rows = make_points<3, float>("uniform", n, 11);
                    for (std::size_t i = 0; i < n; ++i)
                        rows[i][0] = rows[i][0] * thickness + apart * float(i % std::size_t(clusters));
                    auto const r = emst(view<3>(rows), {.min_samples = m});
                    CHECK(r.lengths.size() == n - 1);
                    CHECK(work_of(r) <= 20 * n);
                }
}

TEST_CASE("EMST: distances whose squares overflow") {
    auto rows = make_points<3, float>("uniform", 600, 12);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (float& x : rows[i]) x = i % 3 == 0 ? x * 9e37f : i % 3 == 1 ? -x * 9e37f : x;
    for (int m : {1, 4}) CHECK(tree_right<3, float>(rows, {.min_samples = m}));
}

TEST_CASE("EMST: the same bits for every number of threads and tree") {
    for (auto const* kind : {"clustered", "lattice24", "sites40", "normal"})
        for (int m : {1, 6}) {
            CAPTURE(kind);
            CAPTURE(m);
            auto const rows = make_points<3, float>(kind, fewer(50000, 4), 9);
            auto const expected = tree_of(view<3>(rows), {.min_samples = m}, Cpu(1));
            for (int threads : {2, 7})
                for (pos_t leaf : {0, 10})
                    CHECK(tree_of(view<3>(rows), {.min_samples = m, .tree = {.leaf_size = leaf}},
                                  Cpu(threads)) == expected);
        }
}

TEST_CASE("EMST: many edges of one length, and of few lengths, in order for every number of threads") {
    for (int lengths : {1, 3, 2000}) {
        CAPTURE(lengths);
        Rows<1, double> rows;
        double x = 0;
        for (int i = 0; i < 20000; ++i) rows.push_back({x += 1 + i * 7 % lengths});
        auto const one = emst(rows, {}, Cpu(1)), three = emst(rows, {}, Cpu(3));
        CHECK(one.edges == three.edges);
        CHECK(std::is_sorted(one.lengths.begin(), one.lengths.end()));
        // Neighbours in 1-D are joined: ties follow positions, which are rows here.
        for (std::size_t e = 0; e + 1 < one.lengths.size(); ++e)
            if (one.lengths[e] == one.lengths[e + 1]) CHECK(one.edges[2 * e] < one.edges[2 * e + 2]);
    }
}

TEST_CASE("EMST: phases and counts are given") {
    auto const rows = make_points<3, float>("uniform", 5000, 7);
    auto const r = emst(view<3>(rows));
    std::vector<std::string> names;
    for (auto const& [name, seconds] : r.stats.seconds) {
        names.push_back(name);
        CHECK(seconds >= 0);
    }
    CHECK(names == std::vector<std::string>{"sort", "planes", "geometry", "neighbours", "rounds",
                                            "search", "order"});
}

TEST_CASE("EMST: of fewer points than min_samples all are counted") {
    for (std::size_t n : {0, 1, 2, 3, 10}) {
        auto const rows = make_points<3, float>("uniform", n, 7);
        auto const all = emst(view<3>(rows), {.min_samples = std::max(int(n), 1)});
        for (int const m : {int(n) + 1, 1000, INT_MAX}) {
            auto const r = emst(view<3>(rows), {.min_samples = m});
            CHECK(std::ranges::equal(r.edges, all.edges));
            CHECK(std::ranges::equal(r.lengths, all.lengths));
            CHECK(std::ranges::equal(r.core_distances, all.core_distances));
        }
    }
    CHECK(emst_memory(10, 3, 4, INT_MAX).build == emst_memory(10, 3, 4, 10).build);
}

TEST_CASE("EMST: refusals") {
    auto const rows = make_points<3, float>("uniform", 10, 7);
    auto const refused = [&](EmstOptions const& o, char const* part) {
        CHECK_THROWS_WITH_AS((void)emst(view<3>(rows), o), doctest::Contains(part), InputError);
    };
    refused({.min_samples = 0}, "min_samples must be at least 1");
    refused({.min_samples = -3}, "min_samples must be at least 1");
    refused({.box = {.5}}, "box");
    refused({.box = {1, 1}}, "box");
    auto bad = rows;
    bad[4][1] = NAN;
    CHECK_THROWS_WITH_AS((void)emst(view<3>(bad)), doctest::Contains("4"), InputError);
    Rows<3, float> const none;
    CHECK(emst(view<3>(none)).lengths.empty());
}

TEST_CASE("EMST: memory is predicted for every shape") {
    auto const small = emst_memory(1000000, 3, 4), large = emst_memory(1000000, 3, 4, 20);
    CHECK(small.build > 100e6);
    CHECK(large.build >= small.build + 96000000);
    CHECK_THROWS_AS((void)emst_memory(10, 1000, 4), InputError);
}
