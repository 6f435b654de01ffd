// Payload columns on a device.
#pragma once
#include <tuple>
#include <utility>

#include "zwalk/core/columns.hpp"
#include "zwalk/exec/device_memory.hpp"

namespace zwalk::inline v0 {

/// A copy of the columns of an aggregate in a device's memory.
template <class A>
class DeviceColumns {
  public:
    template <class Device>
    DeviceColumns(Device& device, Columns<A> const& from) {
        copy(device, from.view(), from.size(), detail::FieldSequence<A>{});
    }
    [[nodiscard]] ColumnsView<A> view() const { return view_; }

  private:
    template <class Device, std::size_t... I>
    void copy(Device& device, ColumnsView<A> from, std::size_t n, std::index_sequence<I...>) {
        ((std::get<I>(column_) = device.template buffer<detail::FieldType<I, A>>(n),
          device.upload(std::get<I>(column_).data(), from.template column<I>(), n),
          view_.template column<I>() = std::get<I>(column_).data()),
         ...);
    }
    template <std::size_t... I>
    static std::tuple<DeviceBuffer<detail::FieldType<I, A>>...> buffers(std::index_sequence<I...>);

    decltype(buffers(detail::FieldSequence<A>{})) column_;
    ColumnsView<A> view_{};
};

}  // namespace zwalk::inline v0
