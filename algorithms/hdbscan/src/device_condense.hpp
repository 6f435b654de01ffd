// A condensed tree on a device; condensed_tree.hpp says what it is.
#pragma once
#include <bit>
#include <utility>

#include "condensed_on.hpp"
#include "strength.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/device.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// A hierarchy from which one can go up. Merges of enough points, and the root, are large. A large one *splits* if both of its halves
/// are, and ends its cluster if none is.
struct HierarchyView {
    Merge const* merges;
    pos_t*
        above;  ///< of each id but the root's: twice the merge that it is a half of, and 1 if it is the right one
    double least;  ///< points of large merges
    pos_t points, rows;

    [[nodiscard]] ZWALK_HD bool is_large(pos_t row) const {
        return row + 1 == rows || merges[row].size >= least;
    }
    [[nodiscard]] ZWALK_HD bool is_large_id(double id) const {
        return id >= double(points) && is_large(row_of(id));
    }
    [[nodiscard]] ZWALK_HD pos_t row_of(double id) const { return pos_t(id) - points; }
    [[nodiscard]] ZWALK_HD pos_t size(double id) const {
        return id < double(points) ? 1 : pos_t(merges[row_of(id)].size);
    }
    /// The merge that an id is a half of.
    [[nodiscard]] ZWALK_HD pos_t row_above(pos_t id) const { return above[id] / 2; }
    /// Points of that merge at the left of the id.
    [[nodiscard]] ZWALK_HD pos_t before(pos_t id) const {
        return above[id] % 2 ? size(merges[above[id] / 2].left) : 0;
    }
    [[nodiscard]] ZWALK_HD bool splits(pos_t row) const {
        return is_large_id(merges[row].left) && is_large_id(merges[row].right);
    }
    /// Points that leave the cluster of a large merge there one by one.
    [[nodiscard]] ZWALK_HD pos_t leaving(pos_t row) const {
        Merge const& m = merges[row];
        bool const left = is_large_id(m.left), right = is_large_id(m.right);
        return left && right ? 0 : left ? size(m.right) : right ? size(m.left) : pos_t(m.size);
    }
    [[nodiscard]] ZWALK_HD double lambda(pos_t row) const { return lambda_at(merges[row].distance); }
};

struct FindAbove {
    HierarchyView h;
    ZWALK_HD void operator()(std::size_t i) const {
        Merge const& m = h.merges[i];
        h.above[pos_t(m.left)] = 2 * pos_t(i), h.above[pos_t(m.right)] = 2 * pos_t(i) + 1;
    }
};

/// A way up from a merge: to which one, by how many steps, and how many points of that are at the left.
struct WayUp {
    pos_t to, steps, before;
    [[nodiscard]] ZWALK_HD WayUp then(WayUp const& next) const {
        return {next.to, steps + next.steps, before + next.before};
    }
};
/// Of a large merge: the way to the first one of its cluster. Of others: that to the one that leaves a cluster.
struct BeginWays {
    HierarchyView h;
    WayUp* way;
    std::uint8_t *large, *first;  ///< flags: also, it is the first one of a cluster
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const row = pos_t(i), id = h.points + row;
        bool const is_root = row + 1 == h.rows, is_large = h.is_large(row);
        pos_t const up = is_root ? row : h.row_above(id);
        bool const stops = is_root || (is_large ? h.splits(up) : h.is_large(up));
        way[i] = stops ? WayUp{row, 0, 0} : WayUp{up, 1, h.before(id)};
        large[i] = is_large;
        first[i] = is_large && stops;
    }
};
/// Makes ways twice as long, until they end.
struct LengthenWays {
    pos_t const* rows;  ///< null: all
    WayUp const* way;
    WayUp* longer;
    pos_t* open;  ///< becomes 0 if a way got longer; may be null
    ZWALK_HD void operator()(std::size_t i) const {
        std::size_t const row = rows ? rows[i] : i;
        WayUp const next = way[way[row].to];
        longer[row] = way[row].then(next);
        if (open && next.to != way[row].to) atomic_min(open, 0);
    }
};
/// Of the first merge of a cluster: the way to that of the cluster around it.
struct LeaveClusters {
    HierarchyView h;
    pos_t const* rows;
    WayUp const* way;
    WayUp* around;
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const row = rows[i], id = h.points + row;
        around[row] = row + 1 == h.rows
                          ? WayUp{row, 0, 0}
                          : WayUp{h.row_above(id), 1, h.before(id)}.then(way[h.row_above(id)]);
    }
};

/// A condensed tree in the making.
struct Condensing {
    HierarchyView h;
    WayUp const* way;    ///< of merges, but for those with which clusters begin
    WayUp const* start;  ///< of these: the way to the root
    std::uint8_t const* first;
    // Of large merges.
    pos_t *leaving, *splits;  ///< before it in the order of the rows: points, and merges that split
    pos_t* number;            ///< of clusters, at their first merges

    [[nodiscard]] ZWALK_HD pos_t first_of(pos_t row) const { return first[row] ? row : way[row].to; }
    /// Merges of the cluster above a large one.
    [[nodiscard]] ZWALK_HD pos_t step_of(pos_t row) const { return first[row] ? 0 : way[row].steps; }
    [[nodiscard]] ZWALK_HD WayUp to_root(pos_t row) const {
        return first[row] ? start[row] : way[row].then(start[way[row].to]);
    }
    [[nodiscard]] ZWALK_HD pos_t cluster_of(pos_t row) const { return number[first_of(row)]; }
};
/// The order of large merges: level by level, from left to right.
struct OrderLarge {
    Condensing c;
    pos_t const* rows;
    std::uint64_t* key;
    ZWALK_HD void operator()(std::size_t k) const {
        WayUp const up = c.to_root(rows[k]);
        key[k] = std::uint64_t(up.steps) << 32 | up.before;
    }
};
/// For each in order.
struct CountLeaving {
    HierarchyView h;
    pos_t const* rows;
    pos_t *leaving, *splits;
    ZWALK_HD void operator()(std::size_t k) const {
        leaving[k] = h.leaving(rows[k]), splits[k] = h.splits(rows[k]);
    }
};
struct NumberClusters {
    Condensing c;
    pos_t const* rows;
    size_type const *leaving, *splits;
    ZWALK_HD void operator()(std::size_t k) const {
        pos_t const row = rows[k];
        c.leaving[row] = pos_t(leaving[k]), c.splits[row] = pos_t(splits[k]);
        if (k == 0) c.number[row] = 0;
        if (!c.h.splits(row)) return;
        Merge const& m = c.h.merges[row];
        c.number[c.h.row_of(m.left)] = 2 * pos_t(splits[k]) + 1;
        c.number[c.h.row_of(m.right)] = 2 * pos_t(splits[k]) + 2;
    }
};
/// For each large merge: where it ends a cluster, how that begins, and how many steps it has.
struct DescribeClusters {
    Condensing c;
    pos_t const* rows;
    ClusterStart* clusters;
    pos_t* steps;
    ZWALK_HD void operator()(std::size_t k) const {
        pos_t const row = rows[k], cluster = c.cluster_of(row);
        Merge const& m = c.h.merges[row];
        bool const left = c.h.is_large_id(m.left), right = c.h.is_large_id(m.right);
        if (row + 1 == c.h.rows) clusters[0] = {0, no_pos, c.h.points};
        if (left == right) steps[cluster] = c.step_of(row) + 1;
        if (!left || !right) return;
        for (double const half : {m.left, m.right})
            clusters[c.number[c.h.row_of(half)]] = {c.h.lambda(row), cluster, c.h.size(half)};
    }
};
struct WriteSteps {
    Condensing c;
    pos_t const* rows;
    size_type const* first_step;
    double* lambda;
    pos_t* leaving;
    ZWALK_HD void operator()(std::size_t k) const {
        pos_t const row = rows[k];
        size_type const to = first_step[c.cluster_of(row)] + c.step_of(row);
        lambda[to] = c.h.lambda(row), leaving[to] = c.h.leaving(row);
    }
};

/// Where a point leaves its cluster.
struct Departure {
    pos_t row;     ///< merge
    pos_t leaves;  ///< id of the half that leaves, with the point
    pos_t depth;   ///< merges of this half above the point
    pos_t before;  ///< points of this half at its left
};
[[nodiscard]] ZWALK_HD inline Departure departure_of(Condensing const& c, pos_t point) {
    pos_t const row = c.h.row_above(point);
    if (c.h.is_large(row)) return {row, point, 0, 0};
    WayUp const& up = c.way[row];
    pos_t const leaves = c.h.points + up.to;
    return {c.h.row_above(leaves), leaves, up.steps + 1, up.before + c.h.before(point)};
}
/// Points in the order of the leaves of the hierarchy, with keys that order those of a departing half by depth. Both parts of a key are
/// below 2^bits: a sort of fewer bits takes fewer passes.
struct PlacePoints {
    Condensing c;
    int bits;
    pos_t* in_order;
    std::uint64_t* key;
    ZWALK_HD void operator()(std::size_t i) const {
        Departure const d = departure_of(c, pos_t(i));
        pos_t const half = c.h.before(d.leaves), at = c.to_root(d.row).before + half + d.before;
        // A left half that leaves, too, comes first.
        pos_t const others = half > 0 && !c.h.is_large_id(c.h.merges[d.row].left) ? half : 0;
        in_order[at] = pos_t(i);
        key[at] = std::uint64_t(c.leaving[d.row] + others) << bits | d.depth;
    }
};

/// Columns of a condensed tree.
struct CondensedColumns {
    index_t *parent, *child, *child_size;
    double* lambda;
    ZWALK_HD void write(size_type row, Condensing const& c, pos_t merge, index_t what,
                        pos_t size) const {
        parent[row] = index_t(c.h.points) + c.cluster_of(merge);
        child[row] = what;
        child_size[row] = size;
        lambda[row] = c.h.lambda(merge);
    }
};
struct WritePoints {
    Condensing c;
    pos_t const* in_order;
    CondensedColumns out;
    ZWALK_HD void operator()(std::size_t k) const {
        pos_t const merge = departure_of(c, in_order[k]).row;
        out.write(k + 2 * size_type(c.splits[merge]), c, merge, in_order[k], 1);
    }
};
struct WriteClusters {
    Condensing c;
    pos_t const* rows;
    CondensedColumns out;
    ZWALK_HD void operator()(std::size_t k) const {
        pos_t const row = rows[k];
        if (!c.h.splits(row)) return;
        Merge const& m = c.h.merges[row];
        size_type const to = c.leaving[row] + 2 * size_type(c.splits[row]);
        pos_t const left = c.number[c.h.row_of(m.left)];
        out.write(to, c, row, index_t(c.h.points) + left, c.h.size(m.left));
        out.write(to + 1, c, row, index_t(c.h.points) + left + 1, c.h.size(m.right));
    }
};

/// Ways up are found by doubling: a round for each binary digit of the depth of the hierarchy, with a wait every fourth one. First
/// inside clusters, and inside what leaves them; then from cluster to cluster. Two sorts put large merges and points in order.
template <class Device>
class DeviceCondenser {
  public:
    DeviceCondenser(Device& device, pos_t points, Merge const* merges, std::size_t min_cluster_size)
        : device_(device),
          rows_(points - 1),
          above_(array<pos_t>(2 * std::size_t(points) - 1)),
          way_(array<WayUp>(rows_)),
          other_(array<WayUp>(rows_)),
          large_(array<std::uint8_t>(rows_)),
          first_(array<std::uint8_t>(rows_)),
          h_{merges, above_.data(), double(min_cluster_size), points, rows_} {}

    CondensedOnDevice run() {
        find_ways();
        auto leaving = array<pos_t>(rows_), splits = array<pos_t>(rows_), number = array<pos_t>(rows_);
        c_ = {h_,           way_.data(), other_.data(), first_.data(), leaving.data(), splits.data(),
              number.data()};
        order_large();
        describe_clusters();
        order_points();
        write();
        return std::move(out_);
    }

  private:
    template <class V>
    DeviceBuffer<V> array(std::size_t n) {
        return device_.template buffer<V>(n);
    }
    /// Those with a flag. Waits.
    DeviceBuffer<pos_t> rows_with(DeviceBuffer<std::uint8_t> const& flags) {
        auto rows = array<pos_t>(device_.count(flags.data(), rows_));
        device_.positions(flags.data(), rows_, rows.data());
        return rows;
    }

    void find_ways() {
        device_.for_each(rows_, FindAbove{h_});
        device_.for_each(rows_, BeginWays{h_, way_.data(), large_.data(), first_.data()});
        lengthen(nullptr, rows_, way_.data(), other_.data());
        auto const starts = rows_with(first_);
        clusters_ = pos_t(starts.size());
        device_.for_each(clusters_, LeaveClusters{h_, starts.data(), way_.data(), other_.data()});
        // No way that ends with these is read again, so they have room there.
        lengthen(starts.data(), clusters_, other_.data(), way_.data());
    }
    /// Until the ways of these rows are whole.
    void lengthen(pos_t const* rows, std::size_t n, WayUp* way, WayUp* other) {
        constexpr int rounds = 4;
        static_assert(rounds % 2 == 0, "they are where they were");
        auto open = array<pos_t>(1);
        for (pos_t still = 0; still == 0;) {
            device_.for_each(1, Fill<pos_t>{open.data(), no_pos});
            for (int round = 1; round <= rounds; ++round) {
                bool const asks = round == rounds;
                device_.for_each(n, LengthenWays{rows, way, other, asks ? open.data() : nullptr});
                std::swap(way, other);
            }
            device_.download(&still, open.data(), 1);
        }
    }

    void order_large() {
        nodes_ = rows_with(large_);
        std::size_t const n = nodes_.size();
        auto keys = array<std::uint64_t>(n);
        device_.for_each(n, OrderLarge{c_, nodes_.data(), keys.data()});
        device_.sort_pairs(keys.data(), nodes_.data(), n);
        auto leaving = array<pos_t>(n), splits = array<pos_t>(n);
        device_.for_each(n, CountLeaving{h_, nodes_.data(), leaving.data(), splits.data()});
        auto all_leaving = std::move(keys), all_splits = array<size_type>(n);
        device_.exclusive_scan(leaving.data(), all_leaving.data(), n);
        device_.exclusive_scan(splits.data(), all_splits.data(), n);
        device_.for_each(n, NumberClusters{c_, nodes_.data(), all_leaving.data(), all_splits.data()});
    }
    void describe_clusters() {
        std::size_t const n = nodes_.size();
        out_.steps.clusters = array<ClusterStart>(clusters_);
        auto steps = array<pos_t>(clusters_);
        device_.for_each(n,
                         DescribeClusters{c_, nodes_.data(), out_.steps.clusters.data(), steps.data()});
        out_.steps.first = array<size_type>(clusters_);
        device_.exclusive_scan(steps.data(), out_.steps.first.data(), clusters_);
        out_.steps.lambda = array<double>(n);
        out_.steps.leaving = array<pos_t>(n);
        device_.for_each(n, WriteSteps{c_, nodes_.data(), out_.steps.first.data(),
                                       out_.steps.lambda.data(), out_.steps.leaving.data()});
    }
    void order_points() {
        in_order_ = array<pos_t>(h_.points);
        auto keys = array<std::uint64_t>(h_.points);
        int const bits = int(std::bit_width(h_.points));
        device_.for_each(h_.points, PlacePoints{c_, bits, in_order_.data(), keys.data()});
        device_.sort_pairs(keys.data(), in_order_.data(), h_.points, 2 * bits);
    }
    void write() {
        std::size_t const rows = std::size_t(h_.points) + clusters_ - 1;
        for (auto* column : {&out_.parent, &out_.child, &out_.child_size})
            *column = array<index_t>(rows);
        out_.lambda = array<double>(rows);
        CondensedColumns const to{out_.parent.data(), out_.child.data(), out_.child_size.data(),
                                  out_.lambda.data()};
        device_.for_each(h_.points, WritePoints{c_, in_order_.data(), to});
        device_.for_each(nodes_.size(), WriteClusters{c_, nodes_.data(), to});
    }

    Device& device_;
    pos_t rows_, clusters_ = 0;
    DeviceBuffer<pos_t> above_;
    DeviceBuffer<WayUp> way_, other_;
    DeviceBuffer<std::uint8_t> large_, first_;
    HierarchyView h_;
    Condensing c_{};
    DeviceBuffer<pos_t> nodes_, in_order_;  ///< large merges, and points, in the order of the rows
    CondensedOnDevice out_;
};

template <class Device>
CondensedOnDevice device_condense(Device& device, pos_t points, DeviceBuffer<Merge> const& merges,
                                  std::size_t min_cluster_size) {
    return DeviceCondenser<Device>(device, points, merges.data(), min_cluster_size).run();
}

}}}  // namespace zwalk::v0::detail
