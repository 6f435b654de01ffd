// Radius search on a GPU against CPU threads, bit by bit.
#include "zwalk/radius/radius.hpp"

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "fof/brute.hpp"
#include "knn/check.hpp"
#include "radius/brute.hpp"
#include "radius/radii.hpp"

using namespace test;

namespace {

template <class T>
bool same_result(RadiusResult<T> const& a, RadiusResult<T> const& b) {
    return a.counts == b.counts && a.offsets == b.offsets && a.indices == b.indices &&
           a.distances == b.distances && a.row_order == b.row_order &&
           a.source_order == b.source_order && a.found == b.found;
}
template <int D, class T>
bool same_lists(Rows<D, T> const& rows, RadiusOptions const& o, Cuda const& cuda = on_gpu()) {
    return same_result(radius_search(rows, o), radius_search(rows, o, cuda)) &&
           same_result(radius_count(rows, o), radius_count(rows, o, cuda));
}

}  // namespace

TEST_CASE("GPU radius: every kind of points") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, std::min<std::size_t>(large(), 1500), 1);
        for (double r : lengths_for<3>(rows, 1)) {
            CAPTURE(r);
            CHECK(same_lists<3, float>(rows, {.radius = r}));
            CHECK(same_lists<3, float>(rows, {.radius = r, .exclude_self = true, .order = Order::z}));
        }
    }
}

TEST_CASE("GPU radius: larger sets, double, periodic, queries, an index") {
    auto const rows = make_points<3, float>("clustered", large(), 3);
    double const r = .3 / std::cbrt(double(large()));
    CHECK(same_lists<3, float>(rows, {.radius = r}));
    CHECK(same_lists<3, float>(rows, {.radius = r}, {.memory = cuda_plain_memory()}));
    auto const inside = in_box<3, double>("uniform", large() / 2, 1, 4),
               others = in_box<3, double>("uniform", std::min<std::size_t>(large(), 5000), 1, 5);
    RadiusOptions const o{.radius = 2 * r, .box = {1, 0, 1}};
    CHECK(same_lists<3, double>(inside, o));
    CHECK(same_result(radius_search(inside, others, o), radius_search(inside, others, o, on_gpu())));
    CudaIndex<double> const index(view<3>(inside), {.box = {1, 0, 1}}, on_gpu());
    RadiusOptions const kept{.radius = 2 * r};
    CHECK(same_result(radius_search(inside, others, o), radius_search(index, others, kept)));
    CHECK(same_result(radius_count(inside, o), radius_count(index, kept)));
    for (std::size_t n : {0, 1, 2, 48, 49, 65})
        CHECK(same_lists<3, float>(make_points<3, float>("uniform", n, 1), {.radius = .2}));
}

TEST_CASE("GPU radius: a radius for each target") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, std::min<std::size_t>(large(), 1500), 1);
        auto const radii = some_radii(lengths_for<3>(rows, 1), rows.size(), 7);
        CHECK(same_lists<3, float>(rows, {.radii = radii}));
        CHECK(same_lists<3, float>(rows, {.radii = radii, .larger = true, .exclude_self = true}));
    }
    auto const inside = in_box<3, double>("uniform", large() / 2, 1, 4),
               others = in_box<3, double>("uniform", std::min<std::size_t>(large(), 5000), 1, 5);
    double const r = .3 / std::cbrt(double(large()));
    auto const own = some_radii({0, r, 3 * r}, inside.size(), 8),
               theirs = some_radii({0, r, 3 * r}, others.size(), 9);
    CHECK(same_lists<3, double>(inside, {.radii = own, .larger = true, .box = {1, 0, 1}}));
    RadiusOptions const o{.radii = theirs, .box = {1, 0, 1}};
    CHECK(same_result(radius_search(inside, others, o), radius_search(inside, others, o, on_gpu())));
    CudaIndex<double> const index(view<3>(inside), {.box = {1, 0, 1}}, on_gpu());
    CHECK(same_result(radius_count(inside, others, o), radius_count(index, others, {.radii = theirs})));
}

TEST_CASE("GPU radius: refusals") {
    auto const rows = make_points<3, float>("uniform", 10, 1);
    CHECK_THROWS_AS((void)radius_count(rows, {.radius = -1}, Cuda{}), InputError);
    CHECK_THROWS_AS((void)radius_count(rows, {}, Cuda{.device = 99}), InputError);
}
