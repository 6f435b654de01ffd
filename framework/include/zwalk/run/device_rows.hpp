// Rows of a result on a rank's device, which leave it in messages as they are: by MPI libraries that can read its memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "zwalk/core/config.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/ranks/travel.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Rows for carry(), `width` values each, that are brought into the order of messages on the device. Its callers
/// need only the name of the device: defined in run/detail/device_rows.hpp; for CudaDevice that is in the library.
template <class V, class P>
class DeviceRows final : public OutgoingRows {
  public:
    /// @param at          the row of each record
    /// @param kept_bytes  bytes of rows that come to the host at a time, or one row
    DeviceRows(P& device, Cpu const& cpu, DeviceBuffer<V> const& rows, std::size_t width,
               std::span<pos_t const> at, std::size_t kept_bytes = std::size_t(1) << 24);

    void reserve(std::size_t rows) override;
    void const* pack(std::span<std::uint64_t const> begin,
                     std::span<std::uint64_t const> first) override;
    void keep(std::uint64_t first, std::uint64_t n, RowsOf<std::byte> to,
              std::uint64_t to_first) override;

  private:
    /// Rows of the records first, first + 1, ... behind `to` others of the messages.
    void gather(std::uint64_t first, std::uint64_t n, std::uint64_t to);

    P& device_;
    Cpu const& cpu_;
    V const* rows_;
    std::size_t width_, kept_bytes_;
    DeviceBuffer<pos_t> at_;
    std::optional<CurrentDevice> current_;  // until the messages are gone: MPI libraries go by it
    DeviceBuffer<V> packed_;
    Buffer<V> kept_;  // here, a part of the rows that stay on this rank
};

/// Positions in a rank's tree become names, those of points that there are, for Place::for_each.
struct NameSources {
    index_t* index;
    index_t const* names;
    ZWALK_HD void operator()(std::size_t i) const {
        if (index[i] >= 0) index[i] = names[index[i]];
    }
};
/// Makes names of n positions, as NameSources does, on a device.
template <class P>
void name_sources(P& device, index_t* index, std::size_t n, DeviceBuffer<index_t> const& names);
/// Waits until the device has done all work so far, so that failures are thrown.
template <class P>
void wait_for(P& device);
/// A copy in the memory of a device.
template <class P>
DeviceBuffer<index_t> copy_to_device(P& device, Buffer<index_t> const& values);

/// Bytes of a device that rows which go home straight need beside themselves, `n` of them in its memory.
constexpr std::uint64_t bytes_of_messages(std::uint64_t n) {
    return n * sizeof(pos_t) + (std::uint64_t(1) << 26);
}
/// home() of rows on a device; `rows` of the input come to this rank. Collective.
/// @param name  the name of the step
template <class V, class P>
Buffer<V> home_from(P& device, Comm& comm, Cpu const& cpu, Travel const& travel,
                    DeviceBuffer<V> const& by_position, std::size_t rows, std::size_t width,
                    char const* name = "home") {
    auto const step = comm.step(name);
    Buffer<V> by_row;
    auto from = comm.agree([&] {
        by_row = Buffer<V>(rows * width);
        return std::make_unique<DeviceRows<V, P>>(device, cpu, by_position, width, travel.position);
    });
    carry(comm, cpu, travel.routes.back(), width * sizeof(V), *from,
          {reinterpret_cast<std::byte*>(by_row.data()), travel.row.data()});
    return by_row;
}

/// `n` numbers go from the device of each rank to the next one, as results do.
/// @returns whether they arrived
template <class P>
bool arrive_from(P& device, Comm& comm, Cpu const& cpu, pos_t n) {
    auto const ranks = std::size_t(comm.size()), me = std::size_t(comm.rank());
    auto const to = (me + 1) % ranks, from = (me + ranks - 1) % ranks;
    auto const number = [&](std::size_t rank, std::size_t i) { return index_t(rank * n + i) * 3; };
    Travel travel;
    auto const sent = comm.agree([&] {
        for (auto* begin : {&travel.routes.received, &travel.routes.sent}) begin->assign(ranks + 1, 0);
        std::fill(travel.routes.received.begin() + std::ptrdiff_t(to) + 1, travel.routes.received.end(),
                  n);
        std::fill(travel.routes.sent.begin() + std::ptrdiff_t(from) + 1, travel.routes.sent.end(), n);
        for (auto* at : {&travel.row, &travel.position}) {
            *at = Buffer<pos_t>(n);
            std::iota(at->begin(), at->end(), 0);
        }
        Buffer<index_t> numbers(n);
        for (std::size_t i = 0; i < n; ++i) numbers[i] = number(me, i);
        return copy_to_device(device, numbers);
    });
    auto const here = home_from(device, comm, cpu, travel, sent, n, 1, "try");
    for (std::size_t i = 0; i < n; ++i)
        if (here[i] != number(from, i)) return false;
    return true;
}

/// Throws InputError on all ranks unless messages can be sent from the memory of these devices: for a GPU the answer of the MPI
/// library counts, if it has one; then a short message and a long one are tried. A library that promises too much may end the
/// program. Collective.
/// @param may  the answer of the library
template <class P>
void check_gpu_aware(P& device, Comm& comm, Cpu const& cpu,
                     bool may = !std::is_same_v<P, CudaDevice> || mpi_may_read_gpu_memory()) {
    static constexpr auto* instead = "; without gpu_aware (--gpu-aware) results come to the host first";
    comm.agree([&] {
        if (!may)
            throw InputError(std::string("this MPI library can't read the memory of a GPU") + instead);
    });
    bool const short_one = arrive_from(device, comm, cpu, 1),
               long_one = arrive_from(device, comm, cpu, 1 << 17);
    comm.agree([&] {
        if (!short_one || !long_one)
            throw InputError(
                std::string("messages from the memory of a GPU don't arrive as they were sent") +
                instead);
    });
}

}}}  // namespace zwalk::v0::detail
