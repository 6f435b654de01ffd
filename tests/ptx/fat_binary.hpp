// The PTX in fat binaries, which is what nvcc makes of the device code of a file.
#pragma once
#include <string>

namespace ptx {

/// The text of the newest PTX that a fat binary has. `wrapper`: what nvcc registers.
/// @throws Fault  there is none, or it is compressed
std::string ptx_of(void const* wrapper);

/// The number behind sm_ in the text of a module: 90 for sm_90 and for sm_90a. 0: it has none.
int target_of(std::string const& text);

}  // namespace ptx
