// Expansions against what they stand for: sums over masses.
#include "zwalk/gravity/detail/expansion.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace zwalk;

namespace {

struct Mass {
    Vec<3, double> at;
    double mass;
};
using V3 = Vec<3, double>;

V3 minus(V3 const& a, V3 const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

/// Masses within half a unit of `centre`, which is their centre of mass.
std::vector<Mass> cloud(V3 const& centre, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(-.4, .4);
    std::vector<Mass> masses;
    V3 mean{};
    double all = 0;
    for (int i = 0; i < 20; ++i) {
        Mass const m{{u(random), u(random), u(random)}, 1 + u(random)};
        for (int j = 0; j < 3; ++j) mean[j] += m.mass * m.at[j];
        all += m.mass;
        masses.push_back(m);
    }
    for (auto& m : masses)
        for (int j = 0; j < 3; ++j) m.at[j] += centre[j] - mean[j] / all;
    return masses;
}
Pull<double> direct(std::vector<Mass> const& masses, V3 const& x, double softening2) {
    Pull<double> r{};
    for (auto const& m : masses) {
        V3 const d = minus(m.at, x);
        double const g = 1 / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening2);
        r.sum += m.mass * g;
        for (int j = 0; j < 3; ++j) r.gradient[j] += m.mass * g * g * g * d[j];
    }
    return r;
}
template <int P>
Coefficients<P, double> moments_about(V3 const& centre, std::vector<Mass> const& masses) {
    Coefficients<P, double> all{};
    for (auto const& m : masses) {
        Coefficients<P, double> one{};
        one.at[0] = m.mass;
        shift_moments<P>(all, one, minus(centre, m.at));
    }
    return all;
}
double error(Pull<double> const& a, Pull<double> const& b) {
    V3 const d = minus(a.gradient, b.gradient);
    auto const length = [](V3 const& x) { return std::hypot(x[0], x[1], x[2]); };
    return length(d) / length(b.gradient);
}

}  // namespace

TEST_CASE_TEMPLATE("gravity: derivatives are those of 1 / sqrt(r^2 + softening^2)", T, float, double) {
    for (double const softening2 : {0., .5})
        for (double const scale : {1., 1e-3, 1e4}) {
            double const x = .3 * scale, y = -1.1 * scale, z = .7 * scale,
                         e2 = softening2 * scale * scale;
            double const r2 = x * x + y * y + z * z + e2, r = std::sqrt(r2);
            auto const d = derivatives<4>(Vec<3, T>{T(x), T(y), T(z)}, T(e2));
            using N = MultiIndices<4>;
            // By hand, e.g. d^2/dx dy r^-1 = 3 x y r^-5.
            struct Known {
                int i, j, k;
                double value;
            };
            double const r3 = r2 * r, r5 = r3 * r2, r7 = r5 * r2, r9 = r7 * r2;
            for (auto const& [i, j, k, value] :
                 {Known{0, 0, 0, 1 / r}, Known{1, 0, 0, -x / r3}, Known{0, 0, 1, -z / r3},
                  Known{2, 0, 0, 3 * x * x / r5 - 1 / r3}, Known{1, 1, 0, 3 * x * y / r5},
                  Known{1, 1, 1, -15 * x * y * z / r7}, Known{0, 3, 0, 9 * y / r5 - 15 * y * y * y / r7},
                  Known{0, 2, 1, 3 * z / r5 - 15 * y * y * z / r7},
                  Known{0, 0, 4, 9 / r5 - 90 * z * z / r7 + 105 * z * z * z * z / r9},
                  Known{2, 1, 1, -15 * y * z / r7 + 105 * x * x * y * z / r9}}) {
                INFO(i << j << k);
                CHECK(double(d.at[N::index(i, j, k)]) ==
                      doctest::Approx(value).epsilon(sizeof(T) == 4 ? 1e-4 : 1e-12));
            }
        }
}

TEST_CASE("gravity: indices are numbered without gaps") {
    using N = MultiIndices<5>;
    for (int i = 0; i < N::count; ++i) {
        auto const n = N::powers.at[i];
        CHECK(N::index(n.i, n.j, n.k) == i);
    }
}

TEST_CASE("gravity: moved moments are those about the other centre") {
    V3 const a{.1, .2, .3}, b{.4, -.3, .2};
    auto const masses = cloud({0, 0, 0}, 1);
    auto const wanted = moments_about<5>(b, masses), there = moments_about<5>(a, masses);
    Coefficients<5, double> moved{};
    shift_moments<5>(moved, there, minus(b, a));
    for (int i = 0; i < wanted.count; ++i)
        CHECK(moved.at[i] == doctest::Approx(wanted.at[i]).epsilon(1e-10));
}

TEST_CASE_TEMPLATE("gravity: a field is that of the masses, the better the higher the order", Order,
                   std::integral_constant<int, 2>, std::integral_constant<int, 3>,
                   std::integral_constant<int, 4>, std::integral_constant<int, 5>) {
    constexpr int P = Order::value;
    V3 const source{0, 0, 0}, target{2.5, -2, 3};
    for (double const softening2 : {0., .3})
        for (unsigned seed = 1; seed < 6; ++seed) {
            CAPTURE(seed);
            auto const masses = cloud(source, seed);
            Coefficients<P, double> field{};
            add_field<P>(field, moments_about<P>(source, masses), minus(target, source), softening2);
            V3 const x{2.7, -2.2, 2.9}, half{2.6, -1.9, 2.8};
            auto const wanted = direct(masses, x, softening2);
            auto const found = evaluate<P>(field, minus(x, target));
            // Each order is worth a factor of about the sizes over the distance, .2.
            double const bound = 2 * std::pow(.2, P);
            CHECK(error(found, wanted) < bound);
            CHECK(found.sum == doctest::Approx(wanted.sum).epsilon(bound));
            // Moved, it is the same polynomial.
            auto const moved = evaluate<P>(shift_field<P>(field, minus(half, target)), minus(x, half));
            CHECK(error(moved, found) < 1e-12);
            CHECK(moved.sum == doctest::Approx(found.sum).epsilon(1e-12));
        }
}
