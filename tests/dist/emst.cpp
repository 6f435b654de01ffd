// Spanning trees of points that are spread over ranks: those that one process with all points finds, bit for bit.
#include <doctest/doctest.h>

#include <cstring>

#include "dist/input.hpp"
#include "dist/ranks.hpp"
#include "dist/spreads.hpp"
#include "zwalk/emst/emst_mpi.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <class V>
bool same_bits(Buffer<V> const& found, Buffer<V> const& expected, std::size_t first) {
    return first + found.size() <= expected.size() &&
           (found.empty() ||
            std::memcmp(found.data(), expected.data() + first, found.size() * sizeof(V)) == 0);
}

template <int D, class T>
bool same_as_alone(Comm& comm, Input<D, T> const& input, EmstOptions const& o,
                   Mpi const& mpi = world()) {
    auto const expected = emst(input.all(), o, Cpu(1));
    std::size_t const first = input.begin[std::size_t(comm.rank())], rows = input.of(comm.rank()).size;
    auto const found = emst(input.of(comm.rank()), o, mpi, Cpu(1 + comm.rank() % 2));
    bool const same =
        same_bits(found.edges, expected.edges, 2 * found.first_edge) &&
        same_bits(found.lengths, expected.lengths, found.first_edge) &&
        found.edges.size() == 2 * found.lengths.size() &&
        found.core_distances.size() == (o.min_samples > 1 ? rows : 0) &&
        same_bits(found.core_distances, expected.core_distances, o.min_samples > 1 ? first : 0);
    auto const edges = comm.offsets(found.lengths.size());
    bool const complete =
        edges.back() == expected.lengths.size() && edges[std::size_t(comm.rank())] == found.first_edge;
    return comm.reduce_all(same && complete, std::logical_and<>());
}

template <int D, class T>
void check_kinds(Comm& comm, std::vector<std::size_t> const& sizes, std::vector<int> const& samples) {
    for (int const m : samples) {
        CAPTURE(m);
        for_inputs<D, T>(comm, sizes, D + sizeof(T) + std::size_t(m),
                         [&](auto const& input, std::size_t) {
                             CHECK(same_as_alone(comm, input, {.min_samples = m}));
                         });
    }
}

}  // namespace

TEST_CASE("EMST on ranks: every kind of points and spread") {
    Comm comm(world());
    check_kinds<3, float>(comm, {20, 500, 3000}, {1, 7});
    check_kinds<3, double>(comm, {400}, {1, 20});
}

TEST_CASE("EMST on ranks: other dimensions") {
    Comm comm(world());
    check_kinds<1, float>(comm, {200}, {1, 3});
    check_kinds<2, double>(comm, {600}, {1, 4});
    check_kinds<8, float>(comm, {200}, {1});
}

TEST_CASE("EMST on ranks: tiny inputs") {
    Comm comm(world());
    for (std::size_t n : {0, 1, 2, 3, 8, 9, 17})
        for (int m : {1, 2, int(n)}) {
            if (m < 1 || std::size_t(m) > std::max<std::size_t>(n, 1)) continue;
            CAPTURE(n);
            CAPTURE(m);
            for (auto const& how : spreads())
                CHECK(same_as_alone(comm,
                                    Input<3, float>{::test::make_points<3, float>("uniform", n, 2),
                                                    spread(how, n, comm.size())},
                                    {.min_samples = m}));
        }
}

TEST_CASE("EMST on ranks: round the box") {
    Comm comm(world());
    for (std::vector<double> const& box : {std::vector<double>{1}, {1, 0, 2}})
        for (auto const* kind : {"uniform", "clustered", "grid"})
            for (int m : {1, 5}) {
                CAPTURE(kind);
                CAPTURE(m);
                auto rows = ::test::make_points<3, float>(kind, 2000, 5);
                for (auto& row : rows)
                    for (auto& x : row) x = std::clamp(x, 0.f, .999f);
                Input<3, float> const input{rows, spread("even", rows.size(), comm.size())};
                CHECK(same_as_alone(comm, input, {.min_samples = m, .box = box}));
            }
}

TEST_CASE("EMST on ranks: many points, short messages, small nodes") {
    Comm comm(world());
    for (auto const* kind : {"uniform", "clustered", "sites40"}) {
        CAPTURE(kind);
        Input<3, float> const input{::test::make_points<3, float>(kind, 15000, 7),
                                    spread("uneven", 15000, comm.size())};
        CHECK(same_as_alone(comm, input, {}));
        CHECK(same_as_alone(comm, input, {.min_samples = 10}, world(10000)));
        CHECK(same_as_alone(comm, input, {.tree = {.leaf_size = 4, .coarsening = 2}}));
    }
}

TEST_CASE("EMST on ranks: clusters far from each other") {
    Comm comm(world());
    auto rows = ::test::make_points<3, double>("normal", 4000, 3);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < 3; ++j)
            rows[i][j] = rows[i][j] * 1e-3 + double((i % 7) * (j + 1) % 5);
    for (auto const& how : spreads()) {
        Input<3, double> const input{rows, spread(how, rows.size(), comm.size())};
        CHECK(same_as_alone(comm, input, {}));
        CHECK(same_as_alone(comm, input, {.min_samples = 600}));
    }
}

TEST_CASE("EMST on ranks: refusals are the same on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    auto const refusal = [&](EmstOptions const& o) {
        return thrown_by([&] { (void)emst(input.of(comm.rank()), o, world()); });
    };
    CHECK(refusal({.min_samples = 0}) == "InputError: min_samples must be at least 1, but is 0");
    CHECK(refusal({.min_samples = 101}) ==
          "InputError: min_samples is 101, but there are only 100 points");
    CHECK(refusal({.box = {.5}}).find("box") != std::string::npos);
    if (comm.size() > 1)
        CHECK(refusal({.min_samples = comm.rank() == 1 ? 2 : 3})
                  .starts_with("InputError: ranks disagree on min_samples (3 on rank 0, 2"));
}
