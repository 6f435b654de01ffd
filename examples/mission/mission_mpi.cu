// mission.hpp on MPI ranks, each with a GPU: mpirun -n 4 mission_mpi_cuda
#include "zwalk/run/cuda.cuh"
#include "zwalk/run/mpi.hpp"
// Behind the places.
#include "mission/ranks.hpp"
#include "zwalk/ranks/rank_cuda.hpp"

int main(int argc, char** argv) {
    using namespace zwalk;
    if (cuda_devices() == 0) {
        std::printf("there is no CUDA device\n");
        return 1;
    }
    int threads = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    int wrong = 0;
    {
        Comm comm{Mpi{}};
        CudaDevice device(rank_cuda(comm));
        MpiRanksOn place(Mpi{}, device, Cpu(1));
        wrong = examples::differences_on(place, "a GPU each");
    }
    MPI_Finalize();
    return wrong > 0;
}
