# The Python module, where ZWALK_PYTHON_MODULE asks for it: its interpreter, and where pip has put what the build needs
# (pyproject.toml). Without pip's packages nothing is added: what is installed on the machine is found as ever.
if(NOT ZWALK_PYTHON_MODULE)
    return()
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # the library goes into a shared object
if(ZWALK_PYTHON AND NOT Python_EXECUTABLE)
    set(Python_EXECUTABLE "${ZWALK_PYTHON}")  # that of the tests
endif()
# SKBUILD_SABI_COMPONENT: Development.SABIModule where pip is to build for the stable ABI (pyproject.toml), else nothing.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module ${SKBUILD_SABI_COMPONENT})
execute_process(COMMAND ${Python_EXECUTABLE} -m cmeel cmake RESULT_VARIABLE failed OUTPUT_VARIABLE prefix
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT failed AND prefix)  # SITE-PACKAGES/cmeel.prefix: fmt, Boost; tbb-devel is three levels above SITE-PACKAGES
    list(PREPEND CMAKE_PREFIX_PATH ${prefix})
    cmake_path(SET above NORMALIZE "${prefix}/../../../..")
    list(PREPEND CMAKE_PREFIX_PATH ${above})
endif()
