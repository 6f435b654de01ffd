// CPU threads, for files that compile a driver for them.
#pragma once
#include "instance.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/walk/walk.hpp"
