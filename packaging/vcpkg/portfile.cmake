# A port for vcpkg, the library alone. From a checkout: vcpkg install zwalk --overlay-ports=packaging/vcpkg
# A release takes its archive instead: vcpkg_from_github, or vcpkg_download_distfile and vcpkg_extract_source_archive.
set(SOURCE_PATH "${CURRENT_PORT_DIR}/../..")

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES cuda ZWALK_CUDA mpi ZWALK_MPI)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DZWALK_APPS=OFF -DZWALK_TESTS=OFF ${features})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/zwalk)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
