// The reductions: by their definitions from the lists of knn(), and all ways to ask for them.
#include "zwalk/density/density.hpp"

#include "knn/check.hpp"

using namespace test;

TEST_CASE_TEMPLATE("reductions: by their definitions from the lists of knn", T, float, double) {
    std::size_t const n = 3000;
    auto const rows = make_points<3, T>("clustered", n, 5);
    KnnOptions const options{.k = 24};
    auto const lists = knn(view<3>(rows), options);
    std::vector<T> radius(n), ball(n), heavy(n), sph(n), mass(n);
    Random r(3);
    for (T& m : mass) m = T(.5 + r.uniform());
    (void)knn_visit(view<3>(rows), KthDistance<T>{radius.data(), 24}, options);
    (void)knn_visit(view<3>(rows), BallDensity<T>{ball.data(), 3}, options);
    (void)knn_visit(view<3>(rows), BallMass<T>{heavy.data(), 3, mass.data()}, options);
    (void)knn_visit(view<3>(rows), SphDensity<T>{sph.data(), 3, mass.data()}, options);
    double const pi = 3.14159265358979323846;
    for (std::size_t i = 0; i < n; ++i) {
        T const* const d = &lists.distances[i * 24];
        double const h = d[23];
        REQUIRE(radius[i] == d[23]);
        REQUIRE(double(ball[i]) == doctest::Approx(24 / (4 * pi / 3 * h * h * h)).epsilon(1e-5));
        double sum = 0, all = 0;
        for (int j = 0; j < 24; ++j) {
            double const q = double(d[j]) / h;
            double const w = q < .5 ? 1 - 6 * q * q + 6 * q * q * q : 2 * std::pow(1 - q, 3);
            double const m = double(mass[std::size_t(lists.indices[i * 24 + std::size_t(j)])]);
            sum += m * w, all += m;
        }
        REQUIRE(double(heavy[i]) == doctest::Approx(all / (4 * pi / 3 * h * h * h)).epsilon(1e-5));
        REQUIRE(double(sph[i]) == doctest::Approx(sum * 8 / pi / (h * h * h)).epsilon(1e-4));
    }
}

TEST_CASE("reductions: uniform points have the density that they were made with") {
    auto const mean_of = [](auto const& rows, auto const& reduction, auto const& value) {
        KnnOptions const options{.k = 60, .box = {1}};
        (void)knn_visit(Points<double>(rows), reduction, options);
        double sum = 0;
        for (double v : value) sum += v;
        return sum / double(value.size());
    };
    std::size_t const n = 20000;
    std::vector<double> v(n);
    CHECK(mean_of(make_points<1, double>("uniform", n, 1), SphDensity<double>{v.data(), 1}, v) ==
          doctest::Approx(double(n)).epsilon(.1));
    CHECK(mean_of(make_points<2, double>("uniform", n, 1), SphDensity<double>{v.data(), 2}, v) ==
          doctest::Approx(double(n)).epsilon(.1));
    // The point's own share, W(0, h), is 2.55 of 14.3 points per h^3.
    CHECK(mean_of(make_points<3, double>("uniform", n, 1), SphDensity<double>{v.data(), 3}, v) ==
          doctest::Approx(double(n)).epsilon(.25));
    CHECK(mean_of(make_points<4, double>("uniform", n, 1), BallDensity<double>{v.data(), 4}, v) ==
          doctest::Approx(double(n)).epsilon(.1));
}

static bool same(KnnReduced<float> const& found, std::vector<float> const& expected) {
    return std::equal(found.values.begin(), found.values.end(), expected.begin(), expected.end());
}

TEST_CASE(
    "knn_reduce: what the objects make of knn_visit, of points and queries, in one call or of an "
    "index") {
    std::size_t const n = 2000;
    auto const rows = make_points<3, float>("clustered", n, 5);
    auto const queries = make_points<3, float>("normal", 700, 6);
    Index<float> const index(view<3>(rows));
    KnnOptions const o{.k = 12};
    std::vector<float> own(n), asked(700);
    auto const check = [&](Reduction what, auto object) {
        object.value = own.data();
        (void)knn_visit(view<3>(rows), object, o);
        CHECK(same(knn_reduce(view<3>(rows), what, o, Cpu(2)), own));
        CHECK(same(knn_reduce(index, what, o), own));
        object.value = asked.data();
        (void)knn_visit(view<3>(rows), view<3>(queries), object, o);
        CHECK(same(knn_reduce(view<3>(rows), view<3>(queries), what, o), asked));
        CHECK(same(knn_reduce(index, view<3>(queries), what, o), asked));
    };
    check(Reduction::radius, KthDistance<float>{nullptr, 12});
    check(Reduction::density, BallDensity<float>{nullptr, 3});
    check(Reduction::sph, SphDensity<float>{nullptr, 3});
    std::vector<float> const cube(4 * 5);
    CHECK_THROWS_WITH_AS((void)knn_reduce(Points<float>(cube.data(), 5, 4), Reduction::sph, o),
                         "the SPH density is for one to three dimensions, not for 4", InputError);
}

TEST_CASE(
    "knn_mass_density: what the objects make of knn_visit, of points and queries, or of an index") {
    std::size_t const n = 2000;
    auto const rows = make_points<3, float>("clustered", n, 5);
    auto const queries = make_points<3, float>("normal", 700, 6);
    Index<float> const index(view<3>(rows));
    KnnOptions const o{.k = 12};
    std::vector<float> mass(n), own(n), asked(700);
    Random random(3);
    for (float& m : mass) m = float(.5 + random.uniform());
    auto const check = [&](Reduction what, auto object) {
        object.mass = mass.data();
        object.value = own.data();
        (void)knn_visit(view<3>(rows), object, o);
        CHECK(same(knn_mass_density(view<3>(rows), mass, what, o, Cpu(2)), own));
        CHECK(same(knn_mass_density(rows, mass, what, o), own));
        CHECK(same(knn_mass_density(index, mass, what, o), own));
        object.value = asked.data();
        (void)knn_visit(view<3>(rows), view<3>(queries), object, o);
        CHECK(same(knn_mass_density(view<3>(rows), queries, mass, what, o), asked));
        CHECK(same(knn_mass_density(index, queries, mass, what, o), asked));
    };
    check(Reduction::density, BallMass<float>{nullptr, 3, nullptr});
    check(Reduction::sph, SphDensity<float>{nullptr, 3});
    auto const refused = [&](char const* why, Reduction what = Reduction::density) {
        CHECK_THROWS_WITH_AS((void)knn_mass_density(rows, mass, what, o), why, InputError);
        CHECK_THROWS_WITH_AS((void)knn_mass_density(index, queries, mass, what, o), why, InputError);
    };
    refused("the distance to the k-th neighbour has no masses in it: leave them out", Reduction::radius);
    mass[7] = 0;
    refused("mass 7 is 0: masses must be finite and above 0, in the precision of the points");
    mass.pop_back();
    refused("there are 1999 masses for 2000 points");
    CHECK_THROWS_WITH_AS((void)knn_mass_density(rows, std::vector<float>(n, 1), Reduction::density,
                                                {.k = 12, .order = Order::z}),
                         "masses are by row of the input: leave out Order::z", InputError);
}

TEST_CASE("masses that are too large are refused, and single densities become infinite") {
    std::size_t const n = 500;
    auto const rows = make_points<3, double>("uniform", n, 4);
    std::vector<float> x;
    for (auto const& row : rows)
        for (double c : row) x.push_back(float(c));
    Points<float> const points(x.data(), n, 3);
    std::vector<float> mass(n, 1e38F);
    for (Reduction const what : {Reduction::density, Reduction::sph})
        CHECK_THROWS_AS((void)knn_mass_density(points, mass, what, {.k = 8}), InputError);
    std::fill(mass.begin(), mass.end(), 1.F);
    mass[3] = 3e38F;
    auto const found = knn_mass_density(points, mass, Reduction::density, {.k = 8});
    CHECK(found.values[3] == infinity<float>);
    CHECK(std::count(found.values.begin(), found.values.end(), infinity<float>) < 100);
    CHECK(std::count_if(found.values.begin(), found.values.end(), [](float v) { return v > 0; }) == n);
    std::vector<double> const heavy(n, 1e308);
    CHECK_THROWS_WITH_AS(
        (void)knn_mass_density(rows, heavy, Reduction::sph, {.k = 8}),
        "8 masses of 1e+308 leave the range of double precision together: use other units", InputError);
}
