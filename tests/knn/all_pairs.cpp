// kNN by all pairs: the same bits as brute force and as the walk, and taken where lists are dense.
#include "zwalk/walk/all_pairs.hpp"
#include "knn/check.hpp"
#include "support/ways.hpp"
#include "zwalk/nearest/rows.hpp"
#include "zwalk/nearest/trait.hpp"

using namespace test;

namespace {

template <class T>
bool took_all_pairs(KnnResult<T> const& r) {
    return count_of(r.stats, "all_pairs") == 1;
}

template <int D, class T>
KnnResult<T> asked_knn(bool all_pairs, Rows<D, T> const& rows, KnnOptions const& options,
                       Cpu const& cpu = Cpu()) {
    AskedAllPairs const asked(all_pairs);
    auto r = knn(view<D>(rows), options, cpu);
    CHECK(took_all_pairs(r) == all_pairs);
    return r;
}

template <int D, class T>
void right_for(std::vector<std::string> const& kinds, std::size_t n) {
    if (D > ZWALK_MAX_DIM) return;
    for (auto const& kind : kinds) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (index_t k : {1, 16, 70}) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(k);
            KnnOptions const options{.k = k, .exclude_self = k == 16};
            auto const r = asked_knn<D>(true, rows, options);
            CHECK(equals_brute_force(r, view<D>(rows), view<D>(rows), options));
            CHECK(same_bits(r, asked_knn<D>(false, rows, options)));
        }
    }
}

/// Uniform in [0, length)^D, some coordinates on the faces.
template <int D, class T>
Rows<D, T> in_box(std::size_t n, T length, std::uint64_t seed) {
    auto rows = make_points<D, T>("uniform", n, seed);
    Random r(seed);
    for (auto& p : rows)
        for (T& x : p) x = r.below(20) ? x * length : T(r.below(2)) * length;
    return rows;
}

template <int D, class T>
void right_in_box(std::size_t sources, std::size_t queries, T length, KnnOptions const& options) {
    if (D > ZWALK_MAX_DIM) return;
    auto const from = in_box<D, T>(sources, length, 1), to = in_box<D, T>(queries, length, 2);
    CHECK(equals_brute_force(knn(view<D>(from), view<D>(to), options), view<D>(from), view<D>(to),
                             options));
}

/// Points on a two-dimensional plane through D dimensions.
template <int D>
Rows<D, float> sheet(std::size_t n) {
    Random r(3);
    std::array<std::array<double, 2>, D> axes;
    for (auto& a : axes) a = {r.normal(), r.normal()};
    Rows<D, float> rows(n);
    for (auto& p : rows) {
        double const u = r.uniform(), v = r.uniform();
        for (int j = 0; j < D; ++j) p[j] = float(axes[j][0] * u + axes[j][1] * v);
    }
    return rows;
}

}  // namespace

TEST_CASE("all pairs: every kind of points, as brute force and as the walk") {
    right_for<5, float>(kinds(), 200);
    right_for<6, double>(kinds(), 300);
    right_for<8, float>(kinds(), 200);
    std::vector<std::string> const some{"uniform", "clustered", "zeros", "equal", "huge"};
    right_for<10, double>(some, 200);
    right_for<16, float>(some, 200);
    right_for<27, float>(some, 150);
    right_for<27, double>(some, 150);
    right_for<64, float>(some, 130);
    right_for<64, double>(some, 130);
}

TEST_CASE("all pairs: few points, more neighbours than points") {
    for (std::size_t n : {0, 1, 2, 7, 8, 9, 63, 64, 65, 129})
        for (index_t k : {1, 8, 64, 200}) {
            CAPTURE(n);
            CAPTURE(k);
            KnnOptions const options{.k = k, .exclude_self = n % 2 == 0};
            auto const rows = make_points<6, float>("uniform", n, 5);
            auto const r = asked_knn<6>(true, rows, options);
            CHECK(equals_brute_force(r, view<6>(rows), view<6>(rows), options));
        }
    auto const rows = make_points<5, double>("normal", 4000, 6);
    for (index_t k : {1000, 4000}) {
        auto const r = asked_knn<5>(true, rows, {.k = k});
        CHECK(equals_brute_force(r, view<5>(rows), view<5>(rows), {.k = k}, 10));
    }
}

TEST_CASE("all pairs: periodic axes and separate queries") {
    AskedAllPairs const asked(true);
    right_in_box<5, float>(300, 200, 1, {.k = 9, .box = {1}});
    right_in_box<5, double>(300, 1, .1, {.k = 9, .box = {.1, 0, .1, 0, .1}});
    right_in_box<5, float>(10, 500, 1, {.k = 12});
    right_in_box<5, float>(0, 50, 1, {.k = 2});
    right_in_box<11, double>(200, 90, 1, {.k = 3, .box = {1}});
    right_in_box<16, float>(300, 200, 1, {.k = 9, .box = {1}});
}

TEST_CASE("all pairs: same bits for any number of threads and every instruction set") {
    auto const rows = make_points<8, float>("uniform", 3000, 1);
    auto const expected = asked_knn<8>(false, rows, {.k = 20, .order = Order::z}, Cpu(1));
    for (int threads : {1, 2, 5})
        CHECK(same_bits(asked_knn<8>(true, rows, {.k = 20, .order = Order::z}, Cpu(threads)), expected));
    Cpu const cpu(2);
    cpu.run([&] {
        auto const tree = build_tree(cpu, view<8>(rows), 8);
        for (Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
            if (isa > best_isa()) continue;
            KnnResult<float> r;
            r.rows = rows.size();
            r.columns = 20;
            r.indices = Buffer<index_t>(r.rows * r.columns);
            r.distances = Buffer<float>(r.rows * r.columns);
            Nearest<8, float, NearestRows<float>> const trait(
                20, {r.columns, r.indices.data(), r.distances.data()});
            all_pairs(trait, Open<8, float>{}, {tree.points<8>(), tree.points<8>(), {}, {}}, 8, isa);
            CHECK(same_bits(r, expected));
        }
    });
}

TEST_CASE("all pairs: taken for scattered points in many dimensions, not for a sheet among them") {
    if (ZWALK_MAX_DIM < 32) return;
    for (int threads : {1, 3}) {
        KnnOptions const options{.k = 16};
        Cpu const cpu(threads);
        auto const uniform = make_points<32, float>("uniform", 20000, 1);
        CHECK(took_all_pairs(knn(view<32>(uniform), options, cpu)));
        CHECK_FALSE(took_all_pairs(knn(view<32>(sheet<32>(20000)), options, cpu)));
        auto const flat = make_points<3, float>("uniform", 20000, 1);
        CHECK_FALSE(took_all_pairs(knn(view<3>(flat), options, cpu)));
        CHECK_FALSE(took_all_pairs(knn(view<32>(Rows<32, float>{}), options, cpu)));
    }
}
