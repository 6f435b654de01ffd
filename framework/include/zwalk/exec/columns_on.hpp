// Payload columns on any place, in the order of its points.
#pragma once
#include <span>
#include <tuple>
#include <utility>

#include "zwalk/core/columns.hpp"
#include "zwalk/exec/device_memory.hpp"
#include "zwalk/exec/place.hpp"

namespace zwalk { inline namespace v0 {

/// The fields of rows of an aggregate A in the memory of a place P, one array each.
template <class A, class P>
class ColumnsOn {
  public:
    ColumnsOn() = default;
    /// From rows on the host.
    /// @param order  on the place: element i becomes rows[order[i]]; as many as there are rows
    template <Place At>
    ColumnsOn(At& place, std::span<A const> rows, ArrayOn<P, pos_t> const& order) : size_(rows.size()) {
        split(place, rows, &order, detail::FieldSequence<A>{});
    }
    /// From rows on the host that are in the order of the points.
    template <Place At>
    ColumnsOn(At& place, std::span<A const> rows) : size_(rows.size()) {
        split(place, rows, nullptr, detail::FieldSequence<A>{});
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] ColumnsView<A> view() const { return view_; }

  private:
    template <class At, std::size_t... I>
    void split(At& place, std::span<A const> rows, ArrayOn<P, pos_t> const* order,
               std::index_sequence<I...>) {
        (take<I>(place, rows, order), ...);
    }
    template <std::size_t I, class At>
    void take(At& place, std::span<A const> rows, ArrayOn<P, pos_t> const* order) {
        using V = detail::FieldType<I, A>;
        Buffer<V> field(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) field[i] = detail::field<I>(rows[i]);
        auto& column = std::get<I>(column_);
        auto there = [&] {
            if constexpr (is_device<P>) return copy_to(place, field);
            else return std::move(field);
        }();
        if (order) {
            column = place.template buffer<V>(rows.size());
            place.for_each(rows.size(), Gather<V>{there.data(), order->data(), column.data()});
        } else {
            column = std::move(there);
        }
        view_.template column<I>() = column.data();
    }
    template <std::size_t... I>
    static std::tuple<ArrayOn<P, detail::FieldType<I, A>>...> arrays(std::index_sequence<I...>);

    decltype(arrays(detail::FieldSequence<A>{})) column_;
    ColumnsView<A> view_{};
    std::size_t size_ = 0;
};

}}  // namespace zwalk::v0
