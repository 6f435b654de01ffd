// Lecture 2: bounds, and why they must hold. A trait that is right for 40 points, and what verify() says of it.
#ifdef SOLUTION
#include "teaching/bounds/solution.hpp"
#else
#include "teaching/bounds/start.hpp"
#endif

#include <iostream>

#include "teaching/lecture.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/testing/verify.hpp"

/// Rows that are not the nearest one of a larger colour.
int wrong_rows(std::size_t n) {
    auto const in_double = lecture::points<2>(n);
    std::vector<std::array<float, 2>> points;
    for (auto const& p : in_double) points.push_back({float(p[0]), float(p[1])});
    std::vector<Colour> colours(n);
    for (std::size_t i = 0; i < n; ++i) colours[i].colour = int(i * 7 % 10);

    zwalk::Cpu place(1);
    auto const tree = zwalk::make_tree<2>(place, points);
    auto nearest = tree.array<zwalk::pos_t>();
    NearestLarger trait;
    trait.nearest = nearest.data();
    tree.walk(trait, tree.payload(colours));
    auto const found = tree.rows_at(nearest);

    auto const distance2 = [&](std::size_t i, std::size_t j) {
        using V = zwalk::Vec<2, float>;
        return zwalk::distance2(zwalk::Open<2, float>{}, V{points[i][0], points[i][1]},
                                V{points[j][0], points[j][1]});
    };
    int wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
        float least = zwalk::infinity<float>;
        for (std::size_t j = 0; j < n; ++j)
            if (colours[j].colour > colours[i].colour) least = std::min(least, distance2(i, j));
        wrong +=
            found[i] < 0 ? least < zwalk::infinity<float> : distance2(i, std::size_t(found[i])) != least;
    }
    return wrong;
}

int main() {
    lecture::Checks checks;
    checks.need(wrong_rows(40) == 0, "right answers for 40 points, which are one leaf");
    checks.need(wrong_rows(5000) == 0, "right answers for 5000 points");
    // tutorial-begin verify
    auto const report = zwalk::verify(NearestLarger{}, zwalk::Outputs{&NearestLarger::nearest});
    std::cout << report;
    // tutorial-end verify
    checks.need(report.ok(), "verify() finds no mistake");
    return checks.result();
}
