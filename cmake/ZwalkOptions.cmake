# Options, and the compile flags that the promises of the library rest on.
set(ZWALK_DIMS "1;2;3;4;6;8;10;16;32;64" CACHE STRING
    "Dimensions that kernels are compiled for, ascending; others are padded up to the next one. Empty: no algorithms")
option(ZWALK_ALGORITHMS "Build the algorithms. OFF: only what traits of your own need" ON)
if(ZWALK_DIMS STREQUAL "" AND ZWALK_ALGORITHMS)
    message(STATUS "ZWALK_DIMS is empty: no algorithms, as with -DZWALK_ALGORITHMS=OFF")
    set(ZWALK_ALGORITHMS OFF)
endif()
set(everything OFF)
if(PROJECT_IS_TOP_LEVEL AND ZWALK_ALGORITHMS)
    set(everything ON)
endif()
option(ZWALK_APPS "Build the command line program zwalk" ${everything})
option(ZWALK_TESTS "Build the tests" ${everything})
option(ZWALK_BENCH "Build the benchmarks" OFF)
option(ZWALK_INSTALL "Install the library, its headers, the program, pages and examples" ${PROJECT_IS_TOP_LEVEL})
option(ZWALK_PYTHON_MODULE "Build the Python module (pip install . does)" OFF)
set(ZWALK_PYTHON_DIR "" CACHE STRING
    "Where `cmake --install` puts the Python package, e.g. lib/python3/dist-packages. Empty: nowhere, as pip does that")
set(ZWALK_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO, ON or OFF")
set(ZWALK_CUDA_DIMS "2;3;4;8" CACHE STRING
    "Dimensions that GPU kernels are compiled for, ascending; others are padded up to the next one, more need the CPU")
set(ZWALK_MPI AUTO CACHE STRING "Build the library for MPI ranks, zwalk::mpi: AUTO, ON or OFF")
set(ZWALK_HDF5 AUTO CACHE STRING "Read Gadget/SWIFT snapshots: AUTO, ON or OFF")
set(ZWALK_ARCH "" CACHE STRING
    "CPU to compile for (-march=...). Empty: any of its family; kernels choose AVX2 or AVX-512 as they run")
set(ZWALK_GRAVITY_LEAST_ORDER 1 CACHE STRING
    "Least order of gravity's expansions that is compiled, 1 to 4; lower ones become this one")
set(ZWALK_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")
set_property(CACHE ZWALK_CUDA ZWALK_MPI ZWALK_HDF5 PROPERTY STRINGS AUTO ON OFF)

foreach(part ZWALK_APPS ZWALK_TESTS ZWALK_BENCH ZWALK_PYTHON_MODULE)
    if(${part} AND NOT ZWALK_ALGORITHMS)
        message(FATAL_ERROR "${part} needs the algorithms: leave out -DZWALK_ALGORITHMS=OFF, or -D${part}=ON; "
            "and ZWALK_DIMS must not be empty")
    endif()
endforeach()

set(previous 0)
foreach(dim IN LISTS ZWALK_DIMS)
    if(NOT dim MATCHES "^[0-9]+$" OR NOT dim GREATER previous OR dim GREATER 64)
        message(FATAL_ERROR "ZWALK_DIMS must be ascending numbers from 1 to 64: ${ZWALK_DIMS}")
    endif()
    set(previous ${dim})
endforeach()
set(ZWALK_MAX_DIM ${previous})
if(NOT ZWALK_GRAVITY_LEAST_ORDER MATCHES "^[1-4]$")
    message(FATAL_ERROR "ZWALK_GRAVITY_LEAST_ORDER must be 1 to 4: ${ZWALK_GRAVITY_LEAST_ORDER}")
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
if(PROJECT_IS_TOP_LEVEL)
    find_program(ZWALK_CCACHE ccache)
    if(ZWALK_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${ZWALK_CCACHE})
        set(CMAKE_CUDA_COMPILER_LAUNCHER ${ZWALK_CCACHE})
    endif()
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# Public: without -ffp-contract=off two places that compute one distance could round differently; stated in full,
# since these win over a user's -use_fast_math. Device code that calls what only the host has is an error, in
# traits of users too: nvcc would compile it to nonsense, with a warning at most (core/bits.hpp).
add_library(zwalk_flags INTERFACE)
target_compile_features(zwalk_flags INTERFACE cxx_std_20)
set(ZWALK_PROMISE_FLAGS -ffp-contract=off -fno-math-errno -fno-trapping-math)
set(ZWALK_NVCC_FLAGS --fmad=false -ftz=false -prec-sqrt=true -prec-div=true
    -Werror=cross-execution-space-call -diag-error=20013,20015)
target_compile_options(zwalk_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${ZWALK_PROMISE_FLAGS}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${ZWALK_NVCC_FLAGS}>")

# Private: what our own sources are held to.
add_library(zwalk_private_flags INTERFACE)
target_compile_options(zwalk_private_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
if(ZWALK_ARCH)
    target_compile_options(zwalk_private_flags INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:-march=${ZWALK_ARCH}>)
endif()
if(ZWALK_SANITIZE)
    target_compile_options(zwalk_flags INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ZWALK_SANITIZE} -fno-omit-frame-pointer>)
    if(ZWALK_SANITIZE MATCHES undefined)
        # Four checks at each access to memory, which double the time to compile a walk. Null pointers, objects too
        # small and freed ones ASan sees by itself; alignment and vptr are looked for with an empty ZWALK_UNSANITIZE.
        set(ZWALK_UNSANITIZE "null,alignment,object-size,vptr" CACHE STRING "Checks left out by -fno-sanitize")
        if(ZWALK_UNSANITIZE)
            target_compile_options(zwalk_flags INTERFACE
                $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=${ZWALK_UNSANITIZE}>)
        endif()
    endif()
    target_link_options(zwalk_flags INTERFACE -fsanitize=${ZWALK_SANITIZE})
endif()
