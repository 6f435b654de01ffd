// The program of nearest_brighter.hpp on MPI ranks: mpirun -n 4 nearest_brighter_mpi
#include "zwalk/run/mpi.hpp"
// Behind the place.
#include "places/nearest_brighter.hpp"

int main(int argc, char** argv) {
    using namespace zwalk;
    int threads = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    int wrong = 0;
    {
        MpiRanks place(Mpi{}, Cpu(1));
        // A program of yours would read its own part from a file.
        examples::Sky const all(3000);
        auto const rank = std::size_t(place.rank()), ranks = std::size_t(place.size());
        std::size_t const begin = 3000 * rank / ranks, end = 3000 * (rank + 1) / ranks;
        auto const own = all.part(begin, end);
        auto const rows = examples::nearest_brighter(place, own.points, own.stars);
        wrong = place.comm().reduce_all(examples::wrong_answers(all, begin, rows), std::plus<>());
        if (place.rank() == 0)
            std::printf("%zu ranks: the nearest brighter one of 3000 stars, %d wrong\n", ranks, wrong);
    }
    MPI_Finalize();
    return wrong > 0;
}
