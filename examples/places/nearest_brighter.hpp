// One program for every place: for each star the nearest one that is brighter, checked against a double loop.
// nearest_brighter.cpp runs it on CPU threads and on a host that does what a GPU does; nearest_brighter.cu on a GPU.
#pragma once
#include <array>
#include <cstdio>
#include <random>
#include <vector>

#include "traits/nearest_brighter.hpp"
#include "zwalk/run/point_tree.hpp"

namespace zwalk::examples {

using Position = std::array<float, 3>;

/// Squared distance in a box that repeats along x and z.
inline float distance2(Position const& p, Position const& q) {
    auto const space = Periodic<3, float>::of({1, 0, 1});
    return zwalk::distance2(space, Vec<3, float>{p[0], p[1], p[2]}, Vec<3, float>{q[0], q[1], q[2]});
}

/// Rows whose answer is not nearer and brighter than all others.
inline int wrong_answers(std::vector<Position> const& points, std::vector<Star> const& stars,
                         std::vector<pos_t> const& brighter) {
    int wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        float nearest = infinity<float>;
        for (std::size_t j = 0; j < points.size(); ++j)
            if (stars[j].light > stars[i].light)
                nearest = std::min(nearest, distance2(points[i], points[j]));
        bool const found = brighter[i] != no_pos;
        wrong += found ? !(stars[brighter[i]].light > stars[i].light &&
                           distance2(points[i], points[brighter[i]]) == nearest)
                       : nearest < infinity<float>;
    }
    return wrong;
}

/// What there is to write for a trait, on any place. Returns 0 if the answers are right.
template <class Place>
int nearest_brighter(Place place, char const* name) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<Position> points(3000);
    std::vector<Star> stars(points.size());
    for (auto& p : points) p = {uniform(random), uniform(random), uniform(random)};
    for (Star& star : stars) star.light = uniform(random);

    // tutorial-begin run
    auto const tree = make_tree<3>(place, points, {.box = {1, 0, 1}});
    auto const lights = tree.payload(stars);
    auto brighter = tree.template array<pos_t>();
    NearestBrighter trait;
    trait.brighter = brighter.data();
    tree.walk(trait, lights);
    std::vector<pos_t> const rows = tree.rows_at(brighter);
    // tutorial-end run

    int const wrong = wrong_answers(points, stars, rows);
    std::printf("%s: the nearest brighter one of %zu stars, %d wrong\n", name, rows.size(), wrong);
    return wrong > 0;
}

}  // namespace zwalk::examples
