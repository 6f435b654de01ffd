// Memory of walks on a device: what counts towards a budget.
#include "zwalk/walk/device_walk.hpp"

#include "device/support.hpp"
#include "traits/monopole.hpp"

using namespace test;
using namespace zwalk::examples;

TEST_CASE("device walk: far lists keep to the budget, too, and change no bit") {
    auto const rows = make_points<3, float>("clustered", 4000, 3);
    Cpu const cpu(1);
    auto const tree = cpu.run([&] { return build<3, float>(cpu, view<3>(rows), {.leaf_size = 8}); });
    HostDevice<> device;
    auto const there = upload_tree(device, tree);
    std::vector<Mass<float>> const masses(rows.size(), {1.f});
    Columns<Mass<float>> const mass{std::span<Mass<float> const>(masses)};
    auto const pull = [&](std::uint64_t budget, WalkCounts& counts) {
        std::vector<Vec<3, float>> result(rows.size());
        Monopole<3, float> gravity;
        gravity.theta2 = .25f, gravity.softening2 = 1e-4f, gravity.acceleration = result.data();
        DeviceWalkInputs<Monopole<3, float>> inputs{mass.view(), mass.view()};
        inputs.list_budget = budget;
        counts = device_walk(device, gravity, Open<3, float>{}, there, there, inputs);
        return result;
    };
    WalkCounts whole, pieces;
    std::uint64_t const before = device.bytes_in_use();
    auto const expected = pull(0, whole);
    pos_t nodes = 0;
    for (auto const& plane : there.planes) nodes += plane.nodes;
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
