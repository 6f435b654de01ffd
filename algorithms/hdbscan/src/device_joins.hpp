// What each edge of a spanning tree joins when edges are taken one after another, on a device.
#pragma once
#include <bit>
#include <utility>

#include "zwalk/core/vec.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Consecutive edges in blocks of 2 * half, a power of two. Each block has a lower half and an upper one; of the last block, which
/// may be short, the lower half counts only if there is an upper one.
struct HalvedBlocks {
    pos_t edges, half;

    [[nodiscard]] ZWALK_HD pos_t uppers() const {
        pos_t const rest = edges & (2 * half - 1);
        return (edges - rest) / 2 + (rest > half ? rest - half : 0);
    }
    [[nodiscard]] ZWALK_HD pos_t lowers() const {
        pos_t const rest = edges & (2 * half - 1);
        return (edges - rest) / 2 + (rest > half ? half : 0);
    }
    /// The i-th edge of all lower halves, and of all upper ones.
    [[nodiscard]] ZWALK_HD pos_t lower(pos_t i) const { return i + (i & ~(half - 1)); }
    [[nodiscard]] ZWALK_HD pos_t upper(pos_t i) const { return lower(i) + half; }
    /// The i-th end of all upper halves.
    [[nodiscard]] ZWALK_HD pos_t upper_end(pos_t i) const { return 2 * upper(i / 2) + i % 2; }
    /// True of an end in the lower half of the block that has `end` in its upper half.
    [[nodiscard]] ZWALK_HD bool is_below(pos_t other, pos_t end) const {
        return other < (end & ~(2 * half - 1));
    }
};

/// Ends of edges: those of edge e are 2 e and 2 e + 1. The clusters that a block's edges are between, before any of these has joined
/// them, are each called by the block's first end in them. What is known of a cluster is where that end is.
struct JoinEnds {
    pos_t* cluster;  ///< the end by which each one's cluster is called
    pos_t* size;
    pos_t* least;  ///< smallest point
    pos_t* last;   ///< ~e of the last edge e inside, which no cluster of one point has
    pos_t* above;  ///< union-find of a lower half's clusters
    pos_t*
        in_upper;  ///< of its roots: the first end of the upper half that is in what they have become, or no_pos
};

/// in_upper[point] = its first end, if there was no_pos.
struct FindFirstEnds {
    index_t const* edges;
    JoinEnds ends;
    ZWALK_HD void operator()(std::size_t x) const {
        atomic_min(&ends.in_upper[pos_t(edges[x])], pos_t(x));
    }
};
/// Before all edges each point is a cluster.
struct BeginWithPoints {
    index_t const* edges;
    JoinEnds ends;
    ZWALK_HD void operator()(std::size_t x) const {
        pos_t const point = pos_t(edges[x]);
        ends.cluster[x] = ends.in_upper[point];
        ends.size[x] = 1;
        ends.least[x] = point;
    }
};

/// For each edge of a lower half.
struct BeginHalves {
    HalvedBlocks blocks;
    JoinEnds ends;
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const first = 2 * blocks.lower(pos_t(i));
        for (pos_t x = first; x < first + 2; ++x) ends.above[x] = x, ends.in_upper[x] = no_pos;
    }
};
struct LinkLower {
    HalvedBlocks blocks;
    JoinEnds ends;
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const first = 2 * blocks.lower(pos_t(i));
        Links{ends.above}.link(ends.cluster[first], ends.cluster[first + 1]);
    }
};
/// For each end in an upper half: what the lower half has made of its cluster, by the root.
struct MeetUpper {
    HalvedBlocks blocks;
    JoinEnds ends;
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const x = blocks.upper_end(pos_t(i));
        if (!blocks.is_below(ends.cluster[x], x)) return;
        pos_t const root = Links{ends.above}.root(ends.cluster[x]);
        ends.cluster[x] = root;
        atomic_min(&ends.in_upper[root], x);
    }
};
/// For each of these: that by an end of the upper half.
struct RenameUpper {
    HalvedBlocks blocks;
    JoinEnds ends;
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const x = blocks.upper_end(pos_t(i));
        if (!blocks.is_below(ends.cluster[x], x)) return;
        pos_t const name = ends.in_upper[ends.cluster[x]];
        ends.cluster[x] = name;
        if (name == x) ends.size[x] = 0, ends.least[x] = ends.last[x] = no_pos;
    }
};
/// For `run` edges of lower halves: adds their clusters to what these have become in the upper half.
struct AddLower {
    /// Edges in a row often join one cluster, and then one addition is enough: threads that add to one place wait for each other.
    static constexpr pos_t run = 8;
    HalvedBlocks blocks;
    JoinEnds ends;

    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const begin = pos_t(i) * run, end = min_of(begin + run, blocks.lowers());
        pos_t whole = no_pos, size = 0, least = no_pos, last = no_pos;
        for (pos_t at = begin; at < end; ++at) {
            pos_t const e = blocks.lower(at);
            pos_t const to = ends.in_upper[Links{ends.above}.root(ends.cluster[2 * e])];
            if (to != whole) {
                add(whole, size, least, last);
                whole = to, size = 0, least = no_pos;
            }
            last = ~e;
            for (pos_t x = 2 * e; x < 2 * e + 2; ++x)
                if (ends.cluster[x] == x) size += ends.size[x], least = min_of(least, ends.least[x]);
        }
        add(whole, size, least, last);
    }

  private:
    ZWALK_HD void add(pos_t whole, pos_t size, pos_t least, pos_t last) const {
        if (whole == no_pos) return;  // no edge of the upper half is there
        if (size > 0) atomic_add(&ends.size[whole], size);
        atomic_min(&ends.least[whole], least);
        atomic_min(&ends.last[whole], last);
    }
};

/// The clusters that each edge joins: at each end its size, its smallest point and its last edge.
///
/// Edges are halved again and again. The lower half of a block makes clusters of the block's clusters, by union-find, and the upper half is
/// between these. So both are blocks of their own, as if the other didn't exist, and blocks of one edge are between what that edge
/// joins. Each halving is five launches over all edges, log2(edges) times; within a block accesses are random, so after the first halvings
/// they are in the caches. Nobody waits. 24 bytes for each end.
template <class Device>
class DeviceJoins {
  public:
    /// @param edges  of a spanning tree of so many points, at least one, rows of two points in any order that is to be taken
    DeviceJoins(Device& device, pos_t points, DeviceBuffer<index_t> const& edges)
        : cluster_(device.template buffer<pos_t>(edges.size())),
          size_(device.template buffer<pos_t>(edges.size())),
          least_(device.template buffer<pos_t>(edges.size())),
          last_(device.template buffer<pos_t>(edges.size())),
          above_(device.template buffer<pos_t>(edges.size())),
          in_upper_(device.template buffer<pos_t>(edges.size())),
          ends_{cluster_.data(), size_.data(),  least_.data(),
                last_.data(),    above_.data(), in_upper_.data()} {
        device.for_each(points, Fill<pos_t>{in_upper_.data(), no_pos});
        device.for_each(edges.size(), FindFirstEnds{edges.data(), ends_});
        device.for_each(edges.size(), BeginWithPoints{edges.data(), ends_});
        for (pos_t half = std::bit_floor(this->edges() - 1); half > 0; half /= 2)
            take_halves(device, {this->edges(), half});
        cluster_ = {};
    }

    [[nodiscard]] pos_t edges() const { return pos_t(size_.size() / 2); }
    [[nodiscard]] JoinEnds const& ends() const { return ends_; }
    /// Two arrays of an element for each end that are free for others.
    [[nodiscard]] std::pair<pos_t*, pos_t*> free_arrays() { return {above_.data(), in_upper_.data()}; }

  private:
    void take_halves(Device& device, HalvedBlocks const& blocks) {
        pos_t const lowers = blocks.lowers(), uppers = blocks.uppers();
        device.for_each(lowers, BeginHalves{blocks, ends_});
        device.for_each(lowers, LinkLower{blocks, ends_});
        device.for_each(2 * std::size_t(uppers), MeetUpper{blocks, ends_});
        device.for_each(2 * std::size_t(uppers), RenameUpper{blocks, ends_});
        device.for_each((lowers + AddLower::run - 1) / AddLower::run, AddLower{blocks, ends_});
    }

    DeviceBuffer<pos_t> cluster_, size_, least_, last_, above_, in_upper_;
    JoinEnds ends_;
};

}}}  // namespace zwalk::v0::detail
