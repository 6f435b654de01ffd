// The oracle of the z-order tests: whole Morton codes as big integers, and random coordinates.
#pragma once
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "zwalk/zorder/detail/float_bits.hpp"

namespace zwalk::test {

using Big = boost::multiprecision::cpp_int;

/// x as a fixed-point number with lowest bit 2^emin, its sign (1: not negative) in front at weight
/// 2^emax, complemented if negative; built by arithmetic, not from the bits of x.
template <class T>
Big fixed_point(T x) {
    using L = FloatLayout<T>;
    Big const sign = Big(1) << (L::emax - L::emin);
    int e = 0;
    T const m = std::frexp(std::abs(x), &e);  // |x| = m 2^e, m in [1/2, 1)
    auto const digits = std::uint64_t(std::ldexp(m, L::fraction_bits + 1));
    int const shift = e - (L::fraction_bits + 1) - L::emin;
    Big const v = shift >= 0 ? Big(digits) << shift : Big(digits) >> -shift;
    return x < 0 ? Big(sign - 1 - v) : Big(sign + v);
}

/// The whole Morton code: all signs, then all bits of weight 2^(emax - 1), ... down to 2^emin.
template <class T>
Big morton_code(T const* p, int dim) {
    using L = FloatLayout<T>;
    int const bits = L::emax - L::emin + 1;
    Big code = 0;
    for (int j = 0; j < dim; ++j) {
        Big const f = fixed_point(p[j]);
        for (int b = 0; b < bits; ++b)
            if (bit_test(f, unsigned(b))) bit_set(code, unsigned(b * dim + dim - 1 - j));
    }
    return code;
}

/// Level of two points from their codes (eq. 5): one above the highest differing bit.
template <class T>
int morton_level(Big const& a, Big const& b, int dim) {
    return int(msb(Big(a ^ b))) + 1 + FloatLayout<T>::emin * dim;
}

enum class Style { bits, uniform, scales, few, clump, count };

/// One finite coordinate: any bit pattern; uniform; spread over all exponents; one of a few awkward
/// values (+-0, subnormals, extremes); a narrow clump.
template <class T>
T random_coordinate(std::mt19937_64& g, Style style) {
    using Limits = std::numeric_limits<T>;
    using Bits = typename FloatLayout<T>::Bits;
    std::uniform_real_distribution<T> unit(0, 1);
    switch (style) {
        case Style::bits: {
            T x = 0;
            do x = std::bit_cast<T>(Bits(g()));
            while (!std::isfinite(x));
            return x;
        }
        case Style::uniform:
            return unit(g);
        case Style::scales: {
            int const e = int(g() % unsigned(Limits::max_exponent - Limits::min_exponent + 30));
            T const x = std::ldexp(unit(g), Limits::min_exponent - 30 + e);
            return g() % 2 ? x : -x;
        }
        case Style::few: {
            T const values[] = {0,
                                T(-0.),
                                1,
                                -1,
                                T(1.5),
                                2,
                                Limits::denorm_min(),
                                -Limits::denorm_min(),
                                Limits::min(),
                                Limits::max(),
                                -Limits::max()};
            return values[g() % std::size(values)];
        }
        default:
            return 1 + 16 * Limits::epsilon() * unit(g);
    }
}

/// n rows of `dim` coordinates; `copies` of the rows (on average) repeat an earlier one.
template <class T>
std::vector<T> random_rows(std::mt19937_64& g, std::size_t n, int dim, Style style, double copies = 0) {
    std::vector<T> x;
    std::uniform_real_distribution<double> unit(0, 1);
    auto const d = std::size_t(dim);
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0 && unit(g) < copies) {
            std::size_t const from = (g() % i) * d;
            for (std::size_t j = 0; j < d; ++j) x.push_back(x[from + j]);
        } else {
            for (std::size_t j = 0; j < d; ++j) x.push_back(random_coordinate<T>(g, style));
        }
    }
    return x;
}

/// A fresh seed per run, printed, or the one in ZWALK_TEST_SEED.
inline std::uint64_t test_seed() {
    static std::uint64_t const seed = [] {
        char const* const given = std::getenv("ZWALK_TEST_SEED");
        std::uint64_t const s = given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
        std::printf("ZWALK_TEST_SEED=%llu\n", static_cast<unsigned long long>(s));
        return s;
    }();
    return seed;
}

}  // namespace zwalk::test
