// The machine of these tests finds what is wrong with a kernel, and says it.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace {

using warp::Machine;
using warp::Misuse;

constexpr unsigned all = 0xffffffffU;

/// What the machine says of a kernel; empty: nothing.
std::string complaint(unsigned threads, std::function<void()> const& kernel) {
    Machine machine;
    try {
        machine.launch(3, threads, kernel);
    } catch (Misuse const& misuse) {
        return misuse.what();
    }
    return {};
}

bool contains(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

int lane() { return int(threadIdx.x % 32); }

/// Whether 64 threads that pass values on through shared memory get the right ones, always.
bool passes_on(std::function<void()> const& barrier, bool write_all = true) {
    Machine machine;
    std::vector<int> found(64);
    bool right = true;
    for (int launches = 0; launches < 6; ++launches) {
        machine.launch(2, 64, [&] {
            ZWALK_SHARED_BYTES(bytes, 64 * sizeof(int));
            int* const shared = reinterpret_cast<int*>(bytes);
            if (write_all || threadIdx.x > 0) shared[threadIdx.x] = int(threadIdx.x) + launches;
            barrier();
            found[threadIdx.x] = shared[(threadIdx.x + 1) % 64];
        });
        for (int t = 0; t < 64; ++t) right = right && found[std::size_t(t)] == (t + 1) % 64 + launches;
    }
    return right;
}

}  // namespace

TEST_CASE("warp machine: right kernels pass, other exceptions too") {
    CHECK(complaint(64, [] {
              for (int i = 0; i < 10; ++i) {
                  __syncwarp();
                  if (lane() < 16) __syncwarp(0xffffU);
                  __syncthreads();
                  CHECK(__syncthreads_or(threadIdx.x == 5) != 0);
                  CHECK(__syncthreads_and(threadIdx.x == 5) == 0);
                  CHECK(__syncthreads_count(threadIdx.x % 2 == 0) == 32);
              }
          }).empty());
    Machine machine;
    CHECK_THROWS_AS(machine.launch(2, 32, [] { throw std::bad_alloc(); }), std::bad_alloc);
    int threads = 0;
    machine.launch(2, 32, [&] { ++threads; });  // goes on
    CHECK(threads == 64);
}

TEST_CASE("warp machine: a barrier that not all reach") {
    std::string const some = complaint(64, [] {
        if (threadIdx.x != 3) __syncwarp();
    });
    CHECK(contains(some, "left the kernel"));
    CHECK(contains(some, "thread 3 has left"));
    CHECK(contains(complaint(64,
                             [] {
                                 if (threadIdx.x < 32) __syncthreads();
                             }),
                   "left the kernel"));
    CHECK(contains(complaint(64,
                             [] {
                                 if (lane() < 8) __syncwarp();
                                 else __syncthreads();
                             }),
                   "at another operation"));
}

TEST_CASE("warp machine: masks") {
    CHECK(
        contains(complaint(32, [] { __syncwarp(1U << ((lane() + 1) % 32)); }), "not one of the lanes"));
    CHECK(contains(complaint(32, [] { (void)__ballot_sync(lane() < 16 ? 0xffffU : all, 1); }),
                   "left the kernel"));
    CHECK(contains(complaint(32, [] { __syncwarp(lane() < 16 ? all >> 1 : all); }),
                   "at another operation"));
    CHECK(contains(complaint(64, [] { (void)__any_sync(0xff00U >> (lane() < 8 ? 8 : 0), 1); }),
                   "not one of the lanes"));
}

TEST_CASE("warp machine: shuffles") {
    CHECK(contains(complaint(32,
                             [] {
                                 if (lane() % 2) (void)__shfl_xor_sync(all, 1, 1, 32);
                             }),
                   "left the kernel"));
    CHECK(contains(complaint(32,
                             [] {
                                 if (lane() < 16) (void)__shfl_sync(0xffffU, 1, 16, 32);
                             }),
                   "reads from lane 16, which takes no part"));
    CHECK(contains(complaint(32, [] { (void)__shfl_sync(all, 1, 0, lane() < 8 ? 8 : 32); }),
                   "at another operation"));
    CHECK(contains(complaint(32,
                             [] {
                                 if (lane() < 8) (void)__shfl_sync(all, 1.F, 0, 32);
                                 else (void)__shfl_sync(all, 1., 0, 32);
                             }),
                   "at another operation"));
    CHECK(contains(complaint(32, [] { (void)__shfl_sync(all, 1, 0, 12); }), "bad width"));
    CHECK(complaint(32, [] {
              int const l = lane(), first = l / 8 * 8;
              CHECK(__shfl_sync(all, l, 11, 8) == first + 3);
              CHECK(__shfl_xor_sync(all, l, 5, 8) == (l ^ 5));
              CHECK(__shfl_xor_sync(all, l, 8, 8) == (l % 16 < 8 ? l : l - 8));
              CHECK(__shfl_up_sync(all, l, 3, 8) == (l - 3 < first ? l : l - 3));
              CHECK(__shfl_down_sync(all, l, 3, 8) == (l + 3 > first + 7 ? l : l + 3));
              CHECK(__reduce_add_sync(all, unsigned(l)) == 496);
              CHECK(__reduce_min_sync(all, -l) == -31);
              CHECK(__reduce_max_sync(all, l - 40) == -9);
              CHECK(__reduce_or_sync(all, 1U << l) == all);
              CHECK(__reduce_and_sync(all, ~1U << l) == 0);
              CHECK(__match_any_sync(all, l / 8) == 0xffU << first);
              int same = 1;
              CHECK(__match_all_sync(all, l, &same) == 0);
              CHECK(same == 0);
              CHECK(__all_sync(all, l < 32) != 0);
          }).empty());
}

TEST_CASE("warp machine: threads that wait for each other forever") {
    std::string const said = complaint(64, [] {
        if (lane() == 0) __syncwarp(3);
        else if (lane() == 1) __syncwarp(6);
        else if (lane() == 2) __syncwarp(5);
        __syncwarp();
    });
    CHECK(contains(said, "in a circle"));
    CHECK(contains(said, "thread 1 waits at __syncwarp of lanes 6"));
    CHECK(contains(said, "seed 1"));
}

TEST_CASE("warp machine: a missing barrier changes results, so does memory that nobody wrote") {
    CHECK(passes_on([] { __syncthreads(); }));
    CHECK(!passes_on([] {}));
    CHECK(!passes_on([] { __syncwarp(); }));
    CHECK(!passes_on([] { __syncthreads(); }, false));
}
