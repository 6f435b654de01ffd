#include "zwalk/exec/result_buffer.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "zwalk/core/fresh_pages.hpp"
#include "zwalk/core/huge_pages.hpp"
#include "zwalk/core/parallel.hpp"
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace zwalk { inline namespace v0 { namespace detail {

#if defined(__linux__)

namespace {

using Clock = std::chrono::steady_clock;
/// To zero a huge page takes a quarter of a millisecond, longer where many threads share the memory's bandwidth. One that a host has to
/// give takes 5.
std::chrono::microseconds long_time(int threads) {
    return std::chrono::microseconds(1500 + 50 * threads);
}

/// Whether huge pages are to be had, by those that were set up: a few of them may take long since threads wait for a core. Where the
/// last result had none, one that takes long is enough.
class AtHand {
  public:
    explicit AtHand(int threads) : long_time_(long_time(threads)), slow_(were_slow) {}
    ~AtHand() { were_slow = !are(); }
    AtHand(AtHand const&) = delete;
    [[nodiscard]] bool are() const { return slow_ <= 1 + done_ / 8; }
    /// Sets up a page.
    void touch(char* page) {
        if (madvise(page, huge_page, MADV_HUGEPAGE) != 0) slow_ += 3;  // not in this kernel
        auto const start = Clock::now();
        *static_cast<char volatile*>(page) = 0;
        ++done_;
        if (Clock::now() - start > long_time_) ++slow_;
    }

  private:
    static inline std::atomic<bool> were_slow{false};
    std::chrono::microseconds long_time_;
    std::atomic<int> done_{0}, slow_;
};

}  // namespace

bool gets_huge_pages(std::size_t bytes) {
    return bytes >= 4 * huge_page && huge_pages() != HugePages::none;
}

void set_up_huge_pages(Cpu const& cpu, void* memory, std::size_t bytes) {
    auto const address = reinterpret_cast<std::uintptr_t>(memory);
    std::size_t const before = (huge_page - address % huge_page) % huge_page;
    if (bytes < before) return;
    char* const first = static_cast<char*>(memory) + before;
    AtHand pages(cpu.threads());
    cpu.run([&] {
        parallel_for((bytes - before) / huge_page, 1, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) {
                if (pages.are()) pages.touch(first + i * huge_page);
                else set_up_pages(first + i * huge_page, huge_page);
            }
        });
    });
}

#else

bool gets_huge_pages(std::size_t) { return false; }
void set_up_huge_pages(Cpu const&, void*, std::size_t) {}

#endif

}}}  // namespace zwalk::v0::detail
