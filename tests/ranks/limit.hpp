// What succeeds so many times, and fails from then on: memory, or whatever a test counts.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace zwalk::test {

/// As long as this object lives, what(s) of this process, on any of its threads, have success the first `most` times.
/// One object of each What at a time.
template <class What>
class Limit {
  public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    explicit Limit(std::uint64_t most) {
        tried_ = 0;
        most_ = most;
    }
    ~Limit() { most_ = never; }
    Limit(Limit const&) = delete;
    Limit& operator=(Limit const&) = delete;

    [[nodiscard]] std::uint64_t tried() const { return tried_; }
    [[nodiscard]] bool failed() const { return tried_ > most_; }

    /// Whether it succeeds this time.
    static bool attempt() { return tried_++ < most_; }

  private:
    inline static std::atomic<std::uint64_t> tried_ = 0, most_ = never;
};

/// Memory that is asked for by operator new or as a Buffer: failing_memory.cpp. Requests for few words aren't counted, as
/// some of them end the program: see the rules of Comm. A vector of 8 + 1 numbers, one for each rank and the end, may have
/// grown to 128 bytes.
struct Memory {
    static constexpr std::size_t few_words = 256;  // bytes
};

}  // namespace zwalk::test
