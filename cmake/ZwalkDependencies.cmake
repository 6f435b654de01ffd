# Everything that is found outside: required packages, and the optional ones (AUTO/ON/OFF).
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
set(ZWALK_FMT fmt::fmt)
if(SKBUILD)
    set(ZWALK_FMT fmt::fmt-header-only)  # pip's build environment, and the libfmt in it, is gone afterwards
endif()
find_package(Boost 1.75 REQUIRED)  # the first release with PFR
find_path(ZWALK_PFR_INCLUDE boost/pfr.hpp HINTS ${Boost_INCLUDE_DIRS})
if(NOT ZWALK_PFR_INCLUDE)
    message(FATAL_ERROR "Boost.PFR (boost/pfr.hpp) is missing. "
        "Install libboost1.81-dev on Debian 12, libboost-dev on Ubuntu 24.04.")
endif()
