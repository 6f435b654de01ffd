// Catalogues that a GPU makes: the rows, members and order of CPU threads, bit by bit.
#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "fof/brute.hpp"
#include "fof/rank_rows.hpp"
#include "fof/same_catalogue.hpp"
#include "knn/check.hpp"

using namespace test;

namespace {

template <int D, class T>
bool same_catalogues(Rows<D, T> const& rows, FofOptions const& groups, CatalogueOptions<T> const& o) {
    auto const points = view<D>(rows);
    auto const found = fof(points, groups);
    auto const expected = fof_catalogue(points, found, o);
    auto const together = fof_with_catalogue(points, groups, o, on_gpu());
    return same_bits(fof_catalogue(points, found, o, on_gpu()), expected) &&
           same_bits(together.catalogue, expected) && together.labels == found.labels &&
           together.groups == found.groups;
}

}  // namespace

TEST_CASE_TEMPLATE("GPU catalogue: open and periodic, with masses and velocities, or without", T, float,
                   double) {
    auto const n = large();
    auto const velocity = make_points<3, T>("heavy", n, 31);
    Random r(31);
    std::vector<T> mass(n);
    for (T& m : mass) m = T(.1 + r.uniform());
    for (auto const* kind : {"uniform", "clustered"})
        for (std::vector<double> const& box : {std::vector<double>{}, {1, 0, 1}}) {
            CAPTURE(kind);
            CAPTURE(box.size());
            auto const rows = in_box<3, T>(kind, n, 1, 32);
            double const b = .4 * mean_spacing(view<3>(rows), {1});
            FofOptions const groups{.linking_length = b, .box = box};
            CatalogueOptions<T> o{.min_members = 2, .box = box};
            CHECK(same_catalogues<3, T>(rows, groups, o));
            o.masses = mass;
            o.velocities = view<3>(velocity);
            o.min_members = 1;
            CHECK(same_catalogues<3, T>(rows, groups, o));
        }
}

TEST_CASE("GPU catalogue: one group, no group, no points, groups around the box") {
    auto const rows = in_box<3, float>("uniform", large(), 1, 33);
    CHECK(same_catalogues<3, float>(rows, {.linking_length = 10}, {}));
    CHECK(same_catalogues<3, float>(rows, {.linking_length = .9, .box = {1}}, {.box = {1}}));
    CHECK(same_catalogues<3, float>(rows, {.linking_length = 0}, {}));
    CHECK(same_catalogues<3, float>({}, {.linking_length = 1}, {}));
    CHECK(same_catalogues<2, double>(in_box<2, double>("sites40", 300, 1, 34), {.linking_length = .01},
                                     {.min_members = 20}));
}

TEST_CASE_TEMPLATE("GPU catalogue: rows of a rank, with labels of more than 32 bits", T, float, double) {
    auto const device = open_cuda(on_gpu());
    for (bool const beside : {false, true}) {
        CAPTURE(beside);
        auto const rows = in_box<3, T>("clustered", large(), 1, 36);
        RankPart<3, T> const part(rows, .4 * mean_spacing(view<3>(rows), {1}), {1, 0, 1}, beside, 36);
        CHECK(part.same_there(*device, 1));
        CHECK(part.same_there(*device, 20));
    }
}

TEST_CASE("GPU catalogue: refusals") {
    auto const rows = make_points<3, float>("uniform", 10, 35);
    std::vector<float> mass(10, 1.f);
    mass[4] = 0;
    CatalogueOptions<float> const bad{.masses = mass};
    CHECK_THROWS_AS((void)fof_with_catalogue(view<3>(rows), {.linking_length = 1}, bad, on_gpu()),
                    InputError);
    CHECK_THROWS_AS((void)fof_with_catalogue(view<3>(rows), {.linking_length = 1, .box = {2}},
                                             CatalogueOptions<float>{.box = {3}}, on_gpu()),
                    InputError);
}
