// knn() of an index: the bits of knn() and of brute force, whatever the batch, on any number of threads.
#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

#include "knn/check.hpp"
#include "support/sanitized.hpp"

using namespace test;

namespace {

/// An index of the sources answers the queries, and the sources themselves, like brute force.
template <int D, class T>
void check_index(Rows<D, T> const& sources, Rows<D, T> const& queries, index_t k,
                 std::vector<double> const& box = {}, std::size_t sample = 0) {
    Index<T> const index(view<D>(sources), {.box = box, .tree = {.leaf_size = 12}});
    KnnOptions options{.k = k, .box = box};
    CHECK(equals_brute_force(knn(index, view<D>(queries), {.k = k}), view<D>(sources), view<D>(queries),
                             options, sample));
    for (bool const exclude_self : {false, true}) {
        options.exclude_self = exclude_self;
        CHECK(equals_brute_force(knn(index, {.k = k, .exclude_self = exclude_self}), view<D>(sources),
                                 view<D>(sources), options, sample));
    }
}

/// Few queries descend one by one, many are walked: 40 and 400 among 350 sources are either.
template <int D, class T>
void every_kind() {
    if (D > ZWALK_MAX_DIM) return;
    for (auto const& kind : some(kinds(), 2)) {
        auto const sources = make_points<D, T>(kind, 350, D);
        for (auto const* other : {"same", "uniform"})
            for (std::size_t n : {40, 400}) {
                // In the unit of the smallest points squares of usual ones aren't numbers; and of huge ones that of the
                // index isn't that of both, so that separations of 1e-43 of them are rounded in another way.
                if (kind == "huge" || (kind == "subnormal" && other == std::string("uniform"))) continue;
                CAPTURE(D);
                CAPTURE(kind);
                CAPTURE(other);
                CAPTURE(n);
                auto const queries =
                    make_points<D, T>(other == std::string("same") ? kind : other, n, D + 1);
                check_index<D, T>(sources, queries, n == 40 ? 16 : 3, {}, 60);
            }
        check_index<D, T>(sources, sources, 33, {}, 60);
    }
}

/// Several threads query an index of `threads` threads at once, with batches that take every way.
void check_many_callers(int threads) {
    auto const sources = make_points<3, float>("clustered", 20000, 1);
    auto const queries = make_points<3, float>("uniform", 8000, 2);
    Index const index(sources, {}, Cpu(threads));
    auto const expected = knn(index, queries, {.k = 8});
    std::vector<std::size_t> const batches{1, 3, 100, 1000, 8000, 8000};
    std::vector<int> right(batches.size());
    std::vector<std::thread> callers;
    for (std::size_t t = 0; t < batches.size(); ++t)
        callers.emplace_back([&, t] {
            std::size_t const batch = batches[t], step = batch * (batch < 50 ? 37 : 1);
            bool same = true;
            for (std::size_t i = 0; i + batch <= queries.size(); i += step) {
                auto const r = knn(index, Points(queries[i].data(), batch, 3), {.k = 8});
                same &= std::equal(r.indices.begin(), r.indices.end(), &expected.indices[i * 8]);
            }
            right[t] = same;
        });
    for (auto& caller : callers) caller.join();
    CHECK(right == std::vector<int>(batches.size(), 1));
}

}  // namespace

TEST_CASE("index: every kind of points, compiled and padded dimensions") {
    every_kind<1, float>();
    every_kind<1, double>();
    every_kind<2, float>();
    every_kind<2, double>();
    every_kind<3, float>();
    every_kind<3, double>();
    every_kind<4, double>();
    every_kind<5, float>();
    every_kind<6, double>();
    every_kind<7, float>();
    every_kind<8, float>();
    every_kind<8, double>();
}

TEST_CASE("index: batches of every size give the bits of knn()") {
    for (auto const* kind : some({"uniform", "clustered", "sites40", "outlier", "heavy"}, 2)) {
        CAPTURE(kind);
        auto const sources = make_points<3, float>(kind, 20000, 1);
        auto const queries = make_points<3, float>("uniform", 20000, 2);
        auto const clump = [&] {  // far more of them in one place than there are sources
            auto rows = make_points<3, float>("normal", 20000, 3);
            for (auto& p : rows)
                for (float& x : p) x = sources[77][0] + 1e-3f * x;
            return rows;
        }();
        Index const index(sources);
        for (auto const* rows : {&queries, &clump, &sources})
            for (std::size_t n : {0, 1, 2, 10, 256, 257, 1000, 6666, 6667, 20000}) {
                CAPTURE(n);
                Points<float> const batch(rows->front().data(), n, 3);
                CHECK(same_bits(knn(index, batch, {.k = 9}), knn(view<3>(sources), batch, {.k = 9})));
            }
        CHECK(same_bits(knn(index, {.k = 9}), knn(sources, {.k = 9})));
        CHECK(same_bits(knn(index, {.k = 9, .exclude_self = true}),
                        knn(sources, {.k = 9, .exclude_self = true})));
    }
}

TEST_CASE("index: periodic boxes, whole and on some axes") {
    for (double const length : {.03, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "grid"})
            for (std::size_t n : {50, 600}) {
                CAPTURE(length);
                CAPTURE(kind);
                CAPTURE(n);
                double const rounded = double(float(length));
                check_index<3, float>(in_box<3, float>(kind, 500, length, 1),
                                      in_box<3, float>("uniform", n, length, 2), 20, {rounded});
                check_index<2, double>(in_box<2, double>(kind, 500, length, 3),
                                       in_box<2, double>("uniform", n, length, 4), 5, {0, length});
                check_index<1, double>(in_box<1, double>(kind, 200, length, 5),
                                       in_box<1, double>("uniform", n, length, 6), 199, {length});
                check_index<5, float>(in_box<5, float>(kind, 300, length, 7),
                                      in_box<5, float>("uniform", n, length, 8), 3, {rounded});
            }
}

TEST_CASE("index: few sources, no sources, more neighbours than sources, large k") {
    for (std::size_t n : {0, 1, 2, 3, 10, 48, 49})
        for (index_t k : {1, 2, 10, 60})
            for (std::size_t queries : {0, 1, int(fewer(300, 3))}) {
                CAPTURE(n);
                CAPTURE(k);
                CAPTURE(queries);
                check_index<3, float>(make_points<3, float>("uniform", n, 1),
                                      make_points<3, float>("normal", queries, 2), k);
            }
    for (index_t k : some<index_t>({128, 129, 1000, 3000, 3005}, 2))
        for (std::size_t queries : {5, 500})
            check_index<2, double>(make_points<2, double>("clustered", 3000, 3),
                                   make_points<2, double>("uniform", queries, 4), k, {}, 5);
}

TEST_CASE("index: any tree and any number of threads, the same bits") {
    auto const sources = make_points<3, double>("clustered", 5000, 1);
    auto const queries = make_points<3, double>("uniform", 3000, 2);
    auto const expected = knn(view<3>(sources), view<3>(queries), {.k = 7});
    for (int const threads : {1, 2, 5})
        for (TreeOptions const& tree :
             {TreeOptions{}, TreeOptions{.leaf_size = 1, .coarsening = 2, .top_nodes = 1},
              TreeOptions{.leaf_size = 7, .coarsening = 3, .top_nodes = 100000}}) {
            Index const index(sources, {.tree = tree}, Cpu(threads));
            for (std::size_t n : {10, 400, 3000}) {
                auto const r = knn(index, Points(queries[0].data(), n, 3), {.k = 7});
                CHECK(std::equal(r.indices.begin(), r.indices.end(), expected.indices.begin()));
                CHECK(std::equal(r.distances.begin(), r.distances.end(), expected.distances.begin()));
            }
        }
}

// TSan knows nothing of what TBB's workers wait for; without workers it has nothing to say.
TEST_CASE("index: many callers at once, without workers") { check_many_callers(1); }

TEST_CASE("index: many callers at once, with workers") { check_many_callers(3); }

TEST_CASE("index: a call waits for nobody who is on the index's threads") {
    auto const rows = make_points<3, float>("uniform", 6000, 1);
    Index const index(rows, {}, Cpu(2));
    std::promise<void> leave;
    auto const left = leave.get_future().share();
    std::atomic<int> entered = 0;
    auto const stay = [&] {
        index.place().run([&] {
            ++entered;
            left.wait();
        });
    };
    std::thread one(stay), two(stay);
    while (entered < 2) std::this_thread::yield();
    auto calls = std::async(std::launch::async, [&] {
        for (auto const order : {Order::input, Order::z}) {
            for (std::size_t n : {1, 10, 300, 5000})  // here, by descents, by walks
                (void)knn(index, Points(rows[0].data(), n, 3), {.k = 3, .order = order});
            (void)knn(index, {.k = 3, .order = order});
        }
    });
    CHECK(calls.wait_for(std::chrono::seconds(100)) == std::future_status::ready);
    leave.set_value();
    one.join();
    two.join();
}

TEST_CASE("index: z-order") {
    auto const sources = make_points<3, float>("clustered", 4000, 4);
    auto const queries = make_points<3, float>("uniform", 2000, 5);
    Index const index(sources);
    for (std::size_t n : {5, 400, 2000}) {
        Points<float> const batch(queries[0].data(), n, 3);
        auto const r = knn(index, batch, {.k = 5, .order = Order::z});
        auto const expected = knn(view<3>(sources), batch, {.k = 5, .order = Order::z});
        CHECK(same_bits(r, expected));
        CHECK(r.row_order == expected.row_order);
        CHECK(std::equal(expected.source_order.begin(), expected.source_order.end(),
                         index.z_order().begin(), index.z_order().end()));
    }
    auto const self = knn(index, {.k = 5, .order = Order::z});
    CHECK(same_bits(self, knn(sources, {.k = 5, .order = Order::z})));
    CHECK(std::equal(self.row_order.begin(), self.row_order.end(), index.z_order().begin()));
}

TEST_CASE_TEMPLATE("index: a budget changes no bit", T, float, double) {
    for (auto const* kind : some({"clustered", "uniform", "sites40", "equal", "heavy"}, 3))
        for (std::size_t n : {0, 500, 20000})
            for (auto order : {Order::input, Order::z}) {
                CAPTURE(kind);
                CAPTURE(n);
                auto const sources = make_points<3, T>(kind, n, 1);
                auto const queries = make_points<3, T>("uniform", 30000, 2);
                KnnOptions const options{.k = 5, .order = order};
                Index<T> index(view<3>(sources), {}, Cpu(0, 1));
                for (std::size_t m : {1000, 30000}) {  // many: four batches with a budget of 1
                    Points<T> const batch(queries[0].data(), m, 3);
                    auto const expected = knn(view<3>(sources), batch, options);
                    for (std::uint64_t budget : {1, 1 << 20, 0}) {
                        index.place() = Cpu(0, budget);
                        auto const r = knn(index, batch, {.k = 5, .order = order});
                        CHECK(same_bits(r, expected));
                        CHECK(r.row_order == expected.row_order);
                        if (m == 30000 && budget < 2)
                            CHECK(count_of(r.stats, "batches") == (budget ? 4 : 1));
                    }
                }
                CHECK(same_bits(knn(index, {.k = 5, .order = order}), knn(view<3>(sources), options)));
            }
}

TEST_CASE("index: batches in a box, in other dimensions, are brute force") {
    auto const s = in_box<2, double>("clustered", 3000, 1, 7);
    auto const q = in_box<2, double>("uniform", 20000, 1, 8);
    Index const index(s, {.box = {1, 0}}, Cpu(0, 1));
    auto const r = knn(index, q, {.k = 9});
    CHECK(count_of(r.stats, "batches") == 3);
    CHECK(equals_brute_force(r, view<2>(s), view<2>(q), {.k = 9, .box = {1, 0}}, 300));
}

TEST_CASE("index: a visitor sees every row once, as knn_visit shows it") {
    for (auto const* kind : some({"uniform", "clustered", "sites40", "equal"}, 2))
        for (std::size_t n : {0, 3, 20000}) {
            CAPTURE(kind);
            CAPTURE(n);
            auto const sources = make_points<3, float>(kind, n, 1);
            auto const queries = make_points<3, float>("uniform", 20000, 2);
            Index<float> index(view<3>(sources), {}, Cpu(3));
            for (std::uint64_t budget : {0, 1})
                for (auto order : {Order::input, Order::z})
                    for (std::size_t m : {0, 5, 1000, 20000}) {
                        CAPTURE(m);
                        index.place() = Cpu(3, budget);
                        Points<float> const batch(queries[0].data(), m, 3);
                        CHECK(visits(knn(view<3>(sources), batch, {.k = 6, .order = order}),
                                     [&](auto const& visitor) {
                                         (void)knn_visit(index, batch, visitor,
                                                         {.k = 6, .order = order});
                                     }));
                    }
            for (bool const exclude_self : {false, true})
                for (auto order : {Order::input, Order::z})
                    CHECK(visits(
                        knn(view<3>(sources), {.k = 6, .exclude_self = exclude_self, .order = order}),
                        [&](auto const& visitor) {
                            (void)knn_visit(index, visitor,
                                            {.k = 6, .exclude_self = exclude_self, .order = order});
                        }));
        }
}

TEST_CASE("index: errors come before any visit, and what a visitor throws comes through") {
    auto const rows = make_points<3, float>("uniform", 5000, 1);
    Index const index(rows, {}, Cpu(2));
    std::atomic<int> calls = 0;
    auto const count = [&](index_t, Neighbours<float> const&) { ++calls; };
    auto const points = view<3>(rows);
    CHECK_THROWS_AS((void)knn_visit(index, points, count, {.k = 0}), InputError);
    CHECK_THROWS_AS((void)knn_visit(index, count, {.k = 0}), InputError);
    CHECK_THROWS_AS((void)knn_visit(index, Points(rows[0].data(), 5, 2), count, {.k = 1}), InputError);
    CHECK(calls == 0);
    auto const thrower = [](index_t row, Neighbours<float> const&) {
        if (row == 77) throw std::runtime_error("row 77");
    };
    for (std::size_t n : {100, 1000, 5000})  // here, by descents, by a walk
        CHECK_THROWS_WITH_AS((void)knn_visit(index, Points(rows[0].data(), n, 3), thrower, {.k = 4}),
                             "row 77", std::runtime_error);
    CHECK_THROWS_WITH_AS((void)knn_visit(index, thrower, {.k = 4}), "row 77", std::runtime_error);
}

TEST_CASE("index: owns its points") {
    auto sources = make_points<3, float>("uniform", 1000, 1);
    auto const expected = knn(sources, {.k = 4});
    Index first(sources);
    for (auto& p : sources) p = {7, 7, 7};
    Index const index = std::move(first);
    CHECK(same_bits(knn(index, {.k = 4}), expected));
    CHECK(index.size() == 1000);
    CHECK(index.dim() == 3);
    CHECK(index.box().empty());
    CHECK(Index(sources, {.box = {2, 0, 1}}).box() == std::vector<double>{2, 0, 1});
    CHECK(Index(sources, {.box = {2}}).box() == std::vector<double>{2, 2, 2});
}

TEST_CASE("index: refusals") {
    auto rows = make_points<3, double>("uniform", 1000, 1);
    auto const points = view<3>(rows);
    CHECK_THROWS_AS(Index<double>(points, {.box = {.5}}), InputError);
    CHECK_THROWS_AS(Index<double>(points, {.box = {1, 1}}), InputError);
    CHECK_THROWS_AS(Index<double>(points, {.tree = {.coarsening = 1}}), InputError);
    CHECK_THROWS_AS(Index<double>(Points<double>(rows[0].data(), 1, 65)), InputError);
    Index const open(rows), periodic(rows, {.box = {1}});
    CHECK_THROWS_WITH_AS((void)knn(open, points, {.k = 0}), doctest::Contains("k must be at least 1"),
                         InputError);
    CHECK_THROWS_AS((void)knn(open, {.k = -1}), InputError);
    CHECK_THROWS_AS((void)knn(open, points, {.k = index_t(1) << 40}), InputError);
    CHECK_THROWS_WITH_AS((void)knn(open, Points(rows[0].data(), 5, 2), {.k = 1}),
                         doctest::Contains("queries have 2 columns, but the points have 3"), InputError);
    Rows<3, double> outside{{.5, .5, 1.5}};
    CHECK_NOTHROW((void)knn(open, outside, {.k = 1}));
    CHECK_THROWS_WITH_AS((void)knn(periodic, outside, {.k = 1}), doctest::Contains("axis 2"),
                         InputError);
    for (std::size_t const row : {3, 999}) {
        auto bad = rows;
        bad[row][1] = std::nan("");
        CHECK_THROWS_WITH_AS((void)knn(open, bad, {.k = 1}),
                             doctest::Contains(("queries: row " + std::to_string(row)).c_str()),
                             InputError);
        CHECK_THROWS_AS(Index<double>(view<3>(bad)), InputError);
    }
}
