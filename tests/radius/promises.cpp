// What radius search promises beside the answer: indices, orders, refusals, memory, what it costs.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "knn/check.hpp"
#include "radius/brute.hpp"
#include "support/on_threads.hpp"
#include "support/places.hpp"

using namespace test;

namespace {

template <class T>
bool same_result(RadiusResult<T> const& a, RadiusResult<T> const& b) {
    return a.counts == b.counts && a.offsets == b.offsets && a.indices == b.indices &&
           a.distances == b.distances && a.found == b.found;
}

}  // namespace

TEST_CASE("radius: an index gives what a call with the points gives") {
    auto const rows = in_box<3, double>("clustered", 900, 1, 1),
               others = in_box<3, double>("uniform", 120, 1, 2);
    for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0, 1}}) {
        Index<double> const index(rows, {.box = box, .tree = {.leaf_size = 20}}, Cpu(2));
        RadiusOptions const kept{.radius = .07};
        RadiusOptions with_box = kept;
        with_box.box = box;
        CHECK(same_result(radius_count(index, kept), radius_count(rows, with_box)));
        CHECK(same_result(radius_search(index, kept), radius_search(rows, with_box)));
        CHECK(same_result(radius_count(index, others, kept), radius_count(rows, others, with_box)));
        CHECK(same_result(radius_search(index, others, kept), radius_search(rows, others, with_box)));
        auto const self = brute_radius(view<3>(rows), view<3>(rows), with_box),
                   cross = brute_radius(view<3>(rows), view<3>(others), with_box);
        CHECK(visits_lists(self, [&](auto const& f) { radius_visit(index, f, kept); }));
        CHECK(visits_lists(cross, [&](auto const& f) { radius_visit(index, others, f, kept); }));
        for (std::size_t i : {0, 7}) {
            auto const one = radius_search(index, Rows<3, double>{others[i]}, kept);
            CHECK(lists_are(one, {cross[i]}));
        }
        RadiusOptions alone = kept;
        alone.exclude_self = true;
        with_box.exclude_self = true;
        CHECK(same_result(radius_search(index, alone), radius_search(rows, with_box)));
    }
}

TEST_CASE("radius: a visit that takes each pair once") {
    auto const rows = in_box<3, double>("clustered", 900, 1, 1);
    using PairOfRows = std::pair<index_t, index_t>;
    for (std::vector<double> const& box : {std::vector<double>{}, {1}}) {
        Index<double> const index(rows, {.box = box, .tree = {.leaf_size = 20}}, Cpu(2));
        std::mutex mutex;
        std::vector<PairOfRows> met, expected;
        auto const meet = [&](index_t row, NearestFirst<double> const& list) {
            std::lock_guard const lock(mutex);
            for (std::size_t i = 0; i < list.size(); ++i)
                met.emplace_back(std::min(row, list.index(i)), std::max(row, list.index(i)));
        };
        detail::RadiusAsked asked{{.radius = .07}, detail::RadiusWork::visit};
        asked.once = true;
        detail::find_radius_at(index, nullptr, meet, asked);
        auto const lists = radius_search(index, {.radius = .07});
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (auto k = lists.offsets[i]; k < lists.offsets[i + 1]; ++k)
                if (lists.indices[k] > index_t(i)) expected.emplace_back(i, lists.indices[k]);
        std::sort(met.begin(), met.end());
        std::sort(expected.begin(), expected.end());
        CHECK(met == expected);
    }
}

namespace {

/// Few queries of an index are answered by other code than a call with the points.
template <int D, class T>
void check_few(std::string const& kind, std::size_t queries) {
    CAPTURE(D);
    CAPTURE(kind);
    CAPTURE(queries);
    constexpr std::uint64_t seed = 5;
    CAPTURE(seed);
    auto const rows = make_points<D, T>(kind, 900, seed);
    auto others = make_points<D, T>(kind, queries, seed + 1);
    for (std::size_t i = 0; i < queries; i += 3) others[i] = rows[7 * i % rows.size()];  // exact ties
    Index<T> const index(rows, {}, Cpu(2));
    auto const nearest = knn(index, others, {.k = 9});
    std::vector<double> radii;
    for (std::size_t i = 0; i < queries; ++i) radii.push_back(double(nearest.distances[9 * i + i % 9]));
    for (RadiusOptions const& o :
         {RadiusOptions{.radius = radii[queries / 2]}, RadiusOptions{.radii = radii},
          RadiusOptions{.radius = radii[0], .distances = false}}) {
        CHECK(same_result(radius_search(index, others, o), radius_search(rows, others, o)));
        CHECK(same_result(radius_count(index, others, o), radius_count(rows, others, o)));
        auto const expected = brute_radius(view<D>(rows), view<D>(others), o);
        CHECK(visits_lists(expected, [&](auto const& f) { radius_visit(index, others, f, o); }));
    }
}

}  // namespace

TEST_CASE("radius: few queries of an index find what many find") {
    for (auto const* kind :
         {"uniform", "grid", "equal", "clustered", "huge"})  // equal: more than few search for
        for (std::size_t queries : {1, 16, 40, 220}) {
            check_few<1, double>(kind, queries);
            check_few<3, float>(kind, queries);
            check_few<8, double>(kind, queries);
        }
}

TEST_CASE("radius: of few queries of an index one finds much") {
    auto rows = make_points<3, float>("uniform", 3000, 8);
    for (std::size_t i = 0; i < 700; ++i) rows[i] = {2, 2, 2};
    Index<float> const index(rows, {}, Cpu(2));
    auto others = make_points<3, float>("uniform", 300, 9);
    others[101] = {2, 2, 2};
    RadiusOptions const o{.radius = .1};
    auto const found = radius_search(index, others, o);
    CHECK(same_result(found, radius_search(rows, others, o)));
    CHECK(found.offsets[102] - found.offsets[101] == 700);
    CHECK(same_result(radius_count(index, others, o), radius_count(rows, others, o)));
}

TEST_CASE("radius: a visit of lists in any order") {
    auto const rows = in_box<3, double>("uniform", 900, 1, 1);
    Index<double> const index(rows, {.tree = {.leaf_size = 20}}, Cpu(2));
    auto const others = in_box<3, double>("uniform", 700, 1, 2);
    auto const nearest_first = radius_search(index, others, {.radius = .2});
    std::vector<std::vector<index_t>> lists(others.size());
    std::atomic<int> sorted = 0, several = 0;
    auto const meet = [&](index_t row, NearestFirst<double> const& list) {
        bool ascend = true;
        for (std::size_t i = 0; i < list.size(); ++i) {
            lists[std::size_t(row)].push_back(list.index(i));
            ascend = ascend && (i == 0 || list.distance(i - 1) <= list.distance(i));
        }
        several += list.size() > 8;
        sorted += list.size() > 8 && ascend;
    };
    detail::RadiusAsked asked{{.radius = .2}, detail::RadiusWork::visit};
    asked.in_order = false;
    auto const asking = detail::others_of(others);
    detail::find_radius_at(index, &asking, meet, asked);
    for (std::size_t i = 0; i < others.size(); ++i) {
        std::vector<index_t> expected(nearest_first.indices.data() + nearest_first.offsets[i],
                                      nearest_first.indices.data() + nearest_first.offsets[i + 1]);
        std::sort(expected.begin(), expected.end());
        std::sort(lists[i].begin(), lists[i].end());
        CHECK(lists[i] == expected);
    }
    CHECK(several.load() > 100);
    CHECK(sorted.load() < several.load() / 2);  // their sort is saved
}

TEST_CASE("radius: visits of few queries of one index don't wait for each other") {
    auto const rows = make_points<3, float>("uniform", 1000, 8);
    Index<float> const index(rows, {}, Cpu(1));
    std::atomic<int> inside = 0;
    on_threads(3, [&](pos_t) {
        std::atomic<bool> first = true;
        radius_visit(index, Rows<3, float>(rows.begin(), rows.begin() + 40),
                     [&](index_t, auto const&) {
                         if (!first.exchange(false)) return;
                         ++inside;
                         while (inside < 3) std::this_thread::yield();
                     },
                     {.radius = .05});
    });
    CHECK(inside == 3);
}

TEST_CASE("radius: rows and sources in z-order") {
    auto const rows = make_points<3, float>("clustered", 700, 3),
               others = make_points<3, float>("clustered", 90, 4);
    RadiusOptions const plain{.radius = .02};
    RadiusOptions z = plain;
    z.order = Order::z;
    auto const by_input = [](Rows<3, float> const& from, auto const& order) {
        Rows<3, float> to;
        for (pos_t i : order) to.push_back(from[i]);
        return to;
    };
    auto const self = radius_search(rows, z);
    auto const sorted = by_input(rows, self.row_order);
    CHECK(self.row_order == self.source_order);
    CHECK(same_result(self, radius_search(sorted, plain)));
    CHECK(radius_count(rows, z).counts == radius_count(sorted, plain).counts);
    auto const cross = radius_search(rows, others, z);
    CHECK(cross.source_order == self.row_order);
    CHECK(same_result(cross, radius_search(sorted, by_input(others, cross.row_order), plain)));
    Index<float> const index(rows);
    auto const kept = radius_search(index, others, z);
    CHECK(same_result(kept, cross));
    CHECK(kept.row_order == cross.row_order);
    CHECK(kept.source_order.empty());
}

TEST_CASE("radius: without distances") {
    auto const rows = make_points<3, double>("clustered", 400, 3);
    RadiusOptions o{.radius = .1};
    auto const expected = brute_radius(view<3>(rows), view<3>(rows), o);
    o.distances = false;
    CHECK(lists_are(radius_search(rows, o), expected, false));
}

TEST_CASE("radius: the radius is rounded to the points' precision, and squares don't vanish") {
    // In float .1 * .1 is more than the square of the distance between 0 and .1f, as doubles have it.
    Rows<1, float> const rows{{0.f}, {.1f}, {std::nextafter(.1f, 1.f)}};
    auto const count = [&](double r) { return radius_count(rows, {.radius = r}).counts[0]; };
    CHECK(count(.1) == 2);  // float(.1) = .1f
    CHECK(count(double(std::nextafter(.1f, 0.f))) == 1);
    CHECK(count(double(std::nextafter(.1f, 1.f))) == 3);
    Rows<1, float> const small{{0.f}, {1e-30f}};
    CHECK(radius_count(small, {.radius = 0}).counts[0] == 1);
    CHECK(radius_count(small, {.radius = 1e-30}).counts[0] == 2);
}

TEST_CASE("radius: refusals") {
    auto const rows = make_points<3, float>("uniform", 50, 9);
    auto const says = [&](RadiusOptions const& o) {
        auto const count = refusal_of([&] { radius_count(rows, o); });
        CHECK(count == refusal_of([&] { radius_search(rows, o); }));
        CHECK(count == refusal_of([&] {
                  radius_visit(
                      rows, [](index_t, auto const&) {}, o);
              }));
        return count;
    };
    CHECK(says({.radius = -1}) == "the radius must be a finite number >= 0, but is -1");
    CHECK(says({.radius = std::nan("")}) == "the radius must be a finite number >= 0, but is nan");
    CHECK(says({.radius = infinity<double>}) == "the radius must be a finite number >= 0, but is inf");
    CHECK(says({.radius = 1e39}) == "the radius 1e+39 is too large for the precision of the points");
    CHECK(says({.radius = 1, .box = {.5}}).find("box") != std::string::npos);
    CHECK(says({.radius = 1}) == "");
    CHECK(refusal_of([&] { radius_search(rows, rows, {.radius = 1, .exclude_self = true}); }) ==
          "exclude_self needs the points to be their own queries: leave out either the queries or "
          "exclude_self");
    auto const flat = make_points<2, float>("uniform", 5, 1);
    CHECK(refusal_of([&] { radius_count(rows, flat, {.radius = 1}); }) ==
          "queries have 2 columns, but the points have 3");
    Index<float> const index(rows, {.box = {1}});
    CHECK(refusal_of([&] { radius_count(index, {.radius = 1, .box = {1}}); }) ==
          "an index has a box of its own: leave out that of the options");
    CHECK(refusal_of([&] { radius_count(index, flat, {.radius = 1}); }) ==
          "queries have 2 columns, but the points have 3");
    CHECK(refusal_of([&] { radius_count(index, Rows<3, float>{{5, 5, 5}}, {.radius = 1}); }) != "");
    auto bad = rows;
    bad[7][1] = std::nanf("");
    CHECK(refusal_of([&] { radius_count(rows, bad, {.radius = 1}); }).find("queries") !=
          std::string::npos);
    auto const of_few = [&](Rows<3, float> const& queries, RadiusOptions const& o) {
        return refusal_of([&] { radius_count(index, queries, o); });
    };
    CHECK(of_few({rows[0], bad[7]}, {.radius = 1}) ==
          "queries: row 1, column 1 is nan; coordinates must be finite");
    CHECK(of_few({rows[0]}, {.radius = -1}) == "the radius must be a finite number >= 0, but is -1");
    CHECK(of_few({rows[0]}, {.radius = 1, .box = {1}}) ==
          "an index has a box of its own: leave out that of the options");
    // Some of many rows are asked first, but which row is bad is said of all.
    auto far = std::vector(100, rows[0]);
    far[50] = bad[7];
    far[0] = {1e30f, 0, 0};
    auto const refused = [&](RadiusOptions const& o) {
        return refusal_of([&] { radius_count(index, far, o); });
    };
    RadiusOptions z{.radius = 1};
    z.order = Order::z;
    CHECK(refused({.radius = 1}) == refused(z));
    CHECK(refused({.radius = 1}).find("row 50") != std::string::npos);
    far[50] = {1e35f, 0, 0};
    CHECK(refused({.radius = 1}) == refused(z));
    std::vector<double> const radii{1, -2};
    CHECK(of_few({rows[0], rows[1]}, {.radii = radii}) ==
          "the radius of row 1 must be a finite number >= 0, but is -2");
}

TEST_CASE("radius: lists that don't fit are refused before they are made, counts are not") {
    auto const rows = make_points<3, float>("equal", 1000, 1);
    Cpu const small(1, 1000 * 1000 * 12 - 1), enough(1, 1000 * 1000 * 12);
    CHECK(refusal_of<Error>([&] { radius_search(rows, {.radius = 0}, small); }) ==
          "1000 lists with 1000000 entries in all need 0.012 GB, and 0.012 GB are the memory budget: "
          "count without listing, or ask for fewer");
    CHECK(radius_search(rows, {.radius = 0}, enough).found == 1000000);
    CHECK(radius_count(rows, {.radius = 0}, small).found == 1000000);
}

TEST_CASE("radius: counting takes near nodes whole, however many points are near") {
    auto const rows = make_points<3, float>("equal", 20000, 1);
    auto const r = radius_count(rows, {.radius = .1});
    CHECK(r.found == 20000ULL * 20000);
    CHECK(count_of(r.stats, "node_entries") < 100000);
    auto const alone = radius_count(rows, {.radius = .1, .exclude_self = true});
    CHECK(alone.found == 20000ULL * 19999);
    CHECK(count_of(alone.stats, "node_entries") < 100000);
}

TEST_CASE("radius: an object that throws") {
    auto const rows = make_points<3, float>("uniform", 500, 1);
    auto const f = [](index_t row, auto const&) {
        if (row == 400) throw std::runtime_error("stop");
    };
    CHECK_THROWS_WITH(radius_visit(rows, f, {.radius = .1}, Cpu(2)), "stop");
}
