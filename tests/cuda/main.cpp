// Device tests: the same answers on a GPU as on CPU threads; without one they are skipped.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "zwalk/exec/cuda.hpp"

int main(int argc, char** argv) {
    if (zwalk::cuda_devices() == 0) {
        std::puts("SKIPPED: no CUDA device");
        return 0;
    }
    std::printf("on %s\n", zwalk::cuda_device_name(0).c_str());
    return doctest::Context(argc, argv).run();
}
