// How images are made (images.hpp), for files that compile it for one order.
//
// Images are parts of a tree, as other ranks' points are (ranks/given_nodes.hpp): most end as a few nodes without points, which
// act as a whole; only near the faces of the box leaves look into them.
//
//   image       |           far          |    within sight     |  into which leaves look    |
//   its nodes   |  those of up to 8, 64, ... top nodes or these |  top nodes and those below |
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "canopies.hpp"
#include "images.hpp"
#include "lattice.hpp"
#include "opened_nodes.hpp"
#include "zwalk/ranks/given_nodes.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <int order, class T>
class Images {
    using I = Gravity<order, T>;
    using Part = PartialTree<I>;
    using Stub = NodeStub<I>;
    using Known = KnownNodes<Multipole<order, T>>;

  public:
    Images(Cpu const& cpu, I const& trait, Tree<T, Cpu> const& tree, Known&& known,
           std::span<PointMass<T> const> masses, TargetNodes const& targets, ImageBox const& box)
        : cpu_(cpu),
          tree_(tree),
          masses_(masses),
          count_(std::move(known.count)),
          own_{&tree, std::move(known.summary), &count_},
          targets_(top_nodes(tree, targets)),
          opened_(trait, own_, targets_),
          canopies_(trait, tops(), targets_),
          shift_(image_shifts(box)) {}
    GravitySources<order, T> run() {
        std::size_t const images = shift_.size();
        std::vector<Part> parts(images);
        std::vector<std::vector<GivenPoint<I>>> points(images);
        parallel_for(images, 1, [&](std::size_t r, std::size_t end) {
            for (; r < end; ++r) parts[r] = image(r, points[r]);
        });
        return together(parts, points);
    }

  private:
    static Stub moved(Stub stub, Vec<3, double> const& by) {
        auto& masses = stub.summary;
        for (int j = 0; j < 3; ++j) {
            stub.box.lo[j] = masses.lo[j] += T(by[j]);
            stub.box.hi[j] = masses.hi[j] += T(by[j]);
            masses.centre[j] += by[j];
        }
        return stub;
    }

    [[nodiscard]] std::vector<FarNode<order, T>> tops() const {
        std::vector<FarNode<order, T>> tops;
        for (Stub const& stub : top_stubs(own_)) tops.push_back({stub.summary, stub.count});
        return tops;
    }
    /// Image r of the tree, down to the nodes that are looked into, and the points of leaves that are among it.
    Part image(std::size_t r, std::vector<GivenPoint<I>>& points) const {
        auto const opened = opened_.of_image(shift_[r]);
        std::vector<GivenNode<I>> nodes;
        if (opened.back().empty()) {
            for (pos_t const i : canopies_.of_image(shift_[r])) {
                auto const& node = canopies_.nodes()[i];
                nodes.push_back({moved({{}, node.count, 0, node.masses}, shift_[r]), 0, 0});
            }
            return GivenTree<I>(nodes, nodes.size(), points).run();
        }
        nodes = given_nodes(own_, opened);
        for (auto& node : nodes) node.stub = moved(node.stub, shift_[r]);
        auto const rows = tree_.template points<3>();
        for (pos_t const leaf : opened[0])
            for (pos_t i = tree_.planes[0].first[leaf]; i < tree_.planes[0].first[leaf + 1]; ++i) {
                auto x = rows.point(i);
                for (int j = 0; j < 3; ++j) x[j] += T(shift_[r][j]);
                points.push_back({x, i, i, masses_[i]});
            }
        return GivenTree<I>(nodes, tree_.planes.back().nodes(), points).run();
    }
    /// Of all planes plane 0 has the most nodes.
    void check_sizes(std::vector<Part> const& parts) const {
        std::uint64_t points = 0, nodes = 0;
        auto const add = [&](Tree<T, Cpu> const& tree) {
            points += tree.size();
            if (!tree.planes.empty()) nodes += tree.planes[0].nodes();
        };
        add(tree_);
        for (Part const& part : parts) add(part.tree);
        (void)checked_with_images(std::max(points, nodes));
    }
    GravitySources<order, T> together(std::vector<Part> const& parts,
                                      std::vector<std::vector<GivenPoint<I>>> const& points) {
        GravitySources<order, T> all;
        all.masses.assign(masses_.begin(), masses_.end());
        for (auto const& some : points)
            for (auto const& p : some) all.masses.push_back(p.payload);
        Known const own{std::move(count_), std::move(own_.summary)};
        std::vector<Tree<T, Cpu> const*> trees{&tree_};
        std::vector<Known const*> known{&own};
        for (auto const& part : parts) {
            trees.push_back(&part.tree);
            known.push_back(&part.known);
        }
        check_sizes(parts);
        Cpu place = cpu_;
        all.tree = concat<Cpu, T>(place, trees, 3);
        all.known = concat_known<I>(known);
        all.targets = targets_;
        return all;
    }

    Cpu cpu_;
    Tree<T, Cpu> const& tree_;
    std::span<PointMass<T> const> masses_;
    std::vector<std::vector<pos_t>> count_;
    SummarizedTree<I> own_;
    TargetNodes targets_;
    OpenedNodes<T> opened_;
    Canopies<order, T> canopies_;
    std::vector<Vec<3, double>> shift_;
};

template <int order, class T>
GravitySources<order, T> with_images(Cpu const& cpu, Gravity<order, T> const& trait,
                                     Tree<T, Cpu> const& tree, KnownNodes<Multipole<order, T>>&& known,
                                     std::span<PointMass<T> const> masses, TargetNodes const& targets,
                                     ImageBox const& box) {
    return Images<order, T>(cpu, trait, tree, std::move(known), masses, targets, box).run();
}
template <int order, class T>
GravitySources<order, T> with_images(Cpu const& cpu, Gravity<order, T> const& trait,
                                     Tree<T, Cpu> const& tree, std::span<PointMass<T> const> masses,
                                     ImageBox const& box) {
    Columns<PointMass<T>> const columns(masses);
    SummarizedTree<Gravity<order, T>> own{&tree, summarize(trait, tree, columns.view())};
    return with_images(cpu, trait, tree, all_known(std::move(own)), masses, TargetNodes{}, box);
}

}}}  // namespace zwalk::v0::detail
