// Nearest neighbours on MPI ranks: points are sorted over ranks, those needed are imported, then the driver of one process runs,
// on any place. For algorithms that make something else of neighbours than rows, too.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "zwalk/knn/knn.hpp"
#include "zwalk/knn/rank_search.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/run/counts.hpp"
#include "zwalk/run/device_rows.hpp"
#include "zwalk/run/rank_nearest.hpp"

namespace zwalk::inline v0::detail {

/// Where neighbours get names that hold on all ranks: on the host; or on the device, and go home straight from there, or don't.
enum class Naming { here, there_and_home, there };

/// A search, from rows of all ranks to neighbours of the points that each of them has got. Members are collective.
/// @tparam Place  a RankPlace
template <class T, class Place>
class KnnRanks {
  public:
    using P = typename Place::Type;

    KnnRanks(Comm& comm, Cpu const& cpu, Place place, KnnOptions const& o, RankInput<T> const& sources,
             Points<T> const* queries, Stats& stats, Naming naming = Naming::here)
        : comm_(comm),
          cpu_(cpu),
          place_(place),
          o_(o),
          stats_(stats),
          naming_(naming),
          dim_(sources.dim) {
        agree_on(comm_, {{"k", o_.k},
                         {"exclude_self", o_.exclude_self},
                         {"within", o_.within},
                         {"order", int(o_.order)},
                         {"having queries", bool(queries)},
                         {"gpu_aware", comm_.gpu_aware()},
                         Place::option()});
        if constexpr (is_device<P>)
            if (naming_ == Naming::there_and_home) check_gpu_aware(*place_.place, comm_, cpu_);
        int const columns = comm_.attempt([&] {
            check_options(o_, bool(queries));
            if (queries) check_query_columns(queries->dim, dim_);
            return Place::tree_columns(dim_);
        });
        sources_.emplace(comm_, cpu_, sources, columns, o_.box, o_.tree, stats);
        if (queries) queries_.emplace(*sources_, *queries, stats);
    }

    /// The points whose neighbours are searched.
    [[nodiscard]] RankPoints<T>& asking() { return queries_ ? *queries_ : *sources_; }

    /// take(result, sources) on each rank: a KnnResult<T, P> with rows in z-order, of positions in these sources; without rows if a
    /// visitor sees the neighbours, which prepare(search, sources) puts there.
    template <class Prepare, class Take>
    void find(bool visited, Prepare const& prepare, Take const& take) {
        visited_ = visited;
        Place::template with_columns<void>(dim_, [&]<int D>() { find_in<D>(prepare, take); });
    }

    /// Calls take(result, sources) for one part of the points after another, each of which is walked as queries are; all that
    /// they need is imported before. No visitor sees neighbours on their way.
    /// @param spare    one neighbour more is found than there shall be
    /// @param prepare  prepare(sources)
    /// @param at       at(part): own positions of its points, ascending, as a span
    /// @param take     take(result, sources), with the rows on the host
    /// @param end      end(), collective, after each part
    template <class Prepare, class At, class Take, class End>
    void find_parts(std::uint64_t parts, bool spare, Prepare const& prepare, At const& at,
                    Take const& take, End const& end) {
        Place::template with_columns<void>(dim_, [&]<int D>() {
            auto all = import_all();
            comm_.agree([&] { prepare(all); });
            KnnOptions const asked{.k = o_.k + spare, .within = o_.within};
            for (std::uint64_t part = 0; part < parts; ++part) {
                auto const rows = comm_.agree([&] { return rows_at(at(part)); });
                Points<T> const queries(rows.data(), rows.size() / std::size_t(dim_), dim_);
                search<D>(
                    &queries, all, asked, [](auto&) {},
                    [&](KnnResult<T, P>&& found, auto&) {
                        take(rows_here(*place_.place, std::move(found)), all);
                    });
                end();
            }
        });
    }

    /// The names of sources.
    Buffer<index_t> names_of(ImportedPoints<T>& all) { return sources_->names_of(all, o_.order); }
    /// With Order::z and queries: the rows of the input that are this rank's sources.
    Buffer<index_t> take_source_order() {
        if (!queries_ || o_.order == Order::input) return {};
        return sources_->take_input_index();
    }

  private:
    template <int D, class Prepare, class Take>
    void find_in(Prepare const& prepare, Take const& take) {
        auto all = import_all();
        auto const queries = queries_ ? queries_->own().points.points() : Points<T>{};
        search<D>(
            queries_ ? &queries : nullptr, all, o_, [&](auto& search) { prepare(search, all); }, take);
    }
    ImportedPoints<T> import_all() {
        auto const n = pos_t(std::min<std::uint64_t>(sources_->size(), max_points));
        NearestSearch const wanted{.within = scaled_within(o_.within, sources_->unit())};
        auto all = import_for_nearest(asking(), *sources_, attainable_k(std::size_t(o_.k), n),
                                      o_.exclude_self, wanted.template limit2<T>());
        sources_->drop_tree();
        asking().drop_tree();
        return all;
    }
    template <int D, class Prepare, class Take>
    void search(Points<T> const* queries, ImportedPoints<T>& all, KnnOptions const& o,
                Prepare const& prepare, Take const& take) {
        std::uint64_t const targets = asking().size_here(),
                            names = sizeof(index_t) * std::uint64_t(all.tree.size()),
                            beside = naming_ == Naming::here    ? 0
                                     : naming_ == Naming::there ? names + sizeof(index_t) * targets
                                                                : names + bytes_of_messages(targets);
        search_imported<D>(
            comm_, *place_.place, *sources_, queries, all, o, visited_, prepare,
            [&](KnnResult<T, P>&& found) {
                add_walk(stats_.counts, found.stats.counts);
                take(std::move(found), all);
            },
            beside);
        asking().end_phase("walk");
    }
    /// The rows of the searching points at these own positions.
    Buffer<T> rows_at(std::span<pos_t const> at) {
        auto const& rows = asking().own().points.rows;
        auto const dim = std::size_t(dim_);
        Buffer<T> some(at.size() * dim);
        cpu_.for_each(at.size(), [&](std::size_t i) {
            std::copy_n(rows.data() + at[i] * dim, dim, some.data() + i * dim);
        });
        return some;
    }

    Comm& comm_;
    Cpu const& cpu_;
    Place place_;
    KnnOptions const& o_;
    Stats& stats_;
    Naming naming_;
    int dim_;
    bool visited_ = false;
    std::optional<RankPoints<T>> sources_, queries_;
};

}  // namespace zwalk::inline v0::detail
