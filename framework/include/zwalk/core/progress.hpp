// How far long work is, for another thread that shows it.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace zwalk { inline namespace v0 {

/// What the work of a thread has done so far.
///
///     Progress progress;
///     std::thread worker([&] {
///         Progress::Scope const scope(progress);  // on the thread that works
///         auto r = knn(points, {});
///     });
///     auto const [pass, part] = progress.now();  // as often as you like, on another one
///
/// Work is a sequence of passes: the parallel loops that the thread begins (core/parallel.hpp). A sort is several of them, a walk
/// is one, which takes the longest. How many passes there will be isn't known before. A pass is cut into equal shares for the
/// steps of its loop, and these for steps of loops within the loop, whoever runs them. Kernels of a GPU are no pass.
class Progress {
  public:
    struct Now {
        std::size_t pass;  ///< passes begun so far; 0: none
        double part;       ///< of this pass that is done, 0 to 1
    };

    Progress() = default;
    Progress(Progress const&) = delete;
    Progress& operator=(Progress const&) = delete;

    /// From any thread. Constant time.
    [[nodiscard]] Now now() const;

  private:
    /// What the calling thread is at: a part of a pass, or all that a thread in a scope does.
    struct Share {
        Progress* progress;  ///< null: nobody watches
        std::uint64_t left;  ///< for loops that begin in it
        bool is_everything;  ///< loops are passes
    };

  public:
    /// While it lives, loops of this thread are passes of `progress`. Scopes nest: the innermost counts.
    class Scope {
      public:
        explicit Scope(Progress& progress) noexcept;
        ~Scope();
        Scope(Scope const&) = delete;
        Scope& operator=(Scope const&) = delete;

      private:
        Share before_;
    };

    class Piece;
    /// A parallel loop of `steps`, made where it begins. Without a scope it is nothing.
    class Loop {
      public:
        explicit Loop(std::size_t steps);
        ~Loop();
        Loop(Loop const&) = delete;
        Loop& operator=(Loop const&) = delete;

      private:
        friend Piece;
        Progress* progress_;
        std::uint64_t each_ = 0, rest_ = 0;  // of a step; what rounding leaves
    };

    /// Steps of a loop, on the thread that runs them, as long as it runs them.
    class Piece {
      public:
        Piece(Loop const& loop, std::size_t steps) noexcept;
        ~Piece();
        Piece(Piece const&) = delete;
        Piece& operator=(Piece const&) = delete;
        void done() noexcept;  ///< they are; not called where one of them throws

      private:
        Share before_;
    };

  private:
    static constexpr std::uint64_t whole = std::uint64_t(1) << 52;  // of a pass; exact as a double
    static constinit thread_local Share current_;

    mutable std::mutex mutex_;  // of a pass's beginning
    std::size_t pass_ = 0;
    std::atomic<std::uint64_t> done_{0};  // of `whole`
};

}}  // namespace zwalk::v0
