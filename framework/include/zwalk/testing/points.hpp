// Points of the kinds that algorithms on trees go wrong with, the same on every machine.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace zwalk { inline namespace v0 { namespace testing {

template <int D, class T>
using Rows = std::vector<std::array<T, D>>;

/// Uniform numbers from a fixed generator (std::uniform_real_distribution differs by library).
class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::uint64_t bits() { return engine_(); }
    double uniform() { return double(engine_() >> 11) * 0x1p-53; }
    std::uint64_t below(std::uint64_t n) { return engine_() % n; }
    double normal() {
        double const u = 1 - uniform(), v = uniform();
        return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
    }

  private:
    std::mt19937_64 engine_;
};

/// Every kind of points; see make_points.
inline std::vector<std::string> const& kinds() {
    static std::vector<std::string> const all{
        "uniform", "normal", "grid",  "graded", "clustered", "sites40", "equal", "line",     "plane",
        "outlier", "clumps", "signs", "zeros",  "lattice24", "heavy",   "huge",  "subnormal"};
    return all;
}

/// n points of one of kinds(), the same for the same seed. O(n).
/// @throws std::invalid_argument  another kind
///
///   uniform, normal, clustered, graded, heavy   smooth, clumps of many sizes, denser to the middle, far tails
///   equal, sites40, lattice24                   one place for all, 40 or 24 points at a place
///   grid, line, plane, zeros                    ties of distances, fewer dimensions, -0 and +0
///   outlier, huge, clumps, signs, subnormal     large and small numbers, far from and close to each other
template <int D, class T>
Rows<D, T> make_points(std::string const& kind, std::size_t n, std::uint64_t seed) {
    if (std::find(kinds().begin(), kinds().end(), kind) == kinds().end())
        throw std::invalid_argument("no kind of points has the name " + kind);
    Random r(seed * 7919 + 17);
    Rows<D, T> rows(n);
    auto const uniform = [&] {
        std::array<T, D> p;
        for (T& x : p) x = T(r.uniform());
        return p;
    };
    std::size_t const side = std::size_t(std::ceil(std::pow(double(n ? n : 1), 1. / D) - 1e-9));
    Rows<D, T> sites(n / 40 + 1), centres(n / 100 + 1);
    for (auto& s : sites) s = uniform();
    for (auto& c : centres) c = uniform();
    std::array<T, D> const dir = uniform();
    for (std::size_t i = 0; i < n; ++i) {
        std::array<T, D>& p = rows[i] = uniform();
        if (kind == "normal") {
            for (T& x : p) x = T(r.normal());
        } else if (kind == "grid") {
            std::size_t rest = i;
            for (T& x : p) x = T(rest % side), rest /= side;
        } else if (kind == "graded") {
            T d2 = 0;
            for (T& x : p) x = 2 * x - 1, d2 += x * x;
            for (T& x : p) x *= d2;
        } else if (kind == "clustered") {
            auto const& c = centres[r.below(centres.size())];
            T const scale = T(std::pow(10., -1 - 4 * r.uniform()));
            for (int j = 0; j < D; ++j) p[j] = c[j] + scale * T(r.normal());
        } else if (kind == "sites40") {
            p = sites[i / 40];
        } else if (kind == "equal") {
            p.fill(T(.3));
        } else if (kind == "line") {
            T const t = T(r.uniform());
            for (int j = 0; j < D; ++j) p[j] = dir[j] * t;
        } else if (kind == "plane") {
            p[D - 1] = T(.25);
        } else if (kind == "outlier") {
            if (i == n / 2) p.fill(T(1e15));
        } else if (kind == "clumps") {
            T const width = sizeof(T) == 4 ? T(1e-8) : T(1e-12);
            // Row 0 is far from 0, so that one row alone has squares in range, too.
            for (T& x : p) x = T((i + 1) % 2) + width * x;
        } else if (kind == "signs") {
            for (T& x : p) x = T(r.normal() < 0 ? -1 : 1) * x;
        } else if (kind == "zeros") {
            for (T& x : p) x = r.below(3) == 0 ? T(0) : r.below(2) ? -T(0) : T(r.below(2));
        } else if (kind == "lattice24") {
            std::size_t rest = i / 24;
            for (T& x : p) x = T(rest % 4), rest /= 4;
        } else if (kind == "heavy") {
            for (T& x : p) x = T(std::tan(3.14159 * (r.uniform() - .5)));
        } else if (kind == "huge") {
            int const span = sizeof(T) == 4 ? 37 : 300;
            for (T& x : p) x = T((r.below(2) ? 1 : -1) * std::pow(10., span * (2 * r.uniform() - 1)));
        } else if (kind == "subnormal") {
            for (T& x : p) x = T(r.below(50)) * std::numeric_limits<T>::denorm_min();
        }
    }
    return rows;
}

}}}  // namespace zwalk::v0::testing
