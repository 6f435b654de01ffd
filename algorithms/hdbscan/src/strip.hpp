// A part of a linkage that one thread makes: some consecutive edges, between clusters that are known.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "shared_clusters.hpp"
#include "zwalk/hdbscan/linkage.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Consecutive edges, which none of equal length are before or behind.
struct Strip {
    std::size_t begin, end;
    bool one_event = false;    ///< all are of one length, and so many that they are a strip of their own
    bool ties = false;         ///< some are of one length
    std::size_t circle = end;  ///< the first edge that closes a circle, if any does
};

/// An end of an edge. Those of edge e are at 2 e and 2 e + 1 in a table of ends.
struct End {
    pos_t point;  ///< the smallest one of the end's cluster
    /// What was there before the strip. Where another end of the strip has the same, that one has it: here the size is 0, and the
    /// id is that end's place in the table.
    Cluster cluster;
};

/// The end in a table that has the cluster of this one. Amortised O(log N) by path halving.
inline pos_t root_of(End* ends, pos_t i) {
    while (ends[i].cluster.size == 0) {
        Cluster const up = ends[ends[i].cluster.id].cluster;
        if (up.size == 0) ends[i].cluster.id = up.id;
        i = ends[i].cluster.id;
    }
    return i;
}

/// A cluster that takes part in an event, all edges of one length.
struct EventPart {
    pos_t whole;  ///< smallest point of what the event makes of it
    pos_t point;  ///< its own smallest point
    Cluster cluster;
};
/// The order of an event's parts whose ids are final. No function, so that sorts have it inline.
inline constexpr auto comes_before = [](EventPart const& a, EventPart const& b) {
    if (a.whole != b.whole) return a.whole < b.whole;
    return a.cluster.size != b.cluster.size ? a.cluster.size > b.cluster.size
                                            : a.cluster.id < b.cluster.id;
};

/// Makes a linkage's rows.
struct RowWriter {
    Merge* merges;
    std::size_t points;

    Cluster join(std::size_t row, Cluster a, Cluster b, double length) const {
        pos_t const size = a.size + b.size;
        merges[row] = {double(std::min(a.id, b.id)), double(std::max(a.id, b.id)), length, double(size)};
        return {pos_t(points + row), size};
    }
    /// Rows of some of an event's parts, in order: what is of one whole is side by side.
    /// @param before  the cluster that the parts before have made of the first one's whole; size 0: there are none
    /// @param row     the next row
    /// @param made    made(part, cluster) is told of each part what it and those before it have become
    template <class Made>
    void join_parts(std::span<EventPart const> parts, Cluster before, std::size_t row, double length,
                    Made const& made) const {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            EventPart const& p = parts[i];
            if (i > 0 && parts[i - 1].whole != p.whole) before.size = 0;
            before = before.size == 0 ? p.cluster : join(row++, before, p.cluster, length);
            made(p, before);
        }
    }
};

/// Merges what is in a table of ends, edge by edge or event by event.
///
/// Ids of clusters that other strips of this window make aren't final: such a cluster is called by its last edge, though edges of
/// equal length may come in another order in the rows.
template <class T>
class StripMerger {
  public:
    /// What strips of one window share.
    struct Window {
        RowWriter rows;
        T const* lengths;   ///< of all edges
        std::size_t begin;  ///< first edge of the window, and of the table
        End* ends;
        pos_t*
            last_row;  ///< of each edge of the window: the row after which it and those of its event are done
    };

    StripMerger(Window const& window, Strip& strip) : w_(window), strip_(strip) {}

    void run() {
        for (std::size_t i = strip_.begin; i < strip_.end;) {
            std::size_t end = i + 1;
            while (end < strip_.end && w_.lengths[end] == w_.lengths[i]) ++end;
            if (!(end == i + 1 ? edge(i) : event(i, end))) return;
            i = end;
        }
    }

  private:
    [[nodiscard]] pos_t first_end(std::size_t edge) const { return pos_t(2 * (edge - w_.begin)); }
    [[nodiscard]] Cluster& at(pos_t root) const { return w_.ends[root].cluster; }
    [[nodiscard]] pos_t root(pos_t i) const { return root_of(w_.ends, i); }
    /// Makes one set of two different ones; its root keeps its cluster.
    pos_t join(pos_t a, pos_t b) const {
        if (w_.ends[b].point < w_.ends[a].point) std::swap(a, b);
        at(b) = {a, 0};
        return a;
    }
    bool closes_circle(std::size_t edge) {
        strip_.circle = edge;
        return false;
    }

    bool edge(std::size_t e) {
        pos_t const a = root(first_end(e)), b = root(first_end(e) + 1);
        if (a == b) return closes_circle(e);
        Cluster const made = w_.rows.join(e, at(a), at(b), double(w_.lengths[e]));
        at(join(a, b)) = made;
        w_.last_row[e - w_.begin] = pos_t(e);
        return true;
    }
    bool event(std::size_t begin, std::size_t end) {
        strip_.ties = true;
        before_.clear(), order_.clear();
        for (pos_t i = first_end(begin); i < first_end(end); ++i) {
            pos_t const r = root(i);
            before_.push_back({0, w_.ends[r].point, at(r)});
        }
        for (std::size_t e = begin; e < end; ++e) {
            pos_t const a = root(first_end(e)), b = root(first_end(e) + 1);
            if (a == b) return closes_circle(e);
            join(a, b);
        }
        for (std::size_t e = begin; e < end; ++e) {
            pos_t const r = root(first_end(e));
            order_.push_back({w_.ends[r].point, r, pos_t(e - begin)});
        }
        std::sort(order_.begin(), order_.end());
        std::size_t row = begin;
        for (std::size_t i = 0; i < order_.size();) {
            std::size_t next = i + 1;
            while (next < order_.size() && order_[next].whole == order_[i].whole) ++next;
            std::span const some(order_.data() + i, next - i);
            Cluster const made =
                some.size() == 1 ? join_pair(some[0], row, begin) : join_all(some, row, begin);
            at(some[0].root) = made;
            for (EventEdge const& e : some)
                w_.last_row[begin - w_.begin + e.edge] = pos_t(made.id - w_.rows.points);
            row += some.size();
            i = next;
        }
        return true;
    }
    /// An edge of an event.
    struct EventEdge {
        pos_t whole,
            root;    ///< of what the event makes of its clusters: smallest point, and place in the table
        pos_t edge;  ///< of the event
        bool operator<(EventEdge const& o) const {
            return whole != o.whole ? whole < o.whole : edge < o.edge;
        }
    };
    /// The row of an edge that touches no other one of the event.
    Cluster join_pair(EventEdge const& e, std::size_t row, std::size_t event) const {
        return w_.rows.join(row, before_[2 * e.edge].cluster, before_[2 * e.edge + 1].cluster,
                            double(w_.lengths[event]));
    }
    /// Rows of edges that make one cluster.
    Cluster join_all(std::span<EventEdge const> edges, std::size_t row, std::size_t event) {
        parts_.clear();
        for (EventEdge const& e : edges)
            parts_.insert(parts_.end(), {before_[2 * e.edge], before_[2 * e.edge + 1]});
        std::sort(parts_.begin(), parts_.end(),
                  [this](EventPart const& a, EventPart const& b) { return comes_before(a, b); });
        auto const same = [](EventPart const& a, EventPart const& b) { return a.point == b.point; };
        parts_.erase(std::unique(parts_.begin(), parts_.end(), same), parts_.end());
        Cluster made{};
        w_.rows.join_parts(parts_, {0, 0}, row, double(w_.lengths[event]),
                           [&](EventPart const&, Cluster now) { made = now; });
        return made;
    }

    /// Of two parts of one whole.
    [[nodiscard]] bool comes_before(EventPart const& a, EventPart const& b) const {
        if (a.cluster.size != b.cluster.size) return a.cluster.size > b.cluster.size;
        return of_one_event(a.cluster.id, b.cluster.id) ? a.point < b.point
                                                        : a.cluster.id < b.cluster.id;
    }
    /// True of two clusters that another strip of this window makes by one event, which come in the order of their smallest points.
    [[nodiscard]] bool of_one_event(pos_t a, pos_t b) const {
        auto const other = [this](pos_t id) {
            return id >= w_.rows.points + w_.begin && id < w_.rows.points + strip_.begin;
        };
        return other(a) && other(b) && w_.lengths[a - w_.rows.points] == w_.lengths[b - w_.rows.points];
    }

    Window w_;
    Strip& strip_;
    // Of an event.
    std::vector<EventPart> before_,
        parts_;  // what both ends of each edge are in; what makes one cluster
    std::vector<EventEdge> order_;
};

}}}  // namespace zwalk::v0::detail
