#include "zwalk/gravity/gravity.hpp"

#include <algorithm>
#include <cmath>

#include "accuracy.hpp"
#include "compiled_dims.hpp"
#include "lattice.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/run/calls.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 {

using namespace detail;

namespace {

/// Where images are point masses, and how many there are, is said of the lengths: longer boxes would have thousands.
constexpr double longest_box = 4, largest_softening = .1;

void check_gravity_box(GravityOptions const& o, int dim) {
    if (dim != 3)
        throw InputError(
            detail::text("a periodic box is for gravity of points of 3 columns, but there are {}", dim));
    auto const [least, most] = std::minmax_element(o.box.begin(), o.box.end());
    if (!(*least > 0))
        throw InputError(
            "gravity is periodic along all three axes or none: all lengths of the box must "
            "be > 0");
    if (*most > longest_box * *least)
        throw InputError(
            detail::text("the box of gravity must not be more than {} times as long as wide, but its "
                         "lengths are from {} to {}",
                         longest_box, *least, *most));
    if (o.softening > largest_softening * *least)
        throw InputError(detail::text("softening must be at most a tenth of the box, {}, but is {}",
                                      largest_softening * *least, o.softening));
}

}  // namespace

template <class T>
void GravityAlgorithm::check(GravityOptions const& o, CallSets const& sets) {
    auto const [n, dim] = sets.points;
    if (dim < 1 || dim > 3)
        throw InputError(detail::text("gravity is for points of 1 to 3 columns, but there are {}", dim));
    if (!(o.softening >= 0) || std::isinf(T(o.softening)))
        throw InputError(detail::text("softening must be a finite number >= 0, but is {}", o.softening));
    if (o.expansion_order < 0 || o.expansion_order > max_gravity_order)
        throw InputError(
            detail::text("expansion_order must be 1 to {}, or 0 to have it chosen, but is {}",
                         max_gravity_order, o.expansion_order));
    if (!(o.opening >= 0 && o.opening <= max_opening))
        throw InputError(
            detail::text("opening must be from 0 to {}, but is {}", max_opening, o.opening));
    double const best = (is_periodic(o) ? periodic_margin : 1) * best_accuracy<T>();
    if (!(o.accuracy >= best && o.accuracy <= worst_accuracy))
        throw InputError(
            detail::text("accuracy must be from {} to {}, but is {}", best, worst_accuracy, o.accuracy));
    if (is_periodic(o)) check_gravity_box(o, dim);
    if (o.masses.empty()) return;
    if (o.masses.size() != n)
        throw InputError(
            detail::text("there are {} masses, but {} points: give one for each", o.masses.size(), n));
    for (std::size_t i = 0; i < n; ++i)
        if (!(o.masses[i] >= 0) || std::isinf(T(o.masses[i])))
            throw InputError(detail::text("masses must be finite numbers >= 0, but that of row {} is {}",
                                          i, o.masses[i]));
}

void detail::check_gravity_on_device(GravityOptions const& o) {
    if (o.expansion_order != 0 && o.expansion_order < least_chosen_order)
        throw InputError(
            detail::text("on a GPU expansion_order must be {} or {}, or 0 to have it chosen, but is {}",
                         least_chosen_order, max_gravity_order, o.expansion_order));
}

Need gravity_memory(std::uint64_t points, int dim, std::size_t item_bytes,
                    GravityOptions const& options) {
    int const p = with_accuracy(options, false).expansion_order;
    std::uint64_t const coefficients = std::uint64_t((p + 1) * (p + 2) * (p + 3) / 6);
    // As zorder/sort.cpp and tree/joint.cpp have them. There is at most one node for 3 points or so: a leaf for 6 in clumps of
    // many sizes (uniform points: for 20), and as many above them. With cuts they take about a coordinate's bytes per point.
    std::uint64_t const sort = 16, tree = sizeof(pos_t) + 4 * item_bytes;
    std::uint64_t const expansions = (6 + coefficients) * sizeof(double) / 3;
    std::uint64_t const masses = 3 * item_bytes, outputs = 4 * item_bytes;
    std::uint64_t const result = (std::uint64_t(dim) + 1) * item_bytes + sizeof(pos_t);
    std::uint64_t walk = (tree + expansions + masses + outputs) * points;
    // Nodes again, to move them; images near the faces, and some nodes of all others; pulls of what is further away.
    if (is_periodic(options))
        walk += (tree + 2 * expansions + masses + outputs) * points + (std::uint64_t(32) << 20);
    return {.sort = sort * points, .walk = walk, .result = result * points};
}

namespace {

/// A box that check_gravity_box() lets pass, of any that is asked about before.
ImageBox predicted_box(std::vector<double> const& box) {
    std::vector<double> sides(3, box[0]);
    if (box.size() > 1) sides = box, sides.resize(3);
    double longest = 0;
    for (double const side : sides)
        if (side > longest) longest = side;
    if (!(longest > 0 && longest < infinity<double>)) longest = 1;
    for (double& side : sides)
        if (!(side >= longest / longest_box && side <= longest)) side = longest / longest_box;
    return ImageBox(sides);
}
/// How many nodes images have on the tree's coarsest plane, which has `tops`: as many as Canopies has for each that targets between
/// there.lo and there.hi see.
double image_tops(ImageBox const& box, double opening, double tops, detail::TreeNodes const& there) {
    double size2 = 0, all = 0;
    for (double const side : box.sides) size2 += side * side;
    double const target2 = size2 / std::pow(tops, 2. / 3);
    each_within(box.shells, [&](std::array<int, 3> const& image) {
        double gap2 = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            double const above = image[j] - there.hi[j], below = there.lo[j] - (image[j] + 1);
            gap2 += std::pow(std::max({0., above, below}) * box.sides[j], 2);
        }
        double nodes = 1;
        for (; nodes < tops; nodes *= 8) {
            double const source2 = size2 / std::pow(nodes, 2. / 3);
            if (9 * std::max(target2, source2 / 2) + source2 < 2 * opening * opening * gap2) break;
        }
        all += std::min(nodes, tops);
    });
    return all;
}
/// Bytes beside the tree for images: a second tree, with these. On all planes each image has a node at least.
/// @param there    what is known of the tree
/// @param leaves   of the tree, per point
/// @param node     bytes of a node of that tree, with its moments
/// @param point    likewise of a point
double image_bytes(double points, detail::TreeNodes const& there, GravityOptions const& o, double leaves,
                   double node, double point) {
    ImageBox const box = predicted_box(o.box);
    double images = 1;
    for (int const shells : box.shells) images *= 2 * shells + 1;
    // Small numbers of points may have some leaves more than others.
    double const most = std::min(points, 3.5 + 1.5 * leaves * points),
                 tops = std::max(double(there.tops), std::min(double(o.tree.top_nodes), most)),
                 grown = std::ceil(std::log(std::max(1., most / double(o.tree.top_nodes))) /
                                   std::log(std::max(2., double(o.tree.coarsening)))),
                 planes = std::max(double(there.planes), 1 + grown);
    // Nodes near the box are about as many as its surface has, the more the further targets look. Measured for uniform points
    // and clumps (tests/device/gravity.cpp).
    double const in_leaves = 28 * std::max(leaves * points, double(there.all) / planes);
    double const near = 105 * std::cbrt(in_leaves * in_leaves) / std::pow(o.opening, 1.5);
    // As device_images.hpp has them: of images shifts, and parts and levels of planes; of nodes on the way down, where they are from.
    constexpr double shift = 24, part = 16, level = 28, listed = 16;
    double const far = image_tops(box, o.opening, tops, there);
    return std::max(images * tops * listed, 2 * points * point + images * (shift + part * planes) +
                                                far * (planes * node + level) + near * node);
}

}  // namespace

std::uint64_t detail::device_gravity_memory_of(TreeNodes const& there, std::uint64_t points,
                                               std::size_t item_bytes, GravityOptions const& options) {
    GravityOptions const o = with_accuracy(options, true);
    double const count = (o.expansion_order + 1) * (o.expansion_order + 2) * (o.expansion_order + 3) / 6;
    auto const tree = device_tree_bytes(3, item_bytes, o.tree);
    double const real = double(item_bytes), summary = 7 * real + (3 + count) * sizeof(double),
                 state = (3 + count) * sizeof(double);
    // A mass, and an acceleration and a potential in z-order, then in the order asked for.
    double const mass = real, outputs = 4 * real;
    // As leaves of usual points are filled, unless their size is asked for; there are as many nodes above them.
    double const leaves = o.tree.leaf_size == 0 ? 1. / 28 : std::min(1., 5 / double(o.tree.leaf_size));
    double const nodes = leaves * (1 + 1.05 / std::max(1., double(o.tree.coarsening) - 1));
    // States of all nodes, as inherited and as they are handed down. Lists get half of what is there when the walk begins, and are
    // made in pieces if they need more.
    double const walk = tree.walk + nodes * (summary + 2 * state);
    double const node = summary + 7 * real + 12;  // beside its states
    bool const has_images = is_periodic(o) && points > 0;
    double const images =
        has_images ? image_bytes(double(points), there, o, leaves, node, tree.tree + mass + real) : 0;
    // More nodes than points account for, which a tree with images has again.
    double const more = std::max(0., double(there.all) - nodes * double(points)) *
                        ((has_images ? 2 : 1) * node + 2 * state);
    return whole_bytes(
        device_tree_padding + images + more +
        double(points) *
            std::max({tree.sort, tree.build, tree.tree + mass + outputs + std::max(2 * walk, outputs)}));
}

std::uint64_t device_gravity_memory(std::uint64_t points, std::size_t item_bytes,
                                    GravityOptions const& options) {
    return detail::device_gravity_memory_of({}, points, item_bytes, options);
}

namespace detail {
ZWALK_CALLS_OF_POINTS(GravityCall, float)
ZWALK_CALLS_OF_POINTS(GravityCall, double)
}  // namespace detail

}}  // namespace zwalk::v0
