// Runs PTX for tests: single instructions on hard numbers, and whole kernels.
#pragma once
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "ptx/launch.hpp"
#include "ptx/warp.hpp"

namespace ptx {

/// What a kernel did to its memory, and what was found in it.
struct Outcome {
    std::vector<u32> words;
    Report report{};
    std::string fault{};                                    ///< empty: none
    [[nodiscard]] bool found(std::string_view text) const;  ///< in a finding
    [[nodiscard]] bool failed(std::string_view text) const {
        return fault.find(text) != std::string::npos;
    }
};
struct Setup {
    Size grid{}, block{32, 1, 1};
    u32 words = 64;  ///< of memory, 0 at first; %memory has its address
    bool written = true;
    u32 dynamic_shared = 0;
    Options options{};
    std::string outside{};  ///< what the module has beside the kernel
};
/// A kernel with this body. It has registers %p<8>, %h<8> of 16 bits, %r<32>, %f<8>, %rd<16>, %fd<8>, and %tid in %t.
Outcome run_kernel(std::string const& body, Setup const& setup = {});

/// Runs `code` for each row of operands: they are in %a, %b, %c, %d, the result in %x. Types are those of %x, %a, ...; results come with
/// as many bits as they have.
std::vector<u64> evaluate(std::string const& code, std::vector<std::string> const& types,
                          std::vector<u64> const& operands);

/// Records that `code` returned what it shouldn't.
void differs(std::string const& code, std::vector<u64> const& operands, u64 result, u64 expected);
/// Records that `code` was right for so many rows of operands.
void agrees(std::string const& code, std::size_t rows);

/// Numbers that arithmetic is hard for.
template <class T>
std::vector<T> hard() {
    if constexpr (std::is_floating_point_v<T>) {
        using Limits = std::numeric_limits<T>;
        std::vector<T> all = {0,
                              T(0.5),
                              1,
                              T(1.5),
                              2,
                              T(2.5),
                              3,
                              T(1) / 3,
                              T(1e10),
                              T(16777217),
                              Limits::min(),
                              Limits::denorm_min(),
                              Limits::max(),
                              Limits::infinity(),
                              Limits::epsilon(),
                              1 + Limits::epsilon()};
        for (std::size_t k = all.size(); k-- > 0;) all.push_back(-all[k]);
        all.push_back(Limits::quiet_NaN());
        return all;
    } else {
        std::vector<T> all;
        for (u64 const bits : {0ULL,
                               1ULL,
                               2ULL,
                               3ULL,
                               7ULL,
                               31ULL,
                               32ULL,
                               33ULL,
                               64ULL,
                               0x7fULL,
                               0x80ULL,
                               0xffULL,
                               0x8000ULL,
                               0x7fffffffULL,
                               0x80000000ULL,
                               0x12345678ULL,
                               0xdeadbeefULL,
                               0x100000000ULL,
                               0x7fffffffffffffffULL,
                               0x8000000000000000ULL,
                               0x0123456789abcdefULL})
            for (T const value : {T(bits), T(~bits)}) all.push_back(value);
        return all;
    }
}

template <class T>
std::string register_type() {
    return std::string(std::is_floating_point_v<T> ? "f" : "b") +
           std::to_string(sizeof(T) == 1 ? 16 : 8 * sizeof(T));
}
template <class T>
u64 bits_of_value(T value) {
    return sizeof(T) == 8 ? slot_of(value) : slot_of(value) & ((1ULL << 8 * sizeof(T)) - 1);
}
template <class T>
bool same(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(a) && std::isnan(b)) return true;
    return bits_of_value(a) == bits_of_value(b);
}

/// Compares `code` with f for all combinations of two hard operands, and for some of more.
template <class Result, class... Sources>
void compare(std::string const& code, std::type_identity_t<std::function<Result(Sources...)>> const& f) {
    constexpr std::size_t step = sizeof...(Sources) < 3 ? 1 : sizeof...(Sources) == 3 ? 3 : 5;
    std::vector<u64> operands;
    std::vector<Result> expected;
    auto const add = [&](auto const& self, auto... values) -> void {
        if constexpr (sizeof...(values) == sizeof...(Sources)) {
            (operands.push_back(bits_of_value(values)), ...);
            expected.push_back(f(values...));
        } else {
            using Next = std::tuple_element_t<sizeof...(values), std::tuple<Sources...>>;
            std::vector<Next> const all = hard<Next>();
            for (std::size_t k = sizeof...(values) % step; k < all.size(); k += step)
                self(self, values..., all[k]);
        }
    };
    add(add);
    std::vector<u64> const results =
        evaluate(code, {register_type<Result>(), register_type<Sources>()...}, operands);
    constexpr std::size_t n = sizeof...(Sources);
    for (std::size_t k = 0; k < results.size(); ++k)
        if (!same(value_of<Result>(results[k]), expected[k]))
            return differs(code, {operands.begin() + long(k * n), operands.begin() + long(k * n + n)},
                           results[k], bits_of_value(expected[k]));
    agrees(code, results.size());
}

}  // namespace ptx
