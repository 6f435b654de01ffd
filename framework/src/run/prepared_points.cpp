#include "zwalk/run/prepared_points.hpp"

#include "zwalk/core/validate.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
Brought<T, Cpu> Preparation<T, Cpu>::bring(Cpu const& cpu, Points<T> points, char const* name,
                                           bool with_extent) {
    auto const checked = [&] {
        T const largest = check_points(points, name);
        bool const wanted = with_extent || may_span_too_much(largest);
        return Brought<T, Cpu>{{}, points, wanted ? find_extent(points) : Extent<T>(0), largest};
    };
    constexpr std::size_t few =
        1 << 12;  // are checked on the calling thread: to enter others would take longer
    return points.size <= few ? checked() : cpu.run(checked);
}

template <class T>
void Preparation<T, Cpu>::rescale(Cpu const& cpu, Brought<T, Cpu>& points, LengthUnit<T> const& unit) {
    Points<T> const from = points.points;
    auto rows = cpu.buffer<T>(from.size * std::size_t(from.dim));
    cpu.for_each(rows.size(), [&](std::size_t i) { rows[i] = unit.in(from.data[i]); });
    points.points = {rows.data(), from.size, from.dim};
    points.rows = std::move(rows);
}

template <class T>
void Preparation<T, Cpu>::multiply(Cpu const& cpu, T* x, std::size_t n, T factor) {
    cpu.for_each(n, MultiplyAll<T>{x, factor});
}

template <class T>
Tree<T, Cpu> Preparation<T, Cpu>::build(Cpu const& cpu, Points<T> points, int columns,
                                        TreeOptions const& options, Stats& stats,
                                        KnownPoints<T> const&) {
    BuildSeconds built;
    auto tree = build_tree(cpu, points, columns, options, &built);
    stats.seconds.insert(stats.seconds.end(),
                         {{"sort", built.sort}, {"planes", built.planes}, {"geometry", built.geometry}});
    return tree;
}

template struct Preparation<float, Cpu>;
template struct Preparation<double, Cpu>;

}}}  // namespace zwalk::v0::detail
