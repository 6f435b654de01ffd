// Memory that goes from one step of a call to the next, and from one call to the next.
#include "zwalk/core/keep_pages.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <new>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/keep_memory.hpp"
#if defined(ZWALK_KEEPS_PAGES)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace zwalk;

namespace {

constexpr std::size_t mib = 1 << 20;
#if defined(ZWALK_KEEPS_PAGES)
constexpr std::size_t keeps = 1;
#else
constexpr std::size_t keeps = 0;
#endif

Buffer<char> filled(std::size_t size, char with) {
    Buffer<char> b(size * mib);
    std::fill(b.begin(), b.end(), with);
    return b;
}
bool is_filled(Buffer<char> const& b, char with) {
    return std::all_of(b.begin(), b.end(), [&](char c) { return c == with; });
}

}  // namespace

TEST_CASE("kept pages: what is freed is what comes next, whole or in part") {
    auto const before = filled(10, 'b');
    CHECK(kept_memory() == 0);
    std::optional<detail::KeepPages> keep(std::in_place);
    { auto const a = filled(17, 'a'); }
    (void)Buffer<char>(mib / 4);  // small ones are left to malloc
    CHECK(kept_memory() == keeps * 17 * mib);
    auto whole = filled(8, 'w');
    CHECK(kept_memory() == keeps * 9 * mib);
    auto const rest = filled(9, 'r');
    CHECK(kept_memory() == 0);
    CHECK(is_filled(whole, 'w'));
    whole = {};
    CHECK(kept_memory() == keeps * 8 * mib);
    auto const fresh = filled(30, 'f');  // what was kept is too small, and goes back for it
    CHECK(kept_memory() == 0);
    CHECK(is_filled(rest, 'r'));
    keep.reset();
    CHECK(is_filled(fresh, 'f'));
    CHECK(is_filled(before, 'b'));
}

TEST_CASE("kept pages: parts of a block become one again, in any order") {
    detail::KeepPages const keep;
    std::vector<int> order{0, 1, 2, 3};
    do {
        { auto const one = filled(16, '1'); }
        CHECK(kept_memory() == keeps * 16 * mib);
        std::vector<Buffer<char>> parts;
        for (int i = 0; i < 4; ++i) parts.push_back(filled(4, char('a' + i)));
        CHECK(kept_memory() == 0);
        for (int i : order) {
            CHECK(is_filled(parts[std::size_t(i)], char('a' + i)));
            parts[std::size_t(i)] = {};
        }
        auto const again = filled(16, '2');  // fits into no part
        CHECK(kept_memory() == 0);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("kept pages: never more than the most that was in use") {
    detail::KeepPages const keep;
    std::mt19937 random(3);
    std::vector<Buffer<char>> used;
    std::size_t in_use = 0, most = 0;
    for (int step = 0; step < 400; ++step) {
        if (used.empty() || (used.size() < 8 && random() % 2)) {
            std::size_t const size = 1 + random() % 20;
            used.emplace_back(size * mib);
            in_use += size * mib;
        } else {
            std::swap(used[random() % used.size()], used.back());
            in_use -= used.back().size();
            used.pop_back();
        }
        most = std::max(most, in_use);
        CHECK(in_use + kept_memory() <= most);
    }
}

TEST_CASE("kept pages: calls in each other, and what outlives them") {
    Buffer<char> outlives;
    {
        detail::KeepPages const outer;
        {
            detail::KeepPages const inner;
            outlives = filled(12, 'o');
            (void)filled(12, 'x');
        }
        CHECK(kept_memory() == keeps * 12 * mib);  // the outer one goes on
    }
    CHECK(kept_memory() == 0);
    CHECK(is_filled(outlives, 'o'));
    outlives = {};
    CHECK(kept_memory() == 0);
}

TEST_CASE("kept memory: from call to call, as much as allowed") {
    (void)filled(40, 'n');
    CHECK(kept_memory() == 0);
    keep_memory(30 * mib);
    (void)filled(20, 'a');
    CHECK(kept_memory() == keeps * 20 * mib);
    {
        auto const b = filled(20, 'b'), c = filled(20, 'c');
        CHECK(kept_memory() == 0);
    }
    CHECK(kept_memory() == keeps * 30 * mib);  // not all that was freed
    {
        detail::KeepPages const keep;
        { auto const d = filled(20, 'd'), e = filled(20, 'e'); }
        CHECK(kept_memory() == keeps * 40 * mib);  // within a call all of it
    }
    CHECK(kept_memory() == keeps * 30 * mib);
    auto const last = filled(10, 'l');
    CHECK(kept_memory() == keeps * 20 * mib);
    keep_memory(3 * mib + 1);
    CHECK(kept_memory() == keeps * 3 * mib);
    keep_memory(0);
    CHECK(kept_memory() == 0);
    CHECK(is_filled(last, 'l'));
}

TEST_CASE("kept memory: many threads, and limits that change meanwhile") {
    std::atomic<bool> wrong = false;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            std::mt19937 random(std::uint32_t(t) + 1);
            std::vector<Buffer<char>> used(3);
            for (int step = 0; step < 60; ++step) {
                auto& one = used[random() % 3];
                if (!one.empty() && (one.front() != char(t) || one.back() != char(t))) wrong = true;
                one = Buffer<char>((1 + random() % 8) * mib);
                one.front() = one.back() = char(t);
                if (step % 8 == t) keep_memory(random() % 3 * 10 * mib);
            }
        });
    for (auto& thread : threads) thread.join();
    CHECK(!wrong);
    keep_memory(0);
    CHECK(kept_memory() == 0);
}

#if defined(ZWALK_KEEPS_PAGES)
namespace {

/// What a child process returns, which must not hang.
template <class F>
int in_child(F const& f) {
    pid_t const child = fork();
    if (child == 0) {
        alarm(60);
        _exit(f());
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE(
    "kept memory: a child keeps nothing of its parent's, and goes on, whatever other threads did") {
    keep_memory(100 * mib);
    auto inherited = filled(9, 'i');
    (void)filled(20, 'k');
    std::atomic<bool> done = false;
    std::thread busy([&] {
        while (!done) Buffer<char>(4 * mib).front() = 'x';
    });
    for (int i = 0; i < 20; ++i)
        CHECK(in_child([&] {
                  bool const right = kept_memory() == 0 && is_filled(inherited, 'i');
                  inherited = {};
                  return right && kept_memory() == 9 * mib && is_filled(filled(12, 'c'), 'c') ? 0 : 1;
              }) == 0);
    done = true;
    busy.join();
    CHECK(is_filled(inherited, 'i'));
    keep_memory(0);
}

TEST_CASE("kept memory: goes back where a process may have no more") {
    auto const with_limit = [](std::size_t kept, std::size_t wanted) {
        return in_child([&] {
            keep_memory(1000 * mib);
            (void)Buffer<char>(kept * mib);
            if (kept_memory() != kept * mib) return 2;
            rlimit limit{};
            getrlimit(RLIMIT_AS, &limit);
            // What it has, by the pages of its first number.
            std::FILE* const file = std::fopen("/proc/self/statm", "r");
            unsigned long pages = 0;
            if (!file || std::fscanf(file, "%lu", &pages) != 1) return 3;
            std::fclose(file);
            limit.rlim_cur = rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + 100 * mib;
            if (setrlimit(RLIMIT_AS, &limit) != 0) return 4;
            try {
                Buffer<char> const b(wanted * mib);
                return 0;
            } catch (std::bad_alloc const&) {
                return 1;
            }
        });
    };
    CHECK(with_limit(400, 450) == 0);
    CHECK(with_limit(400, 700) == 1);
}
#endif
