// In place of libcudart: the functions that the library's CUDA code calls, CUB's among them, and those that nvcc does.
// The default pool has none, so code that would use it does not link.
#include "cuda/fake_runtime.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda/fake_machine.hpp"

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
struct Configuration {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
};

using fake_cuda::machine, fake_cuda::Machine;

CUstream_st streams[] = {{0}, {1}};
std::map<char const*, Allocation> memory;
std::set<cudaMemPool_t> live_pools;
std::set<void*> pinned;  // and events

thread_local int current = 0;
thread_local cudaError_t last_error = cudaSuccess;
thread_local Configuration configured;

cudaError_t fail(cudaError_t error) { return last_error = error; }

/// The allocation that so many bytes lie in; null: none.
Allocation const* find(void const* pointer, std::size_t bytes) {
    auto const* const p = static_cast<char const*>(pointer);
    auto const above = memory.upper_bound(p);
    if (above == memory.begin()) return nullptr;
    auto const& [begin, allocation] = *std::prev(above);
    return p + bytes <= begin + allocation.bytes && p < begin + allocation.bytes ? &allocation : nullptr;
}

/// The objects of a call that is being recorded.
class Record {
  public:
    explicit Record(char const* name) : call_{name, current, {}} {}
    Record(Record const&) = delete;
    Record& operator=(Record const&) = delete;
    ~Record() { machine().note(std::move(call_)); }

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
        if (Allocation const* const found = find(pointer, 1)) call_.objects.push_back(found->device);
        return *this;
    }

  private:
    fake_cuda::Call call_;
};

cudaError_t allocate(void** pointer, std::size_t bytes, int device, cudaMemPool_t pool) {
    *pointer = machine().allocate(bytes, Machine::Owner::device);
    if (!*pointer) return fail(cudaErrorMemoryAllocation);
    memory[static_cast<char*>(*pointer)] = {device, bytes, pool};
    return cudaSuccess;
}
cudaError_t deallocate(void* pointer) {
    if (!pointer) return cudaSuccess;
    auto const found = memory.find(static_cast<char*>(pointer));
    if (found == memory.end()) return fail(cudaErrorInvalidValue);
    if (cudaMemPool_t const pool = found->second.pool) {
        pool->used -= found->second.bytes;
        if (pool->used == 0 && !live_pools.contains(pool)) delete pool;
    }
    memory.erase(found);
    machine().deallocate(pointer);
    return cudaSuccess;
}

cudaError_t launch(char const* name, void const* kernel, dim3 grid, dim3 block, void** arguments,
                   std::size_t shared, cudaStream_t stream) {
    Record(name).of(stream);
    cudaError_t const result = machine().launch({kernel, grid, block, arguments, shared});
    return result == cudaSuccess ? result : fail(result);
}

}  // namespace

namespace fake_cuda {

cudaStream_t stream(int device) { return &streams[device]; }
std::size_t pools() { return live_pools.size(); }
std::size_t allocations() { return memory.size(); }
std::size_t pinned() { return ::pinned.size(); }

}  // namespace fake_cuda

extern "C" {

// Devices.
cudaError_t cudaGetDeviceCount(int* n) {
    *n = machine().devices();
    return *n > 0 ? cudaSuccess : fail(cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int* device) {
    *device = current;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    if (device < 0 || device >= machine().devices()) return fail(cudaErrorInvalidDevice);
    current = device;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
    *value = machine().attribute(which, device);
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    *properties = {};
    machine().name().copy(properties->name, sizeof(properties->name) - 1);
    properties->major = machine().attribute(cudaDevAttrComputeCapabilityMajor, device);
    properties->minor = machine().attribute(cudaDevAttrComputeCapabilityMinor, device);
    properties->multiProcessorCount = machine().attribute(cudaDevAttrMultiProcessorCount, device);
    properties->warpSize = 32;
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    Record("cudaMemGetInfo");
    *free = *total = machine().free_bytes(current);
    return cudaSuccess;
}

// Streams.
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    *stream = new CUstream_st{current};
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    Record("cudaStreamSynchronize").of(stream);
    return cudaSuccess;
}

// Errors.
cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }
char const* cudaGetErrorString(cudaError_t error) { return machine().words(error); }

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
    if (!live_pools.contains(pool)) return fail(cudaErrorInvalidValue);
    cudaError_t const result = allocate(p, bytes, pool->device, pool);
    if (result != cudaSuccess) return result;
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
    return allocate(p, bytes, current, nullptr);
}
cudaError_t cudaFree(void* p) {
    Record("cudaFree").of(p);
    return deallocate(p);
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    Record("cudaMemcpyAsync").of(to).of(from).of(stream);
    bool const to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
               from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if ((to_device && !find(to, bytes)) || (from_device && !find(from, bytes)))
        return fail(cudaErrorInvalidValue);
    std::memmove(to, from, bytes);
    machine().copied(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream) {
    Record("cudaMemsetAsync").of(p).of(stream);
    if (!find(p, bytes)) return fail(cudaErrorInvalidValue);
    std::memset(p, value, bytes);
    machine().copied(p, nullptr, bytes);
    return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) {
    Record("cudaHostAlloc");
    *p = machine().allocate(bytes, Machine::Owner::host);
    if (!*p) return fail(cudaErrorMemoryAllocation);
    pinned.insert(*p);
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void* p) {
    if (!pinned.erase(p)) return fail(cudaErrorInvalidValue);
    machine().deallocate(p);
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, void const* p) {
    Record("cudaPointerGetAttributes");
    *attributes = {};
    if (find(p, 1)) attributes->type = cudaMemoryTypeDevice;
    if (pinned.contains(const_cast<void*>(p))) attributes->type = cudaMemoryTypeHost;
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
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const* kernel) {
    Record("cudaFuncGetAttributes");
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    cudaError_t const result = machine().attributes(*attributes, kernel);
    return result == cudaSuccess ? result : fail(result);
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
cudaError_t cudaLaunchKernel(void const* kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
    return launch("cudaLaunchKernel", kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* kernel, void** arguments) {
    return launch("cudaLaunchKernelExC", kernel, config->gridDim, config->blockDim, arguments,
                  config->dynamicSmemBytes, config->stream);
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
cudaError_t __cudaGetKernel(void** kernel, void const* stub) {
    *kernel = const_cast<void*>(stub);
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
    return launch("__cudaLaunchKernel", kernel, grid, block, arguments, shared, stream);
}
void** __cudaRegisterFatBinary(void* wrapper) { return machine().add_binary(wrapper); }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 0; }
void __cudaRegisterFunction(void** binary, char const* stub, char*, char const* name, int, void*, void*,
                            void*, void*, int*) {
    machine().add_kernel(binary, stub, name);
}
void __cudaRegisterVar(void**, char*, char*, char const*, int, std::size_t, int, int) {}

}  // extern "C"
