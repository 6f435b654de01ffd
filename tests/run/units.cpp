// Points in other units: multiplied by a power of two, far beyond where squares are numbers, they give the same results, bit for
// bit, in those units.
#include <algorithm>
#include <sstream>

#include "knn/check.hpp"
#include "support/sanitized.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/run/cpu.hpp"

using namespace test;

namespace {

/// Exponents of units: at both ends squares, or cubes, aren't numbers, and some lie at the limits of what needs a unit. Under
/// sanitizers the ends and one between them.
template <class T>
std::vector<int> exponents() {
    if (sizeof(T) == 4) return some({-100, -60, -33, -30, 41, 55, 57, 60, 120}, 4);
    return some({-980, -400, -303, -300, 331, 497, 500, 600, 1015}, 4);
}

template <class Values>
auto times(Values const& values, int exponent) {
    std::vector<std::remove_cvref_t<decltype(*values.begin())>> scaled(values.begin(), values.end());
    for (auto& x : scaled) x = std::ldexp(x, exponent);
    return scaled;
}
template <int D, class T>
Rows<D, T> times(Rows<D, T> rows, int exponent) {
    for (auto& row : rows)
        for (T& x : row) x = std::ldexp(x, exponent);
    return rows;
}

/// f(points), or f(index of them, box): as a call wants them.
template <int D, class T>
struct Case {
    Rows<D, T> rows, others;  ///< in a unit that keeps squares in range
    std::vector<double> box;
    int exponent;  ///< of the other unit

    [[nodiscard]] Rows<D, T> far() const { return times<D, T>(rows, exponent); }
    [[nodiscard]] Rows<D, T> far_others() const { return times<D, T>(others, exponent); }
    [[nodiscard]] double length(double x) const { return std::ldexp(double(T(x)), exponent); }
    [[nodiscard]] std::vector<double> far_box() const { return times(box, exponent); }
    [[nodiscard]] Index<T> index() const { return Index<T>(view<D>(rows_), {.box = far_box()}); }

    Rows<D, T> rows_ = far();
};

template <class R, class Expected>
bool lists_are_times(R const& found, Expected const& expected, int exponent) {
    return listed(found.offsets) == listed(expected.offsets) &&
           listed(found.indices) == listed(expected.indices) &&
           listed(found.distances) == times(expected.distances, exponent);
}
template <class R>
bool rows_are_times(R const& found, R const& expected, int exponent) {
    return listed(found.indices) == listed(expected.indices) &&
           listed(found.distances) == times(expected.distances, exponent);
}

template <int D, class T>
void check_neighbours(Case<D, T> const& c) {
    KnnOptions o{.k = 7, .box = c.box}, far = o;
    far.box = c.far_box();
    auto const self = knn(c.rows, o), cross = knn(c.rows, c.others, o);
    CHECK(rows_are_times(knn(c.far(), far), self, c.exponent));
    CHECK(rows_are_times(knn(c.far(), c.far_others(), far), cross, c.exponent));
    auto const index = c.index();
    CHECK(rows_are_times(knn(index, {.k = 7}), self, c.exponent));
    CHECK(rows_are_times(knn(index, c.far_others(), {.k = 7}), cross, c.exponent));
    CHECK(rows_are_times(knn(index, c.far_others(), {.k = 7}), cross, c.exponent));
    auto const lists = knn(c.far(), far);
    CHECK(visits(lists, [&](auto const& f) { knn_visit(c.far(), f, far); }));
    CHECK(visits(lists, [&](auto const& f) { knn_visit(index, f, {.k = 7}); }));
    CHECK(listed(knn_reduce(c.far(), Reduction::radius, far).values) ==
          times(knn_reduce(c.rows, Reduction::radius, o).values, c.exponent));
}

/// Distances that a visitor is shown add up to what lists have.
template <int D, class T>
void check_radius(Case<D, T> const& c) {
    for (double const r : {0., .1, .3, 5.}) {
        CAPTURE(r);
        RadiusOptions o{.radius = r, .box = c.box}, far = o;
        far.radius = c.length(r);
        far.box = c.far_box();
        auto const expected = radius_search(c.rows, o);
        CHECK(lists_are_times(radius_search(c.far(), far), expected, c.exponent));
        CHECK(lists_are_times(radius_search(c.far(), c.far_others(), far),
                              radius_search(c.rows, c.others, o), c.exponent));
        CHECK(listed(radius_count(c.far(), far).counts) == listed(radius_count(c.rows, o).counts));
        auto const index = c.index();
        CHECK(lists_are_times(radius_search(index, {.radius = far.radius}), expected, c.exponent));
        std::vector<double> radii(c.rows.size(), r), far_radii(radii.size(), far.radius);
        radii[0] = .05;
        far_radii[0] = c.length(.05);
        CHECK(lists_are_times(
            radius_search(c.far(), {.radii = far_radii, .larger = true, .box = far.box}),
            radius_search(c.rows, {.radii = radii, .larger = true, .box = c.box}), c.exponent));
        std::vector<T> last(c.rows.size());
        radius_visit(index,
                     [&](index_t row, NearestFirst<T> const& list) {
                         last[std::size_t(row)] = list.distance(list.size() - 1);
                     },
                     {.radius = far.radius});
        for (std::size_t i = 0; i < last.size(); ++i)
            REQUIRE(last[i] == std::ldexp(expected.distances[std::size_t(expected.offsets[i + 1]) - 1],
                                          c.exponent));
    }
}

template <int D, class T>
void check_groups(Case<D, T> const& c) {
    for (double const b : {.02, .1, .3}) {
        CAPTURE(b);
        FofOptions o{.linking_length = b, .box = c.box}, far = o;
        far.linking_length = c.length(b);
        far.box = c.far_box();
        auto const near = fof(c.rows, o), found = fof(c.far(), far);
        CHECK(listed(found.labels) == listed(near.labels));
        CHECK(listed(fof(c.index(), {.linking_length = far.linking_length}).labels) ==
              listed(near.labels));
        auto const expected = fof_catalogue(view<D>(c.rows), near, {.min_members = 3, .box = c.box}),
                   catalogue =
                       fof_catalogue(view<D>(c.rows_), found, {.min_members = 3, .box = far.box});
        CHECK(catalogue.count == expected.count);
        CHECK(std::ranges::equal(catalogue.centre_of_mass, times(expected.centre_of_mass, c.exponent)));
        CHECK(std::ranges::equal(catalogue.inertia_radius, times(expected.inertia_radius, c.exponent)));
        CHECK(std::ranges::equal(catalogue.radius, times(expected.radius, c.exponent)));
        CHECK(catalogue.most_distant == expected.most_distant);

        DbscanOptions d{.epsilon = b, .min_samples = 4, .box = c.box}, far_d = d;
        far_d.epsilon = c.length(b);
        far_d.box = far.box;
        CHECK(listed(dbscan(c.far(), far_d).labels) == listed(dbscan(c.rows, d).labels));
    }
    if (c.box.empty()) {
        double const spacing = mean_spacing(view<D>(c.rows));
        CHECK(mean_spacing(view<D>(c.rows_)) == doctest::Approx(std::ldexp(spacing, c.exponent)));
        CHECK(mean_spacing(c.index()) == mean_spacing(view<D>(c.rows_)));
    }
}

template <int D, class T>
void check_trees(Case<D, T> const& c) {
    for (int const min_samples : {1, 5}) {
        EmstOptions o{.min_samples = min_samples, .box = c.box}, far = o;
        far.box = c.far_box();
        auto const expected = emst(c.rows, o);
        auto const same = [&](EmstResult<T> const& found) {
            return listed(found.edges) == listed(expected.edges) &&
                   listed(found.lengths) == times(expected.lengths, c.exponent) &&
                   listed(found.core_distances) == times(expected.core_distances, c.exponent);
        };
        CHECK(same(emst(c.far(), far)));
        CHECK(same(emst(c.index(), {.min_samples = min_samples})));
    }
    HdbscanOptions o{.min_cluster_size = 5, .box = c.box}, far = o;
    far.box = c.far_box();
    CHECK(listed(hdbscan(c.far(), far).labels) == listed(hdbscan(c.rows, o).labels));
}

template <int D, class T>
void check_pairs(Case<D, T> const& c) {
    PairOptions o{.edges = {0, .01, .1, .2, 3}, .box = c.box}, far = o;
    far.edges.clear();
    for (double const edge : o.edges) far.edges.push_back(c.length(edge));
    far.box = c.far_box();
    CHECK(pair_counts(c.far(), far).counts == pair_counts(c.rows, o).counts);
    CHECK(pair_counts(c.far(), c.far_others(), far).counts == pair_counts(c.rows, c.others, o).counts);
    if (D != 2 && D != 3) return;
    for (auto const bins : {PairBins::rp_pi, PairBins::s_mu}) {
        o.bins = far.bins = bins;
        o.los_edges = far.los_edges = {0, .1, .5, 1};
        if (bins == PairBins::rp_pi)
            for (double& edge : far.los_edges) edge = c.length(edge);
        CHECK(pair_counts(c.far(), far).counts == pair_counts(c.rows, o).counts);
        auto const box = std::exchange(far.box, {});
        CHECK(pair_counts(c.index(), far).counts == pair_counts(c.rows, o).counts);
        far.box = box;
    }
}

template <int D, class T>
void check_all(Case<D, T> const& c) {
    check_neighbours(c);
    check_radius(c);
    check_groups(c);
    check_trees(c);
    check_pairs(c);
}

template <int D, class T>
void check_units() {
    if (D > ZWALK_MAX_DIM) return;
    for (auto const* kind : {"uniform", "clustered", "sites40"})
        for (std::vector<double> const& box : {std::vector<double>{}, std::vector<double>(D, 1.)})
            for (int const exponent : exponents<T>()) {
                CAPTURE(D);
                CAPTURE(kind);
                CAPTURE(exponent);
                CAPTURE(box.size());
                std::size_t const n = D < 8 ? 300 : 100;  // there nearly all pairs are looked at
                auto const others = in_box<D, T>("uniform", n / 5, 1, 12);
                check_all(Case<D, T>{in_box<D, T>(kind, n, 1, 11), others, box, exponent});
            }
}

}  // namespace

TEST_CASE_TEMPLATE("units: a power of two changes no bit", T, float, double) {
    check_units<2, T>();
    check_units<3, T>();
    check_units<8, T>();
}

TEST_CASE_TEMPLATE("units: forces, softened and periodic", T, float, double) {
    auto const rows = in_box<3, T>("clustered", 300, 1, 5);
    int compared = 0;
    for (double const softening : {0., .01})
        for (std::vector<double> const& box : {std::vector<double>{}, std::vector<double>{1}})
            for (int const exponent : exponents<T>()) {
                CAPTURE(softening);
                CAPTURE(box.size());
                CAPTURE(exponent);
                // Masses for accelerations of about 1, so that results are in range.
                double const mass = std::ldexp(1., std::clamp(2 * exponent, sizeof(T) == 4 ? -110 : -980,
                                                              sizeof(T) == 4 ? 100 : 980));
                std::vector<double> const masses(rows.size(), mass), ones(rows.size(), 1);
                GravityOptions o{.masses = ones, .softening = softening, .box = box}, far = o;
                far.softening = std::ldexp(softening, exponent);
                far.masses = masses;
                far.box = times(box, exponent);
                auto const expected = gravity(rows, o);
                int const of_mass = std::ilogb(mass);
                auto const accelerations = times(expected.accelerations, of_mass - 2 * exponent);
                std::size_t held = 0;
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    T most = 0;
                    for (std::size_t j = 0; j < 3; ++j)
                        most = std::max(most, std::abs(accelerations[3 * i + j]));
                    held += std::isnormal(most);
                }
                if (2 * held < rows.size()) {
                    CHECK_THROWS_WITH_AS((void)gravity(times<3, T>(rows, exponent), far),
                                         doctest::Contains("leave the range of"), InputError);
                    continue;
                }
                ++compared;
                auto const found = gravity(times<3, T>(rows, exponent), far);
                if (held < rows.size()) continue;  // the smallest are rounded
                CHECK(listed(found.accelerations) == accelerations);
                CHECK(listed(found.potentials) == times(expected.potentials, of_mass - exponent));
            }
    CHECK(compared >= (sanitized ? 4 : 24));
}

TEST_CASE_TEMPLATE("units: densities are those of the unit, or refused", T, float, double) {
    auto const rows = in_box<3, T>("uniform", 300, 1, 5);
    KnnOptions const o{.k = 8};
    auto const expected = knn_reduce(rows, Reduction::sph, o).values;
    int const some = sizeof(T) == 4 ? 33 : 310;
    for (int const exponent : {some, -some}) {
        auto const far = knn_reduce(times<3, T>(rows, exponent), Reduction::sph, o).values;
        CHECK(listed(far) == times(expected, -3 * exponent));
    }
    // Beside others one that is too small is 0.
    auto apart = rows;
    apart[0] = {T(sizeof(T) == 4 ? 1e15 : 1e140), 0, 0};
    CHECK(knn_reduce(apart, Reduction::density, o).values[0] == 0);
    for (int const exponent : {sizeof(T) == 4 ? 60 : 510, sizeof(T) == 4 ? -60 : -510})
        for (auto const what : {Reduction::density, Reduction::sph})
            CHECK_THROWS_WITH_AS((void)knn_reduce(times<3, T>(rows, exponent), what, o),
                                 doctest::Contains("densities leave the range of"), InputError);
}

TEST_CASE_TEMPLATE("units: an index in a file, and queries that are too far from it", T, float, double) {
    auto const rows = in_box<3, T>("clustered", 300, 1, 5), queries = in_box<3, T>("uniform", 20, 1, 6);
    for (int const exponent : exponents<T>()) {
        CAPTURE(exponent);
        auto const far = times<3, T>(rows, exponent);
        std::vector<double> const box{std::ldexp(1., exponent)};
        Index<T> const index(view<3>(far), {.box = box});
        CHECK(index.box() == std::vector<double>(3, box[0]));
        std::stringstream file, again;
        index.write(file);
        auto const loaded = Index<T>::read(file);
        loaded.write(again);
        CHECK(file.str() == again.str());
        CHECK(loaded.box() == index.box());
        auto const asked = times<3, T>(queries, exponent);
        CHECK(same_bits(knn(loaded, asked, {.k = 3}), knn(far, asked, {.k = 3, .box = box})));
    }
    // In the unit of points of order 1 squares of these overflow; in one of both they don't.
    Index<T> const index(view<3>(rows), {});
    T const far = std::ldexp(T(1), sizeof(T) == 4 ? 63 : 600);
    Rows<3, T> const beyond{{far, 0, 0}};
    CHECK_THROWS_WITH_AS((void)knn(index, beyond, {.k = 1}), doctest::Contains("squares of distances"),
                         InputError);
    CHECK_THROWS_AS((void)radius_count(index, beyond, {.radius = 1}), InputError);
    CHECK_THROWS_AS((void)pair_counts(index, beyond, {.edges = {0, 1}}), InputError);
    CHECK(knn(rows, beyond, {.k = 1}).distances[0] == far);
}

TEST_CASE_TEMPLATE("units: distances that are no number are refused, and so are far points of traits", T,
                   float, double) {
    T const most = std::numeric_limits<T>::max();
    Rows<2, T> const apart{{most, 0}, {-most / 2, 0}}, corners{{0, 0}, {most, most}},
        fit{{0, 0}, {most, 0}};
    for (auto const& rows : {apart, corners}) {
        CHECK_THROWS_WITH_AS((void)knn(rows, {.k = 1}), doctest::Contains("distances leave the range"),
                             InputError);
        CHECK_THROWS_AS((void)fof(rows, {.linking_length = 1}), InputError);
        CHECK_THROWS_AS((void)emst(rows), InputError);
        CHECK_THROWS_AS((void)radius_count(rows, {.radius = 1}), InputError);
        CHECK_THROWS_AS(Index<T>(view<2>(rows)), InputError);
    }
    CHECK(emst(fit).lengths[0] == most);
    CHECK(knn(Rows<2, T>{{most, 0}}, Rows<2, T>{{0, 0}}, {.k = 1}).distances[0] == most);
    CHECK_THROWS_AS((void)knn(Rows<2, T>{{most, 0}}, Rows<2, T>{{-most, 0}}, {.k = 1}), InputError);

    Cpu place;
    auto const far = times<3, T>(in_box<3, T>("uniform", 30, 1, 5), sizeof(T) == 4 ? 70 : 700);
    CHECK_THROWS_WITH_AS((void)make_tree<3>(place, far), doctest::Contains("a trait sees"), InputError);
    Index<T> const index(view<3>(far), {});
    CHECK_THROWS_AS((void)make_tree<3>(place, index), InputError);
}
