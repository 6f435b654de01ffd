// A condensed tree on one thread: less work than what many threads do (condensed_tree.cpp).
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "strength.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/hdbscan/condensed_tree.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Sizes of the parts of a hierarchy whose points have no weights, as LevelWalk asks for them.
class PartCounts {
  public:
    static constexpr bool has_weights = false;
    explicit PartCounts(Linkage const& linkage) : linkage_(linkage) {}

    [[nodiscard]] double whole(std::size_t id) const {
        return id < linkage_.points ? 1 : linkage_.merges[id - linkage_.points].size;
    }
    /// As how heavy both parts take part in a merge. One of them is looked at: most of the time is waiting for memory.
    [[nodiscard]] std::pair<double, double> halves(Merge const& m) const {
        double const left = whole(std::size_t(m.left));
        return {left, m.size - left};
    }
    void prefetch(std::size_t id) const {
        if (id >= linkage_.points) __builtin_prefetch(&linkage_.merges[id - linkage_.points]);
    }

  private:
    Linkage const& linkage_;
};

/// Goes down a hierarchy level by level on one thread, and writes what leaves which cluster.
/// @tparam Sizes  PartCounts, or PartWeights (weighted.hpp); where points have weights, a heavy one is a cluster of its own
template <class Sizes>
class LevelWalk {
  public:
    LevelWalk(Linkage const& linkage, CondensedTree& out)
        : linkage_(linkage),
          sizes_(linkage),
          merges_(linkage.merges),
          points_(linkage.points),
          least_(double(out.min_cluster_size)),
          out_(out) {}

    /// At least one merge.
    void run() {
        std::size_t const root = points_ + merges_.size() - 1;
        // Clusters that never split have nothing in common; all but one of the others are made by a split.
        double const leaves = sizes_.whole(root) / least_;
        std::size_t const most = points_ + 2 * std::size_t(std::min(double(points_), leaves));
        for (auto* column : {&out_.parent, &out_.child, &out_.child_size}) column->reserve(most);
        out_.lambda.reserve(most);
        if constexpr (Sizes::has_weights) out_.child_weight.reserve(most);
        out_.clusters.push_back({-1, index_t(points_), 0});
        next_.push_back({pos_t(root), 0});
        while (!next_.empty()) {
            level_.swap(next_);
            next_.clear();
            for (std::size_t i = 0; i < level_.size(); ++i) {
                if (i + ahead < level_.size()) prefetch_halves(level_[i + ahead].node);
                divide(level_[i]);
            }
        }
    }

  private:
    /// A part that is large enough (or the root), and its cluster.
    struct Alive {
        pos_t node, cluster;
    };

    static constexpr std::size_t ahead = 8;

    void prefetch_halves(pos_t node) const {
        if (node < points_) return;
        Merge const& m = merges_[node - points_];
        sizes_.prefetch(std::size_t(m.left));
        if constexpr (Sizes::has_weights) sizes_.prefetch(std::size_t(m.right));
    }

    void divide(Alive a) {
        if constexpr (Sizes::has_weights)
            if (a.node < points_)
                return add_row(a.cluster, a.node, lambda_at(linkage_.cores[a.node]), 1,
                               sizes_.whole(a.node));
        Merge const& m = merges_[a.node - points_];
        auto const left = pos_t(m.left), right = pos_t(m.right);
        auto const [at_left, at_right] = sizes_.halves(m);
        bool const keep_left = at_left >= least_, keep_right = at_right >= least_;
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
    /// @param at  as how heavy it takes part: its points, if these have no weights
    void begin(pos_t node, double at, pos_t parent, double lambda) {
        auto const cluster = pos_t(out_.clusters.size());
        std::size_t size;
        double weight = at;
        if constexpr (Sizes::has_weights) {
            size = node < points_ ? 1 : std::size_t(merges_[node - points_].size);
            weight = sizes_.whole(node);
        } else {
            size = std::size_t(at);
        }
        add_row(parent, points_ + cluster, lambda, size, weight);
        out_.clusters.push_back({index_t(parent), index_t(size), lambda});
        go_on(node, cluster);
    }
    void go_on(pos_t node, pos_t cluster) {
        if (node >= points_) __builtin_prefetch(&merges_[node - points_]);
        next_.push_back({node, cluster});
    }
    /// All points of a part leave the cluster, in the order of the levels below it.
    void drop(pos_t part, pos_t cluster, double lambda) {
        if (part < points_) return drop_point(part, cluster, lambda);
        dropped_.assign(1, part);
        for (std::size_t i = 0; i < dropped_.size(); ++i) {
            pos_t const node = dropped_[i];
            if (node < points_) {
                drop_point(node, cluster, lambda);
                continue;
            }
            Merge const& m = merges_[node - points_];
            dropped_.push_back(pos_t(m.left));
            dropped_.push_back(pos_t(m.right));
        }
    }
    void drop_point(pos_t point, pos_t cluster, double lambda) {
        add_row(cluster, point, lambda, 1, sizes_.whole(point));
    }
    void add_row(pos_t cluster, std::size_t child, double lambda, std::size_t size, double weight) {
        out_.parent.push_back(index_t(points_ + cluster));
        out_.child.push_back(index_t(child));
        out_.lambda.push_back(lambda);
        out_.child_size.push_back(index_t(size));
        if constexpr (Sizes::has_weights) out_.child_weight.push_back(weight);
        leave_weighing(out_.clusters[cluster], lambda, weight);
    }

    Linkage const& linkage_;
    Sizes const sizes_;
    Buffer<Merge> const& merges_;
    std::size_t points_;
    double least_;
    CondensedTree& out_;
    std::vector<Alive> level_, next_;
    std::vector<pos_t> dropped_;
};

}}}  // namespace zwalk::v0::detail
