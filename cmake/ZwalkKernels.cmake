# ZWALK_KERNELS: the instruction sets that kernels are compiled for on x86-64 (exec/isa.hpp). clang has none for several: with `all` these are
# for the CPU of ZWALK_ARCH, with `native` for this one.
set(ZWALK_KERNELS all CACHE STRING
    "all: kernels for all instruction sets, chosen as they run. native: for the best one of this CPU, in half of the time; others need it too")
set_property(CACHE ZWALK_KERNELS PROPERTY STRINGS all native)
if(NOT ZWALK_KERNELS MATCHES "^(all|native)$")
    message(FATAL_ERROR "ZWALK_KERNELS must be all or native: ${ZWALK_KERNELS}")
endif()

set(ZWALK_KERNELS_FOR "")
if(ZWALK_KERNELS STREQUAL native AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
        OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
    set(ZWALK_KERNELS_FOR avx512)
    foreach(set F BW DQ VL CD)
        if(NOT macros MATCHES "__AVX512${set}__")
            set(ZWALK_KERNELS_FOR avx2)
        endif()
    endforeach()
    foreach(set AVX2 FMA BMI BMI2)
        if(NOT macros MATCHES "__${set}__")
            set(ZWALK_KERNELS_FOR baseline)
        endif()
    endforeach()
    message(STATUS "zwalk: kernels are for ${ZWALK_KERNELS_FOR} alone")
endif()

# zwalk_kernels(TARGET): of the library. Whoever compiles traits of his own with it has all of them.
function(zwalk_kernels target)
    if(ZWALK_KERNELS_FOR AND NOT ZWALK_SANITIZE)  # which have one copy anyway
        target_compile_definitions(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CXX>:ZWALK_KERNELS_FOR=${ZWALK_KERNELS_FOR}>
            $<$<COMPILE_LANGUAGE:CXX>:ZWALK_ISA_ONLY=call_${ZWALK_KERNELS_FOR}>)
    endif()
    if(ZWALK_KERNELS STREQUAL native AND NOT ZWALK_ARCH AND CMAKE_CXX_COMPILER_ID MATCHES "Clang"
            AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-march=native;${ZWALK_WIDE_VECTORS}>")
    endif()
endfunction()
