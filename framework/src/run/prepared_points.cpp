#include "zwalk/run/prepared_points.hpp"

#include "zwalk/core/validate.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk::inline v0::detail {

template <class T>
Brought<T, Cpu> Preparation<T, Cpu>::bring(Cpu const& cpu, Points<T> points, char const* name,
                                           bool with_extent) {
    auto const checked = [&] {
        check_points(points, name);
        return Brought<T, Cpu>{{}, points, with_extent ? find_extent(points) : Extent<T>(0)};
    };
    constexpr std::size_t few =
        1 << 12;  // are checked on the calling thread: to enter others would take longer
    return points.size <= few ? checked() : cpu.run(checked);
}

template <class T>
Tree<T, Cpu> Preparation<T, Cpu>::build(Cpu const& cpu, Points<T> points, int columns,
                                        TreeOptions const& options, Stats& stats) {
    BuildSeconds built;
    auto tree = build_tree(cpu, points, columns, options, &built);
    stats.seconds.insert(stats.seconds.end(),
                         {{"sort", built.sort}, {"planes", built.planes}, {"geometry", built.geometry}});
    return tree;
}

template struct Preparation<float, Cpu>;
template struct Preparation<double, Cpu>;

}  // namespace zwalk::inline v0::detail
