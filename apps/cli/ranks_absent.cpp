// Stands in for launch.cpp and for commands on ranks in builds without MPI.
#include <fmt/format.h>

#include "dbscan.hpp"
#include "emst.hpp"
#include "fof.hpp"
#include "gravity.hpp"
#include "hdbscan.hpp"
#include "info.hpp"
#include "knn.hpp"
#include "launch.hpp"
#include "launched.hpp"
#include "pairs.hpp"
#include "peaks.hpp"
#include "predict.hpp"
#include "radius.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {

Launch::Launch(int argc, char const* const* argv) {
    char const* const why = "this build has no MPI (configure with -DZWALK_MPI=ON)";
    if (auto const started = launched(); started.processes > 1)
        throw InputError(
            fmt::format("this is one of several processes ({}), but {}", started.variable, why));
    if (asks_for_mpi(argc, argv)) throw InputError(fmt::format("--mpi: {}", why));
}

Launch::~Launch() { (void)initialised_; }  // clang warns of members without a use

// Without MPI there is one process: these are never called.
template <class Job>
void run_on_ranks(typename Job::Command const&) {}
template void run_on_ranks<DbscanJob>(DbscanCommand const&);
template void run_on_ranks<EmstJob>(EmstCommand const&);
template void run_on_ranks<FofJob>(FofCommand const&);
template void run_on_ranks<GravityJob>(GravityCommand const&);
template void run_on_ranks<HdbscanJob>(HdbscanCommand const&);
template void run_on_ranks<PairsJob>(PairsCommand const&);
template void run_on_ranks<PeaksJob>(PeaksCommand const&);
template void run_on_ranks<PredictJob>(PredictCommand const&);
template void run_on_ranks<RadiusJob>(RadiusCommand const&);
void run_knn_on_ranks(KnnCommand const&) {}
void run_info_on_ranks(InfoCommand const&) {}

}  // namespace zwalk::apps
