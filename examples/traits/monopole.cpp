// Gravity by Barnes and Hut's method: far nodes pull by their mass and centre of mass. The error against a double loop, for
// points one by one and for several at once (lanes).
#include "traits/monopole.hpp"

#include <cmath>
#include <cstdio>

#include "zwalk/run/cpu.hpp"
#include "zwalk/testing/points.hpp"

namespace {

using namespace zwalk;
using V = Vec<3, double>;
using Rows = testing::Rows<3, double>;

/// The root of the mean squared error of accelerations by a trait, relative to their mean square.
template <class Trait>
double error_of(Rows const& points, std::vector<V> const& exact) {
    Cpu place;
    auto const tree = make_tree<3>(place, points);
    auto pull = tree.array<V>();
    Trait trait;
    trait.theta2 = .5 * .5;
    trait.softening2 = .01 * .01;
    trait.acceleration = pull.data();
    tree.walk(trait, tree.payload(std::vector<examples::Mass<double>>(points.size(), {1.})));
    auto const found = pull.in_input_order();
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (int j = 0; j < 3; ++j) {
            error += std::pow(found[i][j] - exact[i][j], 2);
            norm += std::pow(exact[i][j], 2);
        }
    return std::sqrt(error / norm);
}

}  // namespace

int main() {
    auto const points = testing::make_points<3, double>("uniform", 3000, 1);
    examples::Monopole<3, double> trait;
    trait.softening2 = .01 * .01;
    std::vector<V> exact(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        for (auto const& q : points)
            trait.pull(exact[i], {q[0] - points[i][0], q[1] - points[i][1], q[2] - points[i][2]}, 1);
    double const one = error_of<examples::Monopole<3, double>>(points, exact),
                 several = error_of<examples::MonopoleLanes<3, double>>(points, exact);
    std::printf("%zu points, opening angle 0.5: relative error %.1e, with lanes %.1e\n", points.size(),
                one, several);
    return one < 5e-3 && std::abs(one - several) < 1e-9 ? 0 : 1;
}
