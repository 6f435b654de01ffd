// mission.hpp on CPU threads, and on a host that does what a GPU does.
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"
// Behind the places.
#include "mission/compare.hpp"

template <class Place>
int check(Place place, char const* name) {
    using namespace zwalk;
    auto const points = examples::clumps(2000);
    auto const tree = make_tree<3>(place, points, {.box = {1}});
    auto const own = [](auto const& values) { return values; };
    int const wrong = examples::differences(tree, points, 0, own);
    std::printf("%s: neighbours, groups and spanning trees of %zu points, %d differences\n", name,
                points.size(), wrong);
    return wrong;
}

int main() {
    return check(zwalk::Cpu(2), "threads") + check(zwalk::HostDevice<>(), "a GPU's work on the host") >
           0;
}
