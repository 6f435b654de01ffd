// Density peaks as a GPU finds them, on the CPU: the same bits as density_peaks().
#include "density/src/device_reduce.hpp"
#include "device/run.hpp"
#include "knn/check.hpp"
#include "peaks/brute.hpp"
#include "peaks/src/driver.hpp"
#include "zwalk/run/host_device.hpp"

using namespace test;

namespace {

template <int C, int D, class T, bool checked = false>
bool same_graph(Rows<D, T> const& rows, PeaksOptions const& o, std::uint64_t budget = 0) {
    HostDevice<checked> device;
    device.budget = budget;
    auto const r =
        ask<detail::PeaksAlgorithm, C>(device, prepared<C, D, T>(device, rows, o.box, o.tree), o);
    auto const expected = density_peaks(rows, o);
    return same(r.radius, expected.radius) && same(r.delta, expected.delta) &&
           same(r.nearest_denser, expected.nearest_denser) && same(r.z_order, expected.z_order) &&
           device.run.races == 0;
}

template <int C, int D, class T>
void every_kind_of_peaks(std::size_t n) {
    for (auto const& kind : kinds()) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (index_t k : {1, 4, 41, int(n / 2), int(n) + 1}) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(k);
            PeaksOptions o{.k = k};
            CHECK(same_graph<C, D, T>(rows, o));
            o.tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5};
            CHECK(same_graph<C, D, T, true>(rows, o, 1000));  // on checked groups
        }
    }
}

}  // namespace

TEST_CASE("device density peaks: every kind of points, any k") {
    every_kind_of_peaks<3, 3, float>(250);
    every_kind_of_peaks<2, 2, double>(200);
    every_kind_of_peaks<3, 1, float>(120);
}

TEST_CASE("device density peaks: the memory that they can't do without is most of what they take") {
    for (auto const* kind : {"uniform", "clustered"})
        for (index_t k : {4, 40}) {
            CAPTURE(kind);
            CAPTURE(k);
            auto const rows = make_points<3, float>(kind, 60000, 1);
            HostDevice<> device;
            PeaksOptions const o{.k = k};
            (void)ask<detail::PeaksAlgorithm, 3>(device, prepared<3, 3, float>(device, rows, {}, o.tree),
                                                 o);
            auto const predicted = device_peaks_memory(double(rows.size()), 3, sizeof(float), k),
                       measured = device.stats().peak_bytes;
            CAPTURE(double(predicted) / double(measured));
            CHECK(predicted <= measured);
            CHECK(3 * predicted >= 2 * measured);
        }
}

TEST_CASE("device density peaks: periodic, few points, orders") {
    for (auto const* kind : {"uniform", "sites40", "equal"})
        for (std::size_t n : {0, 1, 2, 49, 300})
            for (index_t k : {1, 3, 30})
                for (Order order : {Order::input, Order::z}) {
                    CAPTURE(kind);
                    CAPTURE(n);
                    CAPTURE(k);
                    PeaksOptions o{.k = k};
                    o.order = order;
                    o.box = {1};
                    CHECK(same_graph<3, 3, float>(in_box<3, float>(kind, n, 1, 8), o));
                    o.box = {1, 0};
                    CHECK(same_graph<2, 2, double>(in_box<2, double>(kind, n, 1, 9), o));
                }
}
