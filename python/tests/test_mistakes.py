"""Mistakes that are easily made: what is said names the argument and what to do."""
import subprocess
import sys

import numpy as np
import pytest
import zwalk
from zwalk._points import as_array, as_budget

X = np.random.default_rng(3).random((100, 3))
RECORDS = np.zeros(100, [("x", "f8"), ("y", "f8"), ("z", "f8"), ("id", "i8")])


@pytest.mark.parametrize("call, error, says", [
    (lambda: zwalk.knn(X, 5), ValueError, "^queries .* one number; .* k=8"),  # the k of scipy's query(x, k)
    (lambda: zwalk.knn(X, X[0]), ValueError, r"one point queries\[None\]"),
    (lambda: zwalk.knn(X.T, k=2), ValueError, r"\(3, 100\).* points\.T"),
    (lambda: zwalk.KDTree(X.T), ValueError, r"data\.T"),
    (lambda: zwalk.knn([[1, 2], [3]], k=1), zwalk.InputError, "^points must be rows of one length"),
    (lambda: zwalk.pairs(X, 10), ValueError, "^edges must be a sequence of numbers"),
    (lambda: zwalk.knn("positions.npy"), TypeError, "^points must be real numbers, not str$"),
    (lambda: zwalk.knn(None), TypeError, "^points .* NoneType$"),
    (lambda: zwalk.fof(zwalk.KDTree(X), 0.1), TypeError, "^points .* KDTree$"),
    (lambda: zwalk.knn(X.astype(object)), TypeError, r"numpy\.asarray\(points, float\)"),
    (lambda: zwalk.knn([[1.0, 2, "a"], [3, 4, "b"]]), TypeError, "points must be real numbers"),
    (lambda: zwalk.knn(np.array([[1.0, "a"], [3, "b"]], object)), TypeError, r"column 1 has text.*numpy\.delete\(points, \[1\], axis=1\)"),
    (lambda: zwalk.knn(X, k=2, threads="all"), TypeError, "^threads .* not str$"),
    (lambda: zwalk.knn(RECORDS), TypeError, r"^points is a structured .* columns, .*column_stack\(\[points\['x'\], points\['y'\]"),
    (lambda: zwalk.gravity(X, RECORDS), TypeError, r"^masses is a structured .* such as masses\['x'\]$"),
    (lambda: zwalk.knn(X, radius=0.1), TypeError, r"^knn\(\) has no argument 'radius': did you mean within=, or zwalk\.radius\(\)\?$"),
    (lambda: zwalk.knn(X, X, n_neighbors=3), TypeError, r"did you mean k=\?"),
    (lambda: zwalk.radius(X, within=0.1), TypeError, r"^radius\(\) has no argument 'within': did you mean radius=\?"),
    (lambda: zwalk.radius_count(X, r=0.1), TypeError, r"did you mean radius=\?"),
    (lambda: zwalk.knn(X, bogus=3), TypeError, "unexpected keyword argument 'bogus'"),
    (lambda: zwalk.hdbscan(X, cluster_selection_epsilon=1.0), TypeError, r"did you mean epsilon=\?"),
    (lambda: zwalk.dbscan(X, 0.1, min_pts=3), TypeError, r"did you mean min_samples=\?"),
    (lambda: zwalk.fof(X, b=0.2), TypeError, r"did you mean linking_length="),
    (lambda: zwalk.HDBSCAN(), AttributeError, r"\(did you mean zwalk\.sklearn\.HDBSCAN\?\)$"),
    (lambda: zwalk.KDTree(X).query_ball_point(X[0], -1), zwalk.InputError, r"^r must be >= 0, not -1$"),
    (lambda: zwalk.KDTree(X).count_neighbors(zwalk.KDTree(X), np.nan), zwalk.InputError, r"^r must not be NaN$"),
    (lambda: zwalk.KDTree(X).query_ball_tree(zwalk.KDTree(X, boxsize=1), 1), zwalk.InputError, r"open space, boxsize=\["),
    (lambda: zwalk.HdbscanModel.of(X, {}), TypeError, r"what zwalk\.hdbscan\(\) returns, not dict$"),
    (lambda: zwalk.nn(X), AttributeError, r"'nn' \(did you mean zwalk\.knn\?\)$"),
    (lambda: zwalk.emst(X), AttributeError, r"\(did you mean zwalk\.minimum_spanning_tree\?\)$"),
    (lambda: zwalk.unlike_all, AttributeError, "no attribute 'unlike_all'$"),
    (lambda: zwalk.__wrapped__, AttributeError, "no attribute '__wrapped__'$"),
    (lambda: zwalk.density(X, 1), ValueError, "^with k=1 each point finds only itself.* exclude_self=True"),
    (lambda: zwalk.density(X, k=1, kind="sph"), ValueError, "only itself"),
    (lambda: zwalk.density(X, k=1, kind="sph", exclude_self=True), ValueError, "^with k=1 the only neighbour .* pass a larger k$"),
    (lambda: zwalk.density(X, queries=X), TypeError, r"^density\(\) has no argument 'queries': did you mean zwalk\.knn\(\)"),
    (lambda: zwalk.fof(X, linking_fraction=0.2), TypeError, r"did you mean linking_length=, a fraction of zwalk\.mean_spacing\(\)"),
    (lambda: zwalk.fof(X, 0.2, min_members=9), TypeError, r"catalogue\(min_members="),
    (lambda: zwalk.fof(X, 0.2).catalogue(2)["centre"], KeyError, "no column 'centre': there are label, count, mass"),
    (lambda: zwalk.KDTree(X, boxsize=-1), ValueError, "^boxsize: length -1 on axis 0; it must be positive"),
    (lambda: zwalk.KDTree(X, boxsize=[1, 1]), ValueError, "^boxsize must be one number or 3, not 2"),
    (lambda: zwalk.knn(X, k=True), TypeError, "^k must be an integer, not bool"),
    (lambda: zwalk.knn(X, k=2, threads=True), TypeError, "^threads must be an integer.* not bool"),
    (lambda: zwalk.predict(X), AttributeError, r"did you mean zwalk\.HdbscanModel\.predict\?"),
])
def test_points_and_numbers(call, error, says):
    with pytest.raises(error, match=says):
        call()


@pytest.mark.parametrize("box, what", [
    ("1", "str"), (b"1", "bytes"), (True, "bool"), (np.True_, "bool"), ([1, False, 1], "bool"),
    ([[0, 1], [0, 1], [0, 1]], "list"), ({"x": 1}, "dict"),
])
def test_boxes(box, what):
    """True isn't the period 1, and two corners aren't sides."""
    with pytest.raises(TypeError, match=f"^each side of box must be a number, not .*{what}"):
        zwalk.fof(X, 0.1, box=box)


@pytest.mark.parametrize("box, periodic", [
    (1, 3), (np.float32(1), 3), (np.array(1), 3), (np.ones(3, np.float32), 3), ((1, 1, 1), 3), ([1, None, np.inf], 1),
    ([1, 1, 0], 2), (0, 0), (None, 0), (np.inf, 0),
])
def test_boxes_that_are_right(box, periodic):
    """Two points on two sides of each face find each other where the axis is periodic."""
    x = np.full((6, 3), 0.5)
    for axis in range(3):
        x[2 * axis:2 * axis + 2, axis] = 0.01, 0.99
    assert zwalk.fof(x, 0.1, box=box).n_groups == 6 - periodic


@pytest.mark.parametrize("number", ["0.1", b"0.1", True, [0.1, 0.2]])
def test_strings_and_truth_are_no_radius(number):
    with pytest.raises(TypeError, match="^linking_length must be a number"):
        zwalk.fof(X, number)


def test_rows_may_be_few():
    """Only what can't be points is taken for axes as rows. (Builds for few dimensions refuse 64 columns later.)"""
    for shape in ((1, 64), (64, 64), (0, 3), (2, 3)):
        assert as_array(np.zeros(shape), "points").shape == shape


def test_points_are_wrapped_as_the_page_says():
    box = np.array([1, 2, 0.5])
    moved = X + [3, -4, 0.25]
    with pytest.raises(ValueError, match=r"^box: the points span .* into one period first \(points % box\)$"):
        zwalk.radius_count(moved, 0.1, box=box)
    with pytest.raises(ValueError, match=r"^boxsize: data span .* the period 0\.5; .* into one period first \(data % boxsize\)$"):
        zwalk.KDTree(moved, boxsize=box)
    with pytest.raises(ValueError, match=r"^box: the points of both sets together span 2\."):
        zwalk.knn(X, X + 1.5, k=1, box=1)
    assert (zwalk.radius_count(moved % box, 0.1, box=box) >= 1).all()


def test_estimators_need_no_import_of_their_own():
    pytest.importorskip("sklearn")
    code = ("import sys, zwalk; assert 'sklearn' not in sys.modules; zwalk.sklearn.HDBSCAN(); "
            "assert not hasattr(zwalk, 'nothing')")
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("mass", [-1.0, 0.0, np.nan, np.inf])
def test_masses_of_densities_are_above_zero(mass):
    masses = np.ones(100)
    masses[7] = mass
    out = np.full(100, 5.0)
    with pytest.raises(zwalk.InputError, match="^mass 7 is .*: masses must be finite and above 0"):
        zwalk.density(X, 8, kind="sph", masses=masses, out=out)
    assert (out == 5).all()


@pytest.mark.parametrize("given, bytes_", [
    ("8G", 8 * 2**30), ("8GiB", 8 * 2**30), ("8 GiB", 8 * 2**30), ("8GB", 8 * 10**9), ("8 gb", 8 * 10**9), ("1.5k", 1536), ("100", 100),
    ("100B", 100), ("1e6", 10**6), (1.5e9, 15 * 10**8), (np.float32(2e9), 2 * 10**9), (7, 7), (None, 0), ("2T", 2 * 2**40),
    ("9007199254740993", 9007199254740993), (" 8G ", 8 * 2**30), ("0.5", 1),
])
def test_budgets(given, bytes_):
    assert as_budget(given) == bytes_


@pytest.mark.parametrize("given", ["G", "8GG", "GB", "8 G i B", "", "-1G", "nan", "8GBB", "100BB", "8 k B", "8Gi", "1e", "1.2.3", "1e999"])
def test_budgets_that_are_none(given):
    with pytest.raises(zwalk.InputError, match="^memory_budget must be"):
        as_budget(given)


def test_density_of_others():
    assert np.isfinite(zwalk.density(X, 1, exclude_self=True)).all()
    assert (zwalk.density(X, 1, kind="radius") == 0).all()
