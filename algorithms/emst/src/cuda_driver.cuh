// The driver for GPUs. What knows no dimension was compiled once (cuda_forest.cu).
#pragma once
#include "cuda_forest.cuh"
#include "device_driver.hpp"
