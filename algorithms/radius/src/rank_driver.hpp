// Radius search on MPI ranks: points are sorted over ranks, those needed are imported, then the driver of one process runs, on
// any place.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "images.hpp"
#include "rank_radii.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/run/rank_lists.hpp"
#include "zwalk/run/rank_place.hpp"
#include "zwalk/run/rank_within.hpp"

namespace zwalk::inline v0::detail {

/// Shows a user's object lists of rows of the input instead of a rank's numbers.
template <class T>
struct NamedRows {
    ListVisitor<T> visitor;
    index_t const* row;

    void operator()(index_t number, NearestFirst<T> const& list) const {
        visitor.call(visitor.object, row[number], list);
    }
};

/// A search. Members are collective.
/// @tparam Place  a RankPlace
template <class T, class Place>
class RadiusRanks {
    using P = typename Place::Type;

  public:
    /// @param visitor  of a visit, which is for threads
    RadiusRanks(Comm& comm, Cpu const& cpu, Place place, RadiusOptions const& o, RadiusWork work,
                ListVisitor<T> const& visitor)
        : comm_(comm), cpu_(cpu), place_(place), o_(o), work_(work), visitor_(visitor) {}

    RadiusOnRanks<T> run(RankInput<T> const& sources, Points<T> const* queries) {
        int const columns = check(sources, queries);
        sources_.emplace(comm_, cpu_, sources, columns, o_.box, o_.tree, r_.stats);
        if (queries) queries_.emplace(*sources_, *queries, r_.stats);
        radius_ = sources_->unit().limit(o_.radius);
        Place::template with_columns<void>(sources.dim, [&]<int D>() { find<D>(); });
        if (queries && o_.order == Order::z) r_.source_order = sources_->take_input_index();
        asking().hand_over(r_, o_.order, [&] { bring_home(); });
        return std::move(r_);
    }

  private:
    [[nodiscard]] RankPoints<T>& asking() { return queries_ ? *queries_ : *sources_; }

    /// @returns  compiled columns
    int check(RankInput<T> const& sources, Points<T> const* queries) {
        agree_on(comm_, {{"the radius", o_.radius},
                         {"larger", o_.larger},
                         {"images", o_.images},
                         {"exclude_self", o_.exclude_self},
                         {"distances", o_.distances},
                         {"order", int(o_.order)},
                         {"having queries", bool(queries)},
                         Place::option()});
        std::size_t const rows = queries ? queries->size : sources.rows;
        std::uint64_t first_row = 0;
        each_ = !o_.radii.empty();
        if (o_.radius == 0) {  // else there are none, or all are refused
            // A rank without rows has no radii either way.
            each_ = comm_.reduce_all(int(each_), std::plus<>()) > 0;
            if (each_) first_row = comm_.offsets(rows)[std::size_t(comm_.rank())];
        }
        return comm_.attempt([&] {
            refuse_images(o_, "ranks");
            check_number_of_radii(o_, rows, bool(queries), each_);
            check_radius_options<T>(o_, bool(queries), each_, first_row);
            if (queries) check_query_columns(queries->dim, sources.dim);
            return Place::tree_columns(sources.dim);
        });
    }
    template <int D>
    void find() {
        // A trait counts in 32 bits: more sources than that must all be imported, which is checked.
        bool const counts =
            work_ == RadiusWork::count && sources_->size() <= std::numeric_limits<pos_t>::max();
        if (each_) return find_by_radii<D>(counts);
        if (counts) {
            auto all = import_counted_within(asking(), *sources_, T(radius_));
            return search<D, false>(all, &all.known);
        }
        auto all = import_within(asking(), *sources_, T(radius_));
        search<D, false>(all, nullptr);
    }
    template <int D>
    void find_by_radii(bool counts) {
        auto const rows = comm_.agree(
            [&] { return cpu_.run([&] { return own_radii<T>(o_.radii, sources_->unit()); }); });
        auto const own = asking().rows_sorted(std::span<OwnRadius<T> const>(rows));
        T const most2 = comm_.reduce_all(largest_of<T>(own), [](T a, T b) { return std::max(a, b); });
        auto all = import_radii<T>(comm_, asking(), *sources_, own, o_.larger, counts);
        search<D, true>(all, counts ? &all.known : nullptr, queries_ ? own : all.radii, most2);
    }
    /// @param radii, most2  as RadiusTask has them
    template <int D, bool each, class Known>
    void search(ImportedPoints<T>& all, Known known, std::span<OwnRadius<T> const> radii = {},
                T most2 = 0) {
        sources_->drop_tree();
        asking().drop_tree();
        P& place = *place_.place;
        auto const check = [&](std::uint64_t available) { check_memory(all.tree.size(), D, available); };
        auto const names = comm_.attempt([&] {
            auto of_positions = sources_->names_of(all, o_.order);
            if constexpr (is_device<P>) return number_by_name(of_positions, all.tree.input);
            else return of_positions;
        });
        run_on(comm_, place, *sources_, all.tree, D, check, [&](RunPoints<T, P>& kept) {
            using Search = RadiusSearch<each>;
            RadiusTask<T, P, each> task{.options = o_, .work = work_, .visitor = visitor_};
            task.options.order = Order::z;
            task.own_radii = radii;
            task.most2 = most2;
            // Nodes of others that came without points can't be told from those of a target by position; take() leaves the
            // point itself out.
            if (work_ == RadiusWork::count) task.options.exclude_self = false;
            NamedRows<T> const named{visitor_, asking().own().points.input_index.data()};
            if (visitor_ && o_.order == Order::input) task.visitor = make_list_visitor<T>(named);
            Search::to_unit(task, sources_->unit());
            auto const queries =
                queries_ ? bring_queries(place, queries_->own().points.points()) : Brought<T, P>{};
            if (queries_) task.queries = &queries.points;
            task.part.targets = queries_ ? TargetNodes{} : all.targets;
            task.part.lists = asking().size_here();
            task.part.known = known;
            if constexpr (is_device<P>) {
                task.part.numbered = true;
                take(to_host<RadiusResult<T>>(place, Instance<Search, D, T, P>::run(place, kept, task)));
                for (index_t& source : r_.indices) source = names[std::size_t(source)];
            } else {
                task.part.source_names = names.data();
                take(Instance<Search, D, T, P>::run(place, kept, task));
            }
        });
        asking().end_phase("walk");
    }
    /// Lists are asked for when their sizes are known. As if own points were queries, since there may be many more sources.
    void check_memory(std::size_t sources, int columns, std::uint64_t available) {
        SearchNeed const need = radius_need({.points = sources,
                                             .queries = asking().size_here(),
                                             .columns = columns,
                                             .item_bytes = sizeof(T),
                                             .tree = sources_->options()},
                                            each_);
        check_device_memory(need.what, std::max(need.build, need.most), available);
    }
    void take(RadiusResult<T>&& found) {
        auto& counts = r_.stats.counts;
        counts.insert(counts.end(), found.stats.counts.begin(), found.stats.counts.end());
        r_.counts = std::move(found.counts);
        r_.offsets = std::move(found.offsets);
        r_.indices = std::move(found.indices);
        r_.distances = std::move(found.distances);
        sources_->from_unit(r_.distances);
        r_.found = found.found;
        if (work_ != RadiusWork::count || !o_.exclude_self) return;
        for (index_t& n : r_.counts) --n;
        r_.found -= r_.counts.size();
    }
    void bring_home() {
        if (work_ == RadiusWork::count) {
            asking().bring_home(r_.counts);
            r_.found = std::accumulate(r_.counts.begin(), r_.counts.end(), size_type(0));
        } else if (work_ == RadiusWork::search) {
            auto lists = lists_home<T>(
                comm_, cpu_, asking().own().points.travel, asking().rows(),
                {std::move(r_.offsets), std::move(r_.indices), std::move(r_.distances)}, o_.distances);
            r_.offsets = std::move(lists.offsets);
            r_.indices = std::move(lists.rows);
            r_.distances = std::move(lists.distances);
            r_.found = r_.indices.size();
        }
    }

    Comm& comm_;
    Cpu const& cpu_;
    Place place_;
    RadiusOptions const& o_;
    double radius_ = 0;  // in the unit of the points
    RadiusWork work_;
    ListVisitor<T> const& visitor_;
    bool each_ = false;  // targets have radii of their own
    std::optional<RankPoints<T>> sources_, queries_;
    RadiusOnRanks<T> r_;
};

}  // namespace zwalk::inline v0::detail
