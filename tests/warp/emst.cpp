// Minimum spanning trees by the kernels of a GPU, lane by lane: the same bits as emst().
#include "device/run.hpp"
#include "warp/device.hpp"
#include "warp/expected.hpp"

using namespace test;

namespace {

template <int D, class T>
void check_emst(Rows<D, T> const& rows, EmstOptions const& o, std::uint64_t budget = 0) {
    WarpDevice device(rows.size());
    device.budget = budget;
    CAPTURE(o.min_samples);
    CAPTURE(rows.size());
    CHECK(
        equals(device_emst<D, D, T>(device, rows, o), expected_tree<D, T>(rows, o.min_samples, o.box)));
}

}  // namespace

TEST_CASE("warp EMST: hard kinds of points, open and periodic, in pieces") {
    for (std::string const kind : {"uniform", "equal", "grid", "clustered", "sites40"})
        for (int m : {1, 2, 40}) {
            CAPTURE(kind);
            std::size_t const n = m < 40 ? 500 : 150;
            check_emst<3, float>(make_points<3, float>(kind, n, 1), {.min_samples = m});
            check_emst<3, float>(in_box<3, float>(kind, n, 1, 2), {.min_samples = m, .box = {1}});
            check_emst<3, float>(
                make_points<3, float>(kind, n, 3),
                {.min_samples = m, .tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5}}, 1000);
        }
}

TEST_CASE("warp EMST: few points") {
    for (std::size_t n : {0, 1, 2, 3, 32, 33, 48, 49, 64, 65})
        for (pos_t leaf : {0, 1, 200})
            for (std::size_t m : {std::size_t(1), n / 2}) {
                if (m < 1) continue;
                CAPTURE(leaf);
                check_emst<3, float>(make_points<3, float>("uniform", n, 5),
                                     {.min_samples = int(m), .tree = {.leaf_size = leaf}});
            }
}
