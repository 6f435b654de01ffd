"""What bench/compare measures: points, what is asked of them, and the engines that can do it."""
import dataclasses

import peers

PROGRAM = {  # the engines of bench_knn and their settings; those of Python: peers.ENGINES
    "zwalk": "no options; 64-bit indices",
    "nanoflann-readme": "leaf 10, input order; queries spread over threads; 32-bit indices",
    "nanoflann-tuned": "leaf 24, points and queries already in z-order, else the same",
}
SETTINGS = PROGRAM | {name: engine.settings for name, engine in peers.ENGINES.items()}
KNN = tuple(name for name in SETTINGS if name not in peers.FOF + peers.EMST + peers.RADIUS + peers.DBSCAN
            + peers.PAIRS)
FOF = ("zwalk", *peers.FOF)
EMST = ("zwalk", *peers.EMST)
RADIUS = ("zwalk", *peers.RADIUS)
DBSCAN = ("zwalk", *peers.DBSCAN)
PAIRS = ("zwalk", *peers.PAIRS)
MUTUAL = ("zwalk", "fast-hdbscan")


@dataclasses.dataclass
class Case:
    name: str
    points: float
    k: int
    kind: str = "uniform"
    real: str = "float"
    dim: int = 3
    queries: float = 0  # 0: the points are their own
    threads: int = 0  # 0: as --threads says
    engines: tuple = KNN
    fraction: float = 0  # of friends-of-friends: linking length / mean spacing; k means nothing then
    radius: float = 0  # of radius search, in mean spacings; k means nothing then
    epsilon: float = 0  # of DBSCAN, in mean spacings; k is min_samples
    pairs: float = 0  # of pair counts, the largest separation / extent; k means nothing then
    tree: bool = False  # a minimum spanning tree; k is min_samples

    def __str__(self):
        threads = f"{self.threads} thread{'s' * (self.threads > 1)}"
        if self.fraction:
            return (f"{self.points:.3g} {self.kind} points, {self.dim}-D {self.real}, "
                    f"friends-of-friends, b = {self.fraction}, {threads}")
        if self.radius:
            return (f"{self.points:.3g} {self.kind} points, {self.dim}-D {self.real}, "
                    f"radius search, r = {self.radius} mean spacings, {threads}")
        if self.epsilon:
            return (f"{self.points:.3g} {self.kind} points, {self.dim}-D {self.real}, "
                    f"DBSCAN, epsilon = {self.epsilon} mean spacings, min_samples {self.k}, {threads}")
        if self.pairs:
            return (f"{self.points:.3g} {self.kind} points, {self.dim}-D {self.real}, "
                    f"pair counts, 20 bins up to {self.pairs} of the extent, {threads}")
        if self.tree:
            return (f"{self.points:.3g} {self.kind} points, {self.dim}-D {self.real}, spanning tree, "
                    f"min_samples {self.k}, {threads}")
        what = f"{self.queries:.3g} queries" if self.queries else "self query"
        return (f"{self.points:.3g} {self.kind} points, {self.dim}-D {self.real}, k = {self.k}, "
                f"{what}, {threads}")


CASES = [
    Case("uniform16", 1e6, 16),
    Case("uniform16-1thread", 1e6, 16, threads=1),
    Case("normal16", 1e6, 16, "normal"),
    Case("normal16-1thread", 1e6, 16, "normal", threads=1),
    Case("clustered16", 1e6, 16, "clustered"),
    Case("clustered16-1thread", 1e6, 16, "clustered", threads=1),
    Case("uniform4", 1e6, 4),
    Case("uniform64", 1e6, 64),
    Case("queries30", 1e6, 30, queries=1e6),
    Case("double168", 1e5, 168, real="double"),
    Case("plane16", 1e6, 16, dim=2),
    Case("growth-small", 1e5, 16, engines=("zwalk",)),
    Case("growth-middle", 1e6, 16, engines=("zwalk",)),
    Case("growth-large", 1e7, 16, engines=("zwalk",)),
    Case("fof-uniform", 1e6, 1, engines=FOF, fraction=.2),
    Case("fof-uniform-1thread", 1e6, 1, engines=FOF, fraction=.2, threads=1),
    Case("fof-clustered", 1e6, 1, "clustered", engines=FOF, fraction=.2),
    Case("fof-clustered-1thread", 1e6, 1, "clustered", engines=FOF, fraction=.2, threads=1),
    Case("fof-growth-small", 1e5, 1, engines=("zwalk",), fraction=.2),
    Case("fof-growth-middle", 1e6, 1, engines=("zwalk",), fraction=.2),
    Case("fof-growth-large", 1e7, 1, engines=("zwalk",), fraction=.2),
    Case("radius1", 1e6, 1, engines=RADIUS, radius=1),
    Case("radius2", 1e6, 1, engines=RADIUS, radius=2),
    Case("radius-clustered", 1e6, 1, "clustered", engines=RADIUS, radius=.1),
    Case("pairs-small", 1e6, 1, engines=PAIRS, pairs=.01),
    Case("pairs-large", 1e6, 1, engines=PAIRS, pairs=.03),
    Case("pairs-clustered", 1e6, 1, "clustered", engines=PAIRS, pairs=.03),
    Case("pairs-double", 1e6, 1, engines=PAIRS, pairs=.03, real="double"),
    Case("dbscan1", 1e6, 10, engines=DBSCAN, epsilon=1),
    Case("dbscan2", 1e6, 10, engines=DBSCAN, epsilon=2),
    Case("dbscan-normal", 1e6, 10, "normal", engines=DBSCAN, epsilon=.5),
    Case("dbscan-clustered", 1e6, 10, "clustered", engines=DBSCAN, epsilon=.1),
    Case("emst-uniform", 1e6, 1, engines=EMST, tree=True),
    Case("emst-normal", 1e6, 1, "normal", engines=EMST, tree=True),
    Case("emst-clustered", 1e6, 1, "clustered", engines=EMST, tree=True),
    Case("emst-mutual16", 1e6, 16, engines=MUTUAL, tree=True),
    Case("emst-mutual16-clustered", 1e6, 16, "clustered", engines=MUTUAL, tree=True),
    Case("emst-growth-small", 1e5, 1, engines=("zwalk",), tree=True),
    Case("emst-growth-large", 1e7, 1, engines=("zwalk",), tree=True),
]
