// How users hand points in, and how kernels see them.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "zwalk/core/index.hpp"
#include "zwalk/core/vec.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {
template <class V>
concept FlatNumbers = requires(V const& x) {
    requires std::is_arithmetic_v<std::remove_cvref_t<decltype(*x.data())>>;
};

/// A point in memory, as a row of D numbers.
template <class Row>
struct RowTraits {};
template <class T, std::size_t D>
struct RowTraits<std::array<T, D>> {
    using real = T;
    static constexpr int dim = int(D);
    static T const* begin(std::array<T, D> const& row) { return row.data(); }
};
template <int D, class T>
struct RowTraits<Vec<D, T>> {
    using real = T;
    static constexpr int dim = D;
    static T const* begin(Vec<D, T> const& row) { return row.v; }
};
template <class Rows>
using RowTraitsOf = RowTraits<std::remove_cvref_t<decltype(*std::declval<Rows const&>().data())>>;
}  // namespace detail

/// Read-only view of N points with `dim` coordinates each, row after row: shape (N, dim),
/// coordinate j of point i at data[i * dim + j]. The memory stays the caller's.
template <class T>
struct Points {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                  "zwalk: points are float or double: convert them first");

    T const* data = nullptr;
    std::size_t size = 0;
    int dim = 0;

    Points() = default;
    Points(T const* rows, std::size_t n, int d) : data(rows), size(n), dim(d) {}
    /// From a contiguous container of std::array<T, D> or Vec<D, T>.
    template <class Rows>
    requires std::same_as<typename detail::RowTraitsOf<Rows>::real, T>
    explicit(false) Points(Rows const& rows)
        : data(rows.size() == 0 ? nullptr : detail::RowTraitsOf<Rows>::begin(*rows.data())),
          size(rows.size()),
          dim(detail::RowTraitsOf<Rows>::dim) {}
    template <detail::FlatNumbers Numbers>
    explicit Points(Numbers const&) {
        static_assert(
            sizeof(Numbers) == 0,
            "zwalk: a flat array of numbers needs its number of columns: Points(x.data(), n, 3)");
    }
};
template <class Rows>
Points(Rows const&) -> Points<typename detail::RowTraitsOf<Rows>::real>;

template <detail::FlatNumbers Numbers>
Points(Numbers const&) -> Points<std::remove_cvref_t<decltype(*std::declval<Numbers>().data())>>;

/// What Points can be made from, and Points.
template <class R>
concept PointRows = requires(R const& rows) {
    Points(rows);
};
/// Their T: float or double.
template <PointRows R>
using RealOf = std::remove_cvref_t<decltype(*Points(std::declval<R const&>()).data)>;

/// Points in columns: coordinate j of point i at x[j * stride + i]. `stride` is at least
/// size + `column_padding`, and the padding may be read (never used), so that lanes need no guards.
template <int D, class T>
struct PointColumns {
    T const* x = nullptr;
    std::size_t stride = 0;
    pos_t size = 0;

    /// Coordinate j of points i, i + 1, ...: lanes index this with an int, which compilers turn into
    /// one vector load (an unsigned sum could wrap around, so it becomes a gather).
    ZWALK_INLINE T const* from(int j, pos_t i) const { return x + std::size_t(j) * stride + i; }
    ZWALK_INLINE T at(int j, pos_t i) const { return x[std::size_t(j) * stride + i]; }
    ZWALK_INLINE Vec<D, T> point(pos_t i) const {
        Vec<D, T> p;
        ZWALK_UNROLL
        for (int j = 0; j < D; ++j) p[j] = at(j, i);
        return p;
    }
};

/// Readable elements behind the end of every column that kernels load from.
inline constexpr std::size_t column_padding = 64;

}}  // namespace zwalk::v0
