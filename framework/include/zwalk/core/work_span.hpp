// What work would take on more threads than a machine has: by its work and its span, the chain of steps that can't be shared out.
#pragma once
#include <cstddef>

namespace zwalk { inline namespace v0 {

/// Foresees how long the work of a thread takes on `threads` threads.
///
///     WorkSpan foreseen(16);
///     auto const scope = WorkSpan::Scope(foreseen);
///     auto const r = knn(points, {}, Cpu(16));  // r.stats has the seconds that it would take
///
/// While a scope lives, the parallel loops of its thread (core/parallel.hpp) run on that thread alone, piece after piece, and each
/// piece is timed. A loop of work W, whose longest piece takes S, counts as S + (W - S) / threads, to which any schedule without
/// idle threads keeps (Brent, 1974). A piece's own loops count as if there were no end of threads. What lies outside loops counts
/// in full. now_seconds() tells that time. It goes by the thread's CPU time, so that waiting for other programs doesn't count.
///
/// What it doesn't see: bandwidth and caches that threads share, what handing out pieces costs, locks. Sorts (parallel_sort) are
/// taken for quicksorts. Code that asks how many threads there are is told by Cpu(threads), whose other threads must be idle: else
/// Cpu::run may go on in one that is in no scope. Under the thread sanitizer a scope does nothing.
class WorkSpan {
  public:
    /// @param threads  at least 1; infinity: as many as there are pieces
    explicit WorkSpan(double threads) noexcept : threads_(threads) {}
    WorkSpan(WorkSpan const&) = delete;
    WorkSpan& operator=(WorkSpan const&) = delete;

    class Scope {
      public:
        explicit Scope(WorkSpan& foreseen) noexcept;
        ~Scope();
        Scope(Scope const&) = delete;
        Scope& operator=(Scope const&) = delete;

      private:
        WorkSpan* before_;
    };

    /// That of the calling thread; null: it is in no scope.
    static WorkSpan* current() noexcept;
    /// The seconds that have passed, since an arbitrary moment.
    [[nodiscard]] double now() const noexcept;
    /// call(f, begin, end) for pieces of [0, n) of `grain` steps.
    void loop(std::size_t n, std::size_t grain,
              void (*call)(void const* f, std::size_t begin, std::size_t end), void const* f);
    /// sort(): of n elements, by comparisons.
    template <class F>
    void sorting(std::size_t n, F const& sort) {
        double const start = cpu_seconds();
        sort();
        note_sort(n, cpu_seconds() - start);
    }

  private:
    static double cpu_seconds() noexcept;
    void note_sort(std::size_t n, double work) noexcept;
    void add(double work, double span) noexcept;

    double threads_;
    bool in_piece_ = false;
    double spared_ =
        0;  // seconds that threads beside would take off: of the scope, or of the piece that runs
};

}}  // namespace zwalk::v0
