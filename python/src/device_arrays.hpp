// Results on a GPU.
#pragma once
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "zwalk/exec/device_memory.hpp"

namespace zwalk::python {

/// zwalk/_device.py shows it by the protocols that other libraries read.
struct OnDevice {
    std::shared_ptr<void> memory;
    void* address = nullptr;
    std::vector<std::size_t> shape;
    std::string type;  ///< as NumPy writes it: "<f4"
    nb::dlpack::dtype dtype;
    int device = 0;
};

template <class V>
OnDevice on_device(DeviceBuffer<V>&& values, std::vector<std::size_t> shape, int device) {
    using Shown =
        std::conditional_t<std::is_same_v<V, size_type>, index_t, V>;  // offsets, as on the host
    auto const kept = std::make_shared<DeviceBuffer<V>>(std::move(values));
    char const kind = std::is_floating_point_v<V> ? 'f' : std::is_signed_v<Shown> ? 'i' : 'u';
    return {kept,
            kept->data(),
            std::move(shape),
            std::string("<") + kind + std::to_string(sizeof(V)),
            nb::dtype<Shown>(),
            device};
}

}  // namespace zwalk::python
