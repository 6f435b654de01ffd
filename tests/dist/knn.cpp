// Nearest neighbours of points that are spread over ranks: those that one process with all points finds, bit for bit.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "dist/input.hpp"
#include "dist/ranks.hpp"
#include "dist/spreads.hpp"
#include "zorder/morton.hpp"
#include "zwalk/knn/knn_mpi.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <class T>
bool same_bits(T const* a, T const* b, std::size_t n) {
    return n == 0 || std::memcmp(a, b, n * sizeof(T)) == 0;
}

template <int D, class T>
bool same_as_alone(Comm& comm, Input<D, T> const& input, KnnOptions o, Mpi const& mpi = world()) {
    auto const expected = knn(input.all(), o, Cpu(1));
    auto const k = std::size_t(o.k), first = input.begin[std::size_t(comm.rank())];
    auto const found = knn(input.of(comm.rank()), o, mpi, Cpu(1));
    std::size_t const rows = input.of(comm.rank()).size;
    // No way out before the last collective call.
    bool same = found.rows == rows && found.columns == k &&
                same_bits(found.indices.data(), expected.indices.data() + first * k, rows * k) &&
                same_bits(found.distances.data(), expected.distances.data() + first * k, rows * k);

    o.order = Order::z;
    auto const expected_in_z = knn(input.all(), o, Cpu(1));
    auto const in_z = knn(input.of(comm.rank()), o, mpi, Cpu(2));
    auto const positions = comm.offsets(in_z.rows);
    auto const at = positions[std::size_t(comm.rank())];
    same = same && positions.back() == input.rows.size() && in_z.row_order.size() == in_z.rows &&
           same_bits(in_z.indices.data(), expected_in_z.indices.data() + at * k, in_z.rows * k) &&
           same_bits(in_z.distances.data(), expected_in_z.distances.data() + at * k, in_z.rows * k);
    for (std::size_t i = 0; i < in_z.rows && same; ++i)
        same = in_z.row_order[i] == index_t(expected_in_z.row_order[at + i]);
    return same;
}

/// The smallest box that holds the points, in which opposite faces are one, periodic on the first axes only.
template <int D, class T>
std::vector<double> smallest_box(::test::Rows<D, T> const& rows, int periodic_axes) {
    std::vector<double> box;
    for (std::size_t j = 0; j < D && periodic_axes > 0; ++j) {
        T lo = 0, hi = 0;
        for (auto const& row : rows) lo = std::min(lo, row[j]), hi = std::max(hi, row[j]);
        T const span = hi - lo;
        box.push_back(int(j) < periodic_axes && std::isfinite(span) ? double(span) : 0.);
    }
    return box;
}

template <int D, class T>
void check_kinds(Comm& comm, std::vector<std::size_t> const& sizes, int periodic_axes = 0) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t turn) {
        index_t const ks[]{1, 7, 16, 33, index_t(input.rows.size() + 5)};
        index_t const k = ks[turn % 5];
        CAPTURE(k);
        CHECK(same_as_alone(comm, input,
                            {.k = k,
                             .exclude_self = (turn + 1) % 3 == 0,
                             .box = smallest_box<D, T>(input.rows, periodic_axes)}));
    });
}

}  // namespace

TEST_CASE("kNN on ranks: every kind of points and spread") {
    Comm comm(world());
    check_kinds<3, float>(comm, {0, 1, 2, 30, 400});
    check_kinds<3, double>(comm, {300});
    check_kinds<2, float>(comm, {300});
    check_kinds<1, double>(comm, {200});
}

TEST_CASE("kNN on ranks: periodic on all axes, and on one") {
    Comm comm(world());
    check_kinds<2, float>(comm, {300}, 2);
    check_kinds<3, double>(comm, {300}, 1);
}

TEST_CASE("kNN on ranks: dimensions beyond four") {
    Comm comm(world());
    check_kinds<4, float>(comm, {200});
    check_kinds<8, float>(comm, {200});
}

TEST_CASE("kNN on ranks: more points than leaves can hold, and short messages") {
    Comm comm(world());
    for (auto const* how : {"even", "all on the last", "uneven"}) {
        Input<3, float> const input{::test::make_points<3, float>("clustered", 20000, 7),
                                    spread(how, 20000, comm.size())};
        CHECK(same_as_alone(comm, input, {.k = 12}));
        CHECK(same_as_alone(comm, input, {.k = 3, .exclude_self = true}, world(1000)));
    }
}

TEST_CASE("kNN on ranks: refusals are the same on all") {
    Comm comm(world());
    auto const begin = spread("even", 100, comm.size());
    Input<3, float> input{::test::make_points<3, float>("uniform", 100, 7), begin};
    auto const refusal = [&](KnnOptions const& o) {
        return thrown_by([&] { (void)knn(input.of(comm.rank()), o, world()); });
    };
    CHECK(refusal({.k = 0}) == "InputError: k must be at least 1, but is 0");
    CHECK(refusal({.k = 2, .box = {.5}}).find("box") != std::string::npos);
    if (comm.size() > 1)
        CHECK(refusal({.k = comm.rank() == comm.size() - 1 ? 3 : 2})
                  .starts_with("InputError: ranks disagree on k (2 on rank 0, 3"));
    input.rows[71][1] = NAN;
    CHECK(refusal({.k = 2}).find("71") != std::string::npos);
}

TEST_CASE("kNN on ranks: what it cost") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 3000, 7),
                                spread("even", 3000, comm.size())};
    auto const r = knn(input.of(comm.rank()), {.k = 4}, world());
    std::vector<std::string> phases;
    for (auto const& [name, seconds] : r.stats.seconds) phases.push_back(name);
    CHECK(phases == std::vector<std::string>{"sort", "planes", "import", "walk", "home"});
    std::uint64_t imported = 0;
    for (auto const& [name, count] : r.stats.counts)
        if (name == "imported") imported = count;
    CHECK((imported > 0) == (comm.size() > 1));
}
