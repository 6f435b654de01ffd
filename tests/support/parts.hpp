// Sources that were put together from parts, as one of several machines has them: its own points, in front of them
// those brought in from machines with lower positions, behind them the others. So a source's position in that tree
// isn't the target's own one.
#pragma once
#include "support/everywhere.hpp"

namespace test {

/// Trees of points that follow each other in z-order, side by side: one tree, with nodes as no build would cut
/// them. Shallow trees repeat their top plane; those without points are left out.
template <class T>
Tree<T, Cpu> side_by_side(std::vector<Tree<T, Cpu>> const& trees, int columns) {
    std::vector<Tree<T, Cpu> const*> parts;
    std::size_t planes = 0;
    pos_t n = 0;
    for (auto const& tree : trees) {
        if (tree.planes.empty()) continue;
        parts.push_back(&tree);
        planes = std::max(planes, tree.planes.size());
        n += tree.size();
    }
    Tree<T, Cpu> all{columns, Buffer<T>(column_stride(n) * std::size_t(columns)), column_stride(n),
                     Buffer<pos_t>(n), std::vector<Plane<T, Cpu>>(planes)};
    // Copies `count(part)` elements of each part's columns into those of `to`.
    auto const copy_columns = [&](Buffer<T>& to, std::size_t stride, auto const& from) {
        std::fill(to.begin(), to.end(), T(0));
        for (int j = 0; j < columns; ++j) {
            T* next = to.data() + std::size_t(j) * stride;
            for (auto const* part : parts) {
                auto const [column, own_stride, count] = from(*part);
                next = std::copy_n(column + std::size_t(j) * own_stride, count, next);
            }
        }
    };
    using Columns = std::tuple<T const*, std::size_t, std::size_t>;
    copy_columns(all.x, all.stride, [](auto const& t) {
        return Columns{t.x.data(), t.stride, t.size()};
    });
    for (pos_t i = 0; i < n; ++i) all.input[i] = i;
    for (std::size_t p = 0; p < planes; ++p) {
        auto const plane_of = [p](auto const& t) -> auto& {
            return t.planes[std::min(p, t.planes.size() - 1)];
        };
        std::vector<pos_t> first{0}, child{0};
        for (auto const* part : parts) {
            auto const& plane = plane_of(*part);
            pos_t const points = first.back(), nodes = child.back();
            for (pos_t i = 1; i <= plane.nodes(); ++i) {
                first.push_back(points + plane.first[i]);
                child.push_back(nodes + (p < part->planes.size() ? p > 0 ? plane.child[i] : 0 : i));
            }
        }
        auto const buffer = [](std::vector<pos_t> const& v) {
            Buffer<pos_t> b(v.size());
            std::copy(v.begin(), v.end(), b.begin());
            return b;
        };
        Plane<T, Cpu>& plane = all.planes[p];
        plane.first = buffer(first);
        if (p > 0) plane.child = buffer(child);
        plane.stride = column_stride(plane.nodes());
        for (auto side : {&Plane<T, Cpu>::lo, &Plane<T, Cpu>::hi}) {
            plane.*side = Buffer<T>(plane.stride * std::size_t(columns));
            copy_columns(plane.*side, plane.stride, [&](auto const& t) {
                auto const& from = plane_of(t);
                return Columns{(from.*side).data(), from.stride, from.nodes()};
            });
        }
    }
    return all;
}

/// Points in their ordinary tree, and the same in parts.
template <int D, class T>
struct Parts {
    Tree<T, Cpu> whole;
    std::vector<pos_t> begin;       ///< part p: positions [begin[p], begin[p + 1])
    std::vector<Tree<T, Cpu>> own;  ///< the points of each part: targets
    Tree<T, Cpu> together;          ///< all of them, from the trees of the parts: sources

    Parts(Cpu const& cpu, Rows<D, T> const& rows, TreeOptions const& options)
        : whole(build_tree(cpu, view<D>(rows), D, options)), begin{0} {
        pos_t const n = whole.size();
        // Of unlike sizes, through leaves and runs of equal points; one is empty.
        for (pos_t end : {n / 5, n / 5, n / 5 + n / 2 + 1, n}) {
            end = std::min(end, n);
            Rows<D, T> part;
            for (pos_t i = begin.back(); i < end; ++i) part.push_back(rows[whole.input[i]]);
            // Built one by one, so that they are of different depths.
            own.push_back(build_tree(cpu, view<D>(part), D, options));
            begin.push_back(end);
        }
        together = side_by_side(own, D);
    }

    /// What part p has of values by position: as much memory as it has targets.
    template <class V>
    std::vector<V> of_part(std::vector<V> const& values, std::size_t p) const {
        return {values.begin() + begin[p], values.begin() + begin[p + 1]};
    }
};

/// run(targets, sources, begin, end) -> a vector of one value per target, those at positions [begin, end): on the whole
/// tree, as is expected; then in all ways for each part's targets against the tree that was put together.
template <int D, class T, Ways ways = Ways::all, class Run>
void check_parts(Rows<D, T> const& rows, Run const& run) {
    Cpu const one(1);
    auto const plain = [&](auto const&... arguments) { walk(one, arguments...); };
    auto const expected = one.run([&] {
        auto const tree = build_tree(one, view<D>(rows), D);
        return run(plain, tree, tree, 0, tree.size());
    });
    check_everywhere<ways>(
        expected, [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
            Parts<D, T> const parts(cpu, rows, options);
            auto all = expected;
            all.clear();
            for (std::size_t p = 0; p < parts.own.size(); ++p) {
                auto const found =
                    run(walker, parts.own[p], parts.together, parts.begin[p], parts.begin[p + 1]);
                all.insert(all.end(), found.begin(), found.end());
            }
            return all;
        });
}

}  // namespace test
