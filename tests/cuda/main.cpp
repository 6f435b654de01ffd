// Device tests: the same answers on a GPU as on CPU threads; without one they are skipped.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "cuda/context.hpp"
#include "zwalk/core/error.hpp"

int main(int argc, char** argv) {
    try {
        zwalk::check_cuda({});
    } catch (zwalk::InputError const& error) {  // a driver that is too old, maybe
        std::printf("SKIPPED: no CUDA device (%s)\n", error.what());
        return 0;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // one that is stopped has said what it did
    std::printf("on %s%s\n", zwalk::cuda_device_name(0).c_str(),
                test::plain_memory() ? ", plain memory" : "");
    return doctest::Context(argc, argv).run();
}
