// Groups to run every walk on.
#pragma once
#include "zwalk/exec/detail/group_checked.hpp"

namespace test {

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
