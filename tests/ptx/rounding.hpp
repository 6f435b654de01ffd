// Other roundings than to nearest.
#pragma once
#include "ptx/program.hpp"

namespace ptx {

/// An operation of floats: what `rounded` does, in the direction that the instruction says.
void in_direction(Warp& warp, Instruction const& instruction, u32 lanes);

}  // namespace ptx
