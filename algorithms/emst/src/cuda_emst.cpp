// emst() on a GPU: checks, then points and tree through its memory.
#include "../../common/cuda_input.hpp"
#include "../../common/dispatch.hpp"
#include "checks.hpp"
#include "device_job.hpp"
#include "zwalk/emst/device_memory.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk::inline v0 {
namespace {

using namespace detail;

template <class T, class AnyPoints>
DeviceEmstResult<T> tree_on(CudaSession& session, AnyPoints points, EmstOptions const& o) {
    check_min_samples(o.min_samples, points.size);
    check_device_memory(
        fmt::format("a spanning tree of {} points", points.size),
        brought_bytes(points) + device_emst_memory(double(points.size), cuda_columns(points.dim),
                                                   sizeof(T), o.min_samples, o.tree),
        session.available());
    auto const brought = bring_in(session, points, "points", !o.box.empty(), o.threads);
    DeviceEmstJob<T> const job{brought.points, checked_period(o.box, brought.extent), o};
    return with_dim<DeviceEmstResult<T>>(Dims<ZWALK_CUDA_DIMS>{}, points.dim, [&]<int D>() {
        return run_cuda_emst<D, T>(session.device(), job);
    });
}

}  // namespace

template <class T>
EmstResult<T> emst(Points<T> points, EmstOptions const& o, Cuda const& cuda) {
    CudaSession session(cuda);
    auto there = tree_on<T>(session, points, o);
    EmstResult<T> r;
    session.download_result(r.stats, std::move(there.stats), [&] {
        session.download(r.edges, there.edges);
        session.download(r.lengths, there.lengths);
        session.download(r.core_distances, there.core_distances);
    });
    return r;
}
template <class T>
DeviceEmstResult<T> emst(DevicePoints<T> points, EmstOptions const& o, Cuda const& cuda) {
    CudaSession session(cuda);
    return tree_on<T>(session, points, o);
}

template EmstResult<float> emst(Points<float>, EmstOptions const&, Cuda const&);
template EmstResult<double> emst(Points<double>, EmstOptions const&, Cuda const&);
template DeviceEmstResult<float> emst(DevicePoints<float>, EmstOptions const&, Cuda const&);
template DeviceEmstResult<double> emst(DevicePoints<double>, EmstOptions const&, Cuda const&);

}  // namespace zwalk::inline v0
