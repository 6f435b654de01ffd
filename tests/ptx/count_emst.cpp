// A spanning tree of one set of points on the executor of PTX, for what ZWALK_PTX_LINES says of it (tests/cuda/executed.py):
//
//   count_emst_on_ptx KIND POINTS MIN_SAMPLES float|double [COLUMNS]
//
// COLUMNS as count_knn_on_ptx has them. Status 1 if the tree isn't that of threads.
#include "count_columns.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/exec/cuda.hpp"

int main(int count, char** words) {
    return counted::run(
        count, words, "count_emst_on_ptx KIND POINTS MIN_SAMPLES", [](auto const& rows, int m) {
            zwalk::EmstOptions const options{.min_samples = m};
            auto const cpu = zwalk::emst(rows, options), gpu = zwalk::emst(rows, options, zwalk::Cuda{});
            return counted::same(gpu.edges, cpu.edges) && counted::same(gpu.lengths, cpu.lengths);
        });
}
