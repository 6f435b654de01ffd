# CUDA as ZWALK_CUDA says: sets ZWALK_CUDA_FOUND and enables the language.
set(ZWALK_CUDA_FOUND FALSE)
if(ZWALK_CUDA)
    # Before the compiler is looked for: "native" and the default of old CMakes fail.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES 80-real 90)  # A100, H100 and H200; newer ones translate the PTX of 90
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        find_package(CUDAToolkit REQUIRED)  # the runtime library
        set(ZWALK_CUDA_FOUND TRUE)
    elseif(NOT ZWALK_CUDA STREQUAL "AUTO")
        message(FATAL_ERROR "ZWALK_CUDA=${ZWALK_CUDA}, but there is no CUDA compiler "
            "(put nvcc on PATH, or set CMAKE_CUDA_COMPILER)")
    endif()
endif()
# CMake 3.25 doesn't know that nvcc speaks C++20.
if(ZWALK_CUDA_FOUND AND NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    list(APPEND CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()
# Machine code compressed, too, not PTX alone: a quarter of the bytes. All drivers for CUDA 13 read the denser form. tests/ptx reads
# what isn't compressed at all.
if(ZWALK_CUDA_FOUND AND NOT CMAKE_CUDA_FLAGS MATCHES "compress")
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
        set(compressed --compress-mode=size)
    else()
        set(compressed -Xfatbin=-compress-all)
    endif()
    target_compile_options(zwalk_private_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:${compressed}>)
endif()
message(STATUS "zwalk CUDA: ${ZWALK_CUDA_FOUND}")

# zwalk_cuda_report(TARGET): keeps what ptxas says of each kernel (registers, spills, stack) beside the
# objects, for tests/cuda/kernel_report.py.
function(zwalk_cuda_report target)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
    # A list without empty elements, also where there is no other launcher.
    set(launcher ${PROJECT_SOURCE_DIR}/cmake/keep-ptxas-info ${CMAKE_CUDA_COMPILER_LAUNCHER})
    set_target_properties(${target} PROPERTIES CUDA_COMPILER_LAUNCHER "${launcher}")
endfunction()
