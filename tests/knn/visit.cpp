// knn_visit and the reductions, beside what knn() returns.
#include <atomic>
#include <stdexcept>

#include "knn/check.hpp"
#include "zwalk/knn/reduce.hpp"

using namespace test;

namespace {

template <class T>
bool same_as_knn(Points<T> sources, Points<T> const* queries, KnnOptions const& o,
                 Cpu const& cpu = Cpu()) {
    auto const expected = queries ? knn(sources, *queries, o, cpu) : knn(sources, o, cpu);
    return visits(expected, [&](Seen<T> const& visitor) {
        if (queries) (void)knn_visit(sources, *queries, visitor, o, cpu);
        else (void)knn_visit(sources, visitor, o, cpu);
    });
}

}  // namespace

TEST_CASE("knn_visit: every row once, with the neighbours of knn") {
    for (auto const& kind : kinds())
        for (index_t k : {1, 7, 16, 40, 200}) {
            CAPTURE(kind);
            CAPTURE(k);
            auto const rows = make_points<3, float>(kind, 500, 1);
            auto const queries = make_points<3, float>("uniform", 100, 2);
            Points<float> const targets = view<3>(queries);
            CHECK(same_as_knn<float>(view<3>(rows), nullptr, {.k = k, .exclude_self = k == 7}, Cpu(3)));
            CHECK(same_as_knn<float>(view<3>(rows), &targets, {.k = k}));
            CHECK(same_as_knn<float>(view<3>(rows), &targets, {.k = k, .order = Order::z}));
        }
    auto const sources = make_points<3, float>("clustered", 30000, 1);
    auto const many = make_points<3, float>("uniform", 20000, 2);  // three batches
    Points<float> const targets = view<3>(many);
    for (Order order : {Order::input, Order::z})
        CHECK(same_as_knn<float>(view<3>(sources), &targets, {.k = 5, .order = order}, Cpu(0, 1)));
    for (std::size_t n : {0, 1, 5}) {
        auto const rows = make_points<2, double>("uniform", n, 1);
        CHECK(same_as_knn<double>(view<2>(rows), nullptr, {.k = 6, .exclude_self = true}));
    }
}

TEST_CASE("knn_visit: errors come before any call, and what a visitor throws comes through") {
    auto const rows = make_points<3, float>("uniform", 5000, 1);
    std::atomic<int> calls = 0;
    auto const count = [&](index_t, Neighbours<float> const&) { ++calls; };
    CHECK_THROWS_AS((void)knn_visit(view<3>(rows), count, {.k = 0}), InputError);
    CHECK(calls == 0);
    auto const thrower = [](index_t row, Neighbours<float> const&) {
        if (row == 77) throw std::runtime_error("row 77");
    };
    CHECK_THROWS_WITH_AS((void)knn_visit(view<3>(rows), thrower, {}, Cpu(2)), "row 77",
                         std::runtime_error);
}

TEST_CASE_TEMPLATE("reductions: by their definitions from the lists of knn", T, float, double) {
    std::size_t const n = 3000;
    auto const rows = make_points<3, T>("clustered", n, 5);
    KnnOptions const options{.k = 24};
    auto const lists = knn(view<3>(rows), options);
    std::vector<T> radius(n), ball(n), sph(n), mass(n);
    Random r(3);
    for (T& m : mass) m = T(.5 + r.uniform());
    (void)knn_visit(view<3>(rows), KthDistance<T>{radius.data(), 24}, options);
    (void)knn_visit(view<3>(rows), BallDensity<T>{ball.data(), 3}, options);
    (void)knn_visit(view<3>(rows), SphDensity<T>{sph.data(), 3, mass.data()}, options);
    double const pi = 3.14159265358979323846;
    for (std::size_t i = 0; i < n; ++i) {
        T const* const d = &lists.distances[i * 24];
        double const h = d[23];
        REQUIRE(radius[i] == d[23]);
        REQUIRE(double(ball[i]) == doctest::Approx(24 / (4 * pi / 3 * h * h * h)).epsilon(1e-5));
        double sum = 0;
        for (int j = 0; j < 24; ++j) {
            double const q = double(d[j]) / h;
            double const w = q < .5 ? 1 - 6 * q * q + 6 * q * q * q : 2 * std::pow(1 - q, 3);
            sum += double(mass[std::size_t(lists.indices[i * 24 + std::size_t(j)])]) * w;
        }
        REQUIRE(double(sph[i]) == doctest::Approx(sum * 8 / pi / (h * h * h)).epsilon(1e-4));
    }
}

TEST_CASE("reductions: uniform points have the density that they were made with") {
    auto const mean_of = [](auto const& rows, auto const& reduction, auto const& value) {
        KnnOptions const options{.k = 60, .box = {1}};
        (void)knn_visit(Points<double>(rows), reduction, options);
        double sum = 0;
        for (double v : value) sum += v;
        return sum / double(value.size());
    };
    std::size_t const n = 20000;
    std::vector<double> v(n);
    CHECK(mean_of(make_points<1, double>("uniform", n, 1), SphDensity<double>{v.data(), 1}, v) ==
          doctest::Approx(double(n)).epsilon(.1));
    CHECK(mean_of(make_points<2, double>("uniform", n, 1), SphDensity<double>{v.data(), 2}, v) ==
          doctest::Approx(double(n)).epsilon(.1));
    // The point's own share, W(0, h), is 2.55 of 14.3 points per h^3.
    CHECK(mean_of(make_points<3, double>("uniform", n, 1), SphDensity<double>{v.data(), 3}, v) ==
          doctest::Approx(double(n)).epsilon(.25));
    CHECK(mean_of(make_points<4, double>("uniform", n, 1), BallDensity<double>{v.data(), 4}, v) ==
          doctest::Approx(double(n)).epsilon(.1));
}
