// Groups to run every walk on.
#pragma once
#include "zwalk/exec/group.hpp"
#include "zwalk/exec/group_checked.hpp"

namespace test {

/// CPU groups of other widths than the default: results must not depend on them.
template <int NodeWidth, int LeafWidth>
struct WideGroups {
    using NodeGroup = zwalk::CpuGroup<NodeWidth>;
    using LeafGroup = zwalk::CpuGroup<LeafWidth>;
    [[nodiscard]] NodeGroup node() const { return {}; }
    [[nodiscard]] LeafGroup leaf() const { return {}; }
};

/// Checked groups; `run` collects the races. Walk with one thread.
template <int NodeWidth = 32, int LeafWidth = 32>
struct CheckedGroups {
    using NodeGroup = zwalk::CheckedGroup<NodeWidth>;
    using LeafGroup = zwalk::CheckedGroup<LeafWidth>;
    zwalk::CheckedRun* run;
    [[nodiscard]] NodeGroup node() const { return {run}; }
    [[nodiscard]] LeafGroup leaf() const { return {run}; }
};

}  // namespace test
