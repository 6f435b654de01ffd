// Whether this process is one of several that were started together, as ranks of MPI.
#pragma once
#include <string>
#include <string_view>

namespace zwalk::apps {

/// Brings up MPI if the program was started by mpirun, srun or the like (the environment shows it), or if --mpi stands
/// before the command; else MPI isn't touched. Shuts it down in the end.
class Launch {
  public:
    /// @throws InputError  several processes were started, but they aren't ranks of the MPI that this program was built
    ///                     with, or it was built without: each would do all of the work and write the same files.
    ///                     Ranks were started with different arguments
    Launch(int argc, char const* const* argv);
    Launch(Launch const&) = delete;
    Launch& operator=(Launch const&) = delete;
    ~Launch();

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int ranks() const { return ranks_; }
    /// Whether this process is the one that prints.
    [[nodiscard]] bool speaks() const { return rank_ == 0; }

  private:
    bool initialised_ = false;
    int rank_ = 0, ranks_ = 1;
};

/// The MPI that this program was built with, e.g. "Open MPI v4.1.4". Not in builds without.
std::string mpi_library();

/// Refuses an option that several ranks can't serve, if it was given.
/// @param what  as the user has written it, e.g. "--query"
/// @throws InputError
void refuse_on_ranks(bool asked, std::string_view what);

}  // namespace zwalk::apps
