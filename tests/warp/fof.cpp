// Friends-of-friends by the kernels of a GPU, lane by lane: the same bits as fof().
#include "device/run.hpp"
#include "warp/device.hpp"
#include "warp/expected.hpp"

// The walks that its driver asks, and DBSCAN's.
namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_WALK(Fof, 3, float, test::WarpDevice)
ZWALK_WALK(Fof, 2, double, test::WarpDevice)
}}}  // namespace zwalk::v0::detail

using namespace test;

namespace {

template <int D, class T>
void check_fof(Rows<D, T> const& rows, FofOptions const& o, std::uint64_t budget = 0) {
    WarpDevice device(rows.size());
    device.budget = budget;
    CAPTURE(o.linking_length);
    CAPTURE(rows.size());
    CHECK(equals(device_fof<D, D, T>(device, rows, o),
                 expected_groups<D, T>(rows, o.linking_length, o.box)));
}

}  // namespace

TEST_CASE("warp FoF: hard kinds of points, open and periodic, in pieces") {
    for (std::string const kind : {"uniform", "equal", "grid", "clustered", "sites40"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 500, 1),
                   in_cube = in_box<3, float>(kind, 500, 1, 2);
        auto const flat = in_box<2, double>(kind, 400, 1, 3);
        for (double b : {0., .02, .08, .3, 1.}) {
            check_fof<3, float>(rows, {.linking_length = b});
            check_fof<3, float>(in_cube, {.linking_length = b, .box = {1}});
            check_fof<2, double>(flat,
                                 {.linking_length = b,
                                  .box = {0, 1},
                                  .tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5}},
                                 1000);
        }
    }
}

TEST_CASE("warp FoF: few points, and leaves of as many as a group has lanes, one more, one less") {
    for (std::size_t n : {0, 1, 2, 31, 32, 33, 47, 48, 49, 63, 64, 65, 257})
        for (pos_t leaf : {0, 32, 64, 200})
            for (double b : {.05, .2}) {
                CAPTURE(leaf);
                check_fof<3, float>(make_points<3, float>("uniform", n, 5),
                                    {.linking_length = b, .tree = {.leaf_size = leaf}});
            }
}
