#include "zwalk/exec/cpu.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/numbered_pieces.hpp"
#include "zwalk/core/parallel_scan.hpp"
#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 {

namespace {

constexpr std::size_t flag_grain = 1 << 15;

/// Only ever raises TBB's limit (for tests with more threads than cores): of several limits that
/// are alive TBB takes the lowest, and the arena bounds this context anyway.
std::shared_ptr<tbb::global_control> raise_limit(int threads) {
    if (threads <= tbb::info::default_concurrency()) return nullptr;
    return std::make_shared<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                 std::size_t(threads));
}

int checked_threads(int threads) {
    if (threads < 0)
        throw InputError(
            detail::text("the number of threads is {}; it must be positive, or 0 for all", threads));
    return threads > 0 ? threads : tbb::info::default_concurrency();
}

}  // namespace

struct Cpu::Threads {
    explicit Threads(int n) : limit(raise_limit(n)), arena(n) {}
    std::shared_ptr<tbb::global_control> limit;
    tbb::task_arena arena;
};

Cpu::Cpu(int threads, std::uint64_t memory_budget)
    : threads_(checked_threads(threads)),
      memory_budget_(memory_budget),
      arena_(std::make_shared<Threads>(threads_)) {}

void Cpu::execute(void (*call)(void*), void* f) const {
    arena_->arena.execute([=] { call(f); });
}

void Cpu::set_up(void* memory, std::size_t bytes) const {
    constexpr std::size_t block =
        2 << 20;  // one entry of the page table above pages: threads don't wait for each other
    auto* const first = static_cast<char*>(memory);
    run([&] {
        parallel_for((bytes - 1) / block + 1, 1, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i)
                detail::set_up_pages(first + i * block, std::min(block, bytes - i * block));
        });
    });
}

void Cpu::exclusive_scan(pos_t const* in, size_type* out, std::size_t n) const {
    run([&] { parallel_exclusive_scan(in, out, n); });
}

pos_t Cpu::count(std::uint8_t const* flags, std::size_t n) const {
    return run([&] {
        return parallel_reduce(
            n, flag_grain, pos_t(0),
            [&](std::size_t begin, std::size_t end, pos_t so_far) {
                return so_far + pos_t(std::count(flags + begin, flags + end, 1));
            },
            std::plus<>());
    });
}

void Cpu::positions(std::uint8_t const* flags, std::size_t n, pos_t* out) const {
    detail::NumberedPieces const pieces(n, flag_grain);
    std::vector<pos_t> before(pieces.size());  // in a piece, then in those before
    run([&] {
        pieces.each([&](std::size_t p, std::size_t begin, std::size_t end) {
            before[p] = pos_t(std::count(flags + begin, flags + end, 1));
        });
        std::exclusive_scan(before.begin(), before.end(), before.begin(), pos_t(0));
        pieces.each([&](std::size_t p, std::size_t i, std::size_t end) {
            for (pos_t* next = out + before[p]; i < end; ++i)
                if (flags[i]) *next++ = pos_t(i);
        });
    });
}

std::uint64_t Cpu::available() const { return available_memory(); }

}}  // namespace zwalk::v0
