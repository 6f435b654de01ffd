// What a rank needs of memory for each command, before a file is read.
#pragma once
#include <cstdint>

#include "../io/points.hpp"
#include "knn.hpp"
#include "zwalk/core/need.hpp"

namespace zwalk::apps {

/// A rank and its points, of which only the shape is looked at.
struct RankShape {
    io::PointSet points{};
    int threads = 1;
    std::uint64_t budget = 0;
};
/// Memory of each rank, and of rank 0, which may go on when the others are through.
struct RankMemory {
    Need each, first;
};

/// What the Job reckons with on ranks. Nothing is known of files that are named beside INPUT.
/// @throws InputError  an option that makes no sense, or more points than the command can take
template <class Job>
RankMemory memory_on_ranks(typename Job::Command const& command, RankShape const& shape) {
    Job job(command);
    job.plan.threads = shape.threads;
    job.plan.budget = shape.budget;
    Need const each = job.rank_memory(shape.points);
    if constexpr (requires { job.first_rank_memory(shape.points); })
        return {each, job.first_rank_memory(shape.points)};
    else return {each, each};
}
/// memory_on_ranks() of the Job of zwalk knn, which has one on ranks alone.
RankMemory knn_memory_on_ranks(KnnCommand const& command, RankShape const& shape);

}  // namespace zwalk::apps
