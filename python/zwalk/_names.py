"""Names that are looked for, of functions and of arguments, and what is meant by them here."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

P = ParamSpec("P")
R = TypeVar("R")

FUNCTIONS = {"HDBSCAN": "sklearn.HDBSCAN", "DBSCAN": "sklearn.DBSCAN", "NearestNeighbors": "sklearn.NearestNeighbors",
             "approximate_predict": "sklearn.approximate_predict", "membership_vector": "sklearn.membership_vector", "kNN": "knn",
             "cKDTree": "KDTree", "emst": "minimum_spanning_tree", "friends_of_friends": "fof", "gravitation": "gravity",
             "nearest": "knn", "nearest_neighbors": "knn", "nearest_neighbours": "knn", "pair_counts": "pairs",
             "query_ball": "radius", "radius_search": "radius", "range_search": "radius", "predict": "HdbscanModel.predict", "fof_catalogue": "Groups.catalogue"}


def function_meant(name: str, public: Iterable[str]) -> str:
    """What follows the message on a function that there isn't; empty if nothing is like it."""
    import difflib

    near = FUNCTIONS.get(name) or next(iter(difflib.get_close_matches(name, public, 1)), "")
    return f" (did you mean zwalk.{near}?)" if near else ""


def also_named(**meant: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorates a function that has no arguments of these names: a TypeError says what is meant by them."""

    def decorate(f: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(f)
        def checked(*args: P.args, **options: P.kwargs) -> R:
            for name in options:
                if name in meant:
                    raise TypeError(f"{f.__name__}() has no argument {name!r}: did you mean {meant[name]}?")
            return f(*args, **options)

        return checked

    return decorate
