// The images of points in a periodic box on a device, where the points are: images_of.hpp says what they are, and has the same
// ones on threads, bit for bit. Nothing of the points or the tree but its top nodes reaches the host. On ranks a tree has nodes of
// others, some without points, whose counts and moments come with it.
//
//   1. Counts and moments of the tree's nodes; whether any target leaf looks into the top nodes of each image.
//   2. Down from these, plane by plane, a list of the nodes of all images: the children of nodes that a leaf looks into, and the other
//      nodes again, as far as anything of their image is looked into.
//
//      level      | image 0 | image 1         | image 2 |
//      P - 1      | o o     | o   o           | O       |     O: a node of Canopies, as no leaf looks into image 2
//      P - 2      |         | o o o   o o     |
//      ...        |         | ...             |
//   3. Planes of the tree with images: its own nodes and, behind them, of each image a level. The last levels of all images are
//      on plane 0, and images of few levels repeat their first one, as trees side by side do (tree/concat.hpp).
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "canopies.hpp"
#include "device_image_steps.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/device_walk.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// GravitySources in the memory of a device.
template <int order, class T, class P>
struct DeviceSources {
    Tree<T, P> tree;
    DeviceKnownNodes<Multipole<order, T>> known;
    DeviceBuffer<T> mass;  ///< by position
    TargetNodes targets;
};

template <int order, class T, class P>
class DeviceImages {
    using Masses = Multipole<order, T>;
    using PlaneThere = ImagedPlane<order, T>;

  public:
    /// @param inputs  of a walk of the tree, as sources: their masses, which of its nodes are targets, one at least, and what is
    ///                known of nodes that may have no points here, as none of the targets looks into them or any of their images
    DeviceImages(P& place, Gravity<order, T> const& trait, Tree<T, P> const& tree,
                 WalkInputs<Gravity<order, T>> const& inputs, ImageBox const& box)
        : place_(place),
          trait_(trait),
          tree_(tree),
          own_mass_(inputs.source_payload.template column<0>()),
          targets_(top_nodes(tree, inputs.targets)),
          shift_(image_shifts(box)),
          shift_there_(copy_to(place, shift_)),
          images_(pos_t(shift_.size())),
          top_(pos_t(tree.planes.size() - 1)),
          known_(device_known_nodes(place, trait, tree, inputs.source_payload, inputs.known)) {
        if (known_.count.empty()) count_points();
        for (std::size_t p = 0; p < top_; ++p) {
            auto const& above = tree.planes[p + 1];
            parent_.push_back(place.template buffer<pos_t>(tree.planes[p].nodes()));
            place.for_each(above.nodes(), SetParents{above.child.data(), parent_[p].data()});
        }
    }
    DeviceSources<order, T, P> run() {
        begin();
        for (pos_t p = top_; p > 0 && !levels_[p].begin.empty(); --p) go_down(p);
        give_parts();
        DeviceSources<order, T, P> all;
        for (pos_t p = 0; p <= top_; ++p) add_plane(all, p);
        add_points(all);
        all.targets = targets_;
        return all;
    }

  private:
    /// Nodes of images on a plane, and whether a leaf looks into them: so their children are on the level below, but for the last
    /// one, plane 0.
    struct Level {
        std::vector<pos_t>
            begin;  ///< of each image, and where the last one ends; empty: there are no nodes
        DeviceBuffer<pos_t> begin_there;
        DeviceBuffer<ImageNode> node;
        DeviceBuffer<pos_t> opened;
        DeviceBuffer<size_type> child;

        [[nodiscard]] ImageLevel view() const { return {node.data(), opened.data(), child.data()}; }
    };

    /// Those of all nodes, which have theirs here.
    void count_points() {
        for (auto const& plane : tree_.planes) {
            auto count = place_.template buffer<pos_t>(plane.nodes());
            place_.for_each(plane.nodes(), CountOwn{plane.first.data(), count.data()});
            known_.count.push_back(std::move(count));
        }
    }
    /// The top nodes of images that a leaf looks into, and those of Canopies of all others.
    void begin() {
        pos_t const tops = tree_.planes[top_].nodes();
        std::vector<FarNode<order, T>> far(tops);
        std::vector<Masses> masses(tops);
        std::vector<pos_t> count(tops);
        place_.download(masses.data(), known_.summary[top_].data(), masses.size());
        place_.download(count.data(), known_.count[top_].data(), count.size());
        for (pos_t t = 0; t < tops; ++t) far[t] = {masses[t], count[t]};
        Canopies<order, T> const canopies(trait_, std::move(far), targets_);
        bring_planes(canopies.nodes());

        levels_.resize(std::size_t(top_) + 1);
        Level all;
        all.node = place_.template buffer<ImageNode>(checked_with_images(std::uint64_t(images_) * tops));
        place_.for_each(images_, ListTops{tops, top_, all.node.data()});
        find_opened(all, top_);
        std::vector<pos_t> opened(all.node.size());
        place_.download(opened.data(), all.opened.data(), opened.size());
        begin_with(canopies, opened, tops);
    }
    /// @param opened  which of the top nodes of all images
    void begin_with(Canopies<order, T> const& canopies, std::vector<pos_t> const& opened, pos_t tops) {
        std::vector<std::vector<pos_t>> canopy(images_);
        Cpu const host(1);  // few tests each
        host.run([&] {
            parallel_for(images_, 1, [&](std::size_t r, std::size_t end) {
                for (; r < end; ++r) {
                    auto const own = opened.begin() + std::ptrdiff_t(r * tops);
                    if (std::find(own, own + tops, 1) == own + tops)
                        canopy[r] = canopies.of_image(shift_[r]);
                }
            });
        });
        std::vector<ImageNode> node;
        std::vector<pos_t> is_opened;
        Level& level = levels_[top_];
        for (pos_t r = 0; r < images_; ++r) {
            level.begin.push_back(pos_t(node.size()));
            for (pos_t const far : canopy[r]) node.push_back({r, top_ + 1, far});
            for (pos_t t = 0; canopy[r].empty() && t < tops; ++t) node.push_back({r, top_, t});
            for (std::size_t i = 0; i < node.size() - level.begin[r]; ++i)
                is_opened.push_back(canopy[r].empty() ? opened[std::size_t(r) * tops + i] : 0);
        }
        level.begin.push_back(pos_t(node.size()));
        level.begin_there = copy_to(place_, level.begin);
        level.node = copy_to(place_, node);
        level.opened = copy_to(place_, is_opened);
    }
    /// The planes of the tree, and behind them that of `canopies`, for kernels.
    void bring_planes(std::vector<FarNode<order, T>> const& canopies) {
        std::vector<Masses> masses;
        std::vector<pos_t> count;
        for (auto const& node : canopies) {
            masses.push_back(node.masses);
            count.push_back(node.count);
        }
        far_masses_ = copy_to(place_, masses);
        far_count_ = copy_to(place_, count);
        std::vector<PlaneThere> planes;
        for (std::size_t p = 0; p <= top_; ++p)
            planes.push_back({tree_.planes[p].child.data(), known_.count[p].data(),
                              p < top_ ? parent_[p].data() : nullptr, known_.summary[p].data()});
        planes.push_back({nullptr, far_count_.data(), nullptr, far_masses_.data()});
        planes_ = copy_to(place_, planes);
    }
    void find_opened(Level& level, pos_t plane) {
        level.opened = place_.template buffer<pos_t>(level.node.size());
        place_.for_each(
            level.node.size(),
            OpenNodes<order, T>{Sight<T>(trait_), planes_.data(), shift_there_.data(), level.node.data(),
                                plane, top_, targets_, level.opened.data()});
    }
    /// Finds the level below that of a plane.
    void go_down(pos_t p) {
        Level &level = levels_[p], below;
        std::size_t const n = level.node.size();
        pos_t const* const child = tree_.planes[p].child.data();
        auto count = place_.template buffer<pos_t>(n + 1);
        auto before = place_.template buffer<size_type>(n + 1);
        place_.copy(count.data(), level.opened.data(), n);
        place_.zero(count.data() + n, 1);
        place_.exclusive_scan(count.data(), before.data(), n + 1);
        place_.for_each(
            n, CountBelow{child, level.view(), before.data(), level.begin_there.data(), count.data()});
        level.child = std::move(before);
        place_.exclusive_scan(count.data(), level.child.data(), n + 1);
        below.begin.resize(std::size_t(images_) + 1);
        below.begin_there = place_.template buffer<pos_t>(below.begin.size());
        place_.for_each(below.begin.size(), BeginBelow{level.child.data(), level.begin_there.data(),
                                                       below.begin_there.data()});
        place_.download(below.begin.data(), below.begin_there.data(), below.begin.size());
        if (below.begin.back() == 0) return;
        below.node = place_.template buffer<ImageNode>(checked_with_images(below.begin.back()));
        place_.for_each(n, AddBelow{child, level.view(), below.node.data()});
        find_opened(below, p - 1);
        levels_[p - 1] = std::move(below);
    }

    /// Finds which nodes of images are on which plane.
    void give_parts() {
        std::vector<ImageLevel> levels;
        for (Level const& level : levels_) levels.push_back(level.view());
        levels_there_ = copy_to(place_, levels);
        std::vector<ImagePart> parts;
        for (pos_t p = 0; p <= top_; ++p) {
            std::uint64_t to = tree_.planes[p].nodes();
            for (pos_t r = 0; r < images_; ++r) {
                pos_t last = top_;
                while (last > 0 && nodes_of(last - 1, r) > 0) --last;
                pos_t const level = std::min(p + last, top_);
                parts.push_back({checked_with_images(to), level, levels_[level].begin[r]});
                to += nodes_of(level, r);
            }
            nodes_.push_back(checked_with_images(to));
        }
        parts_there_ = copy_to(place_, parts);
    }
    [[nodiscard]] pos_t nodes_of(std::size_t level, pos_t image) const {
        auto const& begin = levels_[level].begin;
        return begin.empty() ? 0 : begin[image + 1] - begin[image];
    }
    [[nodiscard]] ImageParts parts(pos_t p) const {
        return {levels_there_.data(), parts_there_.data() + std::size_t(p) * images_, images_};
    }
    /// Plane p of the tree with images. Those of plane 0 have points, so these come first.
    void add_plane(DeviceSources<order, T, P>& all, pos_t p) {
        auto const& from = tree_.planes[p];
        pos_t const own = from.nodes(), n = nodes_[p];
        Plane<T, P> plane;
        plane.stride = column_stride(n);
        plane.lo = widened(from.lo.data(), from.stride, own, plane.stride);
        plane.hi = widened(from.hi.data(), from.stride, own, plane.stride);
        auto count = place_.template buffer<pos_t>(n);
        auto masses = place_.template buffer<Masses>(n);
        place_.copy(count.data(), known_.count[p].data(), own);
        place_.copy(masses.data(), known_.summary[p].data(), own);
        if (p > 0) {
            plane.child = place_.template buffer<pos_t>(std::size_t(n) + 1);
            place_.copy(plane.child.data(), from.child.data(), own);
            place_.for_each(1, Fill<pos_t>{plane.child.data() + n, nodes_[p - 1]});
        }
        place_.for_each(
            n - own, SetImageNodes<order, T>{planes_.data(), shift_there_.data(), parts(p),
                                             p > 0 ? parts(p - 1).part : nullptr, own, plane.lo.data(),
                                             plane.hi.data(), plane.stride, masses.data(), count.data(),
                                             plane.child.data()});
        known_.count[p] = {};  // coarser planes have no nodes of this one
        known_.summary[p] = {};
        plane.first = place_.template buffer<pos_t>(std::size_t(n) + 1);
        if (p == 0) set_first(plane.first);
        else
            place_.for_each(plane.first.size(), Gather<pos_t>{all.tree.planes[p - 1].first.data(),
                                                              plane.child.data(), plane.first.data()});
        all.tree.planes.push_back(std::move(plane));
        all.known.count.push_back(std::move(count));
        all.known.summary.push_back(std::move(masses));
    }
    /// Where points of leaves begin.
    void set_first(DeviceBuffer<pos_t>& first) {
        auto const& from = tree_.planes[0];
        pos_t const own = from.nodes(), n = nodes_[0] - own;
        auto given = place_.template buffer<pos_t>(std::size_t(n) + 1);
        auto before = place_.template buffer<size_type>(given.size());
        place_.for_each(n, CountGiven{parts(0), own, from.first.data(), given.data()});
        place_.zero(given.data() + n, 1);
        place_.exclusive_scan(given.data(), before.data(), given.size());
        place_.copy(first.data(), from.first.data(), own);
        place_.for_each(before.size(), SetFirst{before.data(), tree_.size(), first.data() + own});
    }
    void add_points(DeviceSources<order, T, P>& all) {
        auto const& first = all.tree.planes[0].first;
        pos_t const own = tree_.size();
        pos_t n = 0;
        place_.download(&n, first.data() + nodes_[0], 1);
        (void)checked_with_images(n);
        Tree<T, P>& tree = all.tree;
        tree.columns = 3;
        tree.stride = column_stride(n);
        tree.x = widened(tree_.x.data(), tree_.stride, own, tree.stride);
        tree.input = place_.template buffer<pos_t>(n);
        all.mass = place_.template buffer<T>(n);
        place_.copy(tree.input.data(), tree_.input.data(), own);
        place_.copy(all.mass.data(), own_mass_, own);
        place_.for_each(
            n - own,
            SetImagePoints<T>{parts(0), shift_there_.data(), tree_.planes[0].nodes(), nodes_[0],
                              tree_.planes[0].first.data(), first.data(), tree_.x.data(), tree_.stride,
                              tree.x.data(), tree.stride, own, all.mass.data(), tree.input.data()});
    }
    /// Three columns with room for more elements, which are 0 so far.
    DeviceBuffer<T> widened(T const* columns, std::size_t stride, pos_t n, std::size_t to_stride) {
        auto to = place_.template buffer<T>(3 * to_stride);
        place_.zero(to.data(), to.size());
        for (std::size_t j = 0; j < 3; ++j)
            place_.copy(to.data() + j * to_stride, columns + j * stride, n);
        return to;
    }

    P& place_;
    Gravity<order, T> const& trait_;
    Tree<T, P> const& tree_;
    T const* own_mass_;
    TargetNodes targets_;
    std::vector<Vec<3, double>> shift_;
    DeviceBuffer<Vec<3, double>> shift_there_;
    pos_t images_, top_;
    DeviceKnownNodes<Masses> known_;           // of the tree's nodes
    std::vector<DeviceBuffer<pos_t>> parent_;  // of these, by plane
    DeviceBuffer<Masses> far_masses_;          // of Canopies
    DeviceBuffer<pos_t> far_count_;
    DeviceBuffer<PlaneThere> planes_;
    std::vector<Level> levels_;
    DeviceBuffer<ImageLevel> levels_there_;
    DeviceBuffer<ImagePart> parts_there_;  // of all images on each plane
    std::vector<pos_t> nodes_;             // of each plane, with images
};

}}}  // namespace zwalk::v0::detail
