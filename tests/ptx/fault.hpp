// What is wrong with PTX, or with what it does.
#pragma once
#include <stdexcept>

namespace ptx {

/// PTX that the executor doesn't understand, or a kernel that does what CUDA leaves undefined: says where.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace ptx
