// What the exercises of docs/teaching share: points, and checks that say what is missing.
#pragma once
#include <array>
#include <cstdio>
#include <random>
#include <vector>

namespace lecture {

template <int D>
using Rows = std::vector<std::array<double, D>>;

/// Half of them spread evenly in [0, 1)^D, the other half a clump around the middle.
template <int D>
Rows<D> points(std::size_t n, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::normal_distribution<double> clump(.5, .05);
    Rows<D> rows(n);
    for (std::size_t i = 0; i < n; ++i)
        for (double& x : rows[i]) x = i % 2 ? uniform(random) : clump(random);
    return rows;
}

template <int D>
double distance2(std::array<double, D> const& p, std::array<double, D> const& q) {
    double d2 = 0;
    for (std::size_t j = 0; j < D; ++j) d2 += (q[j] - p[j]) * (q[j] - p[j]);
    return d2;
}

/// What an exercise asks for, one line each: "ok: ..." or "missing: ...".
class Checks {
  public:
    void need(bool done, char const* what) {
        std::printf("%s: %s\n", done ? "ok" : "missing", what);
        missing_ += !done;
    }
    /// The exit code of the program: 0 if nothing is missing.
    [[nodiscard]] int result() const {
        if (missing_ == 0) std::printf("all done\n");
        return missing_ > 0;
    }

  private:
    int missing_ = 0;
};

}  // namespace lecture
