// A GPU at work for an algorithm, for code without CUDA headers. In builds without CUDA there is none.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "zwalk/core/device_points.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/tree/extent.hpp"
#include "zwalk/tree/joint.hpp"

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
    /// Bytes of memory that could still be had.
    [[nodiscard]] std::uint64_t available() const;
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
    /// The parts of a result: `to` gets the statistics `from`, and `parts`, which downloads, as their last
    /// phase.
    template <class Parts>
    static void download_result(Stats& to, Stats&& from, Parts const& parts) {
        double const start = now_seconds();
        parts();
        to = std::move(from);
        to.seconds.emplace_back("download", now_seconds() - start);
    }

  private:
    void download_bytes(void* to, void const* from, std::size_t bytes);

    std::unique_ptr<CudaDevice> device_;
};

/// Instances of the members that are templates: for the file that defines them.
#define ZWALK_CUDA_SESSION(T)                                                          \
    template DeviceBuffer<T> CudaSession::buffer(std::size_t);                         \
    template DeviceBuffer<T> CudaSession::upload(Points<T>);                           \
    template std::optional<BadCoordinate<T>> CudaSession::not_finite(DevicePoints<T>); \
    template Extent<T> CudaSession::extent(DevicePoints<T>);

}  // namespace zwalk::inline v0::detail
