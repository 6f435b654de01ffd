// Queries that are answered without a tree: the bits of brute force and of a tree, and when that is done.
#include "zwalk/knn/detail/scan_cost.hpp"

#include <algorithm>
#include <set>

#include "knn/check.hpp"
#include "knn/src/scan.hpp"
#include "support/sanitized.hpp"
#include "support/ways.hpp"
#include "zwalk/core/interrupt.hpp"
#include "zwalk/core/progress.hpp"

using namespace test;

namespace {

template <class T>
bool scanned(KnnResult<T> const& r) {
    return !r.stats.counts.empty() &&
           r.stats.counts.front() == std::pair<std::string, std::uint64_t>("scanned", 1);
}

/// The scan, which is that of brute force and what a tree finds.
template <int D, class T>
bool scan_is_right(Rows<D, T> const& sources, Rows<D, T> const& queries, KnnOptions const& o,
                   Cpu const& cpu = Cpu(2), bool may_give_up = false) {
    auto const asked = [&](bool scan) {
        AskedScan const way(scan);
        return knn(view<D>(sources), view<D>(queries), o, cpu);
    };
    auto const scan = asked(true), tree = asked(false);
    CHECK_FALSE(scanned(tree));
    if (!may_give_up) CHECK(scanned(scan));
    AskedScan const way(true);
    return same_bits(scan, tree) &&
           equals_brute_force(scan, view<D>(sources), view<D>(queries), o, 50) &&
           visits(scan, [&](auto const& seen) {
               (void)knn_visit(view<D>(sources), view<D>(queries), seen, o, cpu);
           });
}

template <int D, class T>
void right_for(std::vector<std::string> const& kinds, std::size_t n) {
    if (D > ZWALK_MAX_DIM) return;
    std::set<std::string> const ties{"equal", "zeros", "clumps", "huge"};
    for (auto const& kind : kinds) {
        auto const sources = make_points<D, T>(kind, n, D);
        auto queries = make_points<D, T>(kind, n / 3, D + 1);
        queries.insert(queries.end(), sources.begin(), sources.begin() + std::ptrdiff_t(n / 5));
        for (index_t const k : {1, 7, 60}) {
            CAPTURE(D);
            CAPTURE(sizeof(T));
            CAPTURE(kind);
            CAPTURE(k);
            bool const may_give_up = D <= 2 || ties.count(kind) > 0;
            CHECK(scan_is_right<D, T>(sources, queries, {.k = k}, Cpu(2), may_give_up));
        }
    }
}

/// Points on the corners of a grid of `side` in each of D dimensions: nearly all distances tie.
template <int D>
Rows<D, float> corners(std::size_t n, int side, std::uint64_t seed) {
    Random r(seed);
    Rows<D, float> rows(n);
    for (auto& p : rows)
        for (float& x : p) x = float(r.below(std::uint64_t(side)));
    return rows;
}

}  // namespace

TEST_CASE("scan: every kind of points, as brute force and as a tree") {
    auto const all = some(kinds(), 3);
    right_for<1, float>(all, 200);
    right_for<2, double>(all, 200);
    right_for<3, float>(all, 300);
    right_for<3, double>(all, 150);
    right_for<4, float>(all, 150);
    right_for<5, double>(all, 150);
    right_for<6, float>(all, 150);
    right_for<7, double>(all, 150);
    right_for<8, float>(all, 200);
    std::vector<std::string> const few{"uniform", "clustered", "zeros", "sites40", "huge", "subnormal"};
    right_for<16, double>(few, 150);
    right_for<33, float>(few, 150);
    right_for<64, float>(few, 150);
    right_for<64, double>(few, 100);
}

TEST_CASE("scan: periodic boxes, whole and on some axes, and a largest distance") {
    for (auto const* kind : {"uniform", "clustered", "sites40"})
        for (double const within : {infinity<double>, .3, 0.}) {
            CAPTURE(kind);
            CAPTURE(within);
            CHECK(scan_is_right<3, float>(in_box<3, float>(kind, 400, 1, 1),
                                          in_box<3, float>("uniform", 70, 1, 2),
                                          {.k = 9, .within = within, .box = {1, 0, 1}}));
            CHECK(scan_is_right<2, double>(in_box<2, double>(kind, 400, 2.5, 3),
                                           in_box<2, double>(kind, 70, 2.5, 3),
                                           {.k = 5, .within = within, .box = {2.5}}));
            CHECK(scan_is_right<8, float>(in_box<8, float>(kind, 300, .5, 5),
                                          in_box<8, float>(kind, 70, .5, 6),
                                          {.k = 20, .within = within, .box = {.5}}));
        }
}

TEST_CASE("scan: hundreds of neighbours") {
    for (auto const* kind : {"uniform", "clustered", "grid"})
        for (index_t const k : {101, 512, 1000}) {
            CAPTURE(kind);
            CAPTURE(k);
            CHECK(scan_is_right<3, float>(make_points<3, float>(kind, 2000, 1),
                                          make_points<3, float>(kind, 30, 2), {.k = k}));
            CHECK(scan_is_right<8, double>(make_points<8, double>(kind, 1500, 1),
                                           make_points<8, double>(kind, 30, 2), {.k = k}));
        }
}

TEST_CASE("scan: few points, and more neighbours than points") {
    for (std::size_t const n : {0, 1, 2, 7, 8, 9, 63, 64, 65, 129})
        for (std::size_t const queries : {0, 1, 7, 65})
            for (index_t const k : {1, 8, 9, 64, 200}) {
                CAPTURE(n);
                CAPTURE(queries);
                CAPTURE(k);
                CHECK(scan_is_right<6, float>(make_points<6, float>("uniform", n, 5),
                                              make_points<6, float>("uniform", queries, 6), {.k = k}));
            }
}

TEST_CASE("scan: the same bits on any number of threads, in ranges of sources and tiles of queries") {
    auto const sources = make_points<3, float>("clustered", fewer(100'000, 3), 1);
    for (std::size_t const n : {1, 255, 257, 1500})
        for (int const threads : {1, 2, 5})
            CHECK(scan_is_right<3, float>(sources, make_points<3, float>("clustered", n, 1), {.k = 12},
                                          Cpu(threads)));
}

TEST_CASE("scan: ties with the last neighbour, more than are kept at first") {
    // 81 corners, so that each has 37 copies; 65 536, of which a few dozen are as near as the k-th.
    CHECK(scan_is_right<4, float>(corners<4>(3000, 3, 1), corners<4>(20, 3, 2), {.k = 5}));
    CHECK(scan_is_right<8, float>(corners<8>(40'000, 4, 1), corners<8>(30, 4, 2), {.k = 10}));
    // 5000 queries are more than are in hand at a time.
    CHECK(scan_is_right<4, float>(corners<4>(3000, 3, 1), corners<4>(5000, 3, 2), {.k = 70}, Cpu(1),
                                  true));
}

TEST_CASE("scan: rows in the order of where they lie") {
    std::size_t const n = 200'000;  // among much fewer a scan may give up: a tree is as fast there
    for (bool const down : {false, true}) {
        auto sources = make_points<1, float>("uniform", n, 1);
        std::sort(sources.begin(), sources.end());
        if (down) std::reverse(sources.begin(), sources.end());
        for (float const at : {-1.F, .5F, 2.F})
            for (std::size_t const queries : {1, 100}) {
                CAPTURE(down);
                CAPTURE(at);
                Rows<1, float> const same(queries, {at});
                CHECK(scan_is_right<1, float>(sources, same, {.k = 10}, Cpu(1)));
            }
    }
}

TEST_CASE("scan: gives up where most sources tie, also for a visitor and at later queries") {
    Rows<3, float> const equal(60'000, {.5F, .5F, .5F});
    auto queries = make_points<3, float>("uniform", 5000, 1);
    Cpu const cpu(1);
    CHECK(scan_is_right<3, float>(equal, queries, {.k = 3}, cpu, true));
    // 4096 queries are in hand at a time, of which here only later ones have ties.
    auto sources = make_points<3, float>("uniform", 4000, 2);
    sources.insert(sources.end(), 40'000, {9, 9, 9});
    for (std::size_t i = 4500; i < 4510; ++i) queries[i] = {9, 9, 9};
    queries.resize(4510);
    CHECK(scan_is_right<3, float>(sources, queries, {.k = 3}, cpu, true));
    AskedScan const way(true);
    CHECK_FALSE(scanned(knn(view<3>(sources), view<3>(queries), {.k = 3}, cpu)));
}

TEST_CASE("scan: among copies it is given up before many pairs have met") {
    std::size_t const n = 300'000;
    for (std::size_t const sites : {1, 3, 100}) {
        CAPTURE(sites);
        auto const site = make_points<3, float>("uniform", sites, 1);
        Rows<3, float> sources(n), queries(200);
        for (std::size_t i = 0; i < n; ++i) sources[i] = site[i * 7919 % sites];
        for (std::size_t i = 0; i < queries.size(); ++i) queries[i] = site[i % sites];
        CHECK(detail::prefers_scan({n, queries.size(), 3, 10, 4, 1}, [] { return 1.; }));
        CHECK_FALSE(scanned(knn(view<3>(sources), view<3>(queries), {.k = 10}, Cpu(1))));
        std::vector<index_t> rows(queries.size() * 10);
        std::vector<float> distances(rows.size());
        Cpu cpu(1);
        auto const done = cpu.run([&] {
            return detail::scan_nearest<float>(
                cpu, {.sources = view<3>(sources), .targets = view<3>(queries), .k = 10},
                {10, rows.data(), distances.data()});
        });
        CHECK_FALSE(done.all);
        CHECK(done.pairs < n * queries.size() / (sites > 10 ? 2 : 50));
    }
}

TEST_CASE("scan: refuses what a tree refuses") {
    auto const rows = make_points<3, float>("uniform", 100, 1);
    AskedScan const way(true);
    KnnOptions const narrow{.k = 2, .box = {.1}}, cut{.k = 2, .tree = {.top_nodes = 0}};
    CHECK_THROWS_AS(knn(view<3>(rows), view<3>(rows), narrow), InputError);
    CHECK_THROWS_AS(knn(view<3>(rows), view<3>(rows), cut), InputError);
}

TEST_CASE("scan: can be interrupted, and shows its progress") {
    auto const rows = make_points<8, float>("uniform", 200'000, 1);
    auto const queries = make_points<8, float>("uniform", 300, 2);
    AskedScan const way(true);
    Interrupt interrupt;
    interrupt.request();
    {
        Interrupt::Scope const scope(interrupt);
        CHECK_THROWS_AS(knn(view<8>(rows), view<8>(queries)), Interrupted);
    }
    Progress progress;
    {
        Progress::Scope const scope(progress);
        (void)knn(view<8>(rows), view<8>(queries));
    }
    CHECK(progress.now().pass > 0);
    CHECK(progress.now().part == 1);
}

TEST_CASE("scan: chosen for few queries in many dimensions, and a tree for many in few") {
    auto const scans = [](detail::ScanShape const& shape, double near) {
        return detail::prefers_scan(shape, [=] { return near; });
    };
    for (int const threads : {1, 2, 16})
        for (std::size_t const item : {4, 8}) {
            CAPTURE(threads);
            CAPTURE(item);
            for (std::size_t const n : {100'000, 1'000'000}) {
                CHECK(scans({n, 240, 64, 10, item, threads}, .01));
                CHECK(scans({n, 240, 16, 10, item, threads}, .01));
                CHECK(scans({n, 1, 3, 16, item, threads}, .01));
                CHECK(scans({n, 5000, 64, 16, item, threads}, 1));
                CHECK_FALSE(scans({n, 50'000, 64, 16, item, threads}, .001));
                CHECK_FALSE(scans({n, n, 3, 16, item, threads}, .003));
                CHECK_FALSE(scans({n, 10'000, 3, 16, item, threads}, .003));
                CHECK(scans({n, 240, 64, 512, item, threads}, .01));
                CHECK(scans({n, 240, 64, 1000, item, threads}, .01));
                CHECK_FALSE(scans({n, 1, 64, 100'000, item, threads}, 1));
                CHECK_FALSE(scans({n, 240, 64, 1001, item, threads}, .01));
            }
        }
}

TEST_CASE("scan: knn() chooses it by the sizes, and by the points where these decide") {
    auto const rows = make_points<3, float>("uniform", 20'000, 1);
    Rows<3, float> const few(rows.begin(), rows.begin() + 2);
    CHECK(scanned(knn(view<3>(rows), view<3>(few))));
    CHECK_FALSE(scanned(knn(view<3>(rows), view<3>(rows))));
    CHECK_FALSE(scanned(knn(view<3>(rows), view<3>(few), {.order = Order::z})));
    CHECK_FALSE(scanned(knn(Index(view<3>(rows)), view<3>(few))));
    if (ZWALK_MAX_DIM < 32) return;
    for (bool const scan : {true, false}) {
        char const* const kind = scan ? "uniform" : "sites40";
        auto const sources = make_points<32, float>(kind, 20'000, 1);
        auto queries = make_points<32, float>(kind, 3000, 2);
        CHECK(scanned(knn(view<32>(sources), view<32>(queries), {.k = 5}, Cpu(1))) == scan);
    }
}

TEST_CASE("scan: ZWALK_SCAN is 0 or 1, and anything else is ignored") {
    detail::ScanShape const few{100'000, 1, 3, 10, 4, 1}, many{100'000, 100'000, 3, 10, 4, 1};
    auto const scans = [](detail::ScanShape const& shape) {
        return detail::prefers_scan(shape, [] { return .001; });
    };
    for (char const* const value : {"", "2", "no", "01"}) {
        setenv("ZWALK_SCAN", value, 1);
        CHECK(scans(few));
        CHECK_FALSE(scans(many));
    }
    unsetenv("ZWALK_SCAN");
    CHECK_FALSE((AskedScan(false), scans(few)));
    CHECK((AskedScan(true), scans(many)));
}

TEST_CASE("scan: estimates grow with all that there is to do") {
    detail::ScanShape const usual{100'000, 500, 10, 10, 4, 2};
    auto const grows = [&](auto member, auto more) {
        auto larger = usual;
        larger.*member = more;
        return detail::scan_seconds(larger) > detail::scan_seconds(usual) &&
               detail::tree_seconds(larger, .1) > detail::tree_seconds(usual, .1);
    };
    using Shape = detail::ScanShape;
    CHECK(grows(&Shape::sources, std::size_t(200'000)));
    CHECK(grows(&Shape::queries, std::size_t(1000)));
    CHECK(grows(&Shape::dim, 20));
    CHECK(grows(&Shape::k, index_t(100)));
    CHECK(grows(&Shape::item_bytes, std::size_t(8)));
    auto alone = usual;
    alone.threads = 1;
    CHECK(detail::scan_seconds(alone) > detail::scan_seconds(usual));
    CHECK(detail::tree_seconds(alone, .1) > detail::tree_seconds(usual, .1));
    CHECK(detail::tree_seconds(usual, 1) > detail::tree_seconds(usual, .1));
    CHECK(detail::usual_share(usual) < .01);
}
