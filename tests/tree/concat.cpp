// Trees side by side: one tree of the points of all.
#include "zwalk/tree/concat.hpp"

#include <doctest/doctest.h>

#include "support/everywhere.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/tree/copy_tree.hpp"
#include "zwalk/tree/joint.hpp"

using namespace test;

namespace {

/// Trees of rows [cut[i], cut[i + 1]) in z-order, built one by one, so that they are of different depths.
std::vector<Tree<float, Cpu>> trees_of(Rows<3, float> const& rows, std::vector<std::size_t> const& cut,
                                       TreeOptions const& options) {
    Cpu const cpu(1);
    std::vector<Tree<float, Cpu>> trees;
    auto const order = build_tree(cpu, view<3>(rows), 3).input;
    for (std::size_t p = 1; p < cut.size(); ++p) {
        Rows<3, float> part;
        for (std::size_t i = cut[p - 1]; i < cut[p]; ++i) part.push_back(rows[order[i]]);
        trees.push_back(build_tree(cpu, view<3>(part), 3, options));
    }
    return trees;
}
template <class P>
std::vector<Tree<float, P> const*> pointers(std::vector<Tree<float, P>> const& trees) {
    std::vector<Tree<float, P> const*> all;
    for (auto const& tree : trees) all.push_back(&tree);
    return all;
}

void check_planes(Tree<float, Cpu> const& all) {
    for (std::size_t p = 0; p < all.planes.size(); ++p) {
        auto const& plane = all.planes[p];
        auto const boxes = plane.view<3>(p);
        REQUIRE(plane.first[0] == 0);
        REQUIRE(plane.first[plane.nodes()] == all.size());
        for (pos_t i = 0; i < plane.nodes(); ++i) {
            REQUIRE(plane.first[i] < plane.first[i + 1]);
            for (int j = 0; j < 3; ++j) {
                float lo = infinity<float>, hi = -infinity<float>;
                for (pos_t q = plane.first[i]; q < plane.first[i + 1]; ++q) {
                    lo = std::min(lo, all.points<3>().at(j, q));
                    hi = std::max(hi, all.points<3>().at(j, q));
                }
                REQUIRE(boxes.box_lo(j, i) == lo);
                REQUIRE(boxes.box_hi(j, i) == hi);
            }
            if (p == 0) continue;
            auto const& finer = all.planes[p - 1];
            REQUIRE(plane.child[i] < plane.child[i + 1]);
            REQUIRE(finer.first[plane.child[i]] == plane.first[i]);
            REQUIRE(finer.first[plane.child[i + 1]] == plane.first[i + 1]);
        }
        if (p > 0) REQUIRE(plane.child[plane.nodes()] == all.planes[p - 1].nodes());
    }
}

bool same_bytes(Tree<float, Cpu> const& a, Tree<float, Cpu> const& b) {
    bool same = a.columns == b.columns && a.stride == b.stride && a.x == b.x && a.input == b.input &&
                a.planes.size() == b.planes.size();
    for (std::size_t p = 0; same && p < a.planes.size(); ++p) {
        auto const &m = a.planes[p], &n = b.planes[p];
        same = m.first == n.first && m.child == n.child && m.lo == n.lo && m.hi == n.hi &&
               m.stride == n.stride;
    }
    return same;
}

}  // namespace

TEST_CASE("concat: points, rows, boxes and children of all parts") {
    Cpu cpu(2);
    for (auto const* kind : {"uniform", "clustered", "grid", "sites40", "line", "equal"})
        for (pos_t leaf_size : {1, 7, 48})
            for (std::vector<std::size_t> const& cut : {std::vector<std::size_t>{0, 80, 80, 281, 400},
                                                        {0, 400},
                                                        {0, 1, 2, 400},
                                                        {0, 0, 399, 400, 400}}) {
                CAPTURE(kind);
                CAPTURE(leaf_size);
                auto const rows = make_points<3, float>(kind, 400, 3);
                auto const trees =
                    trees_of(rows, cut, {.leaf_size = leaf_size, .coarsening = 2, .top_nodes = 2});
                auto const parts = pointers(trees);
                auto const all = concat<Cpu, float>(cpu, parts, 3);
                REQUIRE(all.size() == 400);
                pos_t at = 0;
                for (auto const& tree : trees)
                    for (pos_t i = 0; i < tree.size(); ++i, ++at) {
                        REQUIRE(all.points<3>().point(at) == tree.points<3>().point(i));
                        REQUIRE(all.input[at] == tree.input[i]);
                    }
                check_planes(all);

                HostDevice<> device;
                std::vector<Tree<float, HostDevice<>>> there;
                for (auto const& tree : trees) there.push_back(copy_tree(device, cpu, tree));
                auto const device_parts = pointers(there);
                auto const device_all = concat<HostDevice<>, float>(device, device_parts, 3);
                REQUIRE(same_bytes(copy_tree(cpu, device, device_all), all));
            }
}

TEST_CASE("concat: nothing") {
    Cpu cpu(1);
    auto const trees = trees_of({}, {0, 0, 0}, {});
    auto const parts = pointers(trees);
    auto const all = concat<Cpu, float>(cpu, parts, 3);
    CHECK(all.size() == 0);
    CHECK(all.planes.empty());
}
