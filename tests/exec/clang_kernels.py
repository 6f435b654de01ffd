"""Compiles kernels by clang, and looks whether they are for all instruction sets: whether all that each calls was inlined into the one
function that is compiled for it (framework/include/zwalk/exec/isa.hpp). What wasn't is for any x86-64, and many times slower.

clang_kernels.py SOURCE BUILD: BUILD is a folder to build in. Skipped (exit 77) where there is no clang 16 or later.
"""
import platform
import re
import shutil
import subprocess
import sys

# Searches that store, with selectors called by their address; and gravity, whose kernels are the largest.
OBJECTS = ("nearest_3.cpp.o", "gravity_of_order_3.cpp.o")
OF_ISA = re.compile(r"\(zwalk::v0::Isa\)[12]")


def clang():
    for version in range(16, 30):
        if found := shutil.which(f"clang++-{version}"):
            return found
    print("SKIPPED: no clang++-16 or later")
    sys.exit(77)


def output(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}")
    return done.stdout


def wrong(names):
    """What is wrong with an object that has these names."""
    kernels = {isa: sum(f"::call_{isa}<" in name for name in names) for isa in ("baseline", "avx2", "avx512")}
    if len(set(kernels.values())) > 1 or not kernels["avx512"]:
        return [f"kernels of each instruction set: {kernels}"]
    return [f"not inlined: {name}" for name in names if OF_ISA.search(name) and "::call_" not in name]


def main():
    if platform.machine() not in ("x86_64", "AMD64"):
        print("SKIPPED: not an x86-64")
        sys.exit(77)
    compiler, (source, build) = clang(), sys.argv[1:]
    output("cmake", "--preset", "clang", "-S", source, "-B", build, f"-DCMAKE_CXX_COMPILER={compiler}",
           "-DCMAKE_UNITY_BUILD=OFF", "-DZWALK_APPS=OFF", "-DZWALK_HDF5=OFF")
    targets = (line.split(":")[0] for line in output("ninja", "-C", build, "-t", "targets", "all").splitlines())
    objects = [target for target in targets if target.endswith(OBJECTS)]
    if len(objects) != len(OBJECTS):
        sys.exit(f"{OBJECTS} are {objects}")
    output("ninja", "-C", build, "-j", "2", *objects)
    failed = False
    for path in objects:
        names = output("nm", "-C", f"{build}/{path}").splitlines()
        for line in wrong(names)[:10]:
            print(f"{path}: {line[:300]}")
            failed = True
    sys.exit(failed)


main()
