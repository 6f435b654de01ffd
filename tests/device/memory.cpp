// The memory of a device: predicted, and refused where there is too little.
#include "zwalk/knn/device_knn_memory.hpp"

#include "dbscan/src/driver.hpp"
#include "device/run.hpp"
#include "knn/src/driver.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/fof/device_fof_memory.hpp"
#include "zwalk/run/detail/device_preparation.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_DRIVER(KnnAlgorithm, float, HostDevice<>)
}}}  // namespace zwalk::v0::detail

using namespace test;

namespace {

void check_prediction(std::uint64_t predicted, std::uint64_t measured, double most = 1.5) {
    CAPTURE(double(predicted) / double(measured));
    CHECK(predicted >= measured);
    CHECK(double(predicted) <= most * double(measured));
}

template <int D, class T>
void check_knn_prediction(Rows<D, T> const& rows, Rows<D, T> const* queries, KnnOptions const& o,
                          std::uint64_t budget = 0) {
    AskedDescents const walk(false);  // descents would take less
    HostDevice<> device;
    device.budget = budget;
    auto const points = prepared<D, D, T>(device, rows, {}, o.tree);
    DevicePoints<T> const targets = on_device<D, T>(queries ? *queries : rows);
    (void)device_knn<D>(device, points, queries ? &targets : nullptr, o);
    KnnTask task{.points = rows.size(),
                 .k = o.k,
                 .item_bytes = sizeof(T),
                 .order = o.order,
                 .memory_budget = budget};
    if (queries) task.queries = queries->size();
    check_prediction(device_knn_memory(task, D, o.tree).peak(), device.stats().peak_bytes,
                     o.order == Order::z ? 1.6 : 1.5);
}

/// The sentence of what is refused; empty: nothing was.
template <class F>
std::string refusal(F const& f) {
    try {
        f();
    } catch (Error const& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("memory of a device: the prediction for DBSCAN is for its worst case, and close to that") {
    for (auto const* kind : {"uniform", "clustered"})
        for (index_t min_samples : {1, 8, 12, 20}) {
            CAPTURE(kind);
            CAPTURE(min_samples);
            auto const rows = make_points<3, float>(kind, 60000, 1);
            bool const uniform = kind == std::string("uniform");
            AskedDescents const walk(false);  // of border points: descents would take less
            HostDevice<> device;
            DbscanOptions const o{.epsilon = uniform ? .035 : .003, .min_samples = min_samples};
            (void)ask<detail::DbscanAlgorithm, 3>(device,
                                                  prepared<3, 3, float>(device, rows, {}, o.tree), o);
            auto const predicted = device_dbscan_memory(double(rows.size()), 3, sizeof(float)),
                       measured = device.stats().peak_bytes;
            if (uniform && min_samples > 1) check_prediction(predicted, measured);
            CHECK(predicted >= measured);
        }
}

TEST_CASE("memory of a device: the prediction for kNN is close to the peak, and never below") {
    for (auto const* kind : {"uniform", "clustered"}) {
        auto const rows = make_points<3, float>(kind, 60000, 1);
        auto const queries = make_points<3, float>(kind, 30000, 2);
        for (index_t k : {4, 64}) {
            CAPTURE(kind);
            CAPTURE(k);
            check_knn_prediction<3, float>(rows, nullptr, {.k = k});
            check_knn_prediction<3, float>(rows, &queries, {.k = k, .order = Order::z});
            check_knn_prediction<3, float>(rows, nullptr, {.k = k}, 1 << 18);
        }
    }
    check_knn_prediction<3, float>(make_points<3, float>("uniform", 5000, 1), nullptr, {.k = 200});
    auto const plane = make_points<2, double>("uniform", 20000, 3);
    check_knn_prediction<2, double>(plane, nullptr, {.k = 16, .order = Order::z});
    check_knn_prediction<2, double>(plane, nullptr, {.k = 16, .tree = {.leaf_size = 16}});
}

TEST_CASE("memory of a device: the prediction for a tree, and for groups") {
    for (auto const* kind : {"uniform", "clustered"}) {
        auto const rows = make_points<3, float>(kind, 60000, 1);
        HostDevice<> tree_device, device;
        (void)prepared<3, 3, float>(tree_device, rows, {}, {});
        check_prediction(device_knn_memory({.points = rows.size(), .k = 0}, 3).peak(),
                         tree_device.stats().peak_bytes);
        FofOptions const o{.linking_length = .2 / std::cbrt(double(rows.size()))};
        (void)device_fof<3, 3, float>(device, rows, o);
        check_prediction(device_fof_memory(double(rows.size()), 3, sizeof(float)),
                         device.stats().peak_bytes);
    }
}

TEST_CASE_TEMPLATE("memory of a device: groups where lists of coarse planes are long", T, float,
                   double) {
    constexpr int D = sizeof(T) == 4 ? 3 : 2;  // those that devices of tests are compiled for
    for (std::size_t n : {20000, 60000, 100000, 131000}) {
        CAPTURE(n);
        HostDevice<> device;
        FofOptions const o{.linking_length = .2 / std::pow(double(n), 1. / D)};
        (void)device_fof<D, D, T>(device, make_points<D, T>("uniform", n, 1), o);
        check_prediction(device_fof_memory(double(n), D, sizeof(T)), device.stats().peak_bytes, 1.8);
    }
}

TEST_CASE("memory of a device: what doesn't fit is refused before work, with one sentence") {
    auto const rows = make_points<3, float>("uniform", 20000, 1);
    auto const points = on_device<3, float>(rows);
    HostDevice<> small;
    small.memory_size = 100000;
    CHECK(refusal([&] {
              detail::check_tree_memory<float>(small, points, 3, {});
          }).starts_with("a tree of 20000 points needs about 0.000"));
    auto const none = static_cast<DevicePoints<float> const*>(nullptr);
    detail::Dims<3> const dims;
    CHECK(refusal([&] {
              (void)detail::call<detail::KnnAlgorithm>(dims, small, points, none, {{.k = 2}});
          }) != "");
    CHECK(small.stats().launches == 0);

    HostDevice<> device;
    auto const kept = prepared<3, 3, float>(device, rows, {}, {});
    auto const search = [&](DevicePoints<float> const* queries, KnnOptions const& o,
                            detail::ChunkVisitor<float, HostDevice<>> const& visitor = {}) {
        return refusal([&] {
            detail::KnnAsked asked{o};
            if (visitor) asked.visitor = &visitor;
            (void)detail::call_kept<detail::KnnAlgorithm>(dims, device, kept, queries, asked);
        });
    };
    DeviceStats const before = device.stats();
    device.memory_size = device.bytes_in_use() + 3000000;
    CHECK(search(none, {.k = 16}) ==
          "kNN of 20000 points with k = 16 needs about 0.00397 GB of the device's memory, and 0.003 GB "
          "are free: use fewer points, or the CPU");
    CHECK(device.stats().launches == before.launches);
    CHECK(search(&points, {.k = 16}) != "");
    CHECK(search(none, {.k = 4}) == "");
    // With a visitor there are no lists of all neighbours.
    auto const nothing = [](HostDevice<>&, detail::NeighbourChunk<float> const&) {};
    device.budget = 1000000;
    CHECK(search(none, {.k = 16}, nothing) == "");

    // No number overflows.
    DeviceKnnMemory const m = device_knn_memory({.points = max_points, .k = max_points}, 3);
    CHECK(m.needed() > std::uint64_t(1) << 63);
    CHECK(m.peak() >= m.needed());
}
