// mission.hpp on MPI ranks, on threads of each, and on a host for each that does what a GPU does: mpirun -n 4 mission_mpi
#include "zwalk/run/host_device.hpp"
#include "zwalk/run/mpi.hpp"
// Behind the places.
#include "mission/ranks.hpp"

int main(int argc, char** argv) {
    using namespace zwalk;
    int threads = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    int wrong = 0;
    {
        MpiRanks place(Mpi{}, Cpu(1));
        wrong += examples::differences_on(place, "threads");
        HostDevice<> device;
        MpiRanksOn devices(Mpi{}, device, Cpu(1));
        wrong += examples::differences_on(devices, "a GPU's work on the host");
    }
    MPI_Finalize();
    return wrong > 0;
}
