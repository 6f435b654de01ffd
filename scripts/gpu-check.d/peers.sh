# Of scripts/gpu-check: other programs on the same card, where they can be had: of gpu-pack/wheels, or installed. Sourced.
# shellcheck shell=bash disable=SC2034,SC2154
run_peers() {
    local wheels=(gpu-pack/wheels/*.whl) site=$PWD/gpu-check/site
    rm -rf "$site"
    install() { # one by one: what doesn't fit this Python leaves the others
        local wheel status=0
        for wheel in "$@"; do
            python3 -m pip install -q --disable-pip-version-check --no-index --no-deps --no-compile --target "$site" "$wheel" ||
                status=1
        done
        return $status
    }
    export -f install
    export site
    [ ! -e "${wheels[0]}" ] || stage "peers: wheels" 60 5 bash -c 'install "$@"' install "${wheels[@]}"
    shown='^(best|FAILED) ' stage peers 150 40 env "LD_LIBRARY_PATH=$outside_libraries" \
        "PYTHONPATH=$site${PYTHONPATH:+:$PYTHONPATH}" python3 bench/gpu_peers.py --points-scale "$points_scale"
}
