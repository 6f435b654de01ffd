// kNN of one set of points on the executor of PTX, for what ZWALK_PTX_LINES says of it (tests/cuda/executed.py):
//
//   count_knn_on_ptx KIND POINTS K float|double [COLUMNS]
//
// COLUMNS are 3, 4, 6 or 8, where the build has kernels for them; 4in8 are four columns, and four of zeros behind them. Status 1
// if the result isn't that of threads.
#include <algorithm>
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

/// D columns of these points, and zeros behind them.
template <int D, int padded, class T>
auto rows_of(char const* kind, std::size_t n) {
    auto const rows = test::make_points<D, T>(kind, n, 1);
    test::Rows<padded, T> wide(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(rows[i].begin(), D, wide[i].begin());
    return wide;
}

template <class T, int D, int padded = D>
bool is_right(char const* kind, std::size_t n, zwalk::index_t k) {
    auto const rows = rows_of<D, padded, T>(kind, n);
    auto const cpu = zwalk::knn(rows, {.k = k}), gpu = zwalk::knn(rows, {.k = k}, zwalk::Cuda{});
    return same(gpu.indices, cpu.indices) && same(gpu.distances, cpu.distances);
}

using Check = bool (*)(char const* kind, std::size_t n, zwalk::index_t k);
/// nullptr: no such columns.
template <class T>
Check check_of(std::string_view columns) {
    if (columns == "3") return is_right<T, 3>;
    if (columns == "4") return is_right<T, 4>;
    if (columns == "6") return is_right<T, 6>;
    if (columns == "8") return is_right<T, 8>;
    return columns == "4in8" ? is_right<T, 4, 8> : nullptr;
}

}  // namespace

int main(int count, char** words) {
    std::string_view const columns = count == 6 ? words[5] : "3";
    bool const of_double = count > 4 && std::string_view(words[4]) == "double";
    Check const check = of_double ? check_of<double>(columns) : check_of<float>(columns);
    if (count < 5 || count > 6 || !check) {
        std::fputs("usage: count_knn_on_ptx KIND POINTS K float|double [3|4|6|8|4in8]\n", stderr);
        return 2;
    }
    bool const right = check(words[1], std::size_t(std::atof(words[2])), std::atoi(words[3]));
    if (!right) std::fputs("the result isn't that of threads\n", stderr);
    return right ? 0 : 1;
}
