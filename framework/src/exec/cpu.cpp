#include "zwalk/exec/cpu.hpp"

#include <tbb/info.h>

namespace zwalk::inline v0 {

namespace {

/// Only ever raises TBB's limit (for tests with more threads than cores): of several limits that
/// are alive TBB takes the lowest, and the arena bounds this context anyway.
std::shared_ptr<tbb::global_control> raise_limit(int threads) {
    if (threads <= tbb::info::default_concurrency()) return nullptr;
    return std::make_shared<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                 std::size_t(threads));
}

}  // namespace

Cpu::Cpu(int threads)
    : threads_(threads > 0 ? threads : tbb::info::default_concurrency()),
      limit_(raise_limit(threads_)),
      arena_(std::make_shared<tbb::task_arena>(threads_)) {}

}  // namespace zwalk::inline v0
