#include "zwalk/hdbscan/clusters.hpp"

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "strength.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::size_t grain = 1 << 14;  // rows per task

/// The largest finite distance of a tree; 0 without any.
double largest_distance(CondensedTree const& tree) {
    auto const larger = [](double a, double b) { return std::max(a, b); };
    return parallel_reduce(
        tree.rows(), grain, 0.,
        [&](std::size_t row, std::size_t end, double far) {
            for (; row < end; ++row)
                if (double const lambda = tree.lambda[row]; lambda > 0) far = larger(far, 1 / lambda);
            return far;
        },
        larger);
}

bool may_take_root(CondensedTree const& tree, std::vector<double> const& weights,
                   SelectionOptions const& o) {
    return o.allow_single_cluster && !weights.empty() && weights[0] >= double(tree.min_cluster_size);
}

/// Which clusters a selection takes, as one flag per cluster. Parents come before their children.
std::vector<char> most_stable(CondensedTree const& tree, std::vector<double> const& weights,
                              SelectionOptions const& o) {
    auto const& clusters = tree.clusters;
    std::vector<char> taken(clusters.size(), 0);
    std::vector<double> below(clusters.size(), 0);  // stability of the best choice inside
    std::size_t const first = may_take_root(tree, weights, o) ? 0 : 1;
    double const far = first == 0 && o.epsilon_max < infinity<double> ? largest_distance(tree) : 0;
    for (std::size_t c = clusters.size(); c-- > first;) {
        bool const too_large = o.max_cluster_size > 0 && weights[c] > double(o.max_cluster_size);
        bool const too_far = (c == 0 ? far : 1 / clusters[c].birth) > o.epsilon_max;
        taken[c] = !too_large && !too_far && below[c] <= clusters[c].stability;
        if (c > 0) below[std::size_t(clusters[c].parent)] += taken[c] ? clusters[c].stability : below[c];
    }
    std::vector<char> inside(clusters.size(), 0);
    for (std::size_t c = 1; c < clusters.size(); ++c) {
        auto const parent = std::size_t(clusters[c].parent);
        inside[c] = inside[parent] || taken[parent];
        if (inside[c]) taken[c] = 0;
    }
    return taken;
}

std::vector<char> leaves(CondensedTree const& tree, std::vector<double> const& weights,
                         SelectionOptions const& o) {
    std::vector<char> taken(tree.clusters.size());
    for (std::size_t c = 0; c < taken.size(); ++c) taken[c] = tree.clusters[c].leaf;
    if (!taken.empty() && !may_take_root(tree, weights, o)) taken[0] = 0;
    return taken;
}

/// Every cluster taken gives way to the nearest one around it that was born at epsilon or above.
std::vector<char> without_small_splits(CondensedTree const& tree, SelectionOptions const& o,
                                       std::vector<char> const& taken) {
    auto const& clusters = tree.clusters;
    std::vector<char> instead(taken.size(), 0);
    std::vector<std::size_t> around(taken.size(), 0);
    for (std::size_t c = 0; c < taken.size(); ++c) {
        bool const top = c == 0 || (clusters[c].parent == 0 && !o.allow_single_cluster);
        bool const stays = top || 1 / clusters[c].birth >= o.epsilon;
        around[c] = stays ? c : around[std::size_t(clusters[c].parent)];
        if (taken[c]) instead[around[c]] = 1;
    }
    return instead;
}

std::vector<char> taken_clusters(CondensedTree const& tree, std::vector<double> const& weights,
                                 SelectionOptions const& o) {
    bool const eom = o.method == Selection::eom;
    auto const taken = eom ? most_stable(tree, weights, o) : leaves(tree, weights, o);
    return o.epsilon > 0 ? without_small_splits(tree, o, taken) : taken;
}

/// The row's point, if it is one.
bool is_point(CondensedTree const& tree, std::size_t row) {
    return std::size_t(tree.child[row]) < tree.points;
}
std::size_t cluster_of(CondensedTree const& tree, std::size_t row) {
    return std::size_t(tree.parent[row]) - tree.points;
}

/// Labels and probabilities. `label`: of each cluster of the tree, that of the cluster taken around it.
void set_labels(CondensedTree const& tree, SelectionOptions const& o, std::vector<index_t> const& label,
                Clusters& out) {
    bool const root = !out.ids.empty() && std::size_t(out.ids[0]) == tree.points;
    double const least = !root ? 0 : o.epsilon > 0 ? 1 / o.epsilon : tree.clusters[0].death;
    parallel_for(tree.rows(), grain, [&](std::size_t row, std::size_t end) {
        for (; row < end; ++row) {
            if (!is_point(tree, row)) continue;
            auto const point = std::size_t(tree.child[row]);
            double const lambda = tree.lambda[row];
            index_t const own = lambda >= least ? label[cluster_of(tree, row)] : -1;
            out.labels[point] = own;
            if (own < 0) {
                out.probabilities[point] = 0;
                continue;
            }
            auto const taken = std::size_t(out.ids[std::size_t(own)]) - tree.points;
            out.probabilities[point] = detail::membership(lambda, tree.clusters[taken].death);
        }
    });
}

void set_persistence(CondensedTree const& tree, std::vector<double> const& weights, Clusters& out) {
    double largest = 0;
    for (auto const& c : tree.clusters) largest = std::max(largest, c.death);
    out.persistence.reserve(out.size());
    for (index_t const id : out.ids) {
        std::size_t const at = std::size_t(id) - tree.points;
        CondensedCluster const& c = tree.clusters[at];
        // All its points count, as in the stability: the root's may be labelled only in part. A sum may round to more.
        double const most = weights[at] * largest;
        bool const unlimited = std::isinf(most) || most == 0;
        out.persistence.push_back(unlimited ? 1 : std::min(c.stability / most, 1.));
    }
}

}  // namespace

Clusters select_clusters(CondensedTree const& tree, SelectionOptions const& o, Cpu const& cpu) {
    detail::check_selection(o);
    return cpu.run([&] {
        auto const weights = detail::cluster_weights(tree);
        auto const taken = taken_clusters(tree, weights, o);
        Clusters out;
        std::vector<index_t> label(taken.size(), -1);
        for (std::size_t c = 0; c < taken.size(); ++c) {
            if (c > 0) label[c] = label[std::size_t(tree.clusters[c].parent)];
            if (!taken[c]) continue;
            label[c] = index_t(out.ids.size());
            out.ids.push_back(index_t(tree.points + c));
        }
        out.labels = Buffer<index_t>(tree.points);
        out.probabilities = Buffer<double>(tree.points);
        if (tree.rows() == 0) {  // a single point, or none
            std::fill(out.labels.begin(), out.labels.end(), -1);
            std::fill(out.probabilities.begin(), out.probabilities.end(), 0);
        }
        set_labels(tree, o, label, out);
        set_persistence(tree, weights, out);
        return out;
    });
}

Buffer<double> outlier_scores(CondensedTree const& tree, Cpu const& cpu) {
    return cpu.run([&] {
        auto const largest = detail::largest_inside(tree.clusters);
        Buffer<double> scores(tree.points);
        if (tree.rows() == 0) std::fill(scores.begin(), scores.end(), 0);
        parallel_for(tree.rows(), grain, [&](std::size_t row, std::size_t end) {
            for (; row < end; ++row) {
                if (!is_point(tree, row)) continue;
                scores[std::size_t(tree.child[row])] =
                    detail::outlier_score(tree.lambda[row], largest[cluster_of(tree, row)]);
            }
        });
        return scores;
    });
}

}}  // namespace zwalk::v0
