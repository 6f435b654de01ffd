// Points of all ranks together: refusals, and the box that holds them.
#pragma once
#include "zwalk/core/points.hpp"
#include "zwalk/dist/comm.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk::inline v0 {

/// check_points() (core/validate.hpp) for points of which every rank has a part, maybe none; `local` has shape
/// (rows of this rank, dim). All ranks throw the same InputError, for the first bad row of all: rows are numbered
/// through all ranks, and the rank is named. Also unless dim and T are the same on all ranks. Collective.
template <class T>
void check_points(Comm& comm, Cpu const& cpu, Points<T> local, char const* name = "points");

/// Extent of the points of all ranks, which have been checked. Collective; 2 dim coordinates of each rank travel.
template <class T>
Extent<T> find_extent(Comm& comm, Cpu const& cpu, Points<T> local);

}  // namespace zwalk::inline v0
