// Which GPU is the current one when CudaDevice calls CUDA, and whose memory it takes. On a runtime that runs nothing
// (idle_machine.hpp): what is tested here are calls, not results.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cuda/fake_runtime.hpp"
#include "cuda/idle_machine.hpp"
#include "support/on_threads.hpp"
#include "zwalk/exec/cuda_device.cuh"
#include "zwalk/exec/detail/staged_copy.hpp"
#include "zwalk/exec/device_memory_error.hpp"

using namespace zwalk;

namespace {

constexpr std::size_t n = 1000;

struct Element {
    pos_t* x;
    __device__ void operator()(std::size_t i) const { x[i] = pos_t(i); }
};
template <bool is_persistent>
struct Kernel {
    static constexpr int width = 32;
    static constexpr bool persistent = is_persistent;
    pos_t* x;
    template <class Group>
    __device__ void operator()(Group const&, pos_t i, pos_t) const {
        x[i] = i;
    }
};

int current_device() {
    int device = -1;
    REQUIRE(cudaGetDevice(&device) == cudaSuccess);
    return device;
}

/// Every call that f makes is made with `device` as the current one and on what is of that device, whichever was the
/// current one before; which it is again.
template <class F>
void check_calls(int device, std::string const& what, F const& f) {
    CAPTURE(what);
    for (int before = 0; before < fake_cuda::devices; ++before) {
        REQUIRE(cudaSetDevice(before) == cudaSuccess);
        (void)fake_cuda::take_calls();
        f();
        CHECK(current_device() == before);
        auto const calls = fake_cuda::take_calls();
        CHECK(!calls.empty());
        for (auto const& call : calls) {
            CAPTURE(call.name);
            CHECK(call.current == device);
            for (int object : call.objects) CHECK(object == device);
        }
    }
}

void check_members(CudaDevice& device) {
    auto const check = [&](char const* what, auto const& f) { check_calls(device.number(), what, f); };
    auto a = device.buffer<pos_t>(n), b = device.buffer<pos_t>(n);
    std::vector<pos_t> host(n);
    check("buffer", [&] { (void)device.buffer<pos_t>(n); });
    check("upload", [&] { device.upload(a.data(), host.data(), n); });
    check("download", [&] { device.download(host.data(), a.data(), n); });
    check("copy", [&] { device.copy(b.data(), a.data(), n); });
    check("zero", [&] { device.zero(a.data(), n); });
    check("for_each", [&] { device.for_each(n, Element{a.data()}); });
    check("launch", [&] { device.launch(pos_t(n), Kernel<false>{a.data()}); });
    check("launch, persistent", [&] { device.launch(pos_t(n), Kernel<true>{a.data()}, 2); });
    check("slots", [&] { (void)device.slots<Kernel<true>>(); });
    check("available", [&] { (void)device.available(); });
    check("synchronize", [&] { device.synchronize(); });
}

void check_primitives(CudaDevice& device) {
    auto const check = [&](char const* what, auto const& f) { check_calls(device.number(), what, f); };
    auto x = device.buffer<pos_t>(n);
    auto flags = device.buffer<std::uint8_t>(n);
    auto keys = device.buffer<std::uint64_t>(n);
    auto sums = device.buffer<size_type>(n);
    check("exclusive_scan", [&] { device.exclusive_scan(x.data(), sums.data(), n); });
    check("count", [&] { (void)device.count(flags.data(), n); });
    check("positions", [&] { device.positions(flags.data(), n, x.data()); });
    auto found = device.buffer<pos_t>(1);
    check("count, left there", [&] { device.count(flags.data(), n, found.data()); });
    check("positions, and how many", [&] { device.positions(flags.data(), n, x.data(), found.data()); });
    check("sort_pairs", [&] { device.sort_pairs(keys.data(), x.data(), n); });
    check("sort_segments",
          [&] { device.sort_segments(keys.data(), n, sums.data(), sums.data() + 1, pos_t(n - 1)); });
}

/// A CudaDevice on each GPU, the last one made last.
struct Devices {
    Cuda on(int device) const { return {device, own_streams ? fake_cuda::stream(device) : nullptr}; }
    bool own_streams;
    std::array<CudaDevice, 2> each{CudaDevice(on(0)), CudaDevice(on(1))};
};

/// Memory of one's own, which is full.
class FullMemory final : public DeviceMemory {
  public:
    void* allocate(std::size_t, void*) override { throw Error("the pool is full"); }
    void deallocate(void*, std::size_t, void*) noexcept override {}
};

}  // namespace

TEST_CASE("memory: an error that others can tell, in the words of where it comes from") {
    CudaDevice device({.memory = std::make_shared<FullMemory>()});
    CHECK_THROWS_WITH_AS((void)device.buffer<pos_t>(n), "the pool is full", DeviceMemoryError);
}

TEST_CASE("current device: that of CudaDevice in each of its calls, from any thread") {
    for (bool own_streams : {false, true}) {
        CAPTURE(own_streams);
        Devices devices{own_streams};
        for (auto& device : devices.each) {
            CAPTURE(device.number());
            check_members(device);
            check_primitives(device);
            test::on_threads(1, [&](pos_t) { check_members(device); });
        }
    }
    CHECK(fake_cuda::allocations() == 0);
    CHECK(fake_cuda::pools() == 2);  // the library's, of the two devices
}

TEST_CASE(
    "current device: that of a buffer, which another thread gives back after the CudaDevice is gone") {
    for (int gpu = 0; gpu < fake_cuda::devices; ++gpu) {
        for (void* stream : {static_cast<void*>(nullptr), static_cast<void*>(fake_cuda::stream(gpu))}) {
            for (bool plain : {false, true}) {
                CAPTURE(gpu);
                CAPTURE(plain);
                std::size_t const pools = fake_cuda::pools();
                auto const buffer = [&] {
                    auto const memory = plain ? cuda_plain_memory() : cuda_pool_memory(gpu);
                    return CudaDevice({gpu, stream, memory}).buffer<pos_t>(n);
                };
                std::array<std::optional<DeviceBuffer<pos_t>>, fake_cuda::devices> buffers;
                for (auto& b : buffers) b = buffer();
                CHECK(fake_cuda::pools() - pools == (plain ? 0 : buffers.size()));
                test::on_threads(1, [&](pos_t) {
                    check_calls(gpu, "free", [&] { buffers[std::size_t(current_device())].reset(); });
                });
                CHECK(fake_cuda::allocations() == 0);
                CHECK(fake_cuda::pools() == pools);
            }
        }
    }
}

TEST_CASE("current device: it stays what it was where there is no such GPU") {
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    CHECK_THROWS_AS(CudaDevice({fake_cuda::devices}), InputError);
    CHECK_THROWS_AS(CurrentDevice(fake_cuda::devices), Error);
    CHECK(current_device() == 1);
}

TEST_CASE("pools: one of the library for each GPU, which keeps memory until it is released") {
    for (int gpu : {0, 1}) cuda_release_memory(gpu);
    {
        CudaDevice a, b({1}), another({0});
        CHECK(fake_cuda::pools() == 2);
        (void)a.buffer<char>(n);
        CHECK(a.available() == fake_cuda::free_bytes(0) + n);  // what the pool keeps
        CHECK(b.available() == fake_cuda::free_bytes(1));
        CHECK(another.available() == fake_cuda::free_bytes(0) + n);
    }
    CHECK(fake_cuda::pools() == 2);
    CudaDevice later;
    CHECK(later.available() == fake_cuda::free_bytes(0) + n);
    auto const in_use = later.buffer<char>(n / 2);
    check_calls(0, "release", [] { cuda_release_memory(0); });
    CHECK(later.available() == fake_cuda::free_bytes(0));
    CHECK_THROWS_AS(cuda_release_memory(fake_cuda::devices), InputError);
}

TEST_CASE("pools: one of its own where processes share the GPU, or that of the context") {
    {
        CudaDevice shared({.device = 1, .processes = 3});
        CHECK(fake_cuda::pools() == 3);
        (void)shared.buffer<char>(n);
        CHECK(shared.available() == fake_cuda::free_bytes(1) / 3 + n);  // what it keeps is its own
    }
    CHECK(fake_cuda::pools() == 2);

    auto memory = cuda_pool_memory(1);
    {
        CudaDevice a({1, nullptr, memory}), b({1, nullptr, memory});
        (void)a.buffer<char>(n);
        CHECK(fake_cuda::pools() == 3);
        CHECK(b.available() == fake_cuda::free_bytes(1) + n);
    }
    CHECK(fake_cuda::pools() == 3);
    memory = nullptr;
    CHECK(fake_cuda::pools() == 2);
}

TEST_CASE("upload: waits where the GPU may read memory of the host after the call") {
    for (bool host_tables : {false, true})
        for (bool pageable : {false, true}) {
            fake_cuda::set_host_tables(host_tables);
            fake_cuda::set_reads_pageable(pageable);
            CudaDevice device;
            auto there = device.buffer<pos_t>(n);
            std::vector<pos_t> const here(n);
            auto const before = device.stats().waits;
            device.upload(there.data(), here.data(), n);
            CHECK(device.stats().waits - before == (host_tables || pageable ? 1 : 0));
        }
    fake_cuda::set_host_tables(true);
    fake_cuda::set_reads_pageable(true);
}

TEST_CASE("download: large results come in chunks, through page-locked memory") {
    constexpr std::size_t chunk = detail::staged_chunk, bytes = detail::staged_from + 12345;
    Devices devices{true};
    for (bool own_tables : {false, true})
        for (bool pinned : {false, true})
            for (auto& device : devices.each) {
                fake_cuda::set_host_tables(own_tables);
                fake_cuda::set_pinned_memory(pinned);
                auto there = device.buffer<unsigned char>(bytes);  // the host's memory, too
                for (std::size_t i = 0; i < bytes; ++i)
                    there.data()[i] = static_cast<unsigned char>(i * 31 >> 4);
                std::vector<unsigned char> here(bytes);
                std::size_t copies = 0;
                check_calls(device.number(), "cuda_download", [&] {
                    cuda_download(device, here.data(), there.data(), bytes);
                    CHECK(std::equal(here.begin(), here.end(), there.data()));
                });
                (void)fake_cuda::take_calls();
                cuda_download(device, here.data(), there.data(), bytes);
                for (auto const& call : fake_cuda::take_calls())
                    copies += call.name == "cudaMemcpyAsync";
                CHECK(copies == (pinned && !own_tables ? (bytes + chunk - 1) / chunk : 1));
                CHECK(fake_cuda::pinned() == 0);
            }
    fake_cuda::set_host_tables(true);
    fake_cuda::set_pinned_memory(true);
}

TEST_CASE(
    "launch: the error says what to do where there is no code for the GPU, and is of its own kind where "
    "there is no memory") {
    Devices devices{false};
    for (auto& device : devices.each) {
        int const gpu = device.number();
        REQUIRE(cudaSetDevice(1 - gpu) == cudaSuccess);
        auto x = device.buffer<pos_t>(n);
        auto const message = [&](cudaError_t result) -> std::string {
            fake_cuda::fail_launch(result);
            try {
                device.for_each(n, Element{x.data()});
            } catch (Error const& error) {
                return error.what();
            }
            return "";
        };
        std::string const advice =
            "-DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(fake_cuda::capability(gpu)) + "0";
        CHECK(message(cudaErrorNoKernelImageForDevice).ends_with(advice));
        CHECK(message(cudaErrorUnsupportedPtxVersion).ends_with(advice));
        CHECK(message(cudaErrorLaunchFailure) == "CUDA could not launch a kernel: made up");
        auto const is_of_memory = [&](cudaError_t result) {
            fake_cuda::fail_launch(result);
            try {
                device.for_each(n, Element{x.data()});
            } catch (DeviceMemoryError const&) {
                return true;
            } catch (Error const&) {
            }
            return false;
        };
        CHECK(is_of_memory(cudaErrorMemoryAllocation));
        CHECK(!is_of_memory(cudaErrorLaunchFailure));
        CHECK(message(cudaSuccess) == "");  // it isn't reported again
        CHECK(current_device() == 1 - gpu);
    }
}
