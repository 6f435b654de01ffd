#include "launched.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace zwalk::apps {

Launched launched() {
    Launched found;
    // Variables of Open MPI; MPICH, Intel MPI and srun --mpi=pmi2; Open MPI and srun --mpi=pmix; MPICH and Intel MPI.
    for (char const* name :
         {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK", "MPI_LOCALNRANKS"})
        found.as_rank = found.as_rank || std::getenv(name);
    if (!found.as_rank) return found;
    // Slurm's variable is also there for what it starts without MPI: alone it proves nothing.
    for (char const* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS"}) {
        char const* const value = std::getenv(name);
        std::int64_t const n = value ? std::strtoll(value, nullptr, 10) : 0;
        if (n <= found.processes) continue;
        found.processes = n;
        found.variable = std::string(name) + '=' + value;
    }
    return found;
}

bool asks_for_mpi(int argc, char const* const* argv) {
    for (int i = 1; i < argc && argv[i][0] == '-'; ++i)
        if (std::strcmp(argv[i], "--mpi") == 0) return true;
    return false;
}

}  // namespace zwalk::apps
