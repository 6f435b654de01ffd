#include "zwalk/tree/joint.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "zwalk/core/error.hpp"
#include "zwalk/core/numbered_pieces.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/tree/detail/gap_levels.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::size_t grain = 1 << 14;

/// Adds the time since the last lap to one phase after the other.
class Laps {
  public:
    explicit Laps(bool on) : on_(on), last_(now_seconds()) {}
    void add_to(double* phase) {
        double const now = now_seconds();
        if (on_) *phase += now - last_;
        last_ = now;
    }

  private:
    bool on_;
    double last_;
};

/// All types' rows, one type after the other, with `dim` columns.
template <class T>
Buffer<T> concatenate(Cpu const& cpu, std::span<Points<T> const> types, std::size_t size,
                      std::size_t dim) {
    auto rows = cpu.buffer<T>(size * dim);
    T* out = rows.data();
    for (Points<T> const& type : types) {
        auto const columns = std::size_t(type.dim);
        cpu.run([&] {
            parallel_for(type.size, grain, [&](std::size_t i, std::size_t end) {
                for (; i < end; ++i) {
                    std::copy_n(type.data + i * columns, columns, out + i * dim);
                    std::fill(out + i * dim + columns, out + (i + 1) * dim, T(0));
                }
            });
        });
        out += type.size * dim;
    }
    return rows;
}

/// The rows of a type, [begin, begin + input.size()) of the joint ones, in z-order; and before[i]: how many of them are among the first
/// i of the joint order. O(N).
void separate_type(std::span<pos_t const> order, pos_t begin, Buffer<pos_t>& input,
                   PageVector<pos_t>& before) {
    auto const is_own = [&](pos_t row) { return row - begin < input.size(); };
    detail::NumberedPieces const pieces(order.size(), grain);
    std::vector<pos_t> found(pieces.size());  // in a piece, then in those before
    pieces.each([&](std::size_t p, std::size_t i, std::size_t end) {
        found[p] = pos_t(std::count_if(order.begin() + std::ptrdiff_t(i),
                                       order.begin() + std::ptrdiff_t(end), is_own));
    });
    std::exclusive_scan(found.begin(), found.end(), found.begin(), pos_t(0));
    pieces.each([&](std::size_t p, std::size_t i, std::size_t end) {
        for (pos_t next = found[p]; i < end; ++i) {
            before[i] = next;
            if (is_own(order[i])) input[next++] = order[i] - begin;
        }
    });
    before.back() = pos_t(input.size());
}

/// The rows of every type in z-order and its counts along the joint order. O(N types).
template <class T>
TypeCounts separate(Cpu const& cpu, std::span<pos_t const> order, std::span<Points<T> const> types,
                    std::vector<Tree<T, Cpu>>& trees) {
    TypeCounts counts{pos_t(order.size()), {}};
    std::size_t begin = 0;
    for (std::size_t t = 0; t < types.size(); ++t) {
        trees[t].input = cpu.buffer<pos_t>(types[t].size);
        auto& before = counts.before.emplace_back(order.size() + 1);
        cpu.run([&] { separate_type(order, pos_t(begin), trees[t].input, before); });
        begin += types[t].size;
    }
    return counts;
}

/// The planes as one type sees them: cuts at its own positions, without its empty nodes.
/// before[i]: its points among the first i of the joint order.
std::vector<CutPlane> planes_of_type(std::vector<CutPlane> const& joint,
                                     PageVector<pos_t> const& before) {
    std::vector<CutPlane> planes;
    if (before.back() == 0) return planes;
    std::vector<pos_t> rank, finer_rank;  // kept nodes among the first i of a plane
    for (CutPlane const& all : joint) {
        CutPlane own;
        rank.assign(1, 0);
        for (std::size_t i = 0; i < all.nodes(); ++i) {
            pos_t const begin = before[all.first[i]], end = before[all.first[i + 1]];
            if (begin < end) {
                own.first.push_back(begin);
                if (!all.child.empty()) own.child.push_back(finer_rank[all.child[i]]);
            }
            rank.push_back(pos_t(own.first.size()));
        }
        own.first.push_back(before.back());
        if (!all.child.empty()) own.child.push_back(finer_rank.back());
        planes.push_back(std::move(own));
        std::swap(rank, finer_rank);
    }
    return planes;
}

/// Shape of the concatenation: number of points and the largest number of columns.
template <class T>
std::pair<std::size_t, int> joint_shape(std::span<Points<T> const> types, int columns) {
    std::size_t size = 0;
    int dim = 1;
    for (Points<T> const& type : types) {
        if (type.dim > columns)
            throw InputError(
                detail::text("points with {} columns do not fit into {} dimensions", type.dim, columns));
        size += type.size;
        if (type.size > 0) dim = std::max(dim, type.dim);
    }
    if (size > max_points)
        throw InputError(
            detail::text("{} points are too many for one tree (at most {})", size, max_points));
    return {size, dim};
}

}  // namespace

template <class T>
void detail::set_planes(Cpu const& cpu, Tree<T, Cpu>& tree, std::vector<CutPlane>&& cuts) {
    auto const kept = [](std::vector<pos_t>& cut) {
        Buffer<pos_t> own(cut.size());
        std::copy(cut.begin(), cut.end(), own.begin());
        cut = {};
        return own;
    };
    for (CutPlane& cut : cuts) {
        Plane<T, Cpu>& plane = tree.planes.emplace_back();
        plane.first = kept(cut.first);
        plane.child = kept(cut.child);
    }
    set_boxes(cpu, tree);
}

template <class T>
std::vector<Tree<T, Cpu>> build_joint(Cpu const& cpu, std::span<Points<T> const> types, int columns,
                                      TreeOptions const& options, BuildSeconds* seconds) {
    check_options(options);
    auto const [size, dim] = joint_shape(types, columns);
    BuildSeconds unused;
    BuildSeconds& spent = seconds ? *seconds : unused;
    Laps laps(seconds != nullptr);
    std::vector<Tree<T, Cpu>> trees(types.size());
    std::vector<std::vector<CutPlane>> planes(types.size());
    bool const single = types.size() == 1;

    // What is no longer needed goes at once: here is the peak of the memory that a build takes.
    Buffer<T> rows = single ? Buffer<T>() : concatenate(cpu, types, size, std::size_t(dim));
    Points<T> const all = single ? types.front() : Points<T>(rows.data(), size, dim);
    Buffer<pos_t> order = z_sort(cpu, all);
    Buffer<T> x = columns_of(cpu, all, order, single ? columns : dim);
    rows = Buffer<T>();
    laps.add_to(&spent.sort);

    Buffer<level_t> levels = gap_levels(cpu, x.data(), column_stride(size), pos_t(size), dim);
    if (single) {
        planes[0] = cut_planes(cpu, levels, TypeCounts{pos_t(size), {}}, options);
        trees[0].input = std::move(order);
        trees[0].x = std::move(x);
    } else {
        x = Buffer<T>();
        TypeCounts counts = separate(cpu, std::span<pos_t const>(order), types, trees);
        order = {};
        auto const joint = cut_planes(cpu, levels, counts, options);
        cpu.run([&] {
            parallel_for(types.size(), 1, [&](std::size_t t, std::size_t end) {
                for (; t < end; ++t) planes[t] = planes_of_type(joint, counts.before[t]);
            });
        });
        counts.before.clear();
        for (std::size_t t = 0; t < types.size(); ++t)
            trees[t].x = columns_of(cpu, types[t], trees[t].input, columns);
    }
    levels = Buffer<level_t>();
    laps.add_to(&spent.planes);
    for (std::size_t t = 0; t < types.size(); ++t) {
        trees[t].columns = columns;
        trees[t].stride = column_stride(types[t].size);
        detail::set_planes(cpu, trees[t], std::move(planes[t]));
    }
    laps.add_to(&spent.geometry);
    return trees;
}

#define ZWALK_JOINT(T)                                                                          \
    template void detail::set_planes(Cpu const&, Tree<T, Cpu>&, std::vector<CutPlane>&&);       \
    template std::vector<Tree<T, Cpu>> build_joint(Cpu const&, std::span<Points<T> const>, int, \
                                                   TreeOptions const&, BuildSeconds*);
ZWALK_JOINT(float)
ZWALK_JOINT(double)

}}  // namespace zwalk::v0
