"""scikit-learn's and hdbscan's own tests, with zwalk's estimators in the place of theirs.

Every case of the functions named in PASS passes, but for those in LEFT_OUT, of which each has its reason. Tests that never come
to an estimator of ours (precomputed distances, `algorithm="brute"`, private functions) are in neither.
"""
import re

import pytest
import suites
import zwalk

pytestmark = pytest.mark.skipif(zwalk._core.max_dim < 10, reason="some tests have 10 columns, this build fewer")

SKLEARN = """
import scipy.sparse
import sklearn.cluster
import sklearn.neighbors
import zwalk.sklearn as ours

theirs, their_dbscan = sklearn.neighbors.NearestNeighbors, sklearn.cluster.dbscan


class NearestNeighbors(ours.NearestNeighbors):
    "Theirs by brute force, which tests compare with the other algorithms."
    def __new__(cls, **parameters):
        return theirs(**parameters) if parameters.get("algorithm") == "brute" else super().__new__(cls)


def dbscan(X, eps=0.5, *, metric="minkowski", sample_weight=None, **more):
    if metric == "precomputed" or scipy.sparse.issparse(X):
        return their_dbscan(X, eps, metric=metric, sample_weight=sample_weight, **more)
    found = ours.DBSCAN(eps, metric=metric, **more).fit(X, sample_weight=sample_weight)
    return found.core_sample_indices_, found.labels_


sklearn.neighbors.NearestNeighbors = NearestNeighbors
sklearn.cluster.DBSCAN, sklearn.cluster.HDBSCAN, sklearn.cluster.dbscan = ours.DBSCAN, ours.HDBSCAN, dbscan
import sklearn.neighbors.tests.test_neighbors as tests
tests.P = (2,)  # of the Minkowski metrics that loops go through
"""

HDBSCAN = """
import hdbscan
import zwalk.sklearn as ours


class HDBSCAN(ours.HDBSCAN):
    "Their min_samples doesn't count the point itself."
    def fit(self, X, y=None):
        asked = self.min_samples
        least = self.min_cluster_size if asked is None else asked
        self.min_samples = least + 1 if isinstance(least, int) else least
        try:
            return super().fit(X, y)
        finally:
            self.min_samples = asked


def of_function(X, min_cluster_size=5, **more):
    found = HDBSCAN(min_cluster_size, **more).fit(X)
    return (found.labels_, found.probabilities_, found.cluster_persistence_, found.condensed_tree_, found.single_linkage_tree_,
            None)


hdbscan.HDBSCAN, hdbscan.hdbscan = HDBSCAN, of_function
hdbscan.approximate_predict, hdbscan.approximate_predict_scores = ours.approximate_predict, ours.approximate_predict_scores
hdbscan.all_points_membership_vectors = ours.all_points_membership_vectors
"""

PASS = {
    "sklearn.neighbors.tests.test_neighbors": """unsupervised_kneighbors unsupervised_inputs not_fitted_error_gets_raised
        unsupervised_radius_neighbors radius_neighbors_boundary_handling radius_neighbors_sort_results
        nearest_neighbors_validate_params neighbors_metrics k_and_radius_neighbors_X_None""",
    "sklearn.cluster.tests.test_dbscan": """dbscan_feature dbscan_input_not_modified input_validation pickle boundaries
        weighted_dbscan dbscan_core_samples_toy""",
    "sklearn.cluster.tests.test_hdbscan": """hdbscan_feature_array hdbscan_algorithms dbscan_clustering hdbscan_no_clusters
        hdbscan_min_cluster_size hdbscan_allow_single_cluster_with_epsilon hdbscan_better_than_dbscan hdbscan_usable_inputs
        outlier_data dbscan_clustering_outlier_data hdbscan_centers""",
    "hdbscan.tests.test_hdbscan": """hdbscan_feature_vector hdbscan_prims_kdtree hdbscan_prims_balltree hdbscan_boruvka_kdtree
        hdbscan_boruvka_balltree hdbscan_generic hdbscan_dbscan_clustering hdbscan_no_clusters hdbscan_min_cluster_size
        hdbscan_input_lists hdbscan_boruvka_kdtree_matches hdbscan_boruvka_balltree_matches hdbscan_outliers hdbscan_caching
        hdbscan_allow_single_cluster_with_epsilon condensed_tree_plot single_linkage_tree_plot min_span_tree_plot
        tree_numpy_output_formats tree_pandas_output_formats tree_networkx_output_formats hdbscan_centroids_medoids
        hdbscan_no_centroid_medoid_for_noise hdbscan_persistence_threshold hdbscan_cluster_selection_epsilon_max
        hdbscan_parameters_do_not_trigger_errors hdbscan_approximate_predict hdbscan_approximate_predict_score""",
}

# Of names in brackets these parameters. What is said of all is in docs/python.md.
METRIC, SPARSE = "the metric is Euclidean", "no sparse matrices"
PRIVATE = "looks at a private attribute"
LEFT_OUT = {
    "sklearn.neighbors.tests.test_neighbors": {
        r"unsupervised_kneighbors\[.*-(chebyshev|cityblock|l1|manhattan|DM_euclidean)": METRIC,
        r"unsupervised_kneighbors\[.*-100-100-10-100\]": "at most 64 columns",
        r"unsupervised_inputs\[.*(Classifier|Regressor)\]": "asks scikit-learn's estimators to take one of ours for points",
        "query_equidistant_kth_nn": "of equal distances the first in z-order comes first",
        r"neighbors_metrics\[.*-(?!euclidean|l2)\w+\]": METRIC,
        "k_and_radius_neighbors_(duplicates|train_is_not_query)": "nearest first, always",
        "precomputed_sparse_knn|precomputed_sparse_radius|precomputed_sparse_invalid|callable_metric": METRIC,
        "radius_neighbors_returns_array_of_objects|non_euclidean_kneighbors|pairwise_boolean_distance": METRIC,
        "valid_brute_metric_for_auto_algorithm": SPARSE,
        "auto_algorithm": PRIVATE,
    },
    "sklearn.cluster.tests.test_dbscan": {
        "dbscan_similarity|dbscan_callable|dbscan_metric_params|dbscan_balltree": METRIC,
        "dbscan_precomputed_metric_with_(degenerate_input_arrays|initial_rows_zero)": METRIC,
        r"dbscan_no_core_samples|dbscan_input_not_modified\[.*(array|matrix)-minkowski\]": SPARSE,
    },
    "sklearn.cluster.tests.test_hdbscan": {
        r"hdbscan_algorithms\[(?!euclidean|l2).*": METRIC,
        r"hdbscan_usable_inputs\[kwargs[01]": METRIC,
        "hdbscan_(distance_matrix|sparse_distance_matrix|best_balltree_metric|callable_metric|precomputed_non_brute)": METRIC,
        "hdbscan_(sparse_distances_.*|tree_invalid_metric|precomputed_dense_nan|cosine_metric_.*)": METRIC,
        "hdbscan_sparse": SPARSE,
        "hdbscan_error_precomputed_and_store_centers": METRIC,
        "hdbscan_too_many_min_samples": "of fewer points than min_samples all are counted",
        "hdbscan_default_copy_warning": "copy changes nothing, so its default needs no warning",
        "labelling_distinct": PRIVATE,
    },
    "hdbscan.tests.test_hdbscan": {
        "missing_data": "labels of rows with NaN are those of scikit-learn, -3",
        "hdbscan_(distance_matrix|sparse_distance_matrix|high_dimensional|best_balltree_metric|callable_metric)": METRIC,
        "hdbscan_sparse": SPARSE,
        "hdbscan_all_points_membership_vectors": "vectors without clusters are an array of two axes",
        "hdbscan_badargs": "p=None is Euclidean, as in scikit-learn",
    },
}


@pytest.fixture(scope="module", params=list(PASS))
def suite(request, tmp_path_factory):
    """A module of tests, and what became of each, without `test_` in front."""
    module = request.param
    functions = [*PASS[module].split(), *(pattern.split(r"\[")[0] for pattern in LEFT_OUT[module])]
    plugin = HDBSCAN if module.startswith("hdbscan") else SKLEARN
    wanted = rf"test_(?:{'|'.join(functions)})(?!\w)"
    found = suites.outcomes(tmp_path_factory.mktemp("suite"), module, plugin, wanted, SKLEARN_SEED="1",
                            SKLEARN_TESTS_GLOBAL_RANDOM_SEED="42", SKLEARN_RUN_FLOAT32_TESTS="1")
    return module, {name.removeprefix("test_"): outcome for name, outcome in found.items()}


def is_of(pattern, name):
    return re.match(rf"(?:{pattern})(?!\w)", name) is not None


def test_passes(suite):
    module, found = suite
    names = PASS[module].split()
    cases = {name: outcome for name, outcome in found.items()
             if name.split("[")[0] in names and not any(is_of(pattern, name) for pattern in LEFT_OUT[module])}
    assert len({name.split("[")[0] for name in cases}) > len(names) / 2  # other versions have other ones
    assert {name: outcome for name, outcome in cases.items() if outcome != "PASSED"} == {}


def test_what_is_left_out_fails(suite):
    """A reason that no longer holds goes."""
    module, found = suite
    for pattern in LEFT_OUT[module]:
        cases = [name for name in found if is_of(pattern, name)]
        assert not cases or any(found[name] == "FAILED" for name in cases), pattern
