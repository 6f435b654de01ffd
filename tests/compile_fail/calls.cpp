// Wrong arguments of an algorithm's public function. As traits.cpp.
#include <array>
#include <vector>

#include "zwalk/fof/fof.hpp"

using namespace zwalk;

int main() {
    std::vector<std::array<float, 3>> const rows(10);
    std::vector<float> const flat(30);
    FofOptions const o{.linking_length = .1};
#if defined(CASE_no_points)
    (void)fof(3, o);
#elif defined(CASE_flat)
    (void)fof(flat, o);
#elif defined(CASE_ints)
    (void)fof(std::vector<std::array<int, 3>>(10), o);
#elif defined(CASE_where)
    (void)fof(rows, o, 4);
#elif defined(CASE_order)
    (void)fof(rows, o, Cpu(), Cuda{});
#elif defined(CASE_index_place)
    Index<float> const index(rows);
    (void)fof(index, o, Cpu(4));
#elif defined(CASE_device_points)
    (void)fof(DevicePoints<float>(flat.data(), 10, 3), o);
#else
    return int(fof(rows, o, Cpu(2)).groups + fof(Points(flat.data(), 10, 3), o).groups);
#endif
}
