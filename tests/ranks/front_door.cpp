// The front door for traits on MPI ranks: what one process with all points finds, by the same lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <string>

#include "ranks/front_door.hpp"
#include "support/pairs_at_end.hpp"
#include "testing/mistakes.hpp"
#include "traits/nearest_brighter.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/run/joint_trees.hpp"

using namespace zwalk;
using namespace zwalk::test;
using namespace zwalk::examples;

namespace {

constexpr TreeOptions small_nodes{.leaf_size = 8, .coarsening = 3, .top_nodes = 4};

std::vector<Star> stars_of(std::size_t n, std::size_t step) {
    std::vector<Star> stars(n);
    for (std::size_t i = 0; i < n; ++i) stars[i].light = float(i * step % 101);
    return stars;
}

/// The k nearest, as they come.
struct KeepTwo {
    pos_t* second;
    float* d2;
    ZWALK_HD void operator()(auto const& point, auto const& found) const {
        second[point.index] = no_pos;
        d2[point.index] = -1;
        found.each([&](int i, auto key) {
            if (i == 1) second[point.index] = key.pos, d2[point.index] = key.d2;
        });
    }
};

}  // namespace

TEST_CASE_TEMPLATE("front door on ranks: payloads, positions as rows, counts", P, Cpu, HostDevice<>) {
    RanksOn<P> all_ranks(2);
    auto& place = all_ranks.place;
    for_inputs<3, float>(place.comm(), {0, 1, 300}, 0, [&](auto const& input, std::size_t turn) {
        PointTreeOptions options{.tree = small_nodes};
        if (turn % 2) options.box = box_around(input.rows);
        auto const stars = stars_of(input.rows.size(), 7919);
        auto const find = [&](auto const& tree, auto const& part) {
            auto brighter = tree.template array<pos_t>();
            NearestBrighter trait;
            trait.brighter = brighter.data();
            tree.walk(trait, tree.payload(part(stars)));
            auto const rows = tree.rows_at(brighter);
            RadiusCount<3, float> counts;
            counts.radius2 = .02f;
            auto count = tree.template array<size_type>(77);
            counts.count = count.data();
            tree.walk(counts);
            return std::pair(rows, count.in_input_order());
        };
        auto const expected = alone(input, options, find);
        auto const part = part_of(place.comm(), input.begin);
        auto const found = find(make_tree<3>(place, input.of(place.rank()), options), part);
        CHECK(found.first == part(expected.first));
        CHECK(found.second == part(expected.second));
    });
}

TEST_CASE_TEMPLATE("front door on ranks: targets against sources", P, Cpu, HostDevice<>) {
    RanksOn<P> all_ranks(1);
    auto& place = all_ranks.place;
    for_inputs<3, float>(place.comm(), {0, 3, 250}, 3, [&](auto const& sources, std::size_t turn) {
        std::size_t const n = turn % 4 == 0 ? 0 : 170;
        auto const* kind = turn % 3 == 0 ? "sites40" : turn % 3 == 1 ? "uniform" : "clustered";
        Input<3, float> const targets{::test::make_points<3, float>(kind, n, 5),
                                      spread(spreads()[(turn + 2) % spreads().size()], n, place.size())};
        auto const bright = stars_of(sources.rows.size(), 37), faint = stars_of(n, 61);
        PointTreeOptions const options{.tree = small_nodes};
        auto const find = [&](auto const& tree, auto const& rows, auto const& part_of_sources,
                              auto const& part_of_targets) {
            auto const asking = tree.targets(rows);
            auto brighter = asking.template array<pos_t>();
            NearestBrighter trait;
            trait.brighter = brighter.data();
            asking.walk_against(tree, trait, asking.payload(part_of_targets(faint)),
                                tree.payload(part_of_sources(bright)));
            auto const with = tree.rows_at(brighter);
            asking.walk_against(tree, trait, tree.payload(part_of_sources(bright)));
            auto const without = tree.rows_at(brighter);
            auto second = asking.template array<pos_t>();
            auto d2 = asking.template array<float>();
            asking.nearest_of(tree, {.k = 2}, KeepTwo{second.data(), d2.data()});
            return std::tuple(with, without, tree.rows_at(second), d2.in_input_order());
        };
        auto const all = [](auto const& rows) { return rows; };
        Cpu cpu(1);
        auto const expected = find(make_tree<3>(cpu, sources.all(), options), targets.all(), all, all);
        auto const part = part_of(place.comm(), targets.begin);
        auto const found = find(make_tree<3>(place, sources.of(place.rank()), options),
                                targets.of(place.rank()), part_of(place.comm(), sources.begin), part);
        CHECK(std::get<0>(found) == part(std::get<0>(expected)));
        CHECK(std::get<1>(found) == part(std::get<1>(expected)));
        CHECK(std::get<2>(found) == part(std::get<2>(expected)));
        CHECK(std::get<3>(found) == part(std::get<3>(expected)));
    });
}

TEST_CASE_TEMPLATE("front door on ranks: the nearest of all points", P, Cpu, HostDevice<>) {
    RanksOn<P> all_ranks(1);
    auto& place = all_ranks.place;
    for_inputs<3, float>(place.comm(), {1, 2, 200}, 1, [&](auto const& input, std::size_t) {
        auto const find = [&](auto const& tree, auto const&) {
            auto second = tree.template array<pos_t>();
            auto d2 = tree.template array<float>();
            tree.nearest({.k = 3, .exclude_self = true}, KeepTwo{second.data(), d2.data()});
            return std::pair(tree.rows_at(second), d2.in_input_order());
        };
        auto const expected = alone(input, {.tree = small_nodes}, find);
        auto const part = part_of(place.comm(), input.begin);
        auto const found = find(make_tree<3>(place, input.of(place.rank()), {.tree = small_nodes}), 0);
        CHECK(found.first == part(expected.first));
        CHECK(found.second == part(expected.second));
    });
}

TEST_CASE_TEMPLATE("front door on ranks: totals of all ranks, links as labels", P, Cpu, HostDevice<>) {
    RanksOn<P> all_ranks(2);
    auto& place = all_ranks.place;
    using Pairs = PairCounts<3, float, 3>;
    Pairs pairs;
    for (int b = 0; b <= 3; ++b) pairs.edge2[b] = .002f * float(b * b);
    for_inputs<3, float>(place.comm(), {0, 1, 300}, 2, [&](auto const& input, std::size_t) {
        auto const find = [&](auto const& tree, auto const&) {
            return std::pair(tree.walk(pairs).total, tree.walk(Fof<3, float>(.05f)).labels);
        };
        auto const expected = alone(input, {.tree = small_nodes}, find);
        auto const part = part_of(place.comm(), input.begin);
        auto const found = find(make_tree<3>(place, input.of(place.rank()), {.tree = small_nodes}), 0);
        for (int b = 0; b < 3; ++b) CHECK(found.first.pairs[b] == expected.first.pairs[b]);
        CHECK(found.second == part(expected.second));
    });
}

TEST_CASE_TEMPLATE(
    "front door on ranks: bound outputs, tables, rows of several positions, totals at the end", P, Cpu,
    HostDevice<>) {
    RanksOn<P> all_ranks(2);
    auto& place = all_ranks.place;
    auto& comm = place.comm();
    for_inputs<3, float>(comm, {0, 1, 3, 400}, 2, [&](auto const& input, std::size_t) {
        auto const box = box_around(input.rows);
        auto const kinds = ::test::kinds(input.rows.size(), 4);
        auto const part = part_of(comm, input.begin);
        auto const expected =
            alone(input, {.box = box, .tree = small_nodes},
                  [&](auto const& tree, auto const&) { return ::test::find_pairs(tree, kinds); });
        auto const tree = make_tree<3>(place, input.of(place.rank()), {.box = box, .tree = small_nodes});
        auto const found = ::test::find_pairs(tree, part(kinds));
        CHECK(found.total == expected.total);
        CHECK(found.rows == part(expected.rows));
        CHECK(found.sums == part(expected.sums));
        CHECK(found.sum_of_all == expected.sum_of_all);
        CHECK(found.largest == expected.largest);
    });
}

TEST_CASE_TEMPLATE("front door on ranks: joint trees, any set against any other", P, Cpu, HostDevice<>) {
    RanksOn<P> all_ranks(2);
    auto& place = all_ranks.place;
    auto& comm = place.comm();
    for_inputs<3, float>(comm, {0, 1, 300}, 2, [&](auto const& input, std::size_t) {
        auto const part = part_of(comm, input.begin);
        // Every third row is of the second set.
        auto const set_of = [](auto const& rows, std::size_t first, bool second) {
            auto some = rows;
            some.clear();
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (((first + i) % 3 == 0) == second) some.push_back(rows[i]);
            return some;
        };
        auto const counts = [](auto const& targets, auto const& sources, bool same) {
            RadiusCount<3, float> trait;
            trait.radius2 = .01f;
            auto const count = targets.bind(trait.count);
            if (same) targets.walk(trait);
            else targets.walk_against(sources, trait);
            return count.in_input_order();
        };
        Cpu cpu(1);
        auto const all = make_joint_trees<3>(cpu, {.tree = small_nodes}, set_of(input.rows, 0, false),
                                             set_of(input.rows, 0, true));
        auto const first = input.begin[std::size_t(comm.rank())];
        auto const own = part(input.rows);
        auto const ranks = make_joint_trees<3>(place, {.tree = small_nodes}, set_of(own, first, false),
                                               set_of(own, first, true));
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j) {
                auto const expected = counts(all[i], all[j], i == j),
                           found = counts(ranks[i], ranks[j], i == j);
                // The rows of lower ranks come first.
                std::size_t const before = set_of(std::vector<int>(first), 0, i == 1).size();
                REQUIRE(before + found.size() <= expected.size());
                CHECK(std::equal(found.begin(), found.end(), expected.begin() + std::ptrdiff_t(before)));
            }
    });
}

TEST_CASE(
    "front door on ranks with devices: what is imported is decided by a table's copy on the host") {
    RanksOn<HostDevice<>> all_ranks(1);
    auto const tree = make_tree<3>(all_ranks.place, ::test::make_points<3, float>("uniform", 40, 9));
    detail::CopiesHere const& copies = *all_ranks.place.copies_here();
    ::test::PairsAtEnd trait{};
    struct Opaque : Types<3, float> {
        explicit Opaque(int const* there) : table(there) {}
        int const* table;
    };
    int const none = 0;
    trait.table = &none;
    CHECK(detail::with_copies_here(trait, copies).table == &none);
    {
        auto const table = tree.shared(std::vector<int>{3, 1, 4});
        trait.table = table.data() + 1;
        auto const here = detail::with_copies_here(trait, copies);
        CHECK(here.table != trait.table);
        CHECK(here.table[0] == 1);
        CHECK(here.table[1] == 4);
        trait.table = table.data() + table.size();
        CHECK(detail::with_copies_here(trait, copies).table == here.table + 2);
        struct Inside : Types<3, float> {
            std::span<int const> table;
        };
        CHECK(thrown_by([&] {
                  (void)detail::with_copies_here(Inside{{}, {table.data(), 3}}, copies);
              }).find("which are numbers, Vec of numbers, and pointers") != std::string::npos);
        trait.table = &none;
        CHECK(detail::with_copies_here(trait, copies).table == &none);
        CHECK(thrown_by([&] {
                  (void)detail::with_copies_here(Opaque(table.data()), copies);
              }).starts_with("InputError: there are shared tables on the devices of ranks"));
    }
    CHECK(copies.empty());
    CHECK(detail::with_copies_here(Opaque(&none), copies).table == &none);
}

TEST_CASE("front door on ranks: tables that differ, outputs that aren't there") {
    MpiRanks place(world(), Cpu(1));
    bool const is_last = place.rank() == place.size() - 1;
    auto const rows = ::test::make_points<3, float>("uniform", 40, std::uint64_t(9 + place.rank()));
    auto const tree = make_tree<3>(place, rows);
    auto const last = std::to_string(place.size() - 1);
    if (place.size() > 1) {
        CHECK(thrown_by([&] { (void)tree.shared(std::vector<float>(is_last ? 7 : 8)); }) ==
              "InputError: ranks disagree on the rows of a shared table (8 on rank 0, 7 on rank " +
                  last + ")");
        auto const disagree =
            "InputError: ranks disagree on the values of a shared table, by their hash (";
        CHECK(thrown_by([&] {
                  (void)tree.shared(std::vector<double>{1, is_last ? 2. : 3.});
              }).starts_with(disagree));
        using V = Vec<3, float>;
        CHECK(thrown_by([&] {
                  (void)tree.shared(std::vector<V>{{1, 2, is_last ? 2.F : 3.F}});
              }).starts_with(disagree));
        RadiusCount<3, float> trait{};
        auto const count = tree.bind(trait.count);
        if (is_last) trait.count = nullptr;
        CHECK(thrown_by([&] {
                  tree.walk(trait);
              }).starts_with("InputError: member 2 of the trait is a null pointer"));
    }
    struct Padded {
        char letter;
        double number;
    };
    std::vector<Padded> padded(3);
    for (auto& p : padded) p = {'a', 2};
    CHECK(tree.shared(padded).data()[2].number == 2);
    std::vector<Vec<3, float>> const vectors{{1, 2, 3}};
    CHECK(tree.shared(vectors).data()[0][1] == 2);
}

TEST_CASE("front door on ranks: refusals are those of all ranks") {
    MpiRanks place(world(), Cpu(1));
    auto const last = place.size() - 1;
    bool const is_last = place.rank() == last;
    auto rows = ::test::make_points<3, float>("uniform", 40, std::uint64_t(9 + place.rank()));
    auto const tree = make_tree<3>(place, rows, {.box = {1}});
    auto const open = make_tree<3>(place, rows);
    CHECK(thrown_by([&] { (void)tree.payload(std::vector<Star>(is_last ? 39 : 40)); }) ==
          "InputError: the payload has 39 rows, but there are 40 points");
    CHECK(thrown_by([&] { tree.walk(NearestBrighter{}, open.payload(std::vector<Star>(40))); }) ==
          "InputError: the payload was made by another tree");
    CHECK(thrown_by([&] { open.walk_against(tree, RadiusCount<3, float>{}); }) ==
          "InputError: the two trees have different boxes: build one by targets() of the other");
    CHECK(thrown_by([&] { (void)make_tree<2>(place, rows); }) ==
          "InputError: the points have 3 columns, but the tree is for at most 2");
    CHECK(thrown_by([&] {
              (void)tree.nearest_of(tree.targets(Points<float>(rows)), {.k = 0}, KeepTwo{});
          }) == "InputError: k must be at least 1, but is 0");
    auto const fine = make_tree<3>(place, rows, {.tree = small_nodes});
    auto counts = fine.array<size_type>();
    ::test::NoService unheard;
    unheard.radius2 = 4;  // of all pairs
    unheard.count = counts.data();
    CHECK(thrown_by([&] {
              fine.walk(unheard);
          }).starts_with("InputError: decide() accepts a pair of nodes"));
    auto far = rows;
    if (is_last) far[3] = {5, 5, 5};
    CHECK(thrown_by([&] { (void)tree.targets(Points<float>(far)); }).starts_with("InputError: "));
    if (is_last) rows[7][1] = std::nanf("");
    auto const what = thrown_by([&] { (void)make_tree<3>(place, rows); });
    CHECK(what.find("row " + std::to_string(40 * last + 7)) != std::string::npos);
}
