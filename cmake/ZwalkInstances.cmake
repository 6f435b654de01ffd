# What is compiled once for each dimension, type and place. compiled_dims.hpp tells the library which dimensions there are.
#
# zwalk_add_algorithm(NAME STRUCT... [CPU_DRIVER file] [CUDA_DRIVER file] [CPU_ONLY] [DIMS dim...]): the driver of an
# algorithm, driver.hpp in src/ of its folder unless others are named, with STRUCT as zwalk/run/algorithm.hpp wants it,
# once per dimension of each place (for GPUs per type, too), or of DIMS instead.
# zwalk_add_walk(NAME HEADER TRAIT... [LISTS] [IMPORTED] [CPU_DIMS dim...] [CUDA_DIMS dim...]): the walks of traits (zwalk/run/detail/compiled_walk.hpp), likewise; those
# of one dimension in one file. LISTS: they are list traits (zwalk/run/detail/compiled_lists.hpp). IMPORTED: ranks import the sources
# for these very traits, by what they see of them (zwalk/run/detail/compiled_import.hpp, compiled_list_import.hpp).
# zwalk_add_driver(NAME STRUCT): a driver over such walks, driver.hpp, with STRUCT as zwalk/run/driver.hpp wants it: for any
# dimension, once per place.
# Builds from nothing (ZwalkTogether.cmake) have all for GPUs, and all imports, in one file; for CPUs dimensions share too little.
if(NOT ZWALK_CUDA_FOUND)
    set(ZWALK_CUDA_DIMS "")
endif()
list(JOIN ZWALK_DIMS ", " ZWALK_CPU_DIMS_LIST)
list(JOIN ZWALK_CUDA_DIMS ", " ZWALK_CUDA_DIMS_LIST)
configure_file(${CMAKE_CURRENT_LIST_DIR}/compiled_dims.hpp.in
    ${PROJECT_BINARY_DIR}/generated/compiled_dims.hpp @ONLY)

# A source of the library with these instances, behind what is included for the place.
function(zwalk_instances file ZWALK_WHAT place headers)
    set(library zwalk)
    if(place STREQUAL CPU)
        set(ZWALK_PLACE_HEADER zwalk/run/cpu_instance.hpp)
    elseif(place STREQUAL CUDA)
        set(ZWALK_PLACE_HEADER zwalk/run/cuda_instance.cuh)
    else()
        set(library zwalk_mpi)
        set(ZWALK_PLACE_HEADER zwalk/run/detail/compiled_import.hpp)
    endif()
    list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"")
    list(JOIN headers "\n" ZWALK_INCLUDES)
    list(JOIN ARGN "\n" ZWALK_INSTANCES)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${file})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/instance.in ${source} @ONLY)
    target_sources(${library} PRIVATE ${source})
    set_source_files_properties(${source} TARGET_DIRECTORY ${library} PROPERTIES
        INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR}/src)
endfunction()

# MACRO(THING, dimension, type, place) for all of them: for CPUs a file for each dimension, for GPUs for each type, too.
function(zwalk_for_each_dim name what macro things cpu_header cuda_header cpu_dims cuda_dims)
    foreach(dim IN LISTS cpu_dims)
        set(instances "")
        foreach(thing IN LISTS things)
            list(APPEND instances "${macro}(${thing}, ${dim}, float, Cpu)" "${macro}(${thing}, ${dim}, double, Cpu)")
        endforeach()
        zwalk_instances(${name}_${dim}.cpp "${what} for D = ${dim}" CPU "${cpu_header}" ${instances})
    endforeach()
    set(all_instances "")
    foreach(dim IN LISTS cuda_dims)
        foreach(type float double)
            set(instances "")
            foreach(thing IN LISTS things)
                list(APPEND instances "${macro}(${thing}, ${dim}, ${type}, CudaDevice)")
            endforeach()
            list(APPEND all_instances ${instances})
            if(NOT ZWALK_TOGETHER)
                zwalk_instances(cuda_${name}_${dim}_${type}.cu "${what} for D = ${dim}" CUDA "${cuda_header}" ${instances})
            endif()
        endforeach()
    endforeach()
    if(ZWALK_TOGETHER AND all_instances)
        zwalk_instances(cuda_${name}.cu "${what}" CUDA "${cuda_header}" ${all_instances})
    endif()
endfunction()

function(zwalk_add_algorithm name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "CPU_DRIVER;CUDA_DRIVER" "")
    set(algorithms ${arg_UNPARSED_ARGUMENTS})
    list(JOIN algorithms ", " in_words)
    foreach(place CPU CUDA)
        if(NOT arg_${place}_DRIVER)
            set(arg_${place}_DRIVER driver.hpp)
        endif()
    endforeach()
    zwalk_for_each_dim(${name} "the driver of ${in_words}" ZWALK_INSTANCE "${algorithms}" ${arg_CPU_DRIVER} ${arg_CUDA_DRIVER}
        "${ZWALK_DIMS}" "${ZWALK_CUDA_DIMS}")
endfunction()

function(zwalk_add_walk name header)
    cmake_parse_arguments(PARSE_ARGV 2 arg "IMPORTED;LISTS" "" "CPU_DIMS;CUDA_DIMS")
    if(NOT arg_CPU_DIMS)
        set(arg_CPU_DIMS ${ZWALK_DIMS})
        set(arg_CUDA_DIMS ${ZWALK_CUDA_DIMS})
    endif()
    set(traits ${arg_UNPARSED_ARGUMENTS})
    list(JOIN traits ", " in_words)
    if(arg_LISTS)
        set(macro ZWALK_LISTS)
        set(import ZWALK_LISTS_IMPORT)
        set(walk_headers zwalk/run/detail/compiled_lists.hpp ${header})
        set(import_headers zwalk/run/detail/compiled_list_import.hpp ${header})
    else()
        set(macro ZWALK_WALK)
        set(import ZWALK_IMPORT)
        set(walk_headers ${header})
        set(import_headers ${header})
    endif()
    zwalk_for_each_dim(${name} "walks of ${in_words}" ${macro} "${traits}" "${walk_headers}" "${walk_headers}" "${arg_CPU_DIMS}"
        "${arg_CUDA_DIMS}")
    if(NOT arg_IMPORTED OR NOT ZWALK_MPI_FOUND)
        return()
    endif()
    set(all_instances "")
    foreach(dim IN LISTS ZWALK_DIMS)
        set(instances "")
        foreach(trait IN LISTS traits)
            list(APPEND instances "${import}(${trait}, ${dim}, float)" "${import}(${trait}, ${dim}, double)")
        endforeach()
        list(APPEND all_instances ${instances})
        if(NOT ZWALK_TOGETHER)
            zwalk_instances(${name}_import_${dim}.cpp "imports for ${in_words} with D = ${dim}" RANKS "${import_headers}"
                ${instances})
        endif()
    endforeach()
    if(ZWALK_TOGETHER)
        zwalk_instances(${name}_import.cpp "imports for ${in_words}" RANKS "${import_headers}" ${all_instances})
    endif()
endfunction()

function(zwalk_add_driver name algorithm)
    zwalk_instances(${name}_driver.cpp "the driver of ${algorithm}" CPU driver.hpp
        "ZWALK_DRIVER(${algorithm}, float, Cpu)" "ZWALK_DRIVER(${algorithm}, double, Cpu)")
    if(ZWALK_CUDA_DIMS)
        zwalk_instances(cuda_${name}_driver.cu "the driver of ${algorithm}" CUDA driver.hpp
            "ZWALK_DRIVER(${algorithm}, float, CudaDevice)" "ZWALK_DRIVER(${algorithm}, double, CudaDevice)")
    endif()
endfunction()
