// What stands behind the functions of fake_runtime.cpp: where memory comes from, and what becomes of copies and launches.
// A program has one machine: one that runs nothing (idle_machine.hpp), or one that executes kernels (ptx/machine.hpp).
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

namespace fake_cuda {

struct Call {
    std::string name;
    int current;  ///< device of the thread
    std::vector<int>
        objects;  ///< devices that its stream (but the default one), pool and pointers are of
};

struct Launch {
    void const* kernel;  ///< that of the host, which stands for it
    dim3 grid, block;
    void** arguments;  ///< where the values of its parameters are
    std::size_t dynamic_shared_bytes;
};

class Machine {
  public:
    Machine() = default;
    Machine(Machine const&) = delete;
    Machine& operator=(Machine const&) = delete;
    virtual ~Machine() = default;

    // Devices.
    [[nodiscard]] virtual int devices() const = 0;
    [[nodiscard]] virtual std::string name() const = 0;  ///< of each of them
    [[nodiscard]] virtual int attribute(cudaDeviceAttr which, int device) = 0;
    [[nodiscard]] virtual std::size_t free_bytes(int device) const = 0;
    [[nodiscard]] virtual char const* words(cudaError_t error) const = 0;

    // Memory of a device, or page-locked memory of the host.
    enum class Owner { device, host };
    /// Null: there is none.
    virtual void* allocate(std::size_t bytes, Owner owner) = 0;
    virtual void deallocate(void* memory) = 0;
    /// Bytes were copied; `from` is null: they were set.
    virtual void copied(void* /*to*/, void const* /*from*/, std::size_t /*bytes*/) {}

    // Kernels. Binaries and kernels become known before main().
    virtual void** add_binary(void const* /*wrapper*/) { return nullptr; }
    virtual void add_kernel(void** /*binary*/, void const* /*kernel*/, char const* /*name*/) {}
    virtual cudaError_t attributes(cudaFuncAttributes& attributes, void const* kernel) = 0;
    virtual cudaError_t launch(Launch const& launch) = 0;

    /// Of every call that depends on the current device. Those that name their device, or need none, are left out.
    virtual void note(Call /*call*/) {}
};

/// That of the program.
Machine& machine();

}  // namespace fake_cuda
