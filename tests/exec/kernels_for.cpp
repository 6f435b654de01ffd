// What is chosen by a library that has kernels for one instruction set alone (ZWALK_KERNELS=native), or what it says instead.
#include <cstdio>

#include "zwalk/core/error.hpp"
#include "zwalk/exec/isa.hpp"

int main() {
    try {
        std::puts(zwalk::name_of(zwalk::best_isa()));
    } catch (zwalk::Error const& e) {
        std::puts(e.what());
    }
}
