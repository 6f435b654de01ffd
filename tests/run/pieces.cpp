// Pieces of points on disk: what comes back, and which piece is whose.
#include "zwalk/run/pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>

#include "support/unnamed_files.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/run/piece_file.hpp"
#include "zwalk/testing/points.hpp"
#include "zwalk/zorder/sort.hpp"

using namespace zwalk;
using namespace zwalk::testing;

TEST_CASE("Piece files give back what pieces have been given, and leave no file") {
    auto const directory = std::filesystem::temp_directory_path() / "zwalk-pieces";
    std::filesystem::create_directories(directory);
    {
        // Records of which a block has no whole number, in turns of many sizes.
        using Record = std::array<std::uint32_t, 3>;
        PieceFile file(directory, 3, sizeof(Record));
        std::vector<Record> pieces[3];
        Random random(1);
        for (std::uint32_t i = 0; i < 200; ++i) {
            std::vector<Record> some(random.below(i % 10 == 0 ? 20000 : 50));
            for (Record& record : some) record = {i, std::uint32_t(&record - some.data()), 7};
            std::size_t const piece = random.below(3);
            file.append(piece, some.data(), some.size());
            pieces[piece].insert(pieces[piece].end(), some.begin(), some.end());
        }
        file.end_all();
        for (std::size_t piece = 0; piece < 3; ++piece) {
            auto const& expected = pieces[piece];
            REQUIRE(file.size(piece) == expected.size());
            std::size_t const first = expected.size() / 3;
            std::vector<Record> read(expected.size() - first);
            file.read(piece, first, read.size(), read.data());
            CHECK(std::equal(read.begin(), read.end(), expected.begin() + std::ptrdiff_t(first)));
            CHECK(read_piece<std::uint32_t>(file, piece, 3).size() == 3 * expected.size());
        }
        CHECK(std::filesystem::is_empty(directory));
    }
    CHECK_THROWS_AS(PieceFile(directory / "missing", 1, 4), Error);
    std::filesystem::remove(directory);
}

TEST_CASE("Piece files forget a piece, and its space is free, but not what others have") {
    auto const directory = std::filesystem::temp_directory_path() / "zwalk-forgotten-pieces";
    std::filesystem::create_directories(directory);
    using Record = std::array<std::uint32_t, 3>;
    std::size_t const n = 100000;
    PieceFile file(directory, 3, sizeof(Record));
    for (std::uint32_t i = 0; i < 3 * n; ++i) {
        Record const record{i, i + 1, i + 2};
        file.append(i % 3, &record, 1);
    }
    file.end_all();
    bool const gives_back = PieceFile::gives_back(directory);
    auto const before = gives_back ? test::bytes_of_unnamed_files(directory) : 0;
    file.forget(1);
    CHECK(file.size(1) == 0);
    for (std::size_t const piece : {0U, 2U}) {
        auto const left = read_piece<std::uint32_t>(file, piece, 3);
        REQUIRE(left.size() == 3 * n);
        for (std::size_t i = 0; i < n; ++i) CHECK(left[3 * i] == 3 * i + piece);
    }
    if (gives_back)
        CHECK(before - test::bytes_of_unnamed_files(directory) >= .9 * double(n * sizeof(Record)));
    else MESSAGE("this file system doesn't give back what is forgotten");
    CHECK_FALSE(PieceFile::gives_back(directory / "missing"));
    std::filesystem::remove(directory);
}

TEST_CASE("Pieces of the z-order: as long as they should be, in the order of points that are sorted") {
    for (auto const* kind : {"uniform", "clustered", "equal", "signs", "zeros"}) {
        CAPTURE(kind);
        std::size_t const n = 1000;
        auto const rows = make_points<3, float>(kind, n, 2);
        RowSource<float> const source{n, 3, 1, [&](std::uint64_t) {
                                          Buffer<float> all(3 * n);
                                          std::copy_n(rows[0].data(), 3 * n, all.data());
                                          return all;
                                      }};
        Cpu const cpu(1);
        auto const survey = survey_points(cpu, source);
        CHECK(survey.row.size() == n);
        ZRanges<float> const ranges(cpu, survey, 3, 7);
        auto const order = z_sort(cpu, Points<float>(rows[0].data(), n, 3));
        std::vector<std::size_t> sizes(7, 0), in_order;
        for (pos_t const row : order) in_order.push_back(ranges.piece_of(rows[row].data(), row));
        for (std::size_t const piece : in_order) ++sizes[piece];
        CHECK(std::is_sorted(in_order.begin(), in_order.end()));
        CHECK(*std::max_element(sizes.begin(), sizes.end()) <= most_of_piece(n, 7));
        // A box is held by a piece exactly if no point of another one lies in it, as far as these points say.
        std::size_t held = 0;
        for (std::size_t i = 0; i < n; ++i) {
            std::array<float, 3> lo = rows[i], hi = rows[i];
            for (int j = 0; j < 3; ++j) lo[std::size_t(j)] -= .02f, hi[std::size_t(j)] += .02f;
            std::size_t const piece = ranges.piece_of(rows[i].data(), i);
            if (!ranges.holds(piece, lo.data(), hi.data())) continue;
            ++held;
            for (std::size_t o = 0; o < n; ++o) {
                bool inside = true;
                for (std::size_t j = 0; j < 3; ++j)
                    inside = inside && lo[j] <= rows[o][j] && rows[o][j] <= hi[j];
                if (inside) CHECK(ranges.piece_of(rows[o].data(), o) == piece);
            }
        }
        // Most boxes are far from borders, where points aren't all within the same few.
        if (kind == std::string("uniform")) CHECK(held > n / 2);
    }
}

TEST_CASE("Pieces are as many as positions can name their points") {
    for (std::uint64_t const points :
         {std::uint64_t(0), std::uint64_t(1), std::uint64_t(max_points), std::uint64_t(max_points) + 1,
          std::uint64_t(7000000000), std::uint64_t(1) << 40}) {
        CAPTURE(points);
        std::size_t const fewest = fewest_pieces(points);
        CHECK(most_of_piece(points, fewest) <= max_points);
        check_pieces(points, fewest);
        if (fewest > 1) CHECK(most_of_piece(points, fewest - 1) > max_points);
        CHECK_THROWS_AS(check_pieces(points, fewest - 1), InputError);
    }
}

TEST_CASE("The fewest pieces are found where needs rise and fall, and no more than the most are tried") {
    std::uint64_t const three = 2 * std::uint64_t(max_points) + 1;  // points of as many pieces
    std::size_t const fewest = fewest_pieces(three);
    std::size_t largest = 0;
    auto const found = [&](std::size_t from, std::size_t to) {
        return fewest_pieces_within(three, 10, [&, from, to](std::size_t pieces) -> std::uint64_t {
            largest = std::max(largest, pieces);
            return pieces >= from && pieces <= to ? 10
                                                  : 20 + (pieces > 800 ? pieces - 800 : 800 - pieces);
        });
    };
    CHECK(found(fewest, 9).pieces == fewest);
    CHECK(found(600, 700).pieces == 600);  // no power of two, nor three times one
    CHECK(found(777, 777).pieces == 777);
    CHECK(found(most_pieces, 1 << 20).pieces == most_pieces);
    auto const none = found(most_pieces + 1, 1 << 20);
    CHECK(none.pieces == 0);
    CHECK(none.needed == 20);  // that of 800 pieces
    CHECK(largest == most_pieces);
}

TEST_CASE("A survey without its sample holds no memory of it") {
    std::vector<float> const x{1, 2, 3};
    RowSource<float> const source{3, 1, 1, [&](std::uint64_t) {
                                      Buffer<float> all(3);
                                      std::copy_n(x.data(), 3, all.data());
                                      return all;
                                  }};
    auto survey = survey_points(Cpu(1), source);
    CHECK(survey.sample.size() == 3);
    survey.forget_sample();
    CHECK(survey.sample.capacity() == 0);
    CHECK(survey.row.capacity() == 0);
    CHECK(survey.extent.hi[0] == 3);
}

TEST_CASE(
    "Samples of a survey are as many as they should be, and no piece is much longer than the others") {
    std::size_t const n = 3000000, at_once = 100000;
    RowSource<float> const source{
        n, 1, n / at_once, [&](std::uint64_t part) {
            Buffer<float> some(at_once);  // of a period that divides steps of most samplings
            for (std::size_t i = 0; i < at_once; ++i) some[i] = float(i % 16) + float(part) * 1e-3f;
            return some;
        }};
    Cpu const cpu(2);
    auto const survey = survey_points(cpu, source);
    double const expected = std::ceil(double(n) / double(survey_samples));
    CHECK(double(survey.row.size()) * expected == doctest::Approx(double(n)).epsilon(.02));
    std::size_t const pieces = 5;
    ZRanges<float> const ranges(cpu, survey, 1, pieces);
    std::vector<std::uint64_t> sizes(pieces, 0);
    for_each_part(source, [&](Points<float> some, std::uint64_t first) {
        for (std::size_t i = 0; i < some.size; ++i) ++sizes[ranges.piece_of(some.data + i, first + i)];
    });
    CHECK(*std::max_element(sizes.begin(), sizes.end()) <= most_of_piece(n, pieces));
}
