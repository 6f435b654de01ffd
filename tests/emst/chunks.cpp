// Rounds inside chunks, and chunks of every length, beside Prim's algorithm.
#include <set>

#include "chunk_rounds.hpp"
#include "emst/rounds.hpp"
#include "stretches.hpp"
#include "support/sanitized.hpp"

using namespace test;

namespace {

template <class T>
void fill(detail::PointEdges<T>& points, Neighbourhood<T> const& near) {
    for (pos_t i = 0; i < near.points; ++i) {
        std::copy(near.list[i].begin(), near.list[i].end(), points.lists.room(i));
        if (points.mutual()) points.core2[i] = near.core2[i];
        bool const last = i + 1 == points.lists.chunk_end(points.lists.chunk_of(i));
        REQUIRE(points.lists.filled(i) == last);
    }
}

}  // namespace

TEST_CASE("EMST: what chunks find by themselves belongs to the tree") {
    for (auto const& kind : plain_kinds())
        for (int m : {1, 5}) {
            CAPTURE(kind);
            CAPTURE(m);
            auto const rows = make_points<3, float>(kind, 400, 31);
            std::set<std::pair<pos_t, pos_t>> expected;
            for (auto const& [length, a, b] : expected_edges<3>(rows, m, {})) expected.emplace(a, b);
            for (int chunk_log2 : {0, 1, 5, 8, 9}) {
                CAPTURE(chunk_log2);
                pos_t const chunk = 1U << chunk_log2;
                auto near = brute_neighbourhood<3>(rows, m, 5);
                detail::PointEdges<float> points(Cpu(), 400, 5, m > 1, std::move(near.step2),
                                                 chunk_log2);
                fill(points, near);
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
                if (chunk > 400 && (kind == "uniform" || kind == "normal")) CHECK(found > 300);
            }
        }
}

TEST_CASE("EMST: packed lists hold what was kept of them") {
    for (int chunk_log2 : {0, 3, 7}) {
        pos_t const n = 100, listed = 4;
        detail::NeighbourLists<double> lists(Cpu(), n, listed, chunk_log2);
        auto const key = [](pos_t i, pos_t e) { return Key<double>{double(i) + .1 * e, i * 10 + e}; };
        auto const kept = [](pos_t i, pos_t e) { return (i + e) % 3 != 0 && i % 7 != 0; };
        for (std::size_t c = 0; c < lists.chunks(); ++c) {
            for (pos_t i = lists.chunk_begin(c); i < lists.chunk_end(c); ++i) {
                for (pos_t e = 0; e < listed; ++e) lists.room(i)[e] = key(i, e);
                lists.begin(i);
                REQUIRE(lists.size(i) == listed);
                lists.keep(i, lists.list(i) + 1, listed - 1 - i % 2);
            }
            lists.pack(c, [&](pos_t i, pos_t j) { return kept(i, j - i * 10); });
        }
        lists.trim();
        for (pos_t i = 0; i < n; ++i) {
            std::vector<Key<double>> expected;
            for (pos_t e = 1; e < listed - i % 2; ++e)
                if (kept(i, e)) expected.push_back(key(i, e));
            REQUIRE(std::vector<Key<double>>(lists.list(i), lists.list(i) + lists.size(i)) == expected);
        }
    }
}

TEST_CASE("EMST: stretches that join know what a look at their points tells") {
    for (int m : {1, 5}) {
        CAPTURE(m);
        auto const rows = make_points<3, float>("clustered", 400, 32);
        auto near = brute_neighbourhood<3>(rows, m, 5);
        detail::PointEdges<float> points(Cpu(), 400, 5, m > 1, std::move(near.step2), 9);
        fill(points, near);
        std::vector<pos_t> component(rows.size());
        detail::ChunkRounds<float>::Room room;
        for (pos_t first = 0; first < 400; first += 20)
            detail::ChunkRounds<float>(points, component.data(), first, first + 20, room).run();
        std::size_t bounds = 0, candidates = 0;
        for (pos_t first = 0; first < 400; first += 20) {
            // Points of several components for one: as if these had just been joined.
            auto const inside = [&](pos_t j) { return j - first < 20; };
            detail::Stretch<float> left{.first = first, .last = first + 7, .component = 0},
                right{.first = first + 7, .last = first + 20, .component = 0}, whole = left;
            whole.last = first + 20;
            for (auto* stretch : {&left, &right, &whole}) stretch->look(points, inside);
            left.join(points, right);
            CHECK(left.last == whole.last);
            CHECK(left.least == whole.least);
            CHECK(left.bound == whole.bound);
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
            CHECK(tree_right<3, float>(make_points<3, float>(kind, fewer(6000, 2), 17),
                                       {.min_samples = m}));
        }
    CHECK(tree_right<2, double>(make_points<2, double>("clustered", fewer(20000, 2), 18)));
}
