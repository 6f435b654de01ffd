// Lists of what a trait wants on MPI ranks: those of one process with all points.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "ranks/front_door.hpp"
#include "traits/ball_lists.hpp"
#include "zwalk/radius/trait.hpp"

using namespace zwalk;
using namespace zwalk::test;
using namespace zwalk::examples;

namespace {

constexpr TreeOptions nodes_of_8{.leaf_size = 8, .coarsening = 3, .top_nodes = 4};

/// Whether this rank's lists are those that `all` has for the rows from `first` on.
template <class T>
bool same_lists(Lists<T> const& own, Lists<T> const& all, std::size_t first, std::size_t rows) {
    if (own.size() != rows) return false;
    size_type const skipped = all.offsets[first], entries = all.offsets[first + rows] - skipped;
    for (std::size_t i = 0; i <= rows; ++i)
        if (own.offsets[i] != all.offsets[first + i] - skipped) return false;
    auto const same = [&](auto const& mine, auto const& expected) {
        return mine.size() == (expected.empty() ? 0 : entries) &&
               std::equal(mine.begin(), mine.end(),
                          expected.begin() + std::ptrdiff_t(expected.empty() ? 0 : skipped));
    };
    return same(own.rows, all.rows) && same(own.distances, all.distances);
}

/// A distance that some pairs of the points have.
template <int D, class T>
T some_distance(::test::Rows<D, T> const& rows) {
    if (rows.size() < 2) return 1;
    T d2 = 0;
    for (std::size_t j = 0; j < D; ++j) {
        T const d = rows.front()[j] - rows.back()[j];
        d2 += d * d;
    }
    return std::isfinite(d2) ? std::sqrt(d2) / 4 : T(1);
}

}  // namespace

TEST_CASE_TEMPLATE("lists on ranks: what is within a radius", P, Cpu, HostDevice<>) {
    RanksOn<P> all_ranks(2);
    auto& place = all_ranks.place;
    for_inputs<3, float>(place.comm(), {0, 1, 7, 300}, 1, [&](auto const& input, std::size_t turn) {
        auto const begin = input.begin[std::size_t(place.rank())],
                   rows = input.begin[std::size_t(place.rank()) + 1] - begin;
        auto const own = input.of(place.rank());
        Input<3, float> const asking{::test::make_points<3, float>("uniform", 90, turn),
                                     spread("uneven", 90, place.size())};
        auto const asking_begin = asking.begin[std::size_t(place.rank())];
        auto const queries = asking.of(place.rank());
        Cpu one(1);
        for (float const radius : {0.f, some_distance<3, float>(input.rows), 4.f}) {
            CAPTURE(radius);
            bool const exclude_self = turn % 2 == 0;
            WithinRadius<3, float> const near(radius, exclude_self), all(radius);
            PointTreeOptions const options{.tree = nodes_of_8};
            auto const tree = make_tree<3>(place, own, options);
            auto const alone = make_tree<3>(one, input.all(), options);
            CHECK(same_lists(tree.lists(near), alone.lists(near), begin, rows));
            CHECK(same_lists(tree.template lists<ListOrder::nearest>(near),
                             alone.template lists<ListOrder::nearest>(near), begin, rows));
            auto const targets = tree.targets(queries);
            auto const targets_alone = alone.targets(asking.all());
            CHECK(same_lists(targets.lists_against(tree, all), targets_alone.lists_against(alone, all),
                             asking_begin, queries.size));
            CHECK(same_lists(targets.template lists_against<ListOrder::nearest>(tree, all),
                             targets_alone.template lists_against<ListOrder::nearest>(alone, all),
                             asking_begin, queries.size));
        }
    });
}

TEST_CASE("lists on ranks: periodic, double, and short messages") {
    for (std::size_t const message_bytes : message_sizes) {
        MpiRanks place(world(message_bytes), Cpu(1));
        Input<2, double> const input{::test::make_points<2, double>("uniform", 200, 4),
                                     spread("none on the last", 200, place.size())};
        auto const begin = input.begin[std::size_t(place.rank())];
        auto const own = input.of(place.rank());
        Cpu one(1);
        PointTreeOptions const options{.box = {1, 1}, .tree = nodes_of_8};
        WithinRadius<2, double> const near(.2);
        auto const tree = make_tree<2>(place, own, options);
        auto const alone = make_tree<2>(one, input.all(), options);
        CHECK(same_lists(tree.lists<ListOrder::nearest>(near), alone.lists<ListOrder::nearest>(near),
                         begin, own.size));
    }
}

TEST_CASE_TEMPLATE("lists on ranks: a payload and its summary", P, Cpu, HostDevice<>) {
    RanksOn<P> all_ranks(1);
    auto& place = all_ranks.place;
    for_inputs<3, float>(place.comm(), {200}, 4, [&](auto const& input, std::size_t) {
        auto const begin = input.begin[std::size_t(place.rank())];
        auto const own = input.of(place.rank());
        std::vector<Lamp> all(input.rows.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i].light = float(i * 7919 % 13);
        std::vector<Lamp> const mine(all.begin() + std::ptrdiff_t(begin),
                                     all.begin() + std::ptrdiff_t(begin + own.size));
        BrighterNearby<3, float> trait;
        trait.radius2 = some_distance<3, float>(input.rows) * some_distance<3, float>(input.rows);
        Cpu one(1);
        auto const tree = make_tree<3>(place, own);
        auto const alone = make_tree<3>(one, input.all());
        CHECK(same_lists(tree.lists(trait, tree.payload(mine)), alone.lists(trait, alone.payload(all)),
                         begin, own.size));
        auto const targets = tree.targets(own);
        auto const targets_alone = alone.targets(input.all());
        CHECK(same_lists(
            targets.lists_against(tree, trait, targets.payload(mine), tree.payload(mine)),
            targets_alone.lists_against(alone, trait, targets_alone.payload(all), alone.payload(all)),
            begin, own.size));
    });
}
