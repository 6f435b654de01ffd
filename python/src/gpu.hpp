// How work gets to a GPU.
#pragma once
#include <cstdint>

#include "run.hpp"
#include "zwalk/exec/cuda.hpp"

namespace zwalk::python {

/// f(cuda) without the interpreter's lock. A GPU isn't interrupted: Ctrl-C takes effect when it has finished.
template <class F>
auto on_gpu(int device, std::uint64_t memory_budget, F const& f) {
    return run(true, [&] {
        Cuda const cuda{.device = device, .memory_budget = memory_budget};
        check_cuda(cuda);
        return f(cuda);
    });
}

}  // namespace zwalk::python
