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

#include "zwalk/core/columns.hpp"
#include "zwalk/core/vec.hpp"

namespace zwalk::inline v0::testing {

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
template <class V, class F>
bool all_numbers(V const& a, V const& b, F const& f) {
    if constexpr (std::is_arithmetic_v<V>) {
        return f(a, b);
    } else if constexpr (is_vec<V>) {
        for (int j = 0; j < int(sizeof(a.v) / sizeof(a.v[0])); ++j)
            if (!f(a[j], b[j])) return false;
        return true;
    } else if constexpr (HasElements<V>) {
        return a.size() == b.size() &&
               std::equal(a.begin(), a.end(), b.begin(),
                          [&](auto const& x, auto const& y) { return all_numbers(x, y, f); });
    } else if constexpr (HasParts<V>) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (all_numbers(std::get<I>(a), std::get<I>(b), f) && ...);
        }
        (std::make_index_sequence<std::tuple_size<V>::value>());
    } else if constexpr (Equals<V>) {
        return a == b;
    } else if constexpr (std::has_unique_object_representations_v<V>) {
        return std::memcmp(&a, &b, sizeof a) == 0;
    } else {
        static_assert(std::is_aggregate_v<V>,
                      "zwalk: verify compares numbers, Vecs, arrays and plain structs of such: give "
                      "other types an operator==");
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (all_numbers(zwalk::detail::field<I>(a), zwalk::detail::field<I>(b), f) && ...);
        }
        (zwalk::detail::FieldSequence<V>());
    }
}

}  // namespace detail

/// Whether a and b are the same: equal, or both NaN. Floating point numbers may differ by `tolerance` times the largest
/// number of the two elements, so a component of a Vec is measured by the Vec. Structs with operator== are compared by it
/// alone, and structs with C arrays of floating point numbers need one.
template <class V>
bool same(V const& a, V const& b, double tolerance) {
    double largest = 0;
    bool const equal = detail::all_numbers(a, b, [&](auto x, auto y) {
        if constexpr (std::is_floating_point_v<decltype(x)>)
            for (auto const z : {x, y})
                if (std::isfinite(z)) largest = std::max(largest, std::abs(double(z)));
        return tolerance > 0 || x == y || (x != x && y != y);
    });
    if (!equal || tolerance == 0) return equal;
    return detail::all_numbers(a, b, [&](auto x, auto y) {
        if (x == y || (x != x && y != y)) return true;
        return std::is_floating_point_v<decltype(x)> &&
               std::abs(double(x) - double(y)) <= tolerance * largest;
    });
}

/// Where two results differ, as words; nothing if they are the same. Results are a value, a vector of one value for each row
/// of the input, or a tuple of such.
template <class V>
std::optional<std::string> difference(V const& a, V const& b, double tolerance) {
    if constexpr (detail::HasElements<V>) {
        if (a.size() != b.size())
            return std::to_string(b.size()) + " rows instead of " + std::to_string(a.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            if (!same(a[i], b[i], tolerance)) return "row " + std::to_string(i);
        return {};
    } else if constexpr (detail::HasParts<V>) {
        std::optional<std::string> found;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((found = found ? found : difference(std::get<I>(a), std::get<I>(b), tolerance)), ...);
        }
        (std::make_index_sequence<std::tuple_size<V>::value>());
        return found;
    } else {
        if (same(a, b, tolerance)) return {};
        return "the total";
    }
}

}  // namespace zwalk::inline v0::testing
