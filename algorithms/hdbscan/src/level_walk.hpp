// A condensed tree on one thread: less work than what many threads do (condensed_tree.cpp).
#pragma once
#include <vector>

#include "strength.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/hdbscan/condensed_tree.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Goes down a hierarchy level by level on one thread, and writes what leaves which cluster.
class LevelWalk {
  public:
    LevelWalk(Linkage const& linkage, CondensedTree& out)
        : merges_(linkage.merges), points_(linkage.points), out_(out) {}

    /// At least one merge.
    void run() {
        // Clusters that never split have no point in common; all but one of the others are made by a split.
        std::size_t const most = points_ + 2 * (points_ / out_.min_cluster_size);
        for (auto* column : {&out_.parent, &out_.child, &out_.child_size}) column->reserve(most);
        out_.lambda.reserve(most);
        out_.clusters.push_back({-1, index_t(points_), 0});
        next_.push_back({pos_t(points_ + merges_.size() - 1), 0});
        while (!next_.empty()) {
            level_.swap(next_);
            next_.clear();
            for (std::size_t i = 0; i < level_.size(); ++i) {
                if (i + ahead < level_.size()) prefetch(pos_t(merge_of(level_[i + ahead]).left));
                divide(level_[i]);
            }
        }
    }

  private:
    /// A merge that makes a cluster of at least min_cluster_size points (or the root), and its cluster.
    struct Alive {
        pos_t node, cluster;
    };

    static constexpr std::size_t ahead = 8;

    void prefetch(pos_t node) const {
        if (node >= points_) __builtin_prefetch(&merges_[node - points_]);
    }
    [[nodiscard]] Merge const& merge_of(Alive a) const { return merges_[a.node - points_]; }
    [[nodiscard]] std::size_t size(pos_t node) const {
        return node < points_ ? 1 : std::size_t(merges_[node - points_].size);
    }

    void divide(Alive a) {
        Merge const& m = merge_of(a);
        auto const left = pos_t(m.left), right = pos_t(m.right);
        std::size_t const at_left = size(left), at_right = std::size_t(m.size) - at_left;
        bool const keep_left = at_left >= out_.min_cluster_size,
                   keep_right = at_right >= out_.min_cluster_size;
        double const lambda = lambda_at(m.distance);
        if (keep_left && keep_right) {
            out_.clusters[a.cluster].leaf = false;
            begin(left, at_left, a.cluster, lambda);
            begin(right, at_right, a.cluster, lambda);
            return;
        }
        if (keep_left) go_on(left, a.cluster);
        else drop(left, a.cluster, lambda);
        if (keep_right) go_on(right, a.cluster);
        else drop(right, a.cluster, lambda);
    }

    /// A new cluster.
    void begin(pos_t node, std::size_t size, pos_t parent, double lambda) {
        auto const cluster = pos_t(out_.clusters.size());
        add_row(parent, points_ + cluster, lambda, size);
        out_.clusters.push_back({index_t(parent), index_t(size), lambda});
        go_on(node, cluster);
    }
    void go_on(pos_t node, pos_t cluster) {
        prefetch(node);
        next_.push_back({node, cluster});
    }
    /// All points of a part leave the cluster, in the order of the levels below it.
    void drop(pos_t part, pos_t cluster, double lambda) {
        if (part < points_) return add_row(cluster, part, lambda, 1);
        dropped_.assign(1, part);
        for (std::size_t i = 0; i < dropped_.size(); ++i) {
            pos_t const node = dropped_[i];
            if (node < points_) {
                add_row(cluster, node, lambda, 1);
                continue;
            }
            Merge const& m = merges_[node - points_];
            dropped_.push_back(pos_t(m.left));
            dropped_.push_back(pos_t(m.right));
        }
    }
    void add_row(pos_t cluster, std::size_t child, double lambda, std::size_t size) {
        out_.parent.push_back(index_t(points_ + cluster));
        out_.child.push_back(index_t(child));
        out_.lambda.push_back(lambda);
        out_.child_size.push_back(index_t(size));
        CondensedCluster& c = out_.clusters[cluster];
        c.death = lambda;  // rows of a cluster ascend
        if (lambda > c.birth)
            c.stability += (lambda - c.birth) * double(size);  // not infinity - infinity
    }

    Buffer<Merge> const& merges_;
    std::size_t points_;
    CondensedTree& out_;
    std::vector<Alive> level_, next_;
    std::vector<pos_t> dropped_;
};

}}}  // namespace zwalk::v0::detail
