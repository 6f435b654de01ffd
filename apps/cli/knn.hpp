// What zwalk knn is asked for, in one process and on ranks.
#pragma once
#include <optional>
#include <string>

#include "points_run.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk::apps {

class Launch;

/// The options, as text.
struct KnnCommand : PointsOptions {
    std::string index, save_index, query, reduce;
    std::optional<std::string> k;
    bool exclude_self = false;
};

/// Which options need, and which exclude each other.
/// @throws InputError
void check_combination(KnnCommand const& command);

/// What they say of the neighbours, but for the box. k stays as it is where an index is saved, and nothing else.
/// @throws InputError
KnnOptions neighbours_of(KnnCommand const& command);

/// The command on several ranks; all of them call it. Points among themselves, their neighbours in lists.
void run_knn_on_ranks(KnnCommand const& command, Launch const& launch);

}  // namespace zwalk::apps
