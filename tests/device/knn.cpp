// kNN as a GPU runs it, on the CPU: every option, the same bits as knn().
#include "device/run.hpp"
#include "support/near_ties.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/run/detail/device_preparation.hpp"

using namespace test;

namespace {

/// C: compiled dimension.
template <int C, int D, class T, bool checked = false>
void check_knn(Rows<D, T> const& rows, Rows<D, T> const* queries, KnnOptions const& o,
               std::uint64_t budget = 0) {
    HostDevice<checked> device;
    device.budget = budget;
    auto const expected = queries ? knn(view<D>(rows), view<D>(*queries), o) : knn(view<D>(rows), o);
    auto const points = prepared<C, D, T>(device, rows, o.box, o.tree);
    DevicePoints<T> const targets = on_device<D, T>(queries ? *queries : rows);
    for (bool descents : {false, true}) {  // an index answers again and again
        AskedDescents const way(descents);
        CHECK(equals(device_knn<C>(device, points, queries ? &targets : nullptr, o), expected));
    }
    CHECK(device.run.races == 0);
}

/// An output of one's own: the position of the last neighbour.
struct LastNeighbour {
    pos_t* last;
    template <class Point, class Neighbours>
    ZWALK_HD void operator()(Point const& target, Neighbours const& found) const {
        found.each([&](int, Key<float> key) { last[target.index] = key.pos; });
    }
};

}  // namespace

TEST_CASE("device kNN: an output functor sees the neighbours in order") {
    auto const rows = make_points<3, float>("clustered", 1500, 11);
    HostDevice<> device;
    auto const tree = build_tree(device, on_device<3, float>(rows), 3, {});
    for (index_t k : {7, 31, 45, 256, 257}) {
        std::vector<pos_t> last(rows.size());
        find_nearest<3>(device, Open<3, float>{}, tree, tree, {.k = k}, LastNeighbour{last.data()});
        auto const expected = knn(view<3>(rows), {.k = k, .order = Order::z});
        bool same = true;
        for (std::size_t i = 0; i < last.size(); ++i)
            same = same && index_t(last[i]) == expected.indices[(i + 1) * std::size_t(k) - 1];
        CHECK(same);
    }
}

TEST_CASE("device kNN: every kind of points, k around the limits of the folds") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 400, 1);
        auto const queries = make_points<3, float>("uniform", 120, 2);
        for (index_t k : {1, 15, 16, 17, 32, 33, 256, 257}) {
            CAPTURE(k);
            check_knn<3, 3, float>(rows, nullptr, {.k = k, .exclude_self = k == 16});
            // In the unit of the smallest points squares of usual ones aren't numbers.
            if (kind != "subnormal") check_knn<3, 3, float>(rows, &queries, {.k = k});
        }
    }
}

TEST_CASE_TEMPLATE("device kNN: neighbours at nearly the same distance, or exactly", T, float, double) {
    for (double const noise : {0., 1e-7, 1e-4}) {
        CAPTURE(noise);
        auto const rows = near_ties<T>(600, noise, 3);
        for (index_t k : {1, 6, 7, 8, 13, 16, 24, 31, 32}) {
            CAPTURE(k);
            check_knn<3, 3, T>(rows, nullptr, {.k = k, .exclude_self = k % 2 == 0});
        }
    }
    for (auto const* kind : {"grid", "equal", "sites40", "lattice24", "zeros", "huge", "subnormal"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, T>(kind, 400, 1);
        for (index_t k : {7, 8, 16, 25, 32}) {
            CAPTURE(k);
            check_knn<3, 3, T>(rows, nullptr, {.k = k});
            check_knn<3, 3, T, true>(rows, nullptr, {.k = k, .exclude_self = true});
        }
    }
}

TEST_CASE("device kNN: within a distance, by every fold") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 400, 1);
        auto const queries = make_points<3, float>(kind, 60, 2);
        for (index_t k : {3, 16, 30, 100, 300}) {
            CAPTURE(k);
            auto const all = knn(view<3>(rows), {.k = k});
            auto const one = all.distances[all.distances.size() / 3];
            for (double const within : {0., double(one), double(std::nextafter(one, 0.f)), 1e300}) {
                CAPTURE(within);
                check_knn<3, 3, float>(rows, nullptr, {.k = k, .exclude_self = true, .within = within});
                check_knn<3, 3, float>(rows, &queries, {.k = k, .within = within});
            }
        }
    }
    auto const rows = in_box<2, double>("clustered", 300, 1, 3);
    for (index_t k : {5, 20, 50})
        check_knn<3, 2, double>(rows, &rows, {.k = k, .within = .05, .box = {1, 0}}, 5000);
}

TEST_CASE("device kNN: double, padded dimensions, orders, trees, budgets") {
    auto const rows = make_points<2, double>("clustered", 700, 3);
    auto const queries = make_points<2, double>("heavy", 90, 4);
    for (Order order : {Order::input, Order::z})
        for (std::uint64_t budget : {std::uint64_t(1), std::uint64_t(5000), std::uint64_t(0)})
            for (index_t k : {5, 20, 50}) {
                KnnOptions const o{
                    .k = k, .order = order, .tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5}};
                check_knn<2, 2, double>(rows, nullptr, o, budget);
                check_knn<3, 2, double>(rows, &queries, o, budget);
            }
    check_knn<3, 1, float>(make_points<1, float>("normal", 500, 5), nullptr, {.k = 9});
}

TEST_CASE("device kNN: periodic, on all axes and on one") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "equal"}) {
        auto const rows = in_box<3, float>(kind, 500, 1, 6),
                   queries = in_box<3, float>("uniform", 80, 1, 7);
        for (auto const& box : {std::vector<double>{1}, std::vector<double>{1, 0, 1}}) {
            check_knn<3, 3, float>(rows, nullptr, {.k = 8, .exclude_self = true, .box = box});
            check_knn<3, 3, float>(rows, &queries, {.k = 40, .box = box});
        }
        check_knn<3, 2, double>(in_box<2, double>(kind, 300, 2.5, 8), nullptr, {.k = 20, .box = {2.5}});
    }
}

TEST_CASE("device kNN: few points, more neighbours than points") {
    for (std::size_t n : {0, 1, 2, 47, 48, 49, 65})
        for (index_t k : {1, 16, 40, 70}) {
            CAPTURE(n);
            CAPTURE(k);
            auto const rows = make_points<3, float>("uniform", n, 1);
            check_knn<3, 3, float>(rows, nullptr, {.k = k, .exclude_self = true});
            for (std::size_t m : {0, 1, 60}) {
                auto const queries = make_points<3, float>("normal", m, 2);
                check_knn<3, 3, float>(rows, &queries, {.k = k});
            }
        }
}

TEST_CASE("device kNN: no races in the kernels of a GPU's widths; without a sync() there are") {
    auto const rows = make_points<3, float>("uniform", 3000, 9);
    check_knn<3, 3, float, true>(rows, nullptr, {.k = 16});
    check_knn<3, 3, float, true>(rows, nullptr, {.k = 40});
    HostDevice<true> device;
    auto const points = prepared<3, 3, float>(device, rows, {}, {});
    for (long drop : {101, 901, 1801}) {  // odd: behind the filling of a tile
        device.run = {};
        device.run.drop_sync = drop;
        (void)device_knn<3>(device, points, nullptr, {.k = 4});
        CAPTURE(drop);
        CHECK(device.run.syncs > drop);
        CHECK(device.run.races > 0);
    }
}

TEST_CASE("device kNN: lists go in pieces under a budget, and the host rarely waits") {
    auto const rows = make_points<3, float>("uniform", 20000, 10);
    HostDevice<> device;
    auto const points = prepared<3, 3, float>(device, rows, {}, {});
    auto waits = device.stats().waits;
    auto const whole = device_knn<3>(device, points, nullptr, {.k = 16});
    std::uint64_t const planes = count_of(whole.stats, "planes");
    CHECK(device.stats().waits - waits <= planes + 1);  // one per plane, and the end
    std::uint64_t const peak = count_of(whole.stats, "peak_list_bytes"), budget = peak / 10;
    device.budget = budget;
    auto const pieces = device_knn<3>(device, points, nullptr, {.k = 16});
    CHECK(count_of(pieces.stats, "peak_list_bytes") <= budget);
    CHECK(count_of(pieces.stats, "node_entries") == count_of(whole.stats, "node_entries"));
    CHECK(same(pieces.indices, std::span(whole.indices.data(), whole.indices.size())));
}

TEST_CASE("device kNN: coordinates that aren't finite are found") {
    auto rows = make_points<3, double>("uniform", 1000, 1);
    HostDevice<> device;
    CHECK(!detail::find_not_finite(device, on_device<3, double>(rows)));
    CHECK(!detail::find_not_finite(device, DevicePoints<double>(nullptr, 0, 3)));
    rows[900][0] = infinity<double>;
    rows[417][2] = std::nan("");
    auto const bad = detail::find_not_finite(device, on_device<3, double>(rows));
    REQUIRE(bad.has_value());
    CHECK(bad->row == 417);
    CHECK(bad->column == 2);
}
