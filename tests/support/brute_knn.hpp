// The k smallest keys (d2, source position) by looking at every pair.
#pragma once
#include <algorithm>

#include "support/everywhere.hpp"
#include "zwalk/core/length_unit.hpp"

namespace test {

/// The distance of core/space.hpp written once more, from its definition in docs/architecture.md,
/// for any number of columns. `box` is empty or holds one period per axis, 0 on open ones.
template <class T>
T plain_distance2(T const* p, T const* q, int dim, std::vector<double> const& box) {
    T d2 = 0;
    for (int j = 0; j < dim; ++j) {
        T a = std::abs(q[j] - p[j]);
        if (!box.empty() && box[std::size_t(j)] > 0) {
            T const other = T(box[std::size_t(j)]) - a;
            if (other < a) a = other;
        }
        d2 = std::fma(a, a, d2);
    }
    return d2;
}

/// Two sets of points, or one and itself, in a unit in which squares of distances are numbers.
template <class T>
class InRange {
  public:
    /// @param box  as plain_distance2() has it, or one period for all axes
    InRange(Points<T> first, Points<T> second, std::vector<double> box = {}) : box_(std::move(box)) {
        T largest = 0;
        for (auto const& points : {first, second})
            for (std::size_t i = 0; i < points.size * std::size_t(points.dim); ++i)
                largest = std::max(largest, std::abs(points.data[i]));
        unit_ = zwalk::unit_for(largest);
        if (box_.size() == 1) box_.resize(std::size_t(first.dim), box_[0]);
        for (double& length : box_) length = double(unit_.in(T(length)));
        first_ = scaled(first, rows_[0]);
        second_ = second.data == first.data ? first_ : scaled(second, rows_[1]);
    }
    explicit InRange(Points<T> points, std::vector<double> const& box = {})
        : InRange(points, points, box) {}

    [[nodiscard]] Points<T> first() const { return first_; }
    [[nodiscard]] Points<T> second() const { return second_; }
    [[nodiscard]] std::vector<double> const& box() const { return box_; }
    /// Of point i of the second set and point j of the first.
    [[nodiscard]] T distance2(std::size_t i, std::size_t j) const {
        auto const dim = std::size_t(first_.dim);
        return plain_distance2(second_.data + i * dim, first_.data + j * dim, first_.dim, box_);
    }
    /// As it is to be reported: in the unit of the input.
    [[nodiscard]] T distance(T d2) const { return std::sqrt(d2) * unit_.unit(); }
    [[nodiscard]] T length(T scaled) const { return scaled * unit_.unit(); }

  private:
    Points<T> scaled(Points<T> points, std::vector<T>& rows) const {
        rows.assign(points.data, points.data + points.size * std::size_t(points.dim));
        for (T& x : rows) x *= unit_.inverse();
        return {rows.data(), points.size, points.dim};
    }

    std::vector<double> box_;
    std::vector<T> rows_[2];
    LengthUnit<T> unit_;
    Points<T> first_, second_;
};

/// Source rows in z-order, found through a tree of the largest dimension (padding with zero
/// columns doesn't change the order; the order itself is tested in tests/zorder).
template <class T>
std::vector<pos_t> z_order(Points<T> points) {
    Cpu const cpu(1);
    return listed(build_tree(cpu, points, 64).input);
}

/// Row of input query `q`: keys with positions in z-order, ascending, at most k of them.
template <class T>
std::vector<Key<T>> brute_knn(Points<T> sources, std::vector<pos_t> const& z, T const* query,
                              std::size_t k, std::vector<double> const& box,
                              std::size_t excluded = std::size_t(-1)) {
    std::vector<Key<T>> keys;
    keys.reserve(z.size());
    for (pos_t s = 0; s < z.size(); ++s)
        if (z[s] != excluded)
            keys.push_back({plain_distance2(query, sources.data + z[s] * std::size_t(sources.dim),
                                            sources.dim, box),
                            s});
    k = std::min(k, keys.size());
    std::partial_sort(keys.begin(), keys.begin() + std::ptrdiff_t(k), keys.end());
    keys.resize(k);
    return keys;
}

}  // namespace test
