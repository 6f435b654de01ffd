// Which points of a model queries join, as a GPU finds them, on the CPU: the same bits as predict().
#include "zwalk/hdbscan/predict.hpp"

#include <string_view>

#include "device/run.hpp"
#include "hdbscan/src/driver.hpp"
#include "knn/check.hpp"
#include "zwalk/run/host_device.hpp"

using namespace test;

namespace {

/// Returns how many queries needed the walk.
template <int C, int D, class T, bool checked = false>
std::uint64_t check_joins(Rows<D, T> const& rows, Rows<D, T> const& queries, HdbscanOptions const& o,
                          std::uint64_t budget = 0) {
    HdbscanModel<T> const model(view<D>(rows), hdbscan(rows, o), o);
    auto const expected = predict(model, queries);

    HostDevice<checked> device;
    device.budget = budget;
    // A tree of this device's columns has the order of the model's.
    auto const points = prepared<C, D, T>(device, rows, o.box, o.tree);
    bool const weighted = !model.weights().empty();
    detail::JoinedPoints<T> const told{.core = model.core_distances().data(),
                                       .core_square = model.columns().core_square.data(),
                                       .weights = weighted ? model.weights().data() : nullptr,
                                       .enough = double(model.min_samples()),
                                       .in_tree = !model.tree().clusters.empty(),
                                       .core_here = model.core_distances().data()};
    detail::JoinAsked asked;
    asked.k = std::max(1, model.min_samples());
    if (weighted) asked.k = std::min(asked.k, index_t(std::max<std::size_t>(1, rows.size())));
    asked.points = &told;
    detail::Queries<T, HostDevice<checked>> there{in_unit_of(points, device, on_device<D, T>(queries))};
    auto const found = ask<detail::JoinAlgorithm, C>(device, points, asked, &there);
    CHECK(std::ranges::equal(found.neighbours, expected.neighbours));
    CHECK(std::ranges::equal(found.distances, expected.distances));
    CHECK(device.run.races == 0);
    std::uint64_t open = 0;
    for (auto const& [name, count] : found.stats.counts)
        if (std::string_view(name) == "open") open = count;
    return open;
}

template <int C, int D, class T>
std::uint64_t every_kind_of_prediction(std::size_t n) {
    std::uint64_t open = 0;
    for (auto const& kind : kinds()) {
        auto const rows = make_points<D, T>(kind, n, D);
        auto queries = make_points<D, T>(kind, n / 2, D + 1);
        queries.insert(queries.end(), rows.begin(), rows.begin() + std::ptrdiff_t(n / 3));
        for (int const samples : {1, 5, 40}) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(samples);
            HdbscanOptions o{.min_cluster_size = 5, .min_samples = samples};
            open += check_joins<C, D, T>(rows, queries, o);
            o.tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5};
            open += check_joins<C, D, T, true>(rows, queries, o, 1000);  // on checked groups
        }
    }
    return open;
}

}  // namespace

TEST_CASE("device predictions: every kind of points, any min_samples") {
    CHECK(every_kind_of_prediction<3, 3, float>(250) > 100);
    CHECK(every_kind_of_prediction<2, 2, double>(200) > 100);
    CHECK(every_kind_of_prediction<3, 1, float>(120) > 0);
}

TEST_CASE("device predictions: periodic, few points, no query") {
    for (auto const* kind : {"uniform", "sites40", "equal"})
        for (std::size_t const n : {0, 1, 2, 49, 300})
            for (std::size_t const m : {0, 1, 100}) {
                CAPTURE(kind);
                CAPTURE(n);
                CAPTURE(m);
                HdbscanOptions o{.min_cluster_size = 4, .box = {1}};
                check_joins<3, 3, float>(in_box<3, float>(kind, n, 1, 8),
                                         in_box<3, float>(kind, m, 1, 9), o);
                o.box = {1, 0};
                check_joins<2, 2, double>(in_box<2, double>(kind, n, 1, 10),
                                          in_box<2, double>(kind, m, 1, 11), o);
            }
}

TEST_CASE("device predictions: points with weights") {
    for (auto const* kind : {"uniform", "clustered", "sites40"}) {
        auto const rows = make_points<3, float>(kind, 300, 3);
        auto const queries = make_points<3, float>(kind, 150, 4);
        for (double const light : {.01, .3, 2.}) {
            CAPTURE(kind);
            CAPTURE(light);
            std::vector<double> weights(rows.size());
            for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = light * double(1 + i % 3);
            HdbscanOptions const o{.min_cluster_size = 5, .min_samples = 4, .weights = weights};
            check_joins<3, 3, float>(rows, queries, o);
            check_joins<3, 3, float, true>(rows, queries, o, 1000);
        }
    }
}

TEST_CASE("device predictions: coordinates far from 1") {
    for (double const size : {1e25, 1e-25}) {
        CAPTURE(size);
        auto rows = make_points<3, float>("clustered", 200, 5),
             queries = make_points<3, float>("clustered", 100, 6);
        for (auto* set : {&rows, &queries})
            for (auto& row : *set)
                for (auto& x : row) x *= float(size);
        check_joins<3, 3, float>(rows, queries, {.min_cluster_size = 5});
    }
}

TEST_CASE("device predictions: the memory that they are said to need is most of what they take") {
    for (auto const* kind : {"uniform", "clustered"})
        for (int const samples : {4, 40}) {
            CAPTURE(kind);
            CAPTURE(samples);
            std::size_t const n = 40000;
            auto const rows = make_points<3, float>(kind, n, 1),
                       queries = make_points<3, float>(kind, n, 2);
            HdbscanModel<float> const model(view<3>(rows),
                                            hdbscan(rows, {.min_cluster_size = std::size_t(samples)}),
                                            {.min_cluster_size = std::size_t(samples)});
            HostDevice<> device;
            auto const points = prepared<3, 3, float>(device, rows, {}, {});
            auto const before = device.bytes_in_use();
            detail::JoinedPoints<float> const told{.core = model.core_distances().data(),
                                                   .core_square = model.columns().core_square.data(),
                                                   .weights = nullptr,
                                                   .enough = double(samples),
                                                   .in_tree = true,
                                                   .core_here = model.core_distances().data()};
            detail::JoinAsked asked;
            asked.k = samples;
            asked.points = &told;
            detail::Queries<float, HostDevice<>> there{
                in_unit_of(points, device, on_device<3, float>(queries))};
            (void)ask<detail::JoinAlgorithm, 3>(device, points, asked, &there);
            double const measured = double(device.stats().peak_bytes - before),
                         predicted =
                             double(detail::JoinAlgorithm::device_need(
                                        {.points = n, .others = n, .kept = true, .columns = 3}, asked)
                                        .most);
            CAPTURE(predicted / measured);
            CHECK(predicted <= measured);
            CHECK(4 * predicted >= 3 * measured);
        }
}
