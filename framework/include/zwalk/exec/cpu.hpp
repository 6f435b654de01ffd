// Where host code runs: a bounded set of threads (oneTBB).
#pragma once
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "zwalk/core/parallel.hpp"

namespace zwalk::inline v0 {

/// CPU execution context. Cheap to create; work inside `run` uses at most `threads` threads.
/// Results never depend on the number of threads.
class Cpu {
  public:
    /// @param threads  0: as many as the machine has. More than that is allowed (for tests).
    explicit Cpu(int threads = 0);

    [[nodiscard]] int threads() const { return threads_; }

    /// Runs f() with this context's threads and returns what it returns.
    template <class F>
    auto run(F&& f) const {
#if defined(ZWALK_TSAN)
        return std::forward<F>(f)();
#else
        return arena_->execute(std::forward<F>(f));
#endif
    }

  private:
    int threads_;
    std::shared_ptr<tbb::global_control> limit_;
    std::shared_ptr<tbb::task_arena> arena_;
};

}  // namespace zwalk::inline v0
