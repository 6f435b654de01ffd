// Trees of points that follow each other in z-order, side by side: one tree, without a sort or new cuts. So sources that
// that come from elsewhere and a place's own points are walked as one.
//
//   own      | 0   1   2 |         lower  | 0   1 |      one  | 0   1   2   3   4 |
//            | . . . . . |                | . . . |           | . . . . . . . . . |
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "zwalk/exec/place.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

/// to[i] = from[i] + by, for Place::for_each.
struct ShiftBy {
    pos_t const* from;  ///< null: i itself
    pos_t* to;
    pos_t by;
    ZWALK_HD void operator()(std::size_t i) const { to[i] = (from ? from[i] : pos_t(i)) + by; }
};

/// Puts trees one behind the other. In all of them plane 0 has the leaves; a shallow one repeats its top plane.
template <class T, class P>
class Concat {
    using Home = PlaceOf<P>;
    using Parts = std::span<Tree<T, Home> const* const>;

  public:
    Concat(P& place, Parts parts, int columns) : place_(place), columns_(columns) {
        for (auto const* part : parts)
            if (!part->planes.empty()) parts_.push_back(part);
    }

    Tree<T, Home> run() {
        Tree<T, Home> all;
        all.columns = columns_;
        std::size_t depth = 0;
        pos_t n = 0;
        for (auto const* part : parts_) {
            n += part->size();
            depth = std::max(depth, part->planes.size());
        }
        all.input = place_.template buffer<pos_t>(n);
        pos_t* next = all.input.data();
        for (auto const* part : parts_) {
            place_.copy(next, part->input.data(), part->size());
            next += part->size();
        }
        all.stride = column_stride(n);
        all.x = columns(all.stride, [](auto const& part) {
            return Column{part.x.data(), part.stride, part.size()};
        });
        for (std::size_t p = 0; p < depth; ++p) all.planes.push_back(plane(p));
        place_.synchronize();
        return all;
    }

  private:
    struct Column {
        T const* x;
        std::size_t stride;
        pos_t size;
    };
    static Plane<T, Home> const& plane_of(Tree<T, Home> const& part, std::size_t p) {
        return part.planes[std::min(p, part.planes.size() - 1)];
    }

    /// of(part): the first column of a part. Behind the last part there are zeros.
    template <class Of>
    ArrayOn<P, T> columns(std::size_t stride, Of const& of) {
        auto to = place_.template buffer<T>(stride * std::size_t(columns_));
        for (std::size_t j = 0; j < std::size_t(columns_); ++j) {
            T* next = to.data() + j * stride;
            for (auto const* part : parts_) {
                Column const column = of(*part);
                place_.copy(next, column.x + j * column.stride, column.size);
                next += column.size;
            }
            place_.for_each(std::size_t(to.data() + (j + 1) * stride - next), Fill<T>{next, T(0)});
        }
        return to;
    }

    Plane<T, Home> plane(std::size_t p) {
        pos_t nodes = 0;
        for (auto const* part : parts_) nodes += plane_of(*part, p).nodes();
        Plane<T, Home> all;
        all.first = place_.template buffer<pos_t>(nodes + 1);
        if (p > 0) all.child = place_.template buffer<pos_t>(nodes + 1);
        pos_t node = 0, point = 0, finer = 0;
        for (auto const* part : parts_) {
            auto const& from = plane_of(*part, p);
            bool const repeats = p >= part->planes.size();
            // One element more than there are nodes: where the next part begins, which writes the same.
            place_.for_each(from.first.size(),
                            ShiftBy{from.first.data(), all.first.data() + node, point});
            if (p > 0)
                place_.for_each(from.first.size(), ShiftBy{repeats ? nullptr : from.child.data(),
                                                           all.child.data() + node, finer});
            node += from.nodes();
            point += part->size();
            if (p > 0) finer += plane_of(*part, p - 1).nodes();
        }
        all.stride = column_stride(nodes);
        all.lo = columns(all.stride, [p](auto const& part) {
            auto const& from = plane_of(part, p);
            return Column{from.lo.data(), from.stride, from.nodes()};
        });
        all.hi = columns(all.stride, [p](auto const& part) {
            auto const& from = plane_of(part, p);
            return Column{from.hi.data(), from.stride, from.nodes()};
        });
        return all;
    }

    P& place_;
    int columns_;
    std::vector<Tree<T, Home> const*> parts_;
};

}  // namespace detail

/// One tree of all points of `parts`, trees of `columns` columns each, whose points follow each other in z-order. The nodes
/// of a part stay together on each plane, in the order of the parts; `input` has the rows that the parts have. Parts
/// without nodes leave no trace. O(N), memory of the result only.
template <Place P, class T>
Tree<T, PlaceOf<P>> concat(P& place, std::span<Tree<T, PlaceOf<P>> const* const> parts, int columns) {
    return detail::Concat<T, P>(place, parts, columns).run();
}

}}  // namespace zwalk::v0
