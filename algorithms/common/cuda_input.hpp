// Points of a call on a GPU: checked, then in its memory.
#pragma once
#include <fmt/format.h>

#include "cuda_session.hpp"
#include "device_need.hpp"
#include "dispatch.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::inline v0::detail {

/// Points that have been checked, on the device.
template <class T>
struct Brought {
    DeviceBuffer<T> rows;  ///< of points from the host
    DevicePoints<T> points;
    Extent<T> extent;  ///< where it was asked for
};

/// Throws InputError where there are no kernels for points of `dim` columns.
inline void check_cuda_dim(int dim) {
    if (dim > cuda_max_dim())
        throw InputError(fmt::format(
            "the points have {} columns, but this build has GPU kernels for at most {}: use the CPU, or "
            "build with a larger dimension in ZWALK_CUDA_DIMS",
            dim, cuda_max_dim()));
}

/// From the host, where `threads` check them. @throws InputError  as check_points
template <class T>
Brought<T> bring_in(CudaSession& session, Points<T> points, char const* name, bool with_extent,
                    int threads) {
    Extent<T> extent(points.dim);
    Cpu(threads).run([&] {
        check_points(points, name);
        if (with_extent) extent = find_extent(points);
    });
    auto rows = session.upload(points);
    DevicePoints<T> const there(rows.data(), points.size, points.dim);
    return {std::move(rows), there, std::move(extent)};
}
/// Points that are there already.
template <class T>
Brought<T> bring_in(CudaSession& session, DevicePoints<T> points, char const* name, bool with_extent,
                    int) {
    check_shape(points.size, points.dim, name);
    if (auto const bad = session.not_finite(points))
        refuse_not_finite(bad->row, bad->column, double(bad->value), name);
    return {{}, points, with_extent ? session.extent(points) : Extent<T>(points.dim)};
}

/// Bytes of the device that points get there by bring_in().
template <class T>
std::uint64_t brought_bytes(Points<T> points) {
    return std::uint64_t(points.size) * std::uint64_t(std::max(0, points.dim)) * sizeof(T);
}
template <class T>
std::uint64_t brought_bytes(DevicePoints<T>) {
    return 0;
}

/// The compiled dimension for points of `dim` columns. @throws InputError  none has so many
inline int cuda_columns(int dim) {
    check_cuda_dim(dim);
    return with_dim<int>(Dims<ZWALK_CUDA_DIMS>{}, dim, []<int D>() { return D; });
}

}  // namespace zwalk::inline v0::detail
