# Of scripts/gpu-check: the leaf kernel in full, to be looked at elsewhere; all kernels of a walk in short. The clocks stay as they
# are. Sourced.
# shellcheck shell=bash disable=SC2034,SC2154
run_profile() {
    have ncu || { not_run profile "there is no ncu"; return; }
    local ncu=(ncu --clock-control none --kernel-name-base demangled) of='kNN of 1e7, k = 16'
    local work=("$bench" self "$(scaled 1e7)" -k 16 --repeats 0)
    local digest='CC [0-9]|Duration|Throughput|Registers Per|(Achieved|Theoretical) Occ|Ipc Active|Hit Rate|No Eligible'
    rm -f "$profile"
    stage "profile of the leaves of $of" 60 5 "${ncu[@]}" --set full -c 1 -k 'regex:run_groups.*LeafKernel' \
        -f -o "${profile%.ncu-rep}" "${work[@]}"
    if [ -f "$profile" ]; then
        shown=$digest stage "profile of the leaves in short" 20 200 ncu --import "$profile" --page details
    fi
    shown=$digest stage "profile of all kernels of the walk of $of" 60 400 "${ncu[@]}" -c 40 \
        --section SpeedOfLight --section LaunchStats --section Occupancy -k regex:run_groups "${work[@]}"
    if [ -f "$profile" ] && [ "$(stat -c %s "$profile")" -gt 15000000 ]; then
        say "" "the profile has $(stat -c %s "$profile") bytes: not kept"
        rm "$profile"
    fi
}
