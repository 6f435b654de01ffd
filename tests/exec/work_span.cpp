// WorkSpan: loops whose pieces take known times, alone and within each other, and that results are those of threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <functional>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "zwalk/core/clock.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/core/parallel_sort.hpp"
#include "zwalk/core/work_span.hpp"
#include "zwalk/exec/cpu.hpp"

using namespace zwalk;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// Keeps the thread busy for so many milliseconds of its own time.
void work(double milliseconds) {
    timespec now{};
    auto const seconds = [&] {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
    };
    for (double const end = seconds() + milliseconds / 1000; seconds() < end;) {
    }
}

/// Milliseconds of f() on so many threads.
template <class F>
double foreseen(double threads, F const& f) {
    WorkSpan span(threads);
    WorkSpan::Scope const scope(span);
    double const start = now_seconds();
    Cpu(8).run(f);
    return 1000 * (now_seconds() - start);
}
/// A busy machine adds to what CPU time there is; nothing takes from it.
void check_about(double found, double expected) {
    CHECK(found >= expected - 0.01);
    CHECK(found < 1.25 * expected + 1);
}

void equal_pieces() {
    parallel_for(8, 1, [](std::size_t begin, std::size_t end) { work(2 * double(end - begin)); });
}

}  // namespace

#if !defined(ZWALK_TSAN)
TEST_CASE("work and span: a loop is shared out, what is outside isn't") {
    auto const loop_and_rest = [] {
        equal_pieces();
        work(4);
    };
    check_about(foreseen(1, loop_and_rest), 20);
    check_about(foreseen(2, loop_and_rest), 4 + 2 + 14. / 2);
    check_about(foreseen(inf, loop_and_rest), 4 + 2);
}

TEST_CASE("work and span: the longest piece bounds a loop") {
    auto const uneven = [] {
        parallel_for(5, 1, [](std::size_t i, std::size_t) { work(i == 3 ? 8 : 1); });
    };
    check_about(foreseen(1, uneven), 12);
    check_about(foreseen(4, uneven), 8 + 4. / 4);
    check_about(foreseen(inf, uneven), 8);
}

TEST_CASE("work and span: loops in pieces are shared out, too") {
    auto const nested = [] {
        parallel_for(2, 1, [](std::size_t, std::size_t) {
            work(1);
            equal_pieces();
        });
    };
    check_about(foreseen(1, nested), 34);
    check_about(foreseen(inf, nested), 3);
    check_about(foreseen(2, nested), 3 + 31. / 2);
}

TEST_CASE("work and span: a sort's first partitions are its span") {
    std::vector<int> numbers(1 << 16);
    auto const sort = [&] {
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = int(i * 7919 % numbers.size());
        parallel_sort(numbers.begin(), numbers.end(), std::less<>());
    };
    double const one = foreseen(1, sort);
    CHECK(std::is_sorted(numbers.begin(), numbers.end()));
    CHECK(foreseen(inf, sort) < one / 2);
}

TEST_CASE("work and span: every step is taken once, on the calling thread; a throw leaves no trace") {
    std::vector<int> taken(1000, 0);
    auto const caller = std::this_thread::get_id();
    WorkSpan span(4);
    {
        WorkSpan::Scope const scope(span);
        Cpu(8).run([&] {
            parallel_for(taken.size(), 7, [&](std::size_t begin, std::size_t end) {
                CHECK(std::this_thread::get_id() == caller);
                CHECK(end - begin <= 7);
                for (; begin < end; ++begin) ++taken[begin];
            });
        });
        CHECK(taken == std::vector<int>(1000, 1));
        double const before = now_seconds();
        CHECK_THROWS_AS(
            parallel_for(3, 1, [](std::size_t, std::size_t) { throw std::runtime_error(""); }),
            std::runtime_error);
        check_about(foreseen(2, equal_pieces), 2 + 14. / 2);  // scopes nest
        CHECK(now_seconds() >= before);
    }
    CHECK(WorkSpan::current() == nullptr);
}
#endif
