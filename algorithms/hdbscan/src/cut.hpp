// What hdbscan() does beside growing the tree: the same wherever that was grown.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>

#include "zwalk/hdbscan/hdbscan.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// How many samples are asked for: min_samples, or in its place min_cluster_size.
int samples_of(HdbscanOptions const& options);

/// The options for the tree of so many points.
EmstOptions tree_options(std::size_t points, HdbscanOptions const& options);

/// Hierarchy and clusters of a tree of so many points. The tree is gone when clusters are found; its core distances and
/// statistics go over into the result.
/// @throws InputError  as single_linkage()
template <class T>
HdbscanResult<T> cut(std::size_t points, EmstResult<T> tree, HdbscanOptions const& options,
                     Cpu const& cpu);

/// The same on threads and a GPU, where it has room for linkage and condensed tree of so many points. Not there in builds without CUDA.
template <class T>
HdbscanResult<T> cut(std::size_t points, EmstResult<T> tree, HdbscanOptions const& options,
                     Cuda const& cuda, Cpu const& cpu);

/// The condensed tree that clusters are selected from, as condense() with the options of a selection.
/// @param make  make(size) is that of clusters of at least so many points
CondensedTree condense_by(std::function<CondensedTree(std::size_t)> const& make, Linkage const& linkage,
                          std::size_t min_cluster_size, SelectionOptions const& options, Cpu const& cpu);

/// Bytes of hierarchy, condensed tree, labels and scores, and of what makes them.
/// @param weight  that of all points together; 0: they have none
std::uint64_t cluster_bytes(std::uint64_t points, std::size_t min_cluster_size, double weight);
/// The weight of these points together, 0 if they have none.
double weight_of(HdbscanOptions const& options);

extern template HdbscanResult<float> cut(std::size_t, EmstResult<float>, HdbscanOptions const&,
                                         Cpu const&);
extern template HdbscanResult<double> cut(std::size_t, EmstResult<double>, HdbscanOptions const&,
                                          Cpu const&);
extern template HdbscanResult<float> cut(std::size_t, EmstResult<float>, HdbscanOptions const&,
                                         Cuda const&, Cpu const&);
extern template HdbscanResult<double> cut(std::size_t, EmstResult<double>, HdbscanOptions const&,
                                          Cuda const&, Cpu const&);

}}}  // namespace zwalk::v0::detail
