#include "rank_batches.hpp"

namespace zwalk::inline v0 {
namespace detail {
namespace {

/// Shows a user's object neighbours by their names.
template <class T>
struct NamedVisitor {
    RankVisitor<T> visitor;
    Buffer<index_t> names;
    index_t const* row;  ///< of the input, that each point is; null: its number

    void operator()(index_t number, Neighbours<T> const& found) const {
        thread_local std::vector<index_t> index;
        thread_local std::vector<T> d2;
        index.clear();
        d2.clear();
        for (int i = 0; i < found.size(); ++i) {
            index.push_back(names[std::size_t(found.index(i))]);
            d2.push_back(found.distance2(i));
        }
        visitor.call(visitor.object, row ? row[number] : number,
                     NeighbourRow<T>(d2.data(), index.data(), pos_t(found.size())));
    }
};

}  // namespace

template <class T>
KnnOnRanks<T> find_knn(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                       KnnOptions const& o, Mpi const& mpi, Cpu const& cpu) {
    Comm comm(mpi);
    Cpu place = cpu;
    return find_on_ranks(comm, cpu, rank_place(&place, CpuDims{}), o, sources, queries);
}
template <class T>
KnnOnRanks<T> find_knn(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                       KnnOptions const& o, Mpi const& mpi, Cuda const& cuda, Cpu const& cpu) {
    Comm comm(mpi);
    return on_rank_cuda(comm, CudaDims{}, CpuDims{}, cuda, [&](auto place) {
        return find_on_ranks(comm, cpu, place, o, sources, queries);
    });
}

template <class T>
KnnVisitedOnRanks visit_knn(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                            RankVisitor<T> const& visitor, KnnOptions const& o, Mpi const& mpi,
                            Cpu const& cpu) {
    Comm comm(mpi);
    KnnVisitedOnRanks r;
    Cpu place = cpu;
    KnnRanks ranks(comm, cpu, rank_place(&place, CpuDims{}), o, sources, queries, r.stats);
    NamedVisitor<T> named{visitor, {}, nullptr};
    auto const prepare = [&](auto& search, auto& all) {
        auto const& rows = ranks.asking().own().points.input_index;
        named.names = ranks.names_of(all);
        named.row = o.order == Order::input ? rows.data() : nullptr;
        search.visitor = make_visitor<T>(named);
    };
    ranks.find(true, prepare, [&](KnnResult<T> const& found, auto&) { r.rows = found.rows; });
    ranks.asking().hand_over(r, o.order, [] {});
    return r;
}

#define ZWALK_KNN_ON_RANKS(T)                                                                          \
    template KnnOnRanks<T> find_knn(RankInput<T> const&, Points<T> const*, KnnOptions const&,          \
                                    Mpi const&, Cpu const&);                                           \
    template KnnOnRanks<T> find_knn(RankInput<T> const&, Points<T> const*, KnnOptions const&,          \
                                    Mpi const&, Cuda const&, Cpu const&);                              \
    template KnnVisitedOnRanks visit_knn(RankInput<T> const&, Points<T> const*, RankVisitor<T> const&, \
                                         KnnOptions const&, Mpi const&, Cpu const&);
ZWALK_KNN_ON_RANKS(float)
ZWALK_KNN_ON_RANKS(double)

/// The same on threads, or on GPUs.
template <class T>
KnnOnRanks<T> call_in_batches(RankInput<T> const& sources, Points<T> const* queries, KnnOptions const& o,
                              std::uint64_t bytes, TakeKnnBatch<T> const& take, Mpi const& mpi,
                              Cuda const* cuda, Cpu const& cpu) {
    Comm comm(mpi);
    auto const find = [&](auto place) {
        return find_in_batches<T>(comm, cpu, place, o, sources, queries, bytes, take);
    };
    if (cuda) return on_rank_cuda(comm, CudaDims{}, CpuDims{}, *cuda, find);
    Cpu place = cpu;
    return find(rank_place(&place, CpuDims{}));
}

}  // namespace detail

template <class T>
KnnOnRanks<T> knn_in_batches(Points<T> local, std::type_identity_t<Points<T>> const* local_queries,
                             KnnOptions const& options, std::uint64_t bytes,
                             std::type_identity_t<TakeKnnBatch<T>> const& take, Mpi const& mpi,
                             Cpu const& cpu) {
    return detail::call_in_batches<T>(local, local_queries, options, bytes, take, mpi, nullptr, cpu);
}
template <class T>
KnnOnRanks<T> knn_in_batches(Points<T> local, std::type_identity_t<Points<T>> const* local_queries,
                             KnnOptions const& options, std::uint64_t bytes,
                             std::type_identity_t<TakeKnnBatch<T>> const& take, Mpi const& mpi,
                             Cuda const& cuda, Cpu const& cpu) {
    return detail::call_in_batches<T>(local, local_queries, options, bytes, take, mpi, &cuda, cpu);
}
template <class T>
KnnOnRanks<T> knn_in_batches(RankIndex<T> const& index,
                             std::type_identity_t<Points<T>> const* local_queries,
                             KnnOptions const& options, std::uint64_t bytes,
                             std::type_identity_t<TakeKnnBatch<T>> const& take) {
    return detail::call_in_batches<T>(index, local_queries, options, bytes, take, index.mpi(), nullptr,
                                      index.cpu());
}
template <class T>
KnnOnRanks<T> knn_in_batches(RankIndex<T> const& index,
                             std::type_identity_t<Points<T>> const* local_queries,
                             KnnOptions const& options, std::uint64_t bytes,
                             std::type_identity_t<TakeKnnBatch<T>> const& take, Cuda const& cuda) {
    return detail::call_in_batches<T>(index, local_queries, options, bytes, take, index.mpi(), &cuda,
                                      index.cpu());
}

#define ZWALK_KNN_IN_BATCHES(T)                                                                     \
    template KnnOnRanks<T> knn_in_batches(Points<T>, Points<T> const*, KnnOptions const&,           \
                                          std::uint64_t, TakeKnnBatch<T> const&, Mpi const&,        \
                                          Cpu const&);                                              \
    template KnnOnRanks<T> knn_in_batches(Points<T>, Points<T> const*, KnnOptions const&,           \
                                          std::uint64_t, TakeKnnBatch<T> const&, Mpi const&,        \
                                          Cuda const&, Cpu const&);                                 \
    template KnnOnRanks<T> knn_in_batches(RankIndex<T> const&, Points<T> const*, KnnOptions const&, \
                                          std::uint64_t, TakeKnnBatch<T> const&);                   \
    template KnnOnRanks<T> knn_in_batches(RankIndex<T> const&, Points<T> const*, KnnOptions const&, \
                                          std::uint64_t, TakeKnnBatch<T> const&, Cuda const&);
ZWALK_KNN_IN_BATCHES(float)
ZWALK_KNN_IN_BATCHES(double)

}  // namespace zwalk::inline v0
