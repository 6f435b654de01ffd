# Of scripts/gpu-check: compute-sanitizer on small cases of every algorithm; each tool would take minutes on all tests. Not initcheck,
# which reports what sorts of CUB read. Sourced.
# shellcheck shell=bash disable=SC2034,SC2154
run_sanitize() {
    local tool algorithm cases='GPU HDBSCAN: the clusters*,GPU tree*,GPU walks*,GPU visit*,GPU index*,GPU reductions*'
    for algorithm in kNN FoF EMST DBSCAN radius pairs gravity; do cases+=",GPU $algorithm: larger*"; done
    have compute-sanitizer || { not_run sanitizers "there is no compute-sanitizer"; return; }
    sanitize() { # NAME TOOL SETTING...
        local name=$1 tool=$2
        shift 2
        may_be_slow=yes stage "$name" 50 40 env "ZWALK_TEST_POINTS=$(scaled 3000)" "$@" compute-sanitizer --tool "$tool" \
            --error-exitcode 9 "$tests" --duration=true "-tc=$cases"
    }
    # In plain memory a buffer ends where its memory ends, and a pool's doesn't.
    sanitize "memcheck, plain memory" memcheck ZWALK_TEST_PLAIN_MEMORY=1
    for tool in memcheck synccheck racecheck; do sanitize "$tool" "$tool"; done
}
