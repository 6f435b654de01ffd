// HDBSCAN* with its tree from a GPU: the public interface. For host compilers; builds without CUDA have it too,
// and refuse.
#pragma once
#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"

namespace zwalk::inline v0 {

/// hdbscan() with the spanning tree found on a GPU, the hierarchy and the clusters on threads of the host: the same
/// result, bit for bit.
/// @param host  where all but the tree is found
/// @throws InputError  as hdbscan(), and as emst() on a GPU
/// @throws Error       the device's memory doesn't suffice, or CUDA failed
template <class T>
HdbscanResult<T> hdbscan(Points<T> points, HdbscanOptions const& options, Cuda const& cuda,
                         Cpu const& host = Cpu());

}  // namespace zwalk::inline v0
