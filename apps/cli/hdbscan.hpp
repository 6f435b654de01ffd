// The options of zwalk hdbscan, in one process and on ranks, and the files that both write alike.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "points_run.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"

namespace zwalk::apps {

class Launch;

/// The options, as text.
struct HdbscanCommand : PointsOptions {
    std::string min_cluster_size = "5", min_samples = "0", selection = "eom", epsilon = "0",
                max_cluster_size = "0", format = "npy";
    bool allow_single_cluster = false;
};

/// Everything that the options settle before a file is read.
struct HdbscanPlan : CommonPlan {
    HdbscanOptions hdbscan;
    std::string format;  ///< of tables: npy or csv

    /// The files that are written, for the summary.
    [[nodiscard]] std::string files() const;
};
/// @throws InputError  an option that makes no sense
HdbscanPlan hdbscan_plan(HdbscanCommand const& command);

/// What is known of all points together.
struct HdbscanTables {
    Linkage const& linkage;
    CondensedTree const& tree;
    std::span<index_t const> ids;         ///< as in Clusters
    std::span<double const> persistence;  ///< as in Clusters
    std::uint64_t noise;                  ///< points without a cluster
};
/// Writes linkage.npy, condensed_tree and clusters.
void write_tables(io::OutputDirectory& out, HdbscanPlan const& plan, HdbscanTables const& found);

/// Prints the summary's line on clusters.
void print_clusters(std::uint64_t clusters, std::uint64_t noise);

/// The command on several ranks; all of them call it.
void run_hdbscan_on_ranks(HdbscanCommand const& command, Launch const& launch);

}  // namespace zwalk::apps
