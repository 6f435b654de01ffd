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
    DevicePoints<T> others;
    if (second) others = on_device<D, T>(*second);
    auto const counted = ask<detail::PairsAlgorithm, C>(
        device, points, detail::PairTask<T, HostDevice<checked>>{o, second ? &others : nullptr});
    auto const expected = second ? pair_counts(rows, *second, o) : pair_counts(rows, o);
    return counted.counts == expected.counts && counted.weighted == expected.weighted &&
           device.run.races == 0;
}

template <int C, int D, class T, bool checked = false>
void every_kind(std::size_t n) {
    for (auto const& kind : kinds()) {
        CAPTURE(D);
        CAPTURE(kind);
        auto const rows = make_points<D, T>(kind, n, D), others = make_points<D, T>(kind, n / 3, 7);
        auto const weights = some_weights(rows.size(), 1), theirs = some_weights(others.size(), 2);
        PairOptions o{.edges = {0, 1e-3, .01, .1, .2, .5, 2, 1e6}};
        CHECK(same_counts<C, D, T, checked>(rows, o));
        CHECK(same_counts<C, D, T, checked>(rows, o, &others));
        o.weights = weights;
        CHECK(same_counts<C, D, T, checked>(rows, o));
        o.second_weights = theirs;
        CHECK(same_counts<C, D, T, checked>(rows, o, &others));
    }
}

}  // namespace

TEST_CASE("device pairs: every kind of points") {
    every_kind<3, 3, float>(400);
    every_kind<3, 2, double>(300);
}

TEST_CASE("device pairs: every read is after its write") { every_kind<3, 3, float, true>(120); }

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
