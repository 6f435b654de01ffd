// Lecture 1: from a double loop to a trait. Counts the points within a radius of each, twice.
#ifdef SOLUTION
#include "teaching/trait/solution.hpp"
#else
#include "teaching/trait/start.hpp"
#endif

#include "teaching/lecture.hpp"
#include "zwalk/run/point_tree.hpp"
#include "zwalk/walk/trace.hpp"

constexpr double radius = .15;

// tutorial-begin loop
std::vector<zwalk::pos_t> by_loop(lecture::Rows<2> const& points) {
    std::vector<zwalk::pos_t> count(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < points.size(); ++j)
            count[i] += lecture::distance2<2>(points[i], points[j]) <= radius * radius;
    return count;
}
// tutorial-end loop

int main(int argc, char** argv) {
    auto const points = lecture::points<2>(400);
    // tutorial-begin walk
    zwalk::Tracing place;
    auto const tree =
        zwalk::make_tree<2>(place, points, {.tree = zwalk::tree_to_look_at(points.size())});
    auto count = tree.array<zwalk::pos_t>();
    CountNear trait;
    trait.radius2 = radius * radius;
    trait.count = count.data();
    tree.walk(trait);
    // tutorial-end walk
    auto const& trace = place.trace();
    std::printf("%s", trace.table_text().c_str());
    if (argc > 1) zwalk::write_page(argv[1], trace, {.title = "Lecture 1", .radius = radius});

    lecture::Checks checks;
    checks.need(count.in_input_order() == by_loop(points), "the counts of the double loop");
    std::uint64_t discarded = 0, accepted = 0;
    for (auto const& plane : trace.table()) {
        discarded += plane.of(zwalk::Decision::discard).points;
        accepted += plane.of(zwalk::Decision::accept).points;
    }
    checks.need(discarded > trace.all_pairs() / 4, "decide() discards what is too far away");
    checks.need(accepted > trace.all_pairs() / 5, "decide() accepts what is near enough as a whole");
    checks.need(trace.met < trace.all_pairs() / 5, "less than a fifth of all pairs of points meet");
    return checks.result();
}
