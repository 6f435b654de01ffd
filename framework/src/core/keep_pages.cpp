#include "zwalk/core/keep_pages.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "zwalk/core/keep_memory.hpp"

// Allocators that keep large blocks (oneTBB's, mimalloc) decide themselves how much, and have no word for the end of a call.
#if defined(ZWALK_KEEPS_PAGES)
#include <pthread.h>
#include <sys/mman.h>

namespace zwalk { inline namespace v0 {
namespace detail {
namespace {

/// Blocks are multiples of this: no system on Linux has larger pages.
constexpr std::size_t page = 1 << 16;

/// Ranges of memory by where they begin. To go from one map to another takes no memory (extract), so giving back can't fail.
using Ranges = std::map<char*, std::size_t>;

void unmap(char* begin, std::size_t bytes) {
    // It fails where the process has too many mappings to cut one in two: then the addresses stay, and the memory goes.
    if (munmap(begin, bytes) != 0) madvise(begin, bytes, MADV_DONTNEED);
}

/// What no longer is kept, to be unmapped once others needn't wait for that.
struct Dropped {
    Ranges whole{};
    std::pair<char*, std::size_t> part{nullptr, 0};

    ~Dropped() {
        for (auto const& [begin, bytes] : whole) unmap(begin, bytes);
        if (part.second > 0) unmap(part.first, part.second);
    }
};

/// What is in use, and what is kept.
class KeptPages {
  public:
    /// One for all: never destroyed, since static Buffers may be freed late.
    static KeptPages& all() {
        static auto& pages = *new KeptPages;
        return pages;
    }

    void begin() { ++keepers_; }
    void end() {
        std::unique_lock lock(mutex_);
        // Not so in a process that was forked within a call.
        if (keepers_ > 0 && --keepers_ == 0) drop_above(allowed_, lock);
    }
    /// Bytes that are kept where no keeper lives.
    void allow(std::size_t bytes) {
        std::unique_lock lock(mutex_);
        allowed_ = bytes;
        if (keepers_ == 0) drop_above(bytes, lock);
    }
    bool drop_all() {
        std::unique_lock lock(mutex_);
        bool const any = sum_ > 0;
        drop_above(0, lock);
        return any;
    }
    [[nodiscard]] std::size_t kept() const { return sum_; }

    /// A block that begins where one does that is kept, or a fresh one; null if nothing is to be kept, or there is no memory.
    void* take(std::size_t bytes) {
        if (keepers_ == 0 && allowed_ == 0) return nullptr;
        bytes = (bytes + page - 1) / page * page;
        Ranges made{{nullptr, bytes}};  // before anything changes, as there might be no memory for it
        auto block = made.extract(made.begin());
        std::unique_lock lock(mutex_);
        auto best = kept_.end();
        for (auto r = kept_.begin(); r != kept_.end(); ++r)
            if (r->second >= bytes && (best == kept_.end() || r->second < best->second)) best = r;
        if (best == kept_.end()) {
            // As much goes back as comes: there never is more than the most that was in use.
            drop_above(sum_ - std::min<std::size_t>(sum_, bytes), lock);
            block.key() = fresh(bytes);
            if (!block.key()) return nullptr;
            lock.lock();
            return use(std::move(block));
        }
        sum_ -= bytes;
        if (best->second == bytes) return use(kept_.extract(best));
        best->second -= bytes;
        block.key() = best->first + best->second;
        return use(std::move(block));
    }
    /// False: it isn't one of these.
    bool give(void* memory) {
        if (blocks_ == 0) return false;
        std::unique_lock lock(mutex_);
        auto const found = used_.find(static_cast<char*>(memory));
        if (found == used_.end()) return false;
        --blocks_;
        sum_ += found->second;
        join(kept_.insert(used_.extract(found)).position);
        if (keepers_ == 0) drop_above(allowed_, lock);
        return true;
    }

    void before_fork() { mutex_.lock(); }
    void after_fork() { mutex_.unlock(); }
    /// Pages that a child keeps would be copied when it writes to them; and calls of other threads don't end there.
    void in_child() {
        keepers_ = 0;
        sum_ = 0;
        for (auto const& [begin, bytes] : kept_) unmap(begin, bytes);
        kept_.clear();
        mutex_.unlock();
    }

  private:
    KeptPages() {
        pthread_atfork([] { all().before_fork(); }, [] { all().after_fork(); },
                       [] { all().in_child(); });
    }

    static char* fresh(std::size_t bytes) {
        auto const map = [&] {
            void* const at =
                mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            return at == MAP_FAILED ? nullptr : static_cast<char*>(at);
        };
        char* const at = map();
        return !at && drop_kept_pages() ? map() : at;
    }
    void* use(Ranges::node_type&& block) {
        ++blocks_;
        return used_.insert(std::move(block)).position->first;
    }
    /// A range that is kept becomes one with those that it touches.
    void join(Ranges::iterator range) {
        auto const next = std::next(range);
        if (next != kept_.end() && range->first + range->second == next->first) {
            range->second += next->second;
            kept_.erase(next);
        }
        if (range == kept_.begin()) return;
        auto const before = std::prev(range);
        if (before->first + before->second != range->first) return;
        before->second += range->second;
        kept_.erase(range);
    }
    /// Unlocks, and gives back what is more than so much.
    void drop_above(std::size_t most, std::unique_lock<std::mutex>& lock) {
        Dropped dropped;
        while (sum_ > most) {
            auto const last = std::prev(kept_.end());
            std::size_t const over = (sum_ - most + page - 1) / page * page;
            if (last->second <= over) {
                sum_ -= last->second;
                dropped.whole.insert(kept_.extract(last));
                continue;
            }
            last->second -= over;
            sum_ -= over;
            dropped.part = {last->first + last->second, over};
        }
        lock.unlock();
    }

    std::mutex mutex_;
    std::atomic<int> keepers_ = 0;
    std::atomic<std::size_t> allowed_ = 0, sum_ = 0, blocks_ = 0;
    Ranges kept_, used_;
};

}  // namespace

KeepPages::KeepPages() { KeptPages::all().begin(); }
KeepPages::~KeepPages() { KeptPages::all().end(); }
void* take_pages(std::size_t bytes) { return KeptPages::all().take(bytes); }
bool give_pages(void* memory) noexcept { return KeptPages::all().give(memory); }
bool drop_kept_pages() noexcept { return KeptPages::all().drop_all(); }

}  // namespace detail

void keep_memory(std::size_t bytes) { detail::KeptPages::all().allow(bytes); }
std::size_t kept_memory() { return detail::KeptPages::all().kept(); }

}}  // namespace zwalk::v0
#else
namespace zwalk { inline namespace v0 {
namespace detail {

KeepPages::KeepPages() = default;
KeepPages::~KeepPages() = default;
void* take_pages(std::size_t) { return nullptr; }
bool give_pages(void*) noexcept { return false; }
bool drop_kept_pages() noexcept { return false; }

}  // namespace detail

void keep_memory(std::size_t) {}
std::size_t kept_memory() { return 0; }

}}  // namespace zwalk::v0
#endif
