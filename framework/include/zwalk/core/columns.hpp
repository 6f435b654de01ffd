// User aggregates <-> one array per field (Boost.PFR), for point payloads.
#pragma once
#include <boost/pfr/core.hpp>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 {

/// Stands in for a payload, summary, state, ... that a trait doesn't use.
struct Empty {
    friend constexpr bool operator==(Empty, Empty) = default;
};

namespace detail {

/// Converts to anything; for counting what an aggregate can be initialised from.
struct Anything {
    template <class T>
    constexpr operator T() const;
};

/// The field of an aggregate that has just one. Boost.PFR 1.81 can't take these apart under nvcc
/// (its check against base classes doesn't compile there), a structured binding can.
template <class A>
inline constexpr bool has_one_field = !std::is_empty_v<A> && !requires {
    A{Anything{}, Anything{}};
};
template <class A>
constexpr auto& only_field(A& a) {
    auto& [field] = a;
    auto* const address = &field;  // nvcc takes a returned structured binding for a local variable
    return *address;
}

template <class A>
constexpr std::size_t field_count() {
    if constexpr (std::is_empty_v<A>) return 0;
    else if constexpr (has_one_field<A>) return 1;
    else return boost::pfr::tuple_size_v<A>;
}
template <std::size_t I, class A>
constexpr auto& field(A& a) {
    if constexpr (has_one_field<A>) return only_field(a);
    else return boost::pfr::get<I>(a);
}
template <class A>
using FieldSequence = std::make_index_sequence<field_count<A>()>;
/// The type of field I. Not what field() returns: nvcc would take that function, which is the host's, for called
/// where device code names the type.
template <std::size_t I, class A>
struct FieldTypeOf {
    using type = boost::pfr::tuple_element_t<I, A>;
};
template <std::size_t I, class A>
requires has_one_field<A>
struct FieldTypeOf<I, A> {
    using type = std::remove_cvref_t<decltype(only_field(std::declval<A&>()))>;
};
template <std::size_t I, class A>
using FieldType = typename FieldTypeOf<I, A>::type;

/// Column number I of a view. Not part of a std::tuple, whose functions aren't for device code.
template <std::size_t I, class V>
struct ColumnPointer {
    V const* data;
};
template <class A, class Seq>
struct ColumnPointers;
template <class A, std::size_t... I>
struct ColumnPointers<A, std::index_sequence<I...>> : ColumnPointer<I, FieldType<I, A>>... {};

template <class A, class Seq>
struct ColumnBuffers;
template <class A, std::size_t... I>
struct ColumnBuffers<A, std::index_sequence<I...>> {
    using type = std::tuple<Buffer<FieldType<I, A>>...>;
};

}  // namespace detail

/// Read-only view of the columns of an aggregate: what kernels load payloads from.
/// A must be an aggregate without C arrays and without base classes (a limit of Boost.PFR: use
/// Vec or separate fields). An empty struct has no columns. If A has `static constexpr std::size_t
/// required_columns`, columns behind the first so many may be null: then their fields are 0.
template <class A>
struct ColumnsView {
    detail::ColumnPointers<A, detail::FieldSequence<A>> columns{};

    /// Where column I is.
    template <std::size_t I>
    ZWALK_INLINE detail::FieldType<I, A> const*& column() {
        return static_cast<detail::ColumnPointer<I, detail::FieldType<I, A>>&>(columns).data;
    }
    template <std::size_t I>
    ZWALK_INLINE detail::FieldType<I, A> const* column() const {
        return static_cast<detail::ColumnPointer<I, detail::FieldType<I, A>> const&>(columns).data;
    }
    /// The aggregate at row i, put together from its columns.
    ZWALK_INLINE A operator[](std::size_t i) const { return load(i, detail::FieldSequence<A>{}); }

  private:
    template <std::size_t... I>
    ZWALK_INLINE A load([[maybe_unused]] std::size_t i, std::index_sequence<I...>) const {
        return A{element<I>(i)...};
    }
    template <std::size_t I>
    ZWALK_INLINE detail::FieldType<I, A> element(std::size_t i) const {
        if constexpr (requires { requires I >= A::required_columns; })
            if (!column<I>()) return {};
        return column<I>()[i];
    }
};

/// Columns with their memory.
template <class A>
class Columns {
  public:
    Columns() = default;
    /// Splits rows into columns.
    explicit Columns(std::span<A const> rows) {
        split(rows.size(), [&](std::size_t i) -> A const& { return rows[i]; });
    }
    /// Splits rows[order[0]], rows[order[1]], ...: brings user rows into z-order.
    Columns(std::span<A const> rows, std::span<pos_t const> order) {
        split(order.size(), [&](std::size_t i) -> A const& { return rows[order[i]]; });
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] A operator[](std::size_t i) const { return view()[i]; }
    [[nodiscard]] ColumnsView<A> view() const {
        ColumnsView<A> v;
        each([&]<std::size_t I>() { v.template column<I>() = std::get<I>(column_).data(); });
        return v;
    }

  private:
    template <class Row>
    void split(std::size_t n, Row const& row) {
        size_ = n;
        each([&]<std::size_t I>() {
            auto& column = std::get<I>(column_);
            column = std::remove_cvref_t<decltype(column)>(n);
            for (std::size_t i = 0; i < n; ++i) column[i] = detail::field<I>(row(i));
        });
    }
    template <class F>
    static void each(F const& f) {
        [&]<std::size_t... I>(std::index_sequence<I...>) { (f.template operator()<I>(), ...); }
        (detail::FieldSequence<A>{});
    }

    typename detail::ColumnBuffers<A, detail::FieldSequence<A>>::type column_;
    std::size_t size_ = 0;
};

}}  // namespace zwalk::v0
