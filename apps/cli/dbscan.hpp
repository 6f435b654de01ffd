// The options of zwalk dbscan, in one process and on ranks.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "points_run.hpp"
#include "zwalk/dbscan/dbscan.hpp"

namespace zwalk::apps {

/// The options, as text.
struct DbscanCommand : PointsOptions {
    std::optional<std::string> epsilon, min_samples;
};

/// Everything that the options settle before a file is read.
struct DbscanPlan : CommonPlan {
    DbscanOptions dbscan;

    [[nodiscard]] std::vector<Reach> reaches() const { return {{"--epsilon", dbscan.epsilon}}; }
};
/// @throws InputError  an option that makes no sense
DbscanPlan dbscan_plan(DbscanCommand const& command);

/// The files that are written, in words.
std::string files_of(DbscanCommand const& command);
/// Prints how many clusters, core points and points of noise there are, for people.
void print_clusters(DbscanPlan const& plan, std::uint64_t clusters, std::uint64_t core_points,
                    std::uint64_t noise);

/// The command on several ranks; all of them call it.
void run_dbscan_on_ranks(DbscanCommand const& command);

}  // namespace zwalk::apps
