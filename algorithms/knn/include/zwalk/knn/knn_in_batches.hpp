// Exact k-nearest neighbours of points that are spread over MPI ranks, batch by batch: for more of them than ranks have memory for.
// Part of the library zwalk::mpi.
#pragma once
#include <any>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "zwalk/knn/knn.hpp"

namespace zwalk { inline namespace v0 {

/// Consecutive rows of a rank, with their neighbours.
template <class T>
struct KnnBatch {
    std::size_t first = 0;         ///< among the rows of this rank
    std::size_t rows = 0;          ///< in this batch
    std::size_t columns = 0;       ///< k
    std::size_t rows_of_rank = 0;  ///< in all batches
    std::uint64_t batches = 1;     ///< how many there are, the same on all ranks
    Buffer<index_t> indices;       ///< as KnnResult::indices, of these rows
    Buffer<T> distances;
};
/// A function that sees batches, and may take their arrays. It is called on all ranks alike; so it may be collective, over
/// another communicator.
template <class T>
using TakeKnnBatch = std::function<void(KnnBatch<T>&)>;

namespace detail {
struct KnnBatchesAsked : KnnOptions {
    std::uint64_t bytes = 0;  ///< of this rank
    std::any take{};          ///< a pointer to a TakeKnnBatch<T>
};
struct KnnBatchesAlgorithm;
struct KnnBatchesCall : KnnCall {
    using Algorithm = KnnBatchesAlgorithm;
    using Options = KnnBatchesAsked;
};

/// @param queries  a view, or nullptr
template <class Source, class Queries, class Take, class... Where>
auto find_knn_in_batches_at(Source const& sources, Queries queries, KnnOptions const& options,
                            std::uint64_t bytes, Take const& take, Where const&... where) {
    constexpr bool on_ranks =
        (std::is_same_v<Where, Mpi> || ...) || kind_of<Source> == SourceKind::rank_index;
    static_assert(on_ranks,
                  "zwalk: knn_in_batches() is for ranks: give Mpi, or an index on them; in one process "
                  "knn() and knn_visit() keep to the memory budget of the place");
    auto const f = [&](auto const& source, auto const& place) {
        TakeKnnBatch<RealIn<std::remove_cvref_t<decltype(source)>>> const taken = take;
        return search_at<KnnBatchesCall>(source, queries, {options, bytes, &taken}, place);
    };
    if constexpr (on_ranks) return at_place(f, sources, where...);
}
}  // namespace detail

/// knn() of the points of all ranks: the same neighbours, bit for bit, in as few batches as keep those of a batch
/// on each rank at about `bytes`, their way home included. All are imported for at once. With Order::input
/// a batch has consecutive rows of each rank, wherever these lie: where a batch's rows have their points on few ranks, these need more.
/// @param points  rows of this rank, or an index on ranks, and `where` they are searched, as for knn()
/// @param bytes   of this rank; the rank with least decides
/// @param take    called for one batch after the other, in order: take(KnnBatch<T>&), see TakeKnnBatch
/// @return as knn(), without indices and distances
/// @throws InputError  on all ranks, as knn()
/// @throws Error       on all ranks: what failed on one of them, or what `take` threw there
template <class Source, class Take, class... Where>
auto knn_in_batches(Source const& points, KnnOptions const& options, std::uint64_t bytes,
                    Take const& take, Where const&... where) {
    return detail::find_knn_in_batches_at(points, nullptr, options, bytes, take, where...);
}
/// knn_in_batches() of queries, of which each rank passes its own.
template <class Source, class Queries, class Take, class... Where>
requires(!std::is_convertible_v<Queries const&, KnnOptions const&>) auto knn_in_batches(
    Source const& sources, Queries const& queries, KnnOptions const& options, std::uint64_t bytes,
    Take const& take, Where const&... where) {
    auto const asked = detail::others_of(queries);
    return detail::find_knn_in_batches_at(sources, &asked, options, bytes, take, where...);
}

}}  // namespace zwalk::v0
