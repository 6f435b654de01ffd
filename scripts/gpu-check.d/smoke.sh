# Of scripts/gpu-check: whether anything runs at all, in a few seconds. Sourced.
# shellcheck shell=bash disable=SC2034,SC2154
run_smoke() { stage "smoke run: kNN of 1e5, k = 16" 40 5 "$bench" self "$(scaled 1e5)" -k 16; }
