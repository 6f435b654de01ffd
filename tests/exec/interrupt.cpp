// Interrupts: what they end and how soon, what they leave alone, and that places work as before afterwards.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "zwalk/core/interrupt.hpp"
#include "zwalk/core/parallel_sort.hpp"
#include "zwalk/exec/cpu.hpp"

using namespace zwalk;

namespace {

/// Pieces of a loop that would take some two minutes.
constexpr std::size_t pieces = 100000;

/// f() in the scope of an interrupt, requested by another thread as soon as `begun` is true: whether f threw Interrupted.
template <class F>
bool stops(std::atomic<bool> const& begun, F const& f) {
    Interrupt interrupt;
    std::thread other([&] {
        while (!begun) std::this_thread::yield();
        interrupt.request();
    });
    bool stopped = false;
    try {
        Interrupt::Scope const scope(interrupt);
        f();
    } catch (Interrupted const& e) {
        stopped = e.what() == std::string("interrupted");
    }
    other.join();
    return stopped;
}

void a_piece(std::atomic<bool>& begun, std::atomic<std::size_t>& done) {
    begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ++done;
}

std::uint64_t sum_below(Cpu const& cpu, std::size_t n) {
    return cpu.run([&] {
        return parallel_reduce(
            n, 100, std::uint64_t(0),
            [](std::size_t i, std::size_t end, std::uint64_t sum) {
                for (; i < end; ++i) sum += i;
                return sum;
            },
            std::plus<>());
    });
}

}  // namespace

#if !defined(ZWALK_TSAN)  // there loops have three pieces, and those that began are ended
TEST_CASE("interrupt: a loop ends soon, wherever it is") {
    for (int threads : {1, 3}) {
        CAPTURE(threads);
        Cpu const cpu(threads);
        for (std::string const kind : {"for", "reduce", "nested", "nested run", "run of another"}) {
            CAPTURE(kind);
            std::atomic<bool> begun = false;
            std::atomic<std::size_t> done = 0;
            auto const loop = [&](std::size_t n) {
                parallel_for(n, 1, [&](std::size_t i, std::size_t end) {
                    for (; i < end; ++i) a_piece(begun, done);
                });
            };
            auto const each = [&](auto const& f) {
                parallel_for(4, 1, [&](std::size_t, std::size_t) { f(); });
            };
            Cpu const apart = cpu.apart();
            CHECK(stops(begun, [&] {
                cpu.run([&] {
                    if (kind == "for") loop(pieces);
                    else if (kind == "nested") each([&] { loop(pieces); });
                    else if (kind == "nested run") each([&] { cpu.run([&] { loop(pieces); }); });
                    else if (kind == "run of another") each([&] { apart.run([&] { loop(pieces); }); });
                    else
                        parallel_reduce(
                            pieces, 1, 0,
                            [&](std::size_t i, std::size_t end, int) {
                                for (; i < end; ++i) a_piece(begun, done);
                                return 0;
                            },
                            std::plus<>());
                });
            }));
            CHECK(done < 1000);  // though oneTBB's pieces are longer
            CHECK(Interrupt::current() == nullptr);
            CHECK(sum_below(cpu, 100000) == std::uint64_t(100000) * 99999 / 2);
        }
    }
}
#endif

TEST_CASE("interrupt: sorting ends soon") {
    std::mt19937 random(1);
    std::vector<std::uint32_t> numbers(100000);
    for (auto& n : numbers) n = std::uint32_t(random());
    std::atomic<bool> begun = false;
    std::atomic<std::size_t> compared = 0;
    [[maybe_unused]] auto const slowly = [&](std::uint32_t a, std::uint32_t b) {
        begun = true;
        if (++compared % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return a < b;
    };
#if !defined(ZWALK_TSAN)
    CHECK(stops(begun,
                [&] { Cpu(2).run([&] { parallel_sort(numbers.begin(), numbers.end(), slowly); }); }));
    CHECK(compared < 100000);  // some 1e6 are to be made
#endif
    auto sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    Interrupt never;
    Interrupt::Scope const scope(never);
    Cpu(2).run([&] { parallel_sort(numbers.begin(), numbers.end(), std::less<>()); });
    CHECK(numbers == sorted);
}

TEST_CASE("interrupt: what was requested before doesn't begin") {
    Interrupt interrupt;
    interrupt.request();
    CHECK(interrupt.requested());
    Cpu const cpu(2);
    bool begun = false;
    {
        Interrupt::Scope const scope(interrupt);
        CHECK_THROWS_AS(cpu.run([&] { begun = true; }), Interrupted);
        CHECK_THROWS_AS(sum_below(cpu, 10), Interrupted);
        CHECK_THROWS_AS(Interrupt::check(), Interrupted);
        Interrupt inner;  // the innermost counts
        Interrupt::Scope const inner_scope(inner);
        CHECK(sum_below(cpu, 10) == 45);
    }
    CHECK(!begun);
    CHECK(sum_below(cpu, 10) == 45);
}

TEST_CASE("interrupt: values and nothing come back, if it isn't requested") {
    Interrupt interrupt;
    Interrupt::Scope const scope(interrupt);
    Cpu const cpu(3);
    CHECK(sum_below(cpu, 100000) == std::uint64_t(100000) * 99999 / 2);
    int given = 0;
    static_assert(std::is_void_v<decltype(cpu.run([&] { given = 7; }))>);
    cpu.run([&] { given = 7; });
    CHECK(given == 7);
    CHECK(*cpu.run([&] { return std::make_unique<int>(8); }) == 8);
    CHECK_THROWS_AS(cpu.run([] { throw InputError("no"); }), InputError);
}

TEST_CASE("interrupt: a thread that takes up the work of others neither stops it nor forgets its own") {
    Interrupt::Behalf const nobody;
    Interrupt requested, another;
    Interrupt::Scope const another_scope(another);
    Interrupt::Behalf const somebody;
    requested.request();
    Interrupt::Scope const scope(requested);
    CHECK(nobody([] { return Interrupt::current() == nullptr; }));
    CHECK(somebody([&] { return Interrupt::current() == &another; }));
    CHECK(nobody([] { return sum_below(Cpu(1), 10); }) == 45);
    CHECK(Interrupt::current() == &requested);
    CHECK_THROWS_AS(Interrupt::check(), Interrupted);
}

TEST_CASE("interrupt: work of others on the same threads goes on") {
    Cpu const cpu(2);
    std::atomic<bool> over = false;
    std::atomic<int> wrong = 0;
    // Loops in loops: a thread that waits for its inner one takes up pieces of the others.
    auto const nested = [&](auto const& after_each) {
        cpu.run([&] {
            parallel_for(64, 1, [&](std::size_t, std::size_t) {
                if (sum_below(cpu, 20000) != std::uint64_t(20000) * 19999 / 2) ++wrong;
                after_each();
            });
        });
    };
    std::thread other([&] {
        while (!over) try {
                nested([] {});
            } catch (Interrupted const&) {
                ++wrong;
            }
    });
    int stopped = 0;
    for (int i = 0; i < 300; ++i) {
        Interrupt interrupt;
        Interrupt::Scope const scope(interrupt);
        try {
            nested([&] { interrupt.request(); });
        } catch (Interrupted const&) {
            ++stopped;
        }
    }
    over = true;
    other.join();
    CHECK(wrong == 0);
    CHECK(stopped > 0);
}
