# MPI as ZWALK_MPI says: sets ZWALK_MPI_FOUND.
set(ZWALK_MPI_FOUND FALSE)
if(ZWALK_MPI)
    set(MPI_CXX_SKIP_MPICXX TRUE)  # the C++ bindings, which MPI has dropped
    if(ZWALK_MPI STREQUAL "AUTO")
        find_package(MPI 3.1 QUIET COMPONENTS CXX)
    else()
        find_package(MPI 3.1 REQUIRED COMPONENTS CXX)
    endif()
    if(MPI_CXX_FOUND)
        set(ZWALK_MPI_FOUND TRUE)
    endif()
endif()
message(STATUS "zwalk MPI: ${ZWALK_MPI_FOUND}")
