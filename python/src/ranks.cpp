// The extension module zwalk._mpi: work on MPI ranks, for communicators of mpi4py. A module of its own, so that an MPI
// library is loaded only where one asks for ranks. Functions are as in _core, but work where a Ranks says.
#include <mpi.h>
#include <nanobind/nanobind.h>

#include <string>

#include "functions.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/knn/knn_in_batches.hpp"
#include "zwalk/ranks/rank_cuda.hpp"

namespace zwalk::python { namespace {

/// "Open MPI v4.1.4", "MPICH Version:      4.0.2": what a library says of itself before the details.
std::string name_of(std::string const& library_version) {
    return library_version.substr(0, library_version.find_first_of(",\n\r"));
}
std::string library() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(text, &length);
    return text;
}

/// Which MPI this was compiled for, as its library_version begins. What isn't known here is taken for right.
std::string compiled_for() {
#if defined(OMPI_MAJOR_VERSION)
    return "Open MPI v" + std::to_string(OMPI_MAJOR_VERSION) + ".";
#elif defined(MPICH_VERSION)
    return std::string("MPICH Version:");
#else
    return {};
#endif
}

/// Why this handle of mpi4py's isn't a communicator here, or an empty string. mpi4py loads the MPI library of its choice;
/// only if that is this module's does an integer of its mean anything here. Asks nothing that differs between ABIs before
/// that is known. Not collective.
/// @param theirs  the library version that mpi4py has
/// @param world, comm  its handles of MPI.COMM_WORLD and of the communicator, whose rank and size it says are these
std::string refusal(std::string const& theirs, int world, int comm, int rank, int size) {
    std::string const version = library(), here = name_of(version);
    if (here.rfind(compiled_for(), 0) != 0)
        return "zwalk was built for " + compiled_for() + "x, but the MPI library in this process is " +
               here;
    std::string const other = "mpi4py works with another MPI library (" + name_of(theirs) +
                              ") than zwalk (" + here + "): build both with the same one";
    if (theirs != version) return other;
    int initialised = 0, finalized = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalized);
    if (finalized) return "MPI has been finalized";
    if (!initialised || MPI_Comm_c2f(MPI_COMM_WORLD) != world) return other;
    int level = 0, is_main = 0;
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&is_main);
    if (level < MPI_THREAD_SERIALIZED && !is_main)
        return "MPI was initialised for calls from one thread, and this is another one";
    MPI_Comm const c = MPI_Comm_f2c(comm);
    if (c == MPI_COMM_NULL) return "comm is MPI.COMM_NULL";
    int between = 0, r = 0, n = 0;
    MPI_Comm_test_inter(c, &between);
    if (between) return "comm is an intercommunicator; ranks must be of one group";
    MPI_Comm_rank(c, &r);
    MPI_Comm_size(c, &n);
    return r == rank && n == size ? "" : other;
}

/// Threads of ranks. Their communicator is Python's, by its Fortran handle, which is an int in every MPI.
struct RankThreads {
    int comm;
    int threads;
    std::uint64_t memory_budget;

    /// f(mpi, cpu) without the interpreter's lock, in this thread. (What runs on ranks can't be interrupted: the others would wait
    /// for ever.)
    template <class F>
    auto run(bool, F const& f) const {
        nb::gil_scoped_release const unlocked;
        return f(mpi(), Cpu(threads, memory_budget));
    }
    [[nodiscard]] bool is_first() const {
        int rank = 0;
        MPI_Comm_rank(MPI_Comm_f2c(comm), &rank);
        return rank == 0;
    }
    [[nodiscard]] Mpi mpi() const { return {.comm = MPI_Comm_f2c(comm)}; }
};

/// These, and maybe a GPU: all ranks have one, or none has.
struct Ranks : RankThreads {
    enum : int { on_threads = -1, any_gpu = -2 };
    int device;  ///< its number, or one of the above

    template <class F>
    auto run(bool is_heavy, F const& f) const {
        if (device == on_threads) return RankThreads::run(is_heavy, f);
        nb::gil_scoped_release const unlocked;
        auto cuda = [&] {
            Comm ranks(mpi());
            return device == any_gpu ? rank_cuda(ranks) : rank_cuda(ranks, device);
        }();
        cuda.memory_budget = memory_budget;
        return f(mpi(), cuda, Cpu(threads, memory_budget));
    }
};

/// @param take  take(first row of a batch, distances, indices) -> what it failed by in words, or an empty string
template <class T>
void find_knn_in_batches(PointArray<T> const& points, Others<PointArray<T>> const& queries, index_t k,
                         bool exclude_self, double within, Box const& box, std::uint64_t bytes,
                         nb::callable const& take, Ranks const& where) {
    auto const hand_over = [&](KnnBatch<T>& batch) {
        nb::gil_scoped_acquire const locked;
        auto const distances = to_numpy(std::move(batch.distances), {batch.rows, batch.columns});
        auto const indices = to_numpy(std::move(batch.indices), {batch.rows, batch.columns});
        auto const failure = nb::cast<std::string>(take(batch.first, distances, indices));
        if (!failure.empty()) throw Error(failure);
    };
    KnnOptions const o = knn_options(k, exclude_self, within, box);
    where.run(true, [&](auto const&... places) {
        return queries ? knn_in_batches(view(points), view(*queries), o, bytes, hand_over, places...)
                       : knn_in_batches(view(points), o, bytes, hand_over, places...);
    });
}

/// (columns of this rank's rows, number of the first of these among all rows, None, None: no members are listed)
/// @param moving  whether any rank has velocities
template <class T>
nb::tuple find_catalogue(PointArray<T> const& points, double linking_length, std::size_t min_members,
                         Box const& box, std::optional<Column<T>> const& masses,
                         std::optional<PointArray<T>> const& velocities, bool moving,
                         Ranks const& where) {
    FofOptions const o{.linking_length = linking_length, .box = box};
    auto const c = catalogue_options<T>(min_members, box, masses, velocities);
    auto r = where.run(true, [&](auto const&... places) {
        return fof_with_catalogue(view(points), o, c, places...).catalogue;
    });
    return nb::make_tuple(catalogue_dict(r.rows, moving), r.first_row, nb::none(), nb::none());
}

template <class T>
void bind(nb::module_& m) {
    bind_functions<T, Ranks, RankThreads>(m);
    def(m, "knn_in_batches", &find_knn_in_batches<T>);
    def(m, "fof_catalogue", &find_catalogue<T>);
}

}}  // namespace zwalk::python

NB_MODULE(_mpi, m) {
    using namespace zwalk::python;
    nb::class_<RankThreads>(m, "RankThreads");
    nb::class_<Ranks, RankThreads>(m, "Ranks").def(nb::init<int, int, std::uint64_t, int>());
    bind<float>(m);
    bind<double>(m);
    m.def("library", &library);
    m.def("refusal", &refusal);
}
