// All that a trait needs on a GPU; for nvcc. Walks on CPU threads are for host compilers (run/cpu.hpp): put them into a
// .cpp file, whose objects can be linked to those of nvcc.
#pragma once
#ifndef __CUDACC__
#error "zwalk: run/cuda.cuh is for nvcc: compile this source as CUDA, or include run/cpu.hpp"
#elif defined(ZWALK_BUILT_WITHOUT_CUDA)
#error "zwalk: this zwalk was built without CUDA: build it again with -DZWALK_CUDA=ON"
#else
// A trait's hook that isn't for device code (no ZWALK_HD) is an error, as by the flags that zwalk::zwalk gives to projects of
// CMake: nvcc would compile the call to nonsense, with a warning.
#pragma nv_diag_error 20011
#pragma nv_diag_error 20013
#pragma nv_diag_error 20014
#pragma nv_diag_error 20015
#include "zwalk/tree/cuda_build.cuh"
// Behind the device, whose functions it calls.
#include "zwalk/nearest/device_nearest.hpp"
#include "zwalk/run/point_tree.hpp"
#include "zwalk/walk/device_walk.hpp"
#include "zwalk/walk/interaction.hpp"
#endif
