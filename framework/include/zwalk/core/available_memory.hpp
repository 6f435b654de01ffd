// How much memory a process can still get.
#pragma once
#include <cstdint>
#include <filesystem>

namespace zwalk { inline namespace v0 {

/// What a process with this library takes before it does anything: code, stacks, the pools of threads. The program, with MPI and HDF5, has
/// 19 to 20 MiB for ten points.
inline constexpr std::uint64_t program_bytes = 20 << 20;

/// Bytes that this process can still get: what the machine can give as its kernel estimates it
/// (Linux: MemAvailable), or less if a control group (cgroup v1 or v2, as containers and batch systems
/// set them) of the process, or one above it, has a limit. Page cache that is not in use counts as free.
/// Swap isn't counted. Reads about ten files, which takes some tenths of a millisecond.
///
/// @param root  where /proc and /sys are (for tests)
std::uint64_t available_memory(std::filesystem::path const& root = "/");

}}  // namespace zwalk::v0
