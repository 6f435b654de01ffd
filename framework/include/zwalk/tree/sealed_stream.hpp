// Arrays in files, with a checksum behind them. For sources of host compilers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <ios>
#include <istream>
#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "zwalk/tree/tree_checksum.hpp"

namespace zwalk { inline namespace v0 {

/// Throws the Error for a stream that can't be written. `name` is what is in the file: "tree".
[[noreturn]] void unwritten_file(std::string_view name);
/// Throws the InputError for a file that ends too early.
[[noreturn]] void truncated_file(std::string_view name);
/// Throws the InputError for a file that can't have been written by us.
[[noreturn]] void corrupted_file(std::string_view name, std::string_view what);
/// Bytes from here to the end of the stream. @throws InputError  they can't be told
[[nodiscard]] std::uint64_t bytes_left(std::istream& in, std::string_view name);

/// A manipulator for streams of memory: what goes through them has no checksums, which take longer than all else. Zeros are in their
/// places.
std::ios_base& unsealed(std::ios_base& stream);
[[nodiscard]] bool is_unsealed(std::ios_base& stream);

class SealedOutput {
  public:
    /// @param name  as unwritten_file() has it; must outlive this
    SealedOutput(std::ostream& out, std::uint64_t seed, std::string_view name)
        : out_(out), sum_(seed), sums_(!is_unsealed(out)), name_(name) {}

    void put(void const* data, std::size_t bytes) {
        if (sums_) {
            sum_.add(data, bytes);
            sum_.end_array();
        }
        out_.write(static_cast<char const*>(data), std::streamsize(bytes));
        if (!out_) unwritten_file(name_);
    }
    template <class V>
    void value(V v) {
        put(&v, sizeof v);
    }
    template <class V>
    void array(std::span<V const> values) {
        put(values.data(), values.size_bytes());
    }
    /// Writes the sum of all so far, and returns it.
    std::uint64_t seal() {
        std::uint64_t const sum = sum_.value();
        value(sum);
        return sum;
    }

  private:
    std::ostream& out_;
    TreeChecksum sum_;
    bool sums_;
    std::string_view name_;
};

class SealedInput {
  public:
    SealedInput(std::istream& in, std::uint64_t seed, std::string_view name)
        : in_(in), sum_(seed), sums_(!is_unsealed(in)), name_(name) {}

    void get(void* data, std::size_t bytes) {
        in_.read(static_cast<char*>(data), std::streamsize(bytes));
        if (!in_) truncated_file(name_);
        if (sums_) {
            sum_.add(data, bytes);
            sum_.end_array();
        }
    }
    template <class V>
    V value() {
        V v;
        get(&v, sizeof v);
        return v;
    }
    template <class V, class Array = std::vector<V>>
    Array array(std::size_t n) {
        Array values(n);
        get(values.data(), n * sizeof(V));
        return values;
    }
    /// Reads the sum of all so far, compares, and returns it.
    std::uint64_t check_seal() {
        std::uint64_t const sum = sum_.value();
        if (value<std::uint64_t>() != sum) corrupted_file(name_, "wrong checksum");
        return sum;
    }

  private:
    std::istream& in_;
    TreeChecksum sum_;
    bool sums_;
    std::string_view name_;
};

}}  // namespace zwalk::v0
