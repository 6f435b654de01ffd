// Groups of points that come in pieces: those of all points at once, bit for bit.
#include "zwalk/fof/fof_in_pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>

#include "fof/brute.hpp"
#include "fof/same_catalogue.hpp"
#include "support/by_parts.hpp"
#include "support/unnamed_files.hpp"
#include "zwalk/run/piece_file.hpp"

using namespace test;

namespace {

struct Case {
    std::vector<double> box{};
    double length = 0;
    bool beside = false;  ///< masses and velocities
};

/// How many pieces of 1, 2, 7 and 61 found other groups than all points at once do.
template <int D, class T>
int wrong_pieces(Rows<D, T> const& rows, Case const& c) {
    auto const points = view<D>(rows);
    std::size_t const n = points.size;
    Random random(5);
    std::vector<T> masses(c.beside ? n : 0), moves(c.beside ? n * D : 0);
    for (T& mass : masses) mass = T(1 + random.uniform());
    for (T& v : moves) v = T(random.normal());
    CatalogueOptions<T> o{.min_members = 2, .box = c.box, .masses = masses};
    if (c.beside) o.velocities = {moves.data(), n, D};
    FofOptions const options{.linking_length = c.length, .box = c.box};
    auto const all = fof(points, options);
    auto catalogue = fof_catalogue(points, all, o);
    catalogue.order = {};

    FofSources<T> sources{by_parts(points.data, n, D, 333)};
    if (c.beside) {
        sources.masses = by_parts<T>(masses.data(), n, 1, 333);
        sources.velocities = by_parts<T>(moves.data(), n, D, 333);
    }
    Cpu const cpu(2);
    auto const survey = survey_points(cpu, sources.points);
    int wrong = 0;
    for (std::size_t const pieces : {1, 2, 7, 61}) {
        CAPTURE(pieces);
        std::vector<index_t> labels;
        FofPiecesOptions const how{.pieces = pieces,
                                   .scratch = std::filesystem::temp_directory_path(),
                                   .min_members = o.min_members};
        auto const r = fof_in_pieces<T>(
            sources, survey, options, how,
            [&](std::span<index_t const> some) {
                labels.insert(labels.end(), some.begin(), some.end());
            },
            cpu);
        bool const same = r.groups == all.groups && same_bits(r.catalogue, catalogue) &&
                          std::equal(labels.begin(), labels.end(), all.labels.begin(), all.labels.end());
        CHECK(same);
        wrong += !same;
    }
    return wrong;
}

template <int D, class T>
void check_kinds() {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        if (kind == "huge" || kind == "subnormal") continue;
        auto const rows = make_points<D, T>(kind, 3000, 7);
        double const spacing = std::pow(1. / 3000, 1. / D);
        for (double const b : {0., .3, 1., 3.})
            CHECK(wrong_pieces<D, T>(rows, {{}, b * spacing, b == .3}) == 0);
    }
}

}  // namespace

TEST_CASE("FoF in pieces: every kind of points") {
    check_kinds<3, float>();
    check_kinds<2, double>();
}

TEST_CASE("FoF in pieces: periodic boxes, groups across all pieces, and all dimensions") {
    for (auto const* kind : {"uniform", "clustered", "grid"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 4000, 8);
        auto const [lo, hi] = std::minmax_element(rows.data()->data(), rows.data()->data() + 12000);
        double const length = double(*hi) - double(*lo) + 1e-3;
        for (double const b : {.02, .05, .2}) {
            CHECK(wrong_pieces<3, float>(rows, {{length}, b * length, true}) == 0);
            CHECK(wrong_pieces<3, float>(rows, {{0, length, 0}, b * length, false}) == 0);
        }
    }
    CHECK(wrong_pieces<1, float>(make_points<1, float>("uniform", 2000, 1), {{1}, .001, true}) == 0);
    CHECK(wrong_pieces<2, float>(make_points<2, float>("signs", 2000, 1), {{}, .02, true}) == 0);
    CHECK(wrong_pieces<4, double>(make_points<4, double>("uniform", 2000, 1), {{1}, .1, true}) == 0);
    for (std::size_t const n : {0, 1, 2, 5})
        CHECK(wrong_pieces<3, float>(make_points<3, float>("uniform", n, 2), {{}, .5, true}) == 0);
}

TEST_CASE("FoF in pieces: a column of one value, which is the largest of all") {
    auto rows = make_points<3, float>("uniform", 4000, 9);
    for (auto& row : rows) row[2] = 5;
    CHECK(wrong_pieces<3, float>(rows, {{}, .003, true}) == 0);
    Cpu const cpu(2);
    FofSources<float> const sources{by_parts(rows[0].data(), rows.size(), 3, 333)};
    FofPiecesOptions const how{.pieces = 4, .scratch = std::filesystem::temp_directory_path()};
    auto const r = fof_in_pieces<float>(
        sources, survey_points(cpu, sources.points), {.linking_length = .003}, how, [](auto) {}, cpu);
    REQUIRE(r.stats.counts[1].first == "border_points");
    CHECK(r.stats.counts[1].second < rows.size() / 4);
}

TEST_CASE("FoF in pieces: disk is given back, and what is said of it holds") {
    auto const scratch = std::filesystem::temp_directory_path() / "zwalk-fof-disk";
    std::filesystem::create_directories(scratch);
    if (PieceFile::gives_back(scratch)) {
        auto const rows = make_points<3, float>("uniform", 200000, 4);
        Cpu const cpu(2);
        FofSources<float> const sources{by_parts(rows[0].data(), rows.size(), 3, 20000)};
        for (std::size_t const pieces : {1, 5}) {
            FofPiecesOptions const how{.pieces = pieces, .scratch = scratch};
            double last = 0;
            (void)fof_in_pieces<float>(
                sources, survey_points(cpu, sources.points), {.linking_length = .002}, how,
                [&](auto) { last = test::bytes_of_unnamed_files(scratch); }, cpu);
            auto const n = double(rows.size());
            // Files of each piece end with a part of a block.
            double const ends = double(8 * pieces * PieceFile::block_bytes);
            CHECK(last >= 16 * n);              // numbers of rows, and labels
            CHECK(last < (16 + 6) * n + ends);  // no coordinates, but those of some points at borders
            CHECK(last < double(fof_in_pieces_disk({rows.size(), 3, 4}, how)));
        }
    }
    std::filesystem::remove(scratch);
}

TEST_CASE("FoF in pieces: an input that changes is refused") {
    auto rows = make_points<3, float>("uniform", 1000, 3);
    Cpu const cpu(1);
    FofSources<float> const sources{by_parts(rows[0].data(), rows.size(), 3, 100)};
    auto const survey = survey_points(cpu, sources.points);
    FofPiecesOptions const how{.pieces = 3, .scratch = std::filesystem::temp_directory_path()};
    auto const run = [&] {
        (void)fof_in_pieces<float>(
            sources, survey, {.linking_length = .01}, how, [](auto) {}, cpu);
    };
    run();
    rows[450][1] = 2;
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("the points have changed"), InputError);
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("rows 400 to 499"), InputError);
    rows[450][1] = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("row 450"), InputError);
}

TEST_CASE(
    "FoF in pieces: sources that don't fit are refused, and so are options, before any file is opened") {
    auto const rows = make_points<3, float>("uniform", 1000, 3);
    std::vector<float> const masses(1000, 1);
    Cpu const cpu(1);
    FofSources<float> sources{by_parts(rows[0].data(), rows.size(), 3, 100)};
    auto const survey = survey_points(cpu, sources.points);
    FofPiecesOptions how{.pieces = 3, .scratch = std::filesystem::temp_directory_path()};
    auto const run = [&] {
        (void)fof_in_pieces<float>(
            sources, survey, {.linking_length = .01}, how, [](auto) {}, cpu);
    };
    auto const some = by_parts(masses.data(), 1000, 1, 100);
    sources.masses = some;
    run();
    sources.masses.read = [&](std::uint64_t part) {
        return part == 3 ? Buffer<float>() : some.read(part);
    };
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("masses"), InputError);
    sources.masses = by_parts(masses.data(), 999, 1, 100);
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("999"), InputError);
    sources.masses = by_parts(masses.data(), 1000, 1, 50);
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("20 parts"), InputError);
    sources.masses = {};
    sources.velocities = by_parts(rows[0].data(), 1000, 3, 100);
    run();
    sources.velocities.read = [](std::uint64_t) { return Buffer<float>(); };
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("velocities"), InputError);
    sources.velocities = by_parts(rows[0].data(), 1500, 2, 150);
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("velocities"), InputError);
    sources.velocities = {};
    how.scratch = "/nowhere at all";
    how.pieces = 0;
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("pieces"), InputError);
    how.pieces = 3, how.scratch = "";
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("scratch"), InputError);
}

TEST_CASE("FoF in pieces: refusals") {
    auto rows = make_points<3, float>("uniform", 1000, 3);
    Cpu const cpu(1);
    auto const with = [&](FofOptions const& o, std::uint64_t memory = 0) {
        FofSources<float> const sources{by_parts(rows[0].data(), rows.size(), 3, 100)};
        auto const survey = survey_points(cpu, sources.points);
        FofPiecesOptions const how{
            .pieces = 3, .scratch = std::filesystem::temp_directory_path(), .memory = memory};
        return fof_in_pieces<float>(
                   sources, survey, o, how, [](auto) {}, cpu)
            .groups;
    };
    CHECK(with({.linking_length = 0}) == 1000);
    CHECK_THROWS_WITH_AS((void)with({.linking_length = -1}), doctest::Contains("linking length"),
                         InputError);
    CHECK_THROWS_WITH_AS((void)with({.linking_length = .1, .box = {.5}}), doctest::Contains("box"),
                         InputError);
    CHECK_THROWS_WITH_AS((void)with({.linking_length = 1}, 1000), doctest::Contains("another piece"),
                         Error);
    // Before all pieces are through.
    CHECK_THROWS_WITH_AS((void)with({.linking_length = 1}, 1000), doctest::Contains("first 1 of 3"),
                         Error);
    rows[999][1] = infinity<float>;
    CHECK_THROWS_WITH_AS((void)with({.linking_length = 0}), doctest::Contains("row 999"), InputError);
    rows[999][1] = 1e30f;
    CHECK_THROWS_WITH_AS((void)with({.linking_length = 0}), doctest::Contains("give other units"),
                         InputError);
    rows[999][1] = 0;
    FofSources<float> short_of_rows{by_parts(rows[0].data(), rows.size(), 3, 100)};
    short_of_rows.points.size = 1001;
    CHECK_THROWS_WITH_AS((void)survey_points(cpu, short_of_rows.points), doctest::Contains("1000 rows"),
                         InputError);
}

TEST_CASE(
    "FoF in pieces: what groups at borders take of memory counts, and what points at borders take of "
    "disk") {
    auto const rows = make_points<2, double>("uniform", 20000, 3);
    Cpu const cpu(1);
    FofSources<double> const sources{by_parts(rows[0].data(), rows.size(), 2, 1000)};
    auto const survey = survey_points(cpu, sources.points);
    FofPiecesOptions how{
        .pieces = 7, .scratch = std::filesystem::temp_directory_path(), .min_members = 1};
    auto const run = [&] {
        return fof_in_pieces<double>(
                   sources, survey, {.linking_length = .002}, how, [](auto) {}, cpu)
            .stats.counts[1]
            .second;
    };
    std::uint64_t const at_border = run();
    CAPTURE(at_border);
    CHECK(at_border > 100);
    how.memory = at_border * 400;  // enough to group points, but not for some 3 kB of each group
    CHECK_THROWS_WITH_AS((void)run(), doctest::Contains("first 7 of 7"), Error);
    how.catalogue = false;
    CHECK(run() == at_border);

    FofPiecesShape const shape{100, 3, 4, true, true};
    bool const goes = PieceFile::gives_back(how.scratch);  // what a piece has before it is in memory
    how.catalogue = true;
    CHECK(fof_in_pieces_disk(shape, how) == 100 * ((goes ? 8 : 28 + 8) + 8 + 28 + 8 + 12 + 4));
    how.catalogue = false;
    CHECK(fof_in_pieces_disk(shape, how) == 100 * (goes ? 28 + 8 : 28 + 16 + 12 + 4));
    how.pieces = 1;
    CHECK(fof_in_pieces_disk(shape, how) == 100 * (28 + (goes ? 8 : 16)));
}

TEST_CASE("FoF in pieces: as few as the memory allows") {
    FofPiecesShape const shape{1000000000, 3, 4};
    FofPiecesOptions how{.catalogue = false};
    how.memory = std::uint64_t(16) << 30;
    how.pieces = fof_pieces_for(shape, how, 1 << 18);
    CHECK(fof_in_pieces_memory(shape, how, 1 << 18).peak() <= how.memory);
    --how.pieces;
    CHECK(fof_in_pieces_memory(shape, how, 1 << 18).peak() > how.memory);
    how.memory = 0;  // what is free
    CHECK(fof_pieces_for({1000000, 3, 4}, how, 1 << 18) <= 4);
    how.memory =
        std::uint64_t(1) << 50;  // as many points as positions can name, however much memory there is
    FofPiecesShape const many{7000000000, 3, 4};
    how.pieces = fof_pieces_for(many, how, 1 << 18);
    CHECK(how.pieces == fewest_pieces(many.points));
    how.memory = 1 << 20;
    CHECK_THROWS_WITH_AS((void)fof_pieces_for(shape, how, 1 << 18), doctest::Contains("however many"),
                         Error);
}
