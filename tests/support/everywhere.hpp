// Runs one computation on every group, thread count and tree, and compares with the expectation.
#pragma once
#include <doctest/doctest.h>

#include "support/groups.hpp"
#include "support/listed.hpp"
#include "support/points.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/tree/copy_tree.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/walk/device_walk.hpp"
#include "zwalk/walk/links.hpp"
#include "zwalk/walk/reference.hpp"
#include "zwalk/walk/walk.hpp"

namespace test {
using namespace zwalk;

template <int D, class T>
Points<T> view(Rows<D, T> const& rows) {
    return {rows.empty() ? nullptr : rows.front().data(), rows.size(), D};
}

/// The walk of a device, on the CPU: memory of a HostDevice is the host's, so that traits and inputs need no
/// change. A small budget makes it go in pieces.
template <class Device>
auto device_walker(Device& device, std::uint64_t budget) {
    return [&device, budget](Cpu const& cpu, auto const& trait, auto const& space, auto const& t,
                             auto const& s, auto const& own) {
        device.budget = budget;
        auto const targets = copy_tree(device, cpu, t);
        if (&t == &s) return void(walk(device, trait, space, targets, targets, own));
        auto const sources = copy_tree(device, cpu, s);
        walk(device, trait, space, targets, sources, own);
    };
}

enum class Ways { all, few };

/// compute(cpu, tree options, walker) -> result; walker(trait, space, targets, sources, inputs)
/// walks in one of the ways under test. `few` leaves out groups of unusual widths: each way is
/// compiled for each trait, dimension and space.
template <Ways ways = Ways::all, class Expected, class Compute>
void check_everywhere(Expected const& expected, Compute const& compute) {
    auto const with = [](auto const& groups) {
        return [=](auto const&... arguments) { walk(arguments..., groups); };
    };
    auto const standard = [](auto const&... arguments) { walk(arguments...); };
    auto const lower_isa = [](Isa isa) {
        return [=]<class I>(Cpu const& cpu, I const& trait, auto const&... arguments) {
            walk(cpu, trait, arguments..., CpuSteps<typename I::real>{isa});
        };
    };
    auto const reference = [](Cpu const&, auto const&... arguments) { reference_walk(arguments...); };
    auto const run = [&](int threads, TreeOptions const& options, auto const& walker) {
        Cpu const cpu(threads);
        auto const on_cpu = [&](auto const&... arguments) { walker(cpu, arguments...); };
        return cpu.run([&] { return compute(cpu, options, on_cpu); });
    };
    TreeOptions const tiny{.leaf_size = 3, .coarsening = 2, .top_nodes = 1};
    TreeOptions const flat{.leaf_size = 40, .coarsening = 4, .top_nodes = 1000};
    CHECK(run(1, {}, standard) == expected);
    CHECK(run(2, {}, standard) == expected);
    CHECK(run(5, tiny, standard) == expected);
    CHECK(run(2, flat, standard) == expected);
    for (Isa isa : {Isa::baseline, Isa::avx2})
        if (isa < best_isa()) CHECK(run(1, {}, lower_isa(isa)) == expected);
    CHECK(run(1, tiny, reference) == expected);
    if constexpr (ways == Ways::all) {
        CheckedRun races;
        CHECK(run(1, tiny, with(CheckedGroups<4, 8>{&races})) == expected);
        CHECK(races.races == 0);
        HostDevice<false> device;
        CHECK(run(1, flat, device_walker(device, 0)) == expected);
        CHECK(run(1, tiny, device_walker(device, 3000)) == expected);
        HostDevice<true> checked;
        CHECK(run(1, {}, device_walker(checked, 0)) == expected);
        CHECK(checked.run.races == 0);
    }
}

/// Values by z-order position, brought into input order.
template <class V>
std::vector<V> to_input(std::vector<V> const& z, std::span<pos_t const> input) {
    std::vector<V> out(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) out[input[i]] = z[i];
    return out;
}

}  // namespace test
