// The ranks that make a call, and what each of them passes.
#pragma once
#include <cstddef>
#include <utility>

#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/cuda.hpp"

namespace zwalk { inline namespace v0 {

struct Mpi;  // include zwalk/ranks/mpi.hpp, and link zwalk::mpi
template <class T>
class RankIndex;  // run/rank_index.hpp

namespace detail {

/// The ranks of a call and where each of them walks: on its threads, or on a GPU. Refers to objects of the caller.
struct RankCall {
    RankCall(Mpi const& ranks, Cpu threads = Cpu()) : mpi(ranks), cpu(std::move(threads)) {}
    RankCall(Mpi const& ranks, Cuda const& device, Cpu threads = Cpu())
        : mpi(ranks), cpu(std::move(threads)), cuda(&device) {}

    Mpi const& mpi;
    Cpu cpu;                     ///< threads of this rank, for all that isn't walking, too
    Cuda const* cuda = nullptr;  ///< null: threads walk
};

template <class T>
struct KeptRankPoints;  // run/rank_points.hpp

/// The input of a call on ranks: rows of this rank, or an index. On all ranks the one or the other.
template <class T>
struct RankInput {
    RankInput(Points<T> points) : local(points), rows(points.size), dim(points.dim) {}
    RankInput(RankIndex<T> const& kept) : index(&kept.kept()), rows(kept.rows()), dim(kept.dim()) {}

    Points<T> local{};
    KeptRankPoints<T>* index = nullptr;
    std::size_t rows;  ///< rows that this rank passes, or passed when the index was made
    int dim;
};

}  // namespace detail
}}  // namespace zwalk::v0
