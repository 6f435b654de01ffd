// A GPU, for files that compile a driver for it.
#pragma once
#include "zwalk/tree/cuda_build.cuh"
// Behind the device, whose functions it calls.
#include "zwalk/run/instance.hpp"
#include "zwalk/walk/device_walk.hpp"
