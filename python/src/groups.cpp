// Friends-of-friends groups, their catalogue, and DBSCAN.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>

#include "arrays.hpp"
#include "bind.hpp"
#include "catalogue.hpp"
#include "gpu.hpp"
#include "run.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/fof/fof.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

/// Groups, which the catalogue is made of.
struct Groups {
    FofResult<> found;
};

/// (labels, number of groups, Groups). The labels are those that the Groups hold, read-only.
nb::tuple to_tuple(FofResult<>&& found) {
    std::size_t const n = found.labels.size(), groups = found.groups;
    nb::object const kept = nb::cast(Groups{std::move(found)});
    index_t const* const data = nb::cast<Groups&>(kept).found.labels.data();
    nb::object const labels =
        plain(nb::object(nb::ndarray<nb::numpy, index_t const>(data, {n}, kept).cast()));
    return nb::make_tuple(labels, groups, kept);
}

template <class T>
nb::tuple find_groups(PointArray<T> const& points, double linking_length, Box const& box, int threads) {
    FofOptions const o{.linking_length = linking_length, .box = box};
    return to_tuple(run(heavy(points.shape(0)), [&] { return fof(view<T>(points), o, Cpu(threads)); }));
}
template <class T>
nb::tuple find_groups_on_gpu(int device, PointArray<T> const& points, double linking_length,
                             Box const& box) {
    FofOptions const o{.linking_length = linking_length, .box = box};
    return to_tuple(on_gpu(device, 0, [&](Cuda const& cuda) { return fof(view<T>(points), o, cuda); }));
}

template <class T>
nb::dict catalogue(PointArray<T> const& points, Groups const& groups, std::size_t min_members,
                   Box const& box, std::optional<Column<T>> const& masses,
                   std::optional<PointArray<T>> const& velocities, int threads) {
    CatalogueOptions<T> o{.min_members = min_members, .box = box, .masses = view<T>(masses)};
    if (velocities) o.velocities = view<T>(*velocities);
    auto c = run(heavy(points.shape(0)),
                 [&] { return fof_catalogue(view<T>(points), groups.found, o, Cpu(threads)); });
    nb::dict out = catalogue_dict(c, bool(velocities));
    out["first"] = to_numpy(std::move(c.first));
    out["order"] = to_numpy(std::move(c.order));
    return out;
}

/// (labels, core, number of clusters)
nb::tuple to_tuple(DbscanResult<>&& r) {
    auto labels = to_numpy(std::move(r.labels));
    return nb::make_tuple(labels, to_numpy(std::move(r.core)), r.clusters);
}

template <class T>
nb::tuple find_dbscan(PointArray<T> const& points, double epsilon, index_t min_samples, Box const& box,
                      int threads) {
    DbscanOptions const o{.epsilon = epsilon, .min_samples = min_samples, .box = box};
    return to_tuple(
        run(heavy(points.shape(0)), [&] { return dbscan(view<T>(points), o, Cpu(threads)); }));
}
template <class T>
nb::tuple find_dbscan_on_gpu(int device, PointArray<T> const& points, double epsilon,
                             index_t min_samples, Box const& box) {
    DbscanOptions const o{.epsilon = epsilon, .min_samples = min_samples, .box = box};
    return to_tuple(
        on_gpu(device, 0, [&](Cuda const& cuda) { return dbscan(view<T>(points), o, cuda); }));
}

template <class T>
void bind(nb::module_& m) {
    auto const points = "points"_a.noconvert();
    m.def("fof", &find_groups<T>, points, "linking_length"_a, "box"_a, "threads"_a);
    m.def("fof_catalogue", &catalogue<T>, points, "groups"_a, "min_members"_a, "box"_a,
          "masses"_a.noconvert().none(), "velocities"_a.noconvert().none(), "threads"_a);
    m.def("dbscan", &find_dbscan<T>, points, "epsilon"_a, "min_samples"_a, "box"_a, "threads"_a);
    m.def("cuda_fof", &find_groups_on_gpu<T>, "device"_a, points, "linking_length"_a, "box"_a);
    m.def("cuda_dbscan", &find_dbscan_on_gpu<T>, "device"_a, points, "epsilon"_a, "min_samples"_a,
          "box"_a);
    m.def(
        "mean_spacing",
        [](PointArray<T> const& p, Box const& box) {
            return run(false, [&] { return mean_spacing(view<T>(p), box); });
        },
        points, "box"_a);
}

}  // namespace

void bind_groups(nb::module_& m) {
    nb::class_<Groups>(m, "Groups");
    bind<float>(m);
    bind<double>(m);
}

}  // namespace zwalk::python
