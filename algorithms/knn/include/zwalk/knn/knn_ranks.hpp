// Nearest neighbours on MPI ranks: sorted over ranks, what is needed brought in, then the driver of one process, on any place. For
// algorithms that make something else of neighbours than rows, too.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "zwalk/knn/knn_mpi.hpp"
#include "zwalk/knn/rank_search.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/run/rank_nearest.hpp"

namespace zwalk::inline v0::detail {

/// A search, from rows of all ranks to neighbours of the points that each of them has got. Members are collective.
/// @tparam Place  a RankPlace
template <class T, class Place>
class KnnRanks {
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
            return Place::tree_columns(dim_);
        });
        sources_.emplace(comm_, cpu_, sources, columns, o_.box, o_.tree, stats);
        if (queries) queries_.emplace(*sources_, *queries, stats);
    }

    /// The points that want neighbours.
    [[nodiscard]] RankPoints<T>& asking() { return queries_ ? *queries_ : *sources_; }

    /// take(result, sources) on each rank: with rows in z-order, of positions in these sources; without rows if a visitor sees
    /// the neighbours, which prepare(search, sources) puts there.
    template <class Prepare, class Take>
    void find(bool visited, Prepare const& prepare, Take const& take) {
        visited_ = visited;
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
        search_imported<D>(
            comm_, *place_.place, *sources_, queries_ ? &*queries_ : nullptr, all, o_, visited_,
            [&](auto& search) { prepare(search, all); },
            [&](KnnResult<T>&& found) {
                auto& counts = stats_.counts;
                counts.insert(counts.end(), found.stats.counts.begin(), found.stats.counts.end());
                take(std::move(found), all);
            });
        asking().end_phase("walk");
    }

    Comm& comm_;
    Cpu const& cpu_;
    Place place_;
    KnnOptions const& o_;
    Stats& stats_;
    int dim_;
    bool visited_ = false;
    std::optional<RankPoints<T>> sources_, queries_;
};

}  // namespace zwalk::inline v0::detail
