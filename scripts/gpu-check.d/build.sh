# What scripts/gpu-check and scripts/gpu-pack build, and how. Sourced.
# shellcheck shell=bash disable=SC2034,SC2154

programs=(bench_cuda test_cuda bench_scaling zwalk) # the last one with MPI only

# configure_words ARCH MPI: sets `configure`, a command for gpu-check/build, and `targets`. MPI is the folder of mpicxx, or empty.
configure_words() {
    configure=(cmake -S . -B gpu-check/build -DCMAKE_BUILD_TYPE=Release -DZWALK_CUDA=ON "-DCMAKE_CUDA_ARCHITECTURES=$1-real"
        "-DZWALK_DIMS=1;2;3" "-DZWALK_CUDA_DIMS=2;3" -DZWALK_GRAVITY_LEAST_ORDER=4 -DZWALK_TESTS=ON -DZWALK_BENCH=ON -DZWALK_INSTALL=OFF)
    targets=(bench_cuda test_cuda bench_scaling)
    ! command -v ninja >/dev/null || configure+=(-G Ninja)
    if [ -n "$2" ]; then
        configure+=(-DZWALK_APPS=ON -DZWALK_MPI=ON -DZWALK_HDF5=OFF -DZWALK_PNG=OFF "-DMPI_CXX_COMPILER=$2/mpicxx"
            "-DMPIEXEC_EXECUTABLE=$2/mpirun")
        targets+=(zwalk_cli)
    else
        configure+=(-DZWALK_APPS=OFF -DZWALK_MPI=OFF)
    fi
}
