// emst() on MPI ranks: trees of each rank by the driver of one process, on any place; those of their edges that are in the tree
// of all, and Borůvka's rounds over the rest.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "algorithm.hpp"
#include "checks.hpp"
#include "compiled_dims.hpp"
#include "own_parts.hpp"
#include "rank_search.hpp"
#include "skeleton.hpp"
#include "take_core.hpp"
#include "zwalk/core/unit_square.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/knn/rank_search.hpp"
#include "zwalk/ranks/sort_records.hpp"
#include "zwalk/run/rank_nearest.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// See reaches_of(). With more of them ranks look further for each other's points at first, with fewer there are more
/// parts.
inline constexpr pos_t enough_points = 1 << 10;

/// The first point of a rank.
template <int D, class T>
struct FirstPoint {
    Vec<D, T> x;
    T core2;
    index_t row;
    std::uint8_t exists;
};

/// A tree. Members are collective.
/// @tparam Place  a RankPlace
template <class T, class Place>
class EmstRanks {
    using P = typename Place::Type;

  public:
    EmstRanks(Comm& comm, Cpu const& cpu, Place place, EmstOptions const& o)
        : comm_(comm), cpu_(cpu), place_(place), o_(o) {}
    /// @param cores  the core distances of the rows that this rank passes, which take the place of those that would be found
    EmstRanks(Comm& comm, Cpu const& cpu, Place place, EmstOptions const& o, std::span<T const> cores)
        : comm_(comm), cpu_(cpu), place_(place), o_(o), given_cores_(cores) {}

    EmstResult<T, Mpi> run(RankInput<T> const& local) {
        agree_on(comm_, {{"min_samples", o_.min_samples}, Place::option()});
        std::uint64_t const n = comm_.offsets(local.rows).back();
        int const columns = comm_.attempt([&] {
            EmstAlgorithm::check<T>(o_, {{n, local.dim}});
            min_samples_ = among(n, o_).min_samples;
            return Place::tree_columns(local.dim);
        });
        RankPoints<T> points(comm_, cpu_, local, columns, o_.box, EmstAlgorithm::tree_options<P>(o_),
                             r_.stats);
        grow(points);
        bring_edges(points);
        points.end_phase("order");
        if (given_cores_) {
            r_.core_distances = comm_.agree([&] {
                Buffer<T> cores(given_cores_->size());
                std::copy(given_cores_->begin(), given_cores_->end(), cores.begin());
                return cores;
            });
        } else if (min_samples_ > 1) {
            comm_.agree([&] {
                cpu_.for_each(core2_.size(), [&](std::size_t i) { core2_[i] = std::sqrt(core2_[i]); });
                points.from_unit(core2_);
            });
            points.bring_home(core2_);
            r_.core_distances = std::move(core2_);
            points.end_phase("home");
        }
        points.note_steps();
        return std::move(r_);
    }

  private:
    void grow(RankPoints<T>& points) {
        Buffer<Edge<T>> tree;
        Place::template with_columns<void>(points.dim(), [&]<int D>() {
            if (given_cores_) take_given_cores(points);
            else if (min_samples_ > 1) find_cores<D>(points);
            grow_own<D>(points, tree);
        });
        points.end_phase("own tree");
        base_ = points.ranks().positions_before(comm_.rank());
        if (points.size() == 0 || has_all(points))
            comm_.agree([&] { keep_sure(tree, points.own().points.input_index); });
        else join_ranks(points, tree);
    }
    template <int D>
    void grow_own(RankPoints<T>& points, Buffer<Edge<T>>& tree) {
        auto const check = [&](std::uint64_t available) {
            EmstOptions own = o_;
            pos_t const n = points.size_here();
            own.min_samples = int(std::min(pos_t(min_samples_), n));
            check_device_memory(EmstAlgorithm::name, n,
                                EmstAlgorithm::device_bytes({{n, D}}, D, sizeof(T), own), available);
        };
        P& place = *place_.place;
        run_on(comm_, place, points, points.own().tree, D, check, [&](RunPoints<T, P>& kept) {
            tree = Instance<OwnTree, D, T, P>::run(place, kept, {o_.min_samples, core2_.data()});
        });
    }

    /// One rank has all points.
    static bool has_all(RankPoints<T> const& points) {
        return points.ranks().rank_of_position(0) == points.ranks().rank_of_position(points.size() - 1);
    }

    /// Squared core distances of the own points, from neighbours on any rank.
    template <int D>
    void find_cores(RankPoints<T>& points) {
        int const k = min_samples_ - 1;  // among the others
        auto all = import_for_nearest(points, points, pos_t(k), true);
        TakeCore<T> take{nullptr, k};
        P& place = *place_.place;
        auto const body = [&](NearestAsked<T, P>& asked, auto const& run) {
            ArrayOn<P, T> cores;
            if constexpr (is_device<P>) {
                cores = Preparation<T, P>::buffer(place, points.size_here());
                asked.visitor = [&](P& device, NeighbourChunk<T> const& some) {
                    device_take_cores(device, some, take);
                };
            } else {
                cores = Buffer<T>(points.size_here());
                asked.visitor = make_visitor<T>(take);
            }
            take.core2 = cores.data();
            (void)run();
            download(place, core2_, std::move(cores));
        };
        search_imported<D>(comm_, place, points, nullptr, all, {.k = k, .exclude_self = true}, true,
                           body);
        points.end_phase("cores");
    }

    void take_given_cores(RankPoints<T>& points) {
        auto const cores = points.rows_sorted(*given_cores_);
        core2_ = comm_.agree([&] {
            Buffer<T> squares(cores.size());
            cpu_.for_each(cores.size(),
                          [&](std::size_t i) { squares[i] = smallest_square(points.unit(), cores[i]); });
            return squares;
        });
        points.end_phase("cores");
    }

    void join_ranks(RankPoints<T>& points, Buffer<Edge<T>> const& tree) {
        auto const n = points.own().tree.size();
        auto search = comm_.agree([&] { return RankSearch<T, Place>(comm_, place_, points, core2_); });
        auto const reach2 = comm_.agree([&] { return reaches_of<T>(n, tree, enough_points); });
        auto low = search.look_around(reach2);
        auto const parts = comm_.agree([&] {
            auto own = own_parts<T>(tree, std::move(low), base_);
            keep_sure(own.sure, points.own().points.input_index);
            return own;
        });
        auto const begin = comm_.offsets(parts.size());
        auto const first = pos_t(begin[std::size_t(comm_.rank())]);
        auto known = comm_.agree([&] {
            if (begin.back() >= no_pos) throw Error("a spanning tree over ranks has too many parts");
            return open_edges(search, parts, first);
        });
        with_dim<void>(CpuDims{}, points.dim(),
                       [&]<int D>() { add_step<D>(points, parts, begin, known); });
        add_across(search, parts, first, known);
        auto skeleton = skeleton_of(parts, known);
        points.end_phase("parts");
        join_parts(search, parts, first, skeleton);
    }

    /// Edges of the own tree that are in that of all.
    void keep_sure(std::span<Edge<T> const> sure, Buffer<index_t> const& rows) {
        for (Edge<T> const& e : sure)
            edges_.push_back({{e.w2, base_ + e.a, base_ + e.b}, rows[e.a], rows[e.b]});
    }

    /// Edges of the own tree between parts.
    template <class Search>
    static std::vector<OpenEdge<T>> open_edges(Search const& search, OwnParts<T> const& parts,
                                               pos_t first) {
        std::vector<OpenEdge<T>> edges;
        for (Edge<T> const& e : parts.open)
            edges.push_back({rank_edge(e.w2, search.own_point(e.a), search.own_point(e.b)),
                             first + parts.part[e.a], first + parts.part[e.b]});
        return edges;
    }

    /// The edge from the last own point to the next rank's first one: so that no component goes without a known edge.
    template <int D>
    void add_step(RankPoints<T>& points, OwnParts<T> const& parts,
                  std::vector<std::uint64_t> const& begin, std::vector<OpenEdge<T>>& known) {
        auto const& own = points.own();
        auto const n = own.tree.size();
        auto const x = own.tree.template points<D>();
        FirstPoint<D, T> mine{};
        if (n > 0) mine = {x.point(0), core2_.empty() ? T(0) : core2_[0], own.points.input_index[0], 1};
        auto const all = comm_.gather_all(std::span<FirstPoint<D, T> const>(&mine, 1)).records;
        comm_.agree([&] {
            auto next = std::size_t(comm_.rank()) + 1;
            while (next < all.size() && !all[next].exists) ++next;
            if (n == 0 || next == all.size()) return;
            T const d2 = distance2(periodic_space<D>(points.period()), x.point(n - 1), all[next].x);
            T const core2 = core2_.empty() ? T(0) : std::max(core2_[n - 1], all[next].core2);
            known.push_back(
                {rank_edge(std::max(d2, core2), RankPoint{base_ + n - 1, own.points.input_index[n - 1]},
                           RankPoint{base_ + n, all[next].row}),
                 pos_t(begin[std::size_t(comm_.rank())]) + parts.part[n - 1], pos_t(begin[next])});
        });
    }

    /// For each part the least edge to other ranks that was found. The part at the other end is known there.
    template <class Search>
    void add_across(Search const& search, OwnParts<T> const& parts, pos_t first,
                    std::vector<OpenEdge<T>>& known) {
        auto const out = comm_.attempt([&] {
            std::vector<pos_t> least(parts.size(), no_pos);
            for (pos_t i = 0; i < parts.part.size(); ++i)
                if (pos_t& of = least[parts.part[i]];
                    search.has_found(i) &&
                    (of == no_pos || search.edge_of(i).name < search.edge_of(of).name))
                    of = i;
            Parts<OpenEdge<T>> edges;
            edges.begin.assign(std::size_t(comm_.size()) + 1, 0);
            std::erase(least, no_pos);
            for (pos_t const i : least) ++edges.begin[std::size_t(search.other_rank(i)) + 1];
            std::partial_sum(edges.begin.begin(), edges.begin.end(), edges.begin.begin());
            edges.records = Buffer<OpenEdge<T>>(least.size());
            auto next = edges.begin;
            for (pos_t const i : least)
                edges.records[next[std::size_t(search.other_rank(i))]++] = {
                    search.edge_of(i), first + parts.part[i], search.other_position(i)};
            return edges;
        });
        auto const in = comm_.exchange(out).records;
        comm_.agree([&] {
            for (OpenEdge<T> const& e : in) known.push_back({e.edge, e.from, first + parts.part[e.to]});
        });
    }

    Skeleton<T> skeleton_of(OwnParts<T> const& parts, std::vector<OpenEdge<T>> const& known) {
        auto const step = comm_.step("parts");
        auto const own = comm_.attempt([&] {
            std::vector<RankPart<T>> described;
            for (auto const& low : parts.low) described.push_back({0, low});
            for (pos_t const p : parts.part) ++described[p].points;
            return described;
        });
        auto const all = comm_.gather_all(std::span<RankPart<T> const>(own));
        auto const edges = comm_.gather_all(std::span<OpenEdge<T> const>(known));
        return comm_.agree([&] { return Skeleton<T>(all.records, edges.records); });
    }

    /// Borůvka's rounds. All ranks do the same with the same skeleton, so they agree without messages. An edge is kept by the
    /// rank that has its first point.
    template <class Search>
    void join_parts(Search& search, OwnParts<T> const& parts, pos_t first, Skeleton<T>& skeleton) {
        std::uint64_t rounds = 0, searches = 0;
        for (; skeleton.size() > 1; ++rounds) {
            if (skeleton.must_search()) {
                ++searches;
                comm_.agree([&] { skeleton.begin_search(); });
                auto const found = search.least_edges(
                    skeleton.parts(),
                    [&](pos_t i) { return skeleton.component_of(first + parts.part[i]); },
                    [&](pos_t c) { return skeleton.searches(c) ? skeleton.reach2(c) : T(-1); });
                auto const step = comm_.step("edges");
                auto const all = comm_.gather_all(std::span<OpenEdge<T> const>(found));
                comm_.agree([&] { skeleton.end_search(all.records); });
            }
            comm_.agree([&] { skeleton.join(); });
        }
        comm_.agree([&] {
            for (RankEdge<T> const& e : skeleton.tree())
                if (e.name.a >= base_ && e.name.a < base_ + parts.part.size()) edges_.push_back(e);
            r_.stats.counts.insert(
                r_.stats.counts.end(),
                {{"parts", skeleton.parts()}, {"rounds", rounds}, {"searches", searches}});
        });
    }

    /// The edges of all ranks in ascending order.
    void bring_edges(RankPoints<T> const& points) {
        auto own = comm_.attempt([&] {
            Buffer<RankEdge<T>> edges(edges_.size());
            std::copy(edges_.begin(), edges_.end(), edges.begin());
            edges_ = {};
            return edges;
        });
        auto const step = comm_.step("order");
        auto const sorted = sort_records(comm_, cpu_, std::move(own));
        r_.first_edge = comm_.offsets(sorted.size())[std::size_t(comm_.rank())];
        comm_.agree([&] {
            r_.edges = Buffer<index_t>(2 * sorted.size());
            r_.lengths = Buffer<T>(sorted.size());
            cpu_.for_each(sorted.size(), [&](std::size_t e) {
                auto const& [name, a, b] = sorted[e];
                r_.edges[2 * e] = std::min(a, b);
                r_.edges[2 * e + 1] = std::max(a, b);
                r_.lengths[e] = std::sqrt(name.w2);
            });
            points.from_unit(r_.lengths);
        });
    }

    Comm& comm_;
    Cpu const& cpu_;
    Place place_;
    EmstOptions const& o_;
    std::optional<std::span<T const>> given_cores_;
    int min_samples_ = 1;  // of so many points
    Buffer<T> core2_;      // of own points, squared; empty: none
    std::uint64_t base_ = 0;
    std::vector<RankEdge<T>> edges_;  // of the tree, that this rank has
    EmstResult<T, Mpi> r_;
};

}}}  // namespace zwalk::v0::detail
