// Read once for the whole library where ZWALK_PCH_WALKS is on (ZwalkPrecompile.cmake).
#include "zwalk/run/algorithm.hpp"
#include "zwalk/run/cpu_instance.hpp"
#include "zwalk/run/dims.hpp"
#include "zwalk/run/driver.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/walk/walk.hpp"
