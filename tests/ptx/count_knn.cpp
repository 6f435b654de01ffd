// kNN of one set of points on the executor of PTX, for what ZWALK_PTX_LINES says of it (tests/cuda/executed.py):
//
//   count_knn_on_ptx KIND POINTS K float|double
//
// Status 1 if the result isn't that of threads.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "support/points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/knn/knn.hpp"

namespace {

template <class V>
bool same(V const& a, V const& b) {
    return a.size() == b.size() &&
           (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

template <class T>
bool is_right(char const* kind, std::size_t n, zwalk::index_t k) {
    auto const rows = test::make_points<3, T>(kind, n, 1);
    auto const cpu = zwalk::knn(rows, {.k = k}), gpu = zwalk::knn(rows, {.k = k}, zwalk::Cuda{});
    return same(gpu.indices, cpu.indices) && same(gpu.distances, cpu.distances);
}

}  // namespace

int main(int count, char** words) {
    if (count != 5) {
        std::fputs("usage: count_knn_on_ptx KIND POINTS K float|double\n", stderr);
        return 2;
    }
    auto const n = std::size_t(std::atof(words[2]));
    zwalk::index_t const k = std::atoi(words[3]);
    bool const right = std::string_view(words[4]) == "double" ? is_right<double>(words[1], n, k)
                                                              : is_right<float>(words[1], n, k);
    if (!right) std::fputs("the result isn't that of threads\n", stderr);
    return right ? 0 : 1;
}
