// Walks of the library's own traits, written down.
#pragma once
#include <string>
#include <vector>

#include "../io/points.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/walk/trace.hpp"

namespace zwalk::apps {

/// What is walked, and with which numbers; those of other algorithms aren't looked at.
struct TraceTask {
    std::string algorithm;      ///< one of traced_algorithms
    double length = 0;          ///< the radius, the linking length, epsilon
    std::size_t k = 8;          ///< of knn
    pos_t min_samples = 5;      ///< of dbscan
    double opening = 1;         ///< of gravity
    int round = 2;              ///< of emst
    std::vector<double> box{};  ///< empty: open
    TreeOptions tree{};
};
inline std::vector<std::string> const traced_algorithms{"knn",    "fof",    "emst",
                                                        "radius", "dbscan", "gravity"};

struct TracedWalk {
    Trace trace;
    std::string about;  ///< the task and what was found, in a sentence
};

/// The reference walk of an algorithm's trait over points of 2 or 3 columns, in double.
/// @throws InputError  as make_tree(); emst has fewer rounds
TracedWalk trace_algorithm(io::PointSet const& points, TraceTask const& task);

}  // namespace zwalk::apps
