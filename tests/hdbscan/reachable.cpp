// The trait of predictions, on all trees and places that verify() has.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "zwalk/hdbscan/trait.hpp"
#include "zwalk/testing/verify.hpp"

using namespace zwalk;

TEST_CASE("the nearest reachable points pass verify") {
    for (std::vector<double> const& box : {std::vector<double>{}, {1, 0, 1}}) {
        auto const report = verify<3, float>(
            [](auto const& tree) {
                std::vector<ReachSquare<float>> squares;  // some are equal
                for (pos_t row = 0; row < tree.size(); ++row)
                    squares.push_back({.002f * float(row * 7919 % 61)});
                auto nearest = tree.template array<pos_t>();
                auto distance2 = tree.template array<float>();
                NearestReachable<3, float> trait;
                trait.nearest = nearest.data();
                trait.distance2 = distance2.data();
                tree.walk(trait, tree.payload(squares));
                return std::pair(tree.rows_at(nearest), distance2.in_input_order());
            },
            {.box = box, .many = 1500});
        INFO(report.text());
        CHECK(report.ok());
    }
}
