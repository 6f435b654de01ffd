// Hierarchies of spanning trees, and clusters of a hierarchy, which Python hands back.
#include "zwalk/hdbscan/clusters.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <string>

#include "arrays.hpp"
#include "bind.hpp"
#include "hierarchy.hpp"
#include "where.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/hdbscan/membership.hpp"
#include "zwalk/hdbscan/persistent_sizes.hpp"
#include "zwalk/hdbscan/weights.hpp"

namespace zwalk::python {

Linkage checked_linkage(std::size_t points, Table const& table) {
    std::size_t const n = table.shape(0);
    if (n + 1 != std::max<std::size_t>(points, 1))
        throw InputError("the linkage has " + std::to_string(n) + " rows, but there are " +
                         std::to_string(points) + " points: it must have one row less than these");
    Linkage linkage{points, Buffer<Merge>(n)};
    std::vector<bool> merged(points + n);
    double before = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double const* const row = table.data() + 4 * i;
        for (int j = 0; j < 2; ++j) {
            bool const known = row[j] >= 0 && row[j] < double(points + i);
            if (!known || row[j] != double(std::size_t(row[j])) || merged[std::size_t(row[j])])
                throw InputError(
                    "row " + std::to_string(i) +
                    " of the linkage joins a cluster that doesn't exist yet, or one that an "
                    "earlier row has joined");
            merged[std::size_t(row[j])] = true;
        }
        if (!(row[2] >= before))
            throw InputError("row " + std::to_string(i) +
                             " of the linkage has a smaller distance than the row before, or NaN: "
                             "distances must ascend");
        before = row[2];
        auto const size = [&](double id) {
            return id < double(points) ? 1 : linkage.merges[std::size_t(id) - points].size;
        };
        if (row[3] != size(row[0]) + size(row[1]))
            throw InputError(
                "row " + std::to_string(i) +
                " of the linkage must have the number of points of both clusters in its last "
                "column");
        linkage.merges[i] = {std::min(row[0], row[1]), std::max(row[0], row[1]), row[2], row[3]};
    }
    return linkage;
}

Linkage weighted_linkage(std::size_t points, Table const& table, PointWeights const& weights) {
    auto linkage = checked_linkage(points, table);
    if (!weights) return linkage;
    return with_weights(std::move(linkage), view(weights->first), view(weights->second));
}

namespace {

using Edges = nb::ndarray<index_t const, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

nb::dict clusters(std::size_t points, Table const& table, std::size_t min_cluster_size,
                  SelectionTuple const& select, PointWeights const& weights, Threads const& where) {
    auto [tree, c, scores] = where.run(heavy(points), [&](Cpu const& cpu) {
        auto const options = selection(select);
        auto condensed =
            condense(weighted_linkage(points, table, weights), min_cluster_size, options, cpu);
        auto selected = select_clusters(condensed, options, cpu);
        auto outliers = outlier_scores(condensed, cpu);
        return std::tuple(std::move(condensed), std::move(selected), std::move(outliers));
    });
    nb::dict d = clusters_dict(c, std::move(scores));
    d["min_cluster_size"] = tree.min_cluster_size;
    d["condensed"] = to_dict(std::move(tree));
    return d;
}

/// Of each of these clusters the rows of its exemplars.
nb::list exemplar_rows(std::size_t points, Table const& table, std::size_t min_cluster_size,
                       SelectionTuple const& select, PointWeights const& weights) {
    auto found = run(heavy(points), [&] {
        auto const options = selection(select);
        auto const tree = condense(weighted_linkage(points, table, weights), min_cluster_size, options);
        return exemplars(tree, select_clusters(tree, options));
    });
    nb::list rows;
    for (auto& of_cluster : found) rows.append(to_numpy(std::move(of_cluster)));
    return rows;
}

/// (sizes, their persistence, the best one, peaks; of leaf clusters node, above, last, persistence)
nb::tuple sizes(std::size_t points, Table const& table, std::size_t least, PointWeights const& weights) {
    auto r = run(heavy(points),
                 [&] { return persistent_sizes(weighted_linkage(points, table, weights), least); });
    std::vector<index_t> node;
    std::vector<double> above, last, persistence;
    for (LeafCluster const& c : r.leaves) {
        node.push_back(c.node);
        above.push_back(c.above);
        last.push_back(c.last);
        persistence.push_back(c.persistence);
    }
    std::size_t const best = r.best();
    auto const at = r.peaks();
    return nb::make_tuple(to_numpy(std::move(r.sizes)), to_numpy(std::move(r.persistence)), best,
                          to_numpy(std::vector<index_t>(at.begin(), at.end())),
                          to_numpy(std::move(node)), to_numpy(std::move(above)),
                          to_numpy(std::move(last)), to_numpy(std::move(persistence)));
}

template <class T>
nb::object linkage(std::size_t points, Edges const& edges, Column<T> const& lengths,
                   PointWeights const& weights, Threads const& where) {
    return to_table(where.run(heavy(points), [&](Cpu const& cpu) {
        auto made = single_linkage<T>(points, {edges.data(), edges.size()}, view(lengths), cpu);
        if (!weights) return made;
        return with_weights(std::move(made), view(weights->first), view(weights->second), cpu);
    }));
}

}  // namespace

void bind_clusters(nb::module_& m) {
    def(m, "single_linkage", &linkage<float>);
    def(m, "single_linkage", &linkage<double>);
    m.def("clusters", &clusters);
    m.def("exemplars", &exemplar_rows);
    m.def("persistent_sizes", &sizes);
    m.def("clusters_at",
          [](std::size_t points, Table const& table, double distance, std::size_t min_cluster_size) {
              return to_numpy(run(heavy(points), [&] {
                  return clusters_at(checked_linkage(points, table), distance, min_cluster_size);
              }));
          });
}

}  // namespace zwalk::python
