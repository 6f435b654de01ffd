// The one file of the program that calls MPI.
#include "launch.hpp"

#include <fmt/format.h>

#include <string>

#include "launched.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/ranks/mpi.hpp"

namespace zwalk::apps {
namespace {

/// All arguments as one text.
std::string text_of(int argc, char const* const* argv) {
    std::string text;
    for (int i = 1; i < argc; ++i) text.append(i > 1 ? " " : "").append(argv[i]);
    for (char& c : text)
        if (c == '\n') c = ' ';
    return text;
}

}  // namespace

std::string mpi_library() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string const all(text, std::size_t(length));
    return all.substr(0, all.find_first_of(",\n"));
}

Launch::Launch(int argc, char const* const* argv) {
    Launched const started = launched();
    if (!started.as_rank && !asks_for_mpi(argc, argv)) return;
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    try {
        if (started.processes > 1 && ranks_ == 1)
            throw InputError(fmt::format(
                "this is one of several processes ({}), but for {}, which this program was built "
                "with, it is the only one: start it by the mpirun of that MPI",
                started.variable, mpi_library()));
        if (ranks_ > 1) {
            Comm comm{Mpi{}};
            agree_on(comm, {{"the command line", text_of(argc, argv)}});
        }
    } catch (...) {
        MPI_Finalize();
        throw;
    }
    initialised_ = true;
}

Launch::~Launch() {
    if (initialised_) MPI_Finalize();
}

}  // namespace zwalk::apps
