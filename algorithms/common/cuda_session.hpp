// A GPU at work for an algorithm, for code without CUDA headers. In builds without CUDA there is none.
#pragma once
#include <memory>
#include <optional>

#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk::inline v0 {
class CudaDevice;
}
namespace zwalk::inline v0::detail {

/// The first coordinate of points that isn't finite.
template <class T>
struct BadCoordinate {
    pos_t row;
    int column;
    T value;
};

/// A device, and what goes to it and comes from it. Templates are there for float and double.
class CudaSession {
  public:
    /// @throws InputError  there is no such device
    explicit CudaSession(Cuda const& cuda);
    ~CudaSession();

    [[nodiscard]] CudaDevice& device() { return *device_; }
    template <class T>
    DeviceBuffer<T> buffer(std::size_t n);
    template <class T>
    DeviceBuffer<T> upload(Points<T> points);
    template <class T>
    std::optional<BadCoordinate<T>> not_finite(DevicePoints<T> points);
    template <class T>
    Extent<T> extent(DevicePoints<T> points);
    /// `to`: a vector or Buffer of V, which gets the size of `from`. Waits.
    template <class Array, class V>
    void download(Array& to, DeviceBuffer<V> const& from) {
        to = Array(from.size());
        download_bytes(to.data(), from.data(), from.size() * sizeof(V));
    }

  private:
    void download_bytes(void* to, void const* from, std::size_t bytes);

    std::unique_ptr<CudaDevice> device_;
};

}  // namespace zwalk::inline v0::detail
