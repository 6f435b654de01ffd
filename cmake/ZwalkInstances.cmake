# zwalk_add_algorithm(NAME STRUCT [CPU_DRIVER file] [CUDA_DRIVER file]): compiles the driver of an algorithm,
# driver.hpp in src/ of its folder unless others are named, with STRUCT as zwalk/run/algorithm.hpp wants it, once per
# dimension of each place (for GPUs per type, too). compiled_dims.hpp tells the library which ones there are.
if(NOT ZWALK_CUDA_FOUND)
    set(ZWALK_CUDA_DIMS "")
endif()
list(JOIN ZWALK_DIMS ", " ZWALK_CPU_DIMS_LIST)
list(JOIN ZWALK_CUDA_DIMS ", " ZWALK_CUDA_DIMS_LIST)
configure_file(${CMAKE_CURRENT_LIST_DIR}/compiled_dims.hpp.in
    ${PROJECT_BINARY_DIR}/generated/compiled_dims.hpp @ONLY)

function(zwalk_add_algorithm name ZWALK_ALGORITHM)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "CPU_DRIVER;CUDA_DRIVER" "")
    foreach(place CPU CUDA)
        if(NOT arg_${place}_DRIVER)
            set(arg_${place}_DRIVER driver.hpp)
        endif()
    endforeach()
    set(template ${PROJECT_SOURCE_DIR}/cmake/instance.in)
    set(instances "")
    set(ZWALK_PLACE_HEADER zwalk/run/cpu_instance.hpp)
    set(ZWALK_DRIVER ${arg_CPU_DRIVER})
    foreach(ZWALK_DIM IN LISTS ZWALK_DIMS)
        set(ZWALK_INSTANCES 
            "ZWALK_INSTANCE(${ZWALK_ALGORITHM}, ${ZWALK_DIM}, float, Cpu)\nZWALK_INSTANCE(${ZWALK_ALGORITHM}, ${ZWALK_DIM}, double, Cpu)")
        set(instance ${CMAKE_CURRENT_BINARY_DIR}/${name}_${ZWALK_DIM}.cpp)
        configure_file(${template} ${instance} @ONLY)
        list(APPEND instances ${instance})
    endforeach()
    set(ZWALK_PLACE_HEADER zwalk/run/cuda_instance.cuh)
    set(ZWALK_DRIVER ${arg_CUDA_DRIVER})
    foreach(ZWALK_DIM IN LISTS ZWALK_CUDA_DIMS)
        foreach(type float double)
            set(ZWALK_INSTANCES 
                "ZWALK_INSTANCE(${ZWALK_ALGORITHM}, ${ZWALK_DIM}, ${type}, CudaDevice)")
            set(instance ${CMAKE_CURRENT_BINARY_DIR}/cuda_${name}_${ZWALK_DIM}_${type}.cu)
            configure_file(${template} ${instance} @ONLY)
            list(APPEND instances ${instance})
        endforeach()
    endforeach()
    target_sources(zwalk PRIVATE ${instances})
    set_source_files_properties(${instances} TARGET_DIRECTORY zwalk PROPERTIES
        INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR}/src)
endfunction()
