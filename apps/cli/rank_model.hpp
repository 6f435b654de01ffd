// What passes between ranks, predicted for points that are uniform in three dimensions, in float32.
//
// Seconds of a step are alpha for each time that all ranks wait for each other, and bytes / beta. What the figures come
// from is in docs/performance/ranks.md.
#pragma once
#include <cstdint>
#include <vector>

namespace zwalk::apps {

/// Points in any order, results in the order of the input.
struct RankTask {
    double points = 0;  ///< of all ranks, each of which has as many
    int ranks = 1;
};

/// What a step costs the rank that sends most.
struct StepCost {
    char const* name;
    double waits;  ///< times at which all wait for all
    double bytes;  ///< that it sends

    [[nodiscard]] double seconds(double alpha, double beta) const {
        return waits * alpha + bytes / beta;
    }
};

/// Sort, import and home of zwalk knn; what ranks agree on is counted with the sort.
std::vector<StepCost> knn_steps(RankTask const& task, double k);
/// Sort, import and home of zwalk fof --labels-only, with a linking length of 0.2 of the mean spacing.
std::vector<StepCost> fof_steps(RankTask const& task);

}  // namespace zwalk::apps
