// Density peaks by the kernels of a GPU, lane by lane: the same bits as density_peaks().
#include "density/src/device_reduce.hpp"
#include "device/run.hpp"
#include "peaks/src/driver.hpp"
#include "warp/device.hpp"
#include "warp/expected.hpp"
#include "zwalk/run/host_device.hpp"

// What their driver asks; dbscan.cpp has the search for neighbours.
namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_WALK(NearestDenser, 3, float, test::WarpDevice)
}}}  // namespace zwalk::v0::detail

using namespace test;

namespace {

void check_graph(Rows<3, float> const& rows, PeaksOptions const& o) {
    WarpDevice device(rows.size());
    CAPTURE(o.k);
    CAPTURE(rows.size());
    auto const r =
        ask<detail::PeaksAlgorithm, 3>(device, prepared<3, 3, float>(device, rows, o.box, o.tree), o);
    auto const expected = expected_graph<3, float>(rows, o.k, o.box);
    CHECK(same(r.radius, expected.radius));
    CHECK(same(r.delta, expected.delta));
    CHECK(same(r.nearest_denser, expected.nearest_denser));
}

}  // namespace

TEST_CASE("warp density peaks: hard kinds of points, open and periodic") {
    for (std::string const kind : {"uniform", "equal", "clustered", "sites40"})
        for (index_t k : {3, 41}) {
            CAPTURE(kind);
            PeaksOptions o{.k = k};
            check_graph(make_points<3, float>(kind, 300, 1), o);
            o.box = {1};
            check_graph(in_box<3, float>(kind, 300, 1, 2), o);
        }
}
