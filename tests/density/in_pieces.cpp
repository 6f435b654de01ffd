// One number per point, of points that come in pieces: those of all points at once, bit for bit.
#include "zwalk/density/reduce_in_pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <string>

#include "support/by_parts.hpp"
#include "support/points.hpp"
#include "support/sanitized.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/density/density.hpp"

using namespace test;
using namespace zwalk;

namespace {

auto const scratch = std::filesystem::temp_directory_path();

template <class T>
struct Found {
    std::vector<T> values;
    std::string error;
    std::map<std::string, std::uint64_t> counts;
};
template <class T, class F>
Found<T> outcome(F const& f) {
    Found<T> found;
    try {
        f(found);
    } catch (InputError const& e) {
        found.error = e.what();
    }
    return found;
}
template <class T>
bool same(Found<T> const& a, Found<T> const& b) {
    return a.error == b.error && a.values.size() == b.values.size() &&
           (a.values.empty() ||
            std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(T)) == 0);
}

template <class T>
Found<T> in_pieces(ReduceSources<T> const& source, Reduction what, KnnOptions const& options,
                   std::size_t pieces, std::uint64_t memory = 0) {
    return outcome<T>([&](Found<T>& found) {
        Cpu const cpu(2);
        auto const put = [&](std::span<T const> some) {
            found.values.insert(found.values.end(), some.begin(), some.end());
        };
        auto const stats = knn_reduce_in_pieces<T>(source, survey_points(cpu, source.points), what,
                                                   options, {pieces, scratch, memory}, put, cpu);
        found.counts = {stats.counts.begin(), stats.counts.end()};
    });
}

/// Such that their sum isn't the same in every order, nor without one of them.
template <class T>
std::vector<T> masses_of(std::size_t n) {
    Random random(n);
    std::vector<T> masses(n);
    for (T& mass : masses) mass = T(std::exp(20 * random.uniform() - 10));
    return masses;
}

/// How many numbers of pieces have found other values than all at once have.
/// @param at_once  at_once(what): the values without masses; at_once(what, masses): with these
template <class T, class AtOnce>
int wrong_in_pieces(ReduceSources<T> source, KnnOptions const& options,
                    std::vector<std::size_t> const& numbers, AtOnce const& at_once) {
    auto const masses = masses_of<T>(source.points.size);
    int wrong = 0;
    for (Reduction const what : {Reduction::radius, Reduction::density, Reduction::sph})
        for (bool const with_masses : {false, true}) {
            if (what != Reduction::radius && options.within < infinity<double>) continue;  // refused
            if (what == Reduction::sph && source.points.dim > 3) continue;
            if (what == Reduction::radius && with_masses) continue;
            source.masses =
                with_masses ? by_parts(masses.data(), masses.size(), 1, 333) : RowSource<T>();
            auto const all = outcome<T>([&](Found<T>& found) {
                auto const r = with_masses ? at_once(what, masses) : at_once(what);
                found.values.assign(r.values.begin(), r.values.end());
            });
            for (std::size_t const pieces : numbers) {
                CAPTURE(pieces);
                CAPTURE(int(what));
                CAPTURE(with_masses);
                bool const right = same(in_pieces(source, what, options, pieces), all);
                CHECK(right);
                wrong += !right;
            }
        }
    return wrong;
}
template <int D, class T>
int wrong_pieces(Rows<D, T> const& rows, KnnOptions const& options,
                 std::vector<std::size_t> const& numbers = {1, 2, 7, 40}) {
    auto const points = Points<T>(rows);
    return wrong_in_pieces(ReduceSources<T>{by_parts(points.data, points.size, D, 333)}, options,
                           numbers, [&](Reduction what, auto const&... masses) {
                               if constexpr (sizeof...(masses) > 0)
                                   return knn_mass_density(points, masses..., what, options);
                               else return knn_reduce(points, what, options);
                           });
}
template <int D, class T>
int wrong_queries(Rows<D, T> const& rows, Rows<D, T> const& queries, KnnOptions const& options) {
    auto const points = Points<T>(rows), asked = Points<T>(queries);
    ReduceSources<T> source{by_parts(points.data, points.size, D, 333)};
    source.queries = by_parts(asked.data, asked.size, D, 250);
    return wrong_in_pieces(source, options, {1, 2, 7, 40}, [&](Reduction what, auto const&... masses) {
        if constexpr (sizeof...(masses) > 0)
            return knn_mass_density(points, asked, masses..., what, options);
        else return knn_reduce(points, asked, what, options);
    });
}

/// As many points at each of four places, far from each other, as far as `spread` around them.
Rows<3, float> four_clumps(std::size_t n, float spread) {
    auto rows = make_points<3, float>("uniform", n, 6);
    float const places[4][3] = {{1, 1, 1}, {1, 1, 900}, {900, 1, 1}, {900, 900, 1}};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < 3; ++j) rows[i][j] = places[i % 4][j] + spread * rows[i][j];
    return rows;
}

template <int D, class T>
void check_kinds(std::size_t n) {
    for (auto const& kind : some(plain_kinds(), 3)) {
        CAPTURE(kind);
        auto const rows = make_points<D, T>(kind, n, 7);
        for (index_t const k : {1, 8, 33}) {
            CAPTURE(k);
            CHECK(wrong_pieces<D, T>(rows, {.k = k, .exclude_self = k == 8}) == 0);
        }
    }
}

}  // namespace

TEST_CASE("knn_reduce in pieces: every kind of points, in three columns") {
    check_kinds<3, float>(fewer(2500, 3));
}
TEST_CASE("knn_reduce in pieces: every kind of points, in two and eight") {
    check_kinds<2, double>(fewer(2000, 3));
    check_kinds<8, double>(fewer(700, 3));
}

TEST_CASE("knn_reduce in pieces: periodic boxes, and all dimensions") {
    std::size_t const n = fewer(3000, 3);
    for (auto const* kind : {"uniform", "clustered", "grid", "line", "sites40"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, n, 8);
        auto const [lo, hi] = std::minmax_element(rows.data()->data(), rows.data()->data() + 3 * n);
        double const length = double(*hi) - double(*lo) + 1e-3;
        CHECK(wrong_pieces<3, float>(rows, {.k = 16, .box = {length}}) == 0);
        CHECK(wrong_pieces<3, float>(rows, {.k = 5, .exclude_self = true, .box = {0, length, 0}}) == 0);
    }
    CHECK(wrong_pieces<1, float>(make_points<1, float>("uniform", n, 1), {.k = 7, .box = {1}}) == 0);
    CHECK(wrong_pieces<1, double>(make_points<1, double>("grid", n, 1), {.k = 6}) == 0);
    CHECK(wrong_pieces<4, double>(make_points<4, double>("uniform", n, 1), {.k = 8, .box = {1}}) == 0);
    CHECK(wrong_pieces<8, float>(make_points<8, float>("uniform", 500, 1), {.k = 8, .box = {1}}) == 0);
}

TEST_CASE("knn_reduce in pieces: within a distance, which leaves some with fewer than k") {
    auto const rows = make_points<3, float>("uniform", 2000, 4);
    for (double const within : {0., .02, .1, .5, 3e38, 1e300}) {
        CAPTURE(within);
        CHECK(wrong_pieces<3, float>(rows, {.k = 9, .within = within}) == 0);
        CHECK(wrong_pieces<3, float>(rows, {.k = 8, .exclude_self = true, .within = within}) == 0);
    }
    // Limits that are distances themselves.
    CHECK(wrong_pieces<2, double>(make_points<2, double>("grid", 900, 4), {.k = 5, .within = 1}) == 0);
}

TEST_CASE("knn_reduce in pieces: few points, and more neighbours than a piece has, or all") {
    for (std::size_t const n : {0, 1, 2, 5, 30})
        for (index_t const k : {1, 4, 40})
            for (bool const others : {false, true}) {
                CAPTURE(n);
                CAPTURE(k);
                auto const rows = make_points<3, float>("uniform", n, 2);
                CHECK(wrong_pieces<3, float>(rows, {.k = k, .exclude_self = others}) == 0);
            }
    CHECK(wrong_pieces<3, float>(make_points<3, float>("clustered", 600, 2), {.k = 250}) == 0);
}

TEST_CASE("knn_reduce in pieces: points at borders that don't fit together come in groups") {
    std::size_t const n = fewer(4000, 2);
    auto const rows = make_points<3, double>("clustered", n, 3);
    auto const source = by_parts(rows[0].data(), n, 3, 500);
    KnnOptions const options{.k = index_t(n - 100), .exclude_self = true};
    auto const found = in_pieces<double>({source}, Reduction::sph, options, 3);
    auto const all = knn_reduce(Points<double>(rows), Reduction::sph, options);
    CHECK(std::equal(all.values.begin(), all.values.end(), found.values.begin(), found.values.end()));
    CHECK(found.counts.at("border_points") == n);
    CHECK(found.counts.at("border_groups") > 1);
    CHECK(found.counts.at("border_queries") == 3 * n);
    auto const at_once = in_pieces<double>({source}, Reduction::sph, options, 3, std::uint64_t(1) << 40);
    CHECK(same(at_once, found));
    CHECK(at_once.counts.at("border_groups") == 1);
}

TEST_CASE("knn_reduce in pieces: most points stay in their piece, and few ask another one") {
    std::size_t const n = fewer(60000, 6);
    for (auto const& box : {std::vector<double>{}, {1.}}) {
        auto const rows = make_points<3, float>("uniform", n, 6);
        auto const source = by_parts(rows[0].data(), n, 3, 5000);
        auto counts = in_pieces<float>({source}, Reduction::radius, {.k = 8, .box = box}, 4).counts;
        CHECK(counts.at("pieces") == 4);
        CHECK(counts.at("border_groups") == 1);
        CHECK(double(counts.at("border_points")) < 12 * std::pow(double(n), 2 / 3.));
        CHECK(counts.at("border_points") > 0);
        CHECK(counts.at("border_queries") < 3 * counts.at("border_points"));
    }
}

TEST_CASE("knn_reduce in pieces: clumps far from each other, each in a piece of its own or cut apart") {
    auto const border_points = [](Rows<3, float> const& rows, KnnOptions const& options,
                                  std::size_t pieces) {
        auto const source = by_parts(rows[0].data(), rows.size(), 3, 1000);
        return in_pieces<float>({source}, Reduction::radius, options, pieces).counts.at("border_points");
    };
    auto const clumps = four_clumps(4000, .01f);
    for (bool const others : {false, true}) {
        CAPTURE(others);
        KnnOptions const options{.k = 8, .exclude_self = others};
        CHECK(wrong_pieces<3, float>(clumps, options, {2, 4, 6}) == 0);
        CHECK(border_points(clumps, options, 4) == 0);
        CHECK(border_points(clumps, options, 6) > 0);
        // More than the others of a clump: all balls reach the next one.
        CHECK(border_points(clumps, {.k = 1001, .exclude_self = others}, 4) == 4000);
        // Copies, which have enough of themselves in each piece; or not, where they are cut apart.
        auto const copies = four_clumps(4000, 0);
        CHECK(wrong_pieces<3, float>(copies, options, {4, 7}) == 0);
        CHECK(border_points(copies, options, 7) == 0);
        KnnOptions const many{.k = 700, .exclude_self = others};
        CHECK(wrong_pieces<3, float>(copies, many, {4, 7}) == 0);
        CHECK(border_points(copies, many, 4) == 0);
        CHECK(border_points(copies, many, 7) > 0);
    }
}

TEST_CASE("knn_reduce in pieces: ties at the k-th distance, whose masses differ") {
    std::size_t const n = fewer(4000, 4);
    for (auto const* kind : {"grid", "sites40"})
        for (index_t const k : {1, 2, 5, 11, 27}) {
            CAPTURE(kind);
            CAPTURE(k);
            CHECK(wrong_pieces<3, float>(make_points<3, float>(kind, n, 8), {.k = k}, {3, 9}) == 0);
            CHECK(wrong_pieces<2, double>(make_points<2, double>(kind, n, 8),
                                          {.k = k, .exclude_self = true}, {3, 9}) == 0);
        }
}

TEST_CASE("knn_reduce in pieces: queries among the points, far from them, and in few pieces") {
    std::size_t const n = fewer(2500, 3);
    for (auto const& kind : some(plain_kinds(), 2)) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, n, 7);
        CHECK(wrong_queries<3, float>(rows, make_points<3, float>("normal", n / 2, 8), {.k = 9}) == 0);
        CHECK(wrong_queries<3, float>(rows, rows, {.k = 3}) == 0);
    }
    auto const uniform = make_points<2, double>("uniform", n, 7);
    auto corner = make_points<2, double>("uniform", 2 * n, 9);
    for (auto& x : corner) x[0] *= .01, x[1] *= .01;
    CHECK(wrong_queries<2, double>(uniform, corner, {.k = 16, .box = {1}}) == 0);
    CHECK(wrong_queries<2, double>(uniform, corner, {.k = 16, .within = .02}) == 0);
    for (auto& x : corner) x[1] += 50;
    CHECK(wrong_queries<2, double>(uniform, corner, {.k = 16}) == 0);
    CHECK(wrong_queries<2, double>(make_points<2, double>("grid", n, 7), uniform, {.k = 5}) == 0);
    CHECK(wrong_queries<8, float>(make_points<8, float>("uniform", 500, 1),
                                  make_points<8, float>("normal", 200, 2), {.k = 8}) == 0);
}

TEST_CASE("knn_reduce in pieces: few points and queries, also none") {
    for (std::size_t const n : {0, 1, 5, 30})
        for (std::size_t const m : {0, 1, 40})
            for (index_t const k : {1, 4, 40}) {
                CAPTURE(n);
                CAPTURE(m);
                CAPTURE(k);
                CHECK(wrong_queries<3, float>(make_points<3, float>("uniform", n, 2),
                                              make_points<3, float>("normal", m, 3), {.k = k}) == 0);
            }
}

TEST_CASE("knn_reduce in pieces: queries that are refused") {
    auto rows = make_points<3, float>("uniform", 1000, 3),
         queries = make_points<3, float>("uniform", 500, 4);
    auto const flat = make_points<2, float>("uniform", 500, 4);
    ReduceSources<float> source{by_parts(rows[0].data(), 1000, 3, 100)};
    auto const refused = [&](char const* why, KnnOptions const& options = {.k = 4}) {
        auto const found = in_pieces<float>(source, Reduction::radius, options, 3);
        CHECK_MESSAGE(found.error.find(why) != std::string::npos, found.error);
    };
    source.queries = by_parts(flat[0].data(), 500, 2, 100);
    refused("queries have 2 columns, but the points have 3");
    source.queries = by_parts(queries[0].data(), 500, 3, 100);
    refused("exclude_self", {.k = 4, .exclude_self = true});
    queries[345][1] = 1.5f;
    refused("box length 1", {.k = 4, .box = {1}});
    queries[345][1] = 1e30f;
    refused("give other units");
    queries[345][1] = infinity<float>;
    refused("row 345");
    queries[345][1] = 0;
    source.queries.read = [&queries, read = source.queries.read](std::uint64_t part) {
        auto some = read(part);
        if (part == 4) queries[345][1] = 7;  // from the next time on
        return some;
    };
    refused("the queries have changed");
}

TEST_CASE("knn_reduce in pieces: queries of one piece that come in several batches, and one near 0") {
    auto const rows = make_points<3, float>("uniform", 1000, 3);
    // 16 MB have room for 246 723 at a time.
    auto queries = make_points<3, float>("uniform", 300000, 4);
    queries[7] = {1e-12f, 0, 0};
    ReduceSources<float> source{by_parts(rows[0].data(), 1000, 3, 100)};
    source.queries = by_parts(queries[0].data(), queries.size(), 3, 40000);
    auto const expected =
        knn_reduce(Points<float>(rows), Points<float>(queries), Reduction::radius, {.k = 3});
    Found<float> const all{{expected.values.begin(), expected.values.end()}, {}, {}};
    for (std::size_t const pieces : {1, 3})
        CHECK(same(in_pieces(source, Reduction::radius, {.k = 3}, pieces), all));
    queries.resize(1);
    queries[0] = {1e-12f, 0, 0};
    source.queries = by_parts(queries[0].data(), 1, 3, 1);
    CHECK(in_pieces(source, Reduction::radius, {.k = 3}, 3).error.empty());
}

TEST_CASE("knn_reduce in pieces: masses that are refused") {
    auto const rows = make_points<3, float>("uniform", 1000, 3);
    auto masses = masses_of<float>(1000);
    auto const source = by_parts(rows[0].data(), rows.size(), 3, 100);
    auto const refused = [&](RowSource<float> const& of, char const* why,
                             Reduction what = Reduction::density) {
        auto const found = in_pieces<float>({source, of}, what, {.k = 4}, 3);
        CHECK_MESSAGE(found.error.find(why) != std::string::npos, found.error);
    };
    auto const all = by_parts(masses.data(), 1000, 1, 100);
    refused(by_parts(masses.data(), 999, 1, 100), "there are 999 masses for 1000 points");
    refused(by_parts(masses.data(), 500, 2, 50), "masses have 2 columns");
    refused(by_parts(masses.data(), 1000, 1, 50), "20 parts, but points in 10");
    refused(all, "no masses in it", Reduction::radius);
    for (float const bad : {0.f, -1.f, infinity<float>, std::numeric_limits<float>::quiet_NaN()}) {
        masses[777] = bad;
        refused(all, "mass 777 is");
    }
}

TEST_CASE("knn_reduce in pieces: refusals") {
    auto rows = make_points<3, float>("uniform", 1000, 3);
    Cpu const cpu(1);
    auto const source = by_parts(rows[0].data(), rows.size(), 3, 100);
    auto const survey = survey_points(cpu, source);
    auto const run = [&](Reduction what, KnnOptions const& options, std::size_t pieces,
                         std::filesystem::path const& directory) {
        (void)knn_reduce_in_pieces<float>(
            {source}, survey, what, options, {pieces, directory}, [](auto) {}, cpu);
    };
    auto const refused = [&](KnnOptions const& options, char const* why,
                             Reduction what = Reduction::density) {
        CHECK_THROWS_WITH_AS(run(what, options, 3, scratch), doctest::Contains(why), InputError);
    };
    refused({.k = 0}, "k must be at least 1");
    refused({.k = 4, .within = .1}, "leave out within");
    refused({.k = 4, .box = {.5}}, "box length 0.5");
    refused({.k = 4, .within = -1}, "within", Reduction::radius);
    CHECK_THROWS_WITH_AS(run(Reduction::sph, {}, 0, scratch), doctest::Contains("at least 1"),
                         InputError);
    CHECK_THROWS_WITH_AS(run(Reduction::sph, {}, 2, {}), doctest::Contains("scratch"), InputError);
    CHECK_THROWS_AS(run(Reduction::sph, {}, 2, scratch / "missing"), Error);
    rows[789][1] = 7;  // an input that changes
    refused({.k = 4}, "rows 700 to 799");
    rows[789][1] = std::numeric_limits<float>::quiet_NaN();
    refused({.k = 4}, "row 789");

    for (float const factor : {1e-20f, 1e20f}) {
        auto far = make_points<3, float>("uniform", 100, 3);
        for (auto& row : far)
            for (float& x : row) x *= factor;
        auto const found =
            in_pieces<float>({by_parts(far[0].data(), 100, 3, 100)}, Reduction::radius, {.k = 2}, 2);
        CHECK(found.error.find("give other units") != std::string::npos);
    }
}

TEST_CASE("knn_reduce in pieces: as few as the memory allows") {
    ReducePiecesShape const shape{1000000000, 3, 4, 16, 8};
    std::uint64_t const memory = std::uint64_t(16) << 30;
    std::size_t const pieces = reduce_pieces_for(shape, memory, 1 << 18);
    CHECK(reduce_in_pieces_memory(shape, pieces, 1 << 18).peak() <= memory);
    CHECK(reduce_in_pieces_memory(shape, pieces - 1, 1 << 18).peak() > memory);
    CHECK(pieces < 6);
    CHECK(reduce_pieces_for({1000000, 3, 4, 16, 2}, 0, 1 << 18) <= 4);  // what is free
    ReducePiecesShape const many{7000000000, 3, 4, 16, 8};
    CHECK(reduce_pieces_for(many, std::uint64_t(1) << 50, 1 << 18) == fewest_pieces(many.points));
    CHECK_THROWS_WITH_AS((void)reduce_pieces_for(shape, 1 << 20, 1 << 18),
                         doctest::Contains("however many"), Error);
    // Groups take what a piece leaves, and no more.
    std::uint64_t const least = reduce_in_pieces_memory(shape, pieces + 9, 1 << 18).peak(),
                        most = reduce_in_pieces_memory(shape, pieces + 9, 1 << 18, memory).peak();
    CHECK(least < memory * 9 / 10);
    CHECK(most > memory * 99 / 100);
    CHECK(most <= memory);
    CHECK(reduce_in_pieces_memory(shape, pieces + 9, 1 << 18, 1).peak() == least);
    CHECK(reduce_in_pieces_disk({100, 3, 4, 16}, 1) == 100 * (12 + 8 + 4));
    CHECK(reduce_in_pieces_disk({100, 3, 4, 16}, 2) == 100 * (24 + 20 + 12));
    CHECK(reduce_in_pieces_disk({100, 3, 4, 16, 1, true}, 2) == 100 * (28 + 20 + 12));
}
