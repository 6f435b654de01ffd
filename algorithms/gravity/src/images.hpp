// Periodic boxes: the images of all points in the shells around the box, as sources beside the points themselves.
//
// Images are parts of a tree, as other ranks' points are (dist/given_nodes.hpp): most end as a few nodes without points, which
// act as a whole; only near the faces of the box leaves look into them.
#pragma once
#include <utility>
#include <vector>

#include "lattice.hpp"
#include "zwalk/dist/given_nodes.hpp"
#include "zwalk/gravity/trait.hpp"

namespace zwalk::inline v0::detail {

/// What a walk goes through: the points, which are the targets and come first, and images behind them.
template <int order, class T>
struct WithImages {
    Tree<T, Cpu> tree;
    KnownNodes<Multipole<order, T>> known;
    Columns<PointMass<T>> masses;
    TargetNodes targets;
};

template <int order, class T>
class Images {
    using I = Gravity<order, T>;
    using Space = Open<3, T>;
    using Part = PartialTree<I>;

  public:
    Images(Cpu const& cpu, I const& trait, Tree<T, Cpu> const& tree,
           ColumnsView<PointMass<T>> const& masses, std::array<double, 3> const& box)
        : cpu_(cpu),
          need_(trait, space_),
          tree_(tree),
          masses_(masses),
          own_{&tree, summarize(trait, tree, masses)},
          tops_(top_stubs(own_)) {
        each_within(shells_of(box), [&](std::array<int, 3> const& n) {
            if (n != std::array{0, 0, 0})
                shift_.push_back({n[0] * box[0], n[1] * box[1], n[2] * box[2]});
        });
    }
    WithImages<order, T> run() {
        auto const asked = ask();
        std::vector<Part> parts(shift_.size());
        std::vector<std::vector<GivenPoint<I>>> points(shift_.size());
        parallel_for(parts.size(), 1, [&](std::size_t r, std::size_t end) {
            for (; r < end; ++r) parts[r] = image(r, asked.of_ranks.of(int(r)), points[r]);
        });
        return together(parts, points);
    }

  private:
    static void move(NodeStub<I>& stub, Vec<3, double> const& by) {
        move(stub.summary, by);
        for (int j = 0; j < 3; ++j) {
            stub.box.lo[j] = stub.summary.lo[j];
            stub.box.hi[j] = stub.summary.hi[j];
        }
    }
    static void move(Multipole<order, T>& masses, Vec<3, double> const& by) {
        for (int j = 0; j < 3; ++j) {
            masses.lo[j] += T(by[j]);
            masses.hi[j] += T(by[j]);
            masses.centre[j] += by[j];
        }
    }
    /// What leaves ask of each image.
    Requests<I> ask() const {
        std::vector<NodeStub<I>> canopy;
        std::vector<int> image_of;
        for (std::size_t r = 0; r < shift_.size(); ++r)
            for (NodeStub<I> stub : tops_) {
                move(stub, shift_[r]);
                canopy.push_back(stub);
                image_of.push_back(int(r));
            }
        StubPlane<I> const plane{std::span<NodeStub<I> const>(canopy)};
        return need_.ask(own_, own_, plane, image_of, int(shift_.size()));
    }
    /// Image r of the tree, down to what those who ask look into, and the points of leaves that are among it.
    Part image(std::size_t r, std::span<NodeStub<I> const> asking,
               std::vector<GivenPoint<I>>& points) const {
        std::vector<GivenNode<I>> nodes;
        if (asking.empty()) {
            for (NodeStub<I> stub : tops_) {
                move(stub, shift_[r]);
                nodes.push_back({stub, 0, 0});
            }
            return GivenTree<I>(nodes, tops_.size(), points).run();
        }
        Tree<T, Cpu> moved_tree;
        auto const moved = moved_nodes(moved_tree, shift_[r]);
        auto const wanted = need_.wanted_nodes(moved, asking);
        nodes = given_nodes(moved, wanted);
        auto const rows = tree_.template points<3>();
        for (pos_t const leaf : wanted[0])
            for (pos_t i = tree_.planes[0].first[leaf]; i < tree_.planes[0].first[leaf + 1]; ++i) {
                auto x = rows.point(i);
                for (int j = 0; j < 3; ++j) x[j] += T(shift_[r][j]);
                points.push_back({x, i, i, masses_[i]});
            }
        return GivenTree<I>(nodes, tops_.size(), points).run();
    }
    /// All nodes of the tree, elsewhere; without points.
    SummarizedTree<I> moved_nodes(Tree<T, Cpu>& to, Vec<3, double> const& by) const {
        SummarizedTree<I> moved{&to, own_.summary};
        for (std::size_t p = 0; p < tree_.planes.size(); ++p) {
            auto const& from = tree_.planes[p];
            Plane<T, Cpu> plane;
            plane.first = copied(from.first);
            plane.child = copied(from.child);
            plane.lo = copied(from.lo);
            plane.hi = copied(from.hi);
            plane.stride = from.stride;
            for (int j = 0; j < 3; ++j)
                for (pos_t i = 0; i < from.nodes(); ++i) {
                    plane.lo[std::size_t(j) * plane.stride + i] += T(by[j]);
                    plane.hi[std::size_t(j) * plane.stride + i] += T(by[j]);
                }
            to.planes.push_back(std::move(plane));
            for (auto& summary : moved.summary[p]) move(summary, by);
        }
        return moved;
    }
    template <class E>
    static Buffer<E> copied(Buffer<E> const& from) {
        Buffer<E> to(from.size());
        std::copy(from.begin(), from.end(), to.begin());
        return to;
    }
    WithImages<order, T> together(std::vector<Part> const& parts,
                                  std::vector<std::vector<GivenPoint<I>>> const& points) {
        WithImages<order, T> all;
        std::vector<PointMass<T>> masses;
        for (pos_t i = 0; i < tree_.size(); ++i) masses.push_back(masses_[i]);
        for (auto const& some : points)
            for (auto const& p : some) masses.push_back(p.payload);
        all.masses = Columns<PointMass<T>>(std::span<PointMass<T> const>(masses));
        auto const own_known = all_known(std::move(own_));
        std::vector<Tree<T, Cpu> const*> trees{&tree_};
        std::vector<KnownNodes<Multipole<order, T>> const*> known{&own_known};
        for (auto const& part : parts) {
            trees.push_back(&part.tree);
            known.push_back(&part.known);
        }
        Cpu place = cpu_;
        all.tree = concat<Cpu, T>(place, trees, 3);
        all.known = concat_known<I>(known);
        all.targets = {0, pos_t(tops_.size())};
        return all;
    }

    Cpu cpu_;
    Space space_;
    NeedWalk<I, Space> need_;
    Tree<T, Cpu> const& tree_;
    ColumnsView<PointMass<T>> masses_;
    SummarizedTree<I> own_;
    std::vector<NodeStub<I>> tops_;
    std::vector<Vec<3, double>> shift_;
};

}  // namespace zwalk::inline v0::detail
