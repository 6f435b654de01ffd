// One program for every place: for each star the nearest one that is brighter, checked against a double loop.
// nearest_brighter.cpp runs it on CPU threads and on a host that does what a GPU does; nearest_brighter.cu on a GPU;
// nearest_brighter_mpi.cpp on MPI ranks, of which each has a part of the stars.
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

struct Sky {
    std::vector<Position> points;
    std::vector<Star> stars;

    explicit Sky(std::size_t n) : points(n), stars(n) {
        std::mt19937 random(1);
        std::uniform_real_distribution<float> uniform(0, 1);
        for (auto& p : points) p = {uniform(random), uniform(random), uniform(random)};
        for (Star& star : stars) star.light = uniform(random);
    }
    /// Stars [begin, end).
    [[nodiscard]] Sky part(std::size_t begin, std::size_t end) const {
        Sky some(0);
        some.points.assign(points.begin() + std::ptrdiff_t(begin), points.begin() + std::ptrdiff_t(end));
        some.stars.assign(stars.begin() + std::ptrdiff_t(begin), stars.begin() + std::ptrdiff_t(end));
        return some;
    }
};

/// What there is to write for a trait, on any place: for each star the row of the nearest brighter one, -1 for the brightest.
template <class Place>
std::vector<index_t> nearest_brighter(Place& place, std::vector<Position> const& points,
                                      std::vector<Star> const& stars) {
    // tutorial-begin run
    auto const tree = make_tree<3>(place, points, {.box = {1, 0, 1}});
    auto const lights = tree.payload(stars);
    NearestBrighter trait;
    auto const brighter = tree.bind(trait.brighter);
    tree.walk(trait, lights);
    std::vector<index_t> const rows = tree.rows_at(brighter);
    // tutorial-end run
    return rows;
}

/// Of the answers for stars first, first + 1, ...: those that are not nearer and brighter than all others.
inline int wrong_answers(Sky const& sky, std::size_t first, std::vector<index_t> const& brighter) {
    int wrong = 0;
    for (std::size_t i = first; i < first + brighter.size(); ++i) {
        float nearest = infinity<float>;
        for (std::size_t j = 0; j < sky.points.size(); ++j)
            if (sky.stars[j].light > sky.stars[i].light)
                nearest = std::min(nearest, distance2(sky.points[i], sky.points[j]));
        auto const row = brighter[i - first];
        auto const found = std::size_t(row);
        wrong += row >= 0 ? !(sky.stars[found].light > sky.stars[i].light &&
                              distance2(sky.points[i], sky.points[found]) == nearest)
                          : nearest < infinity<float>;
    }
    return wrong;
}

/// Returns 0 if the answers are right.
template <class Place>
int check_nearest_brighter(Place place, char const* name) {
    Sky const sky(3000);
    auto const rows = nearest_brighter(place, sky.points, sky.stars);
    int const wrong = wrong_answers(sky, 0, rows);
    std::printf("%s: the nearest brighter one of %zu stars, %d wrong\n", name, rows.size(), wrong);
    return wrong > 0;
}

}  // namespace zwalk::examples
