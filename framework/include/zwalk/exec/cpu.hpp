// Where host code runs: a bounded set of threads (oneTBB).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/fresh_pages.hpp"
#include "zwalk/core/interrupt.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/exec/place.hpp"

namespace zwalk { inline namespace v0 {

/// The place of host memory and threads (place.hpp). Cheap to create and to copy; its own work, and that
/// inside `run`, uses at most `threads` threads; so do all copies of it together. Results never depend on their number.
class Cpu {
  public:
    /// @param threads        0: as many as the machine has. More than that is allowed (for tests).
    /// @param memory_budget  bytes of working memory of each call, beside input and result; 0: half of what the machine
    ///                       has free beside the result, or less where a container has a limit. It bounds what can be
    ///                       bounded, changes no bit, and makes no work fail but that of lists whose size isn't known
    ///                       before (radius_search(), PointTree::lists()): those that would be larger are refused.
    ///                       knn() keeps to it; other algorithms have nothing on CPUs that it could bound.
    /// @throws InputError  a negative number of threads
    explicit Cpu(int threads = 0, std::uint64_t memory_budget = 0);

    [[nodiscard]] int threads() const { return threads_; }
    [[nodiscard]] std::uint64_t memory_budget() const { return memory_budget_; }
    /// A Cpu of the same options with threads of its own: work on it doesn't wait for work on this one.
    [[nodiscard]] Cpu apart() const { return Cpu(threads_, memory_budget_); }

    /// Runs f() with this context's threads and returns what it returns. Throws Interrupted, soon after it was asked for,
    /// where the calling thread is in the scope of an Interrupt (core/interrupt.hpp).
    template <class F>
    auto run(F&& f) const {
        Interrupt::Behalf const
            behalf;  // oneTBB may run f on another thread, if all of its slots are taken
#if defined(ZWALK_TSAN)
        return behalf(std::forward<F>(f));
#else
        using R = std::decay_t<decltype(f())>;
        if constexpr (std::is_void_v<R>) {
            auto call = [&] { behalf(std::forward<F>(f)); };
            execute(call);
        } else {
            std::optional<R> result;
            auto call = [&] { result.emplace(behalf(std::forward<F>(f))); };
            execute(call);
            return *std::move(result);
        }
#endif
    }

    /// Uninitialised, to be written as a whole: the pages of many elements are set up by all threads (core/fresh_pages.hpp).
    template <class V>
    [[nodiscard]] Buffer<V> buffer(std::size_t n) const {
        Buffer<V> fresh(n);
        if (n * sizeof(V) >= detail::least_fresh) set_up(fresh.data(), n * sizeof(V));
        return fresh;
    }
    template <class V>
    void upload(V* to, V const* from, std::size_t n) const {
        copy(to, from, n);
    }
    template <class V>
    void download(V* to, V const* from, std::size_t n) const {
        copy(to, from, n);
    }
    template <class V>
    void copy(V* to, V const* from, std::size_t n) const {
        in_pieces(n, [=](std::size_t begin, std::size_t end) {
            std::copy(from + begin, from + end, to + begin);
        });
    }
    template <class V>
    void zero(V* to, std::size_t n) const {
        for_each(n, Fill<V>{to, V{}});
    }
    template <class F>
    void for_each(std::size_t n, F const& f) const {
        in_pieces(n, [&f](std::size_t i, std::size_t end) {
            for (; i < end; ++i) f(i);
        });
    }
    void exclusive_scan(pos_t const* in, size_type* out, std::size_t n) const;
    [[nodiscard]] pos_t count(std::uint8_t const* flags, std::size_t n) const;
    void positions(std::uint8_t const* flags, std::size_t n, pos_t* out) const;
    [[nodiscard]] std::uint64_t available() const;
    void synchronize() const {}

  private:
    /// f(begin, end) for pieces of [0, n), on the calling thread where that isn't worth a task.
    template <class F>
    void in_pieces(std::size_t n, F const& f) const {
        constexpr std::size_t grain = 1 << 14;
        if (n <= grain) {
            if (n) f(std::size_t(0), n);
        } else {
            run([&] { parallel_for(n, grain, f); });
        }
    }

    struct Threads;  // oneTBB's, whose headers don't come with this one

    template <class F>
    void execute(F& f) const {
        execute([](void* call) { (*static_cast<F*>(call))(); }, &f);
    }
    void execute(void (*call)(void*), void* f) const;
    void set_up(void* memory, std::size_t bytes) const;

    int threads_;
    std::uint64_t memory_budget_;
    std::shared_ptr<Threads> arena_;
};

}}  // namespace zwalk::v0
