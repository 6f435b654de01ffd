// Nearest neighbours on MPI ranks: sorted over ranks, what is needed brought in, then the driver of one process, on any place.
#pragma once
#include <optional>
#include <utility>

#include "compiled_dims.hpp"
#include "zwalk/knn/algorithm.hpp"
#include "zwalk/knn/knn_mpi.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/run/rank_nearest.hpp"
#include "zwalk/run/rank_place.hpp"

namespace zwalk::inline v0::detail {

/// A search, from rows of all ranks to neighbours of the points that each of them has got. Members are collective.
/// @tparam Place  a RankPlace
template <class T, class Place>
class KnnRanks {
    using P = typename Place::Type;

  public:
    KnnRanks(Comm& comm, Cpu const& cpu, Place place, KnnOptions const& o, RankInput<T> const& sources,
             Points<T> const* queries, Stats& stats)
        : comm_(comm), cpu_(cpu), place_(place), o_(o), stats_(stats), dim_(sources.dim) {
        agree_on(comm_, {{"k", o_.k},
                         {"exclude_self", o_.exclude_self},
                         {"order", int(o_.order)},
                         {"having queries", bool(queries)},
                         Place::option()});
        int const columns = comm_.attempt([&] {
            check_options(o_, bool(queries));
            if (queries) check_query_columns(queries->dim, dim_);
            Place::check_columns(dim_);
            return compiled_columns<Cpu>(CpuDims{}, dim_);
        });
        sources_.emplace(comm_, cpu_, sources, columns, o_.box, o_.tree, stats);
        if (queries) queries_.emplace(*sources_, *queries, stats);
    }

    /// The points that want neighbours.
    [[nodiscard]] RankPoints<T>& asking() { return queries_ ? *queries_ : *sources_; }

    /// take(result, sources) on each rank: with rows in z-order, of positions in these sources; without rows where a visitor
    /// sees the neighbours, which prepare(search, sources) may have put there.
    template <class Prepare, class Take>
    void find(Prepare const& prepare, Take const& take) {
        Place::template with_columns<void>(dim_, [&]<int D>() { find_in<D>(prepare, take); });
    }

    /// What sources are called.
    Buffer<index_t> names_of(ImportedPoints<T>& all) { return sources_->names_of(all, o_.order); }
    /// With Order::z and queries: the rows of the input that are this rank's sources.
    Buffer<index_t> take_source_order() {
        if (!queries_ || o_.order == Order::input) return {};
        return sources_->take_input_index();
    }

  private:
    template <int D, class Prepare, class Take>
    void find_in(Prepare const& prepare, Take const& take) {
        auto const n = pos_t(std::min<std::uint64_t>(sources_->size(), max_points));
        auto all =
            import_for_nearest(asking(), *sources_, attainable_k(std::size_t(o_.k), n), o_.exclude_self);
        sources_->drop_tree();
        asking().drop_tree();
        P& place = *place_.place;
        KnnSearch<T, P> search{{.k = o_.k, .exclude_self = o_.exclude_self, .order = Order::z}};
        auto const check = [&](std::uint64_t available) {
            check_memory(place, all.tree.size(), D, search, available);
        };
        run_on(comm_, place, *sources_, all.tree, D, check, [&](RunPoints<T, P>& kept) {
            prepare(search, all);
            auto sorted = queries_ ? sorted_queries(place) : Queries<T, P>{};
            if (queries_) search.queries = &sorted;
            else search.targets = all.targets;
            auto found = Instance<KnnAlgorithm, D, T, P>::run(place, kept, search);
            auto& counts = stats_.counts;
            counts.insert(counts.end(), found.stats.counts.begin(), found.stats.counts.end());
            KnnResult<T> here;
            here.rows = found.rows;
            download(place, here.indices, std::move(found.indices));
            download(place, here.distances, std::move(found.distances));
            take(std::move(here), all);
        });
        asking().end_phase("walk");
    }

    Queries<T, P> sorted_queries(P& place) {
        Queries<T, P> sorted{bring_queries(place, *queries_)};
        if constexpr (!is_device<P>) {
            sorted.order = Buffer<pos_t>(sorted.points.size);
            cpu_.for_each(sorted.points.size, Iota{sorted.order.data()});
        }
        return sorted;
    }
    /// As if own points were queries, since there may be many more sources.
    void check_memory(P& device, std::size_t sources, int columns, KnnSearch<T, P> const& search,
                      std::uint64_t available) {
        if constexpr (is_device<P>) {
            SearchShape const shape{.points = sources,
                                    .queries = asking().size_here(),
                                    .columns = columns,
                                    .item_bytes = sizeof(T),
                                    .tree = sources_->options(),
                                    .memory_budget = Preparation<T, P>::memory_budget(device)};
            SearchNeed const need = KnnAlgorithm::device_need(shape, search);
            check_device_memory(need.what, std::max(need.build, need.most), available);
        }
    }

    Comm& comm_;
    Cpu const& cpu_;
    Place place_;
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

/// All neighbours, in rows. Collective.
template <class T, class Place>
KnnOnRanks<T> find_on_ranks(Comm& comm, Cpu const& cpu, Place place, KnnOptions const& o,
                            RankInput<T> const& sources,
                            std::type_identity_t<Points<T>> const* queries) {
    KnnOnRanks<T> r;
    KnnRanks<T, Place> ranks(comm, cpu, place, o, sources, queries, r.stats);
    r.columns = std::size_t(o.k);
    ranks.find([](auto&, auto&) {},
               [&](KnnResult<T> found, auto& all) {
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

}  // namespace zwalk::inline v0::detail
