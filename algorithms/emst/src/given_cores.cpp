#include "zwalk/emst/given_cores.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "edges.hpp"
#include "zwalk/core/clock.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/unit_square.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk { inline namespace v0 {
namespace {

template <class T>
void check_cores(std::size_t points, std::span<T const> cores) {
    if (cores.size() != points)
        throw InputError(detail::text("there are {} core distances of {} points", cores.size(), points));
    for (std::size_t i = 0; i < points; ++i)
        if (!(cores[i] >= 0) || std::isinf(cores[i]))
            throw InputError(
                detail::text("core distance {} is {}: it must be finite and >= 0", i, cores[i]));
}

/// The row of the input of each position, on the host; what a device has is brought to `there`.
template <class T, class P>
Buffer<pos_t> const& input_here(P& place, PreparedPoints<T, P> const& points,
                                [[maybe_unused]] Buffer<pos_t>& there) {
    if constexpr (is_device<P>) {
        detail::download(place, there, points.tree.input);
        return there;
    } else {
        return points.tree.input;
    }
}

template <class T, class P>
void check_memory(P& device, PreparedPoints<T, P> const& points, int columns) {
    std::size_t const n = points.tree.size();
    auto const need = detail::need_of<detail::EmstAlgorithm>(
        {.points = n, .kept = true, .columns = columns, .item_bytes = sizeof(T), .tree = points.options},
        {{n, points.dim}}, {.min_samples = 2});
    detail::check_device_memory(need.what, need.most, detail::Preparation<T, P>::available(device));
}

/// @param place  that of the index, or threads like it
/// @param cpu    for what is done on the host
template <class T, class P>
void grow(P& place, Cpu cpu, PreparedPoints<T, P> const& points, std::span<T const> cores,
          EmstResult<T>& r) {
    double const start = now_seconds();
    Buffer<pos_t> there;
    auto const& input = input_here<T>(place, points, there);
    Buffer<T> core2(input.size());
    cpu.for_each(core2.size(),
                 [&](std::size_t i) { core2[i] = smallest_square(points.unit, cores[input[i]]); });
    Buffer<Edge<T>> edges;
    detail::with_dim<void>(
        typename detail::DimsFor<T, P>::type{}, points.dim,
        [&]<int D>() {
            if constexpr (is_device<P>) check_memory(place, points, D);
            detail::RunPoints<T, P> shown(points);
            // Two samples: distances are mutual, and lists as long as usual.
            edges = detail::Instance<detail::OwnTree, D, T, P>::run(place, shown, {2, core2.data()});
        },
        is_device<P>);
    r.stats.seconds.emplace_back("tree", now_seconds() - start);
    detail::write_result<T>(cpu, std::move(edges), Buffer<T>(), input, r);
    detail::EmstAlgorithm::from_unit(cpu, r, points.unit);
}

}  // namespace

template <class T, class P>
EmstResult<T> emst_with_cores(Index<T, P> const& index, std::span<T const> cores) {
    check_cores(index.size(), cores);
    EmstResult<T> r;
    if (index.size() < 2) return r;
    if constexpr (!is_device<P>) {
        Cpu cpu = index.place().apart();
        cpu.run([&] { grow<T>(cpu, cpu, index.points(), cores, r); });
    } else if constexpr (detail::DimsOf<P>::most > 0) {
        grow<T>(index.place(), Cpu(), index.points(), cores, r);
    }
    r.core_distances = Buffer<T>(cores.size());
    std::copy(cores.begin(), cores.end(), r.core_distances.begin());
    return r;
}

template EmstResult<float> emst_with_cores(Index<float> const&, std::span<float const>);
template EmstResult<double> emst_with_cores(Index<double> const&, std::span<double const>);
template EmstResult<float> emst_with_cores(CudaIndex<float> const&, std::span<float const>);
template EmstResult<double> emst_with_cores(CudaIndex<double> const&, std::span<double const>);

}}  // namespace zwalk::v0
