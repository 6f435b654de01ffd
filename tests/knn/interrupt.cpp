// Work that is told to stop: it ends soon, and what is asked afterwards gets the same answers.
#include "zwalk/core/interrupt.hpp"

#include <chrono>
#include <thread>

#include "knn/check.hpp"

using namespace test;

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("kNN: an interrupt ends it soon, and changes nothing later") {
    auto const rows = make_points<3, float>("uniform", 300000, 1);
    Cpu const cpu(2);
    Index<float> const index(view<3>(rows), {}, cpu);
    auto const begin = std::chrono::steady_clock::now();
    auto const expected = knn(view<3>(rows), {.k = 16}, cpu);
    double const all = seconds_since(begin);
    int stopped = 0;
    for (double share : {0., 0.1, 0.3, 0.6}) {
        Interrupt interrupt;
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::duration<double>(share * all));
            interrupt.request();
        });
        try {
            Interrupt::Scope const scope(interrupt);
            if (share == 0.3) knn(index, {.k = 16, .exclude_self = true});
            else knn(view<3>(rows), {.k = 16}, cpu);
        } catch (Interrupted const&) {
            ++stopped;
        }
        other.join();
    }
    CHECK(stopped >= 3);  // the last one may be over before, on a machine that does other things
    CHECK(same_bits(knn(view<3>(rows), {.k = 16}, cpu), expected));
    CHECK(same_bits(knn(index, {.k = 16}), expected));
}
