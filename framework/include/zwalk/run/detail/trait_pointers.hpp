// The pointers that a trait holds: so that a walk can refuse those that lead nowhere before it writes through them.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include "zwalk/core/columns.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/run/detail/check_payload.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Becomes any class that is derived from Base, but not Base itself.
template <class Base>
struct AnyDerived {
    template <class A>
    requires(std::is_base_of_v<Base, A> && !std::is_same_v<Base, A>) constexpr operator A() const;
};
template <class I>
using TypesOf =
    Types<I::dim, typename I::real, typename I::Payload, typename I::Summary, typename I::State>;

/// Whether I is an aggregate right on top of Types, which has no members: then all members are its own.
template <class I>
inline constexpr bool is_plain_trait = false;
template <class I>
requires std::is_aggregate_v<I> && std::is_base_of_v<TypesOf<I>, I>
inline constexpr bool is_plain_trait<I> = requires { I{TypesOf<I>{}}; }
&&!requires { I{AnyDerived<TypesOf<I>>{}}; };

template <class I, std::size_t... i>
constexpr bool takes_members(std::index_sequence<i...>) {
    return requires { I{TypesOf<I>{}, AnythingAt<i>{}...}; };
}
/// How many members I can be initialised from: those of C arrays one by one.
template <class I, std::size_t n = 0>
constexpr std::size_t count_members() {
    if constexpr (takes_members<I>(std::make_index_sequence<n + 1>())) return count_members<I, n + 1>();
    else return n;
}
template <class I, std::size_t... before, std::size_t... behind>
constexpr bool is_one_member(std::index_sequence<before...>, std::index_sequence<behind...>) {
    return requires { I{TypesOf<I>{}, AnythingAt<before>{}..., {Anything{}}, AnythingAt<behind>{}...}; };
}
/// Whether each of n members is initialised from one: there are no C arrays.
template <class I, std::size_t n>
constexpr bool are_single_members() {
    return []<std::size_t... i>(std::index_sequence<i...>) {
        return (is_one_member<I>(std::make_index_sequence<i>(), std::make_index_sequence<n - i - 1>()) &&
                ...);
    }
    (std::make_index_sequence<n>());
}

/// f(member, its number from 1) for the members of a trait; nothing for traits whose members can't be told apart from outside,
/// or that have more than eight.
template <class I, class F>
void each_member(I const& trait, F const& f) {
    if constexpr (is_plain_trait<I>) {
        constexpr std::size_t n = count_members<I>();
        constexpr bool known = n >= 1 && n <= 8 && are_single_members<I, n>();
        auto const all = [&](auto const&... member) {
            int number = 0;
            (f(member, ++number), ...);
        };
        if constexpr (!known) return;
        else if constexpr (n == 1) {
            auto const& [a] = trait;
            all(a);
        } else if constexpr (n == 2) {
            auto const& [a, b] = trait;
            all(a, b);
        } else if constexpr (n == 3) {
            auto const& [a, b, c] = trait;
            all(a, b, c);
        } else if constexpr (n == 4) {
            auto const& [a, b, c, d] = trait;
            all(a, b, c, d);
        } else if constexpr (n == 5) {
            auto const& [a, b, c, d, e] = trait;
            all(a, b, c, d, e);
        } else if constexpr (n == 6) {
            auto const& [a, b, c, d, e, g] = trait;
            all(a, b, c, d, e, g);
        } else if constexpr (n == 7) {
            auto const& [a, b, c, d, e, g, h] = trait;
            all(a, b, c, d, e, g, h);
        } else {
            auto const& [a, b, c, d, e, g, h, i] = trait;
            all(a, b, c, d, e, g, h, i);
        }
    }
}

/// Throws InputError where member `number` of a trait, a pointer to what it writes, is null, or begins an array that was made
/// for another tree and has fewer elements than there are targets.
void check_output(void const* pointer, int number, void const* tree, pos_t targets);

/// Throws InputError for a trait that would write to where no memory is, as far as that can be seen: a pointer to const may be
/// null, since a trait may do without what it would read.
template <class I>
void check_outputs(I const& trait, void const* tree, pos_t targets) {
    if (targets == 0) return;
    each_member(trait, [&](auto const& member, int number) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_pointer_v<Member> && !std::is_function_v<std::remove_pointer_t<Member>>)
            if constexpr (!std::is_const_v<std::remove_pointer_t<Member>>)
                check_output(member, number, tree, targets);
    });
}

}}}  // namespace zwalk::v0::detail
