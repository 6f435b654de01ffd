// From a public function to an algorithm's driver (run.hpp), once for every place: checks, the box, memory, the compiled
// dimension.
#pragma once
#include "cuda_input.hpp"
#include "dispatch.hpp"
#include "run.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk::inline v0::detail {

/// On CPU threads.
template <class A, class T>
auto call(Points<T> points, typename A::Options const& o) {
    A::template check<T>(o, points.size);
    Cpu place(o.threads);
    RunInput<T, Cpu> input{points, {}};
    place.run([&] {
        check_points(points);
        if (!o.box.empty()) input.period = checked_period(o.box, find_extent(points));
    });
    using Result = typename A::template Result<T, Cpu>;
    return with_dim<Result>(Dims<ZWALK_DIMS>{}, points.dim, [&]<int D>() {
        return place.run([&] { return Instance<A, D, T, Cpu>::run(place, input, o); });
    });
}

/// On a GPU, for points on the host or there; the result stays there.
template <class A, class T, class AnyPoints>
auto call(CudaSession& session, AnyPoints points, typename A::Options const& o) {
    A::template check<T>(o, points.size);
    check_device_memory(fmt::format("{} of {} points", A::name, points.size),
                        brought_bytes(points) +
                            A::device_bytes(double(points.size), cuda_columns(points.dim), sizeof(T), o),
                        session.available());
    auto const brought = bring_in(session, points, "points", !o.box.empty(), o.threads);
    RunInput<T, CudaDevice> const input{brought.points, checked_period(o.box, brought.extent)};
    using Result = typename A::template Result<T, CudaDevice>;
    return with_dim<Result>(Dims<ZWALK_CUDA_DIMS>{}, points.dim, [&]<int D>() {
        return Instance<A, D, T, CudaDevice>::run(session.device(), input, o);
    });
}

}  // namespace zwalk::inline v0::detail
