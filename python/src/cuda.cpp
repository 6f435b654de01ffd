// Points and results on a GPU. Builds without CUDA have them, too: there the library refuses.
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>

#include "functions.hpp"

namespace zwalk::python {
namespace {

/// What exports by DLPack: nanobind's array, which keeps the memory.
nb::object dlpack_of(OnDevice const& a) {
    auto* const kept = new std::shared_ptr<void>(a.memory);
    nb::capsule const owner(kept,
                            [](void* p) noexcept { delete static_cast<std::shared_ptr<void>*>(p); });
    return nb::ndarray<nb::array_api>(a.address, a.shape.size(), a.shape.data(), owner, nullptr, a.dtype,
                                      nb::device::cuda::value, a.device)
        .cast();
}

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

template <class T>
void bind(nb::module_& m, char const* name) {
    using Rows = DevicePoints<T>;
    nb::class_<Rows>(m, name).def("__init__", [](Rows* self, std::uintptr_t address, std::size_t n,
                                                 int dim, std::size_t row, std::size_t column) {
        new (self) Rows(reinterpret_cast<T const*>(address), n, dim, row, column);
    });
    FunctionsOf<Rows, Here>::template bind<Knn, RadiusLists, RadiusCounts, Fof, Emst, Pairs, Gravity>(m);
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
