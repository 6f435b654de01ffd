// The program of nearest_brighter.hpp on CPU threads, and on the host as a GPU would do it.
#include "places/nearest_brighter.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"

int main() {
    using namespace zwalk;
    return examples::check_nearest_brighter(Cpu(), "CPU threads") |
           examples::check_nearest_brighter(HostDevice<true>(), "what a GPU does");
}
