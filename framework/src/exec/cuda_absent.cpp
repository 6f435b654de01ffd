// exec/cuda.hpp in a build without CUDA.
#include "zwalk/core/error.hpp"
#include "zwalk/exec/cuda.hpp"

namespace zwalk { inline namespace v0 {
namespace {

[[noreturn]] void refuse() {
    throw InputError(
        "this build has no CUDA backend: configure with -DZWALK_CUDA=ON where nvcc is on PATH, or use "
        "the CPU");
}

}  // namespace

bool built_with_cuda() { return false; }
int cuda_devices() { return 0; }
int cuda_max_dim() { return 0; }
std::string cuda_device_name(int) { refuse(); }
CudaDeviceId cuda_device_id(int) { refuse(); }
std::shared_ptr<DeviceMemory> cuda_plain_memory() { refuse(); }
std::shared_ptr<DeviceMemory> cuda_pool_memory(int) { refuse(); }
std::shared_ptr<DeviceMemory> cuda_shared_memory(int) { refuse(); }
void cuda_release_memory(int) { refuse(); }
CurrentDevice::CurrentDevice(int) { refuse(); }
CurrentDevice::~CurrentDevice() { (void)before_; }  // clang warns of members without a use
void check_cuda(Cuda const&) { refuse(); }
OpenCuda open_cuda(Cuda const&) { refuse(); }
void CloseCuda::operator()(CudaDevice*) const {}  // none is ever open

}}  // namespace zwalk::v0
