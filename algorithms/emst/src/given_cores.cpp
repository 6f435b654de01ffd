#include "zwalk/emst/given_cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "edges.hpp"
#include "zwalk/core/clock.hpp"
#include "zwalk/core/within.hpp"

namespace zwalk { inline namespace v0 {
namespace {

template <class T>
void check_cores(std::size_t points, std::span<T const> cores) {
    if (cores.size() != points)
        throw InputError(fmt::format("there are {} core distances of {} points", cores.size(), points));
    for (std::size_t i = 0; i < points; ++i)
        if (!(cores[i] >= 0) || std::isinf(cores[i]))
            throw InputError(
                fmt::format("core distance {} is {}: it must be finite and >= 0", i, cores[i]));
}

}  // namespace

template <class T>
EmstResult<T> emst_with_cores(Index<T> const& index, std::span<T const> cores) {
    check_cores(index.size(), cores);
    EmstResult<T> r;
    if (index.size() < 2) return r;
    auto const& points = index.points();
    Cpu cpu = index.place().apart();
    cpu.run([&] {
        double const start = now_seconds();
        Buffer<T> core2(index.size());
        cpu.for_each(core2.size(), [&](std::size_t i) {
            core2[i] = smallest_square(T(points.unit.least(double(cores[points.tree.input[i]]))));
        });
        Buffer<Edge<T>> edges;
        detail::with_dim<void>(typename detail::DimsFor<T, Cpu>::type{}, points.dim, [&]<int D>() {
            detail::RunPoints<T, Cpu> shown(points);
            // Two samples: distances are mutual, and lists as long as usual.
            edges = detail::Instance<detail::OwnTree, D, T, Cpu>::run(cpu, shown, {2, core2.data()});
        });
        r.stats.seconds.emplace_back("tree", now_seconds() - start);
        detail::write_result<T>(cpu, std::move(edges), Buffer<T>(), points.tree.input, r);
        detail::EmstAlgorithm::from_unit(cpu, r, points.unit);
    });
    r.core_distances = Buffer<T>(cores.size());
    std::copy(cores.begin(), cores.end(), r.core_distances.begin());
    return r;
}

template EmstResult<float> emst_with_cores(Index<float> const&, std::span<float const>);
template EmstResult<double> emst_with_cores(Index<double> const&, std::span<double const>);

}}  // namespace zwalk::v0
