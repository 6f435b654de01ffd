// Work on a GPU, of points on the host or on the GPU. Builds without CUDA have it, too: there the library refuses.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "arrays.hpp"
#include "bind.hpp"
#include "gpu.hpp"
#include "gravity.hpp"
#include "neighbours.hpp"
#include "pairs.hpp"
#include "zwalk/core/device_points.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/fof/fof.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

/// What exports by DLPack: nanobind's array, which keeps the memory.
nb::object dlpack_of(OnDevice const& a) {
    auto* const kept = new std::shared_ptr<void>(a.memory);
    nb::capsule const owner(kept,
                            [](void* p) noexcept { delete static_cast<std::shared_ptr<void>*>(p); });
    return nb::ndarray<nb::array_api>(a.address, a.shape.size(), a.shape.data(), owner, nullptr, a.dtype,
                                      nb::device::cuda::value, a.device)
        .cast();
}

/// Results of one place or the other, as Python has them. GIL held.
template <class V>
nb::object to_python(DeviceBuffer<V>&& values, std::vector<std::size_t> shape, int device) {
    return nb::cast(on_device(std::move(values), std::move(shape), device));
}
template <class Numbers>
nb::object to_python(Numbers&& values, std::vector<std::size_t> shape, int) {
    return shape.size() == 2 ? to_numpy(std::forward<Numbers>(values), {shape[0], shape[1]})
                             : to_numpy(std::forward<Numbers>(values));
}
template <class Numbers>
nb::object column(Numbers&& values, int device) {
    std::size_t const n = values.size();
    return to_python(std::forward<Numbers>(values), {n}, device);
}
template <class Numbers>
nb::object column_or_none(Numbers&& values, int device) {
    return values.empty() ? nb::object(nb::none()) : column(std::forward<Numbers>(values), device);
}

// Points on the host and on the device, as the library has them.
template <class T>
Points<T> seen(PointArray<T> const& points) {
    return view<T>(points);
}
template <class T>
DevicePoints<T> seen(DevicePoints<T> const& points) {
    return points;
}

/// The functions of _core with the number of a device in front, for points In: PointArray<T> or DevicePoints<T>.
template <class T, class In>
struct Gpu {
    using Maybe = std::optional<In>;

    static nb::tuple spanning_tree(int device, In const& points, int min_samples, Box const& box) {
        EmstOptions const o{.min_samples = min_samples, .box = box};
        auto r = on_gpu(device, 0, [&](Cuda const& cuda) { return emst(seen<T>(points), o, cuda); });
        std::size_t const n = r.lengths.size();
        auto edges = to_python(std::move(r.edges), {n, 2}, device);
        auto lengths = column(std::move(r.lengths), device);
        return nb::make_tuple(edges, lengths, column_or_none(std::move(r.core_distances), device));
    }

    static void bind(nb::module_& m) {
        auto const points = "points"_a.noconvert();
        m.def("cuda_emst", &spanning_tree, "device"_a, points, "min_samples"_a, "box"_a);
    }
};

/// (address, kind and number of the device, shape, strides in elements, kind of number, its bits, what keeps the memory)
/// of a DLPack capsule.
nb::tuple dlpack_parts(nb::ndarray<nb::ro> const& a) {
    std::vector<std::size_t> shape;
    std::vector<std::int64_t> strides;
    for (std::size_t j = 0; j < a.ndim(); ++j) {
        shape.push_back(a.shape(j));
        strides.push_back(a.stride(j));
    }
    auto* const kept = new nb::ndarray<nb::ro>(a);
    nb::capsule const owner(kept, [](void* p) noexcept { delete static_cast<nb::ndarray<nb::ro>*>(p); });
    return nb::make_tuple(reinterpret_cast<std::uintptr_t>(a.data()), int(a.device_type()),
                          int(a.device_id()), shape, strides, int(a.dtype().code), int(a.dtype().bits),
                          owner);
}

/// (labels, number of groups) of points on the GPU. (Of points on the host: groups.cpp.)
template <class T>
nb::tuple find_groups(int device, DevicePoints<T> const& points, double linking_length, Box const& box) {
    FofOptions const o{.linking_length = linking_length, .box = box};
    auto r = on_gpu(device, 0, [&](Cuda const& cuda) { return fof(points, o, cuda); });
    return nb::make_tuple(column(std::move(r.labels), device), r.groups);
}

template <class T>
void bind(nb::module_& m, char const* name) {
    using Rows = DevicePoints<T>;
    nb::class_<Rows>(m, name).def("__init__", [](Rows* self, std::uintptr_t address, std::size_t n,
                                                 int dim, std::size_t row, std::size_t column) {
        new (self) Rows(reinterpret_cast<T const*>(address), n, dim, row, column);
    });
    m.def("cuda_fof", &find_groups<T>, "device"_a, "points"_a.noconvert(), "linking_length"_a, "box"_a);
    FunctionsOf<Rows, Here>::template bind<Knn, RadiusLists, RadiusCounts, Pairs, Gravity>(m);
    Gpu<T, PointArray<T>>::bind(m);
    Gpu<T, Rows>::bind(m);
}

}  // namespace

void bind_cuda(nb::module_& m) {
    nb::class_<OnDevice>(m, "OnDevice")
        .def("__init__",  // float32 that something else keeps: for tests
             [](OnDevice* self, std::uintptr_t address, std::vector<std::size_t> const& shape,
                int device) {
                 new (self) OnDevice{
                     nullptr, reinterpret_cast<void*>(address), shape, "<f4", nb::dtype<float>(),
                     device};
             })
        .def_prop_ro("address",
                     [](OnDevice const& a) { return reinterpret_cast<std::uintptr_t>(a.address); })
        .def_ro("shape", &OnDevice::shape)
        .def_ro("type", &OnDevice::type)
        .def_ro("device", &OnDevice::device)
        .def("dlpack", &dlpack_of);
    bind<float>(m, "DevicePoints32");
    bind<double>(m, "DevicePoints64");
    m.def("dlpack_parts", &dlpack_parts);
    m.def("built_with_cuda", &built_with_cuda);
    m.def("cuda_devices", &cuda_devices);
    m.def("cuda_release_memory", &cuda_release_memory);
}

}  // namespace zwalk::python
