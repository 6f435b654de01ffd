// A GPU's blocks, warps and barriers on one thread of the CPU: what cuda_shim.hpp stands on. Knows nothing of zwalk.
#pragma once
#include <array>
#include <boost/context/fiber.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warp {

/// A kernel did what CUDA doesn't define: threads that should meet don't. Says where each one stands.
struct Misuse : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Index {
    unsigned x = 0, y = 0, z = 0;
};

/// Runs kernels, block by block. Each thread of a block is a fiber that runs until it has to wait for others.
///
/// Who goes on changes from turn to turn: all threads, ascending or descending; a random half of them; or a few
/// neighbours as far as they get without the others. So a missing barrier changes results, and warps and groups of
/// a block get ahead of each other. Shared memory is filled with random bytes before each block.
class Machine {
  public:
    /// All that is random follows from `seed`, which is in every message.
    explicit Machine(std::uint64_t seed = 1) : seed_(seed), random_(seed) {}
    Machine(Machine const&) = delete;
    Machine& operator=(Machine const&) = delete;

    /// kernel() by every thread of every block. Throws Misuse, and what a kernel throws.
    void launch(unsigned blocks, unsigned threads, std::function<void()> const& kernel);

    // For kernels:

    static Machine& current() { return *current_; }
    [[nodiscard]] Index thread() const { return {running_->number, 0, 0}; }
    [[nodiscard]] Index block() const { return {block_, 0, 0}; }
    [[nodiscard]] Index block_size() const { return {unsigned(threads_.size()), 0, 0}; }
    [[nodiscard]] Index grid_size() const { return {blocks_, 0, 0}; }
    [[nodiscard]] unsigned lane() const { return running_->number % 32; }

    using Values = std::array<std::uint64_t, 32>;
    /// An operation of several threads, on which they must agree; `mask` is 0 where it is one of the whole block.
    struct Operation {
        unsigned mask = 0, bytes = 0, width = 32;
        std::string_view name{};
        bool operator==(Operation const&) const = default;
    };
    /// Waits until all lanes of the mask have come, and returns what each brought along.
    Values const& meet_warp(Operation const& operation, std::uint64_t value);
    /// The same for all threads of the block: the number of those whose value isn't 0.
    unsigned meet_block(std::string_view operation, bool value);
    /// Registers an array of shared memory; from now on it is filled before each block.
    static void add_shared(unsigned char* bytes, std::size_t size);

    [[noreturn]] void fail(std::string const& what) const;

  private:
    enum class State { ready, waiting, ended };
    struct Thread {
        unsigned number;
        boost::context::fiber fiber;
        State state = State::ended;
        Operation operation{};  // that it waits at, or last did
        std::uint64_t value = 0;
        Values seen{};
        unsigned count = 0;
    };

    void make_threads(unsigned threads);
    boost::context::fiber live(boost::context::fiber&& scheduler);
    void run_block();
    void take_turn();
    void resume(Thread& t);
    void wait_at(Operation const& operation, std::uint64_t value);
    void release_if_met();
    [[noreturn]] void explain_standstill();
    [[nodiscard]] std::string place(Thread const& t) const;
    [[nodiscard]] std::span<Thread> near(Thread const& t);
    [[nodiscard]] static bool needs(Operation const& operation, Thread const& t);

    static Machine* current_;
    std::uint64_t const seed_;
    std::mt19937_64 random_;
    std::function<void()> const* kernel_ = nullptr;
    std::exception_ptr failure_;
    boost::context::fiber scheduler_;
    std::vector<Thread> pool_;
    std::span<Thread> threads_;  // those of the block
    Thread* running_ = nullptr;
    unsigned block_ = 0, blocks_ = 0;
    unsigned long launches_ = 0, turn_ = 0;
};

/// n bytes of shared memory, one array per place in the code, as in CUDA.
template <std::size_t n>
struct SharedBytes {
    alignas(16) unsigned char bytes[n];
    SharedBytes() { Machine::add_shared(bytes, n); }
};

}  // namespace warp
