// The coarsest nodes that images in a periodic box are seen as from the box, and where the images are. On threads, wherever the tree
// is: of the tree only its top nodes are needed.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "image_sight.hpp"
#include "lattice.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// How far each image of a box that is a source is from the box.
inline std::vector<Vec<3, double>> image_shifts(ImageBox const& box) {
    std::vector<Vec<3, double>> shifts;
    each_within(box.shells, [&](std::array<int, 3> const& n) {
        if (n != std::array{0, 0, 0})
            shifts.push_back({n[0] * box.sides[0], n[1] * box.sides[1], n[2] * box.sides[2]});
    });
    return shifts;
}

/// The number of points, or of nodes on a plane, of a tree with images, unless that is too large for positions.
inline pos_t checked_with_images(std::uint64_t n) {
    if (n >= no_pos)
        throw Error(
            "with its images the box has more points, or nodes, than one place can have: 2^32 - 2");
    return pos_t(n);
}

/// A node as a source.
template <int order, class T>
struct FarNode {
    Multipole<order, T> masses;
    pos_t count;  ///< of its points
};

/// The top nodes of a tree, then nodes of up to eight neighbours in the z-order of those before, up to one of all: ranks and
/// devices have many top nodes, which far images can do without.
template <int order, class T>
class Canopies {
    using I = Gravity<order, T>;

  public:
    /// @param targets  those of the top nodes that look at images
    Canopies(I const& trait, std::vector<FarNode<order, T>> tops, TargetNodes const& targets)
        : sight_(trait), nodes_(std::move(tops)), targets_(targets) {
        begin_ = {0, nodes_.size()};
        while (size(begin_.size() - 2) > 1) add_level(trait);
    }
    /// The top nodes, then those above them.
    [[nodiscard]] std::vector<FarNode<order, T>> const& nodes() const { return nodes_; }
    /// Numbers of the largest nodes of an image that no target looks into, or top nodes.
    [[nodiscard]] std::vector<pos_t> of_image(Vec<3, double> const& shift) const {
        std::vector<pos_t> canopy;
        std::size_t const top = begin_.size() - 2;
        for (std::size_t i = 0; i < size(top); ++i) add(canopy, shift, top, i);
        return canopy;
    }

  private:
    [[nodiscard]] std::size_t size(std::size_t level) const { return begin_[level + 1] - begin_[level]; }
    void add_level(I const& trait) {
        std::size_t const begin = begin_[begin_.size() - 2], end = begin_.back();
        for (std::size_t i = begin; i < end; i += 8) {
            FarNode<order, T> all = nodes_[i];
            for (std::size_t c = i + 1; c < std::min(end, i + 8); ++c) {
                all.masses = trait.merge(all.masses, nodes_[c].masses);
                all.count = pos_t(
                    std::min<std::uint64_t>(std::uint64_t(all.count) + nodes_[c].count, no_pos - 1));
            }
            nodes_.push_back(all);
        }
        begin_.push_back(nodes_.size());
    }
    void add(std::vector<pos_t>& canopy, Vec<3, double> const& shift, std::size_t level,
             std::size_t i) const {
        std::size_t const node = begin_[level] + i;
        if (level == 0 || !is_opened(node, shift)) return canopy.push_back(pos_t(node));
        for (std::size_t c = 8 * i; c < std::min(size(level - 1), 8 * i + 8); ++c)
            add(canopy, shift, level - 1, c);
    }
    [[nodiscard]] bool is_opened(std::size_t node, Vec<3, double> const& shift) const {
        auto const source = NodeInSight<T>(nodes_[node].masses).moved(shift);
        for (pos_t t = targets_.begin; t < targets_.end; ++t)
            if (sight_.descends(NodeInSight<T>(nodes_[t].masses), source)) return true;
        return false;
    }

    Sight<T> sight_;
    std::vector<FarNode<order, T>> nodes_;
    std::vector<std::size_t>
        begin_;  ///< where levels begin among these, the top nodes first, and where the last one ends
    TargetNodes targets_;
};

}}}  // namespace zwalk::v0::detail
