// Images in a periodic box that a device makes of what a rank has, against those of threads, bit for bit: of other ranks' trees it has
// the points that its own leaves look into, also in images, and nodes without points beside these.
#include <set>

#include "device/gravity_images.hpp"
#include "gravity/ewald.hpp"
#include "gravity/src/algorithm.hpp"
#include "gravity/src/opened_nodes.hpp"
#include "support/sanitized.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/tree/joint.hpp"

using namespace test;
using namespace zwalk::detail;

namespace {

/// Points that ranks share, each with a tree of its own range of their z-order; of which one has what it needs of the others.
template <int order, class T>
class RankSources {
    using I = Gravity<order, T>;
    using Known = KnownNodes<Multipole<order, T>>;

  public:
    Tree<T, Cpu> tree;
    Known known;
    std::vector<PointMass<T>> masses;
    TargetNodes targets;
    I trait;
    ImageBox box;

    /// @param imports  false: of the others it has nodes without points only
    RankSources(Rows<3, T> const& rows, BoxSides const& sides, GravityOptions const& o,
                std::size_t ranks, std::size_t own, bool imports = true)
        : RankSources(Index<T>(Points<T>(rows.front().data(), rows.size(), 3),
                               {.box = {sides[0], sides[1], sides[2]}, .tree = o.tree}),
                      unit_of_length(sides[0]), o, ranks, own, imports) {}

    [[nodiscard]] GravitySources<order, T> on_threads() const {
        Cpu const threads(2);
        return threads.run([&] {
            return with_images(threads, trait, tree, Known(known), std::span<PointMass<T> const>(masses),
                               targets, box);
        });
    }
    [[nodiscard]] DeviceSources<order, T, HostDevice<>> on(HostDevice<>& device) const {
        Cpu here(1);
        auto const there = copy_tree(device, here, tree);
        ColumnsOn<PointMass<T>, HostDevice<>> const columns(device,
                                                            std::span<PointMass<T> const>(masses));
        WalkInputs<I> inputs{{}, columns.view()};
        inputs.targets = targets;
        inputs.known = &known;
        return DeviceImages<order, T, HostDevice<>>(device, trait, there, inputs, box).run();
    }
    /// Leaves whose points are on other ranks.
    [[nodiscard]] std::size_t leaves_elsewhere() const {
        auto const& first = tree.planes[0].first;
        std::size_t n = 0;
        for (std::size_t i = 0; i + 1 < first.size(); ++i)
            n += first[i + 1] - first[i] != known.count[0][i];
        return n;
    }

  private:
    struct Part {
        Tree<T, Cpu> tree;
        std::vector<PointMass<T>> masses;
        Known known;
    };

    RankSources(Index<T> const& index, double unit, GravityOptions const& o, std::size_t ranks,
                std::size_t own, bool imports)
        : trait(gravity_trait<order, T>(o, unit)), box(index.points().period) {
        Cpu(1).run([&] {
            std::vector<Part> parts;
            for (std::size_t r = 0; r < ranks; ++r)
                parts.push_back(part_of(index.points().tree, o.tree, r, ranks));
            auto const opened = imports ? opened_by(parts, own) : std::vector<std::set<pos_t>>();
            std::vector<pos_t> before(opened.size());
            for (std::size_t r = 0; r < ranks; ++r) {
                auto const& planes = parts[r].tree.planes;
                if (planes.empty()) continue;
                auto const nodes = [&](std::size_t p) {
                    return planes[std::min(p, planes.size() - 1)].nodes();
                };
                std::vector<std::vector<pos_t>> of_part(planes.size());
                for (std::size_t p = 0; p < before.size(); ++p) {
                    for (pos_t const i : opened[p])
                        if (p < planes.size() && i >= before[p] && i < before[p] + nodes(p))
                            of_part[p].push_back(i - before[p]);
                    before[p] += nodes(p);
                }
                if (r != own) give(parts[r], of_part);
            }
            put_together(parts, own);
        });
    }
    Part part_of(Tree<T, Cpu> const& all, TreeOptions const& options, std::size_t r,
                 std::size_t ranks) const {
        auto const x = all.template points<3>();
        Rows<3, T> rows;
        Part part;
        for (std::size_t i = r * all.size() / ranks; i < (r + 1) * all.size() / ranks; ++i) {
            auto const& point = x.point(pos_t(i));
            rows.push_back({point[0], point[1], point[2]});
            part.masses.push_back({T(1 + i % 7)});
        }
        if (rows.empty()) return part;
        part.tree = build_tree(Cpu(1), Points<T>(rows.front().data(), rows.size(), 3), 3, options);
        Columns<PointMass<T>> const columns{std::span<PointMass<T> const>(part.masses)};
        part.known = all_known(
            SummarizedTree<I>{&part.tree, summarize(trait, part.tree, columns.view()), nullptr, {}});
        return part;
    }
    void put_together(std::vector<Part> const& parts, std::size_t own) {
        std::vector<Tree<T, Cpu> const*> trees;
        std::vector<Known const*> nodes;
        masses.clear();
        for (std::size_t r = 0; r < parts.size(); ++r) {
            auto const& part = parts[r];
            pos_t const tops = top_nodes(part.tree, {}).end;
            if (r < own) targets.begin += tops;
            if (r <= own) targets.end = targets.begin + tops;
            trees.push_back(&part.tree);
            nodes.push_back(&part.known);
            masses.insert(masses.end(), part.masses.begin(), part.masses.end());
        }
        Cpu here(1);
        tree = concat<Cpu, T>(here, trees, 3);
        known = concat_known<I>(nodes);
    }
    /// Nodes of all parts side by side that the own one looks into, where they are or in an image.
    std::vector<std::set<pos_t>> opened_by(std::vector<Part> const& parts, std::size_t own) {
        put_together(parts, own);
        OpenedNodes<T> const looked(trait, SummarizedTree<I>{&tree, known.summary, &known.count, {}},
                                    targets);
        auto shifts = image_shifts(box);
        shifts.push_back({0, 0, 0});
        std::vector<std::set<pos_t>> opened(tree.planes.size());
        for (auto const& shift : shifts) {
            auto const nodes = looked.of_image(shift);
            for (std::size_t p = 0; p < nodes.size(); ++p)
                opened[p].insert(nodes[p].begin(), nodes[p].end());
        }
        targets = {};
        return opened;
    }
    /// The part becomes what is sent of it.
    void give(Part& part, std::vector<std::vector<pos_t>> const& opened) const {
        SummarizedTree<I> const whole{&part.tree, part.known.summary, nullptr, {}};
        auto const nodes = given_nodes(whole, opened);
        std::vector<GivenPoint<I>> points;
        auto const x = part.tree.template points<3>();
        for (pos_t const leaf : opened[0])
            for (pos_t i = part.tree.planes[0].first[leaf]; i < part.tree.planes[0].first[leaf + 1]; ++i)
                points.push_back({x.point(i), i, i, part.masses[i]});
        auto given = GivenTree<I>(nodes, part.tree.planes.back().nodes(), points).run();
        part.masses.clear();
        for (auto const& point : points) part.masses.push_back(point.payload);
        part.tree = std::move(given.tree);
        part.known = std::move(given.known);
    }
};

struct Sizes {
    std::size_t elsewhere = 0, moved = 0;  ///< leaves without points; points of images
};
template <int order, class T>
Sizes check_rank(Rows<3, T> const& rows, BoxSides const& sides, GravityOptions const& o,
                 std::size_t ranks, std::size_t own) {
    CAPTURE(order);
    CAPTURE(sizeof(T));
    CAPTURE(rows.size());
    CAPTURE(sides[2]);
    CAPTURE(ranks);
    CAPTURE(own);
    RankSources<order, T> const given(rows, sides, o, ranks, own);
    if (given.targets.begin == given.targets.end) return {};  // this rank doesn't walk
    HostDevice<> device;
    auto const tree = check_same_images(device, given.on(device), given.on_threads());
    return {given.leaves_elsewhere(), tree.size() - given.tree.size()};
}

}  // namespace

TEST_CASE_TEMPLATE("device gravity, images of imports: every kind of points, as on threads", T, float,
                   double) {
    Sizes all;
    std::size_t turn = 0;
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        if (kind == "huge" || kind == "subnormal") continue;  // stretched they are others
        for (BoxSides const& box : {BoxSides{1.6, 1.6, 1.6}, BoxSides{2, 3, 4}})
            for (std::size_t const ranks : {2, 3, 8}) {
                auto const rows = stretched(make_points<3, T>(kind, fewer(400, 4), 3), box);
                GravityOptions const o{.softening = turn % 2 ? .01 : 0,
                                       .opening = 1.1,
                                       .tree = {.leaf_size = 8, .coarsening = 2, .top_nodes = 3}};
                auto const seen = check_rank<4>(rows, box, o, ranks, turn++ % ranks);
                all.elsewhere += seen.elsewhere;
                all.moved += seen.moved;
            }
    }
    CHECK(all.elsewhere > 100);
    CHECK(all.moved > 100);
}

TEST_CASE_TEMPLATE("device gravity, images of imports: each rank, long boxes, openings and trees", T,
                   float, double) {
    for (BoxSides const& box : {BoxSides{1, 1, 1}, BoxSides{1, 1, 3}})
        for (double const opening : {.5, 2., 8.})
            for (TreeOptions const& tree :
                 {TreeOptions{.coarsening = 2}, TreeOptions{.leaf_size = 4, .top_nodes = 1},
                  TreeOptions{.leaf_size = 6, .coarsening = 3, .top_nodes = 500}}) {
                auto const* const kind = opening > 1 ? "clustered" : "uniform";
                auto const rows = stretched(make_points<3, T>(kind, fewer(240, 4), 5), box);
                for (std::size_t own = 0; own < 3; ++own)
                    check_rank<5>(rows, box, {.opening = opening, .tree = tree}, 3, own);
            }
}

TEST_CASE_TEMPLATE("device gravity, images of imports: fewer points than ranks, and at one place", T,
                   float, double) {
    BoxSides const box{1, 1, 2};
    for (double const softening : {0., .01})
        for (std::size_t n : {1, 2, 3, 5, 9})
            for (std::size_t own = 0; own < 8; ++own) {
                GravityOptions const o{.softening = softening,
                                       .opening = .7,
                                       .tree = {.leaf_size = 2, .coarsening = 2, .top_nodes = 2}};
                check_rank<4>(stretched(make_points<3, T>("uniform", n, 1), box), box, o, 8, own);
                check_rank<4>(Rows<3, T>(n, {T(.3), T(1), T(0)}), box, o, 8, own);
            }
}

TEST_CASE(
    "device gravity, images of imports: nodes that are looked into without their points have none") {
    BoxSides const box{1, 1, 1};
    auto const rows = make_points<3, float>("uniform", 300, 1);
    RankSources<4, float> const given(
        rows, box, {.opening = .7, .tree = {.leaf_size = 8, .coarsening = 2, .top_nodes = 4}}, 3, 1,
        false);
    HostDevice<> device;
    Cpu here(1);
    auto const got = given.on(device);
    auto const tree = copy_tree(here, device, got.tree);
    auto const leaves = tree.plane<3>(0);
    REQUIRE(tree.planes[0].first.back() == tree.size());
    CHECK(tree.size() > given.tree.size());
    bool inside = true;
    for (pos_t leaf = 0; leaf < leaves.nodes; ++leaf)
        for (pos_t i = leaves.first[leaf]; i < leaves.first[leaf + 1]; ++i)
            for (int j = 0; j < 3; ++j) {
                float const x = tree.x[std::size_t(j) * tree.stride + i];
                inside = inside && *leaves.lo_from(j, leaf) <= x && x <= *leaves.hi_from(j, leaf);
            }
    CHECK(inside);
}
