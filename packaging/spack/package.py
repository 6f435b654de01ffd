# A package for Spack: copy this folder to REPOSITORY/packages/zwalk, or `spack dev-build zwalk@0.1.0` in a checkout.
# A release adds its archive: url, and version(..., sha256=...).
from spack.package import *


class Zwalk(CMakePackage, CudaPackage):
    """Dual-tree walks on CPUs, GPUs and clusters: exact nearest neighbours, friends-of-friends, spanning trees,
    HDBSCAN*, pair counts, gravity, and algorithms of one's own."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("mpi", default=True, description="The library for MPI ranks")
    variant("program", default=True, description="The program zwalk")
    variant("hdf5", default=True, when="+program", description="Snapshots and HDF5 files in the program")
    variant("shared", default=True, description="Shared libraries")
    variant("dims", default="default", description="Numbers of columns that algorithms are compiled for, as 2,3,8",
            values=lambda x: x == "default" or x.isdigit(), multi=True)

    depends_on("c", type="build", when="+program")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("tbb")
    depends_on("boost@1.75:")
    depends_on("fmt@9:")
    depends_on("mpi@3.1:", when="+mpi")
    depends_on("cuda@13:", when="+cuda")
    depends_on("cli11", when="+program")
    depends_on("libpng", when="+program")
    depends_on("zlib-api", when="+program")
    depends_on("hdf5~mpi", when="+hdf5~mpi")
    depends_on("hdf5", when="+hdf5+mpi")

    conflicts("%gcc@:11", msg="g++ 12 or newer")
    conflicts("%clang@:15", msg="clang 16 or newer")
    conflicts("cuda_arch=none", when="+cuda", msg="say which GPU: cuda_arch=90")

    def cmake_args(self):
        args = [
            self.define("ZWALK_TESTS", self.run_tests),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("ZWALK_MPI", "mpi"),
            self.define_from_variant("ZWALK_CUDA", "cuda"),
            self.define_from_variant("ZWALK_APPS", "program"),
            self.define_from_variant("ZWALK_HDF5", "hdf5"),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        dims = self.spec.variants["dims"].value
        if "default" not in dims:
            args.append(self.define("ZWALK_DIMS", sorted(dims, key=int)))
        return args
