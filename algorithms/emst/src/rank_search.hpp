// Searches for edges between the points of one rank and those of others.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "rank_edge.hpp"
#include "zwalk/emst/trait.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/run/rank_place.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The sources of a search: own points, and those of other ranks that may matter to them.
template <class T>
struct EdgeSources : ImportedPoints<T> {
    std::vector<FragmentPoint<T>> payload;
};

/// The sources of a search of these fragments. Collective.
/// @param reach2  see LeastEdges
/// @param known   of the own points
/// @param kept    of searches before
template <class T>
EdgeSources<T> import_for_edges(RankPoints<T>& points, Fragments<T> const& fragments, T const* reach2,
                                ColumnsView<FragmentPoint<T>> const& known, KeptSources<T>& kept) {
    return with_dim<EdgeSources<T>>(CpuDims{}, points.dim(), [&]<int D>() {
        LeastEdges<D, T> trait;
        trait.fragments = fragments;
        trait.reach2 = reach2;
        auto all = points.import_for(trait, known, &kept);
        auto payload = std::move(all.payload);
        return EdgeSources<T>{std::move(all), std::move(payload)};
    });
}

/// The searches of a rank. Collective. Points that have found nothing within their reach are known to have no such edge:
/// later searches that reach no further leave them alone.
/// @tparam Place  a RankPlace
template <class T, class Place>
class RankSearch {
    using P = typename Place::Type;

  public:
    /// @param core2  squared core distances of the own points; empty: none
    RankSearch(Comm& comm, Place place, RankPoints<T>& points, Buffer<T> const& core2)
        : comm_(comm),
          place_(place),
          points_(points),
          n_(points.own().tree.size()),
          component_(n_ + padding),
          wanted_(n_),
          core2_(core2.empty() ? nullptr : core2.data()),
          margin2_(n_),
          candidate_(n_),
          hint_(n_),
          proven_(n_) {
        std::fill(margin2_.begin(), margin2_.end(), T(0));
        std::fill(proven_.begin(), proven_.end(), Key<T>{T(-1), 0});
        std::fill(component_.begin(), component_.end(), pos_t(0));
    }

    /// For each own point the least edge to another rank's that is no longer (squared) than reach2; edges may go on where
    /// they are. @return for each point: no edge to other ranks is less
    Buffer<EdgeName<T>> look_around(Buffer<T> const& reach2) {
        comm_.agree([&] {
            std::fill_n(component_.begin(), n_, pos_t(comm_.rank()));
            std::fill(wanted_.begin(), wanted_.end(), std::uint8_t(1));
            least_.assign(std::size_t(comm_.size()), no_pos);
        });
        run(reach2.data());
        return comm_.agree([&] {
            Buffer<EdgeName<T>> low(n_);
            for (pos_t i = 0; i < n_; ++i) {
                low[i] = has_found(i) ? edge_of(i).name : EdgeName<T>{reach2[i]};
                proven_[i] = before(low[i].w2);
            }
            return low;
        });
    }

    /// For each component the least edge that leaves it, if it is less than what is known of it.
    /// @param components    how many names of components there are
    /// @param component_at  component_at(i): the component of own point i
    /// @param reach2        reach2(component): how long (squared) the least known edge is; negative: it doesn't search
    template <class ComponentAt, class Reach>
    std::vector<OpenEdge<T>> least_edges(std::size_t components, ComponentAt const& component_at,
                                         Reach const& reach2) {
        comm_.agree([&] {
            least_.assign(components, no_pos);
            for (pos_t i = 0; i < n_; ++i) {
                pos_t const c = component_[i] = component_at(i);
                T const reach = reach2(c);
                wanted_[i] = reach >= 0;
                if (!wanted_[i]) continue;
                // An edge behind all of this length that its points have: the last of them names it.
                hint_[i] = {reach, no_pos};
                least_[c] = i | Fragments<T>::is_hint;
            }
        });
        run(nullptr);
        keep_proven(reach2);
        return comm_.agree([&] {
            std::vector<pos_t> ids;
            for (pos_t const id : least_)
                if (id != no_pos && !(id & Fragments<T>::is_hint)) ids.push_back(id);
            // An edge may have been offered to both of its components.
            std::sort(ids.begin(), ids.end());
            ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
            std::vector<OpenEdge<T>> found;
            for (pos_t const i : ids)
                found.push_back({edge_of(i), component_[i], all_.payload[candidate_[i].pos].component});
            return found;
        });
    }

    // What the last search has found for own point i.
    [[nodiscard]] bool has_found(pos_t i) const { return candidate_[i].pos != no_pos; }
    [[nodiscard]] RankEdge<T> edge_of(pos_t i) const {
        pos_t const other = candidate_[i].pos;
        int const rank = rank_at(other);
        return rank_edge(
            candidate_[i].d2, own_point(i),
            {points_.ranks().positions_before(rank) + all_.position[other], all_.input_index[other]});
    }
    /// The rank that has the point at the other end, and where it is among the points of that rank.
    [[nodiscard]] int other_rank(pos_t i) const { return rank_at(candidate_[i].pos); }
    [[nodiscard]] pos_t other_position(pos_t i) const { return all_.position[candidate_[i].pos]; }

    [[nodiscard]] RankPoint own_point(pos_t i) const {
        return {points_.ranks().positions_before(comm_.rank()) + i, points_.own().points.input_index[i]};
    }

  private:
    /// Elements behind the end of `component` that a block of lanes may read.
    static constexpr std::size_t padding = simd_width<float>;

    [[nodiscard]] int rank_at(pos_t position) const {
        return int(std::upper_bound(all_.from.begin(), all_.from.end(), position) - all_.from.begin()) -
               1;
    }
    /// @param reach2  see LeastEdges
    void run(T const* reach2) {
        std::fill(candidate_.begin(), candidate_.end(), Key<T>{});
        Fragments<T> fragments;
        fragments.margin2 = margin2_.data();
        fragments.candidate = candidate_.data();
        fragments.hint = hint_.data();
        fragments.proven = proven_.data();
        fragments.least = least_.data();
        all_ = {};
        all_ = import_for_edges(points_, fragments, reach2,
                                {{{component_.data()}, {wanted_.data()}, {core2_}}}, kept_);
        auto const known = comm_.agree([&] {
            let_search_who_asked();
            all_.payload.resize(all_.payload.size() + padding);
            return Columns<FragmentPoint<T>>(std::span<FragmentPoint<T> const>(all_.payload));
        });
        fragments.first = all_.first;
        EdgeSearch<T> const search{fragments,    known.view(), no_pos,       reach2,
                                   all_.targets, n_,           least_.size()};
        Place::template with_columns<void>(points_.dim(), [&]<int D>() { walk<D>(search); });
        points_.end_phase("search");
    }
    template <int D>
    void walk(EdgeSearch<T> const& search) {
        auto const check = [&](std::uint64_t available) {
            std::size_t const all = all_.tree.size();
            check_device_memory(EmstAlgorithm::name, all,
                                device_edge_search_memory(double(all), n_, double(least_.size()), D,
                                                          sizeof(T), points_.options()),
                                available);
        };
        P& place = *place_.place;
        run_on(comm_, place, points_, all_.tree, D, check, [&](RunPoints<T, P>& kept) {
            (void)Instance<EdgeSearching, D, T, P>::run(place, kept, search);
        });
    }

    /// What lies before all edges of this length (squared) and longer ones, whatever positions are: also before those whose end is
    /// at position 0.
    static Key<T> before(T d2) { return {std::nextafter(d2, T(-1)), no_pos}; }

    /// What is proven of each point's edges, however positions change. A point that searched has looked as far as its
    /// component had found out by then, the others' leaves as far as was known before.
    template <class Reach>
    void keep_proven(Reach const& reach2) {
        auto asking = all_.asking.begin();
        auto const& first = points_.own().tree.planes;
        for (pos_t l = 0; n_ > 0 && l < first[0].nodes(); ++l) {
            bool const searched = asking != all_.asking.end() && *asking == l;
            if (searched) ++asking;
            for (pos_t i = first[0].first[l]; i < first[0].first[l + 1]; ++i) {
                if (!wanted_[i]) continue;
                Key<T>& proven = proven_[i];
                if (proven.pos != no_pos) proven = before(proven.d2);
                if (has_found(i)) proven = std::max(proven, before(candidate_[i].d2));
                else if (!searched) proven = std::max(proven, before(reach2(component_[i])));
            }
        }
    }
    /// No other points have edges to other ranks' points, and those inside a rank are known.
    void let_search_who_asked() {
        for (auto& known : all_.payload) known.wanted = 0;
        for (pos_t const l : all_.asking) {
            auto const& first = points_.own().tree.planes[0].first;
            for (pos_t i = first[l]; i < first[l + 1]; ++i)
                all_.payload[all_.first + i].wanted = wanted_[i];
        }
    }

    Comm& comm_;
    Place place_;
    RankPoints<T>& points_;
    pos_t n_;
    Buffer<pos_t> component_;
    Buffer<std::uint8_t> wanted_;
    T const* core2_;
    Buffer<T> margin2_;
    Buffer<Key<T>> candidate_, hint_,
        proven_;  ///< see Fragments; `proven` without positions: see before()
    std::vector<pos_t> least_;
    EdgeSources<T> all_;  ///< that the last search was among
    KeptSources<T> kept_;
};

}}}  // namespace zwalk::v0::detail
