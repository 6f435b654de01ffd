# Of scripts/gpu-check: what ranks that share the GPU write is compared with one process, byte for byte. (Of gravity last bits
# differ.) Sourced.
# shellcheck shell=bash disable=SC2034,SC2154
run_ranks() {
    local points=gpu-check/points.npy others=gpu-check/others.npy same=(env "MPIRUN=$mpi/mpirun" scripts/same-on-ranks "$zwalk")
    [ -n "$mpi" ] || { not_run ranks "there is no MPI"; return; }
    stage "points for ranks" 20 3 "$zwalk" generate clustered "$(scaled 3e5)" 3 --seed 1 --force --quiet -o "$points" || return
    "$zwalk" generate uniform "$(scaled 1e5)" 3 --seed 2 --force --quiet -o "$others"
    stage "ranks: kNN" 60 12 "${same[@]}" knn "$points" -k 16
    stage "ranks: kNN of queries" 60 12 "${same[@]}" knn "$points" -k 40 --query "$others" --order z
    stage "ranks: friends-of-friends" 60 12 "${same[@]}" fof "$points" --linking-fraction 0.2
    stage "ranks: DBSCAN" 60 12 "${same[@]}" dbscan "$points" --epsilon 0.003 --min-samples 8
    stage "ranks: density peaks" 60 12 "${same[@]}" peaks "$points" -k 16
    stage "ranks: radius search" 60 12 "${same[@]}" radius "$points" --radius 0.002
    stage "ranks: pair counts" 60 12 "${same[@]}" pairs "$points" --bins 0.001,0.05,10,log --second "$others"
    stage "ranks: pair counts by rp and pi" 60 12 "${same[@]}" pairs "$points" --bins 0,0.02,10 --pi-max 0.02 --pi-bins 20
}
