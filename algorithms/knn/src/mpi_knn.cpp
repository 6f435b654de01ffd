// Nearest neighbours on MPI ranks: sorted over ranks, what is needed brought in, then the driver of one process.
#include <optional>

#include "compiled_dims.hpp"
#include "zwalk/knn/algorithm.hpp"
#include "zwalk/knn/knn_mpi.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/run/rank_nearest.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk::inline v0 {
namespace detail {
namespace {

/// A search, from rows of all ranks to neighbours of the points that each of them has got. Members are collective.
template <class T>
class KnnRanks {
  public:
    KnnRanks(Comm& comm, Cpu const& cpu, KnnOptions const& o, RankInput<T> const& sources,
             Points<T> const* queries, Stats& stats)
        : comm_(comm), cpu_(cpu), o_(o), stats_(stats), dim_(sources.dim) {
        agree_on(comm_, {{"k", o_.k},
                         {"exclude_self", o_.exclude_self},
                         {"order", int(o_.order)},
                         {"having queries", bool(queries)}});
        int const columns = comm_.attempt([&] {
            check_options(o_, bool(queries));
            if (queries) check_query_columns(queries->dim, dim_);
            return compiled_columns<Cpu>(CpuDims{}, dim_);
        });
        sources_.emplace(comm_, cpu_, sources, columns, o_.box, o_.tree, stats);
        if (queries) queries_.emplace(*sources_, *queries, stats);
    }

    /// The points that want neighbours.
    [[nodiscard]] RankPoints<T>& asking() { return queries_ ? *queries_ : *sources_; }

    /// take(result, sources) on each rank: with rows in z-order, of positions in these sources; without rows where a visitor
    /// sees the neighbours. visitor_of(sources) makes it.
    template <class VisitorOf, class Take>
    void find(VisitorOf const& visitor_of, Take const& take) {
        with_dim<void>(CpuDims{}, dim_, [&]<int D>() { find_in<D>(visitor_of, take); });
    }

    /// What sources are called.
    Buffer<index_t> names_of(ImportedPoints<T>& all) { return sources_->names_of(all, o_.order); }
    /// With Order::z and queries: the rows of the input that are this rank's sources.
    Buffer<index_t> take_source_order() {
        if (!queries_ || o_.order == Order::input) return {};
        return sources_->take_input_index();
    }

  private:
    template <int D, class VisitorOf, class Take>
    void find_in(VisitorOf const& visitor_of, Take const& take) {
        auto const n = pos_t(std::min<std::uint64_t>(sources_->size(), max_points));
        auto all =
            import_for_nearest(asking(), *sources_, attainable_k(std::size_t(o_.k), n), o_.exclude_self);
        sources_->drop_tree();
        asking().drop_tree();
        sources_->run_on(all.tree, [&](RunPoints<T, Cpu>& kept) {
            KnnSearch<T, Cpu> search{{.k = o_.k, .exclude_self = o_.exclude_self, .order = Order::z}};
            search.visitor = visitor_of(all);
            Queries<T, Cpu> sorted;
            if (queries_) {
                sorted.points = queries_->own().points.points();
                sorted.order = Buffer<pos_t>(sorted.points.size);
                cpu_.for_each(sorted.points.size, Iota{sorted.order.data()});
                search.queries = &sorted;
            } else {
                search.targets = all.targets;
            }
            Cpu place = cpu_;
            auto found = Instance<KnnAlgorithm, D, T, Cpu>::run(place, kept, search);
            auto& counts = stats_.counts;
            counts.insert(counts.end(), found.stats.counts.begin(), found.stats.counts.end());
            take(std::move(found), all);
        });
        asking().end_phase("walk");
    }

    Comm& comm_;
    Cpu const& cpu_;
    KnnOptions const& o_;
    Stats& stats_;
    int dim_;
    std::optional<RankPoints<T>> sources_, queries_;
};

/// Positions in the tree become names.
struct NameSources {
    index_t* index;
    index_t const* names;
    void operator()(std::size_t i) const {
        if (index[i] >= 0) index[i] = names[index[i]];
    }
};

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
    KnnOnRanks<T> r;
    KnnRanks<T> ranks(comm, cpu, o, sources, queries, r.stats);
    r.columns = std::size_t(o.k);
    auto const no_visitor = [](auto&) { return NeighbourVisitor<T>{}; };
    ranks.find(no_visitor, [&](KnnResult<T> found, auto& all) {
        auto const names = ranks.names_of(all);
        cpu.for_each(found.indices.size(), NameSources{found.indices.data(), names.data()});
        r.rows = found.rows;
        r.indices = std::move(found.indices);
        r.distances = std::move(found.distances);
    });
    r.source_order = ranks.take_source_order();
    ranks.asking().hand_over(r, o.order, [&] {
        ranks.asking().bring_home(r.indices, r.columns);
        ranks.asking().bring_home(r.distances, r.columns);
        r.rows = ranks.asking().rows();
    });
    return r;
}

template <class T>
KnnVisitedOnRanks visit_knn(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                            RankVisitor<T> const& visitor, KnnOptions const& o, Mpi const& mpi,
                            Cpu const& cpu) {
    Comm comm(mpi);
    KnnVisitedOnRanks r;
    KnnRanks<T> ranks(comm, cpu, o, sources, queries, r.stats);
    NamedVisitor<T> named{visitor, {}, nullptr};
    auto const visitor_of = [&](auto& all) {
        auto const& rows = ranks.asking().own().points.input_index;
        named.names = ranks.names_of(all);
        named.row = o.order == Order::input ? rows.data() : nullptr;
        return make_visitor<T>(named);
    };
    ranks.find(visitor_of, [&](KnnResult<T> const& found, auto&) { r.rows = found.rows; });
    ranks.asking().hand_over(r, o.order, [] {});
    return r;
}

template <class T>
KnnReducedOnRanks<T> reduce_knn(RankInput<T> const& sources,
                                std::type_identity_t<Points<T>> const* queries,
                                RankReducer<T> const& reducer, KnnOptions const& o, Mpi const& mpi,
                                Cpu const& cpu) {
    Comm comm(mpi);
    KnnReducedOnRanks<T> r;
    reducer.agree(comm);
    KnnRanks<T> ranks(comm, cpu, o, sources, queries, r.stats);
    T* const value = comm.agree([&] {
        r.values = Buffer<T>(ranks.asking().size_here());
        return r.values.data();
    });
    ranks.find([&](auto&) { return reducer.into(value); }, [](KnnResult<T> const&, auto&) {});
    ranks.asking().hand_over(r, o.order, [&] { ranks.asking().bring_home(r.values); });
    return r;
}

#define ZWALK_KNN_ON_RANKS(T)                                                                          \
    template KnnOnRanks<T> find_knn(RankInput<T> const&, Points<T> const*, KnnOptions const&,          \
                                    Mpi const&, Cpu const&);                                           \
    template KnnVisitedOnRanks visit_knn(RankInput<T> const&, Points<T> const*, RankVisitor<T> const&, \
                                         KnnOptions const&, Mpi const&, Cpu const&);                   \
    template KnnReducedOnRanks<T> reduce_knn(RankInput<T> const&, Points<T> const*,                    \
                                             RankReducer<T> const&, KnnOptions const&, Mpi const&,     \
                                             Cpu const&);
ZWALK_KNN_ON_RANKS(float)
ZWALK_KNN_ON_RANKS(double)

}  // namespace detail
}  // namespace zwalk::inline v0
