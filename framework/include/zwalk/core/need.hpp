// How much memory a call needs: one description for every algorithm.
#pragma once
#include <cstdint>

#include "zwalk/core/available_memory.hpp"

namespace zwalk { inline namespace v0 {

/// Bytes, by phase (saturating). Working memory is everything beside input and result. Of its phases at each moment only one
/// has some: points are sorted into z-order, trees and whatever the algorithm works on are built, and then the result is filled,
/// or worked on.
struct Need {
    std::uint64_t input = 0;   ///< the caller's: rows of points and what is beside them, or an index
    std::uint64_t sort = 0;    ///< working: into z-order
    std::uint64_t build = 0;   ///< working, before there is a result
    std::uint64_t walk = 0;    ///< working, while the result is there
    std::uint64_t result = 0;  ///< what the call returns, and what makes it in place
    std::uint64_t program = program_bytes;  ///< code and libraries: what any process has
    std::uint64_t budget = 0;               ///< of working memory, if the caller has one

    /// The most working memory at a time.
    [[nodiscard]] std::uint64_t working() const;
    /// The most memory that the process holds at a time.
    [[nodiscard]] std::uint64_t peak() const;
};

}}  // namespace zwalk::v0
