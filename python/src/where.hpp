// Where the library works for Python, and how its functions get points there and results back.
#pragma once
#include <nanobind/stl/optional.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "arrays.hpp"
#include "device_arrays.hpp"
#include "run.hpp"
#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk::python {

/// Threads of this process.
struct Threads {
    int threads;
    std::uint64_t memory_budget;

    /// f(cpu), without the interpreter's lock.
    template <class F>
    auto run(bool is_heavy, F const& f) const {
        return python::run(is_heavy, [&] { return f(Cpu(threads, memory_budget)); });
    }
    [[nodiscard]] bool is_first() const { return true; }  ///< of ranks
};

/// These, or a GPU. (On ranks: ranks.cpp.)
struct Here : Threads {
    int device;  ///< number of the GPU; -1: none

    template <class F>
    auto run(bool is_heavy, F const& f) const {
        return device < 0 ? Threads::run(is_heavy, f) : on_gpu(f);
    }
    /// f(cuda). A GPU isn't interrupted: Ctrl-C takes effect when it has finished.
    template <class F>
    auto on_gpu(F const& f) const {
        return python::run(true, [&] {
            Cuda const cuda{.device = device, .memory_budget = memory_budget};
            check_cuda(cuda);
            return f(cuda);
        });
    }
};

// Sources of points: arrays of the host, points on a GPU, and an index, which has its place.
template <class T>
DevicePoints<T> view(DevicePoints<T> const& points) {
    return points;
}
template <class T>
Index<T> const& view(Index<T> const& index) {
    return index;
}
template <class T>
std::size_t rows_of(PointArray<T> const& points) {
    return points.shape(0);
}
template <class T>
std::size_t rows_of(DevicePoints<T> const& points) {
    return points.size;
}
template <class T>
std::size_t rows_of(Index<T> const& index) {
    return index.size();
}

/// Points that may meet those of a source, or none.
template <class Source>
struct OthersOf {
    using type = std::optional<Source>;
};
template <class T>
struct OthersOf<Index<T>> {
    using type = std::optional<PointArray<T>>;
};
template <class Source>
using Others = typename OthersOf<Source>::type;

template <class Source>
inline constexpr bool is_on_gpu = false;
template <class T>
inline constexpr bool is_on_gpu<DevicePoints<T>> = true;

/// f(places...) where the points of a source are worked on.
template <class Source, class F, class... Where>
auto run_at(bool is_heavy, F const& f, Where const&... where) {
    if constexpr (sizeof...(Where) == 0) return run(is_heavy, f);
    else if constexpr (is_on_gpu<Source>) return (where.on_gpu(f), ...);
    else return (where.run(is_heavy, f), ...);
}

/// f(points, options, places...)
/// @param each  how much work a row is
template <class F, class Source, class Options, class... Where>
auto call_at(F const& f, std::size_t each, Source const& points, Options const& options,
             Where const&... where) {
    return run_at<Source>(
        heavy(rows_of(points), each),
        [&](auto const&... places) { return f(view(points), options, places...); }, where...);
}
/// f(points, others, options, places...), or without the others.
template <class F, class Source, class Options, class... Where>
auto call_with(F const& f, std::size_t each, Source const& points, Others<Source> const& others,
               Options const& options, Where const&... where) {
    constexpr bool is_sorted = sizeof...(Where) == 0;
    std::size_t const more = others ? rows_of(*others) : 0;
    std::size_t const rows = is_sorted && others ? more : rows_of(points) + more;
    return run_at<Source>(
        heavy(rows, each),
        [&](auto const&... places) {
            return others ? f(view(points), view(*others), options, places...)
                          : f(view(points), options, places...);
        },
        where...);
}

/// What the library returns, as an array of that shape, or of one axis, in whichever memory it is. GIL held.
template <class V>
nb::object array(DeviceBuffer<V>&& values, std::initializer_list<std::size_t> shape, Here const& here) {
    return nb::cast(on_device(std::move(values), shape, here.device));
}
template <class Numbers, class... Where>
nb::object array(Numbers&& values, std::initializer_list<std::size_t> shape, Where const&...) {
    return to_numpy(std::forward<Numbers>(values), shape);
}
template <class Numbers, class... Where>
nb::object column(Numbers&& values, Where const&... where) {
    std::size_t const n = values.size();
    return array(std::forward<Numbers>(values), {n}, where...);
}
template <class Numbers, class... Where>
nb::object column_or_none(Numbers&& values, Where const&... where) {
    return values.empty() ? nb::object(nb::none()) : column(std::forward<Numbers>(values), where...);
}

}  // namespace zwalk::python
