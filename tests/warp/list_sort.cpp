// Lists in order by the kernels of a GPU, lane by lane.
#include "device/list_sort.hpp"

#include "warp/device.hpp"

using namespace test;

TEST_CASE_TEMPLATE("warp lists: slots, every length about those of networks", Slot, Slot8, Slot16) {
    WarpDevice device;
    check_lengths<Slot>(device);
}
