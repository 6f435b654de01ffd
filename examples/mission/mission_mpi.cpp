// mission.hpp on MPI ranks: mpirun -n 4 mission_mpi
#include <functional>

#include "zwalk/run/mpi.hpp"
// Behind the place.
#include "mission/compare.hpp"

int main(int argc, char** argv) {
    using namespace zwalk;
    int threads = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    int wrong = 0;
    {
        MpiRanks place(Mpi{}, Cpu(1));
        // A program of yours would read its own part from a file.
        auto const points = examples::clumps(2000);
        auto const rank = std::size_t(place.rank()), ranks = std::size_t(place.size());
        std::size_t const begin = points.size() * rank / ranks, end = points.size() * (rank + 1) / ranks;
        auto const tree =
            make_tree<3>(place, Points<float>(points[begin].data(), end - begin, 3), {.box = {1}});
        auto const all_of = [&]<class V>(std::vector<V> const& own) {
            auto const all = place.comm().gather_all(std::span<V const>(own)).records;
            return std::vector<V>(all.begin(), all.end());
        };
        int const own = examples::differences(tree, points, begin, all_of);
        wrong = place.comm().reduce_all(own, std::plus<>());
        if (place.rank() == 0)
            std::printf(
                "%zu ranks: neighbours, groups and spanning trees of %zu points, %d differences\n",
                ranks, points.size(), wrong);
    }
    MPI_Finalize();
    return wrong > 0;
}
