// Walks on a device: what counts towards a budget; targets that are left out.
#include "zwalk/walk/device_walk.hpp"

#include <array>

#include "device/support.hpp"
#include "traits/monopole.hpp"
#include "traits/pair_counts.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/tree/device_build.hpp"

using namespace test;
using namespace zwalk::examples;

namespace {

struct Asking {
    bool any;
};

/// Neighbours within a radius, for the points that ask.
struct CountForSome : Types<3, float, Empty, Asking> {
    using Base = Types<3, float, Empty, Asking>;
    using Base::Node, Base::Point, Base::Target, Base::State, Base::Summary;
    static constexpr Uses uses{.summary = true, .idle = true};

    float radius2 = .01f;
    std::uint8_t const* asks = nullptr;
    int *begun = nullptr, *ended = nullptr;
    pos_t* count = nullptr;

    Summary summarize(Point const& p) const { return {asks[p.position] != 0}; }
    Summary merge(Summary a, Summary b) const { return {a.any || b.any}; }
    bool idle(Node const& t) const { return !t.summary.any; }
    Decision decide(Node const&, Node const&, Range<float> d) const {
        return d.lo2 <= radius2 ? Decision::descend : Decision::discard;
    }
    using Fold = pos_t;
    Fold begin(Target const& p, State const&) const {
        ++begun[p.index];
        return 0;
    }
    void visit(Fold& n, Point const&, Point const&, float d2) const { n += d2 <= radius2; }
    void end(Fold const& n, Target const& p) const {
        ++ended[p.index];
        count[p.index] = n;
    }
};

/// How many points are near each one, of nodes that have any, by a sum of ones.
struct CountNear : Types<3, float, Empty, pos_t> {
    using Base = Types<3, float, Empty, pos_t>;
    using Base::Node, Base::Point, Base::Target, Base::State, Base::Summary;
    static constexpr Uses uses{.summary = true, .far = true};

    pos_t* near = nullptr;

    Summary summarize(Point const&) const { return 1; }
    Summary merge(Summary a, Summary b) const { return a + b; }
    Decision decide(Node const&, Node const& s, Range<float>) const {
        return s.count == 0 || s.summary == 0 ? Decision::accept : Decision::descend;
    }
    using Fold = pos_t;
    Fold begin(Target const&, State const&) const { return 0; }
    void far(Fold&, Target const&, Summary const&, auto const&) const {}
    void visit(Fold& n, Point const&, Point const&, float) const { ++n; }
    void end(Fold const& n, Target const& p) const { near[p.index] = n; }
};

}  // namespace

TEST_CASE("device walk: idle nodes get no lists, and their points aren't begun") {
    auto const rows = make_points<3, float>("uniform", 3000, 5);
    pos_t const n = pos_t(rows.size());
    HostDevice<true> device;
    auto const tree = build_tree(device, on_device<3, float>(rows), 3, {.leaf_size = 10});
    auto const points = tree.points<3>();
    pos_t const *first = tree.planes[0].first.data(), leaves = tree.planes[0].nodes();
    size_type entries = no_pos;
    for (float below : {2.f, .3f, 0.f}) {  // all ask, some, none
        CAPTURE(below);
        std::vector<std::uint8_t> asks(n);
        for (pos_t i = 0; i < n; ++i) asks[i] = points.at(0, i) < below;
        std::vector<int> begun(n), ended(n);
        std::vector<pos_t> count(n);
        CountForSome trait;
        trait.asks = asks.data(), trait.begun = begun.data(), trait.ended = ended.data();
        trait.count = count.data();
        auto const counts = walk(device, trait, Open<3, float>{}, tree, tree);
        for (pos_t leaf = 0; leaf < leaves; ++leaf) {
            bool const idle = std::none_of(asks.begin() + first[leaf], asks.begin() + first[leaf + 1],
                                           [](std::uint8_t a) { return a != 0; });
            for (pos_t i = first[leaf]; i < first[leaf + 1]; ++i) {
                REQUIRE(begun[i] == int(!idle));
                REQUIRE(ended[i] == int(!idle));
                if (idle || i % 7) continue;
                pos_t expected = 0;
                for (pos_t j = 0; j < n; ++j)
                    expected +=
                        distance2(Open<3, float>{}, points.point(i), points.point(j)) <= trait.radius2;
                REQUIRE(count[i] == expected);
            }
        }
        CHECK(counts.node_entries < entries);
        entries = counts.node_entries;
    }
    CHECK(entries == 0);
    CHECK(device.run.races == 0);
}

TEST_CASE("device walk: far lists keep to the budget, too, and change no bit") {
    auto const rows = make_points<3, float>("clustered", 4000, 3);
    Cpu const cpu(1);
    auto const tree = build_tree(cpu, view<3>(rows), 3, {.leaf_size = 8});
    HostDevice<> device;
    auto const there = copy_tree(device, cpu, tree);
    std::vector<Mass<float>> const masses(rows.size(), {1.f});
    Columns<Mass<float>> const mass{std::span<Mass<float> const>(masses)};
    auto const pull = [&](std::uint64_t budget, WalkCounts& counts) {
        std::vector<Vec<3, float>> result(rows.size());
        Monopole<3, float> gravity;
        gravity.theta2 = .25f, gravity.softening2 = 1e-4f, gravity.acceleration = result.data();
        WalkInputs<Monopole<3, float>> inputs{mass.view(), mass.view()};
        device.budget = budget;
        counts = walk(device, gravity, Open<3, float>{}, there, there, inputs);
        return result;
    };
    WalkCounts whole, pieces;
    std::uint64_t const before = device.bytes_in_use();
    auto const expected = pull(0, whole);
    pos_t nodes = 0;
    for (auto const& plane : there.planes) nodes += plane.nodes();
    // All that grows with what was accepted is counted; beside it there are arrays by node.
    CHECK(device.stats().peak_bytes - before <= whole.peak_list_bytes + 100 * std::uint64_t(nodes));
    for (std::uint64_t share : {5, 20}) {
        CAPTURE(share);
        auto const found = pull(whole.peak_list_bytes / share, pieces);
        CHECK(pieces.peak_list_bytes <= whole.peak_list_bytes / share);
        CHECK(pieces.node_entries == whole.node_entries);
        for (std::size_t i = 0; i < found.size(); ++i)
            for (int j = 0; j < 3; ++j) REQUIRE(found[i][j] == expected[i][j]);
    }
    for (std::uint64_t budget : {1, 1000})  // one node at a time: results only
        CHECK(std::memcmp(pull(budget, pieces).data(), expected.data(),
                          expected.size() * sizeof expected[0]) == 0);
}

TEST_CASE("device walk: pairs of some targets, and of many more top nodes behind them") {
    Cpu const cpu(1);
    auto const rows = make_points<3, float>("uniform", 9000, 4);
    auto const tree = build_tree(cpu, view<3>(rows), 3, {.leaf_size = 1, .top_nodes = 100000});
    pos_t const nodes = tree.planes.back().nodes();
    REQUIRE(nodes > 256 * 32);  // so that groups of them are larger than those of few targets
    HostDevice<> device;
    auto const there = copy_tree(device, cpu, tree);
    PairCounts<3, float, 4> trait;
    std::copy_n(std::array{0.f, .01f, .1f, .5f, 3.f}.begin(), 5, trait.edge2);
    for (TargetNodes const some : {TargetNodes{0, 40}, TargetNodes{100, 200}, TargetNodes{nodes - 50}}) {
        CAPTURE(some.begin);
        auto const count = [&](auto& place, auto const& sources) {
            PairCounts<3, float, 4>::Total total;
            WalkInputs<PairCounts<3, float, 4>> inputs;
            inputs.total = &total;
            inputs.targets = some;
            walk(place, trait, Open<3, float>{}, sources, sources, inputs);
            return std::to_array(total.pairs);
        };
        CHECK(count(device, there) == count(cpu, tree));
    }
}

TEST_CASE("device walk: what the device knows of nodes is in place of what the host does") {
    auto const rows = make_points<3, float>("uniform", 500, 5);
    HostDevice<> device;
    auto const tree = build_tree(device, on_device<3, float>(rows), 3, {.leaf_size = 10});
    KnownNodes<pos_t> all, none;
    for (auto const& plane : tree.planes) {
        auto& count = all.count.emplace_back(plane.nodes());
        for (pos_t i = 0; i < plane.nodes(); ++i)
            count[i] = plane.first.data()[i + 1] - plane.first.data()[i];
        all.summary.push_back(count);
        none.count.emplace_back(plane.nodes());
        none.summary.emplace_back(plane.nodes());
    }
    auto const near = [&](KnownNodes<pos_t> const* here, KnownNodes<pos_t> const& there) {
        std::vector<pos_t> found(rows.size(), no_pos);
        CountNear trait;
        trait.near = found.data();
        WalkInputs<CountNear> inputs;
        inputs.known = here;
        detail::DeviceKnownNodes<pos_t> known;
        for (auto const& count : there.count) known.count.push_back(copy_to(device, count));
        for (auto const& summary : there.summary) known.summary.push_back(copy_to(device, summary));
        walk(device, trait, Open<3, float>{}, tree, tree, inputs, std::move(known));
        CHECK(std::ranges::count(found, found[0]) == std::ptrdiff_t(found.size()));
        return found[0];
    };
    pos_t const n = pos_t(rows.size());
    CHECK(near(nullptr, {}) == n);
    CHECK(near(&all, {}) == n);
    CHECK(near(&none, {}) == 0);
    CHECK(near(nullptr, none) == 0);
    CHECK(near(&none, all) == n);
    CHECK(near(&all, none) == 0);
    CHECK(near(&none, {{}, all.summary}) == n);  // counts are as points are
    CHECK_THROWS_AS(near(nullptr, {none.count, {}}), InputError);
}
