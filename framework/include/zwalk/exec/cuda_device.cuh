// A GPU as a Device (exec/device.hpp). For nvcc; host code uses exec/cuda.hpp.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "zwalk/core/error.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/exec/detail/cuda_kernels.cuh"
#include "zwalk/exec/device.hpp"

namespace zwalk { inline namespace v0 {

/// Throws Error, naming what was tried, unless a CUDA call succeeded.
void check_cuda_call(cudaError_t result, char const* what);

/// One GPU and one stream. Members are those of exec/device.hpp; all but download, count and synchronize
/// return at once. Every launch and call is checked, and made with the GPU as the current device, whatever the
/// thread. Not for use by several threads at a time.
class CudaDevice {
  public:
    /// @throws InputError  there is no such GPU
    explicit CudaDevice(Cuda const& cuda = {});

    template <class T>
    DeviceBuffer<T> buffer(std::size_t n) {
        return DeviceBuffer<T>(memory_, stream_, n);
    }
    template <class T>
    void upload(T* to, T const* from, std::size_t n) {
        move(to, from, n * sizeof(T), cudaMemcpyHostToDevice);
        // Elsewhere CUDA has copied pageable memory when it returns.
        if (reads_pageable_memory_) synchronize();
    }
    template <class T>
    void download(T* to, T const* from, std::size_t n) {
        move(to, from, n * sizeof(T), cudaMemcpyDeviceToHost);
        synchronize();
    }
    template <class T>
    void copy(T* to, T const* from, std::size_t n) {
        move(to, from, n * sizeof(T), cudaMemcpyDeviceToDevice);
    }
    template <class T>
    void zero(T* to, std::size_t n) {
        CurrentDevice const current(device_);
        if (n) check_cuda_call(cudaMemsetAsync(to, 0, n * sizeof(T), stream_), "zero memory");
    }

    template <class F>
    void for_each(std::size_t n, F const& f) {
        if (n == 0) return;
        CurrentDevice const current(device_);
        detail::run_elements<F>
            <<<detail::element_blocks(n), detail::element_threads, 0, stream_>>>(f, n);
        launched();
    }
    template <class Kernel>
    void launch(pos_t groups, Kernel const& kernel, pos_t most_slots = no_pos) {
        if (groups == 0) return;
        CurrentDevice const current(device_);
        pos_t used = groups;
        if constexpr (Kernel::persistent) used = std::min({groups, slots<Kernel>(), most_slots});
        detail::run_groups<Kernel>
            <<<detail::group_blocks<Kernel>(used), block_threads<Kernel::width>, 0, stream_>>>(
                kernel, groups, used);
        launched();
    }
    template <class Kernel>
    [[nodiscard]] pos_t slots() const {
        static_assert(Kernel::persistent);
        CurrentDevice const current(device_);
        int resident = 0;
        check_cuda_call(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                            &resident, detail::run_groups<Kernel>, block_threads<Kernel::width>, 0),
                        "ask for the occupancy of a kernel");
        return pos_t(resident * multiprocessors_ * CudaGroup<Kernel::width>::per_block);
    }

    void exclusive_scan(pos_t const* in, size_type* out, std::size_t n);
    pos_t count(std::uint8_t const* flags, std::size_t n);
    void count(std::uint8_t const* flags, std::size_t n, pos_t* found);
    void positions(std::uint8_t const* flags, std::size_t n, pos_t* out, pos_t* found = nullptr);
    void sort_pairs(std::uint64_t* keys, pos_t* values, std::size_t n, int bits = 64);
    template <class V>
    void sort_segments(V* x, std::size_t n, size_type const* begin, size_type const* end,
                       pos_t segments) {
        sort_bits(reinterpret_cast<BitsOf<V>*>(x), n, begin, end, segments);
    }

    [[nodiscard]] std::uint64_t available() const;
    [[nodiscard]] std::uint64_t memory_budget() const { return memory_budget_; }
    void synchronize();
    [[nodiscard]] DeviceStats stats() const;
    [[nodiscard]] cudaStream_t stream() const { return stream_; }
    [[nodiscard]] int number() const { return device_; }

  private:
    void move(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
        CurrentDevice const current(device_);
        if (bytes) check_cuda_call(cudaMemcpyAsync(to, from, bytes, kind, stream_), "copy memory");
    }
    void launched() {
        ++stats_.launches;
        check_cuda_call(cudaGetLastError(), "launch a kernel");
    }
    void sort_bits(std::uint64_t* x, std::size_t n, size_type const* begin, size_type const* end,
                   pos_t segments);
    void sort_bits(Bits128* x, std::size_t n, size_type const* begin, size_type const* end,
                   pos_t segments);

    int device_;
    cudaStream_t stream_;
    std::uint64_t memory_budget_, processes_;
    int multiprocessors_ = 1;
    bool reads_pageable_memory_ =
        false;  // as it is, without staging: by the host's page tables (GH200), or HMM
    std::shared_ptr<CountedMemory> memory_;
    DeviceStats stats_;
};

}}  // namespace zwalk::v0
