// All that a trait needs on a GPU; for nvcc. Walks on CPU threads are for host compilers (run/cpu.hpp): put them into a
// .cpp file, whose objects can be linked to those of nvcc.
#pragma once
#include "zwalk/tree/cuda_build.cuh"
// Behind the device, whose functions it calls.
#include "zwalk/nearest/device_nearest.hpp"
#include "zwalk/run/point_tree.hpp"
#include "zwalk/walk/device_walk.hpp"
#include "zwalk/walk/interaction.hpp"
