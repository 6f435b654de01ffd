// How rows leave a device: run/device_rows.hpp; arrays there: run/detail/device_arrays.hpp. Include the device first.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "zwalk/exec/device.hpp"
#include "zwalk/run/detail/device_arrays.hpp"
#include "zwalk/run/device_rows.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Row i of `to` is row at[i] of `from`.
template <class V>
struct PackRows {
    static constexpr int width = 32;
    static constexpr bool persistent = false;
    V const* from;
    pos_t const* at;
    std::size_t columns;
    V* to;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        V const* const row = from + at[i] * columns;
        V* const packed = to + i * columns;
        g.lanes([&](int l) {
            for (auto j = std::size_t(l); j < columns; j += width) packed[j] = row[j];
        });
    }
};

template <class V, class P>
DeviceRows<V, P>::DeviceRows(P& device, Cpu const& cpu, DeviceBuffer<V> const& rows, std::size_t width,
                             std::span<pos_t const> at, std::size_t kept_bytes)
    : device_(device),
      cpu_(cpu),
      rows_(rows.data()),
      width_(width),
      kept_bytes_(kept_bytes),
      at_(copy_to(device, at)) {}

template <class V, class P>
void DeviceRows<V, P>::reserve(std::size_t rows) {
    std::size_t const kept = std::min(at_.size(), kept_bytes_ / (width_ * sizeof(V)) + 1),
                      most = std::max(rows, kept) * width_;
    kept_ = Buffer<V>(kept * width_);
    if constexpr (std::is_same_v<P, CudaDevice>) {
        current_.emplace(device_.number());
        packed_ = DeviceBuffer<V>(cuda_plain_memory(), device_.stream(), most);
    } else {
        packed_ = device_.template buffer<V>(most);
    }
}

template <class V, class P>
void DeviceRows<V, P>::gather(std::uint64_t first, std::uint64_t n, std::uint64_t to) {
    device_.launch(pos_t(n),
                   PackRows<V>{rows_, at_.data() + first, width_, packed_.data() + to * width_});
}

template <class V, class P>
void const* DeviceRows<V, P>::pack(std::span<std::uint64_t const> begin,
                                   std::span<std::uint64_t const> first) {
    for (std::size_t r = 0; r + 1 < begin.size(); ++r)
        gather(first[r], begin[r + 1] - begin[r], begin[r]);
    device_.synchronize();
    return packed_.data();
}

template <class V, class P>
void DeviceRows<V, P>::keep(std::uint64_t first, std::uint64_t n, RowsOf<std::byte> to,
                            std::uint64_t to_first) {
    std::size_t const row_bytes = width_ * sizeof(V), most = kept_.size() / width_;
    for (std::uint64_t i = 0; i < n; i += most) {
        std::size_t const some = std::min<std::size_t>(most, n - i);
        gather(first + i, some, 0);
        device_.download(kept_.data(), packed_.data(), some * width_);
        cpu_.for_each(some, [&](std::size_t j) {
            std::memcpy(to.row(to_first + i + j, row_bytes), kept_.data() + j * width_, row_bytes);
        });
    }
}

template <class P>
void wait_for(P& device) {
    device.synchronize();
}

template <class P>
DeviceBuffer<index_t> copy_to_device(P& device, Buffer<index_t> const& values) {
    return copy_to(device, values);
}

template <class P>
void name_sources(P& device, index_t* index, std::size_t n, DeviceBuffer<index_t> const& names) {
    device.for_each(n, NameSources{index, names.data()});
}

template <class V, class P>
requires is_device<P> DeviceBuffer<V> new_array(P& device, std::size_t n) {
    return device.template buffer<V>(n);
}

template <class P>
requires is_device<P> DeviceBuffer<pos_t> start_links(P& device, pos_t n) {
    return links_init(device, n);
}

template <class P>
requires is_device<P>
void end_links(P& device, DeviceBuffer<pos_t>& links) { links_settle(device, links); }

/// Compiles what ranks ask of a device.
#define ZWALK_DEVICE_ROWS(P)                                                             \
    template class DeviceRows<float, P>;                                                 \
    template class DeviceRows<double, P>;                                                \
    template class DeviceRows<index_t, P>;                                               \
    template void name_sources(P&, index_t*, std::size_t, DeviceBuffer<index_t> const&); \
    template void wait_for(P&);                                                          \
    template DeviceBuffer<index_t> copy_to_device(P&, Buffer<index_t> const&);           \
    template DeviceBuffer<std::uint8_t> new_array<std::uint8_t>(P&, std::size_t);        \
    template DeviceBuffer<pos_t> new_array<pos_t>(P&, std::size_t);                      \
    template DeviceBuffer<float> new_array<float>(P&, std::size_t);                      \
    template DeviceBuffer<double> new_array<double>(P&, std::size_t);                    \
    template DeviceBuffer<Vec<3, float>> new_array<Vec<3, float>>(P&, std::size_t);      \
    template DeviceBuffer<Vec<3, double>> new_array<Vec<3, double>>(P&, std::size_t);    \
    template DeviceBuffer<pos_t> start_links(P&, pos_t);                                 \
    template void end_links(P&, DeviceBuffer<pos_t>&);

}}}  // namespace zwalk::v0::detail
