// The two-point correlation function of points that come in clumps, by the estimator of Landy and Szalay, and checked
// against what is known of it in a periodic box.
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "zwalk/pairs/pairs.hpp"

namespace {

using Position = std::array<double, 3>;

/// Points in the unit box: one by one, or around each of them some more, as a Gaussian clump.
std::vector<Position> clumps(std::size_t n, int each, double width, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> anywhere(0, 1);
    std::normal_distribution<double> near(0, width);
    auto const wrapped = [](double x) {
        x -= std::floor(x);
        return x < 1 ? x : 0;
    };
    std::vector<Position> points;
    while (points.size() < n) {
        Position const centre{anywhere(random), anywhere(random), anywhere(random)};
        for (int i = 0; i < each; ++i) {
            points.push_back(centre);
            if (each > 1)
                for (double& x : points.back()) x = wrapped(x + near(random));
        }
    }
    return points;
}

// tutorial-begin landy-szalay
/// xi(r) in each bin: the excess of pairs over points that are spread at random like `randoms`.
std::vector<double> landy_szalay(std::vector<Position> const& data, std::vector<Position> const& randoms,
                                 zwalk::PairOptions const& options) {
    auto const dd = zwalk::pair_counts(data, options), dr = zwalk::pair_counts(data, randoms, options),
               rr = zwalk::pair_counts(randoms, options);
    double const n = double(data.size()), m = double(randoms.size());
    std::vector<double> xi;
    for (std::size_t i = 0; i < dd.counts.size(); ++i) {
        // Pairs of the points of one set are ordered, i != j; those of two sets are all n m.
        double const both = double(dd.counts[i]) / (n * (n - 1)), cross = double(dr.counts[i]) / (n * m),
                     random = double(rr.counts[i]) / (m * (m - 1));
        xi.push_back((both - 2 * cross + random) / random);
    }
    return xi;
}
// tutorial-end landy-szalay

}  // namespace

int main() {
    auto const data = clumps(20000, 20, .01, 1), randoms = clumps(60000, 1, 0, 2);
    std::vector<double> edges;
    for (int i = 0; i <= 8; ++i) edges.push_back(.005 * std::pow(2., i * .75));
    zwalk::PairOptions const options{.edges = edges, .box = {1}};
    auto const xi = landy_szalay(data, randoms, options);
    auto const dd = zwalk::pair_counts(data, options);

    // In a periodic box random pairs need not be counted: their number is the volume of the shell.
    int wrong = 0;
    std::printf("  r from      to       xi   expected\n");
    double const n = double(data.size());
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        double const shell =
            4. / 3 * 3.14159265358979 * (std::pow(edges[i + 1], 3) - std::pow(edges[i], 3));
        double const expected = double(dd.counts[i]) / (n * (n - 1) * shell) - 1;
        std::printf("%8.4f %8.4f %8.3f %8.3f\n", edges[i], edges[i + 1], xi[i], expected);
        wrong += std::abs(xi[i] - expected) > .15 * (1 + expected);
    }
    wrong += !(xi.front() > 10) +
             !(std::abs(xi.back()) < .1);  // clumps are dense, and no larger than some .01
    return wrong != 0;
}
