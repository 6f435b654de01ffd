#include "weighted.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "checks.hpp"
#include "strength.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/hdbscan/weights.hpp"

namespace zwalk { inline namespace v0 {
namespace {

using detail::lambda_at;

/// Goes down a hierarchy level by level, as level_walk.hpp does, but counts weights; and where a point is heavy enough,
/// it is a cluster of its own.
class WeightedCondenser {
  public:
    WeightedCondenser(Linkage const& linkage, CondensedTree& out)
        : linkage_(linkage),
          weights_(linkage),
          points_(linkage.points),
          least_(double(out.min_cluster_size)),
          out_(out) {}

    void run() {
        std::size_t const root = points_ + linkage_.merges.size() - 1;
        // Clusters that never split share no weight; all but one of the others are made by a split.
        double const leaves = weights_.whole(root) / least_;
        std::size_t const most = points_ + 2 * std::size_t(std::min(double(points_), leaves));
        for (auto* column : {&out_.parent, &out_.child, &out_.child_size}) column->reserve(most);
        for (auto* column : {&out_.lambda, &out_.child_weight}) column->reserve(most);
        out_.clusters.push_back({-1, index_t(points_), 0});
        next_.push_back({root, 0});
        std::vector<Alive> level;
        while (!next_.empty()) {
            level.swap(next_);
            next_.clear();
            for (std::size_t i = 0; i < level.size(); ++i) {
                if (i + ahead < level.size()) prefetch_parts(level[i + ahead].part);
                divide(level[i]);
            }
        }
    }

  private:
    /// A part that is heavy enough, and its cluster.
    struct Alive {
        std::size_t part, cluster;
    };

    static constexpr std::size_t ahead = 8;

    /// Nearly all the time is waiting for memory.
    void prefetch_parts(std::size_t part) const {
        if (part < points_) return;
        Merge const& m = linkage_.merges[part - points_];
        for (double const id : {m.left, m.right}) weights_.prefetch(std::size_t(id));
    }
    void go_on(std::size_t part, std::size_t cluster) {
        if (part >= points_) __builtin_prefetch(&linkage_.merges[part - points_]);
        next_.push_back({part, cluster});
    }

    void divide(Alive a) {
        if (a.part < points_) return add_row(a.cluster, a.part, lambda_at(linkage_.cores[a.part]), 1);
        Merge const& m = linkage_.merges[a.part - points_];
        double const lambda = lambda_at(m.distance);
        std::pair<std::size_t, bool> parts[2];
        for (int i = 0; i < 2; ++i) {
            auto const part = std::size_t(i == 0 ? m.left : m.right);
            parts[i] = {part, weights_.at(part, m.distance) >= least_};
        }
        bool const splits = parts[0].second && parts[1].second;
        if (splits) out_.clusters[a.cluster].leaf = false;
        for (auto const& [part, stays] : parts)
            if (splits) begin(part, a.cluster, lambda);
            else if (stays) go_on(part, a.cluster);
            else drop(part, a.cluster, lambda);
    }
    [[nodiscard]] std::size_t points_of(std::size_t part) const {
        return part < points_ ? 1 : std::size_t(linkage_.merges[part - points_].size);
    }
    void begin(std::size_t part, std::size_t parent, double lambda) {
        std::size_t const cluster = out_.clusters.size();
        add_row(parent, points_ + cluster, lambda, points_of(part), weights_.whole(part));
        out_.clusters.push_back({index_t(parent), index_t(points_of(part)), lambda});
        go_on(part, cluster);
    }
    /// All points of a part leave the cluster.
    void drop(std::size_t part, std::size_t cluster, double lambda) {
        dropped_.assign(1, part);
        for (std::size_t i = 0; i < dropped_.size(); ++i) {
            if (dropped_[i] < points_) {
                add_row(cluster, dropped_[i], lambda, 1);
                continue;
            }
            Merge const& m = linkage_.merges[dropped_[i] - points_];
            dropped_.push_back(std::size_t(m.left));
            dropped_.push_back(std::size_t(m.right));
        }
    }
    void add_row(std::size_t cluster, std::size_t point, double lambda, std::size_t size) {
        add_row(cluster, point, lambda, size, linkage_.weights[point]);
    }
    void add_row(std::size_t cluster, std::size_t child, double lambda, std::size_t size,
                 double weight) {
        out_.parent.push_back(index_t(points_ + cluster));
        out_.child.push_back(index_t(child));
        out_.lambda.push_back(lambda);
        out_.child_size.push_back(index_t(size));
        out_.child_weight.push_back(weight);
        CondensedCluster& c = out_.clusters[cluster];
        c.death = lambda;
        if (lambda > c.birth) c.stability += (lambda - c.birth) * weight;
    }

    Linkage const& linkage_;
    detail::PartWeights weights_;
    std::size_t points_;
    double least_;
    CondensedTree& out_;
    std::vector<Alive> next_;
    std::vector<std::size_t> dropped_;
};

/// A part of an event, with what it is sorted by.
struct Part {
    double weight;
    std::size_t id;
    bool operator<(Part const& o) const { return weight != o.weight ? weight > o.weight : id < o.id; }
};

/// Rows [begin, end), each of which merges something with what the row before has made: again, the heaviest part first.
void chain(Linkage& linkage, std::vector<Part>& parts, std::size_t begin, std::size_t end) {
    std::sort(parts.begin(), parts.end());
    std::size_t made = parts[0].id;
    double size = 0;
    auto const points_of = [&](std::size_t id) {
        return id < linkage.points ? 1 : linkage.merges[id - linkage.points].size;
    };
    size = points_of(made);
    for (std::size_t row = begin; row < end; ++row) {
        std::size_t const with = parts[row - begin + 1].id;
        size += points_of(with);
        Merge& m = linkage.merges[row];
        m.left = double(std::min(made, with));
        m.right = double(std::max(made, with));
        m.size = size;
        made = linkage.points + row;
    }
}

/// Brings merges of equal distance into the order of the weights.
void order_events(Linkage& linkage) {
    detail::PartWeights const weights(linkage);  // what an event makes is as heavy in any order
    auto const& merges = linkage.merges;
    std::vector<Part> parts;
    for (std::size_t begin = 0, end; begin < merges.size(); begin = end) {
        double const distance = merges[begin].distance;
        parts.clear();
        auto const add = [&](double id) {
            parts.push_back({weights.at(std::size_t(id), distance), std::size_t(id)});
        };
        add(merges[begin].left);
        add(merges[begin].right);
        for (end = begin + 1; end < merges.size() && merges[end].distance == distance; ++end) {
            double const before = double(linkage.points + end - 1);
            if (merges[end].left != before && merges[end].right != before) break;
            add(merges[end].left == before ? merges[end].right : merges[end].left);
        }
        if (end - begin > 1) chain(linkage, parts, begin, end);
    }
}

}  // namespace

Linkage with_weights(Linkage linkage, std::span<double const> weights, std::span<double const> cores) {
    std::size_t const n = linkage.points;
    detail::check_weights(n, weights);
    if (cores.size() != n)
        throw InputError(fmt::format("there are {} core distances of {} points", cores.size(), n));
    for (std::size_t i = 0; i < n; ++i)
        if (!(cores[i] >= 0))
            throw InputError(fmt::format("core distance {} is {}: it must be >= 0", i, cores[i]));
    linkage.weights = Buffer<double>(n);
    linkage.cores = Buffer<double>(n);
    std::copy(weights.begin(), weights.end(), linkage.weights.begin());
    std::copy(cores.begin(), cores.end(), linkage.cores.begin());
    order_events(linkage);
    return linkage;
}

CondensedTree detail::condense_weighted(Linkage const& linkage, std::size_t min_cluster_size) {
    CondensedTree tree;
    tree.points = linkage.points;
    tree.min_cluster_size = min_cluster_size;
    if (!linkage.merges.empty()) WeightedCondenser(linkage, tree).run();
    return tree;
}

}}  // namespace zwalk::v0
