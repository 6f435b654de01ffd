// A program that runs on MPI ranks, from outside.
#include <vector>

#include <zwalk/ranks/mpi.hpp>
#include <zwalk/ranks/sort.hpp>

int main(int argc, char** argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    bool right = false;
    {
        zwalk::Comm comm(zwalk::Mpi{});
        std::vector<float> const x{3, 1, 2};
        auto const sorted = zwalk::z_sort(comm, zwalk::Cpu(1), zwalk::Points<float>(x.data(), 3, 1));
        right = comm.size() == 1 && sorted.rows[0] == 1 && sorted.input_index[0] == 1;
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
