"""The experiments of the papers that zwalk builds on, as command lines of it: which points, which search, and what was published.

- jz-tree: J. Stuecker and others, "jz-tree: GPU friendly neighbour search and friends-of-friends with dual tree walks in JAX plus CUDA",
  arXiv:2604.05885 (2026). GPUs are A100 of 64 GB.
- EMST: A. Prokopenko, P. Sao, D. Lebrun-Grandie, "A single-tree algorithm to compute the Euclidean minimum spanning tree on GPUs" (ICPP 2022).
  An EPYC 7763 of 64 cores, and an A100.
- PSB: M. Nam, J. Kim, B. Nam, "Parallel tree traversal for nearest neighbor query on the GPU" (ICPP 2016). A Tesla K40.
- SFC: P. Diehl, M. A. Schweitzer, "Efficient neighbor search for particle methods on GPUs", INS preprint 1405 (2014). A Tesla K20c.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Data:
    """Points of a kind of `zwalk generate`; `cosmo`: copies of data/cosmo32768, side by side; or a file of --data, some rows of it."""
    kind: str
    n: int
    dim: int = 3
    dtype: str = "f4"
    options: tuple = ()  # of zwalk generate
    queries: int = 0  # so many more points of the same kind, to search from

    @property
    def file(self):
        return "." in self.kind


@dataclasses.dataclass(frozen=True)
class Run:
    data: Data
    command: tuple  # of zwalk, without files
    what: str = ""  # tells runs on the same points apart
    threads: int = 0  # 0: as --threads says
    ranks: int = 0  # 0: one process


@dataclasses.dataclass(frozen=True)
class Published:
    """What a text of the papers says: a rate, or seconds for so many points."""
    what: str
    rate: float = 0  # in millions, of what the figure counts
    seconds: float = 0
    n: int = 0  # points, with seconds

    @property
    def millions(self):
        return self.n / self.seconds / 1e6 if self.seconds else self.rate


@dataclasses.dataclass(frozen=True)
class Figure:
    name: str
    title: str
    runs: tuple
    rate: str = "points"  # what is counted for each second: points, features (points x columns), queries
    axis: str = "n"  # of a plot: n, dim, or the number at the end of `what`
    cut: bool = False  # where there are more points than --most, so many of them are taken
    published: tuple = ()  # of Published
    remarks: str = ""


COSMO = [32768 * c ** 3 for c in (1, 2, 3, 4, 6, 8, 12, 16)]
DECADES = [10 ** e for e in range(3, 9)]
HALVES = [m * 10 ** e for e in range(4, 8) for m in (1, 3)] + [10 ** 8]


def knn(k, *more):
    return ("knn", "-k", str(k), *more)


FOF = ("fof", "--linking-fraction", "0.2", "--box", "1")


def emst(samples=1):
    return ("emst", "--min-samples", str(samples))


def jztree(ranks):
    domains = [("grid", ()), ("uniform", ()), ("normal", ()), ("cosmo", ()), ("cosmo", ("--box", "1"))]
    yield Figure("jz-tree 5", "kNN by phases, k = 16, uniform, rows in the order of the input",
                 tuple(Run(Data("uniform", n), knn(16)) for n in DECADES if n >= 10 ** 5),
                 remarks="published: sort and tree a fifth of the time, leaves a half (1e7)")
    yield Figure("jz-tree 6", "kNN, k = 30, as many queries as sources, uniform",
                 tuple(Run(Data("uniform", n, queries=n), knn(30)) for n in DECADES), "queries")
    yield Figure("jz-tree 7a", "kNN, k = 16, by domain",
                 tuple(Run(Data(kind, n), knn(16, *box), "periodic" if box else "")
                       for kind, box in domains for n in (COSMO if kind == "cosmo" else HALVES)),
                 published=(Published("uniform, 1e8", seconds=.585, n=10 ** 8),))
    yield Figure("jz-tree 7b", "kNN, k = 16, uniform, rows in z-order, on ranks: weak scaling",
                 tuple(Run(Data("uniform", n * p), knn(16, "--order", "z"), f"{p} ranks", 1, p)
                       for n in DECADES[1:] for p in ranks),
                 published=(Published("1e8 a GPU, 2 GPUs", seconds=.928, n=2 * 10 ** 8),
                            Published("1e8 a GPU, 64 GPUs", seconds=1.256, n=64 * 10 ** 8)))
    yield Figure("jz-tree 8a", "friends-of-friends with catalogue, b = 0.2, periodic",
                 tuple(Run(Data("cosmo", n), FOF) for n in COSMO),
                 published=tuple(Published(what, seconds=s, n=512 ** 3) for what, s in
                                 (("512^3", 1.2), ("512^3, Gadget-4 on 32 cores", 5.3), ("512^3, Gadget-4 on one core", 144),
                                  ("512^3, hfof, labels only", 82), ("512^3, jfof", 22))))
    yield Figure("jz-tree 8b", "friends-of-friends, b = 0.2, periodic, on ranks",
                 tuple(Run(Data("cosmo", n), FOF, f"{p} ranks", 1, p) for n in COSMO for p in ranks),
                 published=(Published("2048^3, 64 GPUs", seconds=3, n=2048 ** 3),))
    yield Figure("jz-tree 9a", "kNN, k = 16, by dimension, uniform",
                 tuple(Run(Data("uniform", 10 ** 6, dim), knn(16)) for dim in (2, 3, 4, 5, 6, 8, 10)), axis="dim", cut=True,
                 remarks="published: 10 times as fast as brute force in 8-D")
    yield Figure("jz-tree 9b", "kNN by the number of neighbours, uniform",
                 tuple(Run(Data("uniform", 10 ** 6), knn(k), f"k {k}") for k in (1, 2, 4, 8, 16, 32, 64, 128, 256, 1000)),
                 axis="k", cut=True)
    yield Figure("jz-tree 9c", "kNN, k = 16, by the number of queries, uniform",
                 tuple(Run(Data("uniform", n, queries=m), knn(16), f"queries {m}")
                       for n in (10 ** 6, 10 ** 7) for m in (1, 10, 100, *DECADES)), "queries", "queries", True)


EMST_FILES = [("ngsim.npy", 2, "Ngsim"), ("ngsimlocation3.npy", 2, "Ngsimlocation3"), ("portotaxi.npy", 2, "PortoTaxi"),
              ("roadnetwork.npy", 2, "RoadNetwork3D"), ("geolife.npy", 3, "GeoLife24M3D"), ("hacc37m.npy", 3, "Hacc37M"),
              ("hacc497m.npy", 3, "Hacc497M")]


def spanning():
    def sets(threads=0):
        made = [("spread", 2, 10 ** 7), ("spread", 3, 10 ** 7), ("normal", 2, 10 ** 8), ("normal", 2, 3 * 10 ** 8),
                ("normal", 3, 10 ** 8), ("normal", 3, 2 * 10 ** 8), ("uniform", 2, 10 ** 8), ("uniform", 3, 10 ** 8)]
        return (tuple(Run(Data(file, 0, dim), emst(), name, threads) for file, dim, name in EMST_FILES)
                + tuple(Run(Data(kind, n, dim), emst(), "", threads) for kind, dim, n in made))

    yield Figure("EMST 5", "spanning trees on one thread", sets(1), "features", cut=True,
                 published=(Published("best of one thread, Hacc37M", 1.2),))
    yield Figure("EMST 6", "spanning trees on all threads", sets(), "features", cut=True,
                 published=(Published("A100, Hacc37M", 270), Published("A100, GeoLife24M3D", 45),
                            Published("MemoGFK, 64 cores, Hacc37M", 16), Published("ArborX, 64 cores", 17)))
    sizes = [2 ** e for e in range(10, 28, 2)]
    yield Figure("EMST 7", "spanning trees of more and more points of one set",
                 tuple(Run(Data(kind, n, dim), emst()) for kind, dim in (("hacc37m.npy", 3), ("spread", 3), ("normal", 3), ("uniform", 2))
                       for n in sizes), "features")
    yield Figure("EMST 8", "spanning trees by phases, one thread and all",
                 tuple(Run(Data(kind, n), emst(), f"threads {t or 'all'}", t) for kind, n in
                       (("uniform", 10 ** 6), ("normal", 10 ** 6), ("cosmo", COSMO[3])) for t in (1, 0)), "features", cut=True,
                 remarks="published: ArborX's phases are 350 and 360 times as fast on an A100 as on one core")
    yield Figure("EMST 9", "spanning trees by mutual reachability: core distances, and all",
                 tuple(Run(Data(kind, n), emst(k), f"k_pts {k}") for kind, n in
                       (("hacc37m.npy", 0), ("cosmo", COSMO[3]), ("normal", 10 ** 6), ("uniform", 10 ** 6))
                       for k in (1, 2, 4, 8, 16)), "features", "k_pts", True,
                 remarks="published: from k_pts 2 to 16 the rounds take at most 30 % more")


def psb():
    """The extent of the clusters' centres isn't said; with 65536 the widest clusters overlap, as the paper has it."""
    def clusters(dim, sigma, k, **more):
        data = Data("blobs", 10 ** 6, dim, options=("--clusters", "100", "--sigma", repr(sigma / 65536)), queries=240)
        return Run(data, knn(k), **more)

    yield Figure("PSB 5", "240 queries and the tree for them, k = 32, 64-D, 100 clusters, by their width",
                 tuple(clusters(64, s, 32, what=f"sigma {s}") for s in (40, 160, 640, 2560, 10240)), "queries", "sigma", True,
                 remarks="published, a query without the tree: sigma 10240 takes 8 times as long as 40")
    yield Figure("PSB 7", "240 queries, k = 32, by dimension, sigma 160",
                 tuple(clusters(d, 160, 32) for d in (2, 4, 8, 16, 32, 64)), "queries", "dim", True,
                 remarks="published: 4 times as fast as brute force in 64-D")
    yield Figure("PSB 8", "240 queries, 64-D, sigma 160, by the number of neighbours",
                 tuple(clusters(64, 160, k, what=f"k {k}") for k in (1, 8, 32, 64, 128, 256, 512)), "queries", "k", True)
    yield Figure("PSB 9", "240 queries, k = 32, stations of NOAA's ISD",
                 (Run(Data("noaa_isd.npy", 0, 2, queries=240), knn(32)),), "queries", cut=True)


def sfc():
    clouds = (("grid", "X0"), ("graded-grid", "X1"), ("halton", "X2"), ("graded-halton", "X3"), ("uniform", "X4"))
    sizes = [512 * 4 ** e for e in range(7)]
    for number, (kind, name) in zip((6, 7, 8, 9, 10), clouds):
        yield Figure(f"SFC {number}", f"kNN, {name}, double; 24 neighbours in 2-D, 168 in 3-D",
                     tuple(Run(Data(kind, n, dim, "f8"), knn(m), f"m {m}") for dim, m in ((2, 24), (3, 168)) for n in sizes),
                     remarks="published: 4 times as fast on the GPU as STANN on one core" if number == 6 else "")
    yield Figure("SFC 5", "kNN by the number of neighbours, double, 3-D",
                 tuple(Run(Data(kind, n, 3, "f8"), knn(m), f"m {m}") for kind, _ in clouds[1:] for n in (9706, 77672)
                       for m in (24, 56, 92, 168, 350, 830)), axis="m", cut=True)


ABSENT = (
    ("jz-tree 2, 3, 4", "pictures of the curve and of planes: `zwalk generate uniform 100 2 -o p.npy`, then `zwalk trace p.npy --algorithm knn "
                        "--leaf-size 4 -o p.html`"),
    ("PSB 3, 6", "bytes and lanes of a GPU's tree nodes: `bench_device_descents` counts them for zwalk's descents, by dimension"),
    ("SFC 4", "the figures 6 to 10 against a line"),
)


def figures(ranks):
    return [*jztree(ranks), *spanning(), *psb(), *sfc()]
