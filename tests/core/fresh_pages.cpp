// Pages of fresh memory: those that lie wholly inside are there afterwards, and no byte changes.
#include "zwalk/core/fresh_pages.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

using namespace zwalk;

TEST_CASE("bytes that are there stay, wherever memory begins and ends") {
    constexpr std::size_t page = 4096;
    std::vector<char> all(5 * page, 1);
    for (std::size_t begin : {std::size_t(0), std::size_t(1), page - 1, page})
        for (std::size_t bytes : {std::size_t(0), std::size_t(1), page - 1, page + 1, 3 * page})
            detail::set_up_pages(all.data() + begin, bytes);
    CHECK(std::count(all.begin(), all.end(), 1) == std::ptrdiff_t(all.size()));
}

#if defined(__linux__)
namespace {

/// Fresh memory of some pages, which of them are there, and whether this system can set pages up.
class FreshPages {
  public:
    explicit FreshPages(std::size_t pages)
        : page_(std::size_t(sysconf(_SC_PAGESIZE))),
          there_(pages),
          memory_(static_cast<char*>(mmap(nullptr, pages * page_, PROT_READ | PROT_WRITE,
                                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        REQUIRE(static_cast<void*>(memory_) != MAP_FAILED);
        madvise(memory_, pages * page_, MADV_NOHUGEPAGE);
    }
    FreshPages(FreshPages const&) = delete;
    ~FreshPages() { munmap(memory_, there_.size() * page_); }

    [[nodiscard]] std::size_t page() const { return page_; }
    [[nodiscard]] char* memory() const { return memory_; }
    [[nodiscard]] bool is_there(std::size_t i) {
        REQUIRE(mincore(memory_, there_.size() * page_, there_.data()) == 0);
        return (there_[i] & 1) != 0;
    }

  private:
    std::size_t page_;
    std::vector<unsigned char> there_;
    char* memory_;
};

}  // namespace

TEST_CASE("whole pages are there afterwards, and no others") {
    FreshPages fresh(8);
    if (fresh.is_there(1)) {
        MESSAGE("this system doesn't say which pages are there");
        return;
    }
    detail::set_up_pages(fresh.memory() + fresh.page() - 1, 3 * fresh.page());
    if (!fresh.is_there(1)) {
        MESSAGE("this system sets up no pages (Linux before 5.14)");
        return;
    }
    for (std::size_t i = 0; i < 8; ++i) {
        CAPTURE(i);
        CHECK(fresh.is_there(i) == (i == 1 || i == 2));
    }
}

TEST_CASE("memory whose first page is there is left as it is") {
    FreshPages fresh(4);
    if (fresh.is_there(2)) return;  // see above
    *fresh.memory() = 1;
    detail::set_up_pages(fresh.memory(), 4 * fresh.page());
    CHECK_FALSE(fresh.is_there(2));
}
#endif
