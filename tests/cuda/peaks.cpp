// Density peaks on a GPU against CPU threads, bit by bit.
#include "zwalk/peaks/peaks.hpp"

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "knn/check.hpp"

using namespace test;

namespace {

template <int D, class T>
bool same_graph(Rows<D, T> const& rows, PeaksOptions const& o, Cuda const& cuda = on_gpu()) {
    auto const a = density_peaks(rows, o), b = density_peaks(Points<T>(rows), o, cuda);
    return a.radius == b.radius && a.delta == b.delta && a.nearest_denser == b.nearest_denser &&
           a.z_order == b.z_order;
}

}  // namespace

TEST_CASE("GPU density peaks: every kind of points") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, std::min<std::size_t>(large(), 2000), 1);
        for (index_t k : {1, 5, 41}) {
            CAPTURE(k);
            PeaksOptions o{.k = k};
            CHECK(same_graph<3, float>(rows, o));
            o.order = Order::z;
            CHECK(same_graph<3, float>(rows, o));
        }
    }
}

TEST_CASE("GPU density peaks: larger sets, double, periodic, few points") {
    auto const rows = make_points<3, float>("clustered", large(), 3);
    CHECK(same_graph<3, float>(rows, {.k = 10}));
    CHECK(same_graph<3, float>(rows, {.k = 10}, {.memory = cuda_plain_memory()}));
    CHECK(same_graph<3, double>(in_box<3, double>("uniform", large() / 2, 1, 4),
                                {.k = 20, .box = {1, 0, 1}}));
    for (std::size_t n : {0, 1, 2, 48, 49, 65})
        CHECK(same_graph<3, float>(make_points<3, float>("uniform", n, 1), {.k = 3}));
}

TEST_CASE("GPU density peaks: refusals") {
    auto const rows = make_points<3, float>("uniform", 10, 1);
    Points<float> const points(rows);
    CHECK_THROWS_AS((void)density_peaks(points, {.k = 0}, Cuda{}), InputError);
    CHECK_THROWS_AS((void)density_peaks(points, {}, Cuda{.device = 99}), InputError);
}
