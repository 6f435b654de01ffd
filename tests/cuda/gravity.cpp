// Gravity on a GPU beside CPU threads: other last bits, the same errors.
#include "zwalk/gravity/gravity_cuda.hpp"

#include <cmath>

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "gravity/direct.hpp"
#include "knn/check.hpp"
#include "support/places.hpp"

using namespace test;

namespace {

template <int D, class T>
void check_gravity(Rows<D, T> const& rows, GravityOptions o) {
    auto const masses = some_masses(rows.size());
    o.masses = masses;
    auto const there = gravity(rows, o, on_gpu()), here = gravity(rows, o);
    CHECK(there.z_order == here.z_order);
    CHECK(there.expansion_order == here.expansion_order);
    auto const errors = [&](auto const& r) {
        return gravity_errors<T>(Points<T>(rows.front().data(), rows.size(), D), masses, o.softening, r);
    };
    double const allowed = GravityErrors::of(errors(here).of_pulls, .99);
    CHECK(GravityErrors::of(errors(there).of_pulls, .99) <
          1.1 * allowed + (sizeof(T) == 4 ? 5e-6 : 1e-9));
}

}  // namespace

TEST_CASE("GPU gravity: every kind of points, with and without softening") {
    for (auto const& kind : kinds()) {
        if (kind == "huge" || kind == "subnormal") continue;  // forces are 0 or infinite
        CAPTURE(kind);
        auto const n = std::min<std::size_t>(large(), 3000);
        for (double const softening : {0., .01}) {
            CAPTURE(softening);
            check_gravity<3, float>(make_points<3, float>(kind, n, 1), {.softening = softening});
            check_gravity<2, double>(make_points<2, double>(kind, n, 1), {.softening = softening});
        }
    }
}

TEST_CASE("GPU gravity: a periodic box, as on threads") {
    auto const rows = make_points<3, float>("uniform", large(), 3);
    GravityOptions const o{.softening = 1e-3, .box = {1, 1, 1}};
    auto const there = gravity(rows, o, on_gpu()), here = gravity(rows, o);
    double off2 = 0, all2 = 0;
    for (std::size_t i = 0; i < here.accelerations.size(); ++i) {
        off2 += std::pow(double(there.accelerations[i]) - double(here.accelerations[i]), 2);
        all2 += std::pow(double(here.accelerations[i]), 2);
    }
    CHECK(off2 < 1e-9 * all2);
}

TEST_CASE("GPU gravity: larger sets, both orders of expansions; what is refused") {
    auto const rows = make_points<3, float>("clustered", large(), 3);
    for (double const accuracy : {1e-3, 1e-4})
        check_gravity<3, float>(rows, {.softening = 1e-4, .accuracy = accuracy});
    CHECK(refusal_of([&] { gravity(rows, {.expansion_order = 2}, on_gpu()); }) ==
          "on a GPU expansion_order must be 4 or 5, or 0 to have it chosen, but is 2");
}
