// The driver for GPUs. The part that depends on no dimension is compiled once (cuda_forest.cu).
#pragma once
#include "cuda_forest.cuh"
#include "device_driver.hpp"
