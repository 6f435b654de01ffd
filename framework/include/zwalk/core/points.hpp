// How users hand points in, and how kernels see them.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "zwalk/core/index.hpp"
#include "zwalk/core/vec.hpp"

namespace zwalk::inline v0 {

namespace detail {
template <class V>
concept FlatNumbers = requires(V const& x) {
    requires std::is_arithmetic_v<std::remove_cvref_t<decltype(*x.data())>>;
};
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
    /// From a contiguous container of std::array<T, D>, Vec<D, T> or the like.
    template <std::size_t D>
    explicit(false) Points(std::span<std::array<T, D> const> rows)
        : data(rows.empty() ? nullptr : rows.front().data()), size(rows.size()), dim(int(D)) {}
    template <class Rows>
    requires requires(Rows const& r) {
        {r.data()->data()};
        requires std::same_as<std::remove_cvref_t<decltype(*r.data()->data())>, T>;
    }
    explicit(false) Points(Rows const& rows)
        : Points(std::span<std::remove_cvref_t<decltype(*rows.data())> const>(rows)) {}
    template <detail::FlatNumbers Numbers>
    explicit Points(Numbers const&) {
        static_assert(
            sizeof(Numbers) == 0,
            "zwalk: a flat array of numbers needs its number of columns: Points(x.data(), n, 3)");
    }
};
template <class Rows>
Points(Rows const&) -> Points<std::remove_cvref_t<decltype(*std::declval<Rows>().data()->data())>>;

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

}  // namespace zwalk::inline v0
