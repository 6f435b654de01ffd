// Work without the interpreter's lock, that Ctrl-C can end, and whose progress can be shown.
#pragma once
#include <nanobind/nanobind.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "zwalk/core/interrupt.hpp"
#include "zwalk/core/progress.hpp"

namespace zwalk::python {
namespace nb = nanobind;

/// Whether work on so many rows, with so many results each, is worth a thread that Ctrl-C can end.
inline bool heavy(std::size_t rows, std::size_t each = 1) {
    return rows > 20'000 / std::max<std::size_t>(each, 1);
}

namespace detail {

/// What the caller shows of work by zwalk.progress(), if anything. Used with the interpreter's lock held.
class Shown {
  public:
    Shown() : show_(nb::module_::import_("zwalk._progress").attr("shown")()) {}

    /// Calls its function if there is news. False if that raised something, which is set.
    bool show(Progress::Now const& now) {
        bool const is_news = now.pass != last_.pass || now.part != last_.part;
        if (show_.is_none() || !is_news) return true;
        last_ = now;
        try {
            show_(now.pass, now.part);
        } catch (nb::python_error& e) {
            e.restore();
            return false;
        }
        return true;
    }
    /// The end of the work, whose last pass is complete; what never had one is a pass.
    bool show_end(Progress::Now const& now) { return show({now.pass ? now.pass : 1, 1}); }

  private:
    nb::object show_;
    Progress::Now last_{0, 0};
};

/// Python runs its handlers of signals in its main thread only, between two of its own steps: so this thread looks for
/// signals 20 times a second until `done`, and shows progress. True if one of these ended in an exception, which is set; the
/// work was told then.
inline bool wait_for_signals(bool& done, std::mutex& mutex, std::condition_variable& wake,
                             Interrupt& interrupt, Progress const& progress, Shown& shown) {
    bool stopped = false;
    for (std::unique_lock lock(mutex); !done;) {
        if (wake.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; }) || stopped)
            continue;
        lock.unlock();
        {
            nb::gil_scoped_acquire const locked;
            stopped = PyErr_CheckSignals() != 0 || !shown.show(progress.now());
        }
        if (stopped) interrupt.request();
        lock.lock();
    }
    return stopped;
}

/// work(data) in a thread of its own. On KeyboardInterrupt it is told to stop, and awaited: no thread of ours is left behind, no
/// array is freed under its reader.
inline void run_apart(void (*work)(void const*), void const* data) {
    std::exception_ptr failure;
    bool done = false, stopped = false;
    std::mutex mutex;
    std::condition_variable wake;
    Interrupt interrupt;
    Progress progress;
    Shown shown;
    {
        nb::gil_scoped_release const unlocked;
        std::thread worker([&] {
            try {
                Interrupt::Scope const scope(interrupt);
                Progress::Scope const passes(progress);
                work(data);
            } catch (...) {
                failure = std::current_exception();
            }
            std::lock_guard const lock(mutex);
            done = true;
            wake.notify_one();
        });
        stopped = wait_for_signals(done, mutex, wake, interrupt, progress, shown);
        worker.join();
    }
    if (stopped) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
    if (!shown.show_end(progress.now())) throw nb::python_error();
}

}  // namespace detail

/// f() with the lock released; where that `is_heavy`, so that Ctrl-C can end it.
template <class F>
auto run(bool is_heavy, F const& f) {
    using R = decltype(f());
    if (!is_heavy) {
        nb::gil_scoped_release const unlocked;
        return R(f());
    }
    std::optional<R> result;
    auto const work = [&] { result.emplace(f()); };
    detail::run_apart([](void const* it) { (*static_cast<decltype(work)*>(it))(); }, &work);
    return std::move(*result);
}

}  // namespace zwalk::python
