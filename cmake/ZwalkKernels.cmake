# ZWALK_KERNELS: the instruction sets that kernels are compiled for on x86-64 (exec/isa.hpp).
set(ZWALK_KERNELS all CACHE STRING
    "all: kernels for all instruction sets, chosen as they run. native: for the best one of this CPU, in half of the time; others need it too")
set_property(CACHE ZWALK_KERNELS PROPERTY STRINGS all native)
if(NOT ZWALK_KERNELS MATCHES "^(all|native)$")
    message(FATAL_ERROR "ZWALK_KERNELS must be all or native: ${ZWALK_KERNELS}")
endif()

set(ZWALK_KERNELS_FOR "")
if(ZWALK_KERNELS STREQUAL native AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
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

# zwalk::kernels, for targets with traits: makes clang inline what a kernel calls. g++ does that by an attribute. No flag of zwalk::zwalk,
# since clang then inlines what else is in these files, too. Kernels of gravity need a larger threshold than others; with that a command
# line of CLI11 takes seven minutes to compile, so it is for the library's own files.

# zwalk_clang_flags(RESULT THRESHOLD): these flags.
function(zwalk_clang_flags result largest)
    set(flags -DZWALK_INLINED_KERNELS)
    foreach(threshold inline-threshold inlinehint-threshold locally-hot-callsite-threshold)  # one for each kind of calls
        list(APPEND flags "-mllvm -${threshold}=${largest}")
    endforeach()
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        # It would rather halve the lanes of AVX-512. g++ is told in exec/isa.hpp.
        list(APPEND flags -mprefer-vector-width=512)
    endif()
    set(${result} "${flags}" PARENT_SCOPE)
endfunction()
# zwalk_clang_flags_of_users(RESULT): those of zwalk::kernels.
function(zwalk_clang_flags_of_users result)
    zwalk_clang_flags(flags 20000)
    set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# zwalk_inlined_kernels(TARGET FLAG...): a target that brings these, for clang alone.
function(zwalk_inlined_kernels target)
    add_library(${target} INTERFACE)
    foreach(flag IN LISTS ARGN)
        target_compile_options(${target} INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:SHELL:${flag}>")
    endforeach()
endfunction()
zwalk_clang_flags_of_users(flags)
zwalk_inlined_kernels(zwalk_kernel_flags ${flags})
add_library(zwalk::kernels ALIAS zwalk_kernel_flags)
zwalk_clang_flags(flags 1000000)
zwalk_inlined_kernels(zwalk_own_kernel_flags ${flags})

# zwalk_kernels(TARGET): of the library. Whoever compiles traits of his own with it has all of them.
function(zwalk_kernels target)
    if(ZWALK_SANITIZE)  # one copy, not inlined
        return()
    endif()
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:zwalk_own_kernel_flags>)
    if(ZWALK_KERNELS_FOR)
        target_compile_definitions(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CXX>:ZWALK_KERNELS_FOR=${ZWALK_KERNELS_FOR}>
            $<$<COMPILE_LANGUAGE:CXX>:ZWALK_ISA_ONLY=call_${ZWALK_KERNELS_FOR}>)
    endif()
endfunction()
