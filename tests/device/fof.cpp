// Friends-of-friends as a GPU runs it, on the CPU: every option, the same bits as fof().
#include "device/run.hpp"
#include "fof/brute.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace test;

namespace {

template <int C, int D, class T, bool checked = false>
bool same_groups(Rows<D, T> const& rows, FofOptions const& o, std::uint64_t budget = 0) {
    HostDevice<checked> device;
    device.budget = budget;
    auto const r = device_fof<C, D, T>(device, rows, o);
    return equals(r, fof(view<D>(rows), o)) && device.run.races == 0;
}

template <int C, int D, class T>
void every_kind_of_groups(std::size_t n) {
    for (auto const& kind : kinds()) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (double b : lengths_for<D>(rows, D)) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(b);
            CHECK(same_groups<C, D, T>(rows, {.linking_length = b}));
            FofOptions const small{.linking_length = b,
                                   .tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5}};
            CHECK(same_groups<C, D, T, true>(rows, small, 1000));  // on checked groups
        }
    }
}

}  // namespace

TEST_CASE("device FoF: every kind of points, linking lengths of pairs") {
    every_kind_of_groups<3, 3, float>(500);
    every_kind_of_groups<3, 2, float>(300);
    every_kind_of_groups<2, 2, double>(400);
    every_kind_of_groups<3, 1, float>(200);
}

TEST_CASE("device FoF: over all pairs") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "line"}) {
        auto const rows = make_points<3, float>(kind, 600, 12);
        for (double b : lengths_for<3>(rows, 12)) {
            HostDevice<> device;
            CHECK(same(device_fof<3, 3, float>(device, rows, {.linking_length = b}).labels,
                       brute_fof(view<3>(rows), b)));
        }
    }
}

TEST_CASE("device FoF: periodic, on all axes and on one") {
    for (double length : {.03, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "sites40", "equal"})
            for (double fraction : {0., .04, .1, .6, 2.}) {
                CAPTURE(length);
                CAPTURE(kind);
                CAPTURE(fraction);
                double const b = fraction * length;
                CHECK(same_groups<3, 3, float>(in_box<3, float>(kind, 400, length, 8),
                                               {.linking_length = b, .box = {double(float(length))}}));
                CHECK(same_groups<3, 3, float>(
                    in_box<3, float>(kind, 400, length, 9),
                    {.linking_length = b, .box = {double(float(length)), 0, double(float(length))}}));
                CHECK(same_groups<2, 2, double>(in_box<2, double>(kind, 300, length, 10),
                                                {.linking_length = b, .box = {0, length}}));
            }
}

TEST_CASE("device FoF: few points, leaves of more points than a group has lanes, orders") {
    for (std::size_t n : {0, 1, 2, 3, 47, 48, 49, 64, 65, 257})
        for (pos_t leaf : {0, 1, 200})
            for (double b : {0., .05, .2, 10.})
                for (Order order : {Order::input, Order::z}) {
                    CAPTURE(n);
                    CAPTURE(leaf);
                    CAPTURE(b);
                    CHECK(same_groups<3, 3, float>(
                        make_points<3, float>("uniform", n, 5),
                        {.linking_length = b, .order = order, .tree = {.leaf_size = leaf}}));
                }
}

TEST_CASE("device FoF: random configurations") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        CAPTURE(seed);
        Random r(seed);
        auto const& kind = kinds()[r.below(kinds().size())];
        auto const rows = make_points<2, double>(kind, 1 + r.below(700), seed);
        auto const lengths = lengths_for<2>(rows, seed);
        FofOptions o{.linking_length = lengths[r.below(lengths.size())]};
        std::uint64_t const budget = r.below(2) * 2000;
        o.tree = {.leaf_size = pos_t(1 + r.below(100)),
                  .coarsening = pos_t(2 + r.below(15)),
                  .top_nodes = pos_t(1 + r.below(200)),
                  .volume_ratio = double(r.below(60))};
        CAPTURE(kind);
        CHECK(same_groups<2, 2, double>(rows, o, budget));
    }
}

TEST_CASE("device FoF: no races in the kernels of a GPU's widths; without a sync() there are") {
    auto const rows = make_points<3, float>("clustered", 3000, 9);
    double const b = .3 * mean_spacing(view<3>(rows));
    CHECK(same_groups<3, 3, float, true>(rows, {.linking_length = b}));
    CHECK(same_groups<3, 3, float, true>(make_points<3, float>("equal", 500, 9), {.linking_length = 0}));
    for (long drop : {101, 501, 901}) {  // odd: behind the filling of a tile
        HostDevice<true> device;
        device.run.drop_sync = drop;
        device_fof<3, 3, float>(device, rows, {.linking_length = b});
        CAPTURE(drop);
        CHECK(device.run.syncs > drop);
        CHECK(device.run.races > 0);
    }
}

TEST_CASE("device FoF: lists don't grow for chains, copies, everything linked; pieces keep a budget") {
    std::size_t const n = 30000;
    auto const uniform = make_points<3, float>("uniform", n, 1);
    double const b = .2 * mean_spacing(view<3>(uniform));
    HostDevice<> device;
    auto const usual = device_fof<3, 3, float>(device, uniform, {.linking_length = b});
    std::uint64_t const entries = count_of(usual.stats, "node_entries");
    auto const check = [&](auto const& rows, double length, std::vector<double> const& box = {}) {
        FofOptions const o{.linking_length = length, .box = box};
        HostDevice<> own;
        auto const r = device_fof<3, 3, float>(own, rows, o);
        CHECK(same(r.labels, fof(Points(rows), o).labels));
        // The most are lists of leaves that are about as large as the linking length: some 40 each.
        CHECK(count_of(r.stats, "node_entries") <= 8 * entries + 1000);
    };
    check(uniform, 0);
    check(uniform, 2);
    check(uniform, 5, {1});
    Rows<3, float> chain(n);
    Random random(2);
    for (std::size_t i = 0; i < n; ++i) chain[i] = {float(i), 0, 0};
    for (std::size_t i = n; i > 1; --i) std::swap(chain[i - 1], chain[random.below(i)]);
    check(chain, 1);
    check(chain, .99);
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, n, 4);
        for (double length : {0., b, 1.}) check(rows, length);
    }

    std::uint64_t const budget = count_of(usual.stats, "peak_list_bytes") / 10;
    device.budget = budget;
    auto const pieces = device_fof<3, 3, float>(device, uniform, {.linking_length = b});
    CHECK(count_of(pieces.stats, "peak_list_bytes") <= budget);
    CHECK(same(pieces.labels, std::span(usual.labels.data(), n)));
}
