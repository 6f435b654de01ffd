// Arrays between Python and zwalk, without copies in either direction.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"

namespace zwalk::python {
namespace nb = nanobind;

/// Points as Python hands them over: rows of float32 or float64 in host memory, C order, maybe read-only.
/// Whatever else NumPy can turn into that is turned into it by zwalk/_points.py, so that no rounding is silent.
template <class T>
using PointArray = nb::ndarray<T const, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// One number per point.
template <class T>
using Column = nb::ndarray<T const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// An array that is written into: checked by zwalk/_points.py.
template <class T, int axes>
using Written = nb::ndarray<T, nb::ndim<axes>, nb::c_contig, nb::device::cpu>;

using Box = std::vector<double>;

template <class T>
Points<T> view(PointArray<T> const& a) {
    return {a.data(), a.shape(0), int(a.shape(1))};
}
template <class T>
std::span<T const> view(Column<T> const& a) {
    return {a.data(), a.shape(0)};
}
template <class T>
std::span<T const> view(std::optional<Column<T>> const& a) {
    return a ? view(*a) : std::span<T const>();
}

/// 64-bit integers arrive in NumPy as `long long`, a type of its own there (its repr says dtype=int64, Cython's
/// and C's `long` buffers refuse it): seen as NumPy's own int64 instead. What NumPy calls 'Q' likewise: offsets are
/// as good as signed.
inline nb::object plain(nb::object a) {
    auto const kind = nb::cast<std::string>(a.attr("dtype").attr("char"));
    return kind == "q" || kind == "Q" || kind == "L" ? nb::object(a.attr("view")("i8")) : a;
}

/// A NumPy array over what `owner` holds; the owner goes when the last such array does. GIL held.
template <class T, class Owner>
nb::object array_over(T* data, std::initializer_list<std::size_t> shape, Owner&& owner) {
    using Kept = std::remove_cvref_t<Owner>;
    auto* const kept = new Kept(std::forward<Owner>(owner));
    nb::capsule const capsule(kept, [](void* p) noexcept { delete static_cast<Kept*>(p); });
    nb::object made(nb::ndarray<nb::numpy, T>(data, shape, capsule).cast());
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) return plain(std::move(made));
    else return made;
}

/// A Buffer or a vector as an array of that shape, or of one axis. Its memory stays where it is.
template <class Numbers>
nb::object to_numpy(Numbers&& numbers, std::initializer_list<std::size_t> shape) {
    static_assert(!std::is_lvalue_reference_v<Numbers>);
    auto* const data = numbers.data();
    return array_over(data, shape, std::move(numbers));
}
template <class Numbers>
nb::object to_numpy(Numbers&& numbers) {
    std::size_t const n = numbers.size();
    return to_numpy(std::forward<Numbers>(numbers), {n});
}
template <class Numbers>
nb::object array_or_none(Numbers&& numbers) {
    return numbers.empty() ? nb::object(nb::none()) : to_numpy(std::forward<Numbers>(numbers));
}

inline Order order_of(bool z) { return z ? Order::z : Order::input; }

}  // namespace zwalk::python
