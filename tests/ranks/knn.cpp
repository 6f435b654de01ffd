// Nearest neighbours of points that are spread over ranks: those that one process with all points finds, bit for bit.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "ranks/alone.hpp"
#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/seen.hpp"
#include "ranks/spreads.hpp"
#include "zorder/morton.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <int D, class T>
bool same_knn_as_alone(Comm& comm, Input<D, T> const& sources, KnnOptions const& o,
                       Mpi const& mpi = world(), Input<D, T> const* queries = nullptr) {
    return same_neighbours(comm, sources, queries, o, o.tree,
                           [&](Points<T> own, Points<T> const* asking, KnnOptions const& asked) {
                               Cpu const cpu(asked.order == Order::z ? 2 : 1);
                               return asking ? knn(own, *asking, asked, mpi, cpu)
                                             : knn(own, asked, mpi, cpu);
                           });
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
void check_knn_kinds(Comm& comm, std::vector<std::size_t> const& sizes, int periodic_axes = 0) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t turn) {
        index_t const ks[]{1, 7, 16, 33, index_t(input.rows.size() + 5)};
        index_t const k = ks[turn % 5];
        CAPTURE(k);
        KnnOptions o{.k = k,
                     .exclude_self = (turn + 1) % 3 == 0,
                     .box = smallest_box<D, T>(input.rows, periodic_axes)};
        CHECK(same_knn_as_alone(comm, input, o));
        o.within = .05;
        CHECK(same_knn_as_alone(comm, input, o));
    });
}

}  // namespace

TEST_CASE("kNN on ranks: every kind of points and spread") {
    Comm comm(world());
    check_knn_kinds<3, float>(comm, {0, 1, 2, 30, 400});
    check_knn_kinds<3, double>(comm, {300});
    check_knn_kinds<2, float>(comm, {300});
    check_knn_kinds<1, double>(comm, {200});
}

TEST_CASE("kNN on ranks: periodic on all axes, and on one") {
    Comm comm(world());
    check_knn_kinds<2, float>(comm, {300}, 2);
    check_knn_kinds<3, double>(comm, {300}, 1);
}

TEST_CASE("kNN on ranks: dimensions beyond four") {
    Comm comm(world());
    check_knn_kinds<4, float>(comm, {200});
    check_knn_kinds<8, float>(comm, {200});
}

TEST_CASE("kNN on ranks: more points than leaves can hold, and short messages") {
    Comm comm(world());
    for (auto const* how : {"even", "all on the last", "uneven"}) {
        Input<3, float> const input{::test::make_points<3, float>("clustered", 20000, 7),
                                    spread(how, 20000, comm.size())};
        CHECK(same_knn_as_alone(comm, input, {.k = 12}));
        CHECK(same_knn_as_alone(comm, input, {.k = 3, .exclude_self = true}, world(1000)));
    }
}

namespace {

/// Of queries that are spread in another way than the sources.
template <int D, class T>
void check_queries(Comm& comm, std::vector<std::size_t> const& sizes, int periodic_axes = 0) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& sources, std::size_t turn) {
        index_t const ks[]{1, 7, 16, 33, index_t(sources.rows.size() + 5)};
        std::size_t const n = turn % 5 == 0 ? 0 : 150;
        auto const how = spreads()[(turn + 3) % spreads().size()];
        // Near the sources, far from most of them, at the same places.
        Input<D, T> queries{::test::make_points<D, T>(turn % 2 ? "uniform" : "clustered", n, turn + 5),
                            spread(how, n, comm.size())};
        if (turn % 3 == 0 && !sources.rows.empty())
            for (std::size_t i = 0; i < n; ++i)
                queries.rows[i] = sources.rows[i * 7 % sources.rows.size()];
        auto both = sources.rows;
        both.insert(both.end(), queries.rows.begin(), queries.rows.end());
        index_t const k = ks[turn % 5];
        CAPTURE(k);
        CAPTURE(n);
        CHECK(same_knn_as_alone(comm, sources, {.k = k, .box = smallest_box<D, T>(both, periodic_axes)},
                                world(), &queries));
    });
}

}  // namespace

TEST_CASE("kNN on ranks: queries, every kind of sources and spread") {
    Comm comm(world());
    check_queries<3, float>(comm, {0, 1, 30, 400});
    check_queries<2, double>(comm, {300}, 1);
    check_queries<3, float>(comm, {300}, 3);
}

TEST_CASE("kNN on ranks: queries in dimensions beyond four") {
    Comm comm(world());
    check_queries<8, float>(comm, {200});
}

TEST_CASE("kNN on ranks: visits see what those of one process do") {
    Comm comm(world());
    for_inputs<3, float>(comm, {0, 2, 250}, 1, [&](auto const& input, std::size_t turn) {
        KnnOptions o{.k = 5, .exclude_self = turn % 2 == 0};
        for (auto const order : {Order::input, Order::z}) {
            o.order = order;
            CHECK(same_visits<3, float>(comm, input, nullptr, o, [&](auto const& keep) {
                return knn_visit(input.of(comm.rank()), keep, o, world(), Cpu(2));
            }));
        }
        Input<3, float> const asking{::test::make_points<3, float>("uniform", 70, turn),
                                     spread("even", 70, comm.size())};
        CHECK(same_visits<3, float>(comm, input, &asking, {.k = 2}, [&](auto const& keep) {
            return knn_visit(input.of(comm.rank()), asking.of(comm.rank()), keep, {.k = 2}, world(),
                             Cpu(1));
        }));
    });
    auto const throws = [](index_t row, auto const&) {
        if (row == 3) throw std::runtime_error("row 3 is not for us");
    };
    Input<3, float> const input{::test::make_points<3, float>("uniform", 40, 7),
                                spread("even", 40, comm.size())};
    CHECK(thrown_by([&] {
              (void)knn_visit(input.of(comm.rank()), throws, {.k = 2}, world());
          }).find("row 3 is not for us") != std::string::npos);
}

TEST_CASE("kNN on ranks: reductions") {
    Comm comm(world());
    auto const run = [](Points<float> own, Points<float> const* asking, Reduction what,
                        KnnOptions const& o) {
        return asking ? knn_reduce(own, *asking, what, o, world(), Cpu(1))
                      : knn_reduce(own, what, o, world(), Cpu(1));
    };
    for_inputs<3, float>(comm, {0, 1, 250}, 2, [&](auto const& input, std::size_t turn) {
        CHECK(same_reductions<3, float>(comm, input, nullptr, {.k = 6, .exclude_self = turn % 2 == 0},
                                        run));
        CHECK(same_reductions<3, float>(comm, input, &input, {.k = 6}, run));
    });
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
    auto const with_queries = [&](auto const& queries, KnnOptions const& o) {
        return thrown_by([&] { (void)knn(input.of(comm.rank()), queries, o, world()); });
    };
    CHECK(with_queries(input.of(comm.rank()), {.k = 2, .exclude_self = true}).find("exclude_self") !=
          std::string::npos);
    std::vector<float> const flat{1, 2};
    CHECK(with_queries(Points<float>(flat.data(), 1, 2), {.k = 2}).find("columns") != std::string::npos);
    std::vector<float> const far{1, 2, 9};
    CHECK(with_queries(Points<float>(far.data(), 1, 3), {.k = 2, .box = {2}}).find("box") !=
          std::string::npos);
    auto const cube = std::vector<float>(8);
    CHECK(thrown_by([&] {
              (void)knn_reduce(Points<float>(cube.data(), 2, 4), Reduction::sph, {}, world());
          }) == "InputError: the SPH density is for one to three dimensions, not for 4");
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
