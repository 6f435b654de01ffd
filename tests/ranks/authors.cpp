// Traits of tests/authors and of an example on MPI ranks: what one process with all points finds, by the same lines.
#include <doctest/doctest.h>

#include <cmath>

#include "authors/density_peaks.hpp"
#include "authors/group_neighbours.hpp"
#include "ranks/front_door.hpp"
#include "ranks/ranks.hpp"
#include "traits/kernel_density.hpp"
#include "zwalk/run/mpi.hpp"

using namespace zwalk;
using namespace zwalk::test;
using namespace authors;

namespace {

PointTreeOptions options_of(Input<3, float> const& input, std::size_t turn) {
    PointTreeOptions options{.tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 4}};
    if (turn % 2) options.box = box_around(input.rows);
    return options;
}

/// Rows of the neighbours of each point, and their distances.
template <Whose whose>
auto neighbours_of(auto const& tree, std::vector<Member> const& members) {
    constexpr int K = 3;
    auto neighbours = tree.template array<Neighbours<float, K>>();
    GroupNeighbours<3, float, K, whose> trait;
    trait.neighbours = neighbours.data();
    tree.walk(trait, tree.payload(members));
    std::vector<std::pair<pos_t, float>> all;
    for (auto const& found : neighbours.in_input_order())
        for (int i = 0; i < K; ++i) all.push_back({found.row[i], found.d2[i]});
    return all;
}

}  // namespace

TEST_CASE("authors on ranks: density peaks") {
    MpiRanks place(world(), Cpu(2));
    for_inputs<3, float>(place.comm(), {0, 1, 300}, 0, [&](auto const& input, std::size_t turn) {
        auto const options = options_of(input, turn);
        auto const find = [](auto const& tree, auto const&) { return density_peaks(tree, 4); };
        auto const expected = alone(input, options, find);
        auto const part = part_of(place.comm(), input.begin);
        auto const found = find(make_tree<3>(place, input.of(place.rank()), options), part);
        CHECK(found.first == part(expected.first));
        CHECK(found.second == part(expected.second));
    });
}

TEST_CASE("authors on ranks: neighbours of the same group, and of others") {
    MpiRanks place(world(), Cpu(1));
    for_inputs<3, float>(place.comm(), {1, 2, 300}, 1, [&](auto const& input, std::size_t turn) {
        auto const options = options_of(input, turn);
        std::vector<Member> members;
        for (auto const& row : input.rows) {
            auto const i = pos_t(members.size());
            members.push_back({turn % 3 ? row[0] > .4f : std::int32_t(i * i % 5), i});
        }
        auto const find = [&](auto const& tree, auto const& part) {
            return std::pair(neighbours_of<Whose::own>(tree, part(members)),
                             neighbours_of<Whose::others>(tree, part(members)));
        };
        auto const expected = alone(input, options, find);
        auto begin = input.begin;
        auto const part = part_of(place.comm(), begin);
        auto const found = find(make_tree<3>(place, input.of(place.rank()), options), part);
        for (std::size_t& first : begin) first *= 3;  // neighbours of a point
        auto const part_of_neighbours = part_of(place.comm(), begin);
        CHECK(found.first == part_of_neighbours(expected.first));
        CHECK(found.second == part_of_neighbours(expected.second));
    });
}

TEST_CASE("authors on ranks: a kernel density whose error is guaranteed") {
    MpiRanks place(world(), Cpu(1));
    for_inputs<3, float>(place.comm(), {1, 2, 300}, 2, [&](auto const& input, std::size_t turn) {
        auto const options = options_of(input, 0);
        auto const n = double(input.rows.size());
        auto const tree = make_tree<3>(place, input.of(place.rank()), options);
        for (double const error : {.001, .03, .2}) {
            CAPTURE(error);
            auto sums = tree.template array<double>();
            examples::KernelDensity<3, float> trait;
            trait.scale = turn % 2 ? -20 : -200;
            trait.error = error;
            trait.sources = n;
            trait.sum = sums.data();
            tree.walk(trait);
            auto const found = sums.in_input_order();
            double largest = 0;
            for (std::size_t i = 0; i < found.size(); ++i) {
                auto const& p = input.rows[input.begin[std::size_t(place.rank())] + i];
                double exact = 0;
                for (auto const& q : input.rows)
                    exact +=
                        trait.kernel(zwalk::distance2(Open<3, float>{}, Vec<3, float>{p[0], p[1], p[2]},
                                                      Vec<3, float>{q[0], q[1], q[2]}));
                largest = std::max(largest, std::abs(found[i] - exact));
            }
            CHECK(largest <= error * n);
        }
    });
}
