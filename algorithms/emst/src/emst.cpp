#include "zwalk/emst/emst.hpp"

#include <algorithm>

#include "algorithm.hpp"
#include "checks.hpp"
#include "compiled_dims.hpp"
#include "rule.hpp"
#include "zwalk/emst/on_device.hpp"
#include "zwalk/run/calls.hpp"

namespace zwalk { inline namespace v0 {

using namespace detail;

template <class T>
void EmstAlgorithm::check(EmstOptions const& o, CallSets const&) {
    check_min_samples(o.min_samples);
}

EmstOptions EmstAlgorithm::among(std::size_t points, EmstOptions const& o) {
    return detail::among(points, o);
}

Need emst_memory(std::uint64_t points, int dim, std::size_t item_bytes, int min_samples) {
    int const columns = compiled_columns<Cpu>(CpuDims{}, dim);
    std::uint64_t const position = sizeof(pos_t), nodes = 2, sort = 16;
    std::uint64_t const key = item_bytes == 4 ? 8 : 16, edge = item_bytes == 4 ? 12 : 16;
    std::uint64_t const cores = min_samples > 1 ? 2 * item_bytes : 0;
    std::uint64_t const tree = position + nodes + std::uint64_t(columns) * item_bytes;
    std::uint64_t const usual = usual_neighbours, m = std::min(std::uint64_t(min_samples), points);
    // The lists keep what isn't inside the trees of chunks: less than half for uniform points.
    std::uint64_t const lists = min_samples > 1 ? std::max(usual, m) * key : usual / 2 * key;
    std::uint64_t const stretches =
        (item_bytes == 4 ? 24 : 32) / 2;  // one of two or three points begins one
    // When chunks have grown their trees, fewer than one point of twelve is the first of a component (uniform,
    // normal and clustered points in 3-D).
    std::uint64_t const components = (4 * position + item_bytes + 1) / 12;
    // As src/forest.cpp and src/point_edges.hpp have them: three keys, three positions, steps and margins,
    // flags, edges.
    std::uint64_t const rounds = tree + lists + stretches + components + 3 * key + 3 * position +
                                 2 * item_bytes + 2 + edge + cores;
    return {.sort = sort * points,
            .build = rounds * points,
            .result = (2 * sizeof(index_t) + item_bytes + edge + position + cores) * points};
}

namespace detail {
ZWALK_CALLS(EmstCall, float)
ZWALK_CALLS(EmstCall, double)

namespace {
/// @param points  Points or DevicePoints
template <class T, int... D, class Device, class AnyPoints>
EmstResult<T, Device> grow_on(Dims<D...> dims, Device& device, AnyPoints points, EmstOptions const& o) {
    if constexpr (sizeof...(D) > 0)
        return call<EmstAlgorithm>(dims, device, points, nullptr, among(points.size, o));
    else __builtin_unreachable();  // there is no such device
}
}  // namespace
template <class T>
EmstResult<T, CudaDevice> emst_on(CudaDevice& device, Points<T> points, EmstOptions const& o) {
    return grow_on<T>(CudaDims{}, device, points, o);
}
template <class T>
EmstResult<T, CudaDevice> emst_on(CudaDevice& device, DevicePoints<T> points, EmstOptions const& o) {
    return grow_on<T>(CudaDims{}, device, points, o);
}
template EmstResult<float, CudaDevice> emst_on(CudaDevice&, Points<float>, EmstOptions const&);
template EmstResult<double, CudaDevice> emst_on(CudaDevice&, Points<double>, EmstOptions const&);
template EmstResult<float, CudaDevice> emst_on(CudaDevice&, DevicePoints<float>, EmstOptions const&);
template EmstResult<double, CudaDevice> emst_on(CudaDevice&, DevicePoints<double>, EmstOptions const&);
}  // namespace detail

}}  // namespace zwalk::v0
