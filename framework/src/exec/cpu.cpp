#include "zwalk/exec/cpu.hpp"

#include <tbb/info.h>

namespace zwalk::inline v0 {

Cpu::Cpu(int threads)
    : threads_(threads > 0 ? threads : tbb::info::default_concurrency()),
      limit_(std::make_shared<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                   std::size_t(threads_))),
      arena_(std::make_shared<tbb::task_arena>(threads_)) {}

}  // namespace zwalk::inline v0
