// Pair counts on a GPU against CPU threads: the same counts, and sums of the same bits.
#include "zwalk/pairs/pairs.hpp"

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "fof/brute.hpp"
#include "knn/check.hpp"
#include "pairs/brute.hpp"
#include "support/places.hpp"

using namespace test;

namespace {

template <int D, class T>
bool same_counts(Rows<D, T> const& rows, PairOptions o, Rows<D, T> const& second) {
    auto const same = [](PairCounts const& a, PairCounts const& b) {
        return a.counts == b.counts && a.weighted == b.weighted;
    };
    auto const weights = some_weights(rows.size(), 1);
    for (bool weighted : {false, true}) {
        if (weighted) o.weights = weights;
        if (!same(pair_counts(rows, o), pair_counts(rows, o, on_gpu()))) return false;
        if (!same(pair_counts(rows, second, o), pair_counts(rows, second, o, on_gpu()))) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("GPU pairs: every kind of points") {
    PairOptions const o{.edges = {0, 1e-3, .01, .1, .2, .5, 2, 1e6}};
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const n = std::min<std::size_t>(large(), 1500);
        CHECK(same_counts<3, float>(make_points<3, float>(kind, n, 1), o,
                                    make_points<3, float>(kind, n / 3, 2)));
        CHECK(same_counts<2, double>(make_points<2, double>(kind, n, 1), o,
                                     make_points<2, double>(kind, n / 3, 2)));
        for (PairBins const bins : {PairBins::rp_pi, PairBins::s_mu}) {
            PairOptions two = o;
            two.bins = bins, two.los_edges = {0, .01, .3, 1}, two.line_of_sight = 1;
            CHECK(same_counts<3, float>(make_points<3, float>(kind, n, 1), two,
                                        make_points<3, float>(kind, n / 3, 2)));
            CHECK(same_counts<2, double>(make_points<2, double>(kind, n, 1), two,
                                         make_points<2, double>(kind, n / 3, 2)));
        }
    }
}

TEST_CASE("GPU pairs: larger sets, periodic") {
    PairOptions o{.edges = {.001, .01, .02, .04}, .box = {1}};
    auto const rows = in_box<3, float>("clustered", large(), 1, 3),
               others = in_box<3, float>("uniform", large() / 2, 1, 4);
    CHECK(same_counts<3, float>(rows, o, others));
    o.bins = PairBins::rp_pi;  // all threads add to the same cells
    for (int i = 0; i <= 40; ++i) o.los_edges.push_back(i * .001);
    CHECK(same_counts<3, float>(rows, o, others));
}
