# Of scripts/gpu-check: the device tests, an algorithm at a time, so that one that hangs leaves word of the others. Sourced.
# shellcheck shell=bash disable=SC2034,SC2154
run_tests() {
    local name label others='' words
    words=(env "ZWALK_TEST_POINTS=${ZWALK_TEST_POINTS:-$(scaled 200000)}" "$tests" --duration=true)
    for name in 'tree*,GPU walks*' 'kNN*,GPU visit*,GPU index*,GPU reductions*' 'FoF*' 'EMST*,GPU HDBSCAN*' 'DBSCAN*' 'density peaks*' 'radius*' \
        'pairs*' 'gravity*'; do
        label=${name//GPU /}
        stage "device tests: ${label//[*]/}" 60 40 "${words[@]}" "-tc=GPU $name"
        others+=",GPU $name"
    done
    may_be_empty=yes stage "device tests: all others" 30 40 "${words[@]}" "-tce=${others#,}"
    # Registers and spills, of what was compiled here.
    [ -z "$(find gpu-check/build -name '*.ptxas' -print -quit 2>/dev/null)" ] || [ "$bin" != "$PWD/gpu-check/build/bin" ] ||
        stage "kernels" 20 3 python3 tests/cuda/kernel_report.py gpu-check/build tests/cuda/kernel_limits.txt
}
