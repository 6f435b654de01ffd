// The kernels of device_images.hpp, for Place::for_each.
#pragma once
#include <cstddef>
#include <cstdint>

#include "image_sight.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// A plane of the tree that images are of.
template <int order, class T>
struct ImagedPlane {
    pos_t const* child;   ///< as in PlaneView
    pos_t const* count;   ///< points of each node, wherever these are
    pos_t const* parent;  ///< of each node, on the next coarser plane; null: there is none
    Multipole<order, T> const* masses;
};
/// A node of an image.
struct ImageNode {
    pos_t image;
    pos_t plane;  ///< of the tree. Behind the coarsest one are the nodes of Canopies
    pos_t node;   ///< on that plane
};
/// Nodes of all images, image by image, on the way down: a node that no leaf looks into is its own only child.
struct ImageLevel {
    ImageNode const* node;
    pos_t const* opened;     ///< 1: a leaf looks into it, 0: none does
    size_type const* child;  ///< of each node, on the next finer level; null: there is none
};
/// The nodes of an image on a plane of the tree with images.
struct ImagePart {
    pos_t to;     ///< the first of them, on that plane
    pos_t level;  ///< where they are from
    pos_t from;   ///< the first of them, there
};

/// The last one of x[begin], ..., x[end - 1], ascending, that is at most `most`; x[begin] is.
template <class At>
ZWALK_HD pos_t last_at_most(pos_t begin, pos_t end, pos_t most, At const& x) {
    while (end - begin > 1) {
        pos_t const middle = begin + (end - begin) / 2;
        (x(middle) <= most ? begin : end) = middle;
    }
    return begin;
}
/// Images' nodes on a plane of the tree with images.
struct ImageParts {
    ImageLevel const* levels;
    ImagePart const* part;
    std::size_t images;

    [[nodiscard]] ZWALK_HD ImagePart of(pos_t node) const { return part[number(node)]; }
    /// Which image a node is of.
    [[nodiscard]] ZWALK_HD pos_t number(pos_t node) const {
        return last_at_most(0, pos_t(images), node, [this](pos_t i) { return part[i].to; });
    }
};

/// The parents of the children of node i.
struct SetParents {
    pos_t const* child;
    pos_t* parent;
    ZWALK_HD void operator()(std::size_t i) const {
        for (pos_t c = child[i]; c < child[i + 1]; ++c) parent[c] = pos_t(i);
    }
};

/// All top nodes of image i.
struct ListTops {
    pos_t tops, plane;
    ImageNode* node;
    ZWALK_HD void operator()(std::size_t i) const {
        for (pos_t t = 0; t < tops; ++t) node[i * tops + t] = {pos_t(i), plane, t};
    }
};

/// Whether a leaf looks into node i, if it is one of this plane.
template <int order, class T>
struct OpenNodes {
    Sight<T> sight;
    ImagedPlane<order, T> const* planes;
    Vec<3, double> const* shift;
    ImageNode const* node;
    pos_t plane, top;     ///< this one, and the coarsest
    TargetNodes targets;  ///< nodes there whose leaves look: one at least
    pos_t* opened;

    ZWALK_HD void operator()(std::size_t i) const {
        ImageNode const n = node[i];
        opened[i] = n.plane == plane &&
                    has_leaf(NodeInSight<T>(planes[plane].masses[n.node]).moved(shift[n.image]));
    }

  private:
    /// Goes down where a target descends. Without a stack, which would be memory of a thread's own.
    [[nodiscard]] ZWALK_HD bool has_leaf(NodeInSight<T> const& source) const {
        pos_t p = top, t = targets.begin;
        for (;;) {
            if (sight.descends(NodeInSight<T>(planes[p].masses[t]), source)) {
                if (p == 0) return true;
                t = planes[p].child[t];
                --p;
                continue;
            }
            for (; p < top; ++p) {
                pos_t const parent = planes[p].parent[t];
                if (t + 1 < planes[p + 1].child[parent + 1]) break;
                t = parent;
            }
            if (++t == targets.end && p == top) return false;
        }
    }
};

/// How many children node i has on the next finer level: none, if no node of its image is opened.
struct CountBelow {
    pos_t const* child;  ///< of nodes of the tree's plane
    ImageLevel level;
    size_type const* opened_before;  ///< node i
    pos_t const* begin;              ///< of each image, on the level
    pos_t* count;
    ZWALK_HD void operator()(std::size_t i) const {
        ImageNode const n = level.node[i];
        if (opened_before[begin[n.image]] == opened_before[begin[n.image + 1]]) count[i] = 0;
        else count[i] = level.opened[i] ? child[n.node + 1] - child[n.node] : 1;
    }
};
/// No more than fits, for numbers that are refused once the host has them.
[[nodiscard]] ZWALK_HD constexpr pos_t at_most_no_pos(size_type n) {
    return n < no_pos ? pos_t(n) : no_pos;
}
/// Where image i begins on the next finer level; no_pos: there are too many nodes.
struct BeginBelow {
    size_type const* child;
    pos_t const* begin;
    pos_t* begin_below;
    ZWALK_HD void operator()(std::size_t i) const { begin_below[i] = at_most_no_pos(child[begin[i]]); }
};
/// The children of node i.
struct AddBelow {
    pos_t const* child;  ///< of nodes of the tree's plane
    ImageLevel level;
    ImageNode* below;
    ZWALK_HD void operator()(std::size_t i) const {
        ImageNode const n = level.node[i];
        size_type const begin = level.child[i], end = level.child[i + 1];
        for (size_type c = begin; c < end; ++c)
            below[c] =
                level.opened[i] ? ImageNode{n.image, n.plane - 1, child[n.node] + pos_t(c - begin)} : n;
    }
};

/// Points of node i of the tree itself.
struct CountOwn {
    pos_t const* first;
    pos_t* count;
    ZWALK_HD void operator()(std::size_t i) const { count[i] = first[i + 1] - first[i]; }
};
/// The images' node number i on a plane of the tree with images: all but its points.
template <int order, class T>
struct SetImageNodes {
    ImagedPlane<order, T> const* planes;
    Vec<3, double> const* shift;
    ImageParts parts;
    ImagePart const* finer;  ///< the parts of the next finer plane; null: there is none
    pos_t own;               ///< nodes of the tree itself, in front of these
    T *lo, *hi;
    std::size_t stride;
    Multipole<order, T>* masses;
    pos_t *count, *child;

    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const to = own + pos_t(i), image = parts.number(to);
        ImagePart const part = parts.part[image];
        pos_t const at = part.from + (to - part.to);
        ImageLevel const level = parts.levels[part.level];
        ImageNode const n = level.node[at];
        ImagedPlane<order, T> const plane = planes[n.plane];
        count[to] = plane.count[n.node];
        if (finer) {
            ImagePart const below = finer[image];
            pos_t const from = below.level == part.level ? at : pos_t(level.child[at]);
            child[to] = below.to + (from - below.from);
        }
        move(plane.masses[n.node], shift[image], masses[to]);
        ZWALK_AXES_LOOP
        for (int j = 0; j < 3; ++j) {
            lo[std::size_t(j) * stride + to] = masses[to].lo[j];
            hi[std::size_t(j) * stride + to] = masses[to].hi[j];
        }
    }

  private:
    static ZWALK_HD void move(Multipole<order, T> const& from, Vec<3, double> const& by,
                              Multipole<order, T>& to) {
        ZWALK_AXES_LOOP
        for (int j = 0; j < 3; ++j) {
            to.lo[j] = from.lo[j] + T(by[j]);
            to.hi[j] = from.hi[j] + T(by[j]);
            to.centre[j] = from.centre[j] + by[j];
        }
        for (int k = 0; k < from.moment.count; ++k) to.moment.at[k] = from.moment.at[k];
        to.size2 = from.size2;
    }
};
/// How many points the images' leaf number i has here: those of a leaf that is looked into.
struct CountGiven {
    ImageParts parts;
    pos_t own;               ///< leaves of the tree itself
    pos_t const* own_first;  ///< points of these
    pos_t* given;
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const leaf = own + pos_t(i);
        ImagePart const part = parts.of(leaf);
        pos_t const at = part.from + (leaf - part.to);
        given[i] = 0;
        if (part.level > 0 || !parts.levels[0].opened[at]) return;
        pos_t const from = parts.levels[0].node[at].node;
        given[i] = own_first[from + 1] - own_first[from];
    }
};
/// first[i] = points + before[i]; no_pos: there are too many points.
struct SetFirst {
    size_type const* before;
    pos_t points;
    pos_t* first;
    ZWALK_HD void operator()(std::size_t i) const { first[i] = at_most_no_pos(points + before[i]); }
};

/// The images' point number i.
template <class T>
struct SetImagePoints {
    ImageParts parts;
    Vec<3, double> const* shift;
    pos_t own_leaves, leaves;  ///< of the tree itself, and with images
    pos_t const* own_first;    ///< points of leaves of the tree itself
    pos_t const* first;        ///< and with images
    T const* x;                ///< columns of the tree itself
    std::size_t stride;
    T* to;
    std::size_t to_stride;
    pos_t own;     ///< points of the tree itself, in front of these
    T* mass;       ///< by position: of those in front
    pos_t* input;  ///< likewise

    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const at = own + pos_t(i);
        pos_t const* const begin = first;
        pos_t const leaf = last_at_most(own_leaves, leaves, at, [begin](pos_t n) { return begin[n]; });
        ImagePart const part = parts.of(leaf);
        ImageNode const n = parts.levels[0].node[part.from + (leaf - part.to)];
        pos_t const from = own_first[n.node] + (at - first[leaf]);
        ZWALK_AXES_LOOP
        for (int j = 0; j < 3; ++j)
            to[std::size_t(j) * to_stride + at] =
                x[std::size_t(j) * stride + from] + T(shift[n.image][j]);
        mass[at] = mass[from];
        input[at] = input[from];
    }
};

}}}  // namespace zwalk::v0::detail
