// The box that holds a set of points.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/zorder/least_largest.hpp"

namespace zwalk { inline namespace v0 {

/// Least and largest coordinate per axis. Without points lo = +infinity and hi = -infinity.
template <class T>
struct Extent {
    std::vector<T> lo, hi;

    Extent(std::vector<T> least, std::vector<T> largest)
        : lo(std::move(least)), hi(std::move(largest)) {}
    explicit Extent(int dim)
        : lo(std::size_t(dim), std::numeric_limits<T>::infinity()),
          hi(std::size_t(dim), -std::numeric_limits<T>::infinity()) {}
    /// Adds points that lie one behind the other.
    void add(T const* rows, std::size_t count = 1) {
        add_to_extent(lo.data(), hi.data(), lo.size(), rows, count);
    }
    void add(Extent const& other) {
        for (std::size_t j = 0; j < lo.size(); ++j) {
            lo[j] = std::min(lo[j], other.lo[j]);
            hi[j] = std::max(hi[j], other.hi[j]);
        }
    }
};

/// The largest coordinate without its sign; 0 if there are no points.
template <class T>
T largest_of(Extent<T> const& extent) {
    T largest = 0;
    for (std::size_t j = 0; j < extent.lo.size(); ++j)
        if (extent.lo[j] <= extent.hi[j])
            largest = std::max({largest, std::abs(extent.lo[j]), std::abs(extent.hi[j])});
    return largest;
}

/// Extent of points of shape (N, dim). O(N dim); many points in parallel: call inside
/// Cpu::run.
template <class T>
Extent<T> find_extent(Points<T> points) {
    constexpr std::size_t grain = 4096;
    auto const add = [&](std::size_t begin, std::size_t end, Extent<T> part) {
        part.add(points.data + begin * std::size_t(points.dim), end - begin);
        return part;
    };
    Extent<T> const none(points.dim);
    if (points.size <= grain) return add(0, points.size, none);  // without waiting for tasks
    return parallel_reduce(points.size, grain, none, add, [](Extent<T> a, Extent<T> const& b) {
        a.add(b);
        return a;
    });
}

}}  // namespace zwalk::v0
