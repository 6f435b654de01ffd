// Turns each likely mistake about what points carry into one plain sentence.
#pragma once
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "zwalk/core/columns.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <std::size_t>
struct AnythingAt : Anything {};
template <class A, std::size_t... Before, std::size_t... Behind>
constexpr bool is_array_at(std::index_sequence<Before...>, std::index_sequence<Behind...>) {
    return requires { A{AnythingAt<Before>{}..., {Anything{}}}; }
    &&!requires { A{AnythingAt<Before>{}..., {Anything{}}, AnythingAt<Behind>{}...}; };
}
/// A C array of an aggregate counts as so many fields as it has elements, unless it is initialised in braces: then too many
/// initialisers are left for what is behind.
template <class A>
constexpr bool has_c_array() {
    constexpr std::size_t n = field_count<A>();
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return (is_array_at<A>(std::make_index_sequence<I>(), std::make_index_sequence<n - I - 1>()) ||
                ...);
    }
    (std::make_index_sequence<n>());
}
template <class A>
constexpr bool has_pointer() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return (std::is_pointer_v<FieldType<I, A>> || ...);
    }
    (FieldSequence<A>());
}

/// True if rows of A can be a payload; otherwise compilation stops with a sentence that says why not.
template <class A>
consteval bool check_payload_rows() {
    if constexpr (!std::is_class_v<A>) {
        static_assert(std::is_class_v<A>,
                      "zwalk: a payload is a struct of numbers; put a single number into one, too");
        return false;
    } else if constexpr (!std::is_aggregate_v<A>) {
        static_assert(std::is_aggregate_v<A>,
                      "zwalk: a payload is an aggregate: a struct without constructors, private members "
                      "and virtual functions");
        return false;
    } else if constexpr (has_c_array<A>()) {
        static_assert(
            !has_c_array<A>(),
            "zwalk: a payload has no C arrays: make them zwalk::Vec<N, T>, or fields of their own");
        return false;
    } else if constexpr (has_pointer<A>()) {
        static_assert(!has_pointer<A>(),
                      "zwalk: a payload has no pointers, since it goes where the points go: put what "
                      "they point to into it");
        return false;
    } else {
        return true;
    }
}

}}}  // namespace zwalk::v0::detail
