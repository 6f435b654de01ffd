// Where host code runs: a bounded set of threads (oneTBB).
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "zwalk/core/thread_sanitizer.hpp"

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
        ParallelCall call;
        return arena_->execute([&] { return call.task(std::forward<F>(f)); });
    }

  private:
    int threads_;
    std::shared_ptr<tbb::global_control> limit_;
    std::shared_ptr<tbb::task_arena> arena_;
};

/// f(begin, end) on disjoint pieces of [0, n) of at least `grain` elements (but the last), in
/// parallel. Call inside Cpu::run.
template <class F>
void parallel_for(std::size_t n, std::size_t grain, F const& f) {
    ParallelCall call;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain),
                      [&](tbb::blocked_range<std::size_t> const& r) {
                          call.task([&] { f(r.begin(), r.end()); });
                      });
}

/// part(begin, end, so far) over pieces of [0, n), joined by join(a, b). Pieces differ from run to
/// run: join must be exactly associative. Call inside Cpu::run.
template <class V, class Part, class Join>
V parallel_reduce(std::size_t n, std::size_t grain, V const& zero, Part const& part,
                  Join const& join) {
    ParallelCall call;
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, n, grain), zero,
        [&](tbb::blocked_range<std::size_t> const& r, V so_far) {
            return call.task([&] { return part(r.begin(), r.end(), std::move(so_far)); });
        },
        [&](V const& a, V const& b) { return call.join([&] { return join(a, b); }); });
}

/// Sorts [begin, end) by `less`. Not stable. Call inside Cpu::run.
template <class Iterator, class Less>
void parallel_sort(Iterator begin, Iterator end, Less const& less) {
#if defined(ZWALK_TSAN)  // tasks of TBB's own, of which it can't be told
    std::sort(begin, end, less);
#else
    tbb::parallel_sort(begin, end, less);
#endif
}

}  // namespace zwalk::inline v0
