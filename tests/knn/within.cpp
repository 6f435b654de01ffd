// kNN within a distance: the k nearest of what is near enough, whichever way they are found, by brute force.
#include <cmath>
#include <limits>

#include "knn/check.hpp"
#include "support/sanitized.hpp"
#include "zwalk/density/density.hpp"

using namespace test;

namespace {

/// Distances that take in nothing, everything, exactly some k-th neighbour, and all but that one.
template <class T>
std::vector<double> some_limits(KnnResult<T> const& found) {
    std::vector<double> limits{0, 1e300, infinity<double>};
    if (std::size_t const n = found.distances.size(); n > 0 && std::isfinite(found.distances[n / 3])) {
        T const d = found.distances[n / 3];
        limits.insert(limits.end(), {double(d), double(std::nextafter(d, T(0)))});
    }
    return limits;
}

/// Of the points themselves, of queries in one call, and of an index that is asked in batches of every way.
template <int D, class T>
void check_within(Rows<D, T> const& rows, Rows<D, T> const& queries,
                  std::vector<double> const& box = {}) {
    if (D > ZWALK_MAX_DIM) return;  // a build with few dimensions, as that with sanitizers
    auto const sources = view<D>(rows), asked = view<D>(queries);
    Index<T> const index(sources, {.box = box});
    for (index_t const k : {1, 6, 40}) {
        auto const all = knn(sources, {.k = k, .exclude_self = true, .box = box});
        for (double const within : some_limits(all)) {
            CAPTURE(k);
            CAPTURE(within);
            KnnOptions o{.k = k, .exclude_self = true, .within = within, .box = box};
            CHECK(self_query_right<D, T>(rows, o, 80));
            o.exclude_self = false;
            auto const self = knn(sources, o), other = knn(sources, asked, o);
            CHECK(equals_brute_force(self, sources, sources, o, 80));
            CHECK(equals_brute_force(other, sources, asked, o, 80));
            CHECK(visits(other, [&](auto const& seen) { (void)knn_visit(sources, asked, seen, o); }));
            KnnOptions const of_index{.k = k, .within = within};
            CHECK(same_bits(knn(index, of_index), self));
            CHECK(same_bits(knn(index, asked, of_index), other));
            for (std::size_t i = 0; i < queries.size(); i += 29) {
                Points<T> const one(queries[i].data(), 1, D);
                CHECK(equals_brute_force(knn(index, one, of_index), sources, one, o));
            }
        }
    }
}

template <int D, class T>
void every_kind_within(std::size_t n) {
    for (auto const& kind : some(kinds(), 3)) {
        CAPTURE(D);
        CAPTURE(sizeof(T));
        CAPTURE(kind);
        check_within<D, T>(make_points<D, T>(kind, n, 1), make_points<D, T>(kind, n / 4, 2));
    }
}

}  // namespace

TEST_CASE("kNN within: every kind of points, compiled and padded dimensions") {
    every_kind_within<1, double>(150);
    every_kind_within<2, float>(200);
    every_kind_within<3, float>(400);
    every_kind_within<3, double>(200);
    every_kind_within<4, double>(150);
    every_kind_within<6, float>(150);
    every_kind_within<8, double>(150);
    check_within<64, float>(make_points<64, float>("normal", 120, 1),
                            make_points<64, float>("normal", 30, 2));
    for (std::size_t n : {0, 1, 2, 7}) {
        CAPTURE(n);
        check_within<3, float>(make_points<3, float>("uniform", n, 1),
                               make_points<3, float>("uniform", 5, 2));
    }
}

TEST_CASE("kNN within: periodic, whole and on some axes") {
    for (auto const* kind : {"uniform", "clustered", "equal"}) {
        CAPTURE(kind);
        check_within<3, float>(in_box<3, float>(kind, 300, 1, 1), in_box<3, float>("uniform", 60, 1, 2),
                               {1, 0, 1});
        check_within<2, double>(in_box<2, double>(kind, 300, 2.5, 3),
                                in_box<2, double>("uniform", 60, 2.5, 4), {2.5, 2.5});
    }
}

TEST_CASE("kNN within: many points and queries, with guesses and in batches") {
    // Density jumps between leaves that follow each other on the curve.
    auto rows = make_points<3, float>("clustered", fewer(20000, 2), 4);
    auto const lone = make_points<3, float>("uniform", 2000, 5);
    rows.insert(rows.end(), lone.begin(), lone.end());
    for (double const within : {.001, .01, .1})
        for (index_t const k : {2, 16, 200}) {
            CAPTURE(within);
            CAPTURE(k);
            KnnOptions const o{.k = k, .within = within};
            CHECK(equals_brute_force(knn(rows, o, Cpu(1)), view<3>(rows), view<3>(rows), o, 500));
            CHECK(equals_brute_force(knn(rows, lone, o, Cpu(1, 1'000'000)), view<3>(rows), view<3>(lone),
                                     o, 500));
        }
}

TEST_CASE("kNN within: what lies further isn't looked at") {
    auto const rows = make_points<3, double>("uniform", 20000, 6);
    // A third of the mean distance: few neighbours, in the leaf and next to it.
    auto const pairs = [&](double within) {
        return count_of(knn(rows, {.k = 300, .within = within}).stats, "leaf_entries");
    };
    CHECK(pairs(.3 / std::cbrt(20000.)) < pairs(infinity<double>) / 5);
}

TEST_CASE("kNN within: refusals") {
    auto const rows = make_points<3, float>("uniform", 10, 1);
    CHECK_THROWS_WITH_AS((void)knn(rows, {.within = -1}), "within must be at least 0, but is -1",
                         InputError);
    CHECK_THROWS_AS((void)knn(rows, {.within = std::numeric_limits<double>::quiet_NaN()}), InputError);
    CHECK_THROWS_WITH_AS((void)knn_reduce(rows, Reduction::density, {.k = 3, .within = 1}),
                         "a density is that of all k neighbours, wherever they are: leave out within",
                         InputError);
    CHECK(knn_reduce(rows, Reduction::radius, {.k = 2, .within = 0}).values[0] == infinity<float>);
}
