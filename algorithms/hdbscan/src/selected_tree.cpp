// The condensed tree that clusters are selected from.
#include <algorithm>
#include <functional>

#include "checks.hpp"
#include "cut.hpp"
#include "strength.hpp"
#include "zwalk/hdbscan/clusters.hpp"
#include "zwalk/hdbscan/persistent_sizes.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// Which splits are undone, and what becomes of points then.
struct Undone {
    std::vector<char> cluster;  ///< it is its parent again
    std::vector<double>
        last;  ///< the lambda at which points are gone from it that stay longer; infinite: they stay
};

/// From the leaves up.
Undone short_splits(std::vector<CondensedCluster> const& clusters, double persistence) {
    std::size_t const n = clusters.size();
    Undone out{std::vector<char>(n, 0), std::vector<double>(n, infinity<double>)};
    auto const densest = detail::largest_inside(clusters);
    std::vector<char> leaf(n);
    for (std::size_t c = 0; c < n; ++c) leaf[c] = clusters[c].leaf;
    for (std::size_t c = n; c-- > 1; --c) {  // siblings are numbered one after the other
        bool const first = densest[c - 1] <= densest[c];
        std::size_t const less = first ? c - 1 : c, more = first ? c : c - 1;
        double const birth = clusters[c].birth;
        if (birth < infinity<double> && densest[less] - birth >= persistence) continue;
        out.cluster[less] = out.cluster[more] = 1;
        if (leaf[more]) leaf[std::size_t(clusters[c].parent)] = 1;
        else out.last[less] = birth;
    }
    return out;
}

}  // namespace

CondensedTree without_short_splits(CondensedTree const& tree, double persistence) {
    detail::check_persistence(persistence);
    auto const& clusters = tree.clusters;
    Undone undone = short_splits(clusters, persistence);
    CondensedTree out;
    out.points = tree.points;
    out.min_cluster_size = tree.min_cluster_size;
    std::vector<std::size_t> into(clusters.size());  // the new cluster that each one is part of
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        auto const parent = c == 0 ? 0 : std::size_t(clusters[c].parent);
        if (undone.cluster[c]) {
            into[c] = into[parent];
            undone.last[c] = std::min(undone.last[c], undone.last[parent]);
            continue;
        }
        into[c] = out.clusters.size();
        auto const around = c == 0 ? index_t(-1) : index_t(into[parent]);
        if (c > 0) out.clusters[into[parent]].leaf = false;
        out.clusters.push_back({around, clusters[c].size, clusters[c].birth});
    }
    for (std::size_t row = 0; row < tree.rows(); ++row) {
        auto const of = std::size_t(tree.parent[row]) - tree.points;
        auto child = std::size_t(tree.child[row]);
        if (child >= tree.points) {
            if (undone.cluster[child - tree.points]) continue;
            child = tree.points + into[child - tree.points];
        }
        double const lambda = std::min(tree.lambda[row], undone.last[of]),
                     weight = detail::weight_of(tree, row);
        out.parent.push_back(index_t(tree.points + into[of]));
        out.child.push_back(index_t(child));
        out.lambda.push_back(lambda);
        out.child_size.push_back(tree.child_size[row]);
        CondensedCluster& c = out.clusters[into[of]];
        c.death = std::max(c.death, lambda);
        if (lambda > c.birth) c.stability += (lambda - c.birth) * weight;
        if (!tree.child_weight.empty()) out.child_weight.push_back(weight);
    }
    return out;
}

namespace detail {
CondensedTree condense_by(std::function<CondensedTree(std::size_t)> const& make, Linkage const& linkage,
                          std::size_t min_cluster_size, SelectionOptions const& o) {
    check_selection(o);
    bool const persistent = o.method == Selection::persistent;
    auto tree = make(persistent ? persistent_sizes(linkage, min_cluster_size).best() : min_cluster_size);
    if (o.persistence > 0) return without_short_splits(tree, o.persistence);
    return tree;
}
}  // namespace detail

CondensedTree condense(Linkage const& linkage, std::size_t min_cluster_size, SelectionOptions const& o,
                       Cpu const& cpu) {
    return detail::condense_by([&](std::size_t size) { return condense(linkage, size, cpu); }, linkage,
                               min_cluster_size, o);
}

}}  // namespace zwalk::v0
