// The k nearest neighbours of the points of a call on MPI ranks (neighbours_of.hpp): points are walked where they are, over sources
// that are imported; then rows travel to the ranks that have passed them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/knn/knn.hpp"
#include "zwalk/knn/neighbours_of.hpp"
#include "zwalk/knn/rank_search.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/run/counts.hpp"
#include "zwalk/run/device_rows.hpp"
#include "zwalk/run/rank_call_points.hpp"
#include "zwalk/run/rank_nearest.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Shows a user's object neighbours by their names.
template <class T>
struct NamedVisitor {
    RankVisitor<T> visitor;
    index_t const* names;
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
/// Gives neighbours in a chunk, which are there until the next one, names that hold on all ranks.
template <class T, class P>
void name_chunk(P& device, NeighbourChunk<T> const& chunk, DeviceBuffer<index_t> const& names) {
    for (pos_t i = chunk.begin; i < chunk.end;) {
        pos_t const row = i % chunk.ring, n = std::min(chunk.end - i, chunk.ring - row);
        name_sources(device, const_cast<index_t*>(chunk.index) + row * chunk.columns, n * chunk.columns,
                     names);
        i += n;
    }
}

template <class T, class Where>
class NeighboursOf<RankCallPoints<T, Where>> {
    using Points = RankCallPoints<T, Where>;
    using P = typename Where::Type;
    static constexpr bool on_device = is_device<P>;

  public:
    /// What it is shown has names of all ranks.
    using Visitor = std::conditional_t<on_device, RankChunkVisitor<T, P>, RankVisitor<T>>;

    NeighboursOf(Points& sources, Points* queries, NearestSearch const& search, Order order,
                 bool whole_call = false)
        : sources_(sources),
          asking_(queries ? *queries : sources),
          queried_(queries),
          comm_(sources.comm()),
          place_(sources.walks().place),
          search_(search),
          order_(order),
          whole_call_(whole_call) {}

    NeighbourRows<T, Cpu> rows() {
        bool const straight =
            on_device && comm_.gpu_aware() && comm_.size() > 1 && order_ == Order::input;
        if constexpr (on_device)
            if (straight) check_gpu_aware(*place_, comm_, asking_.place());
        auto all = import();
        NeighbourRows<T, Cpu> r;
        ArrayOn<P, index_t> indices;  // what leaves the device straight
        ArrayOn<P, T> distances;
        auto const beside = straight ? bytes_of_names(all) + bytes_of_messages(asking_.size_here()) : 0;
        search(all, false, beside, [&](auto const&, auto const& run) {
            NearestFound<T, P> found = run();
            auto const names = names_of(all);
            if constexpr (on_device)
                if (straight) {
                    auto const names_there = copy_to_device(*place_, names);
                    name_sources(*place_, found.indices.data(), found.indices.size(), names_there);
                    wait_for(*place_);
                    indices = std::move(found.indices);
                    distances = std::move(found.distances);
                    return found.stats;
                }
            auto done = take(std::move(found), r);
            name(r.indices, names);
            return done;
        });
        if (order_ == Order::input) r.rows = asking_.rows_here();
        if constexpr (on_device)
            if (straight) {
                bring_straight(r.indices, indices);
                bring_straight(r.distances, distances);
                asking_.points().from_unit(r.distances);
                return r;
            }
        asking_.bring_home(r.indices, std::size_t(search_.k), order_);
        asking_.bring_home(r.distances, std::size_t(search_.k), order_);
        return r;
    }
    std::size_t show(Visitor const& visitor) {
        auto all = import();
        auto const beside = bytes_of_names(all) + sizeof(index_t) * asking_.size_here();
        auto const& rows = asking_.points().own().points.input_index;
        bool const by_row = order_ == Order::input;
        search(all, true, beside, [&](NearestAsked<T, P>& asked, auto const& run) {
            auto const names = names_of(all);
            if constexpr (on_device) {
                auto const names_there = copy_to_device(*place_, names);
                DeviceBuffer<index_t> rows_there;
                if (by_row) rows_there = copy_to_device(*place_, rows);
                asked.visitor = in_unit([&](P& device, NeighbourChunk<T> const& some) {
                    name_chunk(device, some, names_there);
                    visitor(device, some, rows_there.data());
                });
                return run().stats;
            } else {
                NamedVisitor<T> const named{visitor, names.data(), by_row ? rows.data() : nullptr};
                asked.visitor = in_unit(make_visitor<T>(named));
                return run().stats;
            }
        });
        return asking_.size_here();
    }
    template <class V, class Use>
    Buffer<V> each(Use const& use) {
        auto all = import();
        Buffer<V> values;
        search(all, true, sizeof(V) * asking_.size_here(),
               [&](NearestAsked<T, P>& asked, auto const& run) {
                   auto there = new_array<V>(*place_, asking_.size_here());
                   Stats done;
                   use.template operator()<P>(there.data(), [&](VisitorOn<T, P> const& visitor) {
                       asked.visitor = in_unit(visitor);
                       done = run().stats;
                   });
                   download(*place_, values, std::move(there));
                   return done;
               });
        asking_.in_order(values, order_);
        return values;
    }
    template <class R>
    void finish(R& r) {
        sources_.points().note_counts(done_);
        asking_.finish_rows(r, sources_, order_);
    }

    // For searches in several parts:

    /// All sources that the targets need.
    [[nodiscard]] ImportedPoints<T> import() {
        RankPoints<T>&sources = sources_.points(), &asking = asking_.points();
        auto const n = pos_t(std::min<std::uint64_t>(sources.size(), max_points));
        auto all = import_for_nearest(asking, sources, attainable_k(std::size_t(search_.k), n),
                                      search_.exclude_self, search_.template limit2<T>());
        if (whole_call_) {
            sources.drop_tree();
            asking.drop_tree();
        }
        return all;
    }
    /// The names of sources. Once for each import.
    [[nodiscard]] Buffer<index_t> names_of(ImportedPoints<T>& all) {
        return sources_.points().names_of(all, order_);
    }
    /// The `k` nearest of some of the targets, whose rows these are in z-order, with numbers of sources instead of names.
    [[nodiscard]] NeighbourRows<T, Cpu> rows_of(zwalk::Points<T> some, index_t k,
                                                ImportedPoints<T>& all) {
        NeighbourRows<T, Cpu> r;
        NearestSearch wanted = search_;
        wanted.k = k;
        wanted.exclude_self = false;
        search_for(&some, wanted, all, false, 0,
                   [&](auto const&, auto const& run) { return take(run(), r); });
        return r;
    }
    /// Numbers become names.
    void name(Buffer<index_t>& sources, Buffer<index_t> const& names) const {
        asking_.place().for_each(sources.size(), NameSources{sources.data(), names.data()});
    }

  private:
    /// body(asked, run) where this rank walks; it returns what was done.
    template <class Body>
    void search(ImportedPoints<T>& all, bool visited, std::uint64_t beside, Body const& body) {
        auto const queries = asking_.points().own().points.points();
        search_for(queried_ ? &queries : nullptr, search_, all, visited, beside, body);
    }
    template <class Body>
    void search_for(zwalk::Points<T> const* queries, NearestSearch const& wanted, ImportedPoints<T>& all,
                    bool visited, std::uint64_t beside, Body const& body) {
        sources_.template with_columns<void>([&]<int D>() {
            search_imported<D>(
                comm_, *place_, sources_.points(), queries, all, wanted, visited,
                [&](auto& asked, auto const& run) { add_walk(done_.counts, body(asked, run).counts); },
                beside);
        });
        if (whole_call_) asking_.end_phase("walk");
    }
    VisitorOn<T, P> in_unit(VisitorOn<T, P> const& visitor) const {
        return detail::in_unit<T, P>(visitor, sources_.unit());
    }
    /// Rows come to the host, and distances get the unit of the input.
    Stats take(NearestFound<T, P>&& found, NeighbourRows<T, Cpu>& r) {
        r.rows = found.rows;
        download(*place_, r.indices, std::move(found.indices));
        download(*place_, r.distances, std::move(found.distances));
        asking_.points().from_unit(r.distances);
        return std::move(found.stats);
    }
    template <class V>
    void bring_straight(Buffer<V>& rows, DeviceBuffer<V>& there) {
        rows = home_from(*place_, comm_, asking_.place(), asking_.points().own().points.travel, there,
                         asking_.rows_here(), std::size_t(search_.k));
        there = {};
    }
    static std::uint64_t bytes_of_names(ImportedPoints<T> const& all) {
        return sizeof(index_t) * std::uint64_t(all.tree.size());
    }

    Points& sources_;
    Points& asking_;
    bool const queried_;
    Comm& comm_;
    P* const place_;
    NearestSearch const search_;
    Order const order_;
    bool const whole_call_;
    Stats done_;
};

}}}  // namespace zwalk::v0::detail
