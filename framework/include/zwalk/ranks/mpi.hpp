// The settings of MPI for a call that runs on its ranks. The only public header with <mpi.h>.
#pragma once
#if !__has_include(<mpi.h>)
#error \
    "zwalk: <mpi.h> isn't found: compile with mpicxx, and link zwalk_mpi (pkg-config zwalk-mpi, or zwalk::mpi of CMake)"
#endif
// The C++ bindings, which MPI itself has given up, would have to be linked, too.
#if !defined(OMPI_SKIP_MPICXX)
#define OMPI_SKIP_MPICXX 1
#endif
#if !defined(MPICH_SKIP_MPICXX)
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <cstddef>

namespace zwalk { inline namespace v0 {

/// The ranks that work together. MPI has been initialised with MPI_THREAD_FUNNELED or more, and calls are made on the
/// thread that may call MPI then; other threads of the library don't.
struct Mpi {
    /// Duplicated, so that no message is mistaken for one of the caller's.
    MPI_Comm comm = MPI_COMM_WORLD;
    /// Longer messages are sent in pieces of so many bytes, at most 2^31 - 1; the same on all ranks. Changes no result.
    std::size_t message_bytes = std::size_t(1) << 30;
    /// Whether the MPI library may be handed memory of a rank's GPU. Then neighbours that kNN has found for rows of other ranks
    /// leave it in messages, without being copied to the host: these are most of what ranks send to each other. Tried before
    /// such a call searches; it refuses where that fails. The same on all ranks; changes no result.
    bool gpu_aware = false;
};

}}  // namespace zwalk::v0
