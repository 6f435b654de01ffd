#include "zwalk/tree/targets.hpp"

#include <numeric>

#include "cut_planes.hpp"
#include "zwalk/zorder/level.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::size_t grain = 1 << 10;

/// One point of columns, as the comparator takes it.
template <class T>
struct ColumnPoint {
    T const* x;
    std::size_t stride;
    T operator[](int j) const { return x[std::size_t(j) * stride]; }
};
template <class T>
ColumnPoint<T> point_of(SortedColumns<T> const& columns, std::size_t i) {
    return {columns.x + i, columns.stride};
}

template <class T>
bool before(ColumnPoint<T> const& p, ColumnPoint<T> const& q, int dim) {
    int const axis = z_difference<T>(p, q, dim).axis;
    return p[axis] < q[axis];
}

/// The first position at or behind `from` whose point isn't before p, if none in front of `from`
/// is: steps that double, then bisection. O(log(distance)) comparisons.
template <class T>
std::size_t lower_bound_from(SortedColumns<T> const& columns, std::size_t from, ColumnPoint<T> const& p,
                             int dim) {
    std::size_t step = 1, end = columns.size;
    while (from < end && step <= end - from) {
        if (!before(point_of(columns, from + step - 1), p, dim)) {
            end = from + step - 1;
            break;
        }
        from += step;
        step *= 2;
    }
    while (from < end) {
        std::size_t const middle = from + (end - from) / 2;
        if (before(point_of(columns, middle), p, dim)) from = middle + 1;
        else end = middle;
    }
    return from;
}

/// Adds planes that repeat the top one, every node its own only child.
void repeat_top(std::vector<CutPlane>& planes, std::size_t least_planes) {
    while (!planes.empty() && planes.size() < least_planes) {
        CutPlane top = planes.back();
        top.child.resize(top.first.size());
        std::iota(top.child.begin(), top.child.end(), pos_t(0));
        planes.push_back(std::move(top));
    }
}

/// z_ranks(), to where there is room.
template <class T>
void write_ranks(Cpu const& cpu, SortedColumns<T> points, SortedColumns<T> among, int dim, pos_t* rank) {
    cpu.run([&] {
        parallel_for(points.size, grain, [&](std::size_t i, std::size_t end) {
            for (std::size_t from = 0; i < end; ++i)
                rank[i] = pos_t(from = lower_bound_from(among, from, point_of(points, i), dim));
        });
    });
}

}  // namespace

template <class T>
std::vector<pos_t> z_ranks(Cpu const& cpu, SortedColumns<T> points, SortedColumns<T> among, int dim) {
    std::vector<pos_t> rank(points.size);
    write_ranks(cpu, points, among, dim, rank.data());
    return rank;
}

template <class T>
Tree<T, Cpu> build_targets(Cpu const& cpu, Points<T> points, Tree<T, Cpu> const& sources,
                           TreeOptions const& options, BuildSeconds* seconds, bool sorted) {
    double const start = now_seconds();
    Tree<T, Cpu> tree;
    auto const size = pos_t(points.size);
    if (sorted) {
        tree.input = cpu.buffer<pos_t>(size);
        cpu.for_each(size, Iota{tree.input.data()});
    } else {
        tree.input = z_sort(cpu, points);
    }
    tree.columns = sources.columns;
    tree.stride = column_stride(size);
    tree.x = columns_of(cpu, points, tree.input, tree.columns);
    SortedColumns<T> const own{tree.x.data(), tree.stride, size};
    double const sorted_at = now_seconds();

    // Two types, as in a joint tree, but cuts fall between points of the first one only.
    auto before = cpu.buffer<pos_t>(points.size + 1);
    write_ranks(cpu, own, {sources.x.data(), sources.stride, sources.size()}, points.dim, before.data());
    before.back() = sources.size();
    auto const levels = gap_levels(cpu, own.x, own.stride, size, points.dim);
    auto planes = detail::cut_planes_by(cpu, levels, detail::TargetCounts(before), options);
    repeat_top(planes, sources.planes.size());
    double const cut_at = now_seconds();
    detail::set_planes(cpu, tree, std::move(planes));
    if (seconds) {
        seconds->sort += sorted_at - start;
        seconds->planes += cut_at - sorted_at;
        seconds->geometry += now_seconds() - cut_at;
    }
    return tree;
}

#define ZWALK_TARGETS(T)                                                                                \
    template std::vector<pos_t> z_ranks(Cpu const&, SortedColumns<T>, SortedColumns<T>, int);           \
    template Tree<T, Cpu> build_targets(Cpu const&, Points<T>, Tree<T, Cpu> const&, TreeOptions const&, \
                                        BuildSeconds*, bool);
ZWALK_TARGETS(float)
ZWALK_TARGETS(double)

}}  // namespace zwalk::v0
