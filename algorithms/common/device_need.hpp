// Refusing what a device has no memory for.
#pragma once
#include <cstdint>
#include <string>

namespace zwalk::inline v0::detail {

/// @param what  begins the sentence: "kNN of 100 points"
/// @throws Error  unless needed <= available
void check_device_memory(std::string const& what, std::uint64_t needed, std::uint64_t available);

}  // namespace zwalk::inline v0::detail
