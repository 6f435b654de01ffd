// All that a trait needs on CPU threads: the trait concept, points to trees, the walk.
#pragma once
#include "zwalk/nearest/cpu_nearest.hpp"
#include "zwalk/run/point_tree.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/walk.hpp"
