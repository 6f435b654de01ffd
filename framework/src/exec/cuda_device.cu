#include "zwalk/exec/cuda_device.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_select.cuh>

#include <cstring>
#include <map>
#include <mutex>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/cuda_stats.hpp"
#include "zwalk/exec/detail/cuda_call.cuh"
#include "zwalk/exec/detail/staged_copy.hpp"
#include "zwalk/exec/device_memory_error.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// "text: CUDA's own words".
std::string with_reason(std::string const& text, cudaError_t result) {
    return text + ": " + cudaGetErrorString(result);
}

/// The default allocator: stream-ordered. A pool of its own, because that of the device is shared by all: what it
/// keeps would be lost to other libraries of the process.
class PoolMemory final : public DeviceMemory {
  public:
    explicit PoolMemory(int device) {
        cudaMemPoolProps properties{};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location.type = cudaMemLocationTypeDevice;
        properties.location.id = device;
        check_cuda_call(cudaMemPoolCreate(&pool_, &properties), "make a memory pool");
        // What is given back stays, instead of going to the driver at every wait.
        std::uint64_t keep = ~std::uint64_t(0);
        check_cuda_call(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep),
                        "set up the memory pool");
    }
    // What is still in use, or about to be given back in a stream, goes when that is done.
    ~PoolMemory() override { (void)cudaMemPoolDestroy(pool_); }

    void* allocate(std::size_t bytes, void* stream) override {
        void* memory = nullptr;
        check_cuda_call(
            cudaMallocFromPoolAsync(&memory, bytes, pool_, static_cast<cudaStream_t>(stream)),
            "allocate memory");
        return memory;
    }
    void deallocate(void* memory, std::size_t, void* stream) noexcept override {
        (void)cudaFreeAsync(memory, static_cast<cudaStream_t>(stream));
    }
    /// Memory that is not in use goes back to the driver.
    void release() {
        check_cuda_call(cudaMemPoolTrimTo(pool_, 0), "give back the memory that a pool keeps");
    }
    [[nodiscard]] std::uint64_t kept() const override {
        std::uint64_t reserved = 0, used = 0;
        check_cuda_call(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved),
                        "ask for the size of the memory pool");
        check_cuda_call(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used),
                        "ask for the memory in use");
        return reserved - used;
    }

  private:
    cudaMemPool_t pool_ = nullptr;
};

class PlainMemory final : public DeviceMemory {
  public:
    void* allocate(std::size_t bytes, void*) override {
        void* memory = nullptr;
        check_cuda_call(cudaMalloc(&memory, bytes), "allocate memory");
        return memory;
    }
    // cudaFree waits for the device, so work in the stream may still use the memory.
    void deallocate(void* memory, std::size_t, void*) noexcept override { (void)cudaFree(memory); }
};

/// Calls another one with the GPU as the current device, which the default stream, and so a buffer that another
/// thread gives back, goes by.
class MemoryOfDevice final : public DeviceMemory {
  public:
    MemoryOfDevice(int device, std::shared_ptr<DeviceMemory> upstream)
        : device_(device), upstream_(std::move(upstream)) {}
    void* allocate(std::size_t bytes, void* stream) override {
        CurrentDevice const current(device_);
        try {
            return upstream_->allocate(bytes, stream);
        } catch (Error const& error) {
            throw DeviceMemoryError(error.what());
        }
    }
    void deallocate(void* memory, std::size_t bytes, void* stream) noexcept override {
        try {
            CurrentDevice const current(device_);
            upstream_->deallocate(memory, bytes, stream);
        } catch (Error const&) {  // the driver is gone, and the memory with it
        }
    }
    [[nodiscard]] std::uint64_t kept() const override { return upstream_->kept(); }

  private:
    int device_;
    std::shared_ptr<DeviceMemory> upstream_;
};

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    check_cuda_call(cudaDeviceGetAttribute(&value, which, device), "ask what the device can do");
    return value;
}

/// What to do about a GPU that this build has no code for.
std::string missing_code() {
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return {};
    std::string const capability = std::to_string(attribute(cudaDevAttrComputeCapabilityMajor, device)) +
                                   std::to_string(attribute(cudaDevAttrComputeCapabilityMinor, device));
    return "; the build has no code for this GPU, configure it with -DCMAKE_CUDA_ARCHITECTURES=" +
           capability;
}

/// The library's own pools, one for each GPU that was used.
class SharedPools {
  public:
    std::shared_ptr<PoolMemory> of(int device, bool make) {
        std::lock_guard const lock(mutex_);
        auto& pool = pool_[device];
        if (!pool && make) pool = std::make_shared<PoolMemory>(device);
        return pool;
    }

  private:
    std::mutex mutex_;
    std::map<int, std::shared_ptr<PoolMemory>> pool_;
};
SharedPools& shared_pools() {
    static SharedPools pools;
    return pools;
}

}  // namespace

void check_cuda_call(cudaError_t result, char const* what) {
    if (result == cudaSuccess) return;
    (void)cudaGetLastError();  // so that the next call doesn't report it again
    bool const no_code =
        result == cudaErrorNoKernelImageForDevice || result == cudaErrorUnsupportedPtxVersion;
    std::string const failure = with_reason(std::string("CUDA could not ") + what, result) +
                                (no_code ? missing_code() : std::string());
    if (result == cudaErrorMemoryAllocation) throw DeviceMemoryError(failure);
    throw Error(failure);
}

CurrentDevice::CurrentDevice(int device) {
    int now = 0;
    check_cuda_call(cudaGetDevice(&now), "ask for the current device");
    if (now == device) return;
    check_cuda_call(cudaSetDevice(device), "use the device");
    before_ = now;
}
CurrentDevice::~CurrentDevice() {
    if (before_ >= 0) (void)cudaSetDevice(before_);
}

bool built_with_cuda() { return true; }
int cuda_max_dim() { return ZWALK_CUDA_MAX_DIM; }

int cuda_devices() {
    int n = 0;
    if (cudaGetDeviceCount(&n) != cudaSuccess) {  // without a driver: an error of its own
        (void)cudaGetLastError();
        return 0;
    }
    return n;
}

namespace {

cudaDeviceProp properties_of(int device) {
    check_cuda({.device = device});
    cudaDeviceProp properties;
    check_cuda_call(cudaGetDeviceProperties(&properties, device), "ask for the name of a device");
    return properties;
}

}  // namespace

std::string cuda_device_name(int device) { return properties_of(device).name; }

CudaDeviceId cuda_device_id(int device) {
    auto const uuid = properties_of(device).uuid;
    CudaDeviceId id;
    static_assert(sizeof(id) == sizeof(uuid));
    std::memcpy(id.data(), &uuid, sizeof(id));
    return id;
}

std::shared_ptr<DeviceMemory> cuda_plain_memory() { return std::make_shared<PlainMemory>(); }

std::shared_ptr<DeviceMemory> cuda_pool_memory(int device) {
    check_cuda({.device = device});
    if (!attribute(cudaDevAttrMemoryPoolsSupported, device)) return cuda_plain_memory();
    return std::make_shared<PoolMemory>(device);
}

std::shared_ptr<DeviceMemory> cuda_shared_memory(int device) {
    check_cuda({.device = device});
    if (!attribute(cudaDevAttrMemoryPoolsSupported, device)) return cuda_plain_memory();
    return shared_pools().of(device, true);
}

void cuda_release_memory(int device) {
    check_cuda({.device = device});
    CurrentDevice const current(device);
    if (auto const pool = shared_pools().of(device, false)) pool->release();
}

void check_cuda(Cuda const& cuda) {
    int n = 0;
    cudaError_t const result = cudaGetDeviceCount(&n);
    if (result != cudaSuccess) (void)cudaGetLastError();
    if (result != cudaSuccess || n == 0)
        throw InputError(with_reason("there is no CUDA device: use the CPU", result));
    if (cuda.device < 0 || cuda.device >= n)
        throw InputError("there is no CUDA device " + std::to_string(cuda.device) +
                         ": this machine has " + std::to_string(n) + ", counted from 0");
}

CudaDevice::CudaDevice(Cuda const& cuda)
    : device_(cuda.device),
      stream_(static_cast<cudaStream_t>(cuda.stream)),
      memory_budget_(cuda.memory_budget),
      processes_(std::uint64_t(std::max(1, cuda.processes))) {
    check_cuda(cuda);
    multiprocessors_ = attribute(cudaDevAttrMultiProcessorCount, device_);
    reads_pageable_memory_ = attribute(cudaDevAttrPageableMemoryAccess, device_) != 0;
    auto const memory = [&] {
        if (cuda.memory) return cuda.memory;
        // What one process keeps another one can't have.
        return cuda.processes > 1 ? cuda_pool_memory(device_) : cuda_shared_memory(device_);
    };
    memory_ = std::make_shared<CountedMemory>(std::make_shared<MemoryOfDevice>(device_, memory()));
}

OpenCuda open_cuda(Cuda const& cuda) { return OpenCuda(new CudaDevice(cuda)); }
void CloseCuda::operator()(CudaDevice* device) const { delete device; }

namespace {

/// Whether the driver would copy to this memory of the host by way of buffers of its own, one after the other, on one thread.
bool is_pageable(CudaDevice const& device, void const* memory) {
    if (attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables, device.number()) != 0) return false;
    cudaPointerAttributes found{};
    return cudaPointerGetAttributes(&found, memory) == cudaSuccess &&
           found.type == cudaMemoryTypeUnregistered;
}

/// The buffers of copy_staged(): page-locked memory, which a GPU writes to at the rate of the bus. Its GPU is the current one
/// for as long as they are there.
class PinnedStage {
  public:
    PinnedStage(CudaDevice& device, void* to, void const* from)
        : device_(device),
          to_(static_cast<unsigned char*>(to)),
          from_(static_cast<unsigned char const*>(from)) {
        for (Half& half : half_) {
            if (cudaHostAlloc(&half.memory, detail::staged_chunk, cudaHostAllocDefault) != cudaSuccess ||
                cudaEventCreateWithFlags(&half.filled, cudaEventDisableTiming) != cudaSuccess) {
                (void)cudaGetLastError();
                is_there_ = false;
            }
        }
    }
    ~PinnedStage() {
        (void)cudaStreamSynchronize(device_.stream());  // what fills them, after an error
        for (Half& half : half_) {
            if (half.filled) (void)cudaEventDestroy(half.filled);
            if (half.memory) (void)cudaFreeHost(half.memory);
        }
    }
    PinnedStage(PinnedStage const&) = delete;
    PinnedStage& operator=(PinnedStage const&) = delete;

    /// Page-locked memory may be short.
    [[nodiscard]] bool is_there() const { return is_there_; }

    void fill(std::size_t which, std::size_t at, std::size_t n) {
        Half const& half = half_[which];
        check_cuda_call(
            cudaMemcpyAsync(half.memory, from_ + at, n, cudaMemcpyDeviceToHost, device_.stream()),
            "copy memory");
        check_cuda_call(cudaEventRecord(half.filled, device_.stream()), "copy memory");
    }
    void empty(std::size_t which, std::size_t at, std::size_t n) {
        Half const& half = half_[which];
        check_cuda_call(cudaEventSynchronize(half.filled), "copy memory");
        // By all threads: most of the time goes into pages that are new to the process.
        host_.copy(to_ + at, static_cast<unsigned char const*>(half.memory), n);
    }

  private:
    struct Half {
        void* memory = nullptr;
        cudaEvent_t filled = nullptr;
    };
    CudaDevice& device_;
    Cpu host_;
    unsigned char* to_;
    unsigned char const* from_;
    Half half_[2];
    bool is_there_ = true;
};

}  // namespace

void cuda_download(CudaDevice& device, void* to, void const* from, std::size_t bytes) {
    CurrentDevice const current(device.number());
    if (bytes >= detail::staged_from && is_pageable(device, to)) {
        PinnedStage stage(device, to, from);
        if (stage.is_there()) return detail::copy_staged(stage, bytes);
    }
    device.download(static_cast<unsigned char*>(to), static_cast<unsigned char const*>(from), bytes);
}

DeviceStats cuda_stats(CudaDevice const& device) { return device.stats(); }

std::uint64_t CudaDevice::available() const {
    CurrentDevice const current(device_);
    std::size_t free = 0, total = 0;
    check_cuda_call(cudaMemGetInfo(&free, &total), "ask for free memory");
    return free / processes_ + memory_->kept();
}

void CudaDevice::synchronize() {
    ++stats_.waits;
    CurrentDevice const current(device_);
    check_cuda_call(cudaStreamSynchronize(stream_), "finish the work so far");
}

DeviceStats CudaDevice::stats() const {
    DeviceStats s = stats_;
    s.peak_bytes = memory_->peak();
    return s;
}

void CudaDevice::exclusive_scan(pos_t const* in, size_type* out, std::size_t n) {
    detail::with_temporary(*this, "scan", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveScan(memory, bytes, in, out, cuda::std::plus<size_type>(),
                                              size_type(0), n, stream_);
    });
}

pos_t CudaDevice::count(std::uint8_t const* flags, std::size_t n) {
    auto sum = buffer<pos_t>(1);
    count(flags, n, sum.data());
    pos_t result = 0;
    download(&result, sum.data(), 1);
    return result;
}

void CudaDevice::count(std::uint8_t const* flags, std::size_t n, pos_t* found) {
    detail::with_temporary(*this, "count", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Reduce(memory, bytes, flags, found, n, cuda::std::plus<pos_t>(),
                                         pos_t(0), stream_);
    });
}

void CudaDevice::positions(std::uint8_t const* flags, std::size_t n, pos_t* out, pos_t* found) {
    auto selected = buffer<pos_t>(found ? 0 : 1);
    if (!found) found = selected.data();
    detail::with_temporary(*this, "select", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceSelect::Flagged(memory, bytes, thrust::counting_iterator<pos_t>(0), flags, out,
                                          found, std::int64_t(n), stream_);
    });
}

void CudaDevice::sort_pairs(std::uint64_t* keys, pos_t* values, std::size_t n, int bits) {
    auto other_keys = buffer<std::uint64_t>(n);
    auto other_values = buffer<pos_t>(n);
    cub::DoubleBuffer<std::uint64_t> k(keys, other_keys.data());
    cub::DoubleBuffer<pos_t> v(values, other_values.data());
    detail::with_temporary(*this, "sort", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, k, v, n, 0, bits, stream_);
    });
    if (k.Current() != keys) copy(keys, k.Current(), n);
    if (v.Current() != values) copy(values, v.Current(), n);
}

namespace {

template <class Key>
void sort_lists(CudaDevice& device, Key* x, std::size_t n, size_type const* begin, size_type const* end,
                pos_t segments) {
    auto other = device.buffer<Key>(n);
    cub::DoubleBuffer<Key> k(x, other.data());
    detail::with_temporary(device, "sort lists", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceSegmentedSort::SortKeys(memory, bytes, k, std::int64_t(n),
                                                  std::int64_t(segments), begin, end, device.stream());
    });
    if (k.Current() != x) device.copy(x, k.Current(), n);
}

}  // namespace

void CudaDevice::sort_bits(std::uint64_t* x, std::size_t n, size_type const* begin, size_type const* end,
                           pos_t segments) {
    sort_lists(*this, x, n, begin, end, segments);
}
void CudaDevice::sort_bits(Bits128* x, std::size_t n, size_type const* begin, size_type const* end,
                           pos_t segments) {
    sort_lists(*this, x, n, begin, end, segments);
}

}}  // namespace zwalk::v0
