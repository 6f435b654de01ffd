// The extension module zwalk._mpi: work on MPI ranks, for communicators of mpi4py. A module of its own, so that an MPI
// library is loaded only where one asks for ranks. Arguments are as in _core, behind the communicator's Fortran handle,
// which is an int in every MPI, and the number of a GPU, -1 for threads, -2 for any GPU.
#include <mpi.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>

#include "bind.hpp"
#include "catalogue.hpp"
#include "gravity.hpp"
#include "hierarchy.hpp"
#include "neighbours.hpp"
#include "pairs.hpp"
#include "peaks.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/knn/knn_in_batches.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/ranks/rank_cuda.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

template <class T>
using MaybePoints = std::optional<PointArray<T>>;

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
void find_knn_in_batches(PointArray<T> const& points, MaybePoints<T> const& queries, index_t k,
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

/// (labels, number of groups)
template <class T>
nb::tuple find_groups(int comm, int device, PointArray<T> const& points, double linking_length,
                      Box const& box, int threads) {
    FofOptions const o{.linking_length = linking_length, .box = box};
    auto r = Ranks{{comm, threads, 0}, device}.run(
        true, [&](auto const&... places) { return fof(view<T>(points), o, places...); });
    return nb::make_tuple(to_numpy(std::move(r.labels)), r.groups);
}

/// (columns of this rank's rows, number of the first of these among all rows)
template <class T>
nb::tuple find_catalogue(int comm, int device, PointArray<T> const& points, double linking_length,
                         std::size_t min_members, Box const& box, std::optional<Column<T>> const& masses,
                         MaybePoints<T> const& velocities, bool moving, int threads) {
    FofOptions const o{.linking_length = linking_length, .box = box};
    CatalogueOptions<T> c{.min_members = min_members, .box = box, .masses = view<T>(masses)};
    if (velocities) c.velocities = view<T>(*velocities);
    auto r = Ranks{{comm, threads, 0}, device}.run(true, [&](auto const&... places) {
        return fof_with_catalogue(view<T>(points), o, c, places...);
    });
    return nb::make_tuple(catalogue_dict(r.catalogue.rows, moving), r.catalogue.first_row);
}

/// (labels, core, number of clusters)
template <class T>
nb::tuple find_dbscan(int comm, int device, PointArray<T> const& points, double epsilon,
                      index_t min_samples, Box const& box, int threads) {
    DbscanOptions const o{.epsilon = epsilon, .min_samples = min_samples, .box = box};
    auto r = Ranks{{comm, threads, 0}, device}.run(
        true, [&](auto const&... places) { return dbscan(view<T>(points), o, places...); });
    auto labels = to_numpy(std::move(r.labels));
    return nb::make_tuple(labels, to_numpy(std::move(r.core)), r.clusters);
}

template <class T>
nb::tuple find_peaks(int comm, int device, PointArray<T> const& points, index_t k, Box const& box,
                     int threads) {
    PeaksOptions const o{.k = k, .box = box};
    return peaks_tuple(Ranks{{comm, threads, 0}, device}.run(
        true, [&](auto const&... places) { return density_peaks(view<T>(points), o, places...); }));
}
template <class T>
nb::tuple cut_peaks(int comm, int, Column<T> const& radius, Column<T> const& delta,
                    Column<index_t> const& denser, index_t clusters, double min_delta, double max_radius,
                    int threads) {
    PeaksColumns<T> const graph(radius, delta, denser);
    PeaksCut const cut{clusters, min_delta, max_radius};
    return clusters_tuple(RankThreads{comm, threads, 0}.run(
        true, [&](auto const&... places) { return peaks_clusters(graph, cut, places...); }));
}

/// (edges, lengths, core distances or None, number of the first edge)
template <class T>
nb::tuple spanning_tree(int comm, int device, PointArray<T> const& points, int min_samples,
                        Box const& box, int threads) {
    EmstOptions const o{.min_samples = min_samples, .box = box};
    auto r = Ranks{{comm, threads, 0}, device}.run(
        true, [&](auto const&... places) { return emst(view<T>(points), o, places...); });
    std::size_t const n = r.lengths.size();
    auto edges = to_numpy(std::move(r.edges), {n, 2});
    auto lengths = to_numpy(std::move(r.lengths));
    return nb::make_tuple(edges, lengths, array_or_none(std::move(r.core_distances)), r.first_edge);
}

/// What is said of clusters and of the hierarchy is on rank 0, and None elsewhere.
template <class T>
nb::dict find_hdbscan(int comm, int device, PointArray<T> const& points, std::size_t min_cluster_size,
                      int min_samples, SelectionTuple const& select, Box const& box, int threads) {
    HdbscanOptions const o{.min_cluster_size = min_cluster_size,
                           .min_samples = min_samples,
                           .select = selection(select),
                           .box = box};
    auto r = Ranks{{comm, threads, 0}, device}.run(
        true, [&](auto const&... places) { return hdbscan(view<T>(points), o, places...); });
    nb::dict d = clusters_dict(std::move(r));
    int rank = 0;
    MPI_Comm_rank(MPI_Comm_f2c(comm), &rank);
    if (rank != 0) d["persistence"] = nb::none();
    d["linkage"] = rank ? nb::object(nb::none()) : to_table(std::move(r.linkage));
    d["condensed"] = rank ? nb::object(nb::none()) : nb::object(to_dict(std::move(r.condensed_tree)));
    return d;
}

template <class T>
void bind(nb::module_& m) {
    auto const points = "points"_a.noconvert();
    FunctionsOf<PointArray<T>, Ranks>::template bind<Knn, RadiusLists, RadiusCounts, Pairs, Gravity>(m);
    def(m, "knn_in_batches", &find_knn_in_batches<T>);
    m.def("fof", &find_groups<T>, "comm"_a, "device"_a, points, "linking_length"_a, "box"_a,
          "threads"_a);
    m.def("fof_catalogue", &find_catalogue<T>, "comm"_a, "device"_a, points, "linking_length"_a,
          "min_members"_a, "box"_a, "masses"_a.noconvert().none(), "velocities"_a.noconvert().none(),
          "moving"_a, "threads"_a);
    m.def("dbscan", &find_dbscan<T>, "comm"_a, "device"_a, points, "epsilon"_a, "min_samples"_a, "box"_a,
          "threads"_a);
    m.def("density_peaks", &find_peaks<T>, "comm"_a, "device"_a, points, "k"_a, "box"_a, "threads"_a);
    m.def("peaks_clusters", &cut_peaks<T>, "comm"_a, "device"_a, "radius"_a.noconvert(),
          "delta"_a.noconvert(), "nearest_denser"_a.noconvert(), "clusters"_a, "min_delta"_a,
          "max_radius"_a, "threads"_a);
    m.def("emst", &spanning_tree<T>, "comm"_a, "device"_a, points, "min_samples"_a, "box"_a,
          "threads"_a);
    m.def("hdbscan", &find_hdbscan<T>, "comm"_a, "device"_a, points, "min_cluster_size"_a,
          "min_samples"_a, "select"_a, "box"_a, "threads"_a);
}

}  // namespace
}  // namespace zwalk::python

NB_MODULE(_mpi, m) {
    using zwalk::python::Ranks;
    nanobind::class_<Ranks>(m, "Ranks").def(nanobind::init<int, int, std::uint64_t, int>());
    zwalk::python::bind<float>(m);
    zwalk::python::bind<double>(m);
    m.def("library", &zwalk::python::library);
    m.def("refusal", &zwalk::python::refusal);
}
