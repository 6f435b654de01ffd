// What host code knows of an index on a device (device_run.hpp, compiled apart).
#pragma once
#include <memory>
#include <vector>

#include "zwalk/knn/device_visit.hpp"
#include "zwalk/knn/knn_cuda.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk::inline v0 {
class CudaDevice;
}
namespace zwalk::inline v0::detail {

/// An index, whatever its dimension and device.
template <class T>
struct AnyDeviceIndex {
    virtual ~AnyDeviceIndex() = default;
    /// Neighbours of `queries`; null: of the points themselves.
    virtual DeviceKnnResult<T> query(DevicePoints<T> const* queries, KnnOptions const& o) = 0;
    /// The same neighbours, run by run.
    virtual Stats visit(DevicePoints<T> const* queries, KnnOptions const& o, RunVisitor<T> const& f) = 0;
    /// One number per query from its neighbours, by row, into `value` on the device. The data has `axes` columns.
    virtual Stats reduce(DevicePoints<T> const* queries, Reduction what, int axes, KnnOptions const& o,
                         T* value) = 0;
    /// The phases of the build.
    [[nodiscard]] virtual Stats const& built() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// A copy of the tree on the host, and the options that it was cut with.
    virtual Tree<T, Cpu> tree() = 0;
    [[nodiscard]] virtual TreeOptions const& options() const = 0;
};

/// The index of one compiled dimension. `period`: one length per axis of the data, +infinity on open ones;
/// none: open space.
template <int D, class T>
std::unique_ptr<AnyDeviceIndex<T>> make_cuda_index(CudaDevice& device, DevicePoints<T> points,
                                                   std::vector<T> period, TreeOptions const& options);
/// The same from a tree of D columns that was cut with `options`.
template <int D, class T>
std::unique_ptr<AnyDeviceIndex<T>> restore_cuda_index(CudaDevice& device, Tree<T, Cpu> const& tree,
                                                      std::vector<T> period, TreeOptions const& options);

}  // namespace zwalk::inline v0::detail
