// Points that are in a device's memory already.
#pragma once
#include <cstddef>
#include <cstdint>

#include "zwalk/core/error.hpp"
#include "zwalk/core/points.hpp"

namespace zwalk { inline namespace v0 {

/// One point of a DevicePoints: p[j] is coordinate j.
template <class T>
struct StridedPoint {
    T const* x;
    std::size_t stride;
    ZWALK_INLINE T operator[](int j) const { return x[std::size_t(j) * stride]; }
};

/// Read-only view of N points with `dim` coordinates each in the memory of a device: coordinate j of
/// point i at data[i * row_stride + j * column_stride], counted in elements. Rows (the default) and
/// columns both fit. The memory stays the caller's, and must stay until the work on it is done.
template <class T>
struct DevicePoints {
    T const* data = nullptr;
    std::size_t size = 0;
    int dim = 0;
    std::size_t row_stride = 0, column_stride = 1;

    DevicePoints() = default;
    DevicePoints(T const* rows, std::size_t n, int d)
        : data(rows), size(n), dim(d), row_stride(std::size_t(d)) {}
    DevicePoints(T const* first, std::size_t n, int d, std::size_t row, std::size_t column)
        : data(first), size(n), dim(d), row_stride(row), column_stride(column) {}

    ZWALK_INLINE StridedPoint<T> operator[](std::size_t i) const {
        return {data + i * row_stride, column_stride};
    }
};

/// The points of a DLPack tensor (`DLTensor` of dlpack.h, what CuPy, PyTorch and JAX export) of shape
/// (N, dim), without a copy. A template, so that dlpack.h is the caller's to include.
/// @throws InputError  not two-dimensional, not of type T, negative strides
template <class T, class Tensor>
DevicePoints<T> device_points(Tensor const& tensor) {
    if (tensor.ndim != 2) throw InputError("the tensor of points must have two dimensions (N, dim)");
    if (tensor.dtype.code != 2 || tensor.dtype.bits != 8 * sizeof(T) || tensor.dtype.lanes != 1)
        throw InputError(sizeof(T) == 4 ? "the tensor of points must hold float32"
                                        : "the tensor of points must hold float64");
    std::int64_t const row = tensor.strides ? tensor.strides[0] : tensor.shape[1];
    std::int64_t const column = tensor.strides ? tensor.strides[1] : 1;
    if (row < 0 || column < 0) throw InputError("the tensor of points has negative strides");
    auto const* const bytes = static_cast<char const*>(tensor.data) + tensor.byte_offset;
    return {reinterpret_cast<T const*>(bytes), std::size_t(tensor.shape[0]), int(tensor.shape[1]),
            std::size_t(row), std::size_t(column)};
}

}}  // namespace zwalk::v0
