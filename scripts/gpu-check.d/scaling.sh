# Of scripts/gpu-check: how the CPU's algorithms use the cores. Sourced.
# shellcheck shell=bash disable=SC2034,SC2154
run_scaling() {
    local algorithm kind points
    points=$(scaled "$scaling_points")
    for kind in uniform clustered; do
        for algorithm in knn emst fof hdbscan peaks; do
            stage "scaling of $algorithm, $points $kind points" 45 30 \
                "$scaling" "$algorithm" "$points" "$kind"
        done
    done
}
