# Of scripts/gpu-check: where the programs come from. Both functions set `bin` and `mpi`, their folders (mpi may be empty). Sourced.
# shellcheck shell=bash disable=SC2034,SC2154
. scripts/gpu-check.d/build.sh

# Those of gpu-pack/. Unpacked once: later calls find them.
unpack() {
    local packed=gpu-check/packed about=gpu-pack/about of_pack arch_of_pack program missing
    of_pack=$(sed -n 's/^commit //p' "$about") arch_of_pack=$(sed -n 's/^arch //p' "$about")
    [ "$arch_of_pack" = "$arch" ] || refuse \
        "gpu-pack/ has programs for compute capability $arch_of_pack, and this GPU has $arch: scripts/gpu-pack --arch $arch"
    if ! cmp -s "$about" "$packed/about"; then
        (cd gpu-pack && sed -n 's/^sha256 //p' about | sha256sum -c --quiet) || refuse "gpu-pack/ is damaged."
        rm -rf "$packed"
        mkdir -p "$packed/bin"
        # Python knows xz, also where there is none.
        if ! python3 -m tarfile -e gpu-pack/programs.tar.xz "$packed/bin" ||
            ! tar xzf gpu-pack/libraries.tar.gz -C "$packed"; then
            refuse "gpu-pack/ can't be unpacked."
        fi
        chmod +x "$packed"/bin/*
    fi
    bin=$PWD/$packed/bin mpi=''
    if [ -x "$packed/mpi/bin/mpirun" ]; then # before another one: it is what the program was linked with
        mpi=$PWD/$packed/mpi/bin
        PATH=$mpi:$PATH
    fi
    export LD_LIBRARY_PATH="$PWD/$packed/lib:$PWD/$packed/mpi/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    missing=$(for program in "$bin"/*; do ldd "$program" 2>&1 | sed -n "s|.*not found.*|${program##*/}: &|p"; done)
    [ -z "$missing" ] || refuse "The packed programs lack libraries here:" "$missing"
    cp "$about" "$packed/about"
    say "- packed programs of $of_pack, $(sed -n 's/^nvcc //p' "$about"), $(sed -n 's/^compiler //p' "$about")"
    [ "$commit" = "no commit" ] || [ "$of_pack" = "$commit" ] || say "- NOTE: they are of $of_pack, the tree is of $commit"
}

# Those of the build folder. What can't be built doesn't keep the other ones from being there, and nothing older is in its place.
built() {
    local keep_going=-k folder program
    bin=$PWD/gpu-check/build/bin mpi=''
    for folder in "$(dirname "$(command -v mpicxx)" 2>/dev/null)" "$PWD/gpu-check/mpi/bin"; do
        [ -x "$folder/mpicxx" ] && [ -x "$folder/mpirun" ] && mpi=$folder && break
    done
    [ "$build_wanted" = yes ] || return 0
    have nvcc || refuse "There is no nvcc, neither on PATH nor in $toolkit/bin, and no gpu-pack/ (scripts/gpu-pack)."
    have cmake || refuse "There is no CMake, and no gpu-pack/ (scripts/gpu-pack)."
    say "- $(nvcc --version | grep release), $(cmake --version | head -1), $(c++ --version | head -1)"
    have ninja && keep_going=-k0
    configure_words "$arch" "$mpi"
    for program in "${programs[@]}"; do rm -f "$bin/$program"; done
    stage configure 60 6 "${configure[@]}" || finish
    stage build 330 6 cmake --build gpu-check/build -j "$(nproc)" --target "${targets[@]}" -- "$keep_going"
}
