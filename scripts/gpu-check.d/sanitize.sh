# Of scripts/gpu-check: compute-sanitizer on small cases of every algorithm; each tool would take minutes on all tests. Not initcheck,
# which reports what sorts of CUB read. Sourced.
# shellcheck shell=bash disable=SC2034,SC2154
run_sanitize() {
    local tool algorithm cases='GPU HDBSCAN: the clusters*,GPU tree*,GPU walks*,GPU visit*,GPU index*,GPU reductions*' left=50 begin
    for algorithm in kNN FoF EMST DBSCAN radius pairs gravity; do cases+=",GPU $algorithm: larger*"; done
    have compute-sanitizer || { not_run sanitizers "there is no compute-sanitizer"; return; }
    sanitize() { # NAME SECONDS POINTS CASES TOOL SETTING...
        local name=$1 seconds=$2 points=$3 cases=$4 tool=$5
        shift 5
        may_be_slow=yes stage "$name" "$seconds" 40 env "ZWALK_TEST_POINTS=$(scaled "$points")" "$@" compute-sanitizer --tool "$tool" \
            --error-exitcode 9 "$tests" --duration=true "-tc=$cases"
    }
    # In plain memory a buffer ends where its memory ends, and a pool's doesn't.
    sanitize "memcheck, plain memory" 50 3000 "$cases" memcheck ZWALK_TEST_PLAIN_MEMORY=1
    for tool in memcheck synccheck; do sanitize "$tool" 50 3000 "$cases" "$tool"; done
    # A hundred times as slow, so of few points: what comes first, in less than a minute altogether.
    for algorithm in kNN FoF EMST radius pairs DBSCAN; do
        begin=$SECONDS
        sanitize "racecheck: $algorithm" "$left" 500 "GPU $algorithm: larger*" racecheck
        left=$((left - (SECONDS - begin) / patience))
        [ "$left" -ge 5 ] || break
    done
}
