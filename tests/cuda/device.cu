// The parts under kNN on a GPU: trees, and walks of other traits, against CPU threads; points that are on the
// device already.
#include <doctest/doctest.h>

#include <algorithm>

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "fof/same_catalogue.hpp"
#include "hdbscan/same_condensed.hpp"
#include "support/points.hpp"
#include "support/ways.hpp"
#include "traits/monopole.hpp"
#include "traits/nearest_brighter.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/density/reduce.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/hdbscan/predict.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/knn/knn_visit.cuh"
#include "zwalk/tree/copy_tree.hpp"
#include "zwalk/tree/cuda_build.cuh"
#include "zwalk/tree/joint.hpp"
#include "zwalk/walk/device_walk.hpp"
#include "zwalk/walk/reference.hpp"

using namespace test;
using namespace zwalk;
using namespace zwalk::examples;

namespace {

template <int D, class T>
Points<T> view(Rows<D, T> const& rows) {
    return {rows.front().data(), rows.size(), D};
}
template <class V>
std::vector<V> on_host(CudaDevice& device, DeviceBuffer<V> const& from) {
    std::vector<V> to(from.size());
    device.download(to.data(), from.data(), to.size());
    return to;
}
template <class V>
DeviceBuffer<V> on_device(CudaDevice& device, V const* from, std::size_t n) {
    auto to = device.buffer<V>(n);
    device.upload(to.data(), from, n);
    return to;
}
template <class T>
bool equal(CudaDevice& device, DeviceBuffer<T> const& a, auto const& b) {
    auto const host = on_host(device, a);
    return std::equal(host.begin(), host.end(), b.begin(), b.end());
}

Open<3, float> const space;

}  // namespace

TEST_CASE("GPU tree: the planes of the host") {
    Cpu const cpu(1);
    for (auto const* kind : {"uniform", "clustered", "sites40", "outlier", "huge", "heavy"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, std::min<std::size_t>(10 * large(), 20000), 1);
        CudaDevice device(on_gpu());
        auto const there = on_device(device, rows.front().data(), rows.size() * 3);
        // The second has more leaves than there is room for in what the host gets to know of them.
        for (auto const& options : {TreeOptions{.leaf_size = 24, .coarsening = 4, .top_nodes = 10},
                                    TreeOptions{.leaf_size = 2, .coarsening = 2, .top_nodes = 10}}) {
            auto const tree =
                build_tree(device, DevicePoints<float>(there.data(), rows.size(), 3), 3, options);
            auto const expected = build_tree(cpu, view<3>(rows), 3, options);
            CHECK(equal(device, tree.input, expected.input));
            CHECK(equal(device, tree.x, expected.x));
            REQUIRE(tree.planes.size() == expected.planes.size());
            for (std::size_t p = 0; p < tree.planes.size(); ++p) {
                CHECK(equal(device, tree.planes[p].first, expected.planes[p].first));
                CHECK(equal(device, tree.planes[p].child, expected.planes[p].child));
                CHECK(equal(device, tree.planes[p].lo, expected.planes[p].lo));
                CHECK(equal(device, tree.planes[p].hi, expected.planes[p].hi));
            }
        }
    }
}

TEST_CASE("GPU walks: states, totals, summaries and payloads, far fields") {
    auto const rows = make_points<3, float>("clustered", std::min<std::size_t>(large(), 8000), 2);
    Cpu const cpu(1);
    cpu.run([&] {
        auto const tree = build_tree(cpu, view<3>(rows), 3, {.leaf_size = 30});
        CudaDevice device(on_gpu());
        auto const there = copy_tree(device, cpu, tree);
        pos_t const n = tree.size();
        auto as_they_are = device.buffer<pos_t>(n);  // payloads here have the order of the tree already
        device.for_each(n, Iota{as_they_are.data()});

        std::vector<size_type> count(n);
        auto counted = device.buffer<size_type>(n);
        RadiusCount<3, float> radius;
        radius.radius2 = .01f;
        radius.count = count.data();
        reference_walk(radius, space, tree, tree);
        radius.count = counted.data();
        walk(device, radius, space, there, there);
        CHECK(on_host(device, counted) == count);

        using Pairs = PairCounts<3, float, 4>;
        Pairs pairs;
        for (int i = 0; i <= 4; ++i) pairs.edge2[i] = .001f * float(i * i);
        Pairs::Total total, total_there;
        WalkInputs<Pairs> inputs;
        inputs.total = &total;
        reference_walk(pairs, space, tree, tree, inputs);
        WalkInputs<Pairs> inputs_there;
        inputs_there.total = &total_there;
        walk(device, pairs, space, there, there, inputs_there);
        for (int i = 0; i < 4; ++i) CHECK(total.pairs[i] == total_there.pairs[i]);

        std::vector<Star> stars(n);
        for (pos_t i = 0; i < n; ++i) stars[i].light = float(i * 7919 % 10007);
        Columns<Star> const light{std::span<Star const>(stars)};
        ColumnsOn<Star, CudaDevice> const light_there(device, std::span<Star const>(stars), as_they_are);
        std::vector<pos_t> brighter(n);
        auto brighter_there = device.buffer<pos_t>(n);
        NearestBrighter nearest;
        nearest.brighter = brighter.data();
        reference_walk(nearest, space, tree, tree, {light.view(), light.view()});
        nearest.brighter = brighter_there.data();
        walk(device, nearest, space, there, there, {light_there.view(), light_there.view()});
        CHECK(on_host(device, brighter_there) == brighter);

        using Gravity = Monopole<3, float>;
        std::vector<Mass<float>> masses(n, {1.f / float(n)});
        Columns<Mass<float>> const mass{std::span<Mass<float> const>(masses)};
        ColumnsOn<Mass<float>, CudaDevice> const mass_there(device, std::span<Mass<float> const>(masses),
                                                            as_they_are);
        std::vector<Vec<3, float>> pull(n);
        auto pull_there = device.buffer<Vec<3, float>>(n);
        Gravity gravity;
        gravity.theta2 = .25f, gravity.softening2 = 1e-4f, gravity.acceleration = pull.data();
        reference_walk(gravity, space, tree, tree, {mass.view(), mass.view()});
        gravity.acceleration = pull_there.data();
        walk(device, gravity, space, there, there, {mass_there.view(), mass_there.view()});
        auto const pulled = on_host(device, pull_there);
        for (pos_t i = 0; i < n; ++i)  // sums in another order
            for (int j = 0; j < 3; ++j) REQUIRE(std::abs(pulled[i][j] - pull[i][j]) < 1e-3f);
    });
}

TEST_CASE("GPU kNN: points and results on the device, in a stream of one's own") {
    auto const rows = make_points<3, float>("normal", std::min<std::size_t>(large(), 5000), 3);
    auto const expected = knn(view<3>(rows), {.k = 12});
    cudaStream_t stream;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    {
        CudaDevice device(on_gpu(stream));
        std::vector<float> columns(rows.size() * 3);
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t j = 0; j < 3; ++j) columns[j * rows.size() + i] = rows[i][j];
        auto const there = on_device(device, columns.data(), columns.size());
        DevicePoints<float> const points(there.data(), rows.size(), 3, 1, rows.size());
        auto const r = knn(points, {.k = 12}, on_gpu(stream));
        CHECK(equal(device, r.indices, expected.indices));
        CHECK(equal(device, r.distances, expected.distances));
        columns[7] = infinity<float>;
        auto const bad = on_device(device, columns.data(), columns.size());
        CHECK_THROWS_AS(
            (void)knn(DevicePoints<float>(bad.data(), rows.size(), 3, 1, rows.size()), {}, on_gpu()),
            InputError);
    }
    cudaStreamDestroy(stream);
}

TEST_CASE_TEMPLATE("GPU kNN: points on the device that aren't finite", T, float, double) {
    auto rows = make_points<3, T>("uniform", 90, 4);
    rows[70][0] = infinity<T>;
    rows[41][2] = not_a_number<T>;
    CudaDevice device(on_gpu());
    auto const there = on_device(device, rows.front().data(), rows.size() * 3);
    CHECK_THROWS_WITH_AS((void)knn(DevicePoints<T>(there.data(), rows.size(), 3), {.k = 2}, on_gpu()),
                         "points: row 41, column 2 is nan; coordinates must be finite", InputError);
}

TEST_CASE_TEMPLATE("GPU FoF: points and groups on the device, in a stream of one's own", T, float,
                   double) {
    auto const rows = make_points<3, T>("clustered", std::min<std::size_t>(large(), 5000), 3);
    auto const expected = fof(view<3>(rows), {.linking_length = .01});
    cudaStream_t stream;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    {
        CudaDevice device(on_gpu(stream));
        auto const there = on_device(device, rows.front().data(), rows.size() * 3);
        DevicePoints<T> const points(there.data(), rows.size(), 3);
        auto const r = fof(points, {.linking_length = .01}, on_gpu(stream));
        CHECK(equal(device, r.labels, expected.labels));
        CHECK(equal(device, r.root, expected.root));
        CHECK(equal(device, r.z_order, expected.z_order));
        CHECK(r.groups == expected.groups);

        // Masses and velocities there, too: any numbers above 0 will do.
        std::vector<T> mass(rows.size());
        for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = T(1) + std::abs(rows[i][0]);
        auto const mass_there = on_device(device, mass.data(), mass.size());
        CatalogueOptions<T> o{.min_members = 2, .masses = mass};
        CatalogueOptions<T, CudaDevice> o_there{.min_members = 2,
                                                .masses = {mass_there.data(), mass.size()}};
        o.velocities = view<3>(rows);
        o_there.velocities = points;
        auto const catalogue = [&] { return fof_catalogue(points, r, o_there, on_gpu(stream)); };
        auto const catalogue_expected = fof_catalogue(view<3>(rows), expected, o);
        CHECK(same_bits(catalogue(), catalogue_expected));
        auto const both = fof_with_catalogue(points, {.linking_length = .01}, o_there, on_gpu(stream));
        CHECK(same_bits(both.catalogue, catalogue_expected));
        CHECK(equal(device, both.labels, expected.labels));
        mass[3] = 0;
        device.upload(const_cast<T*>(mass_there.data()), mass.data(), mass.size());
        CHECK_THROWS_AS((void)catalogue(), InputError);
    }
    cudaStreamDestroy(stream);
}

TEST_CASE("GPU predictions: queries on the device") {
    auto const rows = make_points<3, float>("clustered", std::min<std::size_t>(large(), 2000), 3),
               queries = make_points<3, float>("clustered", rows.size() / 2, 4);
    HdbscanOptions const o{.min_cluster_size = 6};
    auto const found = hdbscan(rows, o);
    auto const expected = predict(HdbscanModel<float>(view<3>(rows), found, o), queries);
    CudaDevice device(on_gpu());
    std::vector<float> columns(queries.size() * 3);
    for (std::size_t i = 0; i < queries.size(); ++i)
        for (std::size_t j = 0; j < 3; ++j) columns[j * queries.size() + i] = queries[i][j];
    auto const there = on_device(device, columns.data(), columns.size());
    CudaHdbscanModel<float> const model(CudaIndex<float>(view<3>(rows), {}, on_gpu()), found, o);
    auto const r =
        predict(model, DevicePoints<float>(there.data(), queries.size(), 3, 1, queries.size()));
    CHECK(std::ranges::equal(r.labels, expected.labels));
    CHECK(std::ranges::equal(r.neighbours, expected.neighbours));
    CHECK(std::ranges::equal(r.distances, expected.distances));
}

TEST_CASE("GPU HDBSCAN: the hierarchy of points that are there, at the best size of all") {
    auto const rows = make_points<3, float>("clustered", std::min<std::size_t>(large(), 5000), 3);
    HdbscanOptions const o{.min_cluster_size = 3, .select = {.method = Selection::persistent}};
    auto const expected = hdbscan(view<3>(rows), o);
    CudaDevice device(on_gpu());
    auto const there = on_device(device, rows.front().data(), rows.size() * 3);
    DevicePoints<float> const points(there.data(), rows.size(), 3);
    for (int const processes : {1, 2}) {  // with 2 each call has a pool of its own
        auto cuda = on_gpu();
        cuda.processes = processes;
        AskedHierarchy const asked(true);
        auto const found = hdbscan(points, o, cuda);
        CHECK(std::ranges::equal(found.labels, expected.labels));
        CHECK(std::ranges::equal(found.linkage.table(), expected.linkage.table()));
        check_same(found.condensed_tree, expected.condensed_tree);
    }
}

TEST_CASE("GPU visit: an object of one's own") {
    auto const rows = make_points<3, float>("clustered", std::min<std::size_t>(large(), 5000), 3);
    KnnOptions const options{.k = 20};
    std::vector<float> expected(rows.size());
    (void)knn_visit(view<3>(rows), BallDensity<float>{expected.data(), 3}, options);
    CudaDevice device(on_gpu());
    auto const there = on_device(device, rows.front().data(), rows.size() * 3);
    auto density = device.buffer<float>(rows.size());
    DevicePoints<float> const points(there.data(), rows.size(), 3);
    (void)knn_visit(points, BallDensity<float>{density.data(), 3}, options, on_gpu());
    CHECK(equal(device, density, expected));
    (void)knn_visit(points, points, BallDensity<float>{density.data(), 3}, options, on_gpu());
    CHECK(equal(device, density, expected));
    (void)knn_visit(view<3>(rows), BallDensity<float>{density.data(), 3}, options, on_gpu());
    CHECK(equal(device, density, expected));
    CudaIndex<float> const index(points, {}, on_gpu());
    (void)knn_visit(index, BallDensity<float>{density.data(), 3}, options);
    CHECK(equal(device, density, expected));
}
