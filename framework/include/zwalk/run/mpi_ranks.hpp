// MPI ranks as a place.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/ranks/comm.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {
/// Where the host has a copy of what is in a device's memory.
class CopiesHere {
  public:
    void add(void const* there, std::size_t bytes, void const* here) { all_[there] = {bytes, here}; }
    void remove(void const* there) { all_.erase(there); }
    [[nodiscard]] bool empty() const { return all_.empty(); }
    /// Null: there is no copy of it. There is one of the end, too.
    [[nodiscard]] void const* of(void const* there) const {
        auto const next = all_.upper_bound(there);
        if (next == all_.begin()) return nullptr;
        auto const& [begin, copy] = *std::prev(next);
        auto const at = std::uintptr_t(there) - std::uintptr_t(begin);
        return at <= copy.bytes ? static_cast<char const*>(copy.here) + at : nullptr;
    }

  private:
    struct Copy {
        std::size_t bytes;
        void const* here;
    };
    std::map<void const*, Copy, std::less<>> all_;
};
}  // namespace detail

/// The ranks of a communicator as a place: points, payload and outputs are spread over them, and each walks on a place P of its own
/// over what it has: on its threads, or on a device. Not a Place (exec/place.hpp), as no array is in the memory of all; what
/// these verbs are for goes through PointTree.
template <class P>
class MpiRanksOn {
  public:
    /// Collective.
    /// @param mpi  zwalk::Mpi{} (ranks/mpi.hpp) for all ranks
    /// @param cpu  the threads of this rank
    /// @throws InputError  as Comm
    explicit MpiRanksOn(Mpi const& mpi, Cpu cpu = Cpu()) requires(!is_device<P>)
        : comm_(mpi), cpu_(std::move(cpu)) {}
    /// @param device  where this rank walks, and has its outputs; it must stay as long. rank_cuda() (ranks/rank_cuda.hpp) chooses a
    ///                GPU for each rank
    /// @param cpu     its threads, which sort and import
    MpiRanksOn(Mpi const& mpi, P& device, Cpu cpu = Cpu()) requires is_device<P>
        : comm_(mpi), cpu_(std::move(cpu)), device_(&device) {}

    [[nodiscard]] Comm& comm() const { return comm_; }
    [[nodiscard]] Cpu const& cpu() const { return cpu_; }
    [[nodiscard]] int rank() const { return comm_.rank(); }
    [[nodiscard]] int size() const { return comm_.size(); }

    /// Where this rank walks.
    [[nodiscard]] P& walks() const {
        if constexpr (is_device<P>) return *device_;
        else return cpu_;
    }
    /// For shared tables.
    [[nodiscard]] std::shared_ptr<detail::CopiesHere> const& copies_here() const { return copies_; }

  private:
    // Not behind a pointer: a rank that had no memory for it would leave the others waiting in its constructor.
    mutable Comm comm_;
    mutable Cpu cpu_;
    P* device_ = nullptr;
    std::shared_ptr<detail::CopiesHere> copies_ = std::make_shared<detail::CopiesHere>();
};
using MpiRanks = MpiRanksOn<Cpu>;

}}  // namespace zwalk::v0
