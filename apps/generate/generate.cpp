#include "generate.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "random.hpp"
#include "seed_spreader.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::apps {
namespace {

using Row = std::span<double>;
// Every stream of a file belongs to one purpose.
enum Stream : std::uint64_t { point_stream, site_stream, shuffle_stream, line_stream, spread_stream };

PointMaker uniform(Random seed) {
    return [=](std::uint64_t i, Row x) {
        Random r = seed.split(i);
        for (double& c : x) c = r.uniform();
    };
}

PointMaker normal(Random seed) {
    return [=](std::uint64_t i, Row x) {
        Random r = seed.split(i);
        for (double& c : x) c = r.normal();
    };
}

/// Sites at the centres of the cells of a lattice; the last axis runs fastest.
PointMaker grid(std::uint64_t n, int dim) {
    auto fits = [&](std::uint64_t side) {
        std::uint64_t sites = 1;
        for (int j = 0; j < dim; ++j)
            if (__builtin_mul_overflow(sites, side, &sites)) return true;
        return sites >= n;
    };
    auto side = std::uint64_t(std::pow(double(n), 1. / dim));  // a guess, made exact below
    side = side > 2 ? side - 2 : 1;
    while (!fits(side)) ++side;
    return [=](std::uint64_t i, Row x) {
        for (std::size_t j = x.size(); j-- > 0; i /= side) x[j] = (double(i % side) + .5) / double(side);
    };
}

std::vector<unsigned> first_primes(int count) {
    std::vector<unsigned> primes;
    for (unsigned p = 2; int(primes.size()) < count; ++p) {
        bool prime = true;
        for (unsigned q : primes) prime = prime && p % q != 0;
        if (prime) primes.push_back(p);
    }
    return primes;
}

/// Axis j: the digits of i + 1 to the base of the j-th prime, mirrored at the point.
PointMaker halton(int dim) {
    return [primes = first_primes(dim)](std::uint64_t i, Row x) {
        for (std::size_t j = 0; j < x.size(); ++j) {
            double const base = primes[j];
            double mirrored = 0, scale = 1;
            for (std::uint64_t k = i + 1; k > 0; k /= primes[j]) {
                mirrored = mirrored * base + double(k % primes[j]);
                scale *= base;
            }
            x[j] = mirrored / scale;
        }
    };
}

/// x -> |x|^2 x for x in [-1, 1]^D, which is where points of the unit cube are brought first: the density falls by many orders from the
/// centre out.
PointMaker graded(PointMaker unit) {
    return [make = std::move(unit)](std::uint64_t i, Row x) {
        make(i, x);
        double norm2 = 0;
        for (double& c : x) c = 2 * c - 1, norm2 += c * c;
        for (double& c : x) c *= norm2;
    };
}

/// Each point chooses one of the clusters, whose centres are uniform in the unit cube.
PointMaker blobs(Random points, Random sites, Blobs const& how) {
    return [=](std::uint64_t i, Row x) {
        Random r = points.split(i);
        Random centre = sites.split(r.next() % how.clusters);
        for (double& c : x) c = centre.uniform() + how.sigma * r.normal();
    };
}

/// After R. M. Soneira and P. J. E. Peebles, AJ 83 (1978) 845: clumps of clumps. A point chooses
/// one of four children on each of nine levels; a child lies off its parent by a step that shrinks
/// by a constant ratio. Children are not equally popular, so dense and sparse clumps differ.
/// The unit cube is periodic.
PointMaker clustered(Random points, Random sites) {
    constexpr int top = 24, levels = 9;
    constexpr double first_step = .1, ratio = .48;
    return [=](std::uint64_t i, Row x) {
        Random choose = points.split(i);
        Random node = sites.split(choose.next() % top);
        Random centre = node;
        for (double& c : x) c = centre.uniform();
        double step = first_step;
        for (int level = 0; level < levels; ++level, step *= ratio) {
            double const u = choose.uniform();
            node = node.split(u < .46 ? 0 : u < .73 ? 1 : u < .89 ? 2 : 3);
            Random offset = node;
            for (double& c : x) c += step * offset.normal();
        }
        for (double& c : x) c += step * choose.normal(), c -= std::floor(c);
    };
}

/// At most 40 copies of each site, in an order that looks random.
PointMaker duplicates(std::uint64_t n, Random seed) {
    std::uint64_t const sites = n / 40 + (n % 40 != 0);
    Permutation const shuffled(n, seed.split(shuffle_stream));
    return [=, make = uniform(seed.split(site_stream))](std::uint64_t i, Row x) {
        make(shuffled(i) % sites, x);
    };
}

PointMaker line(Random seed, int dim) {
    std::vector<double> from(static_cast<std::size_t>(dim)), along(from);
    Random ends = seed.split(line_stream);
    for (std::size_t j = 0; j < from.size(); ++j) {
        from[j] = ends.uniform();
        along[j] = ends.uniform() - from[j];
    }
    return [=, points = seed.split(point_stream)](std::uint64_t i, Row x) {
        double const t = points.split(i).uniform();
        for (std::size_t j = 0; j < x.size(); ++j) x[j] = from[j] + t * along[j];
    };
}

}  // namespace

std::vector<Kind> const& kinds() {
    static std::vector<Kind> const all = {
        {"uniform", "uniform in the unit cube", true},
        {"normal", "standard normal on every axis", false},
        {"grid", "the first N sites of the smallest cubic lattice with N sites, in the unit cube", true},
        {"halton", "Halton's low-discrepancy sequence in the unit cube (no seed)", true},
        {"graded", "x -> |x|^2 x for x uniform in [-1,1]^D: density falls from the centre", false},
        {"graded-grid", "sites of grid, graded likewise", false},
        {"graded-halton", "points of halton, graded likewise", false},
        {"clustered", "clumps of clumps (Soneira-Peebles) in the periodic unit cube", true},
        {"duplicates", "N/40 uniform sites with up to 40 copies each, shuffled", true},
        {"line", "uniform on a straight line between two random points of the unit cube", true},
        {"blobs", "normal clusters around random points of the unit cube: --clusters, --sigma", false},
        {"spread", "what a walking seed leaves behind (Gan and Tao: VisualVar), in a cube of side 1e5",
         false},
    };
    return all;
}

PointMaker point_maker(std::string const& kind, std::uint64_t n, int dim, std::uint64_t seed,
                       Blobs const& how) {
    Random const all(seed), points = all.split(point_stream);
    if (kind == "uniform") return uniform(points);
    if (kind == "normal") return normal(points);
    if (kind == "grid") return grid(n, dim);
    if (kind == "halton") return halton(dim);
    if (kind == "graded") return graded(uniform(points));
    if (kind == "graded-grid") return graded(grid(n, dim));
    if (kind == "graded-halton") return graded(halton(dim));
    if (kind == "clustered") return clustered(points, all.split(site_stream));
    if (kind == "duplicates") return duplicates(n, all);
    if (kind == "line") return line(all, dim);
    if (kind == "blobs") return blobs(points, all.split(site_stream), how);
    if (kind == "spread") return seed_spreader(n, dim, all.split(spread_stream));
    throw InputError(fmt::format("there is no kind '{}' of points", kind));
}

template <class T>
void make_rows(PointMaker const& make, Kind const& kind, std::uint64_t begin, std::size_t count, int dim,
               T* rows) {
    // Largest number below 1; rounding to float could otherwise reach 1.
    T const last = std::nextafter(T(1), T(0));
    parallel_for(count, 1024, [&](std::size_t first, std::size_t end) {
        std::array<double, 64> x;
        for (std::size_t i = first; i < end; ++i) {
            make(begin + i, {x.data(), std::size_t(dim)});
            for (int j = 0; j < dim; ++j) {
                T const c = T(x[std::size_t(j)]);
                rows[i * std::size_t(dim) + std::size_t(j)] = kind.below_one && c > last ? last : c;
            }
        }
    });
}

template void make_rows(PointMaker const&, Kind const&, std::uint64_t, std::size_t, int, float*);
template void make_rows(PointMaker const&, Kind const&, std::uint64_t, std::size_t, int, double*);

}  // namespace zwalk::apps
