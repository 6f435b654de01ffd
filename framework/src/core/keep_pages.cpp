#include "zwalk/core/keep_pages.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "zwalk/core/keep_memory.hpp"

#if defined(ZWALK_KEEPS_PAGES)
#include <sys/mman.h>

namespace zwalk { inline namespace v0 {
namespace detail {
namespace {

/// Pages that were set up together, so that the system can move them together.
struct Piece {
    char* begin;
    std::size_t bytes;
};

/// What is in use and what is kept, in pieces. A block that no kept piece is large enough for is made of several: the system puts their
/// pages where the block is to be, which takes little, since a table of 512 pages is moved at once.
class KeptPages {
  public:
    /// One for all: never destroyed, since static Buffers may be freed late.
    static KeptPages& all() {
        static auto& pages = *new KeptPages;
        return pages;
    }

    void begin() { ++keepers_; }
    void end() {
        std::lock_guard const lock(mutex_);
        if (--keepers_ == 0) release();
    }
    /// Bytes that are kept where no keeper lives.
    void allow(std::size_t bytes) {
        std::lock_guard const lock(mutex_);
        allowed_ = bytes;
        if (keepers_ == 0) release();
    }
    [[nodiscard]] bool wanted() const { return keepers_ > 0 || allowed_ > 0; }

    void* take(std::size_t bytes) {
        bytes = (bytes + large_page - 1) / large_page * large_page;
        std::lock_guard const lock(mutex_);
        auto best = kept_.end();
        for (auto p = kept_.begin(); p != kept_.end(); ++p)
            if (p->bytes >= bytes && (best == kept_.end() || p->bytes < best->bytes)) best = p;
        if (best == kept_.end()) return gather(bytes);
        char* const begin = best->begin;
        used_[begin] = {{begin, bytes}};
        if (best->bytes == bytes) kept_.erase(best);
        else *best = {begin + bytes, best->bytes - bytes};
        return begin;
    }
    bool give(void* memory) {
        std::lock_guard const lock(mutex_);
        auto const found = used_.find(static_cast<char*>(memory));
        if (found == used_.end()) return false;
        kept_.insert(kept_.end(), found->second.begin(), found->second.end());
        used_.erase(found);
        if (keepers_ == 0) release();
        return true;
    }
    [[nodiscard]] std::size_t kept() {
        std::lock_guard const lock(mutex_);
        return sum();
    }

  private:
    [[nodiscard]] std::size_t sum() const {
        std::size_t sum = 0;
        for (Piece const& p : kept_) sum += p.bytes;
        return sum;
    }
    /// Gives back what is more than allowed, of that which was kept first.
    void release() {
        std::size_t const all = sum();
        std::size_t over = all - std::min<std::size_t>(all, allowed_);
        while (over > 0) {
            Piece& p = kept_.front();
            std::size_t const some =
                std::min(p.bytes, (over + large_page - 1) / large_page * large_page);
            munmap(p.begin, some);
            over -= std::min(over, some);
            p = {p.begin + some, p.bytes - some};
            if (p.bytes == 0) kept_.erase(kept_.begin());
        }
    }
    static char* fresh(std::size_t bytes, char* at = nullptr) {
        void* const memory = mmap(at, bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
        return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
    }
    /// Fresh addresses at a multiple of large_page.
    static char* fresh_aligned(std::size_t bytes) {
        auto const over = [](char* p) { return reinterpret_cast<std::uintptr_t>(p) % large_page; };
        char* at = fresh(bytes);
        if (!at || over(at) == 0) return at;
        munmap(at, bytes);
        at = fresh(bytes + large_page);
        if (!at) return at;
        std::size_t const before = (large_page - over(at)) % large_page;
        if (before > 0) munmap(at, before);
        munmap(at + before + bytes, large_page - before);
        return at + before;
    }
    /// A block of all that is kept until it is enough, and of fresh pages.
    char* gather(std::size_t bytes) {
        char* const begin = fresh_aligned(bytes);
        if (!begin) return nullptr;
        std::vector<Piece> pieces;
        std::size_t done = 0;
        while (done < bytes && !kept_.empty()) {
            Piece& p = kept_.back();
            std::size_t const some = std::min(p.bytes, bytes - done);
            char* const to = begin + done;
            if (mremap(p.begin + (p.bytes - some), some, some, MREMAP_MAYMOVE | MREMAP_FIXED, to) ==
                MAP_FAILED) {
                // Nothing has moved, but what was there may be gone.
                munmap(p.begin + (p.bytes - some), some);
                if (!fresh(some, to)) {
                    munmap(begin, bytes);
                    return nullptr;
                }
            }
            pieces.push_back({to, some});
            done += some;
            p.bytes -= some;
            if (p.bytes == 0) kept_.pop_back();
        }
        if (done < bytes) pieces.push_back({begin + done, bytes - done});
        used_[begin] = std::move(pieces);
        return begin;
    }

    std::mutex mutex_;
    std::atomic<int> keepers_ = 0;
    std::atomic<std::size_t> allowed_ = 0;
    std::vector<Piece> kept_;
    std::map<char*, std::vector<Piece>> used_;
};

}  // namespace

KeepPages::KeepPages() { KeptPages::all().begin(); }
KeepPages::~KeepPages() { KeptPages::all().end(); }
void* take_pages(std::size_t bytes) {
    return KeptPages::all().wanted() ? KeptPages::all().take(bytes) : nullptr;
}
bool give_pages(void* memory) noexcept {
    return reinterpret_cast<std::uintptr_t>(memory) % large_page == 0 && KeptPages::all().give(memory);
}

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

}  // namespace detail

void keep_memory(std::size_t) {}
std::size_t kept_memory() { return 0; }

}}  // namespace zwalk::v0
#endif
