// HDBSCAN*: clusters of any density, from points in one call.
//
// Campello, Moulavi, Sander 2013 (hierarchy, excess of mass); Campello, Moulavi, Zimek, Sander 2015 (GLOSH
// outlier scores); McInnes, Healy 2017 (the condensed tree); Malzer, Baum 2020 (epsilon). Each step can be
// had by itself: emst.hpp, linkage.hpp, condensed_tree.hpp, clusters.hpp. So one tree may be cut many times.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zwalk/core/need.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/clusters.hpp"

namespace zwalk::inline v0 {

struct HdbscanOptions {
    std::size_t min_cluster_size = 5;  ///< >= 2
    /// As in EmstOptions: the point itself counts as its first neighbour, as in scikit-learn; the hdbscan
    /// package's min_samples is one less. 0: min_cluster_size. Where there are fewer points all are counted.
    int min_samples = 0;
    SelectionOptions select{};
    std::vector<double> box{};  ///< as in EmstOptions
    TreeOptions tree{};
};

/// Clusters, and the hierarchy that they are cut from.
template <class T>
struct HdbscanResult : Clusters {
    Buffer<double> outlier_scores;  ///< as of outlier_scores()
    Buffer<T> core_distances;       ///< (N,) in the order of input; empty for min_samples 1
    Linkage linkage;
    CondensedTree condensed_tree;
    Stats stats;
};

/// The HDBSCAN* clusters of points of shape (N, D).
///
/// Exact, and the same for every number of threads and every order of the points, but for the numbers of
/// clusters: edges of equal length count as one event (linkage.hpp). The time is that of emst(), and
/// O(N) after it.
///
/// @throws InputError  min_cluster_size < 2, min_samples < 0, an epsilon that is negative or not finite;
///                     and as emst()
template <class T>
HdbscanResult<T> hdbscan(Points<T> points, HdbscanOptions const& options = {}, Cpu const& cpu = Cpu());

template <class Rows>
requires requires(Rows const& r) { Points(r); }
auto hdbscan(Rows const& points, HdbscanOptions const& options = {}, Cpu const& cpu = Cpu()) {
    return hdbscan(Points(points), options, cpu);
}

/// hdbscan() of points that an index keeps. Box, tree options and place are the index's.
/// @throws InputError  as hdbscan(points), or the options have a box
template <class T>
HdbscanResult<T> hdbscan(Index<T> const& index, HdbscanOptions const& options = {});

extern template HdbscanResult<float> hdbscan(Points<float>, HdbscanOptions const&, Cpu const&);
extern template HdbscanResult<double> hdbscan(Points<double>, HdbscanOptions const&, Cpu const&);

/// The hierarchy of a tree that emst() has found.
template <class T>
Linkage single_linkage(std::size_t points, EmstResult<T> const& tree) {
    return single_linkage<T>(points, tree.edges, tree.lengths);
}

/// Bytes that hdbscan() needs beside the input: as emst_memory(), whose tree is gone when clusters are found. The result is the
/// larger of the tree's and of the clusters' (hierarchy, condensed tree, labels, scores, and what makes them).
/// @throws InputError  as emst_memory()
Need hdbscan_memory(std::uint64_t points, int dim, std::size_t item_bytes,
                    HdbscanOptions const& options = {});

}  // namespace zwalk::inline v0
