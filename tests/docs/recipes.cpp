// The recipes of docs/trait-recipes.md, against double loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "traits/radius_count.hpp"
#include "zwalk/exec/gather.hpp"
#include "zwalk/exec/pack.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/testing/points.hpp"

using namespace zwalk;

namespace {

using Rows = std::vector<std::array<float, 3>>;

// tutorial-begin keep
/// The positions of the K nearest, no_pos where there are fewer.
template <int K>
struct Keep {
    Vec<K, pos_t>* of;
    ZWALK_HD void operator()(auto const& point, auto const& found) const {
        Vec<K, pos_t> at;
        for (int i = 0; i < K; ++i) at[i] = no_pos;
        found.each([&](int i, auto const& key) { at[i] = key.pos; });
        of[point.index] = at;
    }
};
// tutorial-end keep

// tutorial-begin furthest
/// How far the furthest point is from each, squared. What is far is near by `metric`, from which the walk takes its order and its bounds.
struct Furthest : Types<3, float> {
    static constexpr Uses uses{.reach = true, .metric = true, .ordered = true};
    float most2;  // at least the squared distance of any two points: so nothing below is negative
    float* furthest2;

    ZWALK_HD Bounds metric(Node const&, Node const&, Bounds d) const {
        return {most2 - d.hi2, most2 - d.lo2};
    }
    // From here on d is what metric has made of it.
    using Reach = float;
    ZWALK_HD Reach reach_begin(Node const&) const { return infinity<float>; }
    ZWALK_HD void reach_add(Reach& r, Node const&, Node const&, Bounds d) const { r = min_of(r, d.hi2); }
    ZWALK_HD Key<float> reach_end(Reach r, Node const&) const { return {r, no_pos}; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Bounds d) const {
        return Key<float>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }
    // Points have their true distance.
    using Fold = float;
    ZWALK_HD Fold begin(Target const&, State) const { return -1; }
    ZWALK_HD void visit(Fold& f, Target const&, Point const&, float d2) const { f = max_of(f, d2); }
    ZWALK_HD Key<float> horizon(Fold const& f) const {
        return {f < 0 ? infinity<float> : most2 - f, no_pos};
    }
    ZWALK_HD void end(Fold const& f, Target const& p) const { furthest2[p.index] = f; }
};
// tutorial-end furthest

// tutorial-begin triangles
/// How many triangles with sides of at most a radius have this point as the first of their corners.
struct Triangles : Types<3, float> {
    static constexpr Uses uses{.scratch = true};
    float radius2;
    pos_t most;  // so many neighbours have room
    size_type* count;

    ZWALK_HD std::size_t scratch_bytes() const { return most * sizeof(Vec<3, float>); }
    ZWALK_HD Decision decide(Node const&, Node const&, Bounds d) const {
        return d.lo2 <= radius2 ? Decision::descend : Decision::discard;
    }
    struct Fold {
        Vec<3, float>* later;
        pos_t n;
    };
    ZWALK_HD Fold begin(Target const&, State, void* scratch) const {
        return {static_cast<Vec<3, float>*>(scratch), 0};
    }
    ZWALK_HD void visit(Fold& f, Target const& p, Point const& q, float d2) const {
        if (d2 <= radius2 && p.position < q.position) f.later[f.n++] = q.x;
    }
    ZWALK_HD void end(Fold const& f, Target const& p, auto const& space) const {
        size_type n = 0;
        for (pos_t i = 0; i < f.n; ++i)
            for (pos_t j = 0; j < i; ++j) n += distance2(space, f.later[i], f.later[j]) <= radius2;
        count[p.index] = n;
    }
};
// tutorial-end triangles

// tutorial-begin table
/// Sums of a kernel that a table has, over squared distance.
struct Smoothed : Types<3, float> {
    static constexpr Uses uses{};
    float radius2, per_unit;
    float const* kernel;  // the same for all points
    pos_t entries;
    float* sum;

    ZWALK_HD Decision decide(Node const&, Node const&, Bounds d) const {
        return d.lo2 < radius2 ? Decision::descend : Decision::discard;
    }
    using Fold = float;
    ZWALK_HD Fold begin(Target const&, State) const { return 0; }
    ZWALK_HD void visit(Fold& f, Target const&, Point const&, float d2) const {
        if (d2 < radius2) f += gather(kernel, entries, d2 * per_unit);
    }
    ZWALK_HD void end(Fold const& f, Target const& p) const { sum[p.index] = f; }
};
// tutorial-end table

// tutorial-begin crowd
/// How many points are alone within a radius, and the most that one has there.
struct Crowd : Types<3, float> {
    static constexpr Uses uses{.total = true};
    float radius2;
    struct Total {
        size_type alone = 0, most = 0;
    };
    ZWALK_HD void combine(Total& a, Total const& b) const {
        a.alone += b.alone;
        a.most = max_of(a.most, b.most);
    }
    ZWALK_HD Decision decide(Node const&, Node const&, Bounds d) const {
        return d.lo2 <= radius2 ? Decision::descend : Decision::discard;
    }

    using Fold = size_type;
    ZWALK_HD Fold begin(Target const&, State) const { return 0; }
    ZWALK_HD void visit(Fold& n, Target const&, Point const&, float d2) const { n += d2 <= radius2; }
    ZWALK_HD void end(Fold const& n, Target const&, auto& sink) const {
        combine(sink.total(), {n == 1, n});  // it finds itself
    }
};
// tutorial-end crowd

// tutorial-begin forces
/// Lennard-Jones forces within a radius, in units of the potential.
struct Forces : Types<3, float> {
    static constexpr Uses uses{.cutoff = true, .displacement = true, .lanes = true};
    float radius2;
    Vec<3, float>* force;

    ZWALK_HD float cutoff2() const { return radius2; }
    ZWALK_HD Decision decide(Node const&, Node const&, Bounds d) const {
        return d.lo2 < radius2 ? Decision::descend : Decision::discard;
    }
    template <class V>
    using Fold = Vec<3, V>;
    ZWALK_HD Fold<float> begin(Target const&, State) const { return {}; }
    template <class V>
    ZWALK_HD void visit(Fold<V>& f, Target const&, auto const&, V d2, Vec<3, V> const& dx) const {
        auto const near = (d2 < radius2) & (d2 > 0);  // not itself
        V const i2 = V(1) / d2, i6 = i2 * i2 * i2;
        V const pull = select(near, V(24) * i2 * i6 * (V(1) - V(2) * i6), 0);
        for (int i = 0; i < 3; ++i) f[i] = fma_of(pull, dx[i], f[i]);
    }
    ZWALK_HD void join(Fold<float>& f, auto const& lanes) const {
        for (int i = 0; i < 3; ++i) f[i] += sum_of(lanes[i]);
    }
    ZWALK_HD void end(Fold<float> const& f, Target const& p) const { force[p.index] = f; }
};
// tutorial-end forces

// tutorial-begin optional
struct Nearest : Types<3, float> {
    static constexpr Uses uses{.ordered = true};
    pos_t* nearest;

    ZWALK_HD Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    using Fold = Key<float>;
    ZWALK_HD Fold begin(Target const&, State) const { return {}; }
    ZWALK_HD void visit(Fold& best, Target const& p, Point const& q, float d2) const {
        Key<float> const key{d2, q.position};
        if (q.position != p.position && key < best) best = key;
    }
    ZWALK_HD Key<float> horizon(Fold const& best) const { return best; }
    ZWALK_HD void end(Fold const& best, Target const& p) const { nearest[p.index] = best.pos; }
};
/// The same, with distances.
struct NearestWithDistance : Nearest {
    float* distance2;
    ZWALK_HD void end(Fold const& best, Target const& p) const {
        Nearest::end(best, p);
        distance2[p.index] = best.d2;
    }
};
// tutorial-end optional

float squared(std::array<double, 3> const& box, std::array<float, 3> const& p,
              std::array<float, 3> const& q) {
    auto const space = Periodic<3, float>::of({float(box[0]), float(box[1]), float(box[2])});
    return distance2(space, Vec<3, float>{p[0], p[1], p[2]}, Vec<3, float>{q[0], q[1], q[2]});
}

std::vector<size_type> counts(std::array<double, 3> const& box, Rows const& targets, Rows const& sources,
                              float radius2) {
    std::vector<size_type> n(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
        for (auto const& q : sources) n[i] += squared(box, targets[i], q) <= radius2;
    return n;
}

Rows some(std::size_t n, std::uint64_t seed) {
    return testing::make_points<3, float>("uniform", n, seed);
}

}  // namespace

TEST_CASE("recipes: K positions out") {
    Cpu place;
    auto const points = some(500, 1);
    auto const tree = make_tree<3>(place, points);
    // tutorial-begin positions
    Keep<4> keep;
    auto at = tree.bind(keep.of);
    tree.nearest({.k = 4, .exclude_self = true}, keep);
    auto const rows = tree.rows_at(at);  // rows[i][0] to rows[i][3]
    // tutorial-end positions
    auto const near = knn(points, {.k = 4, .exclude_self = true});
    REQUIRE(rows.size() == points.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        CHECK(std::equal(rows[i].begin(), rows[i].end(), near.indices.begin() + long(4 * i)));
}

TEST_CASE("recipes: two sets of points") {
    Cpu place;
    auto const galaxies = some(700, 1), randoms = some(400, 2);
    float const radius2 = .01f;
    // tutorial-begin two_sets
    auto const sources = make_tree<3>(place, galaxies, {.box = {1, 1, 0}});
    auto const targets = sources.targets(randoms);
    examples::RadiusCount<3, float> trait;
    trait.radius2 = radius2;
    auto count = targets.bind(trait.count);
    targets.walk_against(sources, trait);
    // tutorial-end two_sets
    CHECK(count.in_input_order() == counts({1, 1, 0}, randoms, galaxies, radius2));
}

TEST_CASE("recipes: the furthest point") {
    for (auto const* kind : {"uniform", "clustered", "normal", "equal", "line"})
        for (std::size_t const n : {1, 2, 40, 3000}) {
            CAPTURE(kind);
            CAPTURE(n);
            Rows const points = testing::make_points<3, float>(kind, n, 3);
            Cpu place(2);
            // tutorial-begin diameter
            auto const tree = make_tree<3>(place, points);
            Furthest trait;
            trait.most2 = 1000;  // of these points; else from the extent
            auto out = tree.bind(trait.furthest2);
            tree.walk(trait);
            float const diameter2 =
                tree.reduce(out, 0.f, [](float a, float b) { return std::max(a, b); });
            // tutorial-end diameter
            auto const found = out.in_input_order();
            float most = 0;
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < n; ++i) {
                float furthest = 0;
                for (std::size_t j = 0; j < n; ++j) {
                    Vec<3, float> const a{points[i][0], points[i][1], points[i][2]},
                        b{points[j][0], points[j][1], points[j][2]};
                    furthest = std::max(furthest, distance2(Open<3, float>{}, a, b));
                }
                wrong += found[i] != furthest;
                most = std::max(most, furthest);
            }
            CHECK(wrong == 0);
            CHECK(diameter2 == most);
        }
}

TEST_CASE("recipes: triangles, in memory that a walk before has counted") {
    Cpu place;
    auto const points = some(400, 3);
    float const radius2 = .02f;
    // tutorial-begin room
    auto const tree = make_tree<3>(place, points, {.box = {1, 1, 1}});
    examples::RadiusCount<3, float> room;
    room.radius2 = radius2;
    auto neighbours = tree.bind(room.count);
    tree.walk(room);

    Triangles trait;
    trait.radius2 = radius2;
    trait.most = pos_t(tree.reduce(neighbours, 0, [](auto a, auto b) { return max_of(a, b); }));
    auto count = tree.bind(trait.count);
    tree.walk(trait);
    auto const triangles = tree.reduce(count, 0, std::plus{});
    // tutorial-end room
    size_type expected = 0;
    auto const is_near = [&](std::size_t i, std::size_t j) {
        return squared({1, 1, 1}, points[i], points[j]) <= radius2;
    };
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            for (std::size_t k = 0; k < j && is_near(i, j); ++k)
                expected += is_near(i, k) && is_near(j, k);
    CHECK(triangles == expected);
    CHECK(expected > 100);
}

TEST_CASE("recipes: groups as another coordinate") {
    auto const points = some(300, 4);
    std::vector<int> group(points.size());
    for (std::size_t i = 0; i < group.size(); ++i) group[i] = int(i * 7919 % 5);
    // tutorial-begin groups
    float const apart = 4;  // further than any two points are
    std::vector<std::array<float, 4>> all;
    for (std::size_t i = 0; i < points.size(); ++i)
        all.push_back({points[i][0], points[i][1], points[i][2], float(group[i]) * apart});
    auto const near = knn(all, {.k = 4, .exclude_self = true, .within = apart / 2});
    // tutorial-end groups
    int wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<float> expected;
        for (std::size_t j = 0; j < points.size(); ++j)
            if (j != i && group[j] == group[i])
                expected.push_back(squared({0, 0, 0}, points[i], points[j]));
        std::sort(expected.begin(), expected.end());
        for (std::size_t k = 0; k < 4; ++k) wrong += near.distances[4 * i + k] != std::sqrt(expected[k]);
    }
    CHECK(wrong == 0);
}

TEST_CASE("recipes: a table that all points read") {
    Cpu place;
    auto const points = some(500, 5);
    float const radius2 = .02f;
    std::vector<float> kernel(64);
    for (std::size_t i = 0; i < kernel.size(); ++i) kernel[i] = float(64 - i);
    auto const tree = make_tree<3>(place, points);
    // tutorial-begin shared
    auto const table = tree.shared(kernel);
    Smoothed trait;
    trait.radius2 = radius2;
    trait.per_unit = float(table.size()) / radius2;
    trait.kernel = table.data();
    trait.entries = pos_t(table.size());
    auto sum = tree.bind(trait.sum);
    tree.walk(trait);
    // tutorial-end shared
    auto const sums = sum.in_input_order();
    int wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        float expected = 0;  // whole numbers: exact in any order
        for (auto const& q : points) {
            float const d2 = squared({0, 0, 0}, points[i], q);
            if (d2 < radius2) expected += kernel[std::size_t(d2 * trait.per_unit)];
        }
        wrong += sums[i] != expected;
    }
    CHECK(wrong == 0);
}

TEST_CASE("recipes: a total over targets") {
    Cpu place;
    auto const points = some(500, 6);
    float const radius2 = .004f;
    auto const tree = make_tree<3>(place, points);
    // tutorial-begin total
    Crowd trait;
    trait.radius2 = radius2;
    auto const total = tree.walk(trait).total;  // total.alone, total.most
    // tutorial-end total
    auto const expected = counts({0, 0, 0}, points, points, radius2);
    CHECK(total.alone == size_type(std::count(expected.begin(), expected.end(), 1)));
    CHECK(total.most == *std::max_element(expected.begin(), expected.end()));
    CHECK(total.alone > 0);
}

TEST_CASE("recipes: forces with a radius") {
    Cpu place;
    auto points = some(600, 7);
    for (auto& p : points)
        for (float& x : p) x *= 8;
    auto const tree = make_tree<3>(place, points, {.box = {8, 8, 8}});
    Forces trait;
    trait.radius2 = 1;
    auto force = tree.bind(trait.force);
    tree.walk(trait);
    auto const all = force.in_input_order();
    auto const space = Periodic<3, float>::of({8, 8, 8});
    int wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        double sum[3] = {}, size = 0;
        for (auto const& q : points) {
            Vec<3, float> const a{points[i][0], points[i][1], points[i][2]}, b{q[0], q[1], q[2]};
            auto const d2 = double(distance2(space, a, b));
            if (!(d2 < 1 && d2 > 0)) continue;
            double const i6 = 1 / (d2 * d2 * d2), pull = 24 / d2 * i6 * (1 - 2 * i6);
            for (int j = 0; j < 3; ++j) sum[j] += pull * double(displacement(space, a, b)[j]);
            size += std::abs(pull) * std::sqrt(d2);
        }
        for (int j = 0; j < 3; ++j) wrong += std::abs(double(all[i][j]) - sum[j]) > 1e-4 * size;
    }
    CHECK(wrong == 0);
}

TEST_CASE("recipes: an optional output") {
    Cpu place;
    auto const points = some(300, 8);
    auto const tree = make_tree<3>(place, points);
    NearestWithDistance trait;
    auto nearest = tree.bind(trait.nearest);
    auto distance2 = tree.bind(trait.distance2);
    tree.walk(trait);
    auto const near = knn(points, {.k = 1, .exclude_self = true});
    CHECK(std::equal(near.indices.begin(), near.indices.end(), tree.rows_at(nearest).begin()));
    auto const d2 = distance2.in_input_order();
    for (std::size_t i = 0; i < points.size(); ++i) CHECK(std::sqrt(d2[i]) == near.distances[i]);
}
