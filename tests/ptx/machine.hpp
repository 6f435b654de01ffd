// A CUDA device that executes the PTX in the program on the CPU: the machine behind cuda/fake_runtime.cpp. What it is asked
// for by environment variables is in README.md.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace ptx {

/// What was found in kernels since the last time: sentences with kernel and line, and how often. A program that ends without
/// having taken them prints them, and fails.
std::map<std::string, std::uint64_t> take_findings();

}  // namespace ptx
