"""SciPy's own tests of its KDTree, those that are named here, with zwalk.KDTree in its place.

The others want another p, or SciPy's nodes.
"""
import pytest
import suites

TESTS = "scipy.spatial.tests.test_kdtree"

# Classes, and which of their tests.
CLASSES = {
    "random random_far": "nearest m_nearest points_near approx",
    "small small_nonleaf": "m_nearest points_near approx nearest nearest_two",
    "vectorization": "single_query vectorized_query single_query_multiple_neighbors vectorized_query_multiple_neighbors "
                     "query_raises_for_k_none",
    "random_ball random_ball_approx random_ball_approx_periodic random_ball_far": "in_ball found_all",
    "random_ball_periodic random_ball_far_periodic": "in_ball found_all in_ball_outside found_all_outside",
    "two_random_trees two_random_trees_periodic two_random_trees_far two_random_trees_far_periodic": "all_in_ball found_all",
    "count_neighbors": "one_radius large_radius multiple_radius",
    "sparse_distance_matrix": "consistency_with_neighbors zero_distance consistency against_logic_error_regression",
    "sorted_query_ball_point": "return_sorted_True return_sorted_None",
}

FUNCTIONS = """random_ball_vectorized query_ball_point_multithreading onetree_query query_pairs_single_node kdtree_query_pairs
ball_point_ints kdtree_build_modes kdtree_pickle kdtree_pickle_boxsize kdtree_copy_data kdtree_list_k
kdtree_box_lower_bounds kdtree_count_neighbous_multiple_r len0_arrays kdtree_noncumulative_nondecreasing short_knn
query_ball_point_vector_r query_ball_point_length discontiguous kdtree_count_neighbors_weighted gh_18800"""
EMPTY = [f"kdtree_empty_input[KDTree-{compact}-{balanced}]" for compact in (True, False) for balanced in (True, False)]

PLUGIN = "import scipy.spatial, zwalk; scipy.spatial.KDTree = zwalk.KDTree"


def names():
    for some, tests in CLASSES.items():
        yield from (f"Test_{cls}_KDTree::test_{test}" for cls in some.split() for test in tests.split())
    yield from (f"test_{name}[KDTree]" for name in FUNCTIONS.split())
    yield from (f"test_{name}" for name in EMPTY)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    return suites.outcomes(tmp_path_factory.mktemp("scipy"), TESTS, PLUGIN)


@pytest.mark.parametrize("name", list(names()))
def test_of_scipy(outcomes, name):
    if name not in outcomes:
        pytest.skip("not in this SciPy")
    assert outcomes[name] == "PASSED"


def test_enough_are_found(outcomes):
    assert sum(name in outcomes for name in names()) > 50
