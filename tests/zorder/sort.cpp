// Keys and the z-sort against big-integer Morton codes.
#include "zwalk/zorder/sort.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "support/listed.hpp"
#include "zorder/morton.hpp"
#include "zwalk/zorder/compare.hpp"
#include "zwalk/zorder/key.hpp"

using namespace zwalk;
using namespace zwalk::test;
using ::test::listed;

namespace {

/// The plan for all rows of x, as the z-sort makes it.
template <class T>
KeyPlan plan_of(std::vector<T> const& x, std::size_t dim) {
    KeyWindow windows[max_dim];
    for (std::size_t j = 0; j < dim; ++j) {
        T lo = x[j], hi = x[j];
        for (std::size_t i = j; i < x.size(); i += dim) {
            lo = std::min(lo, x[i]);
            hi = std::max(hi, x[i]);
        }
        windows[j] = key_window(lo, hi);
    }
    return make_key_plan(windows, int(dim));
}

template <class T>
std::vector<pos_t> exact_order(std::vector<T> const& x, std::size_t dim) {
    std::vector<pos_t> order(x.size() / dim);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](pos_t a, pos_t b) { return z_less(&x[a * dim], &x[b * dim], int(dim)); });
    return order;
}

template <class T>
Points<T> view(std::vector<T> const& x, std::size_t dim) {
    return {x.data(), x.size() / dim, int(dim)};
}

}  // namespace

TEST_CASE("bits are deposited where the mask has ones") {
    using Portable = Simd<Isa::baseline>;
    CHECK(Portable::deposit(0b101, 0b11010) == 0b10010);
    CHECK(Portable::deposit(~0ULL, 0x8000000000000001ULL) == 0x8000000000000001ULL);
    CHECK(Portable::deposit(1, 0) == 0);
}

TEST_CASE_TEMPLATE("keys are ordered as Morton codes but for ties", T, float, double) {
    std::mt19937_64 g(test_seed());
    for (std::size_t dim : {1U, 2U, 3U, 5U, 8U, 64U}) {
        for (int style = 0; style < int(Style::count); ++style) {
            CAPTURE(dim);
            CAPTURE(style);
            std::size_t const n = dim == 64 ? 20 : 60;
            auto const x = random_rows<T>(g, n, int(dim), Style(style), .1);
            KeyPlan const plan = plan_of(x, dim);
            std::vector<std::pair<Big, std::uint64_t>> both;
            for (std::size_t i = 0; i < n; ++i)
                both.emplace_back(morton_code(&x[i * dim], int(dim)), z_key(plan, &x[i * dim]));
            std::sort(both.begin(), both.end());
            for (std::size_t i = 1; i < n; ++i) {
                REQUIRE(both[i - 1].second <= both[i].second);
                if (both[i - 1].first == both[i].first) REQUIRE(both[i - 1].second == both[i].second);
            }
            // Progress: keys tell at least two points apart, unless all are equal.
            REQUIRE((both.front().second < both.back().second) ==
                    (both.front().first != both.back().first));
        }
    }
}

TEST_CASE_TEMPLATE("keys hold a full prefix: 64 bits for uniform points", T, float, double) {
    std::mt19937_64 g(test_seed());
    auto const x = random_rows<T>(g, 1000, 3, Style::uniform);
    KeyPlan const plan = plan_of(x, 3);
    REQUIRE(plan.count == 3);
    CHECK((plan.axes[0].mask | plan.axes[1].mask | plan.axes[2].mask) == ~0ULL);
    CHECK(plan.axes[0].width == 22);
    CHECK(plan.axes[2].width == 21);
    CHECK(!plan.axes[0].sign);
}

TEST_CASE("keys leave out bits that all points share") {
    // Axis 0 spans [0, 1), axis 1 is constant, axis 2 spans a 1024th, axis 3 has both signs.
    std::vector<double> const x{0, 5, 0, -1, .75, 5, 1. / 1024, 1};
    KeyPlan const plan = plan_of(x, 4);
    REQUIRE(plan.count == 3);
    KeyAxis const &a = plan.axes[0], &b = plan.axes[1], &c = plan.axes[2];
    CHECK((a.axis == 0 && b.axis == 2 && c.axis == 3));
    CHECK((c.sign && (c.mask >> 63) == 1));  // the sign comes first, then 1 of axis 3,
    CHECK(c.low + c.width - 1 == 0);         // whose larger exponents are left out,
    CHECK(a.low + a.width - 1 == -1);        // then 1/2 of axis 0, ...
    CHECK(b.low + b.width - 1 == -10);       // ... and axis 2 from 1/1024 on
    CHECK(((c.mask >> 62) & 1) == 1);
    CHECK(((a.mask >> 61) & 1) == 1);
    CHECK(((c.mask >> 60) & 1) == 1);
    CHECK((a.mask | b.mask | c.mask) == ~0ULL);
}

TEST_CASE_TEMPLATE("z_sort is the stable order of the comparator", T, float, double) {
    std::mt19937_64 g(test_seed());
    for (std::size_t dim : {1U, 2U, 3U, 5U, 8U, 64U}) {
        for (int style = 0; style < int(Style::count); ++style) {
            for (std::size_t n : {0U, 1U, 2U, 3U, 33U, 1000U}) {
                CAPTURE(dim);
                CAPTURE(style);
                auto const x = random_rows<T>(g, n, int(dim), Style(style), n % 2 ? .5 : .9);
                REQUIRE(listed(z_sort(Cpu(1), view(x, dim))) == exact_order(x, dim));
            }
        }
    }
}

TEST_CASE_TEMPLATE("z_sort: hard sets, and one answer for any number of threads", T, float, double) {
    std::mt19937_64 g(test_seed());
    std::size_t const n = 150'000;
    std::uniform_real_distribution<T> unit(0, 1);
    std::cauchy_distribution<T> cauchy;
    std::vector<std::vector<T>> sets;
    sets.push_back(random_rows<T>(g, n, 2, Style::scales, .3));
    sets.push_back(random_rows<T>(g, n, 2, Style::few));
    sets.emplace_back(2 * n, T(.3));                                          // all equal
    auto& clumps = sets.emplace_back(random_rows<T>(g, n, 2, Style::clump));  // two narrow clumps
    for (std::size_t i = 0; i < n; ++i) clumps[i] -= T(i % 3 / 2);
    auto& outlier = sets.emplace_back(random_rows<T>(g, n, 2, Style::uniform));
    outlier[n] = T(1e15);
    auto& tails = sets.emplace_back(2 * n);
    for (T& x : tails) x = cauchy(g);
    auto& scales = sets.emplace_back(2 * n);  // more rounds of keys than are worth it
    for (std::size_t i = 0; i < 2 * n; ++i)
        scales[i] = std::ldexp(T(1 + int(g() % 5)),
                               int(g() % (sizeof(T) == 4 ? 240 : 2000)) - (sizeof(T) == 4 ? 140 : 1050));
    auto& line = sets.emplace_back(2 * n);
    for (std::size_t i = 0; i < n; ++i) line[2 * i] = line[2 * i + 1] = unit(g);
    for (auto const& x : sets) {
        auto const order = listed(z_sort(Cpu(1), view(x, 2)));
        CHECK(order == exact_order(x, 2));
        CHECK(order == listed(z_sort(Cpu(2), view(x, 2))));
        CHECK(order == listed(z_sort(Cpu(5), view(x, 2))));
    }
}

TEST_CASE("zero columns don't change the order") {
    std::mt19937_64 g(test_seed());
    auto const x = random_rows<double>(g, 3000, 3, Style::scales, .1);
    std::vector<double> padded;
    for (std::size_t i = 0; i < 3000; ++i) {
        padded.insert(padded.end(), &x[3 * i], &x[3 * i] + 3);
        padded.insert(padded.end(), {0., i % 2 ? 0. : -0.});
    }
    CHECK(z_sort(Cpu(2), view(x, 3)) == z_sort(Cpu(2), view(padded, 5)));
}
