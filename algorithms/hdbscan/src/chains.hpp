// A hierarchy as a tree of chains: what becomes of a cluster until it splits, or falls apart.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "scan_pieces.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/hdbscan/linkage.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Merges that make at least min_cluster_size points (or as much weight), or all; from the top of a hierarchy down to one which isn't made of one such
/// merge and something smaller.
struct Chain {
    pos_t begin = 0, length = 0;  ///< where it is among the nodes of all chains
    pos_t level = 0;              ///< merges above it
    pos_t left = no_pos,
          right = no_pos;  ///< the chains that its last merge joins; no_pos: these are smaller

    [[nodiscard]] pos_t end() const { return begin + length; }
    [[nodiscard]] bool splits() const { return left != no_pos; }
};

/// A merge of a chain.
struct ChainNode {
    double distance;
    pos_t
        rest;  ///< what it joins to the chain's next node, by its id in the linkage. Of the last node: that of itself
    pos_t size;
};

/// A hierarchy's chains, in the order in which one comes upon them from the top down, left before right. Chain 0 has the root.
///
/// O(N) on all threads, but for O(chains) on one: their tree is as deep as it likes. 16 bytes per point, and 8 more to make it.
class Chains {
  public:
    /// Call inside Cpu::run. At least one merge.
    /// @tparam Sizes  how large what a merge makes is: PartCounts, or PartWeights where no point alone is as heavy as a cluster
    template <class Sizes>
    Chains(Cpu const& cpu, Linkage const& linkage, std::size_t min_cluster_size, Sizes const& sizes)
        : merges_(linkage.merges), points_(linkage.points) {
        find_large(double(min_cluster_size), sizes);
        climb(std::clamp(merges_.size() >> 14, std::size_t(1), std::size_t(cpu.threads())));
        auto const last = order();
        nodes_ = Buffer<ChainNode>(std::size_t(chains_.back().end()));
        cpu.for_each(merges_.size(), [&](std::size_t i) {
            if (!is_large_row(i)) return;
            Merge const& m = merges_[i];
            Place const& p = place_[i];
            double const rest = p.height == 0 ? double(points_ + i) : p.follows_left ? m.right : m.left;
            nodes_[last[p.chain] - p.height] = {m.distance, pos_t(rest), pos_t(m.size)};
        });
        place_ = {};
    }

    [[nodiscard]] std::size_t size() const { return chains_.size(); }
    [[nodiscard]] Chain const& operator[](std::size_t c) const { return chains_[c]; }
    /// Merges of all chains, each from the top down.
    [[nodiscard]] Buffer<ChainNode> const& nodes() const { return nodes_; }
    /// How many points, one by one, or clusters leave a chain of a condensed tree at a node.
    [[nodiscard]] pos_t leaving(Chain const& chain, std::size_t node) const {
        if (node + 1 < chain.end()) return nodes_[node].size - nodes_[node + 1].size;
        return chain.splits() ? 2 : nodes_[node].size;
    }
    /// Points of the cluster that a chain begins with.
    [[nodiscard]] pos_t points_of(std::size_t c) const { return nodes_[chains_[c].begin].size; }
    /// The chain that has this node.
    [[nodiscard]] std::size_t chain_of(std::size_t node) const {
        auto const after = std::upper_bound(chains_.begin(), chains_.end(), node,
                                            [](std::size_t n, Chain const& c) { return n < c.begin; });
        return std::size_t(after - chains_.begin()) - 1;
    }
    /// True of an id in the linkage that has enough points for a chain.
    [[nodiscard]] bool is_large(double id) const {
        return id >= double(points_) && is_large_row(std::size_t(id) - points_);
    }

  private:
    /// Where a merge is: the number of the chain, and how far above its last one. While it is open, in place of a chain there is a
    /// merge of an earlier strip, from which the height counts.
    struct Place {
        pos_t chain : 31;
        bool follows_left : 1;  ///< the next one is at its left
        pos_t height : 31;
        bool open : 1;
    };
    static_assert(sizeof(Place) == 8 && max_points < (pos_t(1) << 31));

    [[nodiscard]] bool is_large_row(std::size_t row) const { return large_[row / 64] >> (row % 64) & 1; }
    [[nodiscard]] pos_t row_of(double id) const { return pos_t(std::size_t(id) - points_); }

    template <class Sizes>
    void find_large(double least, Sizes const& sizes) {
        std::size_t const rows = merges_.size();
        large_ = Buffer<std::uint64_t>((rows + 63) / 64);
        parallel_for(large_.size(), 1 << 8, [&](std::size_t w, std::size_t end) {
            for (; w < end; ++w) {
                std::uint64_t bits = 0;
                for (std::size_t i = 64 * w; i < std::min(rows, 64 * (w + 1)); ++i)
                    bits |= std::uint64_t(i + 1 == rows || sizes.whole(points_ + i) >= least)
                            << (i % 64);
                large_[w] = bits;
            }
        });
    }

    /// Numbers chains in the order of their last merges' rows, and places all merges. Each thread has a strip of rows, and then, strip
    /// by strip, all of them go on from what is known of the strips before.
    void climb(std::size_t strips) {
        std::size_t const rows = merges_.size();
        place_ = Buffer<Place>(rows);
        auto const begin = [&](std::size_t s) { return s * rows / strips; };
        std::vector<std::vector<pos_t>> ends(strips);
        parallel_for(strips, 1, [&](std::size_t s, std::size_t last) {
            for (; s < last; ++s) climb_strip(begin(s), begin(s + 1), ends[s]);
        });
        for (std::size_t s = 0; s < strips; ++s) {
            auto const first = pos_t(ends_.size());
            ends_.insert(ends_.end(), ends[s].begin(), ends[s].end());
            if (s == 0) continue;
            parallel_for(begin(s + 1) - begin(s), 1 << 12, [&](std::size_t i, std::size_t last) {
                for (i += begin(s), last += begin(s); i < last; ++i)
                    if (is_large_row(i)) close(place_[i], first);
            });
        }
    }
    void climb_strip(std::size_t begin, std::size_t end, std::vector<pos_t>& ends) {
        constexpr std::size_t ahead = 24;
        for (std::size_t i = begin; i < end; ++i) {
            if (i + ahead < end) {
                Merge const& next = merges_[i + ahead];
                for (double const id : {next.left, next.right})
                    if (id >= double(points_)) __builtin_prefetch(&place_[row_of(id)]);
            }
            if (!is_large_row(i)) continue;
            Merge const& m = merges_[i];
            bool const left = is_large(m.left);
            if (left == is_large(m.right)) {
                place_[i] = {pos_t(ends.size()), false, 0, false};
                ends.push_back(pos_t(i));
                continue;
            }
            pos_t const below = row_of(left ? m.left : m.right);
            place_[i] = below < begin ? Place{below, left, 1, true} : above(place_[below], left, 1);
        }
    }
    /// So far above another one.
    static Place above(Place p, bool follows_left, pos_t height) {
        p.follows_left = follows_left;
        p.height += height;
        return p;
    }
    /// @param first  number of the first chain that ends in the strip
    void close(Place& p, pos_t first) const {
        if (p.open) p = above(place_[p.chain], p.follows_left, p.height);
        else p.chain += first;
    }

    /// Puts chains in order. Returns the last node of each, by its number.
    std::vector<pos_t> order() {
        std::size_t const n = ends_.size();
        std::vector<Chain> by_number(n);
        parallel_for(n, 1 << 12, [&](std::size_t c, std::size_t end) {
            for (; c < end; ++c) {
                Merge const& m = merges_[ends_[c]];
                if (!is_large(m.left)) continue;
                auto const found = [&](double id) {
                    Place const top = place_[row_of(id)];
                    by_number[top.chain].length = top.height + 1;
                    return pos_t(top.chain);
                };
                by_number[c].left = found(m.left), by_number[c].right = found(m.right);
            }
        });
        by_number[n - 1].length = place_[merges_.size() - 1].height + 1;
        // Chains have larger numbers than those inside them.
        std::vector<pos_t> inside(n, 1), at(n, 0);
        for (std::size_t c = 0; c < n; ++c)
            if (by_number[c].splits())
                inside[c] += inside[by_number[c].left] + inside[by_number[c].right];
        chains_.resize(n);
        for (std::size_t c = n; c-- > 0;) {
            Chain& chain = by_number[c];
            if (chain.splits()) {
                for (pos_t const half : {chain.left, chain.right})
                    by_number[half].level = chain.level + chain.length;
                at[chain.left] = at[c] + 1;
                at[chain.right] = at[c] + 1 + inside[chain.left];
                chain.left = at[chain.left], chain.right = at[chain.right];
            }
            chains_[at[c]] = chain;
        }
        pos_t nodes = 0;
        for (Chain& chain : chains_) chain.begin = nodes, nodes += chain.length;
        for (pos_t& place : at) place = chains_[place].end() - 1;
        ends_ = {};
        return at;
    }

    Buffer<Merge> const& merges_;
    std::size_t points_;
    Buffer<std::uint64_t> large_;  // a bit for each merge
    Buffer<Place> place_;          // of each merge that is large
    std::vector<pos_t> ends_;      // last merge of each chain, by number
    std::vector<Chain> chains_;
    Buffer<ChainNode> nodes_;
};

}}}  // namespace zwalk::v0::detail
