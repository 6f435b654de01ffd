// Whether there is enough memory, and words about it.
#pragma once
#include <cstdint>
#include <string>

#include "zwalk/core/need.hpp"
#include "zwalk/knn/memory.hpp"

namespace zwalk::apps {

/// Call with the input read and nothing else done.
/// @param sharers  processes on this machine that need as much, each
/// @param help     what makes the need smaller, beside fewer points
/// @throws Error  the machine can't give what the rest needs
void check_memory(Need const& need, int sharers = 1, std::string const& help = "");

/// The note on a budget that can't be kept; "" if it can.
std::string budget_note(Need const& need);

/// How the budget is kept, e.g. "12 batches of 8192 queries".
std::string describe_plan(KnnMemory const& need);

/// Large blocks go back to the system when they are freed. By itself glibc keeps blocks of up to 32
/// MB once one of that size has been freed: 24 MB of 288 for 1e6 points and as many queries, k
/// = 16.
void return_large_blocks();

/// The most memory that this process has held at a time.
std::uint64_t peak_resident();

}  // namespace zwalk::apps
