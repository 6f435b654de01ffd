// In place of libcudart: the functions that the CUDA code of exec calls, CUB's among them, and those that nvcc does.
// The default pool has none, so code that would use it does not link.
#include "cuda/fake_runtime.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <utility>

struct CUstream_st {
    int device;
};
struct CUevent_st {};
struct CUmemPoolHandle_st {
    int device;
    std::uint64_t used = 0, reserved = 0;
};

namespace {

struct Allocation {
    int device;
    std::size_t bytes;
    cudaMemPool_t pool;  // null: none
};
struct Launch {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
};

CUstream_st streams[fake_cuda::devices] = {{0}, {1}};
std::map<char*, Allocation> memory;
std::set<cudaMemPool_t> live_pools;
std::vector<fake_cuda::Call> calls;
cudaError_t next_launch = cudaSuccess;
bool has_host_tables = true, reads_pageable = true, pinned_memory = true;
std::set<void*> pinned;  // and events

thread_local int current = 0;
thread_local cudaError_t last_error = cudaSuccess;
thread_local Launch configured;

/// The objects of a call that is being recorded.
class Record {
  public:
    explicit Record(char const* name) : call_{name, current, {}} {}
    Record(Record const&) = delete;
    Record& operator=(Record const&) = delete;
    ~Record() { calls.push_back(std::move(call_)); }

    Record& of(cudaStream_t stream) {
        if (stream) call_.objects.push_back(stream->device);
        return *this;
    }
    Record& of(cudaMemPool_t pool) {
        call_.objects.push_back(pool->device);
        return *this;
    }
    /// A pointer into an allocation; others are the host's.
    Record& of(void const* pointer) {
        auto const* const p = static_cast<char const*>(pointer);
        for (auto const& [begin, allocation] : memory)
            if (p >= begin && p < begin + allocation.bytes) call_.objects.push_back(allocation.device);
        return *this;
    }

  private:
    fake_cuda::Call call_;
};

void* allocate(std::size_t bytes, int device, cudaMemPool_t pool) {
    void* const p = std::calloc(bytes, 1);
    memory[static_cast<char*>(p)] = {device, bytes, pool};
    return p;
}
cudaError_t deallocate(void* pointer) {
    auto const found = memory.find(static_cast<char*>(pointer));
    if (found == memory.end()) return cudaErrorInvalidValue;
    if (cudaMemPool_t const pool = found->second.pool) {
        pool->used -= found->second.bytes;
        if (pool->used == 0 && !live_pools.contains(pool)) delete pool;
    }
    memory.erase(found);
    std::free(pointer);
    return cudaSuccess;
}

cudaError_t launch(char const* name, cudaStream_t stream) {
    Record(name).of(stream);
    last_error = std::exchange(next_launch, cudaSuccess);
    return last_error;
}

}  // namespace

namespace fake_cuda {

std::vector<Call> take_calls() { return std::exchange(calls, {}); }
cudaStream_t stream(int device) { return &streams[device]; }
std::size_t pools() { return live_pools.size(); }
std::size_t allocations() { return memory.size(); }
std::size_t free_bytes(int device) { return std::size_t(device + 1) << 30; }
int capability(int device) { return 8 + device; }
void fail_launch(cudaError_t result) { next_launch = result; }
void set_host_tables(bool yes) { has_host_tables = yes; }
void set_reads_pageable(bool yes) { reads_pageable = yes; }
void set_pinned_memory(bool yes) { pinned_memory = yes; }
std::size_t pinned() { return ::pinned.size(); }

}  // namespace fake_cuda

extern "C" {

// Devices.
cudaError_t cudaGetDeviceCount(int* n) {
    *n = fake_cuda::devices;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = current;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    if (device < 0 || device >= fake_cuda::devices) return cudaErrorInvalidDevice;
    current = device;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    switch (attribute) {
        case cudaDevAttrComputeCapabilityMajor:
            *value = fake_cuda::capability(device);
            break;
        case cudaDevAttrComputeCapabilityMinor:
            *value = 0;
            break;
        case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
            *value = has_host_tables;
            break;
        case cudaDevAttrPageableMemoryAccess:
            *value = reads_pageable || has_host_tables;
            break;
        default:
            *value = 1 << 16;  // many, and yes
    }
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int) { return cudaErrorNotSupported; }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    Record("cudaMemGetInfo");
    *free = *total = fake_cuda::free_bytes(current);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    Record("cudaStreamSynchronize").of(stream);
    return cudaSuccess;
}

// Errors.
cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }
char const* cudaGetErrorString(cudaError_t) { return "made up"; }

// Memory.
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, cudaMemPoolProps const* properties) {
    *pool = new CUmemPoolHandle_st{properties->location.id};
    live_pools.insert(*pool);
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    if (!live_pools.erase(pool)) return cudaErrorInvalidValue;
    if (pool->used == 0) delete pool;  // or else with what is in use
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t keep) {
    Record("cudaMemPoolTrimTo").of(pool);
    pool->reserved = std::max<std::uint64_t>(pool->used, std::min<std::uint64_t>(pool->reserved, keep));
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    bool const used = attribute == cudaMemPoolAttrUsedMemCurrent;
    *static_cast<std::uint64_t*>(value) = used ? pool->used : pool->reserved;
    return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** p, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    Record("cudaMallocFromPoolAsync").of(pool).of(stream);
    if (!live_pools.contains(pool)) return cudaErrorInvalidValue;
    *p = allocate(bytes, pool->device, pool);
    pool->used += bytes;
    pool->reserved = std::max(pool->reserved, pool->used);
    return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
    Record("cudaFreeAsync").of(p).of(stream);
    return deallocate(p);
}
cudaError_t cudaMalloc(void** p, std::size_t bytes) {
    Record("cudaMalloc");
    *p = allocate(bytes, current, nullptr);
    return cudaSuccess;
}
cudaError_t cudaFree(void* p) {
    Record("cudaFree").of(p);
    return deallocate(p);
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
    Record("cudaMemcpyAsync").of(to).of(from).of(stream);
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) {
    Record("cudaHostAlloc");
    if (!pinned_memory) return cudaErrorMemoryAllocation;
    *p = std::malloc(bytes);
    pinned.insert(*p);
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void* p) {
    if (!pinned.erase(p)) return cudaErrorInvalidValue;
    std::free(p);
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, void const* p) {
    Record("cudaPointerGetAttributes");
    *attributes = {};
    if (pinned.contains(const_cast<void*>(p))) attributes->type = cudaMemoryTypeHost;
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream) {
    Record("cudaMemsetAsync").of(p).of(stream);
    std::memset(p, value, bytes);
    return cudaSuccess;
}

// Events.
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    Record("cudaEventCreateWithFlags");
    *event = new CUevent_st;
    pinned.insert(*event);
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (!pinned.erase(event)) return cudaErrorInvalidValue;
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t stream) {
    Record("cudaEventRecord").of(stream);
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }

// Kernels. Older toolkits launch by cudaLaunchKernel what newer ones do by __cudaLaunchKernel; CUB has its own way.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const*) {
    Record("cudaFuncGetAttributes");
    *attributes = {};
    attributes->ptxVersion = attributes->binaryVersion = 80;
    attributes->maxThreadsPerBlock = 1024;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const*, int, std::size_t) {
    Record("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    *blocks = 1;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void const* kernel,
                                                                   int threads, std::size_t shared,
                                                                   unsigned) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared);
}
cudaError_t cudaLaunchKernel(void const*, dim3, dim3, void**, std::size_t, cudaStream_t stream) {
    return launch("cudaLaunchKernel", stream);
}
cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const*, void**) {
    return launch("cudaLaunchKernelExC", config->stream);
}

// What nvcc calls at <<<...>>>, and before main for each object.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
    configured = {grid, block, shared, stream};
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    *grid = configured.grid;
    *block = configured.block;
    *shared = configured.shared;
    *static_cast<cudaStream_t*>(stream) = configured.stream;
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(void** kernel, void const*) {
    *kernel = nullptr;
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(void*, dim3, dim3, void**, std::size_t, cudaStream_t stream) {
    return launch("__cudaLaunchKernel", stream);
}
void** __cudaRegisterFatBinary(void*) { return nullptr; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 0; }
void __cudaRegisterFunction(void**, char const*, char*, char const*, int, void*, void*, void*, void*,
                            int*) {}
void __cudaRegisterVar(void**, char*, char*, char const*, int, std::size_t, int, int) {}

}  // extern "C"
