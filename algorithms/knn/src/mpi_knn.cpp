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
            d2.push_back(found.scaled_distance2(i));
        }
        visitor.call(
            visitor.object, row ? row[number] : number,
            NeighbourRow<T>(d2.data(), index.data(), pos_t(found.size()), nullptr, found.unit()));
    }
};

}  // namespace

template <class T>
KnnResult<T, Mpi> find_knn(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                           KnnOptions const& o, RankCall const& call) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&](Comm& comm, auto place) {
        return find_on_ranks(comm, call.cpu, place, o, sources, queries);
    });
}

template <class T>
KnnResult<T, Mpi> find_knn_in_batches(RankInput<T> const& sources,
                                      std::type_identity_t<Points<T>> const* queries,
                                      KnnOptions const& o, std::uint64_t bytes,
                                      std::type_identity_t<TakeKnnBatch<T>> const& take,
                                      RankCall const& call) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&](Comm& comm, auto place) {
        return find_in_batches<T>(comm, call.cpu, place, o, sources, queries, bytes, take);
    });
}

template <class T>
KnnResult<T, Mpi> find_knn(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                           KnnOptions const& o, RankCall const& call, RankVisitor<T> const& visitor) {
    // A user's object is compiled for threads alone.
    return on_ranks(call, Dims<>{}, CpuDims{}, [&](Comm& comm, auto place) {
        KnnResult<T, Mpi> r;
        KnnRanks ranks(comm, call.cpu, place, o, sources, queries, r.stats);
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
    });
}

template <class T>
KnnResult<T, Mpi> find_knn(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                           KnnOptions const& o, RankCall const& call,
                           RankRunVisitor<T, CudaDevice> const& visitor) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&](Comm& comm, auto place) {
        if constexpr (is_device<typename decltype(place)::Type>)
            return visit_on_ranks(comm, call.cpu, place, o, sources, queries, visitor);
        comm.agree([] {});  // fails: there is no GPU in this build
        return KnnResult<T, Mpi>{};
    });
}

#define ZWALK_KNN_ON_RANKS(T)                                                                     \
    template KnnResult<T, Mpi> find_knn(RankInput<T> const&, Points<T> const*, KnnOptions const&, \
                                        RankCall const&);                                         \
    template KnnResult<T, Mpi> find_knn_in_batches(RankInput<T> const&, Points<T> const*,         \
                                                   KnnOptions const&, std::uint64_t,              \
                                                   TakeKnnBatch<T> const&, RankCall const&);      \
    template KnnResult<T, Mpi> find_knn(RankInput<T> const&, Points<T> const*, KnnOptions const&, \
                                        RankCall const&, RankVisitor<T> const&);                  \
    template KnnResult<T, Mpi> find_knn(RankInput<T> const&, Points<T> const*, KnnOptions const&, \
                                        RankCall const&, RankRunVisitor<T, CudaDevice> const&);
ZWALK_KNN_ON_RANKS(float)
ZWALK_KNN_ON_RANKS(double)

}  // namespace detail
}  // namespace zwalk::inline v0
