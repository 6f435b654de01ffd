// fof() on a GPU: checks, then points and groups through its memory.
#include "../../common/cuda_input.hpp"
#include "../../common/dispatch.hpp"
#include "checks.hpp"
#include "device_job.hpp"
#include "zwalk/fof/device_memory.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk::inline v0 {
namespace {

using namespace detail;

template <class T, class AnyPoints>
DeviceFofResult groups_on(CudaSession& session, AnyPoints points, FofOptions const& o) {
    T const length = checked_length<T>(o.linking_length);
    check_device_memory(
        fmt::format("friends-of-friends of {} points", points.size),
        brought_bytes(points) +
            device_fof_memory(double(points.size), cuda_columns(points.dim), sizeof(T), o.tree),
        session.available());
    auto const brought = bring_in(session, points, "points", !o.box.empty(), o.threads);
    DeviceFofJob<T> const job{brought.points, length, checked_period(o.box, brought.extent), o};
    return with_dim<DeviceFofResult>(Dims<ZWALK_CUDA_DIMS>{}, points.dim,
                                     [&]<int D>() { return run_cuda_fof<D, T>(session.device(), job); });
}

}  // namespace

template <class T>
FofResult<T> fof(Points<T> points, FofOptions const& o, Cuda const& cuda) {
    CudaSession session(cuda);
    auto there = groups_on<T>(session, points, o);
    FofResult<T> r;
    r.groups = there.groups;
    session.download_result(r.stats, std::move(there.stats), [&] {
        session.download(r.labels, there.labels);
        session.download(r.z_order, there.z_order);
        session.download(r.root, there.root);
    });
    return r;
}
template <class T>
DeviceFofResult fof(DevicePoints<T> points, FofOptions const& o, Cuda const& cuda) {
    CudaSession session(cuda);
    return groups_on<T>(session, points, o);
}

template FofResult<float> fof(Points<float>, FofOptions const&, Cuda const&);
template FofResult<double> fof(Points<double>, FofOptions const&, Cuda const&);
template DeviceFofResult fof(DevicePoints<float>, FofOptions const&, Cuda const&);
template DeviceFofResult fof(DevicePoints<double>, FofOptions const&, Cuda const&);

}  // namespace zwalk::inline v0
