#include "zwalk/hdbscan/linkage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "zwalk/core/error.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// A cluster by its id in the linkage.
struct Cluster {
    pos_t id, size;
};

/// Union-find that has the cluster of each set, at the set's smallest point. One array, since where an edge's
/// points are in memory can't be foreseen: nearly all the time of a linkage is waiting for them. Amortised
/// O(log N) by path halving.
class ClustersOfPoints {
  public:
    explicit ClustersOfPoints(std::size_t points) : slot_(points) {
        for (std::size_t i = 0; i < points; ++i) slot_[i] = {pos_t(i), 1};
    }
    void prefetch(std::size_t i) const { __builtin_prefetch(&slot_[i]); }
    [[nodiscard]] Cluster& at(pos_t root) { return slot_[root]; }
    [[nodiscard]] pos_t root(pos_t i) {
        while (slot_[i].size == inner) {
            pos_t const up = slot_[i].id;
            if (slot_[up].size == inner) slot_[i].id = slot_[up].id;
            i = up;
        }
        return i;
    }
    /// Makes one set of two different ones; its root keeps its cluster.
    pos_t join(pos_t a, pos_t b) {
        if (b < a) std::swap(a, b);
        slot_[b] = {a, inner};
        return a;
    }

  private:
    static constexpr pos_t inner =
        0;  ///< in place of a size: the point is no root, and its id is one above

    Buffer<Cluster> slot_;
};

/// Merges clusters of points, edge by edge or event by event.
class Merger {
  public:
    Merger(Linkage& out, std::span<index_t const> edges)
        : points_(out.points), merges_(out.merges.data()), edges_(edges), clusters_(points_) {}

    /// Edges [begin, end), all of this length, in the tree of all edges before.
    void event(std::size_t begin, std::size_t end, double length) {
        prefetch(end);
        if (end - begin == 1) {
            pos_t const a = root(2 * begin), b = root(2 * begin + 1);
            check_open(begin, a, b);
            Cluster const made = add_row(clusters_.at(a), clusters_.at(b), length);
            clusters_.at(clusters_.join(a, b)) = made;
            return;
        }
        parts_.clear();
        for (std::size_t i = 2 * begin; i < 2 * end; ++i) {
            pos_t const r = root(i);
            parts_.push_back({r, clusters_.at(r)});
        }
        for (std::size_t i = begin; i < end; ++i) {
            pos_t const a = root(2 * i), b = root(2 * i + 1);
            check_open(i, a, b);
            clusters_.join(a, b);
        }
        for (Part& p : parts_) p.whole = clusters_.root(p.whole);
        std::sort(parts_.begin(), parts_.end());
        Part last = parts_.front();
        Cluster made = last.cluster;
        for (Part const& p : parts_) {
            if (p.cluster.id == last.cluster.id) continue;  // it has several of the edges
            made = p.whole == last.whole ? add_row(made, p.cluster, length) : p.cluster;
            clusters_.at(p.whole) = made;
            last = p;
        }
    }

  private:
    /// A cluster that takes part in an event.
    struct Part {
        pos_t whole;  ///< root of its points; in the end, of what the event makes of it
        Cluster cluster;
        bool operator<(Part const& o) const {
            if (whole != o.whole) return whole < o.whole;
            return cluster.size != o.cluster.size ? cluster.size > o.cluster.size
                                                  : cluster.id < o.cluster.id;
        }
    };

    /// Where the next edges' points are in memory is known long before their turn.
    void prefetch(std::size_t edge) const {
        constexpr std::size_t ahead = 16;
        if (2 * (edge + ahead) + 1 >= edges_.size()) return;
        clusters_.prefetch(std::size_t(edges_[2 * (edge + ahead)]));
        clusters_.prefetch(std::size_t(edges_[2 * (edge + ahead) + 1]));
    }
    pos_t root(std::size_t end_of_edge) { return clusters_.root(pos_t(edges_[end_of_edge])); }
    void check_open(std::size_t edge, pos_t a, pos_t b) const {
        if (a == b)
            throw InputError(fmt::format("edge {} ({}, {}) closes a circle: that is no tree", edge,
                                         edges_[2 * edge], edges_[2 * edge + 1]));
    }
    Cluster add_row(Cluster a, Cluster b, double length) {
        pos_t const size = a.size + b.size;
        merges_[row_] = {double(std::min(a.id, b.id)), double(std::max(a.id, b.id)), length,
                         double(size)};
        return {pos_t(points_ + row_++), size};
    }

    std::size_t points_, row_ = 0;
    Merge* merges_;
    std::span<index_t const> edges_;
    ClustersOfPoints clusters_;
    std::vector<Part> parts_;
};

void check_edges(std::size_t points, std::span<index_t const> edges, std::size_t lengths) {
    if (points > max_points)
        throw InputError(fmt::format("{} points are too many: at most {}", points, max_points));
    std::size_t const expected = points > 0 ? points - 1 : 0;
    if (edges.size() != 2 * expected || lengths != expected)
        throw InputError(
            fmt::format("a tree of {} points has {} edges; there are {} indices and {} lengths", points,
                        expected, edges.size(), lengths));
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i] < 0 || std::size_t(edges[i]) >= points)
            throw InputError(fmt::format("edge {} has the index {}, but there are {} points", i / 2,
                                         edges[i], points));
}

template <class T>
void check_lengths(std::span<T const> lengths) {
    T last = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (!(lengths[i] >= last))
            throw InputError(
                fmt::format("edge {} has the length {} after {}: lengths must be >= 0 and "
                            "ascend",
                            i, lengths[i], last));
        last = lengths[i];
    }
}

}  // namespace

template <class T>
Linkage single_linkage(std::size_t points, std::span<index_t const> edges, std::span<T const> lengths) {
    check_edges(points, edges, lengths.size());
    check_lengths(lengths);
    Linkage linkage{points, Buffer<Merge>(lengths.size())};
    Merger merger(linkage, edges);
    for (std::size_t i = 0; i < lengths.size();) {
        std::size_t end = i + 1;
        while (end < lengths.size() && lengths[end] == lengths[i]) ++end;
        merger.event(i, end, double(lengths[i]));
        i = end;
    }
    return linkage;
}

Buffer<index_t> clusters_at(Linkage const& linkage, double distance, std::size_t min_cluster_size) {
    if (min_cluster_size < 1) throw InputError("min_cluster_size must be at least 1, but is 0");
    if (std::isnan(distance)) throw InputError("the distance of a cut must be a number");
    std::size_t const n = linkage.points;
    auto const& merges = linkage.merges;
    auto const above = [&](double d, Merge const& m) { return d < m.distance; };
    auto const rows =
        std::size_t(std::upper_bound(merges.begin(), merges.end(), distance, above) - merges.begin());

    constexpr index_t unseen = -2, noise = -1;
    // For each id: the id of the largest cluster below the cut that it is in. From the top.
    Buffer<pos_t> top(n + rows);
    std::iota(top.begin(), top.end(), pos_t(0));
    for (std::size_t i = rows; i-- > 0;)
        top[std::size_t(merges[i].left)] = top[std::size_t(merges[i].right)] = top[n + i];

    Buffer<index_t> labels(n);
    std::vector<index_t> number(rows, unseen);
    index_t next = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (top[i] < n) {
            labels[i] = min_cluster_size == 1 ? next++ : noise;
            continue;
        }
        std::size_t const row = top[i] - n;
        if (number[row] == unseen)
            number[row] = std::size_t(merges[row].size) < min_cluster_size ? noise : next++;
        labels[i] = number[row];
    }
    return labels;
}

template Linkage single_linkage(std::size_t, std::span<index_t const>, std::span<float const>);
template Linkage single_linkage(std::size_t, std::span<index_t const>, std::span<double const>);

}}  // namespace zwalk::v0
