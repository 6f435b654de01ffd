// Points of all ranks in z-order, and rows that go home.
#include "zwalk/ranks/sort.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <numeric>

#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "support/points.hpp"
#include "zorder/morton.hpp"
#include "zwalk/zorder/sort.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

std::uint64_t common_seed(Comm& comm) { return comm.broadcast(comm.rank() == 0 ? test_seed() : 0); }

template <int D, class T>
void put_in_z_order(::test::Rows<D, T>& rows) {
    auto const order = z_sort(Cpu(1), Points<T>(rows));
    auto const from = rows;
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = from[order[i]];
}

/// No rank has more than z_sort(Comm&, ...) promises.
std::uint64_t most_points(std::uint64_t n, int ranks) {
    auto const p = std::uint64_t(ranks), samples = std::min(64 * p * p, std::max(64 * p, n / p / 4));
    return n / p + (p + 2) * ((n + samples - 1) / samples);
}

/// Sorts, and compares with the sort of one process: order, points, who has what; and sends the input's numbers home.
template <int D, class T>
void check_sort(Comm& comm, Input<D, T> const& input) {
    std::size_t const n = input.rows.size();
    auto const whole = z_sort(Cpu(1), input.all());
    auto const sorted = z_sort(comm, Cpu(1), input.of(comm.rank()));
    std::uint64_t const begin = sorted.ranks.positions_before(comm.rank());
    std::size_t const own = sorted.points().size;
    CHECK(own <= most_points(n, comm.size()));
    REQUIRE(sorted.ranks.positions_before(comm.size()) == n);
    REQUIRE(begin + own == sorted.ranks.positions_before(comm.rank() + 1));
    bool same = sorted.input_index.size() == own && sorted.travel.position.size() == own;
    for (std::size_t i = 0; i < own && same; ++i) {
        same = sorted.input_index[i] == index_t(whole[begin + i]) &&
               std::memcmp(&sorted.rows[i * D], &input.rows[whole[begin + i]], sizeof(T) * D) == 0;
    }
    CHECK(same);
    for (int r = 0; r <= comm.size(); ++r)
        CHECK(sorted.ranks.rows_before(r) == input.begin[std::size_t(r)]);

    std::vector<index_t> home_index(input.of(comm.rank()).size, -1);
    home(comm, Cpu(1), sorted.travel, std::span<index_t const>(sorted.input_index),
         std::span<index_t>(home_index));
    std::vector<index_t> expected(home_index.size());
    std::iota(expected.begin(), expected.end(), index_t(input.begin[std::size_t(comm.rank())]));
    CHECK(home_index == expected);

    // There, in columns of two.
    std::vector<index_t> twice;
    for (index_t const row : expected) twice.insert(twice.end(), {row, -row});
    std::vector<index_t> along(2 * own, 7);
    bring_along(comm, Cpu(1), sorted.travel, std::span<index_t const>(twice), std::span<index_t>(along),
                2);
    for (std::size_t i = 0; i < own && same; ++i)
        same = along[2 * i] == sorted.input_index[i] && along[2 * i + 1] == -sorted.input_index[i];
    CHECK(same);
}

template <int D, class T>
void check_sort_kinds(Comm& comm, std::size_t n) {
    std::uint64_t const seed = common_seed(comm);
    CAPTURE(seed);
    std::size_t turn = std::size_t(D) + sizeof(T);
    for (std::string const& kind : ::test::kinds()) {
        Input<D, T> input{::test::make_points<D, T>(kind, n, seed), {}};
        // All spreads in three dimensions; else one, in turn.
        std::size_t const some = D == 3 ? spreads().size() : 1;
        for (std::size_t s = 0; s < some; ++s) {
            std::string const& how = spreads()[turn++ % spreads().size()];
            CAPTURE(kind);
            CAPTURE(how);
            input.begin = spread(how, n, comm.size());
            check_sort(comm, input);
        }
        put_in_z_order<D, T>(input.rows);
        if (turn % 2) std::reverse(input.rows.begin(), input.rows.end());
        CAPTURE(kind);
        CAPTURE(turn);
        input.begin = spread("even", n, comm.size());
        check_sort(comm, input);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("the order is that of one process", T, float, double) {
    Comm comm(world());
    check_sort_kinds<1, T>(comm, 300);
    check_sort_kinds<2, T>(comm, 300);
    check_sort_kinds<3, T>(comm, 700);
    check_sort_kinds<4, T>(comm, 300);
    check_sort_kinds<8, T>(comm, 200);
}

TEST_CASE("many points: samples are fewer, ranks balanced, runs of equal points cut anywhere") {
    Comm comm(world());
    std::size_t const n = std::size_t(comm.size()) * 10'000 + 77;
    std::uint64_t const seed = common_seed(comm);
    CAPTURE(seed);
    for (std::string const kind : {"uniform", "clustered", "sites40", "equal", "lattice24", "zeros"}) {
        Input<2, float> input{::test::make_points<2, float>(kind, n, seed), {}};
        for (std::string const how : {"even", "uneven", "all on the last"}) {
            CAPTURE(kind);
            CAPTURE(how);
            input.begin = spread(how, n, comm.size());
            check_sort(comm, input);
        }
    }
}

TEST_CASE("few points, and none") {
    Comm comm(world());
    auto const p = std::size_t(comm.size());
    for (std::size_t n : {std::size_t(0), std::size_t(1), p - 1, p, p + 1}) {
        for (std::string const kind : {"uniform", "equal"}) {
            Input<3, double> input{::test::make_points<3, double>(kind, n, 5), {}};
            for (std::string const& how : spreads()) {
                CAPTURE(n);
                CAPTURE(how);
                input.begin = spread(how, n, comm.size());
                check_sort(comm, input);
            }
        }
    }
}

TEST_CASE("many dimensions, any length of messages, several threads") {
    for (std::size_t message_bytes : message_sizes) {
        CAPTURE(message_bytes);
        Comm comm(world(message_bytes));
        check_sort(comm, Input<64, double>{::test::make_points<64, double>("normal", 40, 1),
                                           spread("uneven", 40, comm.size())});
        check_sort(comm, Input<3, float>{::test::make_points<3, float>("sites40", 200, 1),
                                         spread("even", 200, comm.size())});
    }
    Comm comm(world());
    auto const rows = ::test::make_points<3, float>("clustered", 60'000, 1);
    Input<3, float> const input{rows, spread("uneven", rows.size(), comm.size())};
    auto const one = z_sort(comm, Cpu(1), input.of(comm.rank()));
    auto const three = z_sort(comm, Cpu(3), input.of(comm.rank()));
    CHECK(one.rows == three.rows);
    CHECK(one.input_index == three.input_index);
    std::vector<index_t> a(input.of(comm.rank()).size), b = a;
    home(comm, Cpu(1), one.travel, std::span<index_t const>(one.input_index), std::span<index_t>(a));
    home(comm, Cpu(3), three.travel, std::span<index_t const>(one.input_index), std::span<index_t>(b));
    CHECK(a == b);
}

TEST_CASE("rows of any type and width go home") {
    struct Odd {
        char c[7];
        bool operator==(Odd const&) const = default;
    };
    auto const odd = [](index_t i) {
        Odd o;
        for (int j = 0; j < 7; ++j) o.c[j] = char(i * (j + 3));
        return o;
    };
    for (std::size_t message_bytes : message_sizes) {
        CAPTURE(message_bytes);
        Comm comm(world(message_bytes));
        std::size_t const n = message_bytes == 1 ? 60 : 1000;
        Input<2, float> const input{::test::make_points<2, float>("lattice24", n, 3),
                                    spread("uneven", n, comm.size())};
        auto const sorted = z_sort(comm, Cpu(2), input.of(comm.rank()));
        std::size_t const own = sorted.points().size, home_rows = input.of(comm.rank()).size;
        auto const first = index_t(input.begin[std::size_t(comm.rank())]);
        for (std::size_t width : {0U, 1U, 5U}) {
            std::vector<Odd> from, to(home_rows * width), expected;
            std::vector<double> x(own * width), y(home_rows * width);
            for (std::size_t i = 0; i < own * width; ++i) {
                from.push_back(odd(sorted.input_index[i / width] + index_t(i % width)));
                x[i] = double(sorted.input_index[i / width]) + double(i % width) / 8;
            }
            home(comm, Cpu(2), sorted.travel, std::span<Odd const>(from), std::span<Odd>(to), width);
            home(comm, Cpu(2), sorted.travel, std::span<double const>(x), std::span<double>(y), width);
            bool same = true;
            for (std::size_t i = 0; i < home_rows * width; ++i) {
                auto const row = first + index_t(i / width);
                same = same && to[i] == odd(row + index_t(i % width)) &&
                       y[i] == double(row) + double(i % width) / 8;
            }
            CHECK(same);
        }
    }
}

TEST_CASE("numbers of rows and positions have owners") {
    Ranks const ranks({0, 3, 3, 7}, {0, 0, 4, 7});
    CHECK(ranks.rank_of_row(0) == 0);
    CHECK(ranks.rank_of_row(2) == 0);
    CHECK(ranks.rank_of_row(3) == 2);
    CHECK(ranks.rank_of_row(6) == 2);
    CHECK(ranks.rank_of_position(0) == 1);
    CHECK(ranks.rank_of_position(3) == 1);
    CHECK(ranks.rank_of_position(4) == 2);
    CHECK(ranks.rows_before(2) == 3);
    CHECK(ranks.positions_before(3) == 7);
}

TEST_CASE("a sort's steps and volume") {
    Comm comm(world());
    std::size_t const n = 4000;
    Input<3, float> const input{::test::make_points<3, float>("uniform", n, 1),
                                spread("even", n, comm.size())};
    (void)z_sort(comm, Cpu(1), input.of(comm.rank()));
    REQUIRE(comm.stats().size() == 3);
    CHECK(comm.stats()[1].collectives == 4);
    CHECK(std::string(comm.stats()[2].name) == "points");
    // A point's coordinates, and the row that it had.
    auto const own = input.of(comm.rank()).size;
    CHECK(comm.stats()[2].bytes <= own * 16 + 100 * std::uint64_t(comm.size()));
}
