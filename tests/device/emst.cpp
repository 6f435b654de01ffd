// Minimum spanning trees as a GPU finds them, on the CPU: the same bits as emst().
#include "device/run.hpp"
#include "emst/brute.hpp"
#include "zwalk/emst/detail/device_rounds.hpp"
#include "zwalk/emst/device_emst_memory.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace test;

namespace {

template <int C, int D, class T, bool checked = false>
bool same_tree(Rows<D, T> const& rows, EmstOptions const& o, std::uint64_t budget = 0) {
    HostDevice<checked> device;
    device.budget = budget;
    auto const r = device_emst<C, D, T>(device, rows, o);
    return equals(r, emst(view<D>(rows), o)) && device.run.races == 0;
}

template <int C, int D, class T>
void check_kind(std::string const& kind, std::size_t n) {
    auto const rows = make_points<D, T>(kind, n, D);
    for (int m : {1, 2, 16}) {
        CAPTURE(D);
        CAPTURE(kind);
        CAPTURE(m);
        CHECK(same_tree<C, D, T>(rows, {.min_samples = m}));
        EmstOptions const small{.min_samples = m,
                                .tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5}};
        CHECK(same_tree<C, D, T, true>(rows, small, 1000));  // on checked groups, in pieces
    }
}

}  // namespace

TEST_CASE("device EMST: every kind of points, compiled and padded dimensions") {
    for (auto const& kind : kinds()) {
        check_kind<3, 3, float>(kind, 500);
        check_kind<3, 3, double>(kind, 400);
        check_kind<3, 2, float>(kind, 300);
        check_kind<2, 2, double>(kind, 400);
        check_kind<3, 1, float>(kind, 200);
    }
    for (auto const* kind : {"uniform", "clustered", "zeros", "line", "sites40", "grid"})
        check_kind<8, 8, float>(kind, 200);
}

TEST_CASE("device EMST: one point's way to its component becomes shorter for all on it") {
    // Points on a line, each of which has joined the one before it in the same round.
    std::vector<pos_t> up(1000);
    for (pos_t i = 1; i < up.size(); ++i) up[i] = i - 1;
    detail::DeviceRounds<float> rounds{};
    rounds.component_of = up.data();
    auto const steps = [&](pos_t i) {
        int n = 0;
        for (; up[i] != i; i = up[i]) ++n;
        return n;
    };
    CHECK(rounds.find_component(999) == 0);
    CHECK(steps(999) == 1);
    CHECK(steps(998) == 499);
    for (pos_t i : {0, 1, 500}) CHECK(rounds.find_component(i) == 0);
}

TEST_CASE("device EMST: against Prim's algorithm") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "line"})
        for (int m : {1, 4}) {
            auto const rows = make_points<3, float>(kind, 600, 12);
            HostDevice<> device;
            auto const r = device_emst<3, 3, float>(device, rows, {.min_samples = m});
            auto const expected = prim(view<3>(rows), m);
            CHECK(same(r.edges, expected.edges));
            CHECK(same(r.lengths, expected.lengths));
            CHECK(same(r.core_distances, expected.core_distances));
        }
}

TEST_CASE("device EMST: periodic, on all axes and on one") {
    for (double length : {.03, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "sites40", "grid"})
            for (int m : {1, 4}) {
                CAPTURE(length);
                CAPTURE(kind);
                CAPTURE(m);
                CHECK(same_tree<3, 3, float>(in_box<3, float>(kind, 400, length, 8),
                                             {.min_samples = m, .box = {double(float(length))}}));
                CHECK(same_tree<3, 3, double>(in_box<3, double>(kind, 400, length, 9),
                                              {.min_samples = m, .box = {length, 0, length}}));
                CHECK(same_tree<2, 2, double>(in_box<2, double>(kind, 300, length, 10),
                                              {.min_samples = m, .box = {0, length}}));
            }
}

TEST_CASE("device EMST: phases and counts") {
    HostDevice<> device;
    auto const r = device_emst<3, 3, float>(device, make_points<3, float>("clustered", 2000, 7), {});
    std::vector<std::string> names;
    for (auto const& phase : r.stats.seconds) names.push_back(phase.first);
    CHECK(names == std::vector<std::string>{"neighbours", "rounds", "search", "order"});
    CHECK(count_of(r.stats, "searches") > 0);
    CHECK(count_of(r.stats, "points_searched") > 0);
    CHECK(count_of(r.stats, "search_leaf_entries") > 0);
}

TEST_CASE("device EMST: few points, min_samples up to their number, leaves of any size") {
    for (std::size_t n : {0, 1, 2, 3, 8, 9, 10, 32, 33, 47, 48, 49, 65, 130})
        for (pos_t leaf : {0, 1, 200})
            for (std::size_t m : {std::size_t(1), std::size_t(2), n / 2, n}) {
                if (m < 1 || m > std::max<std::size_t>(n, 1)) continue;
                CAPTURE(n);
                CAPTURE(leaf);
                CAPTURE(m);
                EmstOptions const o{.min_samples = int(m), .tree = {.leaf_size = leaf}};
                CHECK(same_tree<3, 3, float>(make_points<3, float>("uniform", n, 5), o));
                CHECK(same_tree<3, 3, float>(make_points<3, float>("equal", n, 5), o));
            }
}

TEST_CASE("device EMST: random configurations") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        CAPTURE(seed);
        Random r(seed);
        auto const& kind = kinds()[r.below(kinds().size())];
        std::size_t const n = 1 + r.below(700);
        EmstOptions o{.min_samples = r.below(2) ? 1 : int(1 + r.below(std::min<std::size_t>(n, 60)))};
        std::uint64_t const budget = r.below(2) * 2000;
        o.tree = {.leaf_size = pos_t(1 + r.below(100)),
                  .coarsening = pos_t(2 + r.below(15)),
                  .top_nodes = pos_t(1 + r.below(200)),
                  .volume_ratio = double(r.below(60))};
        CAPTURE(kind);
        CAPTURE(n);
        CAPTURE(o.min_samples);
        CHECK(same_tree<3, 3, double>(make_points<3, double>(kind, n, seed), o, budget));
    }
}

TEST_CASE("device EMST: no races in the kernels of a GPU's widths; without a sync() there are") {
    auto const rows = make_points<3, float>("clustered", 3000, 9);
    CHECK(same_tree<3, 3, float, true>(rows, {}));
    HostDevice<true> device;
    device_emst<3, 3, float>(device, rows, {});
    long const all = device.run.syncs;
    for (long drop : {all / 2, all - 300, all - 100}) {  // the last ones are those of the search
        HostDevice<true> broken;
        broken.run.drop_sync = drop | 1;  // odd: behind the filling of a tile
        device_emst<3, 3, float>(broken, rows, {});
        CAPTURE(drop);
        CHECK(broken.run.races > 0);
    }
}

TEST_CASE("device EMST: time and memory for every kind of points") {
    pos_t const n = 20000;
    for (auto const& kind : kinds())
        for (int m : {1, 16}) {
            CAPTURE(kind);
            CAPTURE(m);
            auto const rows = make_points<3, float>(kind, n, 4);
            HostDevice<> device;
            auto const r = device_emst<3, 3, float>(device, rows, {.min_samples = m});
            CHECK(same(r.edges, emst(view<3>(rows), {.min_samples = m}).edges));
            CHECK(count_of(r.stats, "rounds") <= 40);
            CHECK(count_of(r.stats, "search_node_entries") <= 100 * n);
            std::uint64_t const lists = count_of(r.stats, "peak_list_bytes");
            CHECK(count_of(r.stats, "device_peak_bytes") <=
                  (150 + 8 * std::uint64_t(m)) * n + 3 * lists);
        }
}

TEST_CASE("device EMST: the prediction of memory is close to the peak, and never below") {
    for (auto const* kind : {"uniform", "clustered"})
        for (int m : {1, 2, 16, 40}) {
            CAPTURE(kind);
            CAPTURE(m);
            HostDevice<> device;
            (void)device_emst<3, 3, float>(device, make_points<3, float>(kind, 60000, 5),
                                           {.min_samples = m});
            std::uint64_t const peak = device.stats().peak_bytes,
                                predicted = device_emst_memory(60000, 3, sizeof(float), m);
            CAPTURE(double(predicted) / double(peak));
            CHECK(predicted >= peak);
            CHECK(2 * predicted <= 3 * peak);
        }
}
