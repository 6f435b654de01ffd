// Rounds inside chunks, and chunks of every length, beside Prim's algorithm.
#include <set>

#include "chunk_rounds.hpp"
#include "emst/rounds.hpp"
#include "runs.hpp"

using namespace test;

TEST_CASE("EMST: what chunks find by themselves belongs to the tree") {
    for (auto const& kind : kinds())
        for (int m : {1, 5}) {
            CAPTURE(kind);
            CAPTURE(m);
            auto const rows = make_points<3, float>(kind, 400, 31);
            std::set<std::pair<pos_t, pos_t>> expected;
            for (auto const& [length, a, b] : expected_edges<3>(rows, m, {})) expected.emplace(a, b);
            for (pos_t chunk : {1U, 2U, 23U, 399U, 400U}) {
                CAPTURE(chunk);
                detail::PointEdges<float> points(brute_neighbourhood<3>(rows, m, 5));
                std::vector<pos_t> component(rows.size());
                detail::ChunkRounds<float>::Room room;
                std::size_t joined = 0, found = 0;
                for (pos_t first = 0; first < rows.size(); first += chunk) {
                    pos_t const last = std::min(first + chunk, pos_t(rows.size()));
                    detail::ChunkRounds<float> rounds(points, component.data(), first, last, room);
                    for (auto const& e : rounds.run()) {
                        REQUIRE(expected.contains({e.a, e.b}));
                        REQUIRE(component[e.a] == component[e.b]);
                        ++found;
                    }
                    for (pos_t i = first; i < last; ++i) {
                        REQUIRE(component[i] <= i);
                        REQUIRE(component[component[i]] == component[i]);
                        joined += component[i] != i;
                    }
                }
                CHECK(joined == found);
                if (chunk == 1) CHECK(found == 0);
                // Lists of five prove most of a tree, where these have enough of their own chunk.
                if (chunk == 400 && (kind == "uniform" || kind == "normal")) CHECK(found > 300);
            }
        }
}

TEST_CASE("EMST: runs that join know what a look at their points tells") {
    for (int m : {1, 5}) {
        CAPTURE(m);
        auto const rows = make_points<3, float>("clustered", 400, 32);
        detail::PointEdges<float> points(brute_neighbourhood<3>(rows, m, 5));
        std::vector<pos_t> component(rows.size());
        detail::ChunkRounds<float>::Room room;
        for (pos_t first = 0; first < 400; first += 20)
            detail::ChunkRounds<float>(points, component.data(), first, first + 20, room).run();
        std::size_t bounds = 0, candidates = 0;
        for (pos_t first = 0; first < 400; first += 20) {
            // Points of several components for one: as if these had just been joined.
            auto const inside = [&](pos_t j) { return j - first < 20; };
            detail::Run<float> left{.first = first, .last = first + 7, .component = 0},
                right{.first = first + 7, .last = first + 20, .component = 0}, whole = left;
            whole.last = first + 20;
            for (auto* run : {&left, &right, &whole}) run->look(points, inside);
            left.look_for_hint(points, inside);
            auto joined = left;
            joined.join(points, right);
            CHECK(!joined.hinted);
            right.look_for_hint(points, inside);
            whole.look_for_hint(points, inside);
            left.join(points, right);
            CHECK(left.hinted);
            for (auto const& run : {left, joined}) {
                CHECK(run.last == whole.last);
                CHECK(run.least == whole.least);
                CHECK(run.bound == whole.bound);
            }
            CHECK(left.hint == whole.hint);
            bounds += whole.bound < infinity<float>;
            candidates += whole.least != no_pos;
        }
        CHECK(bounds >= 5);
        CHECK(candidates >= 5);
    }
}

TEST_CASE("EMST: many chunks") {
    for (auto const* kind : {"uniform", "clustered", "lattice24", "equal"})
        for (int m : {1, 7}) {
            CAPTURE(kind);
            CAPTURE(m);
            CHECK(tree_right<3, float>(make_points<3, float>(kind, 6000, 17), {.min_samples = m}));
        }
    CHECK(tree_right<2, double>(make_points<2, double>("clustered", 20000, 18)));
}
