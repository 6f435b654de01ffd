// MPI ranks as a place for traits: the trait concept, points to trees, the walk. In the library zwalk::mpi.
//
//   zwalk::MpiRanks place(zwalk::Mpi{});                       // all of MPI_COMM_WORLD
//   auto const tree = zwalk::make_tree<3>(place, own_points);  // each rank passes its own rows, any number
//   ...                                                        // and on as in point_tree.hpp
//
// Calls are collective: all ranks make them, in the same order; an error on one rank is thrown on all.
#pragma once
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/rank_point_tree.hpp"
