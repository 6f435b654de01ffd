# A toolchain: compiles for AArch64 on Debian for x86-64, by g++-aarch64-linux-gnu. oneTBB and fmt of that architecture are
# in ZWALK_AARCH64_ROOT, a folder with usr/lib/aarch64-linux-gnu, which scripts/test-aarch64 fills; headers that all
# architectures share (Boost, CLI11) are those of this machine. Programs run by qemu-aarch64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(ZWALK_AARCH64_ROOT "${CMAKE_CURRENT_LIST_DIR}/../build-aarch64/root" CACHE PATH "Packages for AArch64, unpacked")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZWALK_AARCH64_ROOT)
set(CMAKE_FIND_ROOT_PATH "${ZWALK_AARCH64_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)  # never those of this machine
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
