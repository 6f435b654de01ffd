// DBSCAN on MPI ranks: which points are core points; their groups; and border points to those. Each step is what one process
// does, over points that were imported for it, on any place.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "zwalk/dbscan/dbscan_mpi.hpp"
#include "zwalk/fof/rank_groups.hpp"
#include "zwalk/knn/rank_search.hpp"
#include "zwalk/ranks/labels.hpp"
#include "zwalk/run/rank_nearest.hpp"
#include "zwalk/run/rank_within.hpp"

namespace zwalk::inline v0::detail {

/// A border point on its way to its nearest core point.
struct Border {
    pos_t core;   ///< number of that point among those of its rank
    index_t row;  ///< of the border point in the input
};

/// The numbers i with flag[i] == value, of the points `at` if there are such.
inline Buffer<pos_t> flagged(Buffer<std::uint8_t> const& flag, std::uint8_t value,
                             Buffer<pos_t> const* at = nullptr) {
    Buffer<pos_t> found(std::size_t(std::count(flag.begin(), flag.end(), value)));
    auto next = found.begin();
    for (pos_t i = 0; i < flag.size(); ++i)
        if (flag[i] == value) *next++ = at ? (*at)[i] : i;
    return found;
}

/// Clusters. Members are collective.
/// @tparam Place  a RankPlace
template <class T, class Place>
class DbscanRanks {
    using P = typename Place::Type;

  public:
    DbscanRanks(Comm& comm, Cpu const& cpu, Place place, DbscanOptions const& o)
        : comm_(comm), cpu_(cpu), place_(place), o_(o) {}

    DbscanOnRanks run(RankInput<T> const& local) {
        agree_on(comm_, {{"epsilon", o_.epsilon},
                         {"min_samples", o_.min_samples},
                         {"order", int(o_.order)},
                         Place::option()});
        int const columns = comm_.attempt([&] {
            DbscanAlgorithm::check<T>(o_, local.rows);
            return Place::tree_columns(local.dim);
        });
        RankPoints<T> points(comm_, cpu_, local, columns, o_.box, DbscanAlgorithm::tree_options<P>(o_),
                             r_.stats);
        epsilon_ = points.unit().limit(o_.epsilon);
        Place::template with_columns<void>(local.dim, [&]<int D>() { find<D>(points); });
        comm_.agree([&] {
            r_.stats.counts.insert(
                r_.stats.counts.end(),
                {{"clusters", r_.clusters}, {"core_points", r_.core_points}, {"noise", r_.noise}});
        });
        points.hand_over(r_, o_.order, [&] {
            points.bring_home(r_.labels);
            points.bring_home(r_.core);
        });
        return std::move(r_);
    }

  private:
    using Set = RankPoints<T>;

    template <int D>
    void find(Set& points) {
        r_.core = find_core<D>(points);
        auto const core_at = comm_.attempt([&] { return flagged(r_.core, 1); });
        r_.core_points = total(core_at.size());
        points.end_phase("core");
        comm_.agree([&] {
            r_.labels = Buffer<index_t>(points.size_here());
            std::fill(r_.labels.begin(), r_.labels.end(), -1);
        });
        r_.noise = points.size() - r_.core_points;
        if (r_.core_points == 0) return;

        Set core(points, core_at, nullptr);
        auto const groups = group<D>(core);
        points.end_phase("clusters");
        auto const border_at = r_.noise > 0 ? find_borders<D>(points, core) : Buffer<pos_t>();
        auto const borders = total(border_at.size());
        r_.noise -= borders;
        Buffer<index_t> nearest;  // core points, by their numbers among all
        if (borders > 0) nearest = find_nearest<D>(points, core, border_at);
        points.end_phase("borders");
        label(points, core, core_at, groups, border_at, nearest);
        points.end_phase("labels");
    }
    std::uint64_t total(std::uint64_t own) { return comm_.reduce_all(own, std::plus<>()); }

    template <int D>
    Buffer<std::uint8_t> find_core(Set& points) {
        auto const n = points.size();
        comm_.agree([&] {
            if (std::uint64_t(o_.min_samples) <= n && std::uint64_t(o_.min_samples) > max_points)
                throw InputError(fmt::format("min_samples must be at most {}, but is {}", max_points,
                                             o_.min_samples));
        });
        if (std::uint64_t(o_.min_samples) > n)
            return comm_.agree([&] {
                Buffer<std::uint8_t> none(points.size_here());
                std::fill(none.begin(), none.end(), std::uint8_t(0));
                return none;
            });
        return have_enough<D>(points, points, pos_t(o_.min_samples));
    }
    /// Flags of `points`: 1 for those that have `enough` of `sources` within epsilon.
    template <int D>
    Buffer<std::uint8_t> have_enough(Set& points, Set& sources, pos_t enough) {
        auto all = import_counted_within(points, sources, T(epsilon_));
        bool const same = &points == &sources;
        EnoughPart<T, P> part{.some = same ? all.targets : TargetNodes{},
                              .size = points.size_here(),
                              .enough = enough,
                              .sources = pos_t(std::min<std::uint64_t>(sources.size(), no_pos)),
                              .known = &all.known};
        P& place = *place_.place;
        Buffer<std::uint8_t> flags;
        auto const check = [&](std::uint64_t available) {
            check_memory(all.tree.size(), part.size, same, D, available);
        };
        run_on(comm_, place, sources, all.tree, D, check, [&](RunPoints<T, P>& kept) {
            Tree<T, P> others;
            if (!same) part.targets = tree_on(place, points.own().tree, D, others);
            DbscanTask<T, P> task(o_);
            task.options.epsilon = epsilon_;
            task.part = &part;
            download(place, flags, Instance<DbscanAlgorithm, D, T, P>::run(place, kept, task).core);
        });
        return flags;
    }
    /// Checks the memory for sources, and for targets, which may be some of them: trees, and what the walk has of each target.
    void check_memory(std::size_t sources, std::size_t targets, bool same, int columns,
                      std::uint64_t available) const {
        auto const bytes = device_tree_bytes(columns, sizeof(T), o_.tree);
        double const trees = double(sources) + (same ? 0 : double(targets)), flag = 1;
        double const need = trees * bytes.tree + double(targets) * (bytes.walk + flag);
        check_device_memory(DbscanAlgorithm::name, sources + (same ? 0 : targets),
                            whole_bytes(device_tree_padding + need), available);
    }

    /// Core points that chains connect.
    template <int D>
    JoinedGroups group(Set& core) {
        auto all = import_pairs_within(core, T(epsilon_));
        auto root = find_roots<D>(comm_, *place_.place, core, all.tree,
                                  {.linking_length = epsilon_, .tree = o_.tree});
        return join_groups(comm_, cpu_, std::move(root), {all.first, all.from, all.position},
                           core.ranks());
    }

    /// Positions of the points that are no core points, but have one within epsilon.
    template <int D>
    Buffer<pos_t> find_borders(Set& points, Set& core) {
        auto const other_at = comm_.agree([&] { return flagged(r_.core, 0); });
        Set others(points, other_at, &core);
        auto const near = have_enough<D>(others, core, 1);
        return comm_.agree([&] { return flagged(near, 1, &other_at); });
    }
    template <int D>
    Buffer<index_t> find_nearest(Set& points, Set& core, Buffer<pos_t> const& border_at) {
        Set border(points, border_at, &core);
        auto all = import_for_nearest(border, core, 1, false);
        auto const queries = border.own().points.points();
        Buffer<index_t> nearest;
        search_imported<D>(
            comm_, *place_.place, core, &queries, all, {.k = 1}, false, [](auto&) {},
            [&](auto&& found) {
                nearest = rows_here(*place_.place, std::move(found)).indices;
                for (index_t& source : nearest) source = all.input_index[std::size_t(source)];
            });
        return nearest;
    }

    /// Sends the rows of border points to their core points, labels clusters by their least rows, and brings the labels back.
    void label(Set& points, Set& core, Buffer<pos_t> const& core_at, JoinedGroups const& groups,
               Buffer<pos_t> const& border_at, Buffer<index_t> const& nearest) {
        auto const step = comm_.step("borders");
        auto const& input_index = points.own().points.input_index;
        Buffer<index_t> least;        // of core points: their own row, or that of a border point
        std::vector<std::size_t> at;  // of records: which border point it is
        Buffer<Border> out;
        auto const sent = comm_.attempt([&] {
            least = Buffer<index_t>(core_at.size());
            for (std::size_t i = 0; i < least.size(); ++i) least[i] = input_index[core_at[i]];
            return make_records(core.ranks(), input_index, border_at, nearest, at, out);
        });
        Routes const routes = comm_.routes(sent);
        auto const in = comm_.exchange(routes, std::span<Border const>(out));
        for (Border const& b : in) least[b.core] = std::min(least[b.core], b.row);
        auto const found = label_groups(comm_, cpu_, groups, least, core.ranks());
        r_.clusters = found.groups;
        auto const answers = comm_.attempt([&] {
            Buffer<index_t> labels(in.size());
            for (std::size_t i = 0; i < in.size(); ++i) labels[i] = found.labels[in[i].core];
            return labels;
        });
        auto const labels = comm_.exchange(routes.back(), std::span<index_t const>(answers));
        for (std::size_t i = 0; i < core_at.size(); ++i) r_.labels[core_at[i]] = found.labels[i];
        for (std::size_t i = 0; i < at.size(); ++i) r_.labels[border_at[at[i]]] = labels[i];
    }
    /// Border points by the rank that has their nearest core point; where the records for each rank begin.
    std::vector<std::uint64_t> make_records(Ranks const& core, Buffer<index_t> const& input_index,
                                            Buffer<pos_t> const& border_at,
                                            Buffer<index_t> const& nearest, std::vector<std::size_t>& at,
                                            Buffer<Border>& out) const {
        std::vector<std::uint64_t> begin(std::size_t(comm_.size()) + 1);
        std::vector<int> rank(nearest.size());
        for (std::size_t i = 0; i < nearest.size(); ++i) {
            rank[i] = core.rank_of_position(std::uint64_t(nearest[i]));
            ++begin[std::size_t(rank[i]) + 1];
        }
        for (std::size_t r = 1; r < begin.size(); ++r) begin[r] += begin[r - 1];
        out = Buffer<Border>(nearest.size());
        at.resize(nearest.size());
        auto next = begin;
        for (std::size_t i = 0; i < nearest.size(); ++i) {
            auto const record = next[std::size_t(rank[i])]++;
            at[record] = i;
            out[record] = {pos_t(std::uint64_t(nearest[i]) - core.positions_before(rank[i])),
                           input_index[border_at[i]]};
        }
        return begin;
    }

    Comm& comm_;
    Cpu const& cpu_;
    Place place_;
    DbscanOptions const& o_;
    double epsilon_ = 0;  // in the unit of the points
    DbscanOnRanks r_;
};

}  // namespace zwalk::inline v0::detail
