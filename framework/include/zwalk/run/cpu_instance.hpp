// CPU threads, for files that compile a driver for them.
#pragma once
#include "zwalk/exec/cpu.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/walk/walk.hpp"
