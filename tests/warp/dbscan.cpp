// DBSCAN by the kernels of a GPU, lane by lane: the same bits as dbscan().
#include "dbscan/src/driver.hpp"
#include "device/run.hpp"
#include "warp/device.hpp"
#include "warp/expected.hpp"
#include "zwalk/run/host_device.hpp"

// What DBSCAN's driver asks.
namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_WALK(EnoughNeighbours, 3, float, test::WarpDevice)
ZWALK_INSTANCE(NearestSearching, 3, float, test::WarpDevice)
}}}  // namespace zwalk::v0::detail

using namespace test;

namespace {

void check_dbscan(Rows<3, float> const& rows, DbscanOptions const& o) {
    WarpDevice device(rows.size());
    CAPTURE(o.epsilon);
    CAPTURE(o.min_samples);
    CAPTURE(rows.size());
    auto const r =
        ask<detail::DbscanAlgorithm, 3>(device, prepared<3, 3, float>(device, rows, o.box, o.tree), o);
    auto const expected = expected_clusters<3, float>(rows, o.epsilon, o.min_samples, o.box);
    CHECK(same(r.labels, expected.labels));
    CHECK(same(r.core, expected.core));
    CHECK(r.clusters == expected.clusters);
    CHECK(r.noise == expected.noise);
}

}  // namespace

TEST_CASE("warp DBSCAN: hard kinds of points, open and periodic") {
    for (std::string const kind : {"uniform", "equal", "clustered", "sites40"})
        for (double epsilon : {0., .05, .3})
            for (index_t min_samples : {3, 41}) {
                CAPTURE(kind);
                DbscanOptions o{.epsilon = epsilon, .min_samples = min_samples};
                check_dbscan(make_points<3, float>(kind, 300, 1), o);
                o.box = {1};
                check_dbscan(in_box<3, float>(kind, 300, 1, 2), o);
            }
}
