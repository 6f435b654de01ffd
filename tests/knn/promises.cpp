// kNN: one answer, orders, refusals, cost.
#include "knn/check.hpp"
#include "support/sanitized.hpp"

using namespace test;

namespace {

/// What an InputError says, "" if there is none.
template <class F>
std::string refusal(F const& f) {
    try {
        f();
    } catch (InputError const& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("kNN: same bits for any number of threads and any tree") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "heavy"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, fewer(30000, 3), 1);
        auto const expected = knn(view<3>(rows), {.k = 16}, Cpu(1));
        for (int threads : {2, 5})
            CHECK(same_bits(knn(view<3>(rows), {.k = 16}, Cpu(threads)), expected));
        for (pos_t leaf : {1, 7, 32, 200})
            CHECK(same_bits(knn(view<3>(rows), {.k = 16, .tree = {.leaf_size = leaf}}), expected));
        CHECK(same_bits(knn(view<3>(rows), {.k = 16, .tree = {.coarsening = 2, .top_nodes = 1}}),
                        expected));
        CHECK(same_bits(knn(view<3>(rows), {.k = 16, .tree = {.volume_ratio = 0}}), expected));
    }
}

TEST_CASE("kNN: rows of large results, which go past the caches, are those of others") {
    // 270000 rows of 16 are 35 MB of indices, and of distances in double: whole cache lines. Rows of 17 are none.
    auto const check = []<class T>(T, KnnOptions options, std::size_t points, std::size_t queries) {
        auto const rows = make_points<2, T>("uniform", points, 7),
                   others = make_points<2, T>("clustered", queries, 8);
        auto const find = [&](index_t k) {
            options.k = k;
            return queries ? knn(view<2>(rows), view<2>(others), options, Cpu(2))
                           : knn(view<2>(rows), options, Cpu(2));
        };
        auto const whole = find(16), more = find(17);
        REQUIRE(whole.rows == more.rows);
        bool same = true;
        for (std::size_t row = 0; row < whole.rows; ++row)
            for (std::size_t i = 0; i < 16; ++i)
                same &= whole.indices[row * 16 + i] == more.indices[row * 17 + i] &&
                        whole.distances[row * 16 + i] == more.distances[row * 17 + i];
        CHECK(same);
    };
    check(float(), {}, 270'000, 0);
    check(double(), {.order = Order::z}, 270'000, 0);
    check(double(), {}, 20'000, 270'000);
}

TEST_CASE("kNN: a guess that was too small changes nothing but the time") {
    // Density jumps between leaves that follow each other on the curve.
    auto rows = make_points<3, float>("clustered", fewer(20000, 2), 4);
    auto const lone = make_points<3, float>("uniform", 2000, 5);
    rows.insert(rows.end(), lone.begin(), lone.end());
    for (index_t k : {2, 16, 40, 200}) {
        CAPTURE(k);
        KnnOptions const o{.k = k};
        Cpu const one(1);
        auto const self = knn(view<3>(rows), o, one);
        CHECK(count_of(self.stats, "started_again") > 0);
        CHECK(count_of(self.stats, "started_again") < rows.size() / 4);
        CHECK(equals_brute_force(self, view<3>(rows), view<3>(rows), o, fewer(2000, 4)));
        auto const other = knn(view<3>(rows), view<3>(lone), o, one);
        CHECK(equals_brute_force(other, view<3>(rows), view<3>(lone), o, fewer(2000, 4)));
    }
}

TEST_CASE("kNN: padding with zero columns changes nothing") {
    auto const rows = make_points<3, double>("clustered", 2000, 2);
    Rows<5, double> padded(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (int j = 0; j < 3; ++j) padded[i][j] = rows[i][j];
    CHECK(same_bits(knn(view<5>(padded), {.k = 12}), knn(view<3>(rows), {.k = 12})));
}

TEST_CASE("kNN: sampled rows of larger sets") {
    CHECK(self_query_right<3, float>(make_points<3, float>("uniform", 100000, 3), {.k = 16}, 50));
    CHECK(self_query_right<3, float>(make_points<3, float>("clustered", 100000, 3), {.k = 33}, 50));
    CHECK(self_query_right<2, double>(make_points<2, double>("normal", 100000, 3), {.k = 8}, 50));
    CHECK(self_query_right<3, double>(make_points<3, double>("grid", 100000, 3), {.k = 27, .box = {100}},
                                      50));
    CHECK(self_query_right<8, float>(make_points<8, float>("normal", 5000, 3), {.k = 5}, 50));
}

TEST_CASE("kNN: z-order is as if the points had been passed in z-order") {
    auto const rows = make_points<3, float>("clustered", 3000, 4);
    auto const z = knn(view<3>(rows), {.k = 5, .order = Order::z});
    CHECK(listed(z.row_order) == z_order(view<3>(rows)));
    CHECK(z.row_order == z.source_order);
    Rows<3, float> sorted;
    for (pos_t const i : z.row_order) sorted.push_back(rows[i]);
    CHECK(same_bits(z, knn(view<3>(sorted), {.k = 5})));

    auto const queries = make_points<3, float>("uniform", 500, 5);
    auto const q = knn(view<3>(rows), view<3>(queries), {.k = 5, .order = Order::z});
    auto const plain = knn(view<3>(rows), view<3>(queries), {.k = 5});
    REQUIRE(q.row_order.size() == 500);
    for (std::size_t i = 0; i < 500; ++i)
        for (std::size_t j = 0; j < 5; ++j) {
            std::size_t const row = q.row_order[i];
            CHECK(index_t(q.source_order[std::size_t(q.indices[i * 5 + j])]) ==
                  plain.indices[row * 5 + j]);
            CHECK(q.distances[i * 5 + j] == plain.distances[row * 5 + j]);
        }
}

TEST_CASE("kNN: the README's call") {
    std::vector<std::array<float, 3>> const points{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    auto const r = zwalk::knn(points, {.k = 2});
    for (std::size_t i = 0; i < r.rows; ++i) {  // point i and its nearest other point
        index_t const neighbour = r.indices[i * r.columns + 1];
        float const distance = r.distances[i * r.columns + 1];
        CHECK(distance == (i == 2 ? 2.f : 1.f));
        CHECK(neighbour == (i == 0 ? 1 : 0));
    }
    CHECK(r.indices[0] == 0);
    CHECK(r.indices[1] == 1);
    CHECK(r.distances[1] == 1);
}

TEST_CASE("kNN: refusals say what, where and what to do") {
    auto rows = make_points<3, double>("uniform", 10, 1);
    auto const points = view<3>(rows);
    CHECK(refusal([&] { (void)knn(points, {.k = 0}); }).find("k must be at least 1") == 0);
    CHECK(refusal([&] { (void)knn(points, {.k = -3}); }).find("-3") != std::string::npos);
    CHECK(refusal([&] { (void)knn(points, points, {.exclude_self = true}); }) != "");
    CHECK(refusal([&] { (void)knn(points, {.box = {1, 1}}); }).find("2 lengths") != std::string::npos);
    CHECK(refusal([&] { (void)knn(points, {.box = {.5}}); }) != "");
    CHECK(refusal([&] { (void)knn(points, {.box = {-1}}); }) != "");
    CHECK(refusal([&] { (void)knn(points, {.box = {std::nan("")}}); }) != "");
    CHECK(refusal([&] {
              (void)knn(points, view<2>(make_points<2, double>("grid", 3, 1)), {});
          }).find("columns") != std::string::npos);
    CHECK(refusal([&] { (void)knn(Points<double>(rows[0].data(), 0, 65)); }) != "");
    CHECK(refusal([&] { (void)knn(points, {.tree = {.coarsening = 1}}); }) != "");
    rows[7][2] = std::numeric_limits<double>::quiet_NaN();
    auto const nan = refusal([&] { (void)knn(points); });
    CHECK(nan.find("row 7") != std::string::npos);
    CHECK(nan.find("column 2") != std::string::npos);
    CHECK(refusal([&] {
              (void)knn(view<3>(Rows<3, double>{{0, 0, 0}}), points, {});
          }).find("queries") != std::string::npos);
}

TEST_CASE("kNN: never quadratic: list entries per point stay within 3x of uniform data") {
    std::size_t const n = 50000;
    auto const cost = [&](std::string const& kind) {
        auto const rows = make_points<3, float>(kind, n, 3);
        auto const r = knn(view<3>(rows), {.k = 16});
        return count_of(r.stats, "node_entries");
    };
    auto const uniform = cost("uniform");
    for (auto const& kind : kinds()) {
        auto const entries = cost(kind);
        MESSAGE(kind << ": " << double(entries) / double(uniform) << " x uniform");
        // "huge" spreads points over 74 decades: most squared distances vanish against others. Its
        // lists are longer, and it takes 3x as long (docs/performance.md). A thread's guesses depend
        // on what it had before, so counts differ a little from run to run.
        CHECK(entries <= (kind == "huge" ? 45 : 3) * uniform);
    }
}
