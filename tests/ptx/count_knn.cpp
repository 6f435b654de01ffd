// kNN of one set of points on the executor of PTX, for what ZWALK_PTX_LINES says of it (tests/cuda/executed.py):
//
//   count_knn_on_ptx KIND POINTS K float|double [COLUMNS]
//
// COLUMNS are 3, 4, 5, 6 or 8; a build without kernels for so many pads them. 4in8 are four columns, and four of zeros behind
// them, 5in8 and 6in8 likewise. Status 1 if the result isn't that of threads.
#include "count_columns.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/knn/knn.hpp"

int main(int count, char** words) {
    return counted::run(count, words, "count_knn_on_ptx KIND POINTS K", [](auto const& rows, int k) {
        auto const cpu = zwalk::knn(rows, {.k = k}), gpu = zwalk::knn(rows, {.k = k}, zwalk::Cuda{});
        return counted::same(gpu.indices, cpu.indices) && counted::same(gpu.distances, cpu.distances);
    });
}
