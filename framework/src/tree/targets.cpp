#include "zwalk/tree/targets.hpp"

#include <numeric>

#include "zwalk/zorder/level.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk::inline v0 {
namespace {

constexpr std::size_t grain = 1 << 10;

/// One point of columns, as the comparator wants it.
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

}  // namespace

template <class T>
std::vector<pos_t> z_ranks(Cpu const& cpu, SortedColumns<T> points, SortedColumns<T> among, int dim) {
    std::vector<pos_t> rank(points.size);
    cpu.run([&] {
        parallel_for(points.size, grain, [&](std::size_t i, std::size_t end) {
            for (std::size_t from = 0; i < end; ++i)
                rank[i] = pos_t(from = lower_bound_from(among, from, point_of(points, i), dim));
        });
    });
    return rank;
}

template <class T>
JointTree<T> build_target_tree(Cpu const& cpu, Points<T> points, int columns, SortedColumns<T> sources,
                               std::size_t least_planes, TreeOptions const& options,
                               BuildSeconds* seconds, bool sorted) {
    double const start = now_seconds();
    JointTree<T> tree;
    tree.types.resize(1);
    auto const size = pos_t(points.size);
    if (sorted) {
        tree.types[0].input.resize(size);
        std::iota(tree.types[0].input.begin(), tree.types[0].input.end(), pos_t(0));
    } else {
        tree.types[0].input = z_sort(cpu, points);
    }
    tree.stride.push_back(column_stride(size));
    tree.x.push_back(columns_of(cpu, points, tree.types[0].input, columns));
    SortedColumns<T> const own{tree.x[0].data(), tree.stride[0], size};
    double const sorted_at = now_seconds();

    // Two types, as in a joint tree, but cuts fall between points of the first one only.
    TypeCounts counts{size, {std::vector<pos_t>(points.size + 1), {}}};
    std::iota(counts.before[0].begin(), counts.before[0].end(), pos_t(0));
    counts.before[1] = z_ranks(cpu, own, sources, points.dim);
    counts.before[1].push_back(sources.size);
    auto const levels = gap_levels(cpu, own.x, own.stride, size, points.dim);
    tree.types[0].planes = cut_planes(cpu, levels, counts, options);
    repeat_top(tree.types[0].planes, least_planes);
    if (seconds) {
        seconds->sort += sorted_at - start;
        seconds->planes += now_seconds() - sorted_at;
    }
    return tree;
}

template std::vector<pos_t> z_ranks(Cpu const&, SortedColumns<float>, SortedColumns<float>, int);
template std::vector<pos_t> z_ranks(Cpu const&, SortedColumns<double>, SortedColumns<double>, int);
template JointTree<float> build_target_tree(Cpu const&, Points<float>, int, SortedColumns<float>,
                                            std::size_t, TreeOptions const&, BuildSeconds*, bool);
template JointTree<double> build_target_tree(Cpu const&, Points<double>, int, SortedColumns<double>,
                                             std::size_t, TreeOptions const&, BuildSeconds*, bool);

}  // namespace zwalk::inline v0
