// Gravity of one set of points on the executor of PTX, for what ZWALK_PTX_LINES says of it (tests/cuda/executed.py):
//
//   count_gravity_on_ptx KIND POINTS ORDER float|double
//
// Status 1 if the result isn't that of threads, but for its last bits.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "support/points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/gravity/gravity.hpp"

namespace {

template <class T>
bool is_right(char const* kind, std::size_t n, int order) {
    auto const rows = test::make_points<3, T>(kind, n, 1);
    zwalk::GravityOptions const o{
        .softening = 1e-4, .expansion_order = order, .tree = {.leaf_size = 48}};
    auto const here = zwalk::gravity(rows, o), there = zwalk::gravity(rows, o, zwalk::Cuda{});
    double off2 = 0, all2 = 0;
    for (std::size_t i = 0; i < here.accelerations.size(); ++i) {
        double const own = double(here.accelerations[i]), off = double(there.accelerations[i]) - own;
        off2 += off * off;
        all2 += own * own;
    }
    double const bound = sizeof(T) == 4 ? 1e-5 : 1e-13;
    return there.accelerations.size() == here.accelerations.size() && off2 <= bound * bound * all2;
}

}  // namespace

int main(int count, char** words) {
    if (count != 5) {
        std::fputs("usage: count_gravity_on_ptx KIND POINTS ORDER float|double\n", stderr);
        return 2;
    }
    auto const n = std::size_t(std::atof(words[2]));
    int const order = std::atoi(words[3]);
    bool const right = std::string_view(words[4]) == "double" ? is_right<double>(words[1], n, order)
                                                              : is_right<float>(words[1], n, order);
    if (!right) std::fputs("the result isn't that of threads\n", stderr);
    return right ? 0 : 1;
}
