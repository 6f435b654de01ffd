// Radius search by the kernels of a GPU, lane by lane: the same bits as radius_search().
#include "device/run.hpp"
#include "warp/device.hpp"
#include "warp/expected.hpp"
#include "zwalk/run/host_device.hpp"

// What the driver asks.
namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_LISTS(WithinRadius, 3, float, test::WarpDevice)
ZWALK_LISTS(WithinRadii, 3, float, test::WarpDevice)
}}}  // namespace zwalk::v0::detail

using namespace test;

namespace {

template <int D, class T>
void check_radius(Rows<D, T> const& rows, RadiusOptions const& o) {
    WarpDevice device(rows.size());
    CAPTURE(o.radius);
    CAPTURE(rows.size());
    auto const points = prepared<D, D, T>(device, rows, o.box, o.tree);
    auto const find = [&](detail::RadiusWork work) {
        return ask<detail::RadiusAlgorithm, D>(device, points, {o, work});
    };
    auto const counted = find(detail::RadiusWork::count), found = find(detail::RadiusWork::search);
    double const radius = o.radii.empty() ? o.radius : o.radii[0];
    auto const expected = expected_balls<D, T>(rows, radius, o.exclude_self, o.box);
    CHECK(same(counted.counts, expected.counts));
    CHECK(same(found.offsets, expected.offsets));
    CHECK(same(found.indices, expected.indices));
    CHECK(same(found.distances, expected.distances));
}

}  // namespace

TEST_CASE("warp radius: hard kinds of points, open and periodic") {
    for (std::string const kind : {"uniform", "equal", "clustered", "sites40"})
        for (double r : {0., .05, .3}) {
            CAPTURE(kind);
            check_radius<3, float>(make_points<3, float>(kind, 300, 1), {.radius = r});
            check_radius<3, float>(in_box<3, float>(kind, 300, 1, 2),
                                   {.radius = r, .exclude_self = true, .box = {1}});
        }
}

TEST_CASE("warp radius: a radius for each, which are the same") {
    std::vector<double> const radii(300, .05);
    for (bool const larger : {false, true})
        check_radius<3, float>(make_points<3, float>("clustered", 300, 1),
                               {.radii = radii, .larger = larger, .exclude_self = true});
}
