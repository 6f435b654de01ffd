#!/usr/bin/env bash
# The library and the program, shared; then the Python package, which has the library in it. No network, no -march:
# kernels choose AVX2 or AVX-512 as they run.
set -euo pipefail
cmake -S . -B build-conda -G Ninja $CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
    -DZWALK_TESTS=OFF -DZWALK_CUDA=OFF -DZWALK_MPI=OFF
cmake --build build-conda
cmake --install build-conda --prefix "$PREFIX"
# With conda's oneTBB, and kernels for all numbers of columns.
"$PYTHON" -m pip install . --no-deps --no-build-isolation -vv -Ccmake.define.ZWALK_PYTHON_TBB=OFF \
    -Ccmake.define.ZWALK_KERNELS=all -Ccmake.define.ZWALK_DIMS="1;2;3;4;6;8;10;16;32;64"
