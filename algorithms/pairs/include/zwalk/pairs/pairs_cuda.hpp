// Pair counts on a GPU: the public interface. For host compilers; builds without CUDA have it too, and refuse.
#pragma once
#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/pairs/pairs.hpp"

namespace zwalk::inline v0 {

namespace detail {
// The functions that those below call.
template <class T>
PairCounts count_pairs(Points<T> points, std::type_identity_t<Points<T>> const* second,
                       PairOptions const& options, Cuda const& cuda);
template <class T>
PairCounts count_pairs(DevicePoints<T> points, std::type_identity_t<DevicePoints<T>> const* second,
                       PairOptions const& options, Cuda const& cuda);
}  // namespace detail

/// pair_counts() on a GPU: the same counts, and sums of the same bits.
///
/// Compiled for the dimensions of ZWALK_CUDA_DIMS; fewer columns are padded.
/// @throws InputError  as pair_counts(); no CUDA device, or a build without CUDA; more columns than it was compiled for;
///                     bins of two numbers, and it was compiled neither for 2 nor for 3
/// @throws Error       the device's memory doesn't suffice, or CUDA failed
template <PointRows Rows>
PairCounts pair_counts(Rows const& points, PairOptions const& options, Cuda const& cuda) {
    return detail::count_pairs(Points(points), nullptr, options, cuda);
}
template <PointRows Rows, PointRows Others>
PairCounts pair_counts(Rows const& points, Others const& second, PairOptions const& options,
                       Cuda const& cuda) {
    Points const others(second);
    return detail::count_pairs(Points(points), &others, options, cuda);
}
/// pair_counts() of points that are on the device; weights are on the host, in the order of the rows.
template <class T>
PairCounts pair_counts(DevicePoints<T> points, PairOptions const& options, Cuda const& cuda) {
    return detail::count_pairs(points, nullptr, options, cuda);
}
template <class T>
PairCounts pair_counts(DevicePoints<T> points, DevicePoints<T> second, PairOptions const& options,
                       Cuda const& cuda) {
    return detail::count_pairs(points, &second, options, cuda);
}

}  // namespace zwalk::inline v0
