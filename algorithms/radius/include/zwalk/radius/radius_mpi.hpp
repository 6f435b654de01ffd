// Radius search of points that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <type_traits>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/run/rank_call.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::inline v0 {

/// What a rank has of the balls around all points. Rows of the input are numbered through all ranks: those of lower ranks
/// come first.
template <class T>
struct RadiusOnRanks {
    /// radius_count() only: how many sources there are on all ranks for each row of this rank (those that it passed or, with
    /// Order::z, those of its range of the z-order of all).
    Buffer<index_t> counts;
    /// radius_search() only: list i of this rank is [offsets[i], offsets[i + 1]) of the arrays below. One more than it has rows.
    Buffer<size_type> offsets;
    /// Nearest first, ties in ascending order: rows of the input (of the sources) of all ranks or, with Order::z, positions
    /// in the z-order of all sources.
    Buffer<index_t> indices;
    Buffer<T> distances;  ///< Euclidean distances to them, if asked for
    size_type found = 0;  ///< sources of this rank's rows in all; of a visit 0
    /// With Order::z: the rows of the input that this rank's rows are; with queries, too, those of this rank's range of the
    /// z-order of all sources.
    Buffer<index_t> row_order, source_order;
    Stats stats;
    std::vector<StepStats> steps;  ///< what was sent, step by step
};

namespace detail {
// The functions that those below call. Without queries the points are their own queries.
template <class T>
RadiusOnRanks<T> find_radius(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                             RadiusOptions const& options, RankCall const& call, RadiusWork work,
                             ListVisitor<T> const& visitor = {});
}  // namespace detail

/// radius_count() of the points of all ranks, of which each passes its own rows (any number, also none): the same counts as
/// in one process. All ranks call it, with the same options.
///
/// Nodes of other ranks that are within the radius as a whole travel as the number of their points, so what a rank imports
/// follows the surface of the balls.
/// @throws InputError  on all ranks, as radius_count() of one process; rows are named by their number through all ranks; ranks
///                     disagree on an option
/// @throws Error       on all ranks: what failed on one of them
template <class T>
RadiusOnRanks<T> radius_count(Points<T> local, RadiusOptions const& options, Mpi const& mpi,
                              Cpu const& cpu = Cpu()) {
    return detail::find_radius<T>(local, nullptr, options, {mpi, cpu}, detail::RadiusWork::count);
}
/// radius_count() of every query, of which each rank passes its own rows, too. Queries are spread evenly over the ranks.
template <class T>
RadiusOnRanks<T> radius_count(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                              RadiusOptions const& options, Mpi const& mpi, Cpu const& cpu = Cpu()) {
    return detail::find_radius<T>(local_sources, &local_queries, options, {mpi, cpu},
                                  detail::RadiusWork::count);
}

/// radius_count() of points that an index keeps, in its box: nothing is sorted but queries.
/// @throws InputError  on all ranks: options have a box
template <class T>
RadiusOnRanks<T> radius_count(RankIndex<T> const& index, RadiusOptions const& options) {
    return detail::find_radius<T>(index, nullptr, options, {index.mpi(), index.cpu()},
                                  detail::RadiusWork::count);
}
template <class T>
RadiusOnRanks<T> radius_count(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                              RadiusOptions const& options) {
    return detail::find_radius<T>(index, &local_queries, options, {index.mpi(), index.cpu()},
                                  detail::RadiusWork::count);
}

/// radius_search() of the points of all ranks: the lists of one process, entry by entry.
///
/// Memory of a rank: its points twice, those of other ranks that are within the radius, and the lists: as radius_search() has
/// them, with Order::input four times while they travel to the ranks of their rows. Each entry travels once, with Order::z not
/// at all.
/// @throws as radius_count()
/// @throws Error  on all ranks: lists of one of them need more memory than it has
template <class T>
RadiusOnRanks<T> radius_search(Points<T> local, RadiusOptions const& options, Mpi const& mpi,
                               Cpu const& cpu = Cpu()) {
    return detail::find_radius<T>(local, nullptr, options, {mpi, cpu}, detail::RadiusWork::search);
}
template <class T>
RadiusOnRanks<T> radius_search(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                               RadiusOptions const& options, Mpi const& mpi, Cpu const& cpu = Cpu()) {
    return detail::find_radius<T>(local_sources, &local_queries, options, {mpi, cpu},
                                  detail::RadiusWork::search);
}

template <class T>
RadiusOnRanks<T> radius_search(RankIndex<T> const& index, RadiusOptions const& options) {
    return detail::find_radius<T>(index, nullptr, options, {index.mpi(), index.cpu()},
                                  detail::RadiusWork::search);
}
template <class T>
RadiusOnRanks<T> radius_search(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                               RadiusOptions const& options) {
    return detail::find_radius<T>(index, &local_queries, options, {index.mpi(), index.cpu()},
                                  detail::RadiusWork::search);
}

// radius_count() and radius_search() with a GPU for each rank, where own and imported points are copied to and walked on; all
// else is done by threads of the rank.
// @param cuda: rank_cuda() (ranks/rank_cuda.hpp).
// @throws as without GPUs, on all ranks; InputError: a rank has no such GPU, a build without CUDA, more columns than it was
// compiled for, some ranks have GPUs, others threads; Error: a device's memory doesn't suffice, or CUDA failed.
template <class T>
RadiusOnRanks<T> radius_count(Points<T> local, RadiusOptions const& options, Mpi const& mpi,
                              Cuda const& cuda, Cpu const& cpu = Cpu()) {
    return detail::find_radius<T>(local, nullptr, options, {mpi, cuda, cpu}, detail::RadiusWork::count);
}
template <class T>
RadiusOnRanks<T> radius_count(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                              RadiusOptions const& options, Mpi const& mpi, Cuda const& cuda,
                              Cpu const& cpu = Cpu()) {
    return detail::find_radius<T>(local_sources, &local_queries, options, {mpi, cuda, cpu},
                                  detail::RadiusWork::count);
}
template <class T>
RadiusOnRanks<T> radius_count(RankIndex<T> const& index, RadiusOptions const& options,
                              Cuda const& cuda) {
    return detail::find_radius<T>(index, nullptr, options, {index.mpi(), cuda, index.cpu()},
                                  detail::RadiusWork::count);
}
template <class T>
RadiusOnRanks<T> radius_count(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                              RadiusOptions const& options, Cuda const& cuda) {
    return detail::find_radius<T>(index, &local_queries, options, {index.mpi(), cuda, index.cpu()},
                                  detail::RadiusWork::count);
}
template <class T>
RadiusOnRanks<T> radius_search(Points<T> local, RadiusOptions const& options, Mpi const& mpi,
                               Cuda const& cuda, Cpu const& cpu = Cpu()) {
    return detail::find_radius<T>(local, nullptr, options, {mpi, cuda, cpu}, detail::RadiusWork::search);
}
template <class T>
RadiusOnRanks<T> radius_search(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                               RadiusOptions const& options, Mpi const& mpi, Cuda const& cuda,
                               Cpu const& cpu = Cpu()) {
    return detail::find_radius<T>(local_sources, &local_queries, options, {mpi, cuda, cpu},
                                  detail::RadiusWork::search);
}
template <class T>
RadiusOnRanks<T> radius_search(RankIndex<T> const& index, RadiusOptions const& options,
                               Cuda const& cuda) {
    return detail::find_radius<T>(index, nullptr, options, {index.mpi(), cuda, index.cpu()},
                                  detail::RadiusWork::search);
}
template <class T>
RadiusOnRanks<T> radius_search(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                               RadiusOptions const& options, Cuda const& cuda) {
    return detail::find_radius<T>(index, &local_queries, options, {index.mpi(), cuda, index.cpu()},
                                  detail::RadiusWork::search);
}

/// Calls f(row, list) once for every point, on the rank that has got it: for sums over neighbours without lists of these,
/// which don't travel either.
///
/// f: `void operator()(index_t row, NearestFirst<T> const& list) const`, as radius_visit() of one process has it. row: that
/// of the point in the input of all ranks or, with Order::z, its number 0, 1, ... among those that this rank has (it is row
/// row_order[number] of the input). list.index(i): as RadiusOnRanks::indices.
/// @returns  row_order and stats
/// @throws Error  on all ranks, with the words of what f throws on one of them
template <class T, class F>
RadiusOnRanks<T> radius_visit(Points<T> local, F const& f, RadiusOptions const& options, Mpi const& mpi,
                              Cpu const& cpu = Cpu()) {
    return detail::find_radius<T>(local, nullptr, options, {mpi, cpu}, detail::RadiusWork::visit,
                                  make_list_visitor<T>(f));
}
/// Calls f(row, list) once for every query, on the rank that has got it.
template <class T, class F>
RadiusOnRanks<T> radius_visit(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                              F const& f, RadiusOptions const& options, Mpi const& mpi,
                              Cpu const& cpu = Cpu()) {
    return detail::find_radius<T>(local_sources, &local_queries, options, {mpi, cpu},
                                  detail::RadiusWork::visit, make_list_visitor<T>(f));
}

template <class T, class F>
RadiusOnRanks<T> radius_visit(RankIndex<T> const& index, F const& f, RadiusOptions const& options) {
    return detail::find_radius<T>(index, nullptr, options, {index.mpi(), index.cpu()},
                                  detail::RadiusWork::visit, make_list_visitor<T>(f));
}
template <class T, class F>
RadiusOnRanks<T> radius_visit(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                              F const& f, RadiusOptions const& options) {
    return detail::find_radius<T>(index, &local_queries, options, {index.mpi(), index.cpu()},
                                  detail::RadiusWork::visit, make_list_visitor<T>(f));
}

}  // namespace zwalk::inline v0
