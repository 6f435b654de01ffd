// Commands on MPI ranks, all in one file: headers are most of what each of them takes to compile.
#include "dbscan.hpp"
#include "emst.hpp"
#include "gravity.hpp"
#include "hdbscan.hpp"
#include "pairs.hpp"
#include "peaks.hpp"
#include "predict.hpp"
#include "radius.hpp"
#include "ranks.hpp"

namespace zwalk::apps {

template void run_on_ranks<DbscanJob>(DbscanCommand const&);
template void run_on_ranks<EmstJob>(EmstCommand const&);
template void run_on_ranks<GravityJob>(GravityCommand const&);
template void run_on_ranks<HdbscanJob>(HdbscanCommand const&);
template void run_on_ranks<PairsJob>(PairsCommand const&);
template void run_on_ranks<PeaksJob>(PeaksCommand const&);
template void run_on_ranks<PredictJob>(PredictCommand const&);
template void run_on_ranks<RadiusJob>(RadiusCommand const&);

}  // namespace zwalk::apps
