// All that a trait needs on CPU threads: the trait concept, points to trees, the walk.
#pragma once
#ifdef __CUDACC__
#error "zwalk/run/cpu.hpp is for host compilers; in CUDA sources include zwalk/run/cuda.cuh"
#endif
#include "zwalk/nearest/cpu_nearest.hpp"
#include "zwalk/run/point_tree.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/walk.hpp"
