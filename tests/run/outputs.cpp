// What traits write to, and what they read beside points: outputs that are bound, tables, totals from end(), rows of several
// positions; and outputs that can't be written to.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "support/brute_counts.hpp"
#include "support/everywhere.hpp"
#include "support/pairs_at_end.hpp"
#include "support/places.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/walk/checked.hpp"

using namespace test;
using namespace zwalk::examples;

namespace {

/// What find_pairs() finds of these rows, by double loops.
PairsFound pairs_by_brute_force(Rows<3, float> const& rows, std::vector<double> const& box,
                                std::vector<index_t> const& row_in_z_order) {
    int const table[]{5, -1, 8, 3};
    auto const kind = kinds(rows.size(), 4);
    PairsFound all{{}, {}, {}, 0, -1000};
    all.rows.assign(rows.size(), {-1, -1});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        struct Near {
            float d2;
            index_t row;
        };
        std::vector<Near> near;
        long long sum = 0;
        for (index_t const j : row_in_z_order) {
            auto const d2 = distance2_of<3, float>(box, rows[i], rows[std::size_t(j)]);
            if (d2 > kind[i].radius2) continue;
            sum += table[kind[std::size_t(j)].number];
            if (d2 > 0) near.push_back({d2, j});
        }
        std::stable_sort(near.begin(), near.end(),
                         [](auto const& a, auto const& b) { return a.d2 < b.d2; });
        for (std::size_t k = 0; k < std::min<std::size_t>(2, near.size()); ++k)
            all.rows[i][k] = near[k].row;
        ++all.total.targets;
        if (near.size() > 1) {
            ++all.total.pairs;
            all.total.widest =
                std::max(all.total.widest, distance2_of<3, float>(box, rows[std::size_t(near[0].row)],
                                                                  rows[std::size_t(near[1].row)]));
        }
        all.sums.push_back(sum);
        all.sum_of_all += sum;
        all.largest = std::max(all.largest, sum);
    }
    return all;
}

}  // namespace

TEST_CASE(
    "front door: bound outputs, tables, rows of several positions, totals and the space at the end") {
    for (std::vector<double> const& box : {std::vector<double>{}, {1, 0, 1}})
        for (std::size_t n : {0, 1, 2, 700}) {
            auto const rows = make_points<3, float>("uniform", n, 3 + n);
            on_places([&](auto& place) {
                auto const tree = make_tree<3>(place, rows, {.box = box});
                auto at = tree.template array<pos_t>();
                std::vector<index_t> order(n);
                std::vector<pos_t> input(n);
                place.download(input.data(), tree.tree().input.data(), n);
                std::copy(input.begin(), input.end(), order.begin());
                auto const found = find_pairs(tree, kinds(n, 4));
                CHECK(found == pairs_by_brute_force(rows, box, order));
                if (n == 700) CHECK(found.total.pairs > 200);
            });
        }
}

TEST_CASE("outputs: those that a trait can't write to are refused") {
    auto const rows = make_points<3, float>("uniform", 60, 9),
               few = make_points<3, float>("uniform", 9, 8);
    on_places([&](auto& place) {
        auto const tree = make_tree<3>(place, rows);
        auto const small = tree.targets(view<3>(few));
        RadiusCount<3, float> trait{};
        trait.radius2 = .01f;
        CHECK(refusal_of([&] {
                  tree.walk(trait);
              }).starts_with("member 2 of the trait is a null pointer"));
        auto wrong = small.bind(trait.count);
        CHECK(
            refusal_of([&] {
                tree.walk(trait);
            }).starts_with("member 2 of the trait is an array of another tree, with 9 elements for 60"));
        auto moved = std::move(wrong);  // its note goes along
        CHECK(refusal_of([&] { tree.walk(trait); }).starts_with("member 2 of the trait is an array"));
        small.walk_against(tree, trait);
        auto const right = tree.bind(trait.count);
        tree.walk(trait);
        CHECK(right.in_input_order() == brute_counts<3, float>(rows, rows, .01f, {}));
        // What is known of an array ends with its memory, though the one whose memory it gets is still there.
        auto first = small.template array<size_type>(), second = small.template array<size_type>();
        void const* const gone = first.data();
        first = std::move(second);
        detail::check_output(gone, 2, &rows, 60);
        // Nothing is written where there is nothing to write.
        make_tree<3>(place, Rows<3, float>{}).walk(RadiusCount<3, float>{});
        // Tables that a trait may do without.
        PairsAtEnd ends{};
        CHECK(refusal_of([&] {
                  tree.walk(ends, tree.payload(kinds(60, 4)));
              }).starts_with("member 3 of the trait is a null pointer"));
    });
}

TEST_CASE("outputs: trees on a checked place tell that it is gone") {
    auto const rows = make_points<3, float>("uniform", 60, 9);
    std::vector<size_type> counts(rows.size());
    RadiusCount<3, float> trait;
    trait.radius2 = .01f;
    trait.count = counts.data();
    auto place = std::make_unique<Checked<Cpu>>(1);
    auto const tree = make_tree<3>(*place, rows);
    auto const copy = *place;  // another place
    tree.walk(trait);
    CHECK(counts[0] > 0);
    place.reset();
    CHECK(refusal_of([&] { tree.walk(trait); }).starts_with("the place of this tree is gone"));
}
