// Arrays for walks, wherever these are: for code of ranks, which knows only the name of a GPU. Those on devices are defined in
// run/detail/device_rows.hpp; for CudaDevice that is in the library.
#pragma once
#include <utility>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/walk/links.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// An array of n elements, uninitialised.
template <class V, class P>
requires is_device<P> DeviceBuffer<V> new_array(P& device, std::size_t n);
template <class V>
Buffer<V> new_array(Cpu const&, std::size_t n) {
    return Buffer<V>(n);
}

/// links_init() and links_settle().
template <class P>
requires is_device<P> DeviceBuffer<pos_t> start_links(P& device, pos_t n);
template <class P>
requires is_device<P>
void end_links(P& device, DeviceBuffer<pos_t>& links);
inline Buffer<pos_t> start_links(Cpu const& cpu, pos_t n) { return links_init(cpu, n); }
inline void end_links(Cpu const& cpu, Buffer<pos_t>& links) { links_settle(cpu, links); }

}}}  // namespace zwalk::v0::detail
