// The checksum of tree files (tree/tree_file.hpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace zwalk { inline namespace v0 {

/// A sum over 64-bit words of arrays, of which each begins a word of its own; the last one of an array may be shorter. Every
/// step is a bijection of the words and of the sum, so that a change of one word is always seen. (A CRC goes byte by byte and
/// would take as long as the sort.) Plain data: it can go on elsewhere.
class TreeChecksum {
  public:
    explicit TreeChecksum(std::uint64_t seed = 0) : sum_(seed) {}
    [[nodiscard]] std::uint64_t value() const { return sum_; }

    /// More bytes of an array.
    void add(void const* data, std::size_t bytes) {
        auto const* p = static_cast<unsigned char const*>(data);
        if (filled_ > 0) {
            std::size_t const more = bytes < 8 - filled_ ? bytes : 8 - filled_;
            fill(p, more);
            p += more;
            bytes -= more;
        }
        for (; bytes >= 8; p += 8, bytes -= 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, p, 8);
            add_word(word);
        }
        if (bytes > 0) fill(p, bytes);
    }
    /// The array ends.
    void end_array() {
        if (filled_ > 0) add_word(word_);
        word_ = filled_ = 0;
    }

  private:
    void fill(unsigned char const* p, std::size_t bytes) {
        std::memcpy(reinterpret_cast<unsigned char*>(&word_) + filled_, p, bytes);
        filled_ += bytes;
        if (filled_ == 8) end_array();
    }
    void add_word(std::uint64_t word) {
        sum_ = (sum_ ^ word) * 0x9e3779b97f4a7c15U;
        sum_ ^= sum_ >> 29;
    }
    std::uint64_t sum_;
    std::uint64_t word_ = 0,
                  filled_ = 0;  // a word that isn't whole yet, and how many of its bytes are there
};

}}  // namespace zwalk::v0
