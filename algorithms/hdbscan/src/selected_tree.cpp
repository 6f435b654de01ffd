// The condensed tree that clusters are selected from.
#include <algorithm>
#include <functional>

#include "checks.hpp"
#include "cut.hpp"
#include "scan_pieces.hpp"
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

/// Rows of a tree without those of clusters that are undone. Call inside Cpu::run.
/// @param into  the new cluster that each one is part of
void take_rows(CondensedTree const& tree, Undone const& undone, std::vector<std::size_t> const& into,
               CondensedTree& out) {
    auto const is_kept = [&](std::size_t row) {
        auto const child = std::size_t(tree.child[row]);
        return child < tree.points || !undone.cluster[child - tree.points];
    };
    auto const kept = [&](std::size_t row, std::size_t end) {
        std::size_t n = 0;
        for (; row < end; ++row) n += is_kept(row) ? 1 : 0;
        return n;
    };
    std::size_t const rows = detail::count_where(tree.rows(), is_kept);
    bool const weights = !tree.child_weight.empty();
    for (auto* column : {&out.parent, &out.child, &out.child_size}) column->resize(rows);
    out.lambda.resize(rows);
    if (weights) out.child_weight.resize(rows);
    auto const take = [&](std::size_t row, std::size_t to) {
        auto const of = std::size_t(tree.parent[row]) - tree.points,
                   child = std::size_t(tree.child[row]);
        out.parent[to] = index_t(tree.points + into[of]);
        out.child[to] = index_t(child < tree.points ? child : tree.points + into[child - tree.points]);
        out.lambda[to] = std::min(tree.lambda[row], undone.last[of]);
        out.child_size[to] = tree.child_size[row];
        if (weights) out.child_weight[to] = tree.child_weight[row];
    };
    (void)detail::scan_pieces<std::size_t>(tree.rows(), kept, std::plus<>(),
                                           [&](std::size_t row, std::size_t end, std::size_t to) {
                                               for (; row < end; ++row)
                                                   if (is_kept(row)) take(row, to++);
                                           });
}

/// What clusters have of their rows. One row after another: sums in another order would have other bits.
void add_rows(CondensedTree& tree) {
    for (std::size_t row = 0; row < tree.rows(); ++row) {
        CondensedCluster& c = tree.clusters[std::size_t(tree.parent[row]) - tree.points];
        double const lambda = tree.lambda[row];
        c.death = std::max(c.death, lambda);
        if (lambda > c.birth) c.stability += (lambda - c.birth) * detail::weight_of(tree, row);
    }
}

}  // namespace

CondensedTree without_short_splits(CondensedTree const& tree, double persistence, Cpu const& cpu) {
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
    cpu.run([&] { take_rows(tree, undone, into, out); });
    add_rows(out);
    return out;
}

namespace detail {
CondensedTree condense_by(std::function<CondensedTree(std::size_t)> const& make, Linkage const& linkage,
                          std::size_t min_cluster_size, SelectionOptions const& o, Cpu const& cpu) {
    check_selection(o);
    bool const persistent = o.method == Selection::persistent;
    auto tree = make(persistent ? persistent_sizes(linkage, min_cluster_size).best() : min_cluster_size);
    if (o.persistence > 0) return without_short_splits(tree, o.persistence, cpu);
    return tree;
}
}  // namespace detail

CondensedTree condense(Linkage const& linkage, std::size_t min_cluster_size, SelectionOptions const& o,
                       Cpu const& cpu) {
    return detail::condense_by([&](std::size_t size) { return condense(linkage, size, cpu); }, linkage,
                               min_cluster_size, o, cpu);
}

}}  // namespace zwalk::v0
