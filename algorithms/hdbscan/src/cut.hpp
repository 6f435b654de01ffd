// What hdbscan() does beside growing the tree: the same wherever that was grown.
#pragma once
#include <cstddef>
#include <cstdint>

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

/// Bytes of hierarchy, condensed tree, labels and scores, and of what makes them.
std::uint64_t cluster_bytes(std::uint64_t points, HdbscanOptions const& options);

extern template HdbscanResult<float> cut(std::size_t, EmstResult<float>, HdbscanOptions const&,
                                         Cpu const&);
extern template HdbscanResult<double> cut(std::size_t, EmstResult<double>, HdbscanOptions const&,
                                          Cpu const&);

}}}  // namespace zwalk::v0::detail
