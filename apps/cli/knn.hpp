// The options of zwalk knn, in one process and on ranks.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "job.hpp"
#include "zwalk/density/reduce.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk::apps {

/// The options, as text.
struct KnnCommand : PointsOptions {
    std::string index, save_index, query, reduce, masses;
    std::optional<std::string> k, within, pieces;
    bool exclude_self = false;
    bool gpu_aware = false;  ///< on ranks: Mpi::gpu_aware
};

/// The box of --index.
/// @throws InputError  --wrap has none
std::vector<double> box_of_index(KnnCommand const& command, std::vector<double> box);

/// The reduction that --reduce names.
/// @throws InputError  another word
Reduction reduction_of(KnnCommand const& command);
/// @throws InputError  it isn't for points of so many dimensions
void check_reduction_of_points(Reduction what, int dim);

/// The names of the files that are written.
std::string files_of(KnnCommand const& command);

/// The command on several ranks; all of them call it.
void run_knn_on_ranks(KnnCommand const& command);
/// zwalk knn --pieces: from a file to a file, with a piece of the points in memory at a time.
void run_knn_in_pieces(KnnCommand const& command);

}  // namespace zwalk::apps
