// The options of zwalk peaks, in one process and on ranks.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "points_run.hpp"
#include "zwalk/peaks/peaks.hpp"

namespace zwalk::apps {

/// The options, as text.
struct PeaksCommand : PointsOptions {
    std::optional<std::string> k, clusters, min_delta, max_radius;
};

/// Everything that the options settle before a file is read.
struct PeaksPlan : CommonPlan {
    PeaksOptions peaks;
    std::optional<PeaksCut> cut;  ///< none: the decision graph alone
};
/// @throws InputError  an option that makes no sense
PeaksPlan peaks_plan(PeaksCommand const& command);

/// The files that are written, in words.
std::string files_of(PeaksPlan const& plan);
/// Prints what has come of a cut, for people.
void print_centres(PeaksClusters const& cut);

/// The command on several ranks; all of them call it.
void run_peaks_on_ranks(PeaksCommand const& command);

}  // namespace zwalk::apps
