// Packs: each operation, on each instruction set of this machine, has the bits of the plain one on every lane.
#include "zwalk/exec/pack.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <limits>
#include <numeric>
#include <vector>

using namespace zwalk;

namespace {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
/// The bits, or 1 for any NaN.
template <class T>
Bits<T> bits(T x) {
    return x != x ? Bits<T>(1) : std::bit_cast<Bits<T>>(x);
}

template <class T>
std::vector<T> numbers() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> x{0, T(-0.), 1, -1, T(.1), 3, T(-7.25), Limits::infinity(), -Limits::infinity()};
    x.insert(x.end(),
             {Limits::quiet_NaN(), Limits::max(), Limits::denorm_min(), Limits::min() / 3, T(1) / 3});
    return x;
}

/// Outcomes of all operations on three numbers, or on as many packs: numbers, then truths as 0 or 1.
template <class V, class Put>
void operate(V a, V b, V c, Put const& put) {
    put(a + b), put(a - b), put(a * b), put(a / b), put(-a);
    put(zwalk::sqrt_of(a)), put(zwalk::fma_of(a, b, c)), put(zwalk::abs_of(a)), put(min_of(a, b)),
        put(max_of(a, b));
    put(zwalk::select(a < b, a, c)), put(select(a <= b, a, c)), put(select(a == b, a, c));
    put(select(a > b, a, c)), put(select(a >= b, V(2), c)), put(select((a < b) & (b < c), a, c));
    put(select((a < b) | (b < c), a, 0)), put(select(a > 0, 1 - b, 0));
    V sum = a;
    sum += b, sum -= c, sum *= a, sum /= b;
    put(sum);
}

/// Whether kernels of this instruction set are there: the CPU must have it, and under sanitizers only one is compiled.
template <Isa isa>
bool runs() {
    bool here = false;
    if (isa <= best_isa()) with_isa(isa, [&]<Isa i>() { here = i == isa; });
    return here;
}

template <class T, Isa isa>
struct Outcome {
    std::vector<std::vector<T>> rows;
    std::vector<T> sums;
    std::vector<pos_t> counts;
    std::int64_t counted;  ///< of all masks, by LaneCounts
    std::vector<bool> any, all;
};

/// Packs of these lanes, by an instruction set.
template <class T, Isa isa>
Outcome<T, isa> packs(std::vector<T> const& a, std::vector<T> const& b, std::vector<T> const& c) {
    using V = Pack<T, isa>;
    Outcome<T, isa> out;
    with_isa(isa, [&]<Isa i>() {
        if constexpr (i == isa) {
            operate(V::load(a.data()), V::load(b.data()), V::load(c.data()),
                    [&](V const& r) { out.rows.emplace_back(r.lane, r.lane + V::width); });
            V const x = V::load(a.data()), y = V::load(b.data());
            out.sums.push_back(zwalk::sum_of(y));
            typename V::Counts counted;
            for (auto const& mask : {x < y, x <= y, (x < y) | (y < x), x == y, y < y, V(1) < V(2)}) {
                out.counts.push_back(zwalk::count_of(mask));
                counted += mask;
                out.any.push_back(any_of(mask));
                out.all.push_back(all_of(mask));
            }
            out.counted = counted.sum();
        }
    });
    return out;
}

template <class T, Isa isa>
void check() {
    if (!runs<isa>()) return;
    CAPTURE(name_of(isa));
    constexpr int W = simd_width<T>;
    auto const all = numbers<T>();
    std::size_t const n = all.size();
    for (std::size_t start = 0; start < n * n; ++start) {
        std::vector<T> a(W), b(W), c(W);
        for (std::size_t l = 0; l < std::size_t(W); ++l) {
            a[l] = all[(start + l) % n];
            b[l] = all[(start / n + 5 * l) % n];
            c[l] = all[(start + 3 * l + 2) % n];
        }
        auto const found = packs<T, isa>(a, b, c);
        std::vector<std::vector<T>> expected;
        pos_t counts[6]{0, 0, 0, 0, 0, pos_t(W)};
        for (std::size_t l = 0; l < std::size_t(W); ++l) {
            std::size_t row = 0;
            operate(a[l], b[l], c[l], [&](T r) {
                if (row == expected.size()) expected.emplace_back(W);
                expected[row++][l] = r;
            });
            T const x = a[l], y = b[l];
            counts[0] += count_of(x < y), counts[1] += count_of(x <= y);
            counts[2] += count_of((x < y) | (y < x)), counts[3] += count_of(x == y);
        }
        REQUIRE(found.rows.size() == expected.size());
        for (std::size_t row = 0; row < expected.size(); ++row)
            for (std::size_t l = 0; l < std::size_t(W); ++l) {
                INFO("operation " << row << ", lane " << l << ": " << a[l] << " " << b[l] << " "
                                  << c[l]);
                REQUIRE(bits(found.rows[row][l]) == bits(expected[row][l]));
            }
        for (std::size_t i = 0; i < 6; ++i) {
            REQUIRE(found.counts[i] == counts[i]);
            REQUIRE(found.any[i] == (counts[i] > 0));
            REQUIRE(found.all[i] == (counts[i] == pos_t(W)));
        }
        REQUIRE(found.counted == std::accumulate(counts, counts + 6, std::int64_t(0)));
    }
}

/// Sums of numbers that differ in size depend on the order: which is the same everywhere.
template <class T, Isa isa>
void check_sum() {
    if (!runs<isa>()) return;
    std::vector<T> x(simd_width<T>);
    for (std::size_t l = 0; l < x.size(); ++l) x[l] = T(1) / T(3 * l * l * l + 1);
    std::vector<T> half = x;
    for (std::size_t h = x.size() / 2; h > 0; h /= 2)
        for (std::size_t l = 0; l < h; ++l) half[l] += half[l + h];
    CHECK(packs<T, isa>(x, x, x).sums.front() == half[0]);
}

}  // namespace

TEST_CASE("packs have the bits of numbers, lane by lane") {
    check<float, Isa::baseline>();
    check<double, Isa::baseline>();
    check<float, Isa::avx2>();
    check<double, Isa::avx2>();
    check<float, Isa::avx512>();
    check<double, Isa::avx512>();
}

TEST_CASE("sums of lanes have one order") {
    check_sum<float, Isa::baseline>();
    check_sum<double, Isa::baseline>();
    check_sum<float, Isa::avx2>();
    check_sum<double, Isa::avx2>();
    check_sum<float, Isa::avx512>();
    check_sum<double, Isa::avx512>();
    CHECK(sum_of(2.5) == 2.5);
}
