"""Whether other engines of bench/compare find what zwalk finds; how far they may be off is said in compare.py."""
import numpy as np


def _integers(folder, name):
    return np.fromfile(folder / name, np.int64)


def _real(case):
    return np.float32 if case.real == "float" else np.float64


def _groups(engine, case, folder):
    def group(name):
        """Smallest index in each point's group, whatever the engine's labels are."""
        _, first, of = np.unique(_integers(folder, name), return_index=True, return_inverse=True)
        return first[of]

    ours, theirs = group("zwalk.labels"), group(f"{engine}.labels")
    if len(ours) != len(theirs):
        return [f"{len(theirs)} labels for {len(ours)} points"]
    wrong = int((ours != theirs).sum())
    allowed = 1e-3 if case.epsilon else 1e-5
    return [f"{wrong} of {len(ours)} points are in other groups"] * (wrong > allowed * len(ours))


def _rows(engine, case, folder):
    ours, theirs = (np.diff(_integers(folder, f"{name}.offsets")) for name in ("zwalk", engine))
    if len(ours) != len(theirs):
        return [f"{len(theirs)} rows for {len(ours)} points"]
    wrong = int((ours != theirs).sum())
    return [f"{wrong} of {len(ours)} rows have other lengths"] * (wrong > 1e-3 * len(ours))


def _counts(engine, case, folder):
    ours, theirs = (_integers(folder, f"{name}.counts") for name in ("zwalk", engine))
    if len(ours) != len(theirs):
        return [f"{len(theirs)} bins instead of {len(ours)}"]
    wrong = int((np.abs(ours - theirs) > 1e-4 * ours + 50).sum())
    return [f"the counts of {wrong} of {len(ours)} bins differ"] * (wrong > 0)


def _lengths(engine, case, folder):
    real = _real(case)
    ours, theirs = (np.fromfile(folder / f"{name}.lengths", real) for name in ("zwalk", engine))
    if len(ours) != len(theirs):
        return [f"{len(theirs)} edges instead of {len(ours)}"]
    wrong = int((np.abs(ours - theirs) > 32 * np.finfo(real).eps * np.abs(ours)).sum())
    return [f"{wrong} of {len(ours)} lengths differ"] * (wrong > 0)


def _neighbours(engine, case, folder):
    real = _real(case)
    sources = np.fromfile(folder / "sources", real).reshape(-1, case.dim)
    queries = np.fromfile(folder / "queries", real).reshape(-1, case.dim) if case.queries else sources
    ours, theirs = (np.fromfile(folder / f"{name}.distance", real) for name in ("zwalk", engine))
    index = _integers(folder, f"{engine}.index")
    if len(theirs) != len(queries) or len(index) != len(queries):
        return [f"{len(theirs)} distances and {len(index)} indices for {len(queries)} queries"]
    if index.min() < 0 or index.max() >= len(sources):
        return ["indices that no point has"]
    there = np.linalg.norm(sources[index].astype(float) - queries, axis=1)
    rounding = 32 * np.finfo(real).eps

    def count(a, b, what):
        wrong = ~(np.abs(a - b) <= rounding * np.abs(b))  # NaN is wrong, too
        return [f"{wrong.sum()} of {len(wrong)} {what}"] if wrong.any() else []

    return (count(theirs, ours, "k-th distances differ from zwalk's by more than rounding")
            + count(theirs, there, "k-th distances aren't those of the points they name"))


def disagreements(engine, case, folder):
    """What is wrong with an engine's results; zwalk has run before."""
    if case.fraction or case.epsilon:
        check = _groups
    elif case.radius:
        check = _rows
    elif case.pairs:
        check = _counts
    else:
        check = _lengths if case.tree else _neighbours
    return check(engine, case, folder)
