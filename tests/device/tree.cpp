// Sorting and cutting planes as a device does it: the same z-order, planes and boxes as on CPU threads.
#include "zwalk/tree/device_build.hpp"

#include "support/everywhere.hpp"
#include "zwalk/tree/copy_tree.hpp"
#include "zwalk/tree/targets.hpp"

using namespace test;

namespace {

template <class V>
std::vector<V> on_host(DeviceBuffer<V> const& buffer) {
    return {buffer.data(), buffer.data() + buffer.size()};
}

template <class A, class B>
bool same(DeviceBuffer<A> const& device, B const& host) {
    return std::equal(device.data(), device.data() + device.size(), host.begin(), host.end());
}

template <class T>
void check_tree(Tree<T, HostDevice<>> const& tree, Tree<T, Cpu> const& expected) {
    CHECK(tree.size() == expected.size());
    CHECK(same(tree.input, expected.input));
    CHECK(same(tree.x, expected.x));
    REQUIRE(tree.planes.size() == expected.planes.size());
    for (std::size_t p = 0; p < tree.planes.size(); ++p) {
        CAPTURE(p);
        CHECK(tree.planes[p].nodes() == expected.planes[p].nodes());
        CHECK(same(tree.planes[p].first, expected.planes[p].first));
        CHECK(same(tree.planes[p].child, expected.planes[p].child));
        CHECK(same(tree.planes[p].lo, expected.planes[p].lo));
        CHECK(same(tree.planes[p].hi, expected.planes[p].hi));
    }
}

/// Rows in a device's memory.
template <int D, class T, class Device>
struct OnDevice {
    DeviceBuffer<T> rows;
    DevicePoints<T> points;
    OnDevice(Device& device, Rows<D, T> const& from) : rows(device.template buffer<T>(from.size() * D)) {
        if (!from.empty()) device.upload(rows.data(), from.front().data(), from.size() * D);
        points = {rows.data(), from.size(), D};
    }
};

template <int D, class T>
void check_build(Rows<D, T> const& rows, Rows<D, T> const& queries, TreeOptions const& options) {
    Cpu const cpu(1);
    cpu.run([&] {
        HostDevice<> device;
        OnDevice<D, T, HostDevice<>> const points(device, rows), later(device, queries);
        auto const tree = build_tree(device, points.points, D + 1, options);
        auto const expected = build_tree(cpu, view<D>(rows), D + 1, options);
        check_tree(tree, expected);
        check_tree(build_targets(device, later.points, tree, options),
                   build_targets(cpu, view<D>(queries), expected, options));
    });
}

}  // namespace

TEST_CASE("device tree: the planes of the host, for every kind of points") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const queries = make_points<3, float>("uniform", 300, 5);
        check_build<3, float>(make_points<3, float>(kind, 3000, 1), queries, {});
        check_build<3, float>(make_points<3, float>(kind, 2000, 2), make_points<3, float>(kind, 700, 3),
                              {.leaf_size = 5, .coarsening = 2, .top_nodes = 3});
        check_build<2, double>(make_points<2, double>(kind, 2500, 4),
                               make_points<2, double>("heavy", 100, 5),
                               {.leaf_size = 8, .coarsening = 4, .top_nodes = 2, .volume_ratio = 4});
    }
}

TEST_CASE("device tree: planes of more nodes than the host cuts") {
    auto const queries = make_points<3, float>("uniform", 500, 5);
    for (auto const* kind : {"uniform", "clustered", "outlier"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, detail::gaps_of_few_nodes + 5000, 1);
        check_build<3, float>(rows, queries, {});
        check_build<3, float>(rows, queries, {.leaf_size = 2, .coarsening = 2});
        check_build<3, float>(queries, rows, {.leaf_size = 3, .coarsening = 2, .volume_ratio = 4});
    }
}

TEST_CASE("device tree: few points") {
    for (std::size_t n : {0, 1, 2, 3, 47, 48, 49})
        for (std::size_t m : {0, 1, 50}) {
            CAPTURE(n);
            CAPTURE(m);
            check_build<3, float>(make_points<3, float>("uniform", n, 1),
                                  make_points<3, float>("uniform", m, 2), {});
        }
}

TEST_CASE("device tree: a copy in other columns is the tree that is built in these") {
    Cpu cpu(1);
    for (std::size_t n : {0, 1, 900}) {
        auto const rows = make_points<2, float>("clustered", n, 3);
        for (int from = 2; from <= 4; ++from)
            for (int to = 2; to <= 4; ++to) {
                CAPTURE(n);
                CAPTURE(from);
                CAPTURE(to);
                HostDevice<> device;
                auto const tree = build_tree(cpu, view<2>(rows), from, {.leaf_size = 9});
                auto const there = copy_tree(device, cpu, tree, to);
                CHECK(there.columns == to);
                check_tree(there, build_tree(cpu, view<2>(rows), to, {.leaf_size = 9}));
            }
    }
}

TEST_CASE("device sort: rows, columns and padded rows are the same points") {
    auto const rows = make_points<3, double>("clustered", 900, 7);
    HostDevice<> device;
    OnDevice<3, double, HostDevice<>> const points(device, rows);
    auto const expected = on_host(device_z_sort(device, points.points));
    std::vector<double> columns(3 * 1000), padded(5 * 900);
    for (std::size_t i = 0; i < 900; ++i)
        for (std::size_t j = 0; j < 3; ++j) columns[j * 1000 + i] = padded[i * 5 + j] = rows[i][j];
    CHECK(on_host(device_z_sort(device, DevicePoints<double>(columns.data(), 900, 3, 1, 1000))) ==
          expected);
    CHECK(on_host(device_z_sort(device, DevicePoints<double>(padded.data(), 900, 3, 5, 1))) == expected);
}

TEST_CASE("device points: what a tensor must be") {
    struct Type {
        std::uint8_t code = 2, bits = 32;
        std::uint16_t lanes = 1;
    };
    struct Tensor {  // the members of a DLTensor that are looked at
        void* data;
        int ndim = 2;
        Type dtype{};
        std::int64_t* shape;
        std::int64_t* strides = nullptr;
        std::uint64_t byte_offset = 0;
    };
    float x[12];
    std::int64_t shape[] = {4, 3}, strides[] = {1, 4};
    Tensor tensor{.data = x, .shape = shape};
    auto points = device_points<float>(tensor);
    CHECK((points.data == x && points.size == 4 && points.dim == 3));
    CHECK(points[2].x + 1 == x + 7);
    tensor.strides = strides;
    tensor.byte_offset = 4;
    CHECK(device_points<float>(tensor)[2].x == x + 3);
    CHECK(device_points<float>(tensor).column_stride == 4);
    CHECK_THROWS_AS(device_points<double>(tensor), InputError);
    strides[0] = -1;
    CHECK_THROWS_AS(device_points<float>(tensor), InputError);
    tensor.ndim = 1;
    CHECK_THROWS_AS(device_points<float>(tensor), InputError);
}
