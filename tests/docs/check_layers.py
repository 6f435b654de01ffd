"""Checks every include of a file of the repository: that the file exists, and that the includer may know of it.

1. An include never points upward: core < exec < zorder < tree < walk < nearest < lists < ranks < run < testing < algorithms < apps.
2. An algorithm includes public headers of the algorithms it is said to stand on (`stands_on`).
3. What isn't below an include/ folder is private: to framework, or to its algorithm; a public header includes only
   public ones. What is in a folder detail/ is for its own room; and a header that only its own room includes is there,
   unless it's for those who use the library (`for_users`).
4. An include in quotes, or of <zwalk/...>, names a file that exists.
5. In framework and algorithms one header includes <mpi.h>, and one source calls MPI (`mpi_header`, `mpi_source`).

python, tests, bench and examples may include everything that exists.
"""
import graphlib
import os
import pathlib
import re
import sys
import typing

floors = ["core", "exec", "zorder", "tree", "walk", "nearest", "lists", "ranks", "run", "testing", "algorithms", "apps"]
stands_on = {"dbscan": {"fof", "knn"}, "density": {"knn"}, "emst": {"knn"}, "hdbscan": {"emst", "knn"}, "peaks": {"density", "knn"}, "radius": {"knn"}}
graphlib.TopologicalSorter(stands_on).prepare()  # raises where algorithms stand on each other
mpi_header, mpi_source = "framework/include/zwalk/ranks/mpi.hpp", "framework/src/ranks/comm.cpp"
# Headers that users include, or whose types they hold, or that generated files include, while other rooms needn't.
for_users = {"exec/exp_log.hpp", "exec/gather.hpp", "hdbscan/condensed_tree.hpp", "hdbscan/linkage.hpp", "hdbscan/trait.hpp",
             "knn/knn_visit.cuh", "pairs/trait.hpp",
             "peaks/clusters.hpp", "peaks/trait.hpp",
             "run/cpu_instance.hpp", "run/cuda_instance.cuh", "run/mpi_ranks.hpp", "run/point_array.hpp",
             "run/rank_arrays.hpp", "testing/report.hpp", "tree/cell.hpp"}
# Includes that break a rule, and are known to: (file, what it includes).
exceptions: set[tuple[str, str]] = set()

root = pathlib.Path(__file__).resolve().parents[2]
scanned = ("framework", "algorithms", "apps", "python", "tests", "bench", "examples")
# All builds' include folders together: that a compiler wouldn't find a file from here is no reason to let it pass.
include_folders = [root / "framework/include", *sorted(root.glob("algorithms/*/include")),
                   *(root / name for name in ("apps", "tests", "examples", "bench", "algorithms"))]
include = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.M)

mpi_call = re.compile(r"\bMPI_[A-Z][a-z]\w*\(")


class Place(typing.NamedTuple):
    house: str  # framework, algorithms or apps
    floor: str
    room: str  # a floor of framework, an algorithm, or "apps"
    public: bool


def place_of(path):
    """Where a file is, by its path from the root; None for those that may include everything."""
    house, *rest = path.parts
    if house == "framework":
        room = rest[2] if rest[0] == "include" else rest[1]
        return Place(house, room, room, rest[0] == "include")
    if house == "algorithms":
        return Place(house, house, rest[0], rest[1] == "include")
    return Place(house, house, house, False) if house == "apps" else None


def resolve(path, quoted, bracketed):
    """The file, from the root, that `path` includes; None if there is none."""
    folders = include_folders
    if quoted:  # generated sources have the folder of their template, tests/NAME may have the algorithm's sources
        folders = [root / path.parent, *folders, root / "algorithms" / path.parts[1] / "src"]
    for folder in folders:
        file = pathlib.Path(os.path.normpath(folder / (quoted or bracketed)))
        if file.is_file() and file.is_relative_to(root):
            return file.relative_to(root)
    return None


def broken_rule(here, there, path):
    """The rule that a file at `here` breaks by including `path`, which is at `there`; None if it may."""
    if not there:
        return "only tests, benchmarks and examples may include it"
    if floors.index(there.floor) > floors.index(here.floor):
        return "points upward"
    if "detail" in path.parts[:-1] and here.room != there.room:
        return f"detail/ is for {there.room} alone"
    if not there.public and here.house != there.house:
        return f"private to {there.house}"
    if not there.public and here.public:
        return "a public header includes a private one"
    if here.house != "algorithms" or there.house != "algorithms" or there.room == here.room:
        return None
    if not there.public:
        return f"private to {there.room}"
    return None if there.room in stands_on.get(here.room, ()) else f"{here.room} doesn't stand on {there.room}"


paths = sorted(p.relative_to(root) for d in scanned for p in (root / d).rglob("*")
               if p.suffix in (".hpp", ".cpp", ".cuh", ".cu", ".in"))
wrong = [f"{path}: on no floor of {' < '.join(floors)}"
         for path in paths if (place := place_of(path)) and place.floor not in floors]
if wrong:
    sys.exit("\n".join(wrong))
includes = 0
outside = set()  # headers that something outside of their room includes; tests see everything, and say nothing about it
unneeded = {f"stands_on: {a} doesn't need {b}" for a, below in stands_on.items() for b in below}
unneeded |= {f"exceptions: {a} doesn't need {b}" for a, b in exceptions}
for path in paths:
    here = place_of(path)
    text = (root / path).read_text()
    if path.parts[0] in ("framework", "algorithms") and str(path) != mpi_source and mpi_call.search(text):
        wrong.append(f"{path}: calls MPI; {mpi_source} is for that")
    for quoted, bracketed in include.findall(text):
        if bracketed == "mpi.h" and path.parts[0] in ("framework", "algorithms") and str(path) != mpi_header:
            wrong.append(f"{path}: includes <mpi.h>; {mpi_header} is for that")
        file = resolve(path, quoted, bracketed)
        if not file and quoted and (root / f"cmake/{quoted}.in").is_file():
            continue  # CMake makes it
        if not file and bracketed and not bracketed.startswith("zwalk/"):
            continue  # of the system, or a library's
        includes += 1
        if not file:
            wrong.append(f"{path}: includes {quoted or bracketed}: no such file")
            continue
        there = place_of(file)
        if there and path.parts[0] != "tests" and (not here or here.room != there.room):
            outside.add(file)
        rule = broken_rule(here, there, file) if here else None
        if (str(path), str(file)) in exceptions and rule:
            unneeded.discard(f"exceptions: {path} doesn't need {file}")
        elif rule:
            wrong.append(f"{path}: includes {file} ({here.room} -> {there.room if there else file.parts[0]}): {rule}")
        elif here and there:
            unneeded.discard(f"stands_on: {here.room} doesn't need {there.room}")
public = {path: "/".join(path.parts[-2:]) for path in paths
          if (place := place_of(path)) and place.public and "detail" not in path.parts}
for path, name in public.items():
    if path in outside and name in for_users:
        unneeded.add(f"for_users: other rooms include {name}")
    elif path not in outside and name not in for_users and not name.endswith("_memory.hpp"):  # predictions are for users
        wrong.append(f"{path}: only {place_of(path).room} includes it: it belongs in detail/")
unneeded |= {f"for_users: there is no {name}" for name in for_users - set(public.values())}
wrong += [f"{pathlib.Path(__file__).relative_to(root)}: {line}" for line in sorted(unneeded)]
print("\n".join([*wrong, f"{len(paths)} files, {includes} includes, {len(wrong)} wrong"]))
sys.exit(1 if wrong or len(paths) < 300 or includes < 800 else 0)
