// Work without the interpreter's lock, that Ctrl-C can end.
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

namespace zwalk::python {
namespace nb = nanobind;

/// Whether work on so many rows, with so many results each, is worth a thread that Ctrl-C can end.
inline bool heavy(std::size_t rows, std::size_t each = 1) {
    return rows > 20'000 / std::max<std::size_t>(each, 1);
}

namespace detail {

/// Python runs its handlers of signals in its main thread only, between two of its own steps: so this thread looks for
/// signals 20 times a second until `done`. True if one ended in an exception, which is set; the work was told then.
inline bool wait_for_signals(bool& done, std::mutex& mutex, std::condition_variable& wake,
                             Interrupt& interrupt) {
    bool stopped = false;
    for (std::unique_lock lock(mutex); !done;) {
        if (wake.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; }) || stopped)
            continue;
        lock.unlock();
        {
            nb::gil_scoped_acquire const locked;
            stopped = PyErr_CheckSignals() != 0;
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
    {
        nb::gil_scoped_release const unlocked;
        std::thread worker([&] {
            try {
                Interrupt::Scope const scope(interrupt);
                work(data);
            } catch (...) {
                failure = std::current_exception();
            }
            std::lock_guard const lock(mutex);
            done = true;
            wake.notify_one();
        });
        stopped = wait_for_signals(done, mutex, wake, interrupt);
        worker.join();
    }
    if (stopped) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
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
