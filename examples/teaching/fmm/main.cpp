// Lecture 4: up and down. Potentials of 3000 masses by a fast multipole method, against the double loop.
#ifdef SOLUTION
#include "teaching/fmm/solution.hpp"
#else
#include "teaching/fmm/start.hpp"
#endif

#include "teaching/lecture.hpp"
#include "zwalk/run/point_tree.hpp"
#include "zwalk/walk/trace.hpp"

int main() {
    auto const points = lecture::points<3>(3000);
    std::vector<Mass> masses(points.size());
    for (std::size_t i = 0; i < masses.size(); ++i) masses[i].mass = 1 + double(i % 3);

    // tutorial-begin walk
    zwalk::Tracing place;
    auto const tree =
        zwalk::make_tree<3>(place, points, {.tree = {.leaf_size = 8, .coarsening = 4, .top_nodes = 1}});
    auto found = tree.array<double>();
    Potential trait;
    trait.opening2 = .7 * .7;
    trait.potential = found.data();
    tree.walk(trait, tree.payload(masses));
    // tutorial-end walk
    auto const potential = found.in_input_order();

    double error = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        double exact = 0;
        for (std::size_t j = 0; j < points.size(); ++j)
            if (i != j) exact -= masses[j].mass / std::sqrt(lecture::distance2<3>(points[i], points[j]));
        error += std::abs(potential[i] / exact - 1) / double(points.size());
    }
    double const met = double(place.trace().met) / double(place.trace().all_pairs());
    std::printf("mean error %.1e; %.1f %% of all pairs of points met\n", error, 100 * met);

    lecture::Checks checks;
    checks.need(met < .5, "less than half of all pairs of points meet");
    checks.need(error < 5e-2, "the mean error is below 5e-2");
    checks.need(error < 3e-3, "the mean error is below 3e-3");
    return checks.result();
}
