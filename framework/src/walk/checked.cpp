#include "zwalk/walk/checked.hpp"

#include <cmath>
#include <string>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

std::string pair_of(NodePoints t, NodePoints s) {
    return detail::text("target node of points {} to {}, source node of points {} to {}", t.first,
                        t.first + (t.count - 1), s.first, s.first + (s.count - 1));
}

template <class T>
void check_finite(Tree<T, Cpu> const& tree, char const* whose) {
    for (pos_t i = 0; i < tree.size(); ++i)
        for (int j = 0; j < tree.columns; ++j)
            if (T const x = tree.x[std::size_t(j) * tree.stride + i]; !std::isfinite(x))
                refuse_not_finite(tree.input[i], j, double(x), whose);
}

/// Adds the extent of a tree's points.
template <class T>
void add_points(Extent<T>& extent, Tree<T, Cpu> const& tree) {
    for (pos_t i = 0; i < tree.size(); ++i)
        for (std::size_t j = 0; j < std::size_t(tree.columns); ++j) {
            T const x = tree.x[j * tree.stride + i];
            extent.lo[j] = std::min(extent.lo[j], x);
            extent.hi[j] = std::max(extent.hi[j], x);
        }
}

}  // namespace

void refuse_accept(NodePoints target, NodePoints source) {
    throw InputError(detail::text(
        "decide() accepts a pair of nodes ({}), but nothing takes it, and it would be lost: say one of "
        "uses.state, uses.far, uses.links and uses.total, or return Decision::descend",
        pair_of(target, source)));
}
void refuse_range(double lo2, double hi2, NodePoints target, NodePoints source) {
    throw InputError(detail::text("metric() returns lo2 = {} and hi2 = {} ({}): lo2 must not be larger",
                                  lo2, hi2, pair_of(target, source)));
}
void refuse_wider(char const* bound, double own, double above, NodePoints target, NodePoints source) {
    throw InputError(detail::text(
        "metric() widens on descent: {} is {} ({}), but {} for the nodes above these: bounds of "
        "nodes must hold for the nodes below them",
        bound, own, pair_of(target, source), above));
}
void refuse_nan(char const* hook) {
    throw InputError(detail::text(
        "{}() returns NaN, which is neither near nor far: for no bound return Key{{}}", hook));
}
void refuse_decision(char const* what, NodePoints target, NodePoints source) {
    throw InputError(detail::text("decide() {} ({})", what, pair_of(target, source)));
}
void refuse_link(pos_t a, pos_t b, pos_t size) {
    throw InputError(
        detail::text("sink.link({}, {}): there are {} points; link positions of points, or `first` of "
                     "nodes",
                     a, b, size));
}
void refuse_two_trees() {
    throw InputError(
        "a trait with symmetric or links meets one tree alone, not two: pass one tree as targets and "
        "sources");
}
void refuse_no_total() {
    throw InputError("the trait has uses.total, but WalkInputs::total is null: point it to a Total");
}
void refuse_no_links() {
    throw InputError(
        "the trait has uses.links, but WalkInputs::links is null: give it links_init(place, n)");
}
void refuse_payload(char const* whose, std::size_t column) {
    throw InputError(
        detail::text("the payload of the {} has no column {}: WalkInputs::target_payload and "
                     "source_payload are views of Columns, in z-order",
                     whose, column));
}

void check_dimension(int columns, int dim, char const* whose) {
    if (columns != dim)
        throw InputError(
            detail::text("the tree of the {} has {} columns, but the trait is for points of {}", whose,
                         columns, dim));
}

void check_links(pos_t const* links, pos_t size, bool grouped) {
    for (pos_t i = 0; i < size; ++i) {
        if (!grouped && links[i] != i)
            throw InputError(
                detail::text("links[{}] is {}: a walk begins with links_init(), or with groups that are "
                             "there and WalkInputs::grouped",
                             i, links[i]));
        if (links[i] > i)
            throw InputError(detail::text(
                "links[{}] is {}: an element names a point of its group with a smaller position, or "
                "itself",
                i, links[i]));
    }
}

template <class T>
void check_places(Tree<T, Cpu> const& targets, Tree<T, Cpu> const& sources, T const* box) {
    check_finite(targets, "targets");
    check_finite(sources, "sources");
    if (!box) return;
    for (int j = 0; j < targets.columns; ++j)
        if (box[j] == 0)
            throw InputError(
                detail::text("box: length 0 on axis {}: Periodic has +infinity on open axes; make it by "
                             "Periodic::of()",
                             j));
    if (targets.size() + sources.size() == 0) return;
    Extent<T> extent(targets.columns);
    add_points(extent, targets);
    add_points(extent, sources);
    check_box(extent.lo.data(), extent.hi.data(), box, targets.columns);
}
template void check_places(Tree<float, Cpu> const&, Tree<float, Cpu> const&, float const*);
template void check_places(Tree<double, Cpu> const&, Tree<double, Cpu> const&, double const*);

}}}  // namespace zwalk::v0::detail
