// Everything within a radius, three ways: rows of neighbours, sums over them without rows, and lists of a trait of one's
// own. Each is checked against a double loop.
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "traits/ball_lists.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/run/cpu.hpp"

namespace {

using namespace zwalk;
using examples::Lamp;

using Position = std::array<float, 3>;
constexpr float radius = .1f;
std::vector<double> const box{1, 0, 1};  // repeats along x and z

float distance2_of(Position const& p, Position const& q) {
    auto const space = Periodic<3, float>::of({1, 0, 1});
    return distance2(space, Vec<3, float>{p[0], p[1], p[2]}, Vec<3, float>{q[0], q[1], q[2]});
}

/// Rows: of point i they are indices[offsets[i]] up to indices[offsets[i + 1]].
int wrong_rows(std::vector<Position> const& points) {
    // tutorial-begin rows
    auto const near = zwalk::radius_search(points, {.radius = radius, .exclude_self = true, .box = box});
    auto const rows_of = [&](std::size_t i) {
        return std::span(near.indices).subspan(near.offsets[i], near.offsets[i + 1] - near.offsets[i]);
    };
    // tutorial-end rows
    int wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::size_t expected = 0;
        for (std::size_t j = 0; j < points.size(); ++j)
            expected += i != j && std::sqrt(distance2_of(points[i], points[j])) <= radius;
        float last = 0;
        for (index_t const row : rows_of(i)) {  // nearest first
            float const d2 = distance2_of(points[i], points[std::size_t(row)]);
            wrong += !(last <= d2 && std::sqrt(d2) <= radius);
            last = d2;
        }
        wrong += rows_of(i).size() != expected;
    }
    return wrong;
}

/// A sum over neighbours that needs no rows: no memory for them, and no second walk.
int wrong_sums(std::vector<Position> const& points) {
    // tutorial-begin visit
    std::vector<double> sum(points.size());
    auto const add = [&](index_t row, auto const& list) {
        for (std::size_t k = 0; k < list.size(); ++k)
            sum[std::size_t(row)] += std::sqrt(double(list.distance2(k)));
    };
    zwalk::radius_visit(points, add, {.radius = radius, .box = box});
    // tutorial-end visit
    int wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        double expected = 0;
        for (auto const& q : points)
            if (float const d2 = distance2_of(points[i], q); std::sqrt(d2) <= radius)
                expected += std::sqrt(double(d2));
        wrong += std::abs(sum[i] - expected) > 1e-9 * (1 + expected);
    }
    return wrong;
}

/// Lists of a trait: brighter lamps nearby.
int wrong_lists(std::vector<Position> const& points, std::vector<Lamp> const& lamps) {
    Cpu place;
    // tutorial-begin lists
    auto const tree = zwalk::make_tree<3>(place, points, {.box = box});
    examples::BrighterNearby<3, float> brighter;
    brighter.radius2 = radius * radius;
    zwalk::Lists<float> const lists = tree.lists(brighter, tree.payload(lamps));
    // tutorial-end lists
    int wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<index_t> expected;
        for (std::size_t j = 0; j < points.size(); ++j)
            if (lamps[i].light < lamps[j].light &&
                distance2_of(points[i], points[j]) <= brighter.radius2)
                expected.push_back(index_t(j));
        wrong += !std::ranges::equal(lists[i], expected);
    }
    return wrong;
}

}  // namespace

int main() {
    std::vector<Position> points(2000);
    std::vector<Lamp> lamps(points.size());
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(0, 1);
    for (auto& p : points) p = {uniform(random), uniform(random), uniform(random)};
    for (auto& lamp : lamps) lamp.light = uniform(random);
    int const rows = wrong_rows(points), sums = wrong_sums(points), lists = wrong_lists(points, lamps);
    std::printf("%zu points: %d rows, %d sums, %d lists are wrong\n", points.size(), rows, sums, lists);
    return rows + sums + lists > 0;
}
