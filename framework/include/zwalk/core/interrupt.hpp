// Ending long work early: by Ctrl-C, a deadline, a button.
#pragma once
#include <atomic>
#include <utility>

#include "zwalk/core/error.hpp"

namespace zwalk { inline namespace v0 {

/// Thrown by work that was interrupted. There is no result; the inputs of the work are as they were.
class Interrupted : public Error {
  public:
    using Error::Error;
};

/// A way to end what some threads do in this library, from any other thread.
///
///     Interrupt interrupt;
///     Interrupt::Scope const scope(interrupt);  // on the thread that works
///     auto r = knn(points, {});                 // throws Interrupted soon after ...
///     interrupt.request();                      // ... this, on another one
///
/// Checked wherever a piece of a parallel loop begins (core/parallel.hpp) and by Cpu::run, so work on CPU threads ends within
/// the time that one piece takes. Kernels of a GPU aren't stopped. Work that others began on the same threads goes on.
/// Not for work on MPI ranks: a rank that stopped alone would leave the others waiting.
class Interrupt {
  public:
    Interrupt() = default;
    Interrupt(Interrupt const&) = delete;
    Interrupt& operator=(Interrupt const&) = delete;

    /// Work in scopes of this ends with Interrupted, and so does all that is begun in them later. Safe in a handler of
    /// signals.
    void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

    /// The interrupt of the work that the calling thread does, or null.
    [[nodiscard]] static Interrupt const* current() noexcept { return current_; }
    /// Throws Interrupted if `interrupt` isn't null and was requested: for loops of one's own.
    static void check(Interrupt const* interrupt = current()) {
        if (interrupt && interrupt->requested()) stop();
    }

    /// While it lives, work of this thread, and of others on its behalf, can be interrupted. Scopes nest: the innermost counts.
    class Scope {
      public:
        explicit Scope(Interrupt const& interrupt) noexcept : Scope(&interrupt) {}
        explicit Scope(Interrupt const* interrupt) noexcept
            : before_(std::exchange(current_, interrupt)) {}
        ~Scope() { current_ = before_; }
        Scope(Scope const&) = delete;
        Scope& operator=(Scope const&) = delete;

      private:
        Interrupt const* before_;
    };

    /// Runs functions on any thread on behalf of the thread that made this: a thread that waits takes up pieces of
    /// others' work, and must neither stop them by its own interrupt nor forget theirs.
    class Behalf {
      public:
        /// f(), or Interrupted where that was requested before.
        template <class F>
        decltype(auto) operator()(F&& f) const {
            check(interrupt_);
            Scope const scope(interrupt_);
            return std::forward<F>(f)();
        }

      private:
        Interrupt const* interrupt_ = current();
    };

  private:
    [[noreturn]] static void stop();

    static constinit thread_local Interrupt const* current_;
    std::atomic<bool> requested_{false};
    static_assert(std::atomic<bool>::is_always_lock_free);
};

}}  // namespace zwalk::v0
