// The k nearest as a service of the front door: an output of one's own, on every place.
#include <doctest/doctest.h>

#include <cstdlib>

#include "knn/check.hpp"
#include "support/brute_knn.hpp"
#include "support/sanitized.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"

using namespace test;

namespace {

// tutorial-begin output
/// The k-th neighbour's position, the sum of squared distances, and how many there are.
struct Neighbourhood {
    pos_t last = no_pos, found = 0;
    double sum = 0;
};
template <class T>
struct Summarise {
    Neighbourhood* of;
    template <class Point, class Found>
    ZWALK_HD void operator()(Point const& point, Found const& found) const {
        Neighbourhood n;
        n.found = pos_t(found.size());
        found.each([&](int, Key<T> key) {
            n.last = key.pos;
            n.sum += double(key.d2);
        });
        of[point.index] = n;
    }
};
// tutorial-end output

template <int D, class T, class P>
void check_tree(P& place, std::string const& kind, std::vector<double> const& box,
                NearestSearch const& search) {
    auto const rows = in_box<D, T>(kind, fewer(700, 2), 1, 1), others = in_box<D, T>(kind, 90, 1, 2);
    auto const tree = make_tree<D>(place, rows, {.box = box, .tree = {.leaf_size = 12}});
    auto const check = [&](auto const& targets, Rows<D, T> const& points, bool self) {
        auto seen = targets.template array<Neighbourhood>();
        if (self) targets.nearest(search, Summarise<T>{seen.data()});
        else
            targets.nearest_of(tree, {.k = search.k, .within = search.within},
                               Summarise<T>{seen.data()});
        auto const all = seen.in_input_order();
        auto const z = z_order(view<D>(rows));
        auto const last = self ? tree.rows_at(seen, &Neighbourhood::last) : std::vector<index_t>{};
        bool right = true;
        for (std::size_t i = 0; i < points.size(); ++i) {
            bool const alone = self && search.exclude_self;
            auto keys = brute_knn(view<D>(rows), z, points[i].data(), pos_t(search.k), box,
                                  alone ? i : std::size_t(-1));
            std::erase_if(keys, [&](auto const& key) { return std::sqrt(key.d2) > T(search.within); });
            double sum = 0;
            for (auto const& key : keys) sum += double(key.d2);
            right = right && all[i].found == keys.size() &&
                    all[i].last == (keys.empty() ? no_pos : keys.back().pos) && all[i].sum == sum &&
                    (!self || last[i] == (keys.empty() ? -1 : index_t(z[keys.back().pos])));
        }
        CHECK(right);
    };
    check(tree, rows, true);
    check(tree.targets(view<D>(others)), others, false);
}

template <class P>
void check_place(P& place) {
    for (auto const* kind : {"uniform", "clustered", "sites40", "line"})
        for (index_t k : {1, 9, 40, 300}) {
            CAPTURE(kind);
            CAPTURE(k);
            check_tree<3, float>(place, kind, {}, {.k = k, .exclude_self = k == 9});
            check_tree<2, double>(place, kind, {1, 0}, {.k = k});
            check_tree<3, float>(place, kind, {1, 1, 1}, {.k = k, .exclude_self = true, .within = .06});
        }
}

}  // namespace

TEST_CASE("front door: the k nearest on CPU threads") {
    for (int threads : {1, 3}) {
        Cpu cpu(threads);
        check_place(cpu);
    }
}

TEST_CASE("front door: the k nearest in eight dimensions, by walks and all with all") {
    Cpu cpu(2);
    for (char const* all_pairs : {"0", "1", ""}) {  // "": as the framework chooses
        setenv("ZWALK_ALL_PAIRS", all_pairs, 1);
        for (index_t k : {5, 70}) {
            CAPTURE(all_pairs);
            CAPTURE(k);
            check_tree<8, float>(cpu, "uniform", {}, {.k = k, .exclude_self = k == 5});
        }
    }
    unsetenv("ZWALK_ALL_PAIRS");
}

TEST_CASE("front door: the k nearest on a device") {
    HostDevice<> device;
    check_place(device);
}

TEST_CASE("front door: the k nearest, few points and refusals") {
    Cpu cpu;
    for (std::size_t n : {0, 1, 2}) {
        auto const rows = make_points<3, float>("uniform", n, 3);
        auto const tree = make_tree<3>(cpu, rows);
        auto seen = tree.array<Neighbourhood>();
        tree.nearest({.k = 5, .exclude_self = true}, Summarise<float>{seen.data()});
        for (Neighbourhood const& s : seen.in_z_order()) CHECK(s.found == n - 1);
    }
    auto const rows = make_points<3, float>("uniform", 20, 3);
    auto const tree = make_tree<3>(cpu, rows);
    Summarise<float> const nowhere{nullptr};
    CHECK_THROWS_WITH_AS(tree.nearest({.k = 0}, nowhere), doctest::Contains("k must be at least 1"),
                         InputError);
    CHECK_THROWS_WITH_AS(tree.nearest({.within = -1}, nowhere), "within must be at least 0, but is -1",
                         InputError);
    CHECK_THROWS_WITH_AS(
        tree.targets(view<3>(rows)).nearest_of(tree, {.k = 1, .exclude_self = true}, nowhere),
        doctest::Contains("exclude_self"), InputError);
}
