// An index in a file, written and read by a device: the same file, the same neighbours.
#include <sstream>

#include "device/run.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/run/detail/device_preparation.hpp"
#include "zwalk/tree/tree_file.hpp"

using namespace test;

namespace {

template <int D, class T>
struct Loaded {
    HostDevice<> device;
    PreparedPoints<T, HostDevice<>> points;

    explicit Loaded(std::string const& file) {
        std::istringstream in(file);
        auto const header = read_tree_header(in);
        auto tree = read_tree<T>(Cpu(1), in, header, D);
        points = {detail::Preparation<T, HostDevice<>>::from_host(device, std::move(tree)), header.dim,
                  period_of<T>(header.box, header.dim), Extent<T>(0), header.options};
    }
};

template <class T>
std::string written(HostDevice<>& device, PreparedPoints<T, HostDevice<>> const& points,
                    std::vector<double> const& box) {
    std::ostringstream out;
    auto const tree = detail::Preparation<T, HostDevice<>>::to_host(device, points.tree);
    write_tree(out, tree, points.dim, box, points.options);
    return out.str();
}
template <class T>
std::string written(Index<T> const& index) {
    std::ostringstream out;
    index.write(out);
    return out.str();
}

template <int D, class T>
void check_files(Rows<D, T> const& rows, TreeOptions const& options,
                 std::vector<double> const& box = {}) {
    Index<T> const cpu(view<D>(rows), {.box = box, .tree = options});
    std::string const file = written(cpu);
    HostDevice<> device;
    auto const built = prepared<3, D, T>(device, rows, box, options);
    CHECK(written<T>(device, built, cpu.box()) == file);  // the same planes, byte by byte
    Loaded<3, T> loaded(file);
    CHECK(loaded.points.tree.size() == rows.size());
    CHECK(written<T>(loaded.device, loaded.points, cpu.box()) == file);
    auto const queries = in_box<D, T>("uniform", 70, 1, 6);
    DevicePoints<T> const targets = on_device<D, T>(queries);
    KnnOptions const o{.k = 9, .box = box};
    auto const expected = knn(view<D>(rows), view<D>(queries), o);
    auto const found = device_knn<3>(loaded.device, loaded.points, &targets, o);
    CHECK(same(found.indices, expected.indices));
    CHECK(same(found.distances, expected.distances));
    CHECK(same(device_knn<3>(loaded.device, loaded.points, nullptr, o).indices,
               knn(view<D>(rows), o).indices));
}

}  // namespace

TEST_CASE("device index: files of CPUs are those of devices") {
    TreeOptions const options{.leaf_size = 20, .coarsening = 4, .top_nodes = 7};
    for (auto const* kind : {"uniform", "clustered", "sites40", "zeros"}) {
        CAPTURE(kind);
        check_files<3, float>(make_points<3, float>(kind, 1000, 1), options);
        check_files<2, double>(make_points<2, double>(kind, 700, 2), options);
    }
    check_files<3, double>(in_box<3, double>("uniform", 500, 1, 3), options, {1, 0, 1});
    for (std::size_t n : {0, 1, 2})
        check_files<3, float>(make_points<3, float>("uniform", n, 1), options);
}

TEST_CASE("device index: a file with the defaults of CPUs, leaves of more points than lanes") {
    auto const rows = make_points<3, float>("clustered", 5000, 4);
    Index<float> const cpu(view<3>(rows), {.tree = {.leaf_size = 192}});
    Loaded<3, float> loaded(written(cpu));
    CHECK(same(device_knn<3>(loaded.device, loaded.points, nullptr, {.k = 16}).indices,
               knn(view<3>(rows), {.k = 16}).indices));
}
