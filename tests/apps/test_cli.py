"""Drives the program from outside. Usage: test_cli.py PATH_OF_ZWALK [MAX_DIM]"""
import sys
import unittest

try:
    import numpy  # noqa: F401
except ImportError:
    print("SKIPPED: no numpy")
    sys.exit(0)

import cli_dbscan
import cli_described
import cli_emst
import cli_errors
import cli_files
import cli_fof
import cli_gravity
import cli_hdbscan
import cli_knn
import cli_memory
import cli_other
import cli_pairs
import cli_peaks
import cli_pieces
import cli_predict
import cli_radius
import cli_readme
import cli_sphere
import cli_trace

if __name__ == "__main__":
    load = unittest.defaultTestLoader.loadTestsFromModule
    suite = unittest.TestSuite(load(m) for m in (
        cli_dbscan, cli_described, cli_emst, cli_errors, cli_files, cli_fof, cli_gravity, cli_hdbscan, cli_knn, cli_memory,
        cli_other, cli_pairs, cli_peaks, cli_pieces, cli_predict, cli_radius, cli_readme, cli_sphere, cli_trace))
    result = unittest.TextTestRunner(stream=sys.stdout).run(suite)
    sys.exit(0 if result.wasSuccessful() else 1)
