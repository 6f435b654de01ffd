// Test data: the same bits for a seed on every platform.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace zwalk::apps {

/// A kind of point set.
struct Kind {
    std::string name;
    std::string description;  ///< one line for people
    bool below_one;           ///< all coordinates lie in [0, 1), also after rounding to float
};

/// All kinds, in the order in which help lists them.
std::vector<Kind> const& kinds();

/// Writes the `dim` coordinates of point i. Pure: any thread, any order.
using PointMaker = std::function<void(std::uint64_t i, std::span<double> x)>;

/// What blobs look like.
struct Blobs {
    std::uint64_t clusters = 100;  ///< at least 1
    double sigma = .01;  ///< standard deviation on each axis, in sides of the cube that has the centres
};

/// The points 0..n-1 of a kind.
/// @param how  of blobs
/// @throws InputError  no such kind
PointMaker point_maker(std::string const& kind, std::uint64_t n, int dim, std::uint64_t seed,
                       Blobs const& how = {});

/// Makes rows [begin, begin + count) in parallel; `rows` has count * dim elements.
template <class T>
void make_rows(PointMaker const& make, Kind const& kind, std::uint64_t begin, std::size_t count, int dim,
               T* rows);
extern template void make_rows(PointMaker const&, Kind const&, std::uint64_t, std::size_t, int, float*);
extern template void make_rows(PointMaker const&, Kind const&, std::uint64_t, std::size_t, int, double*);

}  // namespace zwalk::apps
