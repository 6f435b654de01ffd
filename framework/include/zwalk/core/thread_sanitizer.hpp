// What the thread sanitizer must be told: oneTBB isn't compiled for it, so it doesn't see that tasks begin
// after what their caller did before, and that the caller goes on when they are done.
#pragma once
#include <utility>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ZWALK_TSAN
#endif
#elif defined(__SANITIZE_THREAD__)
#define ZWALK_TSAN
#endif
#if defined(ZWALK_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace zwalk::inline v0 {

/// One parallel call: made before it, told of each task, destroyed after it. Does nothing in builds
/// without the sanitizer.
class ParallelCall {
  public:
    ParallelCall() { release(begin_); }
    ~ParallelCall() { acquire(end_); }
    ParallelCall(ParallelCall const&) = delete;

    /// f() as one task.
    template <class F>
    decltype(auto) task(F&& f) {
        acquire(begin_);
        AtEnd const done{*this};
        return std::forward<F>(f)();
    }
    /// f() where it uses what tasks have left.
    template <class F>
    decltype(auto) join(F&& f) {
        acquire(end_);
        AtEnd const done{*this};
        return std::forward<F>(f)();
    }

  private:
    struct AtEnd {
        ParallelCall& call;
        ~AtEnd() { release(call.end_); }
    };
#if defined(ZWALK_TSAN)
    static void acquire(char& moment) { __tsan_acquire(&moment); }
    static void release(char& moment) { __tsan_release(&moment); }
#else
    static void acquire(char) {}
    static void release(char) {}
#endif
    char begin_ = 0, end_ = 0;
};

}  // namespace zwalk::inline v0
