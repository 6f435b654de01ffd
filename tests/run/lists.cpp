// Lists of the front door: the same lines on every place, against double loops.
#include <doctest/doctest.h>

#include "support/brute_knn.hpp"
#include "support/places.hpp"
#include "support/points.hpp"
#include "support/sanitized.hpp"
#include "traits/ball_lists.hpp"

using namespace test;
using namespace zwalk::examples;

namespace {

template <class T>
struct Pair {
    T d2;
    index_t row;
    auto operator<=>(Pair const&) const = default;
};

/// wanted(target row, source row, d2), for all pairs; in order of rows, or nearest first.
template <int D, class T, class Wanted>
std::vector<std::vector<Pair<T>>> brute_lists(Rows<D, T> const& targets, Rows<D, T> const& sources,
                                              std::vector<double> box, bool nearest,
                                              Wanted const& wanted) {
    if (box.size() == 1) box.resize(D, box[0]);
    std::vector<std::vector<Pair<T>>> lists(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        for (std::size_t j = 0; j < sources.size(); ++j) {
            T const d2 = plain_distance2(targets[i].data(), sources[j].data(), D, box);
            if (wanted(i, j, d2)) lists[i].push_back({d2, index_t(j)});
        }
        if (nearest) std::sort(lists[i].begin(), lists[i].end());
    }
    return lists;
}

template <class T>
bool same(Lists<T> const& found, std::vector<std::vector<Pair<T>>> const& expected, bool nearest) {
    if (found.size() != expected.size() || found.offsets[0] != 0) return false;
    if (found.distances.size() != (nearest ? found.rows.size() : 0)) return false;
    if (found.offsets[found.size()] != found.rows.size()) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        auto const rows = found[i];
        if (rows.size() != expected[i].size()) return false;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (rows[k] != expected[i][k].row) return false;
            if (nearest && found.distances[found.offsets[i] + k] != std::sqrt(expected[i][k].d2))
                return false;
        }
    }
    return true;
}

template <int D, class T>
void check_balls(T radius2, std::vector<double> const& box) {
    Ball<D, T> ball;
    ball.radius2 = radius2;
    auto const within = [&](auto, auto, T d2) { return d2 <= radius2; };
    for (auto const* kind : {"uniform", "clustered", "sites40", "equal", "line"})
        for (std::size_t n : {0, 1, 2, 49, int(fewer(500, 2))}) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(n);
            auto const rows = make_points<D, T>(kind, n, 1), others = make_points<D, T>(kind, n / 2, 2);
            auto const own = brute_lists<D, T>(rows, rows, box, false, within),
                       own_nearest = brute_lists<D, T>(rows, rows, box, true, within),
                       cross = brute_lists<D, T>(others, rows, box, false, within),
                       cross_nearest = brute_lists<D, T>(others, rows, box, true, within);
            for (pos_t leaf : {0, 5})
                on_places([&](auto& place) {
                    auto const tree =
                        make_tree<D>(place, rows, {.box = box, .tree = {.leaf_size = leaf}});
                    auto const targets = tree.targets(view<D>(others));
                    CHECK(same<T>(tree.lists(ball), own, false));
                    CHECK(same<T>(tree.template lists<ListOrder::nearest>(ball), own_nearest, true));
                    CHECK(same<T>(targets.lists_against(tree, ball), cross, false));
                    CHECK(same<T>(targets.template lists_against<ListOrder::nearest>(tree, ball),
                                  cross_nearest, true));
                });
        }
}

}  // namespace

TEST_CASE("lists: balls, open and in a box, one set of points and two") {
    check_balls<2, double>(.01, {4});
    check_balls<3, float>(.02f, {4, 0, 4});
}

TEST_CASE("lists: payloads and summaries, without a cutoff") {
    auto const rows = make_points<3, float>("clustered", 600, 3),
               others = make_points<3, float>("uniform", 150, 4);
    Random random(5);
    std::vector<Lamp> lamps(rows.size()), dim(others.size());
    for (auto& lamp : lamps) lamp.light = float(random.uniform() - .5);
    for (auto& lamp : dim) lamp.light = float(random.uniform() - .5);
    BrighterNearby<3, float> trait;
    trait.radius2 = .05f;
    auto const wanted = [&](std::vector<Lamp> const& own) {
        return [&](std::size_t i, std::size_t j, float d2) {
            return d2 <= .05f && lamps[j].light > 0 && own[i].light < lamps[j].light;
        };
    };
    // Each way compiles walks of its own: that nearest ones are right everywhere has been tested above.
    auto const by_row = brute_lists<3, float>(others, rows, {}, false, wanted(dim)),
               by_distance = brute_lists<3, float>(rows, rows, {}, true, wanted(lamps));
    on_places([&](auto& place) {
        auto const tree = make_tree<3>(place, rows);
        auto const light = tree.payload(lamps);
        auto const targets = tree.targets(view<3>(others));
        CHECK(
            same<float>(targets.lists_against(tree, trait, targets.payload(dim), light), by_row, false));
    });
    Cpu cpu(3);
    auto const tree = make_tree<3>(cpu, rows);
    CHECK(same<float>(tree.lists<ListOrder::nearest>(trait, tree.payload(lamps)), by_distance, true));
}

TEST_CASE("lists: memory is asked for once, and refused with numbers") {
    auto const rows = make_points<3, float>("equal", 300, 6);
    Ball<3, float> all;
    all.radius2 = 1;
    auto const refused = [&](auto& place) {
        auto const tree = make_tree<3>(place, rows);
        return refusal_of<Error>([&] { (void)tree.lists(all); });
    };
    Cpu small(2, 300 * 300 * 8 - 1), enough(2, 300 * 300 * 8);
    CHECK(refused(small) ==
          "300 lists with 90000 entries in all need 0.00072 GB, and 0.00072 GB are the memory budget: "
          "count without listing, or ask for fewer");
    CHECK(refused(enough) == "");
    HostDevice<true> device;
    device.budget = 300 * 300 * 16 - 1;
    CHECK(refused(device).find("300 lists with 90000 entries in all need 0.00144 GB") == 0);
    device.budget = 300 * 300 * 16;
    CHECK(refused(device) == "");
    HostDevice<true> full;
    full.memory_size = 1000000;
    CHECK(refused(full).find("GB are free") != std::string::npos);
    // Sizes that no 64-bit product holds.
    CHECK(refusal_of<Error>([] {
              detail::check_list_memory(1, ~std::uint64_t(0) / 2, 16, 1, 0);
          }).find("1 lists with 9223372036854775807 entries in all need 1.48e+11 GB") == 0);
}

TEST_CASE("lists: a device makes them in pieces where its budget is small") {
    auto const rows = make_points<3, float>("uniform", 2000, 9);
    Ball<3, float> ball;
    ball.radius2 = .01f;
    HostDevice<true> device;
    auto const tree = make_tree<3>(device, rows);
    auto const usual = tree.lists(ball);
    device.budget = usual.rows.size() * 16;
    auto const again = tree.lists(ball);
    CHECK(again.rows == usual.rows);
    CHECK(again.offsets == usual.offsets);
}

TEST_CASE("lists: refusals") {
    auto const rows = make_points<3, float>("uniform", 50, 9);
    Ball<3, float> ball;
    ball.radius2 = .01f;
    on_places([&](auto& place) {
        auto const tree = make_tree<3>(place, rows, {.box = {1}}), open = make_tree<3>(place, rows);
        CHECK(refusal_of([&] { (void)tree.lists_against(open, ball); }) ==
              "the two trees have different boxes: build one by targets() of the other");
        CHECK(refusal_of([&] {
                  (void)tree.lists(BrighterNearby<3, float>{}, open.payload(std::vector<Lamp>(50)));
              }) == "the payload was made by another tree");
    });
}

TEST_CASE("lists: sorting by distance, whatever the distances are") {
    Random random(3);
    auto const check = [&](auto zero, auto const& distance) {
        using T = decltype(zero);
        for (std::size_t n : {0, 1, 2, 47, 48, 49, 300, 5000}) {
            std::vector<ListedSource<T>> list;
            for (std::size_t i = 0; i < n; ++i) list.push_back({distance(), index_t(random.below(n))});
            auto expected = list;
            std::sort(expected.begin(), expected.end());
            detail::sort_by_distance(std::span(list));
            bool same = true;
            for (std::size_t i = 0; i < n; ++i)
                same = same && list[i].d2 == expected[i].d2 && list[i].row == expected[i].row;
            CHECK(same);
        }
    };
    check(0., [&] { return random.uniform(); });
    check(0.f, [&] { return float(random.below(4)); });
    check(0.f, [&] { return 0.f; });
    check(0.f, [&] { return float(std::pow(10., 75 * random.uniform() - 37)); });
    check(0., [&] { return std::pow(10., 600 * random.uniform() - 300); });
    check(0.f, [&] { return random.below(9) ? float(random.uniform()) : infinity<float>; });
    check(0.f, [&] { return float(random.below(50)) * std::numeric_limits<float>::denorm_min(); });
    check(0.f, [&] { return std::numeric_limits<float>::max() * float(random.uniform()); });
}
