#include "zwalk/fof/fof.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "on_device.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/run/calls.hpp"

namespace zwalk { inline namespace v0 {

using namespace detail;

template <class T>
void FofAlgorithm::check(FofOptions const& o, CallSets const&) {
    double const b = o.linking_length;
    if (!(b >= 0) || std::isinf(b))
        throw InputError(detail::text("the linking length must be a finite number >= 0, but is {}", b));
    if (std::isinf(T(b)))
        throw InputError(
            detail::text("the linking length {} is too large for the precision of the points", b));
}

Need fof_memory(std::uint64_t points, int dim, std::size_t item_bytes) {
    int const columns = compiled_columns<Cpu>(CpuDims{}, dim);
    // As zorder/sort.cpp and tree/joint.cpp have them. Nodes, cuts included, take about 2 bytes per point.
    std::uint64_t const sort = 16, index = sizeof(pos_t), label = sizeof(index_t), nodes = 2;
    std::uint64_t const tree = nodes + std::uint64_t(columns) * item_bytes;  // beside its z-order
    return {
        .sort = sort * points,
        .build = (2 * index + tree) * points,
        // Labels are written from links while the tree is there; the order of a catalogue's members comes when it is gone.
        .walk = (index + std::max(index, tree)) * points,
        .result = (label + 2 * index) * points};
}

template <class T>
double mean_spacing(Points<T> points, std::vector<double> const& box) {
    check_points(points);
    return mean_spacing(find_extent(points), points.size, box);
}

template <class T>
double mean_spacing(Extent<T> const& extent, std::uint64_t points, std::vector<double> const& box) {
    if (points == 0) throw InputError("no points: they have no mean spacing");
    auto const period = checked_period(box, extent);
    std::vector<double> sides;
    for (std::size_t j = 0; j < extent.lo.size(); ++j) {
        bool const open = period.empty() || std::isinf(period[j]);
        sides.push_back(open ? double(extent.hi[j]) - double(extent.lo[j]) : double(period[j]));
    }
    // In a unit that keeps the volume in range.
    int const range = 900 / int(sides.size());
    auto const unit = unit_for(*std::max_element(sides.begin(), sides.end()), range, -range);
    double volume = 1;
    for (double const side : sides) volume *= unit.in(side);
    double const each = volume / double(points);
    if (!(each > 0) || std::isinf(each))
        throw InputError(
            detail::text("the points fill a volume of {}: that gives no mean spacing", volume));
    auto const dim = extent.lo.size();
    if (dim == 2) return unit.out(std::sqrt(each));
    return unit.out(dim == 3 ? std::cbrt(each) : std::pow(each, 1. / double(dim)));
}

template <class T>
double mean_spacing(Index<T> const& index) {
    auto const& tree = index.points().tree;
    Extent<T> extent(index.dim());
    if (index.size() > 0) {
        for (std::size_t j = 0; j < extent.lo.size(); ++j) {
            T const* const column = tree.x.data() + j * tree.stride;
            auto const [least, largest] = std::minmax_element(column, column + index.size());
            extent.lo[j] = index.points().unit.out(*least);
            extent.hi[j] = index.points().unit.out(*largest);
        }
    }
    return mean_spacing(extent, index.size(), index.box());
}

#define ZWALK_FOF(T)                                                     \
    template double mean_spacing(Points<T>, std::vector<double> const&); \
    template double mean_spacing(Index<T> const&);                       \
    template double mean_spacing(Extent<T> const&, std::uint64_t, std::vector<double> const&);
ZWALK_FOF(float)
ZWALK_FOF(double)

namespace detail {
ZWALK_CALLS(FofCall, float)
ZWALK_CALLS(FofCall, double)

namespace {
template <int... D, class Device, class Source>
FofResult<Device> grouped_on(Dims<D...> dims, Device& device, Source const& points,
                             FofOptions const& o) {
    if constexpr (sizeof...(D) > 0) return call<FofAlgorithm>(dims, device, points, nullptr, o);
    else __builtin_unreachable();  // there is no such device
}
}  // namespace
template <class Source>
FofResult<CudaDevice> fof_on(CudaDevice& device, Source const& points, FofOptions const& o) {
    return grouped_on(CudaDims{}, device, points, o);
}
#define ZWALK_FOF_ON(Source) \
    template FofResult<CudaDevice> fof_on(CudaDevice&, Source const&, FofOptions const&);
ZWALK_FOF_ON(Points<float>)
ZWALK_FOF_ON(Points<double>)
ZWALK_FOF_ON(DevicePoints<float>)
ZWALK_FOF_ON(DevicePoints<double>)
}  // namespace detail

}}  // namespace zwalk::v0
