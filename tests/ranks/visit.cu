// knn_visit on the GPUs of ranks: compiled by nvcc together with MPI. Where there is no GPU, that is said on all ranks.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/points.hpp"
#include "zwalk/knn/knn_visit.cuh"
#include "zwalk/ranks/rank_cuda.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;

namespace {

/// The squared distance of the last neighbour, and the sum of the names of all.
struct LastAndNames {
    float* last;
    index_t* names;
    template <class N>
    ZWALK_HD void operator()(index_t row, N const& found) const {
        last[row] = found.radius2();
        names[row] = 0;
        for (int i = 0; i < found.size(); ++i) names[row] += found.index(i);
    }
};

}  // namespace

TEST_CASE("kNN on ranks with GPUs: visits see what those on threads do") {
    Comm comm{Mpi{}};
    auto const rows = ::test::make_points<3, float>("clustered", 5000, 3);
    auto const at = [&](int rank) { return rows.size() * std::size_t(rank) / std::size_t(comm.size()); };
    Points<float> const own(rows[0].data() + 3 * at(comm.rank()), at(comm.rank() + 1) - at(comm.rank()),
                            3);
    KnnOptions const o{.k = 8, .order = Order::z};
    if (cuda_devices() == 0) {
        RankIndex<float> const index(own, {}, Mpi{}, Cpu(1));
        auto const refusal = [](auto const&... args) {
            try {
                (void)knn_visit(args...);
            } catch (InputError const& e) {
                return std::string(e.what());
            }
            return std::string();
        };
        LastAndNames const nowhere{};
        for (auto const& words :
             {refusal(own, nowhere, o, Mpi{}, Cuda{}), refusal(own, own, nowhere, o, Mpi{}, Cuda{}),
              refusal(index, nowhere, o, Cuda{}), refusal(index, own, nowhere, o, Cuda{})})
            CHECK(words.starts_with("there is no CUDA device"));
        return;
    }
    Cuda const cuda = rank_cuda(comm);
    CudaDevice device(cuda);
    std::vector<float> last(rows.size()), expected_last(rows.size());
    std::vector<index_t> names(rows.size()), expected_names(rows.size());
    auto last_there = device.buffer<float>(rows.size());
    auto names_there = device.buffer<index_t>(rows.size());
    auto const expected =
        knn_visit(own, LastAndNames{expected_last.data(), expected_names.data()}, o, Mpi{}, Cpu(1));
    auto const visited =
        knn_visit(own, LastAndNames{last_there.data(), names_there.data()}, o, Mpi{}, cuda, Cpu(1));
    CHECK(visited.rows == expected.rows);
    CHECK(visited.row_order == expected.row_order);
    device.download(last.data(), last_there.data(), visited.rows);
    device.download(names.data(), names_there.data(), visited.rows);
    CHECK(last == expected_last);
    CHECK(names == expected_names);
}
