// All that a trait needs on a HostDevice: what a GPU does, executed on the host.
#pragma once
#include "zwalk/exec/host_device.hpp"
// Behind the device, whose functions it calls.
#include "zwalk/nearest/device_nearest.hpp"
#include "zwalk/run/detail/device_preparation.hpp"
#include "zwalk/run/point_tree.hpp"
#include "zwalk/tree/device_build.hpp"
#include "zwalk/walk/device_walk.hpp"
#include "zwalk/walk/interaction.hpp"
