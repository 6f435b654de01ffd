// Services of walks by pairs (support/services.hpp), on a device.
#include "support/services.hpp"

using namespace test;

namespace {

template <int begin, int end>
void check() {
    HostDevice<true> device;
    auto const at_once = device_walker(device, 0), in_pieces = device_walker(device, 3000);
    check_lines<begin, end>(3, Way{1, at_once}, Way{1, in_pieces});
    CHECK(device.run.races == 0);
}

}  // namespace

TEST_CASE("services of walks on a device, by pairs: as in the reference walk") {
    check<0, first_symmetric>();
}
TEST_CASE("services of symmetric walks on a device, by pairs: as in the reference walk") {
    check<first_symmetric, all_choices>();
}
