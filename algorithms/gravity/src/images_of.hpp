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

#include "images.hpp"
#include "lattice.hpp"
#include "opened_nodes.hpp"
#include "zwalk/ranks/given_nodes.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <int order, class T>
class Images {
    using I = Gravity<order, T>;
    using Space = Open<3, T>;
    using Part = PartialTree<I>;
    using Stub = NodeStub<I>;
    using Known = KnownNodes<Multipole<order, T>>;

  public:
    Images(Cpu const& cpu, I const& trait, Tree<T, Cpu> const& tree, Known&& known,
           std::span<PointMass<T> const> masses, TargetNodes const& targets, ImageBox const& box)
        : cpu_(cpu),
          trait_(trait),
          tree_(tree),
          masses_(masses),
          count_(std::move(known.count)),
          own_{&tree, std::move(known.summary), &count_},
          targets_(top_nodes(tree, targets)),
          opened_(trait, own_, targets_) {
        make_levels();
        each_within(box.shells, [&](std::array<int, 3> const& n) {
            if (n != std::array{0, 0, 0})
                shift_.push_back({n[0] * box.sides[0], n[1] * box.sides[1], n[2] * box.sides[2]});
        });
    }
    GravitySources<order, T> run() {
        std::size_t const images = shift_.size();
        auto const seen = canopies();
        std::vector<Part> parts(images);
        std::vector<std::vector<GivenPoint<I>>> points(images);
        parallel_for(images, 1, [&](std::size_t r, std::size_t end) {
            for (; r < end; ++r) parts[r] = image(r, seen[r], points[r]);
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

    /// The top nodes, then nodes of up to eight neighbours in the z-order of those before, up to one of all: ranks and devices
    /// have many top nodes, which far images can do without.
    void make_levels() {
        levels_.push_back(top_stubs(own_));
        while (levels_.back().size() > 1) {
            auto const& finer = levels_.back();
            std::vector<Stub> coarser;
            for (std::size_t i = 0; i < finer.size(); i += 8) {
                Stub all = finer[i];
                for (std::size_t c = i + 1; c < std::min(finer.size(), i + 8); ++c) {
                    all.summary = trait_.merge(all.summary, finer[c].summary);
                    all.count = pos_t(
                        std::min<std::uint64_t>(std::uint64_t(all.count) + finer[c].count, no_pos - 1));
                }
                coarser.push_back(moved(all, {}));
            }
            levels_.push_back(std::move(coarser));
        }
    }
    /// The largest nodes of each image that no target looks into, or top nodes.
    std::vector<std::vector<Stub>> canopies() const {
        auto const plane = tree_.template plane<3>(tree_.planes.size() - 1);
        std::vector<std::vector<Stub>> canopies(shift_.size());
        parallel_for(shift_.size(), 1, [&](std::size_t r, std::size_t end) {
            for (; r < end; ++r)
                for (std::size_t i = 0; i < levels_.back().size(); ++i)
                    add_canopy(canopies[r], plane, r, levels_.size() - 1, i);
        });
        return canopies;
    }
    void add_canopy(std::vector<Stub>& to, PlaneView<3, T> const& tops, std::size_t r, std::size_t level,
                    std::size_t i) const {
        Stub const stub = moved(levels_[level][i], shift_[r]);
        if (level == 0 || !is_opened(tops, stub)) return to.push_back(stub);
        for (std::size_t c = 8 * i; c < std::min(levels_[level - 1].size(), 8 * i + 8); ++c)
            add_canopy(to, tops, r, level - 1, c);
    }
    bool is_opened(PlaneView<3, T> const& tops, Stub const& stub) const {
        StubPlane<I> const plane{std::span(&stub, 1)};
        auto const source = node_view<I>(space_, plane.view(), plane.summary.data(), 0);
        for (pos_t t = targets_.begin; t < targets_.end; ++t) {
            auto const target = node_view<I>(space_, tops, own_.summary.back().data(), t);
            if (trait_.decide(target, source, node_range(space_, tops, t, plane.view(), 0)) ==
                Decision::descend)
                return true;
        }
        return false;
    }
    /// Image r of the tree, down to the nodes that are looked into, and the points of leaves that are among it.
    Part image(std::size_t r, std::span<Stub const> canopy, std::vector<GivenPoint<I>>& points) const {
        auto const opened = opened_.of_image(shift_[r]);
        std::vector<GivenNode<I>> nodes;
        if (opened.back().empty()) {
            for (Stub const& stub : canopy) nodes.push_back({stub, 0, 0});
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
        return GivenTree<I>(nodes, levels_[0].size(), points).run();
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
        Cpu place = cpu_;
        all.tree = concat<Cpu, T>(place, trees, 3);
        all.known = concat_known<I>(known);
        all.targets = targets_;
        return all;
    }

    Cpu cpu_;
    I const& trait_;
    Space space_;
    Tree<T, Cpu> const& tree_;
    std::span<PointMass<T> const> masses_;
    std::vector<std::vector<pos_t>> count_;
    SummarizedTree<I> own_;
    TargetNodes targets_;
    OpenedNodes<T> opened_;
    std::vector<std::vector<Stub>> levels_;
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
