// MPI ranks as a place.
#pragma once
#include <utility>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/ranks/comm.hpp"

namespace zwalk::inline v0 {

/// The ranks of a communicator as a place: points, payload and outputs are spread over them, and each works with threads of
/// its own on what it has. Not a Place (exec/place.hpp), as no array is in the memory of all; what these verbs are for goes
/// through PointTree<D, T, MpiRanks>.
class MpiRanks {
  public:
    /// Collective.
    /// @param mpi  zwalk::Mpi{} (ranks/mpi.hpp) for all ranks
    /// @param cpu  the threads of this rank
    /// @throws InputError  as Comm
    explicit MpiRanks(Mpi const& mpi, Cpu cpu = Cpu()) : comm_(mpi), cpu_(std::move(cpu)) {}

    [[nodiscard]] Comm& comm() const { return comm_; }
    [[nodiscard]] Cpu const& cpu() const { return cpu_; }
    [[nodiscard]] int rank() const { return comm_.rank(); }
    [[nodiscard]] int size() const { return comm_.size(); }

  private:
    // Not behind a pointer: a rank that had no memory for it would leave the others waiting in its constructor.
    mutable Comm comm_;
    Cpu cpu_;
};

}  // namespace zwalk::inline v0
