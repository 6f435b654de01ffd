// Friends-of-friends of one compiled dimension on a device: build, walk, labels. Included by the CUDA
// instances and, with a HostDevice, by tests.
#pragma once
#include "../../common/device_checks.hpp"
#include "device_job.hpp"
#include "zwalk/fof/device_fof.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/device_build.hpp"
#include "zwalk/walk/groups.hpp"

namespace zwalk::inline v0::detail {

template <int D, class T, class Device>
DeviceFofResult run_device_fof(Device& device, DeviceFofJob<T> const& job) {
    DeviceFofResult r;
    FofOptions const& o = job.options;
    DevicePhases phases(device);
    auto tree = build_tree(device, job.points, D, o.tree);
    phases.end(r.stats, "build");
    WalkCounts counts;
    r.root = with_space<D>(job.period, [&](auto const& space) {
        return device_groups<D>(device, space, tree, job.linking_length, o.memory_budget, &counts);
    });
    phases.end(r.stats, "walk");
    auto found = label_groups(device, r.root, tree.input, o.order);
    r.labels = std::move(found.labels);
    r.groups = found.groups;
    phases.end(r.stats, "labels");
    add_device_counts(r.stats, device, tree, counts);
    r.z_order = std::move(tree.input);
    return r;
}

}  // namespace zwalk::inline v0::detail
