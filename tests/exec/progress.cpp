// Progress: which loops are passes, how loops within them share these, and that others' loops are none.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "zwalk/core/parallel.hpp"
#include "zwalk/core/progress.hpp"
#include "zwalk/exec/cpu.hpp"

using namespace zwalk;

namespace {

void loop(Cpu const& cpu, std::size_t n) {
    cpu.run([&] { parallel_for(n, 1, [](std::size_t, std::size_t) {}); });
}

void check_now(Progress const& progress, std::size_t pass, double part) {
    auto const now = progress.now();
    CHECK(now.pass == pass);
    CHECK(now.part == part);
}

}  // namespace

TEST_CASE("progress: each loop of the thread is a pass, which ends complete") {
    for (int threads : {1, 3}) {
        CAPTURE(threads);
        Cpu const cpu(threads);
        Progress progress;
        check_now(progress, 0, 0);
        Progress::Scope const scope(progress);
        for (std::size_t pass : {1, 2, 3}) {
            loop(cpu, 1000 * pass - 1);
            check_now(progress, pass, 1);
        }
        cpu.run([&] {
            return parallel_reduce(
                10000, 10, 0, [](std::size_t, std::size_t, int so_far) { return so_far; },
                [](int a, int) { return a; });
        });
        check_now(progress, 4, 1);
        loop(cpu, 0);
        check_now(progress, 4, 1);  // nothing to do is no pass
    }
}

TEST_CASE("progress: within a pass it rises by steps of loops within loops") {
    for (int threads : {1, 3}) {
        CAPTURE(threads);
        Cpu const cpu(threads);
        Progress progress;
        Progress::Scope const scope(progress);
        std::mutex mutex;
        std::set<double> parts;
        bool one_pass = true;
        auto const look = [&] {
            std::lock_guard const lock(mutex);
            auto const now = progress.now();
            one_pass = one_pass && now.pass == 1 && now.part < 1;  // this step isn't done
            parts.insert(now.part);
        };
        cpu.run([&] {
            parallel_for(2, 1, [&](std::size_t, std::size_t) {
                for (int twice = 0; twice < 2; ++twice)
                    parallel_for(10, 1, [&](std::size_t, std::size_t) {
                        parallel_for(10, 1, [&](std::size_t, std::size_t) { look(); });
                    });
            });
        });
        CHECK(one_pass);
        check_now(progress, 1, 1);
#if !defined(ZWALK_TSAN)  // there loops have few steps
        double widest = 0;
        for (auto p = parts.begin(); std::next(p) != parts.end(); ++p)
            widest = std::max(widest, *std::next(p) - *p);
        CHECK(widest < 0.08 * threads);  // the share of a loop of ten, and what it leaves to the end
        if (threads == 1) CHECK(parts.size() == 400);
#endif
        loop(cpu, 50);
        check_now(progress, 2, 1);
    }
}

TEST_CASE(
    "progress: loops of other threads and after the scope don't count, and what threw isn't complete") {
    Progress mine, theirs;
    {
        Progress::Scope const scope(mine);
        {
            Progress::Scope const inner(theirs);
            loop(Cpu(2), 100);
        }
        check_now(theirs, 1, 1);
        check_now(mine, 0, 0);
        std::thread([] { loop(Cpu(2), 100); }).join();
        check_now(mine, 0, 0);
        CHECK_THROWS_AS(Cpu(2).run([] {
            parallel_for(100, 1, [](std::size_t, std::size_t) { throw std::runtime_error("no"); });
        }),
                        std::runtime_error);
        CHECK(mine.now().part < 0.01);
        loop(Cpu(2), 100);
        check_now(mine, 2, 1);
    }
    loop(Cpu(2), 100);
    check_now(mine, 2, 1);
}
