// The program of nearest_brighter.hpp on a GPU.
#include "places/nearest_brighter.hpp"
#include "zwalk/run/cuda.cuh"

int main() {
    using namespace zwalk;
    if (cuda_devices() == 0) return std::puts("no CUDA device: not run"), 0;
    return examples::check_nearest_brighter(CudaDevice(), cuda_device_name(0).c_str());
}
