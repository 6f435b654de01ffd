// The lengths of a periodic box, as users give them.
#pragma once
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <vector>

namespace zwalk { inline namespace v0 {
namespace detail {

/// Neither letters nor bool.
template <class N>
concept Length = std::is_arithmetic_v<N> &&(sizeof(N) > 1);
template <class R>
concept Lengths = requires(R const& range) {
    requires Length<std::remove_cvref_t<decltype(*std::begin(range))>>;
    std::end(range);
};

}  // namespace detail

/// The period of each axis, 0 for an open one: `{1, 0, 1}`, or a vector, span or array of numbers. One number is for all axes,
/// with braces or without. Empty: open space.
struct BoxLengths : std::vector<double> {
    BoxLengths() = default;
    BoxLengths(std::initializer_list<double> lengths) : vector(lengths) {}
    template <detail::Length N>
    BoxLengths(std::initializer_list<N> lengths) : vector(lengths.begin(), lengths.end()) {}
    template <detail::Length N>
    BoxLengths(N length) : vector(1, double(length)) {}
    template <detail::Lengths R>
    BoxLengths(R const& lengths) : vector(std::begin(lengths), std::end(lengths)) {}
    /// For all else: compilation stops with a reason.
    template <class Other>
    requires(!detail::Length<Other> && !detail::Lengths<Other>) BoxLengths(Other const&) {
        static_assert(sizeof(Other) == 0,
                      "zwalk: a box is one number for all axes, or one for each: {1, 0, 1}, or a "
                      "vector, span or array");
    }
};

}}  // namespace zwalk::v0
