"""The command lines of golden.py; inputs are named as golden_points.py understands them."""
KINDS = ("uniform", "normal", "grid", "graded", "clustered", "duplicates", "line", "outlier", "huge")
ODD = ("tiny", "spread", "zeros")
PERIODIC = ("uniform", "clustered", "duplicates")  # fill the unit cube, over its edges
DIMS = {"1-f4": 1, "2-f8": 2, "3-f4": 3, "3-f8": 3, "5-f4": 5, "8-f8": 8}
FEW = (1, 2, 7, 8, 9, 47, 48, 49)  # points: around k = 8, and around what a leaf holds


def knn():
    for kind in KINDS:
        for shape in DIMS:
            yield f"knn {kind}-{shape}-2000.npy -k 8"
        yield f"knn {kind}-20-f4-500.npy -k 8 --exclude-self"
        yield f"knn {kind}-3-f4-1000.npy -k 1 --exclude-self"
        for k in (16, 40, 300):
            yield f"knn {kind}-3-f4-1000.npy -k {k}"
        yield f"knn {kind}-2-f8-1000.npy -k 16 --exclude-self --order z"
        yield f"knn {kind}-3-f8-1500.npy -k 5 --query normal-3-f8-400.npy"
    for n in FEW:
        for kind in ("uniform", "equal"):
            yield f"knn {kind}-3-f4-{n}.npy -k 8"
            yield f"knn {kind}-2-f8-{n}.npy -k 8 --exclude-self"
        yield f"knn clustered-3-f4-2000.npy -k 8 --query uniform-3-f4-{n}.npy"
        yield f"knn uniform-5-f8-{n}.npy -k 8 --query clustered-5-f8-300.npy --order z"
    for n in (299, 300, 301):
        yield f"knn normal-3-f4-{n}.npy -k 300 --exclude-self"
    for kind in ODD:
        yield f"knn {kind}-3-f4-500.npy -k 8"
        yield f"knn {kind}-5-f8-2000.npy -k 16 --exclude-self"
    for kind in ("uniform", "clustered", "duplicates", "line"):
        yield f"knn {kind}-3-f4-20000.npy -k 16"
    yield "knn equal-8-f8-2000.npy -k 40"
    yield "knn gaia_open_clusters.npy -k 16 --exclude-self"
    yield "knn cosmo32768.npy -k 33 --exclude-self --precision f4"


def knn_periodic():
    for kind in PERIODIC:
        for shape in ("1-f8", "2-f4", "5-f8", "8-f4"):
            yield f"knn {kind}-{shape}-1000.npy -k 16 --box 1"
        for box in ("1", "1,0,1", "0,1.25,0"):
            yield f"knn {kind}-3-f4-2000.npy -k 50 --box {box}"
            yield f"knn {kind}-3-f8-1000.npy -k 7 --box {box} --query uniform-3-f8-500.npy"
    yield "knn grid-3-f4-4096.npy -k 27 --box 1"  # the lattice closes: every point has the same neighbours
    yield "knn grid-3-f8-4096.npy -k 7 --box 1,1,0 --exclude-self"
    yield "knn normal-3-f8-1000.npy -k 8 --box 2,0,1 --wrap"
    yield "knn cosmo32768.npy -k 8 --box 1"


def knn_other_ways():
    yield "knn uniform-3-f4-2000.npy -k 8 --query normal-3-f4-500.npy --order z"
    yield "knn gaia_open_clusters.npy -k 40 --order z --precision f4"
    yield "knn clustered-3-f4-2000.npy -k 8 --precision f8"
    yield "knn clustered-3-f8-2000.npy -k 8 --precision f4"
    yield "knn uniform-3-f8-300.csv -k 8"
    yield "knn clustered-3-f4-20000.npy -k 40 --memory-budget 1M"
    yield "knn --index clustered-3-f8-2000.zwx -k 16 --exclude-self"
    yield "knn --index clustered-3-f8-2000.zwx -k 16 --query uniform-3-f8-300.npy"
    yield "knn --index grid-2-f4-2000.zwx -k 16 --order z"
    yield "knn uniform-3-f4-1000.npy -k 8 --box 1 --save-index saved.zwx"
    # Not `density`: the volume of its ball takes pow() and tgamma().
    for kind in KINDS:
        precise = " --precision f8" if kind == "huge" else ""  # densities leave the range of single precision
        yield f"knn {kind}-3-f4-1000.npy -k 32 --reduce sph{precise}"
        yield f"knn {kind}-5-f8-1000.npy -k 16 --reduce radius --exclude-self"


def linking_lengths(kind, dim):
    """Text of one length that leaves many groups, and one that leaves fewer, of 2000 points."""
    if kind == "grid":
        return ".0624", ".0625"  # the latter is the distance of neighbours
    unit = {"normal": 2.5, "huge": 2.5e15, "graded": .1, "clustered": .3, "duplicates": 2.2}.get(kind, 1)
    spacing = {1: .0005, 2: .022, 3: .079, 5: .25, 8: .5, 20: 1.3}[1 if kind == "line" else dim]
    return f"{.7 * unit * spacing:.3g}", f"{1.2 * unit * spacing:.3g}"


def fof():
    # Catalogues are safe: their sums are of integers, and then come quotients, square roots and powers of two.
    for kind in KINDS:
        for shape, dim in DIMS.items():
            for length in linking_lengths(kind, dim):
                yield f"fof {kind}-{shape}-2000.npy --linking-length {length} --min-members 2"
        yield f"fof {kind}-20-f4-500.npy --linking-length {linking_lengths(kind, 20)[1]} --min-members 2"
        yield (f"fof {kind}-2-f8-2000.npy --linking-length {linking_lengths(kind, 2)[1]} --min-members 5 --order z "
               "--masses masses-1-f8-2000.npy --velocities huge-2-f8-2000.npy")
    for kind in PERIODIC:
        for box in ("1", "1,0,1"):
            for length in linking_lengths(kind, 3):
                yield (f"fof {kind}-3-f4-2000.npy --linking-length {length} --min-members 2 --box {box} --members "
                       "--masses masses-1-f4-2000.npy --velocities normal-3-f4-2000.npy")
        for box in ("1", "0,1"):
            yield f"fof {kind}-2-f8-20000.npy --linking-length .005 --box {box} --min-members 3"
    for kind in ("uniform", "clustered", "duplicates", "line"):
        yield f"fof {kind}-3-f8-20000.npy --linking-length .03"
        yield f"fof {kind}-3-f4-2000.npy --linking-length 0 --min-members 1"
    for n in FEW:
        yield f"fof uniform-3-f4-{n}.npy --linking-length .2 --min-members 1 --members"
        yield f"fof equal-3-f8-{n}.npy --linking-length 0 --min-members 1 --members"
    yield "fof grid-3-f4-4096.npy --linking-length .0625 --box 1"
    # In other than two dimensions the mean spacing takes cbrt() or pow().
    yield "fof uniform-2-f4-2000.npy --linking-fraction .5 --box 1 --min-members 3"
    yield "fof uniform-3-f4-1000.npy --linking-length .09 --min-members 2 --format csv"
    yield "fof uniform-3-f8-300.csv --linking-length .12 --min-members 2 --precision f4"
    yield "fof tiny-3-f4-500.npy --linking-length 8e-23 --min-members 2"
    yield "fof spread-3-f4-500.npy --linking-length 1e6 --min-members 2"
    yield "fof zeros-5-f8-500.npy --linking-length 0 --min-members 2"
    yield "fof normal-3-f8-1000.npy --linking-length .1 --box 2,0,1 --wrap --min-members 2"
    for length in (.001, .01, .05):
        yield f"fof cosmo32768.npy --linking-length {length} --box 1 --members"
    yield "fof gaia_open_clusters.npy --linking-length 2 --min-members 10 --precision f4"


def emst():
    for kind in KINDS:
        for shape in DIMS:
            yield f"emst {kind}-{shape}-1500.npy"
        yield f"emst {kind}-20-f4-500.npy"
        for samples in (2, 5, 30):
            yield f"emst {kind}-3-f4-1000.npy --min-samples {samples}"
    for n in FEW:
        yield f"emst uniform-3-f4-{n}.npy"
        yield f"emst equal-2-f8-{n}.npy"
        yield f"emst uniform-3-f8-{n}.npy --min-samples {min(n, 8)}"
    for kind in PERIODIC:
        for box in ("1", "1,0,1"):
            yield f"emst {kind}-3-f4-2000.npy --box {box}"
            yield f"emst {kind}-3-f8-1000.npy --box {box} --min-samples 4"
    for kind in ("uniform", "clustered", "duplicates", "line"):
        yield f"emst {kind}-3-f4-20000.npy"
        yield f"emst {kind}-2-f8-10000.npy --min-samples 40"
    yield "emst grid-3-f4-4096.npy --box 1"
    for kind in ODD:
        yield f"emst {kind}-3-f4-500.npy"
        yield f"emst {kind}-5-f8-2000.npy --min-samples 4"
    yield "emst clustered-3-f4-1000.npy --precision f8"
    yield "emst normal-3-f8-1000.npy --box 2,0,1 --wrap"
    yield "emst cosmo32768.npy --box 1"
    yield "emst gaia_open_clusters.npy --min-samples 10"


def hdbscan():
    # Safe, too: densities and stabilities are sums, products and quotients in a fixed order.
    for kind in KINDS:
        for shape in ("1-f4", "2-f8", "3-f4", "8-f8"):
            yield f"hdbscan {kind}-{shape}-1000.npy"
        yield f"hdbscan {kind}-3-f8-1000.npy --min-cluster-size 10 --min-samples 3 --selection leaf"
        yield f"hdbscan {kind}-2-f4-1000.npy --min-cluster-size 15 --allow-single-cluster --epsilon .05"
    for n in FEW:
        yield f"hdbscan clustered-3-f4-{n}.npy --min-cluster-size 2 --min-samples {min(n, 2)}"
        yield f"hdbscan equal-2-f8-{n}.npy --min-cluster-size 2 --min-samples 1"
    for kind in PERIODIC:
        yield f"hdbscan {kind}-3-f4-2000.npy --box 1 --max-cluster-size 300"
        yield f"hdbscan {kind}-3-f8-10000.npy --min-cluster-size 20"
    for kind in ODD:
        yield f"hdbscan {kind}-3-f4-500.npy"
    yield "hdbscan clustered-2-f8-1000.npy --format csv"
    for kind in "clustered", "uniform", "grid":
        yield f"hdbscan {kind}-3-f4-2000.npy --selection persistent --min-samples 4"
    yield "hdbscan clustered-3-f4-2000.npy --weights masses-1-f8-2000.npy"
    yield "hdbscan clustered-2-f8-1000.npy --min-samples 2 --epsilon-max .05 --persistence 10"
    yield "hdbscan cosmo32768.npy --box 1 --min-cluster-size 30 --min-samples 5"
    yield "hdbscan gaia_open_clusters.npy --min-cluster-size 25 --min-samples 10"


def radius():
    for kind in KINDS:
        for shape, dim in DIMS.items():
            yield f"radius {kind}-{shape}-1500.npy --radius {linking_lengths(kind, dim)[1]}"
        yield f"radius {kind}-2-f8-2000.npy --radius {linking_lengths(kind, 2)[1]} --exclude-self --order z"
        yield f"radius {kind}-3-f4-1000.npy --radius {linking_lengths(kind, 3)[1]} --query normal-3-f4-300.npy"
        yield f"radius {kind}-3-f8-2000.npy --radius {linking_lengths(kind, 3)[1]} --count"
    for kind in PERIODIC:
        for box in ("1", "1,0,1"):
            yield f"radius {kind}-3-f4-2000.npy --radius .1 --box {box}"
            yield f"radius {kind}-3-f8-1000.npy --radius .1 --box {box} --query uniform-3-f8-500.npy"
    for n in FEW:
        yield f"radius equal-3-f4-{n}.npy --radius 0"
    yield "radius cosmo32768.npy --radius .01 --box 1"


def dbscan():
    for kind in KINDS:
        for shape, dim in DIMS.items():
            for length, samples in zip(linking_lengths(kind, dim), (2, 5)):
                yield f"dbscan {kind}-{shape}-2000.npy --epsilon {length} --min-samples {samples}"
        yield f"dbscan {kind}-2-f8-2000.npy --epsilon {linking_lengths(kind, 2)[1]} --min-samples 8 --order z"
    for kind in PERIODIC:
        for box in ("1", "1,0,1"):
            yield f"dbscan {kind}-3-f4-2000.npy --epsilon .08 --min-samples 6 --box {box}"
    for n in FEW:
        yield f"dbscan uniform-3-f4-{n}.npy --epsilon .3 --min-samples 3"
        yield f"dbscan equal-3-f8-{n}.npy --epsilon 0 --min-samples 8"
    yield "dbscan cosmo32768.npy --epsilon .01 --min-samples 10 --box 1"
    yield "dbscan gaia_open_clusters.npy --epsilon 3 --min-samples 8 --precision f4"


def peaks():
    for kind in KINDS:
        for shape in DIMS:
            yield f"peaks {kind}-{shape}-1500.npy -k 12 --clusters 8"
        yield f"peaks {kind}-2-f8-2000.npy -k 40 --order z"
    for kind in PERIODIC:
        for box in ("1", "1,0,1"):
            yield f"peaks {kind}-3-f4-2000.npy -k 20 --min-delta .1 --box {box}"
    for n in FEW:
        yield f"peaks uniform-3-f4-{n}.npy -k 8 --clusters 2"
        yield f"peaks equal-3-f8-{n}.npy -k 2 --clusters 2"
    for kind in ODD:
        yield f"peaks {kind}-3-f4-500.npy -k 8"
    yield "peaks cosmo32768.npy -k 30 --clusters 100 --box 1"
    yield "peaks gaia_open_clusters.npy -k 30 --clusters 20 --precision f4"


def pairs():
    # Bins of equal width: those of equal ratio take pow().
    for kind in KINDS:
        for shape, dim in DIMS.items():
            yield f"pairs {kind}-{shape}-2000.npy --bins 0,{linking_lengths(kind, dim)[1]},7"
        yield (f"pairs {kind}-3-f8-1500.npy --bins 0,{linking_lengths(kind, 3)[1]},5 --weights masses-1-f8-1500.npy "
               "--second normal-3-f8-500.npy")
    for kind in PERIODIC:
        for box in ("1", "1,0,1"):
            yield f"pairs {kind}-3-f4-2000.npy --bins .01,.4,9 --box {box} --weights masses-1-f4-2000.npy"
            yield f"pairs {kind}-3-f8-2000.npy --bins 0,.2,4 --pi-max .3 --pi-bins 5 --box {box}"
            yield f"pairs {kind}-2-f4-2000.npy --bins 0,.2,4 --mu-bins 5 --line-of-sight 0 --box {box.replace(',0', '')}"
    yield "pairs cosmo32768.npy --bins 0,.05,20 --box 1"


def gravity():
    # Order and opening given: by accuracy they pass through logarithms, if only some digits of these.
    for kind in ("uniform", "normal", "clustered", "graded", "duplicates", "line"):
        for shape, order in (("1-f8", 2), ("2-f4", 3), ("3-f4", 4), ("3-f8", 5), ("3-f8", 1)):
            yield f"gravity {kind}-{shape}-2000.npy --softening .01 --expansion-order {order} --opening 1.5"
        yield (f"gravity {kind}-3-f4-1000.npy --masses masses-1-f4-1000.npy --expansion-order 4 --opening 1 --order z")
    for n in FEW:
        yield f"gravity uniform-3-f4-{n}.npy --expansion-order 4 --opening 1"
        yield f"gravity equal-3-f8-{n}.npy --expansion-order 4 --opening 1 --softening 1"
    yield "gravity gaia_open_clusters.npy --softening .1 --expansion-order 4 --opening 2"


def generate():
    for kind in ("uniform", "normal", "grid", "halton", "graded", "graded-grid", "graded-halton", "clustered", "duplicates", "line",
                 "blobs", "spread"):
        for dim in (1, 2, 3, 20):
            yield f"generate {kind} 1000 {dim}"
        yield f"generate {kind} 5000 3 --dtype f4 --seed 7"


def cases():
    """All command lines, without where results go and what doesn't change them."""
    commands = (knn, knn_periodic, knn_other_ways, fof, emst, hdbscan, radius, dbscan, peaks, pairs, gravity, generate)
    return sorted({case for command in commands for case in command()})
