// Workspaces that the tasks of a walk borrow.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

namespace zwalk { inline namespace v0 { namespace detail {

/// As many workspaces as tasks have run at once. Not per thread: a thread that waits for its tasks may run
/// others meanwhile, and storage by thread ids (as in TBB) may reach a new thread before what the old one of
/// that id wrote.
template <class W>
class WorkspacePool {
  public:
    /// A workspace that no other lease has at the same time.
    class Lease {
      public:
        explicit Lease(WorkspacePool& pool) : pool_(pool) {
            std::scoped_lock const lock(pool.mutex_);
            if (pool.free_.empty()) {
                pool.all_.push_back(std::make_unique<W>());
                pool.free_.push_back(pool.all_.back().get());
            }
            workspace_ = pool.free_.back();
            pool.free_.pop_back();
        }
        ~Lease() {
            std::scoped_lock const lock(pool_.mutex_);
            pool_.free_.push_back(workspace_);
        }
        Lease(Lease const&) = delete;
        W& operator*() const { return *workspace_; }

      private:
        WorkspacePool& pool_;
        W* workspace_;
    };

    /// f(workspace) for all of them, when no lease is left.
    template <class F>
    void each(F const& f) const {
        for (auto const& workspace : all_) f(*workspace);
    }

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<W>> all_;
    std::vector<W*> free_;
};

}}}  // namespace zwalk::v0::detail
