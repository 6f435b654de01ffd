// All that a trait needs on a GPU, and on CPU threads; for nvcc.
#pragma once
#include "zwalk/tree/cuda_build.cuh"
// Behind the device, whose functions it calls.
#include "zwalk/run/cpu.hpp"
#include "zwalk/walk/device_walk.hpp"
