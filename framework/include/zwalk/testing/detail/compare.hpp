// Whether two results are the same: numbers, and what is made of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "zwalk/core/columns.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/vec.hpp"

namespace zwalk { inline namespace v0 { namespace testing {

/// How far two results may be apart.
struct Closeness {
    double relative = 0;  ///< floating point numbers: this times the largest number of their element
    double absolute = 0;  ///< or this
    /// The second one's positions are larger by this: a pos_t may be one, or not. Structs that are compared by operator== alone may have
    /// such, and are taken for the same.
    pos_t shift = 0;

    [[nodiscard]] bool is_exact() const { return relative == 0 && absolute == 0; }
};

namespace detail {

template <class V>
inline constexpr bool is_vec = false;
template <int D, class T>
inline constexpr bool is_vec<Vec<D, T>> = true;

template <class V>
concept HasElements = requires(V const& v) {
    v.begin() == v.end();
    v.size();
};
template <class V>
concept HasParts = requires {
    std::tuple_size<V>::value;
};
template <class V>
concept Equals = requires(V const& a, V const& b) {
    { a == b } -> std::convertible_to<bool>;
};

/// f(x, y) for all pairs of numbers in a and b while it returns true; false if there is another difference.
/// @param equals  equals(a, b) for structs that are compared as a whole
template <class V, class F, class Whole>
bool all_numbers(V const& a, V const& b, F const& f, Whole const& equals) {
    if constexpr (std::is_arithmetic_v<V>) {
        return f(a, b);
    } else if constexpr (is_vec<V>) {
        for (int j = 0; j < int(sizeof(a.v) / sizeof(a.v[0])); ++j)
            if (!f(a[j], b[j])) return false;
        return true;
    } else if constexpr (HasElements<V>) {
        return a.size() == b.size() &&
               std::equal(a.begin(), a.end(), b.begin(),
                          [&](auto const& x, auto const& y) { return all_numbers(x, y, f, equals); });
    } else if constexpr (HasParts<V>) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (all_numbers(std::get<I>(a), std::get<I>(b), f, equals) && ...);
        }
        (std::make_index_sequence<std::tuple_size<V>::value>());
    } else if constexpr (Equals<V>) {
        return equals([&] { return bool(a == b); });
    } else if constexpr (std::has_unique_object_representations_v<V>) {
        return equals([&] { return std::memcmp(&a, &b, sizeof a) == 0; });
    } else {
        static_assert(std::is_aggregate_v<V>,
                      "zwalk: verify compares numbers, Vecs, arrays and plain structs of such: give "
                      "other types an operator==");
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (all_numbers(zwalk::detail::field<I>(a), zwalk::detail::field<I>(b), f, equals) &&
                    ...);
        }
        (zwalk::detail::FieldSequence<V>());
    }
}

}  // namespace detail

/// Whether a and b are the same: equal, or both NaN, or as close as that. Floating point numbers are measured by the largest
/// number of the two elements, so a component of a Vec by the Vec. Structs with operator== are compared by it alone, and
/// structs with C arrays of floating point numbers need one.
template <class V>
bool same(V const& a, V const& b, Closeness const& near) {
    double largest = 0;
    auto const whole = [&](auto const& equal) { return near.shift > 0 || equal(); };
    bool const equal = detail::all_numbers(
        a, b,
        [&](auto x, auto y) {
            using X = decltype(x);
            if constexpr (std::is_floating_point_v<X>)
                for (auto const z : {x, y})
                    if (std::isfinite(z)) largest = std::max(largest, std::abs(double(z)));
            if constexpr (std::is_same_v<X, pos_t>)
                if (near.shift > 0 && y == x + near.shift) return true;
            return !near.is_exact() || x == y || (x != x && y != y);
        },
        whole);
    if (!equal || near.is_exact()) return equal;
    return detail::all_numbers(
        a, b,
        [&](auto x, auto y) {
            using X = decltype(x);
            if (x == y || (x != x && y != y)) return true;
            if constexpr (std::is_same_v<X, pos_t>) return near.shift > 0 && y == x + near.shift;
            return std::is_floating_point_v<X> &&
                   std::abs(double(x) - double(y)) <= std::max(near.relative * largest, near.absolute);
        },
        whole);
}
template <class V>
bool same(V const& a, V const& b, double tolerance) {
    return same(a, b, Closeness{tolerance});
}

/// " (by less than 1e-05 of it: sums of floats need .tolerance)" where numbers that must be equal nearly are; else nothing.
template <class V>
std::string words_of_closeness(V const& a, V const& b, Closeness const& near) {
    if (near.is_exact())
        for (auto const& [part, words] : {std::pair{1e-13, "1e-13"}, {1e-5, "1e-05"}})
            if (same(a, b, Closeness{part, 0, near.shift}))
                return std::string(" (by less than ") + words +
                       " of it: sums of floats need .tolerance)";
    return {};
}

/// Where two results differ, as words; nothing if they are the same. Results are a value, a vector of one value for each row
/// of the input, or a tuple of such.
template <class V>
std::optional<std::string> difference(V const& a, V const& b, Closeness const& near) {
    if constexpr (detail::HasElements<V>) {
        if (a.size() != b.size())
            return std::to_string(b.size()) + " rows instead of " + std::to_string(a.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            if (!same(a[i], b[i], near))
                return "row " + std::to_string(i) + words_of_closeness(a[i], b[i], near);
        return {};
    } else if constexpr (detail::HasParts<V>) {
        std::optional<std::string> found;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((found = found ? found : difference(std::get<I>(a), std::get<I>(b), near)), ...);
        }
        (std::make_index_sequence<std::tuple_size<V>::value>());
        return found;
    } else {
        if (same(a, b, near)) return {};
        return "the total" + words_of_closeness(a, b, near);
    }
}

}}}  // namespace zwalk::v0::testing
