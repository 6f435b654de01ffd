// An index in a file, written and read by a device: the same file, the same neighbours.
#include <optional>
#include <sstream>

#include "device/support.hpp"
#include "knn/src/device_run.hpp"
#include "knn/src/index_file.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace test;

namespace {

template <class T>
using Index = detail::AnyDeviceIndex<T>;

template <int D, class T>
struct Loaded {
    HostDevice<> device;
    std::optional<detail::DeviceIndex<D, T, HostDevice<>>> index;

    explicit Loaded(std::string const& file) {
        std::istringstream in(file);
        auto const header = read_tree_header(in);
        auto const tree = read_tree<T>(Cpu(1), in, header, D);
        index.emplace(device, tree, period_of<T>(header.box, header.dim), header.options);
    }
};

template <class T>
std::string written(Index<T>& index, int dim, std::vector<double> const& box) {
    std::ostringstream out;
    auto const tree = index.tree();
    write_tree(out, tree, dim, box, index.options());
    return out.str();
}
template <class T>
std::string written(KnnIndex<T> const& index) {
    std::ostringstream out;
    index.write(out);
    return out.str();
}

template <int D, class T>
void check_files(Rows<D, T> const& rows, TreeOptions const& options,
                 std::vector<double> const& box = {}) {
    KnnIndex<T> const cpu(view<D>(rows), {.box = box, .tree = options});
    std::string const file = written(cpu);
    HostDevice<> device;
    detail::DeviceIndex<3, T, HostDevice<>> built(device, on_device<D, T>(rows), period_of<T>(box, D),
                                                  options);
    CHECK(written<T>(built, D, cpu.box()) == file);  // the same planes, byte by byte
    Loaded<3, T> loaded(file);
    CHECK(loaded.index->size() == rows.size());
    CHECK(written<T>(*loaded.index, D, cpu.box()) == file);
    auto const queries = in_box<D, T>("uniform", 70, 1, 6);
    DevicePoints<T> const targets = on_device<D, T>(queries);
    KnnOptions const o{.k = 9, .box = box};
    auto const expected = knn(view<D>(rows), view<D>(queries), o);
    auto const found = loaded.index->query(&targets, o);
    CHECK(same(found.indices, expected.indices));
    CHECK(same(found.distances, expected.distances));
    CHECK(same(loaded.index->query(nullptr, o).indices, knn(view<D>(rows), o).indices));
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
    KnnIndex<float> const cpu(view<3>(rows), {.tree = {.leaf_size = 192}});
    Loaded<3, float> loaded(written(cpu));
    CHECK(same(loaded.index->query(nullptr, {.k = 16}).indices, knn(view<3>(rows), {.k = 16}).indices));
}
