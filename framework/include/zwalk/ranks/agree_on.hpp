// The check that all ranks were given the same options.
#pragma once
#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "zwalk/ranks/comm.hpp"

namespace zwalk { inline namespace v0 {

/// An option with its value on this rank, in words. noexcept: a rank that had no memory for the few words would leave
/// the others waiting.
class Option {
  public:
    Option(std::string_view option, std::string_view value) noexcept : name(option), text(value) {}
    Option(std::string_view option, double value) noexcept;
    /// One number for each axis, or the like.
    Option(std::string_view option, std::span<double const> values) noexcept;
    template <std::integral V>
    Option(std::string_view option, V value) noexcept : name(option) {
        if constexpr (std::is_same_v<V, bool>) text = value ? "true" : "false";
        else text = std::to_string(value);
    }

    std::string name, text;  ///< without line breaks
};

/// Throws InputError on all ranks unless each was given the same values, in the same order: "ranks disagree on k (8 on
/// rank 0, 16 on rank 3)", for the first rank that has another value than rank 0, and the first such value. Real
/// numbers are the same if their bits are, NaNs always. One step, if they are.
void agree_on(Comm& comm, std::span<Option const> options);
inline void agree_on(Comm& comm, std::initializer_list<Option> options) {
    agree_on(comm, std::span<Option const>(options.begin(), options.size()));
}

}}  // namespace zwalk::v0
