// Radius search of points that are spread over ranks: the counts and lists of one process with all points.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "radius/radii.hpp"
#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// Rows [begin, begin + n) of values with one or more elements each are `own`.
template <class Own, class All>
bool is_part(Own const& own, All const& all, std::size_t begin, std::size_t n) {
    return own.size() == n && std::equal(own.begin(), own.end(), all.begin() + std::ptrdiff_t(begin));
}

/// Row `i` of a rank has the list that row `row` has in one process.
template <class Found, class T>
bool same_list(Found const& found, std::size_t i, RadiusResult<T> const& all, std::size_t row) {
    auto const size = found.offsets[i + 1] - found.offsets[i];
    auto const at = [](auto const& values, size_type k) { return values.begin() + std::ptrdiff_t(k); };
    auto const same = [&](auto const& mine, auto const& theirs) {
        return std::equal(at(mine, found.offsets[i]), at(mine, found.offsets[i + 1]),
                          at(theirs, all.offsets[row]));
    };
    return size == all.offsets[row + 1] - all.offsets[row] && same(found.indices, all.indices) &&
           (found.distances.empty() || same(found.distances, all.distances));
}

/// What calls take: the points, or points and queries.
template <int D, class T>
struct Asked {
    Input<D, T> const& points;
    Input<D, T> const* queries = nullptr;

    [[nodiscard]] Input<D, T> const& rows() const { return queries ? *queries : points; }
    template <class F>
    auto of(int rank, F const& f) const {
        return queries ? f(points.of(rank), queries->of(rank)) : f(points.of(rank));
    }
    template <class F>
    auto all(F const& f) const {
        return queries ? f(points.all(), queries->all()) : f(points.all());
    }
};

/// Those of the radii, if there are any, that a rank passes.
template <int D, class T>
RadiusOptions options_of(int rank, Asked<D, T> const& asked, RadiusOptions o) {
    if (!o.radii.empty())
        o.radii = o.radii.subspan(asked.rows().begin[std::size_t(rank)], asked.rows().of(rank).size);
    return o;
}

template <int D, class T>
bool same_radius_as_alone(Comm& comm, Asked<D, T> const& asked, RadiusOptions o,
                          Mpi const& mpi = world()) {
    int const rank = comm.rank();
    std::size_t const begin = asked.rows().begin[std::size_t(rank)], rows = asked.rows().of(rank).size;
    RadiusOptions own_options = options_of(rank, asked, o);
    auto const counts = asked.all([&](auto... who) { return radius_count(who..., o, Cpu(1)); });
    auto const found =
        asked.of(rank, [&](auto... who) { return radius_count(who..., own_options, mpi, Cpu(2)); });
    bool same = is_part(found.counts, counts.counts, begin, rows) &&
                found.found == std::accumulate(found.counts.begin(), found.counts.end(), size_type(0));

    auto const lists = asked.all([&](auto... who) { return radius_search(who..., o, Cpu(1)); });
    for (bool const distances : {true, false}) {
        own_options.distances = distances;
        auto const own =
            asked.of(rank, [&](auto... who) { return radius_search(who..., own_options, mpi, Cpu(1)); });
        same = same && own.offsets.size() == rows + 1 && own.found == own.indices.size() &&
               own.distances.size() == (distances ? own.found : 0);
        for (std::size_t i = 0; i < rows && same; ++i) same = same_list(own, i, lists, begin + i);
    }
    return same;
}

/// With Order::z: rows and sources by their names. Ties are in another order then, so only what is listed is compared.
template <int D, class T>
bool same_in_z(Comm& comm, Asked<D, T> const& asked, RadiusOptions o) {
    auto const lists = asked.all([&](auto... who) { return radius_search(who..., o, Cpu(1)); });
    o = options_of(comm.rank(), asked, o);
    o.order = Order::z;
    auto const own =
        asked.of(comm.rank(), [&](auto... who) { return radius_search(who..., o, world(), Cpu(1)); });
    auto const& order = asked.queries ? own.source_order : own.row_order;
    auto const names = comm.gather_all(std::span<index_t const>(order)).records;
    bool same = names.size() == asked.points.rows.size() &&
                comm.reduce_all(own.row_order.size(), std::plus<>()) == asked.rows().rows.size();
    for (std::size_t i = 0; i < own.row_order.size() && same; ++i) {
        auto const row = std::size_t(own.row_order[i]);
        std::vector<index_t> mine;
        for (auto k = own.offsets[i]; k < own.offsets[i + 1]; ++k)
            mine.push_back(names[std::size_t(own.indices[k])]);
        std::vector<index_t> expected(lists.indices.begin() + std::ptrdiff_t(lists.offsets[row]),
                                      lists.indices.begin() + std::ptrdiff_t(lists.offsets[row + 1]));
        std::sort(mine.begin(), mine.end());
        std::sort(expected.begin(), expected.end());
        same = mine == expected;
    }
    return same;
}

std::uint64_t imported(auto const& found) {
    for (auto const& [name, count] : found.stats.counts)
        if (name == "imported") return count;
    return 0;
}

template <int D, class T>
void check_radius_kinds(Comm& comm, std::vector<std::size_t> const& sizes, std::size_t first_turn,
                        std::vector<double> const& radii) {
    for_inputs<D, T>(comm, sizes, first_turn, [&](auto const& input, std::size_t turn) {
        Input<D, T> const queries{::test::make_points<D, T>("uniform", 50, turn),
                                  spread("uneven", 50, comm.size())};
        for (double const radius : radii) {
            RadiusOptions o{.radius = radius, .exclude_self = turn % 2 == 0};
            o.tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 4};
            CHECK(same_radius_as_alone(comm, Asked<D, T>{input}, o));
            CHECK(same_in_z(comm, Asked<D, T>{input}, o));
            o.exclude_self = false;
            CHECK(same_radius_as_alone(comm, Asked<D, T>{input, &queries}, o));
            CHECK(same_in_z(comm, Asked<D, T>{input, &queries}, o));
        }
    });
}

/// The same with radii of their own.
template <int D, class T>
void check_radii(Comm& comm, std::vector<std::size_t> const& sizes, std::size_t first_turn) {
    for_inputs<D, T>(comm, sizes, first_turn, [&](auto const& input, std::size_t turn) {
        Input<D, T> const queries{::test::make_points<D, T>("uniform", 50, turn),
                                  spread("uneven", 50, comm.size())};
        auto const own = ::test::some_radii({0, .05, .15, .8}, input.rows.size(), unsigned(turn)),
                   theirs = ::test::some_radii({0, .05, .15, .8}, 50, unsigned(turn) + 1);
        RadiusOptions o{.radii = own, .larger = turn % 3 == 0, .exclude_self = turn % 2 == 0};
        o.tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 4};
        CHECK(same_radius_as_alone(comm, Asked<D, T>{input}, o));
        CHECK(same_in_z(comm, Asked<D, T>{input}, o));
        o.larger = o.exclude_self = false;
        o.radii = theirs;
        CHECK(same_radius_as_alone(comm, Asked<D, T>{input, &queries}, o));
        CHECK(same_in_z(comm, Asked<D, T>{input, &queries}, o));
    });
}

}  // namespace

TEST_CASE("radius on ranks: a radius for each target, every kind of points and spread") {
    Comm comm(world());
    check_radii<3, float>(comm, {0, 1, 7, 200}, 1);
    check_radii<2, double>(comm, {120}, 2);
}

TEST_CASE("radius on ranks: a radius for each target, round the box; an index") {
    Comm comm(world());
    Input<2, double> const input{::test::make_points<2, double>("uniform", 400, 4),
                                 spread("none on the last", 400, comm.size())};
    auto const radii = ::test::some_radii({0, .02, .2, .7}, 400, 3);
    for (bool const larger : {false, true})
        for (std::vector<double> const& box : {std::vector<double>{1}, {1, 0}})
            CHECK(same_radius_as_alone(comm, Asked<2, double>{input},
                                       {.radii = radii, .larger = larger, .box = box}));
    auto const own = input.of(comm.rank());
    RankIndex<double> const index(own, {.box = {1}}, world(), Cpu(1));
    RadiusOptions const o = options_of(comm.rank(), Asked<2, double>{input}, {.radii = radii});
    RadiusOptions in_box = o;
    in_box.box = {1};
    auto const expected = radius_search(own, in_box, world(), Cpu(1)), found = radius_search(index, o);
    CHECK(std::ranges::equal(found.indices, expected.indices));
    CHECK(std::ranges::equal(found.offsets, expected.offsets));
    CHECK(std::ranges::equal(radius_search(index, own, o).indices, expected.indices));
}

TEST_CASE("radius on ranks: one large radius brings in what it holds where it is, and nowhere else") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 20000, 7),
                                spread("even", 20000, comm.size())};
    std::vector<double> radii(20000, .01);
    auto const of_rank = [&](std::vector<double> const& all) {
        return options_of(comm.rank(), Asked<3, float>{input}, {.radii = all});
    };
    auto const own = input.of(comm.rank());
    auto const near = radius_count(own, of_rank(radii), world(), Cpu(1));
    radii[17] = 9;
    auto const far = radius_count(own, of_rank(radii), world(), Cpu(1));
    bool const much = imported(far) > imported(near) + 500;
    CHECK(comm.reduce_all(int(much), std::plus<>()) == (comm.size() > 1 ? 1 : 0));
    CHECK(same_radius_as_alone(comm, Asked<3, float>{input}, {.radii = radii}));
}

TEST_CASE("radius on ranks: bad radii are refused on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    std::vector<double> radii(100, .1);
    auto const own = input.of(comm.rank());
    auto const refusal = [&](RadiusOptions const& o) {
        return thrown_by([&] { (void)radius_count(own, o, world()); });
    };
    auto const options = [&] {
        return options_of(comm.rank(), Asked<3, float>{input}, {.radii = radii});
    };
    radii[99] = -1;
    CHECK(refusal(options()) ==
          "InputError: the radius of row 99 must be a finite number >= 0, but is -1");
    radii[99] = .1;
    CHECK(refusal(options()) == "nothing");
    auto o = options();
    if (comm.rank() == 0) o.radii = o.radii.subspan(1);
    CHECK(refusal(o).find("radii, but") != std::string::npos);
    if (comm.size() > 1) {
        o = options();
        if (comm.rank() == 1) o.radii = {};
        CHECK(refusal(o).starts_with("InputError: there are 0 radii, but"));
        o = options();
        o.larger = comm.rank() == 0;
        CHECK(refusal(o).starts_with("InputError: ranks disagree on larger"));
    }
}

TEST_CASE("radius on ranks: every kind of points and spread") {
    Comm comm(world());
    check_radius_kinds<3, float>(comm, {0, 1, 7, 200}, 1, {.15, 3});
    check_radius_kinds<2, double>(comm, {120}, 2, {.1});
}

TEST_CASE("radius on ranks: periodic, and short messages") {
    Comm comm(world());
    Input<2, double> const input{::test::make_points<2, double>("uniform", 200, 4),
                                 spread("none on the last", 200, comm.size())};
    for (std::size_t const message_bytes : {std::size_t(100), std::size_t(1) << 30})
        for (std::vector<double> const& box : {std::vector<double>{1}, {1, 0}})
            CHECK(same_radius_as_alone(comm, Asked<2, double>{input}, {.radius = .2, .box = box},
                                       world(message_bytes)));
}

TEST_CASE("radius on ranks: what is within a large radius comes as nodes") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 20000, 7),
                                spread("even", 20000, comm.size())};
    auto const count = radius_count(input.of(comm.rank()), {.radius = 9}, world(), Cpu(1));
    CHECK(imported(count) == 0);
    for (index_t const n : count.counts) CHECK(n == 20000);
    CHECK(same_radius_as_alone(comm, Asked<3, float>{input}, {.radius = .05}));
}

TEST_CASE("radius on ranks: a visitor sees the lists") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("clustered", 500, 7),
                                spread("uneven", 500, comm.size())};
    auto const lists = radius_search(input.all(), {.radius = .1}, Cpu(1));
    std::vector<int> seen(500, 0);
    auto const look = [&](index_t row, NearestFirst<float> const& list) {
        auto const r = std::size_t(row);
        seen[r] = list.size() == lists.offsets[r + 1] - lists.offsets[r];
        for (std::size_t i = 0; i < list.size(); ++i)
            seen[r] &= list.index(i) == lists.indices[lists.offsets[r] + i];
    };
    auto const r = radius_visit(input.of(comm.rank()), look, {.radius = .1}, world(), Cpu(1));
    CHECK(r.found == 0);
    int const all = comm.reduce_all(int(std::count(seen.begin(), seen.end(), 1)), std::plus<>());
    CHECK(all == 500);
    auto const throws = [](index_t row, NearestFirst<float> const&) {
        if (row == 3) throw Error("no more of these");
    };
    CHECK(thrown_by([&] {
              (void)radius_visit(input.of(comm.rank()), throws, {.radius = .1}, world(), Cpu(1));
          }) == "Error: no more of these");
}

TEST_CASE("radius on ranks: refusals are the same on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    auto const refusal = [&](RadiusOptions const& o) {
        return thrown_by([&] { (void)radius_count(input.of(comm.rank()), o, world()); });
    };
    CHECK(refusal({.radius = -1}).starts_with("InputError: the radius must be"));
    if (comm.size() > 1)
        CHECK(refusal({.radius = comm.rank() == 1 ? .2 : .1})
                  .starts_with("InputError: ranks disagree on the radius (0.1 on rank 0, 0.2"));
}
