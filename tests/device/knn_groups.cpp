// Folds that a group of lanes shares (tuning.group): kNN with dozens and hundreds of neighbours.
#include "device/support.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/nearest/device_nearest.hpp"
#include "zwalk/nearest/rows.hpp"

using namespace test;

namespace {

constexpr pos_t largest = 256;

/// Whether a group's queue of `given` keys holds the k smallest of them, up to a limit, ascending.
template <class T, class G>
bool queue_holds(G const& g, pos_t k, std::vector<T> const& given, pos_t left_out, Key<T> limit) {
    typename GroupCandidates<T, largest>::template On<G> queue;
    for (int times = 0; times < 2; ++times) {  // begun anew
        queue.begin(g, k, limit);
        for (std::size_t first = 0; first < given.size(); first += G::width) {
            typename G::template var<T> d2;
            std::size_t const n = std::min<std::size_t>(G::width, given.size() - first);
            for (std::size_t l = 0; l < G::width; ++l) d2[int(l)] = l < n ? given[first + l] : T(-5);
            queue.add(g, pos_t(first), unsigned(n), d2, left_out);
        }
        queue.finish(g);
    }
    std::vector<Key<T>> expected;
    for (pos_t i = 0; i < given.size(); ++i)
        if (i != left_out && given[i] <= limit.d2) expected.push_back({given[i], i});
    std::sort(expected.begin(), expected.end());
    std::size_t const found = std::min<std::size_t>(k, expected.size());
    expected.resize(k);
    if (!(queue.worst() == (found < k ? limit : expected.back()))) return false;
    std::vector<Key<T>> places(k, Key<T>{-1, 0}), handed;
    queue.each(g, [&](int, int i, Key<T> key) { places[std::size_t(i)] = key; });
    queue.hand_over(g, [&](auto const& keys) {
        CHECK(keys.size() == found);
        keys.each([&](int i, Key<T> key) {
            CHECK(std::size_t(i) == handed.size());
            handed.push_back(key);
        });
    });
    expected.resize(found);
    handed.resize(found);
    places.resize(found);
    return handed == expected && places == expected;
}

template <class T>
void check_queues(pos_t k, std::size_t n, unsigned different, pos_t left_out) {
    std::vector<T> d2(n);
    unsigned seed = k + unsigned(n);
    for (T& x : d2) x = T((seed = seed * 1664525 + 1013904223) >> 8) / T(1 << 24);
    for (T& x : d2)
        if (different) x = T(int(x * T(different)));  // ties
    CheckedRun run;
    for (Key<T> const limit : {Key<T>{}, Key<T>{n ? d2[n / 3] : T(1), no_pos}}) {
        CHECK(queue_holds<T>(CpuGroup<4>{}, k, d2, left_out, limit));
        CHECK(queue_holds<T>(CpuGroup<32>{}, k, d2, left_out, limit));
        CHECK(queue_holds<T>(CheckedGroup<8>{&run}, k, d2, left_out, limit));
        CHECK(queue_holds<T>(CheckedGroup<32>{&run}, k, d2, left_out, limit));
    }
    CHECK(run.races == 0);
}

/// kNN on groups of a device against knn().
template <int D, class T, bool checked, class Space>
void check_groups(Space const& space, std::vector<double> const& box, Rows<D, T> const& rows,
                  Rows<D, T> const* queries, pos_t k, bool exclude_self) {
    HostDevice<checked> device;
    auto const sources = build_tree(device, on_device<D, T>(rows), D, {});
    Tree<T, HostDevice<checked>> other;
    if (queries) other = build_targets(device, on_device<D, T>(*queries), sources, {});
    auto const& targets = queries ? other : sources;
    std::size_t const n = targets.size();
    std::vector<index_t> indices(n * k);
    std::vector<T> distances(n * k);
    using Trait = Nearest<D, T, NearestRows<T>, GroupCandidates<T, largest>>;
    Trait trait(attainable_k(k, sources.size()),
                {k, indices.data(), distances.data(), targets.input.data(), sources.input.data()});
    trait.exclude_self = exclude_self;
    walk(device, trait, space, targets, sources, {});
    KnnOptions const o{.k = k, .exclude_self = exclude_self, .box = box};
    auto const expected = queries ? knn(view<D>(rows), view<D>(*queries), o) : knn(view<D>(rows), o);
    CHECK(std::equal(indices.begin(), indices.end(), expected.indices.begin()));
    CHECK(std::equal(distances.begin(), distances.end(), expected.distances.begin()));
    CHECK(device.run.races == 0);
}

}  // namespace

TEST_CASE("a group's queue: the k smallest keys, whatever k, ties, and missing ones") {
    for (pos_t k : {1, 31, 32, 33, 64, 65, 96, 97, 133, 200, 255, 256})
        for (std::size_t n : {0, 1, 31, 33, 64, 200, 255, 256, 257, 1000})
            for (unsigned different : {0U, 1U, 3U, 40U}) {
                CAPTURE(k);
                CAPTURE(n);
                CAPTURE(different);
                check_queues<float>(k, n, different, n == 200 ? 7 : no_pos);
                check_queues<double>(k, n, different, no_pos);
            }
    CheckedRun run;  // distances that overflowed come before what isn't there
    CHECK(queue_holds<float>(CheckedGroup<32>{&run}, 40, std::vector(50, infinity<float>), no_pos, {}));
}

TEST_CASE("kNN on groups: every kind of points, more neighbours than points") {
    for (auto const& kind : plain_kinds())
        for (pos_t k : {33, 64, 65, 133, 200, 256}) {
            CAPTURE(kind);
            CAPTURE(k);
            for (std::size_t n : {1, 40, 700}) {
                auto const rows = make_points<3, float>(kind, n, 1);
                check_groups<3, float, false>(Open<3, float>{}, {}, rows, nullptr, k, k == 64);
            }
            auto const rows = make_points<3, float>(kind, 400, 2),
                       queries = make_points<3, float>("uniform", 70, 3);
            check_groups<3, float, false>(Open<3, float>{}, {}, rows, &queries, k, false);
        }
}

TEST_CASE("kNN on groups: double, periodic on one axis, no races") {
    Periodic<2, double> const space{{1, infinity<double>}};
    for (auto const* kind : {"uniform", "clustered", "sites40"}) {
        auto const rows = in_box<2, double>(kind, 500, 1, 4),
                   queries = in_box<2, double>("uniform", 50, 1, 5);
        for (pos_t k : {33, 100, 256}) {
            CAPTURE(kind);
            CAPTURE(k);
            check_groups<2, double, true>(space, {1, 0}, rows, nullptr, k, k == 100);
            check_groups<2, double, true>(space, {1, 0}, rows, &queries, k, false);
        }
    }
}

TEST_CASE("kNN on groups: without a sync() there are races") {
    auto const rows = make_points<3, float>("uniform", 200, 6);
    HostDevice<true> device;
    auto const tree = build_tree(device, on_device<3, float>(rows), 3, {.leaf_size = 30});
    std::vector<index_t> indices(rows.size() * 40);
    std::vector<float> distances(rows.size() * 40);
    using Trait = Nearest<3, float, NearestRows<float>, GroupCandidates<float, largest>>;
    Trait const trait(40, {40, indices.data(), distances.data()});
    auto const races = [&](long drop) {
        device.run = {};
        device.run.drop_sync = drop;
        walk(device, trait, Open<3, float>{}, tree, tree, {});
        return device.run.races;
    };
    CHECK(races(-1) == 0);
    long const before = device.run.syncs;
    REQUIRE(before > 400);
    // Two per time that newcomers enter the queue: before they are read, and after. One that guards nothing is
    // where each lane reads what it wrote itself, or where the next ones that come are few.
    int found[2] = {0, 0};
    for (long n = 100; n < 300; ++n) found[n % 2] += races(n) > 0;
    CHECK(found[0] > 50);
    CHECK(found[1] > 50);
}
