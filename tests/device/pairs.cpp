// Pair counts as a GPU runs them, on the CPU: the same counts and the same sums as pair_counts().
#include "device/run.hpp"
#include "fof/brute.hpp"
#include "knn/check.hpp"
#include "pairs/brute.hpp"

using namespace test;

namespace {

template <int C, int D, class T, bool checked = false>
bool same_counts(Rows<D, T> const& rows, PairOptions const& o, Rows<D, T> const* second = nullptr) {
    HostDevice<checked> device;
    auto const points = prepared<C, D, T>(device, rows, o.box, o.tree);
    detail::Brought<T, HostDevice<checked>> others;
    if (second) others = in_unit_of(points, device, on_device<D, T>(*second));
    auto const counted = ask<detail::PairsAlgorithm, C>(device, points, o, second ? &others : nullptr);
    auto const expected = second ? pair_counts(rows, *second, o) : pair_counts(rows, o);
    return counted.counts == expected.counts && counted.weighted == expected.weighted &&
           device.run.races == 0;
}

/// Bins of two numbers, for either kind.
void two_numbers(PairOptions& o) {
    o.los_edges = {0, .01, .3, 1};
    o.line_of_sight = 1;
}

template <int C, int D, class T, bool checked = false>
void every_kind_of_pairs(std::size_t n) {
    for (auto const& kind : kinds()) {
        CAPTURE(D);
        CAPTURE(kind);
        auto const rows = make_points<D, T>(kind, n, D),
                   others = make_points<D, T>(kind == "huge" ? "uniform" : kind, n / 3, 7);
        auto const weights = some_weights(rows.size(), 1), theirs = some_weights(others.size(), 2);
        PairOptions o{.edges = {0, 1e-3, .01, .1, .2, .5, 2, 1e6}};
        CHECK(same_counts<C, D, T, checked>(rows, o));
        CHECK(same_counts<C, D, T, checked>(rows, o, &others));
        o.weights = weights;
        CHECK(same_counts<C, D, T, checked>(rows, o));
        o.second_weights = theirs;
        CHECK(same_counts<C, D, T, checked>(rows, o, &others));
        two_numbers(o);
        for (PairBins const bins : {PairBins::rp_pi, PairBins::s_mu}) {
            o.bins = bins;
            o.weights = {}, o.second_weights = {};
            CHECK(same_counts<C, D, T, checked>(rows, o));
            CHECK(same_counts<C, D, T, checked>(rows, o, &others));
            o.weights = weights, o.second_weights = theirs;
            CHECK(same_counts<C, D, T, checked>(rows, o, &others));
            o.second_weights = {};
            CHECK(same_counts<C, D, T, checked>(rows, o));
        }
    }
}

}  // namespace

TEST_CASE("device pairs: every kind of points") {
    every_kind_of_pairs<3, 3, float>(400);
    every_kind_of_pairs<2, 2, double>(300);
}

TEST_CASE("device pairs: every read is after its write") { every_kind_of_pairs<3, 3, float, true>(120); }

TEST_CASE("device pairs: periodic, few points, more bins than one walk takes") {
    std::vector<double> edges{0};
    for (int i = 1; i < 80; ++i) edges.push_back(i * .01);
    for (std::size_t n : {0, 1, 2, 49, 300}) {
        CAPTURE(n);
        auto const rows = in_box<3, float>("uniform", n, 1, 8),
                   others = in_box<3, float>("sites40", 70, 1, 9);
        for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0, 1}}) {
            CHECK(same_counts<3, 3, float>(rows, {.edges = edges, .box = box}));
            CHECK(same_counts<3, 3, float>(rows, {.edges = edges, .box = box}, &others));
        }
    }
}

TEST_CASE("device pairs: more bins of two numbers than one walk takes, periodic, few points") {
    PairOptions o{.edges = {0}, .bins = PairBins::rp_pi};
    for (int i = 1; i < 80; ++i) o.edges.push_back(i * .01);
    for (int i = 0; i <= 256; ++i) o.los_edges.push_back(i * .003);
    for (std::size_t n : {0, 1, 2, 300}) {
        CAPTURE(n);
        auto const rows = in_box<3, float>("uniform", n, 1, 8),
                   others = in_box<3, float>("sites40", 70, 1, 9);
        auto const weights = some_weights(rows.size(), 3);
        o.weights = weights;
        for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0, 1}}) {
            o.box = box;
            for (int axis : {0, 2}) {
                o.line_of_sight = axis;
                CHECK(same_counts<3, 3, float>(rows, o));
                CHECK(same_counts<3, 3, float>(rows, o, &others));
            }
        }
    }
    // Points of fewer columns than the kernels have: the last one of them is no line of sight.
    PairOptions const two{
        .edges = {0, .1, .4}, .bins = PairBins::s_mu, .los_edges = {0, .5, 1}, .line_of_sight = 1};
    CHECK(same_counts<3, 2, float>(make_points<2, float>("clustered", 300, 4), two));
}

TEST_CASE("device pairs: memory is predicted") {
    auto const rows = make_points<3, float>("uniform", 60000, 1),
               others = make_points<3, float>("uniform", 30000, 2);
    auto const weights = some_weights(rows.size(), 3);
    auto const check = [&](PairOptions const& o, bool two_sets) {
        HostDevice<> device;
        device.max_slots = 300000 / device_leaf_width;  // as many as a large GPU has
        device.budget = 1000000;                        // of lists, which aren't part of the prediction
        detail::Brought<float, HostDevice<>> const second{{}, on_device<3, float>(others)};
        (void)ask<detail::PairsAlgorithm, 3>(device, prepared<3, 3, float>(device, rows, {}, {}), o,
                                             two_sets ? &second : nullptr);
        auto const predicted =
            detail::pairs_device_bytes({.points = double(rows.size()),
                                        .second = two_sets ? double(others.size()) : 0,
                                        .columns = 3,
                                        .item_bytes = sizeof(float),
                                        .weighted = !o.weights.empty(),
                                        .cells = detail::device_pair_cells(o)});
        auto const measured = device.stats().peak_bytes;
        CAPTURE(double(predicted) / double(measured));
        CHECK(predicted + device.budget >= measured);
        CHECK(5 * predicted <= 8 * measured);
    };
    PairOptions o{.edges = {.01, .02, .03}};
    PairOptions two = o;
    two.bins = PairBins::rp_pi, two.los_edges = {0, .01, .02, .03};
    for (bool const two_sets : {false, true}) {
        o.weights = two.weights = {};
        check(o, two_sets);
        check(two, two_sets);
        o.weights = two.weights = weights;
        check(o, two_sets);
        check(two, two_sets);
    }
    // In many columns every point has a weight.
    detail::PairsShape shape{.points = 1000, .columns = 6, .item_bytes = sizeof(float)};
    auto const plain = detail::pairs_device_bytes(shape);
    shape.weighted = true;
    CHECK(detail::pairs_device_bytes(shape) == plain);
}
