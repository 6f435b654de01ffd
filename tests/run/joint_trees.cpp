// Trees of several sets of points: each by itself and against any other, on every place, against double loops.
#include "zwalk/run/joint_trees.hpp"

#include <doctest/doctest.h>

#include "support/brute_counts.hpp"
#include "support/everywhere.hpp"
#include "support/places.hpp"
#include "traits/nearest_brighter.hpp"
#include "traits/radius_count.hpp"

using namespace test;
using namespace zwalk::examples;

namespace {

template <int D, class T, class Tree>
std::vector<size_type> counts(Tree const& targets, Tree const& sources, T radius2, bool same) {
    RadiusCount<D, T> trait;
    trait.radius2 = radius2;
    auto const count = targets.bind(trait.count);
    if (same) targets.walk(trait);
    else targets.walk_against(sources, trait);
    return count.in_input_order();
}

template <int D, class T>
void check_counts(std::array<std::size_t, 3> const& sizes, T radius2, std::vector<double> const& box) {
    std::array<Rows<D, T>, 3> sets;
    char const* const kinds[]{"uniform", "clustered", "line"};
    for (std::size_t i = 0; i < 3; ++i) {
        sets[i] = make_points<D, T>(kinds[i], sizes[i], 5 + i);
        if (!box.empty())
            for (auto& row : sets[i])
                for (auto& x : row) x -= std::floor(x);
    }
    on_places([&](auto& place) {
        auto const trees = make_joint_trees<D>(place, {.box = box, .tree = {.leaf_size = 9}}, sets[0],
                                               sets[1], sets[2]);
        static_assert(trees.size() == 3);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                CAPTURE(i);
                CAPTURE(j);
                CHECK(counts<D, T>(trees[i], trees[j], radius2, i == j) ==
                      brute_counts<D, T>(sets[i], sets[j], radius2, box));
            }
    });
}

}  // namespace

TEST_CASE("joint trees: any set against any other") {
    for (auto const& box : {std::vector<double>{}, {1.25, 0, 1.5}})
        for (auto const& sizes : {std::array<std::size_t, 3>{300, 200, 120},
                                  {5, 700, 60},
                                  {0, 40, 1},
                                  {0, 0, 3},
                                  {0, 0, 0},
                                  {1, 0, 200}})
            check_counts<3, float>(sizes, .02f, box);
    check_counts<2, double>({250, 80, 400}, .004, {1.5});
    check_counts<1, float>({60, 60, 60}, .001f, {});
}

TEST_CASE("joint trees: payloads and rows are those of each set") {
    auto const lamps = make_points<3, float>("uniform", 200, 1),
               moths = make_points<3, float>("uniform", 90, 2);
    std::vector<Star> light(lamps.size());
    for (std::size_t i = 0; i < light.size(); ++i) light[i] = {float(1 + i % 7)};
    on_places([&](auto& place) {
        auto const [moth, lamp] = make_joint_trees<3>(place, {}, moths, lamps);
        NearestBrighter trait;
        auto const brighter = moth.bind(trait.brighter);
        moth.walk_against(lamp, trait, lamp.payload(light));
        auto const rows = lamp.rows_at(brighter);
        REQUIRE(rows.size() == moths.size());
        for (std::size_t i = 0; i < moths.size(); ++i) {
            float best = infinity<float>;
            for (auto const& q : lamps) {
                float d2 = 0;
                for (std::size_t j = 0; j < 3; ++j)
                    d2 = std::fma(q[j] - moths[i][j], q[j] - moths[i][j], d2);
                best = std::min(best, d2);
            }
            float found = 0;
            for (std::size_t j = 0; j < 3; ++j) {
                float const d = lamps[std::size_t(rows[i])][j] - moths[i][j];
                found = std::fma(d, d, found);
            }
            CHECK(found == best);
        }
    });
}

TEST_CASE("joint trees: refusals name the set") {
    auto const some = make_points<3, float>("uniform", 20, 1);
    auto const flat = make_points<2, float>("uniform", 20, 1);
    auto bad = some;
    bad[4][2] = std::nanf("");
    auto const far = Rows<3, float>{{5, 5, 5}};
    on_places([&](auto& place) {
        CHECK(refusal_of([&] { (void)make_joint_trees<3>(place, {}, some, flat); }) ==
              "set 2 has 2 columns, but set 1 has 3");
        CHECK(refusal_of([&] { (void)make_joint_trees<3>(place, {}, some, bad); }) != "");
        CHECK(refusal_of([&] { (void)make_joint_trees<3>(place, {.box = 1.5}, some, far); }) != "");
        CHECK(refusal_of([&] { (void)make_joint_trees<2>(place, {}, some, some); }) ==
              "the points have 3 columns, but the tree is for at most 2");
    });
    Cpu place(1);
    CHECK(refusal_of([&] { (void)make_joint_trees<3>(place, {}, some, bad); }).find("points of set 2") !=
          std::string::npos);
}
