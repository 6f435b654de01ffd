// The k nearest sources of one query by a descent of its own: for queries so few that there is
// nothing to gain from walking them as nodes.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "zwalk/core/vec.hpp"
#include "zwalk/exec/group.hpp"
#include "zwalk/knn/candidates.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/walk/bounds.hpp"

namespace zwalk::inline v0::detail {

/// Depth first through the planes of the sources, the nearest child first; lanes are the children
/// of one node or the points of one leaf. Nodes and points are met by the same keys, bounds and
/// candidates as in the walk, so the answer is the same to the last bit.
///
/// Holds the memory that a thread needs for one query after the other. O(log N + k) nodes per query
/// on data of few dimensions.
template <int D, class T, class Space>
class Descent {
  public:
    /// @param k  from 1 to the number of sources (1 without sources)
    Descent(Hierarchy<D, T> const& sources, Space const& space, pos_t k)
        : sources_(sources),
          points_(sources.points()),
          space_(space),
          k_(k),
          memory_((Candidates<T>::bytes(k) + 7) / 8) {}

    /// The k nearest sources of the query q, of `dim` coordinates: finished candidates, valid until
    /// the next call.
    Candidates<T> const& nearest(T const* q, int dim) {
        for (int j = 0; j < D; ++j) query_[j] = j < dim ? q[j] + T(0) : T(0);
        best_ = Candidates<T>(memory_.data(), k_);
        waiting_.clear();
        if (!sources_.planes.empty())
            meet_nodes(sources_.planes.size() - 1, 0, sources_.planes.back().nodes());
        best_.finish();
        return best_;
    }

  private:
    static constexpr int width = 64 / sizeof(T);
    using Group = CpuGroup<width>;

    /// A node and the best key that a point of it can have.
    struct Near {
        Key<T> key;
        pos_t node;
    };

    /// Nodes [begin, end) of a plane.
    void meet_nodes(std::size_t p, pos_t begin, pos_t end) {
        std::size_t const base = waiting_.size();
        gather(sources_.planes[p].view(), begin, end);
        if (waiting_.size() == base) return;
        // The nearest one first: what it brings spares the sorting of most others.
        std::size_t nearest = base;
        for (std::size_t i = base + 1; i < waiting_.size(); ++i)
            if (waiting_[i].key < waiting_[nearest].key) nearest = i;
        std::swap(waiting_[base], waiting_[nearest]);
        if (waiting_.size() - base <= 8)
            for (std::size_t i = base; i < waiting_.size(); ++i) prefetch(p, waiting_[i].node);
        enter(p, waiting_[base].node);

        Key<T> const worst = best_.worst();
        auto const others = waiting_.begin() + std::ptrdiff_t(base) + 1;
        waiting_.erase(
            std::remove_if(others, waiting_.end(), [&](Near const& n) { return worst < n.key; }),
            waiting_.end());
        std::sort(others, waiting_.end(),
                  [](Near const& a, Near const& b) { return a.key < b.key; });
        for (auto other = others; other != waiting_.end(); ++other) prefetch(p, other->node);
        for (std::size_t i = base + 1; i < waiting_.size(); ++i) {
            if (best_.worst() < waiting_[i].key) break;
            enter(p, waiting_[i].node);
        }
        waiting_.resize(base);
    }

    void enter(std::size_t p, pos_t node) {
        auto const& plane = sources_.planes[p];
        if (p == 0)
            meet_points(plane.first[node], plane.first[node + 1]);
        else
            meet_nodes(p - 1, plane.child[node], plane.child[node + 1]);
    }

    /// Starts to load what entering a node will read: one after the other these loads from memory
    /// would take most of the time of a query that has no other one near it.
    void prefetch(std::size_t p, pos_t node) const {
        auto const& plane = sources_.planes[p];
        if (p == 0) {
            for (int j = 0; j < D; ++j) {
                fetch(points_.from(j, plane.first[node]));
                fetch(points_.from(j, plane.first[node + 1] - 1));
            }
        } else {
            auto const children = sources_.planes[p - 1].view();
            pos_t const begin = plane.child[node];
            fetch(children.first + begin);
            if (p > 1) fetch(children.child + begin);
            for (int j = 0; j < D; ++j) {
                fetch(children.lo_from(j, begin));
                fetch(children.hi_from(j, begin));
            }
        }
    }
    static void fetch(void const* address) { __builtin_prefetch(address); }

    /// Puts those of the nodes [begin, end) that still matter behind `waiting_`.
    void gather(PlaneView<D, T> const& plane, pos_t begin, pos_t end) {
        Group const g;
        Key<T> const worst = best_.worst();
        typename Group::template var<T> lo2;
        for (pos_t c = begin; c < end; c += width) {
            int const n = int(std::min(end - c, pos_t(width)));
            g.lanes([&](int l) { lo2[l] = 0; });
            ZWALK_UNROLL
            for (int j = 0; j < D; ++j) {  // columns are padded: lanes behind the end may load
                T const *const lo = plane.lo_from(j, c), *const hi = plane.hi_from(j, c);
                T const x = query_[j];
                g.lanes([&](int l) {
                    Range<T> r{lo2[l], 0};
                    add_axis(space_, j, x, x, lo[l], hi[l], r);
                    lo2[l] = r.lo2;
                });
            }
            g.where([&](int l) { return (lo2[l] <= worst.d2) & (l < n); },
                    [&](int l) {
                        pos_t const node = c + pos_t(l);
                        waiting_.push_back({{lo2[l], plane.first[node]}, node});
                    });
        }
    }

    /// Points [begin, end) of a leaf.
    void meet_points(pos_t begin, pos_t end) {
        Group const g;
        typename Group::template var<T> d2;
        for (pos_t c = begin; c < end; c += width) {
            int const n = int(std::min(end - c, pos_t(width)));
            g.lanes([&](int l) { d2[l] = 0; });
            ZWALK_UNROLL
            for (int j = 0; j < D; ++j) {
                T const* const column = points_.from(j, c);
                T const x = query_[j];
                g.lanes([&](int l) {
                    T const dx = space_.axis(j, abs_of(column[l] - x));
                    d2[l] = std::fma(dx, dx, d2[l]);
                });
            }
            T const limit = best_.worst().d2;
            g.where([&](int l) { return (d2[l] <= limit) & (l < n); },
                    [&](int l) {
                        best_.add({d2[l], c + pos_t(l)});
                    });
        }
    }

    Hierarchy<D, T> const& sources_;
    PointColumns<D, T> points_;
    Space space_;
    pos_t k_;
    std::vector<std::uint64_t> memory_;  // of best_
    Candidates<T> best_;
    T query_[D];
    std::vector<Near> waiting_;
};

}  // namespace zwalk::inline v0::detail
