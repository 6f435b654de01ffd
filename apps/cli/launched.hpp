// How this process was started, by its environment.
#pragma once
#include <cstdint>
#include <string>

namespace zwalk::apps {

/// By variables that mpirun, srun and the like set.
struct Launched {
    bool as_rank = false;        ///< by something that starts ranks of MPI
    std::int64_t processes = 1;  ///< so many together, as far as it is known
    std::string variable;        ///< that shows it, e.g. "PMI_SIZE=4"
};
Launched launched();

/// Whether --mpi is among the options before the command.
bool asks_for_mpi(int argc, char const* const* argv);

}  // namespace zwalk::apps
