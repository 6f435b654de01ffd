#include "zwalk/core/progress.hpp"

#include <utility>

namespace zwalk { inline namespace v0 {

constinit thread_local Progress::Share Progress::current_{nullptr, 0, false};

Progress::Now Progress::now() const {
    std::lock_guard const lock(mutex_);
    return {pass_, double(done_.load(std::memory_order_relaxed)) / double(whole)};
}

Progress::Scope::Scope(Progress& progress) noexcept
    : before_(std::exchange(current_, Share{&progress, 0, true})) {}
Progress::Scope::~Scope() { current_ = before_; }

Progress::Loop::Loop(std::size_t steps) : progress_(steps ? current_.progress : nullptr) {
    if (!progress_) return;
    std::uint64_t share = whole;
    if (current_.is_everything) {
        std::lock_guard const lock(progress_->mutex_);
        ++progress_->pass_;
        progress_->done_.store(0, std::memory_order_relaxed);
    } else {
        share = current_.left -
                current_.left / 8;  // some is left for the next one, and at last for the step's end
        current_.left -= share;
    }
    each_ = share / steps;
    rest_ = share % steps;
}
Progress::Loop::~Loop() {
    if (progress_) progress_->done_.fetch_add(rest_, std::memory_order_relaxed);
}

Progress::Piece::Piece(Loop const& loop, std::size_t steps) noexcept
    : before_(std::exchange(current_, Share{loop.progress_, steps * loop.each_, false})) {}
void Progress::Piece::done() noexcept {
    if (current_.progress) current_.progress->done_.fetch_add(current_.left, std::memory_order_relaxed);
}
Progress::Piece::~Piece() { current_ = before_; }

}}  // namespace zwalk::v0
