# Install and export as package zwalk: find_package(zwalk) gives zwalk::zwalk, find_package(zwalk COMPONENTS mpi)
# zwalk::mpi, too.
if(NOT ZWALK_INSTALL)
    return()
endif()
include(CMakePackageConfigHelpers)
# What is installed comes in parts, of which packages are made (ZwalkPackage.cmake): runtime, dev, program, python.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/zwalk)

# The private flags are behind BUILD_INTERFACE: they stay at home.
set_target_properties(zwalk_flags PROPERTIES EXPORT_NAME flags)
set_target_properties(zwalk_kernel_flags PROPERTIES EXPORT_NAME kernels)
# Not as system headers: there nvcc keeps quiet about a trait's hook that isn't for device code, whatever the flags.
set_target_properties(zwalk zwalk_flags PROPERTIES EXPORT_NO_SYSTEM ON)
install(TARGETS zwalk zwalk_flags zwalk_kernel_flags EXPORT zwalkTargets LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
install(EXPORT zwalkTargets NAMESPACE zwalk:: DESTINATION ${package})
# On its own, so that only those who ask for the component `mpi` need MPI.
if(TARGET zwalk_mpi)
    set_target_properties(zwalk_mpi PROPERTIES EXPORT_NO_SYSTEM ON)
    install(TARGETS zwalk_mpi EXPORT zwalkMpiTargets LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
    install(EXPORT zwalkMpiTargets NAMESPACE zwalk:: DESTINATION ${package})
endif()
file(GLOB headers LIST_DIRECTORIES TRUE ${PROJECT_SOURCE_DIR}/algorithms/*/include)
if(NOT ZWALK_ALGORITHMS)
    set(headers "")
endif()
list(PREPEND headers ${PROJECT_SOURCE_DIR}/framework/include)
foreach(folder IN LISTS headers)
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
# Pages lie as they do here, so that links among them and to examples hold.
file(GLOB pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/docs/teaching/*.md ${PROJECT_SOURCE_DIR}/docs/teaching/pages/*.html
    ${PROJECT_SOURCE_DIR}/docs/performance/*.md ${PROJECT_SOURCE_DIR}/docs/notes/*.md ${PROJECT_SOURCE_DIR}/docs/figures/*.svg ${PROJECT_SOURCE_DIR}/docs/figures/*.png
    ${PROJECT_SOURCE_DIR}/algorithms/*/README.md)
foreach(page IN ITEMS README.md CHANGELOG.md CONTRIBUTING.md LICENSE LISTS pages)
    cmake_path(GET page PARENT_PATH folder)
    install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION  ${CMAKE_INSTALL_DOCDIR}
    PATTERN build EXCLUDE)  # where the CUDA example's first lines say to build it
if(TARGET zwalk_cli)
    install(TARGETS zwalk_cli COMPONENT program)
    if(BUILD_SHARED_LIBS AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")  # where the system finds libraries by itself
        file(RELATIVE_PATH to_libraries /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
        set_target_properties(zwalk_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
    endif()
    # What the program says of itself, at the time of the installation.
    if(NOT CMAKE_CROSSCOMPILING)
        set(said ${PROJECT_BINARY_DIR}/said)
        install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DPROGRAM=$<TARGET_FILE:zwalk_cli>\" \"-DFOLDER=${said}\"
            -P \"${CMAKE_CURRENT_LIST_DIR}/what_the_program_says.cmake\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
        install(FILES ${said}/zwalk.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
        install(FILES ${said}/zwalk DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
        install(FILES ${said}/_zwalk DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
        install(FILES ${said}/zwalk.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
    endif()
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/zwalkConfig.cmake.in
    ${PROJECT_BINARY_DIR}/zwalkConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/zwalkConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/zwalkConfig.cmake ${PROJECT_BINARY_DIR}/zwalkConfigVersion.cmake
    DESTINATION ${package})

# The same for pkg-config: zwalk.pc and, where there is MPI, zwalk-mpi.pc.
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix /${pc_folder} /)
string(PREPEND pc_prefix "\${pcfiledir}/")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
# zwalk_add_pc(NAME DESCRIPTION REQUIRES CFLAGS LIBS)
function(zwalk_add_pc pc_name pc_description pc_requires pc_cflags pc_libs)
    configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/zwalk.pc.in ${PROJECT_BINARY_DIR}/${pc_name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${pc_folder})
endfunction()
# For sources that nvcc compiles: pkg-config --variable=nvccflags zwalk.
list(JOIN ZWALK_NVCC_FLAGS " " pc_nvccflags)
if(NOT ZWALK_CUDA_FOUND)
    string(APPEND pc_nvccflags " -DZWALK_BUILT_WITHOUT_CUDA")
endif()
string(PREPEND pc_nvccflags "-I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR} -std=c++20 ")
# For traits that clang compiles, as zwalk::kernels: pkg-config --variable=clangflags zwalk.
zwalk_clang_flags_of_users(pc_clangflags)
list(JOIN pc_clangflags " " pc_clangflags)
set(libs "-lzwalk")
if(ZWALK_CUDA_FOUND AND NOT BUILD_SHARED_LIBS)  # a static library, and what it needs
    string(APPEND libs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt")
endif()
list(JOIN ZWALK_PROMISE_FLAGS " " cflags)
zwalk_add_pc(zwalk "${PROJECT_DESCRIPTION}" "tbb fmt" "-std=c++20 ${cflags}" "${libs} -pthread")
if(TARGET zwalk_mpi)
    zwalk_add_pc(zwalk-mpi "zwalk on MPI ranks, for mpicxx" "zwalk = ${PROJECT_VERSION}" "" "-lzwalk_mpi")
endif()
if(PROJECT_IS_TOP_LEVEL)
    include(ZwalkPackage)
endif()
