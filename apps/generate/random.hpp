// Random numbers by counting: number c of stream s is a hash of (s, c), so that every point can be
// made on its own, in any order, with the same bits on every machine.
#pragma once
#include <cmath>
#include <cstdint>

namespace zwalk::apps {

/// The finaliser of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014): a bijection whose every output bit depends on every input bit.
constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// A stream of hashes; streams with different keys are independent for our purposes.
class Random {
  public:
    constexpr explicit Random(std::uint64_t key) : state_(mix(key + 0x9e3779b97f4a7c15U)) {}

    /// The stream that belongs to `key` inside this one.
    [[nodiscard]] constexpr Random split(std::uint64_t key) const {
        return Random(state_ ^ mix(key + 0xd1b54a32d192ed03U));
    }
    constexpr std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15U); }
    /// Uniform in [0, 1), a multiple of 2^-53.
    constexpr double uniform() { return double(next() >> 11) * 0x1p-53; }

    /// Standard normal, by Marsaglia's polar method.
    double normal() {
        for (;;) {
            double const u = 2 * uniform() - 1, v = 2 * uniform() - 1, s = u * u + v * v;
            if (s > 0 && s < 1) return u * std::sqrt(-2 * portable_log(s) / s);
        }
    }

    /// log(x) by operations that IEEE 754 rounds exactly: std::log differs between C libraries in
    /// the last bit, and files must not.
    static double portable_log(double x) {
        int exponent = 0;
        double m = std::frexp(x, &exponent);
        if (m < 0.70710678118654752) m *= 2, --exponent;
        double const t = (m - 1) / (m + 1), t2 = t * t;  // log m = 2 artanh t, t2 < 0.0295
        double sum = 0;
        for (int i = 23; i >= 1; i -= 2) sum = sum * t2 + 1.0 / i;
        return 2 * t * sum + exponent * 0.69314718055994531;
    }

  private:
    std::uint64_t state_;
};

/// A bijection of [0, n): a shuffle that needs no memory. (A Feistel network on the next even
/// number of bits; values that fall outside go round again.)
class Permutation {
  public:
    Permutation(std::uint64_t n, Random key) : n_(n), key_(key) {
        while (bits_ < 31 && (std::uint64_t(1) << 2 * bits_) < n) ++bits_;
    }
    std::uint64_t operator()(std::uint64_t i) const {
        do i = round_trip(i);
        while (i >= n_);
        return i;
    }

  private:
    [[nodiscard]] std::uint64_t round_trip(std::uint64_t i) const {
        std::uint64_t const mask = (std::uint64_t(1) << bits_) - 1;
        std::uint64_t a = i >> bits_, b = i & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            std::uint64_t const f = key_.split(round << 32 | b).next() & mask;
            std::uint64_t const c = a ^ f;
            a = b, b = c;
        }
        return a << bits_ | b;
    }
    std::uint64_t n_;
    Random key_;
    int bits_ = 1;
};

}  // namespace zwalk::apps
