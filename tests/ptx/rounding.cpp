#include "ptx/rounding.hpp"

#include <array>
#include <cfenv>

namespace ptx {

// The operation is called by its address, so that no compiler moves arithmetic across the changes of the rounding.
void in_direction(Warp& warp, Instruction const& instruction, u32 lanes) {
    constexpr std::array<int, 4> modes = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(modes[std::size_t(instruction.rounding)]);
    instruction.rounded(warp, instruction, lanes);
    std::fesetround(FE_TONEAREST);
}

}  // namespace ptx
