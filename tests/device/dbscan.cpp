// DBSCAN as a GPU runs it, on the CPU: the same bits as dbscan().
#include "dbscan/brute.hpp"
#include "dbscan/src/driver.hpp"
#include "device/run.hpp"
#include "fof/brute.hpp"
#include "knn/check.hpp"
#include "zwalk/run/host_device.hpp"

using namespace test;

namespace {

template <int C, int D, class T, bool checked = false>
bool same_clusters(Rows<D, T> const& rows, DbscanOptions const& o, std::uint64_t budget = 0) {
    HostDevice<checked> device;
    device.budget = budget;
    auto const r =
        ask<detail::DbscanAlgorithm, C>(device, prepared<C, D, T>(device, rows, o.box, o.tree), o);
    auto const expected = dbscan(rows, o);
    return same(r.labels, expected.labels) && same(r.core, expected.core) &&
           same(r.z_order, expected.z_order) && r.clusters == expected.clusters &&
           r.core_points == expected.core_points && r.noise == expected.noise && device.run.races == 0;
}

template <int C, int D, class T>
void every_kind_of_clusters(std::size_t n) {
    for (auto const& kind : kinds()) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (double epsilon : lengths_for<D>(rows, D))
            for (index_t min_samples : {1, 4, 41, int(n / 2), int(n) + 1}) {
                CAPTURE(D);
                CAPTURE(kind);
                CAPTURE(epsilon);
                CAPTURE(min_samples);
                DbscanOptions o{.epsilon = epsilon, .min_samples = min_samples};
                CHECK(same_clusters<C, D, T>(rows, o));
                o.tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5};
                CHECK(same_clusters<C, D, T, true>(rows, o, 1000));  // on checked groups
            }
    }
}

}  // namespace

TEST_CASE("device DBSCAN: every kind of points, epsilons of pairs") {
    every_kind_of_clusters<3, 3, float>(250);
    every_kind_of_clusters<2, 2, double>(200);
    every_kind_of_clusters<3, 1, float>(120);
}

TEST_CASE("device DBSCAN: periodic, few points, orders") {
    for (auto const* kind : {"uniform", "sites40", "equal"})
        for (std::size_t n : {0, 1, 2, 49, 300})
            for (double epsilon : {0., .1, .6, 2.})
                for (index_t min_samples : {1, 3, 30})
                    for (Order order : {Order::input, Order::z}) {
                        CAPTURE(kind);
                        CAPTURE(n);
                        CAPTURE(epsilon);
                        CAPTURE(min_samples);
                        DbscanOptions o{.epsilon = epsilon, .min_samples = min_samples};
                        o.order = order;
                        o.box = {1};
                        CHECK(same_clusters<3, 3, float>(in_box<3, float>(kind, n, 1, 8), o));
                        o.box = {1, 0};
                        CHECK(same_clusters<2, 2, double>(in_box<2, double>(kind, n, 1, 9), o));
                    }
}
