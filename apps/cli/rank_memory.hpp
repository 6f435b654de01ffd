// What a rank needs of memory for each command, before a file is read.
#pragma once
#include "../io/points.hpp"
#include "dbscan.hpp"
#include "emst.hpp"
#include "fof.hpp"
#include "gravity.hpp"
#include "hdbscan.hpp"
#include "knn.hpp"
#include "pairs.hpp"
#include "peaks.hpp"
#include "radius.hpp"
#include "zwalk/knn/memory.hpp"

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

/// What the command reckons with on ranks. Nothing is known of files that are named beside INPUT.
/// @throws InputError  an option that makes no sense, or more points than the command can take
RankMemory memory_on_ranks(KnnCommand const& command, RankShape const& shape);

/// The memory for the Job that a command is made into (see run_on_ranks).
template <class Job, class Command>
RankMemory memory_of_job(Command const& command, RankShape const& shape) {
    Job job(command);
    job.plan.threads = shape.threads;
    job.plan.budget = shape.budget;
    Need const each = job.memory(shape.points);
    if constexpr (requires { job.memory_of_first(shape.points); })
        return {each, job.memory_of_first(shape.points)};
    else return {each, each};
}

template <class Job>
RankMemory memory_of_new(typename Job::Command const& command, RankShape const& shape) {
    Job job(command);
    job.plan.threads = shape.threads;
    job.plan.budget = shape.budget;
    Need const each = job.rank_memory(shape.points);
    if constexpr (requires { job.first_rank_memory(shape.points); })
        return {each, job.first_rank_memory(shape.points)};
    else return {each, each};
}
inline RankMemory memory_on_ranks(RadiusCommand const& command, RankShape const& shape) {
    return memory_of_new<RadiusJob>(command, shape);
}
inline RankMemory memory_on_ranks(DbscanCommand const& command, RankShape const& shape) {
    return memory_of_new<DbscanJob>(command, shape);
}
inline RankMemory memory_on_ranks(EmstCommand const& command, RankShape const& shape) {
    return memory_of_new<EmstJob>(command, shape);
}
inline RankMemory memory_on_ranks(HdbscanCommand const& command, RankShape const& shape) {
    return memory_of_new<HdbscanJob>(command, shape);
}
inline RankMemory memory_on_ranks(GravityCommand const& command, RankShape const& shape) {
    return memory_of_new<GravityJob>(command, shape);
}
inline RankMemory memory_on_ranks(PeaksCommand const& command, RankShape const& shape) {
    return memory_of_new<PeaksJob>(command, shape);
}
inline RankMemory memory_on_ranks(FofCommand const& command, RankShape const& shape) {
    return memory_of_new<FofJob>(command, shape);
}
inline RankMemory memory_on_ranks(PairsCommand const& command, RankShape const& shape) {
    return memory_of_new<PairsJob>(command, shape);
}

}  // namespace zwalk::apps
