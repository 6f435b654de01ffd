// Points of the seed spreader of J. Gan and Y. Tao, "On the hardness and approximation of Euclidean DBSCAN", TODS 42
// (2017) 14, with densities that vary: what papers on clustering and spanning trees call VisualVar.
#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "generate.hpp"
#include "random.hpp"

namespace zwalk::apps {

/// A seed walks through a cube of side 1e5: it scatters 100 points uniformly in a ball around it, steps in a random direction by half the
/// ball's radius times D, and so on. It jumps to a random place 10 times, as is to be expected; from one jump to the next the radius
/// goes from 100 to 1000 and begins again. One point in 1e4 is noise, anywhere in the cube. All are shuffled.
///
/// The walk is made here, O(n D / 100) of time and memory, so that each point can be made on its own. Two things differ from the
/// original: jumps happen between balls, and walls reflect the seed (in the original it walks out of the cube).
class SeedSpreader {
  public:
    static constexpr double side = 1e5, noise = 1e-4, jumps = 10;
    static constexpr std::uint64_t in_ball = 100;

    SeedSpreader(std::uint64_t n, int dim, Random all)
        : dim_(std::size_t(dim)), points_(all.split(0)), shuffled_(n, all.split(1)) {
        std::uint64_t const balls = n / in_ball + (n % in_ball != 0);
        Random walk = all.split(2);
        std::vector<double> seed(dim_), way(dim_);
        int radius = 100;
        places_.reserve(balls * dim_), radii_.reserve(balls);
        for (std::uint64_t ball = 0; ball < balls; ++ball) {
            if (ball == 0 || walk.uniform() < jumps * double(in_ball) / double(n)) {
                if (ball > 0) radius = radius % 1000 + 100;
                for (double& c : seed) c = side * walk.uniform();
            } else {
                direction(walk, way);
                for (std::size_t j = 0; j < dim_; ++j)
                    seed[j] = reflected(seed[j] + double(radius) * double(dim) / 2 * way[j]);
            }
            places_.insert(places_.end(), seed.begin(), seed.end());
            radii_.push_back(radius);
        }
    }

    void operator()(std::uint64_t i, std::span<double> x) const {
        i = shuffled_(i);
        Random r = points_.split(i);
        if (r.uniform() < noise) {
            for (double& c : x) c = side * r.uniform();
            return;
        }
        double far =
            0;  // the largest of D uniform numbers is as far out as a point uniform in the ball of radius 1
        for (std::size_t j = 0; j < dim_; ++j) far = std::fmax(far, r.uniform());
        direction(r, x);
        std::uint64_t const ball = i / in_ball;
        for (std::size_t j = 0; j < dim_; ++j)
            x[j] = places_[ball * dim_ + j] + double(radii_[ball]) * far * x[j];
    }

  private:
    /// Uniform among directions.
    static void direction(Random& r, std::span<double> x) {
        double norm2 = 0;
        while (norm2 == 0) {
            for (double& c : x) c = r.normal(), norm2 += c * c;
        }
        for (double& c : x) c /= std::sqrt(norm2);
    }
    /// A step is shorter than the cube in up to 199 dimensions, so that one reflection is enough.
    static double reflected(double c) { return c < 0 ? -c : c > side ? 2 * side - c : c; }

    std::size_t dim_;
    Random points_;
    Permutation shuffled_;
    std::vector<double> places_;  ///< of the balls' centres, one after another
    std::vector<int> radii_;
};

inline PointMaker seed_spreader(std::uint64_t n, int dim, Random all) {
    return [spread = std::make_shared<SeedSpreader const>(n, dim, all)](
               std::uint64_t i, std::span<double> x) { (*spread)(i, x); };
}

}  // namespace zwalk::apps
