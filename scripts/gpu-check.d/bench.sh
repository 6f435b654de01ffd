# Of scripts/gpu-check: figures, the most wanted first. Sourced.
# shellcheck shell=bash disable=SC2034,SC2154
run_bench() {
    # NAME SECONDS MODE POINTS,... [SETTING...]; one process for several sets, since each takes seconds to start
    measure() {
        local name=$1 seconds=$2 mode=$3 points
        IFS=, read -ra points <<<"$4"
        read -ra points <<<"$(scaled "${points[@]}")"
        shift 4
        shown='^(best|FAILED) ' stage "$name" "$seconds" 60 "$bench" "$mode" "${points[@]}" "$@"
    }
    local batches
    read -ra batches <<<"$(scaled 1 1e3 1e4 1e5 3e5 5e5 1e6 2e6)"
    measure "kNN of 1e8, 1e7 and 1e6 among themselves, k = 16" 60 self 1e8,1e7,1e6 -k 16
    measure "kNN of clustered points, k = 16" 30 self 1e7,1e6 -k 16 --kind clustered
    measure "friends-of-friends of 512^3, b = 0.2 of the mean spacing" 40 fof 134217728,1e7,1e6
    measure "friends-of-friends with order and catalogue" 40 catalogue 134217728 --repeats 1
    measure "spanning trees of 37e6 clustered points" 60 emst 37e6 --kind clustered --min-samples 1 16 --repeats 2
    measure "launches and waits: all algorithms on 1e5 points" 40 all 1e5
    measure "kNN of separate queries, k = 30" 40 separate 1e7,1e6 -k 30
    measure "HDBSCAN" 40 hdbscan 1e6 --kind uniform clustered --repeats 1
    measure "DBSCAN" 40 dbscan 1e7 --kind uniform clustered
    measure "density peaks, k = 16" 40 peaks 1e7,1e6 -k 16 --kind uniform clustered
    measure "radius search, 14 and 65 neighbours each" 40 radius 1e7 --length 1.5 2.5
    measure "pair counts, 113 pairs each" 40 pairs 1e7,1e6
    measure "results of 1e8 to the host, k = 16" 60 host 1e8 -k 16 --repeats 1
    measure "sizes of leaves, kNN" 40 self 1e7 -k 16 --leaf-size 32 48 64 96
    measure "gravity" 40 gravity 1e6 --kind uniform clustered --accuracy 1e-3 1e-4
    measure "kNN of 1e6 among themselves, k = 64 and 128" 30 self 1e6 -k 64 128
    measure "friends-of-friends of clustered points" 30 fof 1e7,1e6 --kind clustered
    measure "periodic boxes: kNN" 30 self 1e7 -k 16 --kind uniform clustered --box
    measure "periodic boxes: friends-of-friends" 30 fof 1e7 --kind uniform clustered --box
    # What nearest/ways.hpp has by a rule: from how many queries on a walk is faster than a descent for each.
    measure "kNN of batches against an index of 1e6, descents and walks" 40 batch 1e6 -k 16 --queries "${batches[@]}"
    measure "kNN of batches against an index of 1e5, descents and walks" 30 batch 1e5 -k 16 --queries "${batches[@]:2:2}"
    measure "spanning trees of uniform points" 40 emst 1e7,1e6 --min-samples 1 2 16
    measure "friends-of-friends, labels in z-order" 30 fof 134217728,1e7 --order z
    measure "sizes of leaves, friends-of-friends" 30 fof 1e7 --leaf-size 32 48 64 96
    measure "kNN of batches against an index of 1e7, k = 64" 40 batch 1e7 -k 64 --queries "${batches[1]}" "${batches[3]}"
    measure "DBSCAN of 1e6" 40 dbscan 1e6 --kind uniform clustered
    measure "pair counts of clustered points" 40 pairs 1e7,1e6 --kind clustered
    # The longest ones.
    measure "gravity of 1e7" 40 gravity 1e7 --kind uniform clustered
    measure "HDBSCAN of 1e7" 60 hdbscan 1e7 --kind uniform clustered --repeats 1
}
