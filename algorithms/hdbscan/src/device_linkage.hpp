// The rows of a linkage on a device; linkage.hpp says which ones they are.
#pragma once
#include <bit>

#include "device_joins.hpp"
#include "linkage_on.hpp"
#include "zwalk/walk/links.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What rows are made of. Edges of one length are an event. Those of an event that touch, directly or by others of it, make one
/// whole, which is called by its first edge; one edge alone is a whole, too.
struct LinkageRows {
    pos_t points, edges;
    JoinEnds ends;
    Merge* merges;     ///< distances are there from the beginning
    pos_t* whole;      ///< of each edge
    pos_t* first_row;  ///< of each whole
    pos_t* last_row;

    [[nodiscard]] ZWALK_HD bool is_point(pos_t end) const { return ends.size[end] == 1; }
    [[nodiscard]] ZWALK_HD double length(pos_t edge) const { return merges[edge].distance; }
    [[nodiscard]] ZWALK_HD bool is_tied(pos_t edge) const {
        return (edge > 0 && length(edge - 1) == length(edge)) ||
               (edge + 1 < edges && length(edge) == length(edge + 1));
    }
    /// The first edge of an edge's event.
    [[nodiscard]] ZWALK_HD pos_t event(pos_t edge) const {
        // Steps get longer, then shorter: most events are small.
        pos_t step = 1, first = edge;
        for (; first >= step && length(first - step) == length(edge); step *= 2) first -= step;
        for (; step > 0; step /= 2)
            if (first >= step && length(first - step) == length(edge)) first -= step;
        return first;
    }
    /// The id of the cluster at an end.
    [[nodiscard]] ZWALK_HD pos_t id(pos_t end) const {
        return is_point(end) ? ends.least[end] : points + last_row[whole[~ends.last[end]]];
    }
    /// True of an end whose cluster takes part in the event, and isn't made by another edge of it.
    [[nodiscard]] ZWALK_HD bool is_part(pos_t end) const {
        return is_point(end) || length(~ends.last[end]) != length(end / 2);
    }
    [[nodiscard]] ZWALK_HD bool is_alone(pos_t edge) const {
        return first_row[whole[edge]] == last_row[whole[edge]];
    }
    ZWALK_HD void write(pos_t row, pos_t a, pos_t b, pos_t size) const {
        Merge& m = merges[row];
        m.left = double(min_of(a, b)), m.right = double(max_of(a, b)), m.size = double(size);
    }
};

template <class T>
struct WriteDistances {
    T const* lengths;
    Merge* merges;
    ZWALK_HD void operator()(std::size_t e) const { merges[e].distance = double(lengths[e]); }
};
struct BeginRows {
    LinkageRows r;
    std::uint8_t* tied;
    ZWALK_HD void operator()(std::size_t e) const {
        r.whole[e] = r.first_row[e] = r.last_row[e] = pos_t(e);
        tied[e] = r.is_tied(pos_t(e));
    }
};

/// For the tied edges.
struct LinkTied {
    LinkageRows r;
    pos_t const* tied;
    pos_t* least;  ///< of wholes
    ZWALK_HD void operator()(std::size_t k) const {
        pos_t const e = tied[k];
        for (pos_t end = 2 * e; end < 2 * e + 2; ++end)
            if (!r.is_part(end)) Links{r.whole}.link(e, ~r.ends.last[end]);
        least[e] = no_pos;
    }
};
struct SettleTied {
    LinkageRows r;
    pos_t const* tied;
    pos_t* least;
    ZWALK_HD void operator()(std::size_t k) const {
        pos_t const e = tied[k];
        Links{r.whole}.settle(e);
        atomic_min(&least[r.whole[e]], min_of(r.ends.least[2 * e], r.ends.least[2 * e + 1]));
    }
};
/// Wholes of an event come in the order of their smallest points.
struct OrderTied {
    LinkageRows r;
    pos_t const *tied, *least;
    std::uint64_t* key;
    ZWALK_HD void operator()(std::size_t k) const {
        key[k] = std::uint64_t(r.event(tied[k])) << 32 | least[r.whole[tied[k]]];
    }
};
/// For the tied edges in that order, which have the same rows as before all together.
struct PlaceTied {
    LinkageRows r;
    pos_t const *rows, *in_order;
    std::size_t ties;
    ZWALK_HD void operator()(std::size_t k) const {
        auto const whole_at = [&](std::size_t at) { return r.whole[in_order[at]]; };
        pos_t const w = whole_at(k);
        if (k == 0 || whole_at(k - 1) != w) r.first_row[w] = rows[k];
        if (k + 1 == ties || whole_at(k + 1) != w) r.last_row[w] = rows[k];
    }
};

/// Rows of wholes of one edge; where there are others, flags their parts.
struct WriteAlone {
    LinkageRows r;
    std::uint8_t* part;  ///< of each end; null: there are no ties
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const e = pos_t(at), a = 2 * e, b = a + 1;
        bool const alone = r.is_alone(e);
        if (alone) r.write(r.first_row[r.whole[e]], r.id(a), r.id(b), r.ends.size[a] + r.ends.size[b]);
        if (part) part[a] = !alone && r.is_part(a), part[b] = !alone && r.is_part(b);
    }
};
/// The parts of wholes: the largest first, of equal ones that with the smaller id.
struct OrderBySize {
    LinkageRows r;
    pos_t const* end;
    std::uint64_t* key;
    ZWALK_HD void operator()(std::size_t j) const {
        key[j] = std::uint64_t(~r.ends.size[end[j]]) << 32 | r.id(end[j]);
    }
};
struct OrderByWhole {
    LinkageRows r;
    pos_t const* end;
    std::uint64_t* key;
    ZWALK_HD void operator()(std::size_t j) const { key[j] = r.first_row[r.whole[end[j] / 2]]; }
};
/// Parts in order.
struct BeginWholes {
    LinkageRows r;
    pos_t const* end;
    pos_t *size, *first_part;  ///< of parts; of wholes
    ZWALK_HD void operator()(std::size_t j) const {
        size[j] = r.ends.size[end[j]];
        pos_t const w = r.whole[end[j] / 2];
        if (j == 0 || r.whole[end[j - 1] / 2] != w) first_part[w] = pos_t(j);
    }
};
/// Each part but the first one of a whole joins what those before it have made.
struct WriteWholes {
    LinkageRows r;
    pos_t const *end, *first_part;
    size_type const* before;  ///< points of all parts before
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const j = pos_t(at), w = r.whole[end[j] / 2], first = first_part[w];
        if (j == first) return;
        pos_t const row = r.first_row[w] + (j - first - 1);
        pos_t const other = j - first == 1 ? r.id(end[first]) : r.points + row - 1;
        r.write(row, other, r.id(end[j]), pos_t(before[j] - before[first]) + r.ends.size[end[j]]);
    }
};

template <class Device>
class DeviceLinker {
  public:
    /// @param merges  with distances
    DeviceLinker(Device& device, pos_t points, DeviceBuffer<index_t> const& edges, Merge* merges)
        : device_(device),
          joins_(device, points, edges),
          whole_(device.template buffer<pos_t>(joins_.edges())) {
        auto const [a, b] = joins_.free_arrays();
        least_ = first_part_ = b;
        rows_ = {points, points - 1, joins_.ends(), merges, whole_.data(), a, a + joins_.edges()};
    }

    void run() {
        pos_t const edges = joins_.edges();
        auto flags = device_.template buffer<std::uint8_t>(2 * std::size_t(edges));
        device_.for_each(edges, BeginRows{rows_, flags.data()});
        pos_t const ties = device_.count(flags.data(), edges);
        if (ties > 0) order_tied(flags.data(), ties);
        device_.for_each(edges, WriteAlone{rows_, ties > 0 ? flags.data() : nullptr});
        if (ties == 0) return;
        std::size_t const ends = 2 * std::size_t(edges);
        if (pos_t const parts = device_.count(flags.data(), ends)) join_parts(flags.data(), parts);
    }

  private:
    void order_tied(std::uint8_t const* flags, pos_t ties) {
        auto rows = device_.template buffer<pos_t>(ties);
        device_.positions(flags, joins_.edges(), rows.data());
        device_.for_each(ties, LinkTied{rows_, rows.data(), least_});
        device_.for_each(ties, SettleTied{rows_, rows.data(), least_});
        auto keys = device_.template buffer<std::uint64_t>(ties);
        device_.for_each(ties, OrderTied{rows_, rows.data(), least_, keys.data()});
        auto in_order = copy_on(device_, rows.data(), ties);
        device_.sort_pairs(keys.data(), in_order.data(), ties);
        device_.for_each(ties, PlaceTied{rows_, rows.data(), in_order.data(), ties});
    }
    void join_parts(std::uint8_t const* flags, pos_t parts) {
        auto end = device_.template buffer<pos_t>(parts);
        device_.positions(flags, 2 * std::size_t(joins_.edges()), end.data());
        auto keys = device_.template buffer<std::uint64_t>(parts);
        device_.for_each(parts, OrderBySize{rows_, end.data(), keys.data()});
        device_.sort_pairs(keys.data(), end.data(), parts);
        device_.for_each(parts, OrderByWhole{rows_, end.data(), keys.data()});
        device_.sort_pairs(keys.data(), end.data(), parts, int(std::bit_width(rows_.edges)));
        auto size = device_.template buffer<pos_t>(parts);
        device_.for_each(parts, BeginWholes{rows_, end.data(), size.data(), first_part_});
        auto before = std::move(keys);
        device_.exclusive_scan(size.data(), before.data(), parts);
        device_.for_each(parts, WriteWholes{rows_, end.data(), first_part_, before.data()});
    }

    Device& device_;
    DeviceJoins<Device> joins_;
    DeviceBuffer<pos_t> whole_;
    pos_t *least_, *first_part_;  ///< of wholes, one after the other
    LinkageRows rows_;
};

template <class T, class Device>
DeviceBuffer<Merge> device_linkage(Device& device, pos_t points, DeviceBuffer<index_t> const& edges,
                                   DeviceBuffer<T> const& lengths) {
    auto merges = device.template buffer<Merge>(lengths.size());
    if (lengths.size() == 0) return merges;
    device.for_each(lengths.size(), WriteDistances<T>{lengths.data(), merges.data()});
    DeviceLinker<Device>(device, points, edges, merges.data()).run();
    return merges;
}
template <class T, class Device>
DeviceBuffer<Merge> device_linkage(Device& device, pos_t points, Buffer<index_t> const& edges,
                                   Buffer<T> const& lengths) {
    auto const edges_there = copy_to(device, edges);
    auto const lengths_there = copy_to(device, lengths);
    return device_linkage<T>(device, points, edges_there, lengths_there);
}

}}}  // namespace zwalk::v0::detail
