#include "zwalk/dbscan/dbscan.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk::inline v0 {

using namespace detail;

template <class T>
void DbscanAlgorithm::check(DbscanOptions const& o, std::size_t) {
    double const e = o.epsilon;
    if (!(e >= 0) || std::isinf(e))
        throw InputError(fmt::format("epsilon must be a finite number >= 0, but is {}", e));
    if (std::isinf(T(e)))
        throw InputError(fmt::format("epsilon = {} is too large for the precision of the points", e));
    if (o.min_samples < 1)
        throw InputError(fmt::format("min_samples must be at least 1, but is {}", o.min_samples));
}

template <class T>
DbscanResult<> dbscan(Points<T> points, DbscanOptions const& o, Cpu const& cpu) {
    Cpu place = cpu;
    return call<DbscanAlgorithm>(CpuDims{}, place, points, o);
}
template <class T>
DbscanResult<CudaDevice> dbscan(DevicePoints<T> points, DbscanOptions const& o, Cuda const& cuda) {
    return on_cuda<DbscanResult<CudaDevice>>(CudaDims{}, cuda, [&](auto& device) {
        return call<DbscanAlgorithm>(CudaDims{}, device, points, o);
    });
}
template <class T>
DbscanResult<> dbscan(Points<T> points, DbscanOptions const& o, Cuda const& cuda) {
    return on_cuda<DbscanResult<>>(CudaDims{}, cuda, [&](auto& device) {
        return to_host<DbscanResult<>>(device, call<DbscanAlgorithm>(CudaDims{}, device, points, o));
    });
}
template <class T, class P>
DbscanResult<P> dbscan(Index<T, P> const& index, DbscanOptions const& o) {
    return call<DbscanAlgorithm>(DimsOf<P>{}, index, o);
}

Need dbscan_memory(std::uint64_t points, int dim, std::size_t item_bytes) {
    std::uint64_t const columns = std::uint64_t(compiled_columns<Cpu>(CpuDims{}, dim));
    // As zorder/sort.cpp and tree/joint.cpp have them. Nodes, cuts included, take about 2 bytes per point.
    std::uint64_t const sort = 16, position = sizeof(pos_t), index = sizeof(index_t), nodes = 2,
                        flag = 1;
    std::uint64_t const row = columns * item_bytes, tree = position + nodes + row;
    // Two trees, of all points and of core points or the others; rows of these; what is sorted, or groups and neighbours.
    std::uint64_t const walk = 2 * tree + row + 2 * flag + 2 * position + std::max(sort, 2 * index);
    return {.sort = sort * points, .build = walk * points, .result = (index + flag + position) * points};
}

#define ZWALK_DBSCAN(T)                                                                           \
    template void DbscanAlgorithm::check<T>(DbscanOptions const&, std::size_t);                   \
    template DbscanResult<> dbscan(Points<T>, DbscanOptions const&, Cpu const&);                  \
    template DbscanResult<> dbscan(Points<T>, DbscanOptions const&, Cuda const&);                 \
    template DbscanResult<CudaDevice> dbscan(DevicePoints<T>, DbscanOptions const&, Cuda const&); \
    template DbscanResult<> dbscan(Index<T> const&, DbscanOptions const&);                        \
    template DbscanResult<CudaDevice> dbscan(CudaIndex<T> const&, DbscanOptions const&);
ZWALK_DBSCAN(float)
ZWALK_DBSCAN(double)

}  // namespace zwalk::inline v0
