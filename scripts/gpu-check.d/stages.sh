# Of scripts/gpu-check: stages, each under its time limit, and what is said of them. Sourced.
# shellcheck shell=bash disable=SC2034,SC2154

say() { printf '%s\n' "$@" | tee -a "$results"; }
refuse() { # WHY
    say "" "$@"
    exit 1
}
have() { command -v "$1" >/dev/null; }
not_run() { # NAME REASON
    say "" "## $1: LEFT OUT, $2"
    stages+=("$1: LEFT OUT, $2")
    left_out=1
}

# Numbers of points as they are to be: each times $points_scale, but not below 1000, and never more than it was.
scaled() {
    awk -v by="$points_scale" 'BEGIN {
        for (i = 1; i < ARGC; ++i) {
            n = ARGV[i] * by
            if (n < 1000) n = 1000
            if (n > ARGV[i] + 0) n = ARGV[i]
            printf("%s%.0f", i == 1 ? "" : " ", n)
        }
    }' "$@"
}

# What a stage's end means. $status is timeout's; the log may know better than the exit status.
verdict_of() { # LOG
    if grep -q SKIPPED "$1"; then # no device, or a driver that is too old for the toolkit
        verdict="FAILED: SKIPPED, there is no device that this build can use" status=1
    elif [ "$status" = 0 ] && [ -z "${may_be_empty:-}" ] && grep -Eq 'test cases: +0 ' "$1"; then
        verdict="FAILED: no test case has such a name" status=1
    elif grep -Eq 'ERR_NVGPUCTRPERM|Failed to initialize the profiler' "$1"; then
        verdict="NOT POSSIBLE here, the profiler may not read the counters" status=0
    elif [ "$status" = 0 ]; then
        verdict=passed
    elif [ "$status" != 124 ] && [ "$status" != 137 ]; then
        verdict="FAILED ($status)"
    elif [ "$seconds" -lt "$asked" ]; then
        verdict="CUT SHORT after $seconds s, no time left" status=0 left_out=1
    elif [ -n "${may_be_slow:-}" ] && ! grep -Eq '^=+ (Invalid|Race|Barrier|Program hit|Error:)' "$1"; then
        verdict="CUT SHORT after $seconds s, without an error so far" status=0 left_out=1
    else
        verdict="STOPPED after $seconds s"
    fi
}

# stage NAME SECONDS LINES COMMAND...: runs it for at most so long. Of its output the results have the last LINES
# lines (of those that match $shown), or the last 60 unless it passes; the log has its begin and its end. Figures are in lines
# that begin with `best`, also those of a benchmark that is stopped later.
stage() {
    local name=$1 asked=$(($2 * patience)) lines=$3 begin=$SECONDS left=$((limit - SECONDS)) log status verdict seconds
    shift 3
    if [ "$left" -lt 5 ]; then
        not_run "$name" "no time left"
        return 1
    fi
    seconds=$((asked <= left ? asked : left))
    log=$(mktemp)
    timeout --kill-after=4 "$seconds" "$@" >"$log" 2>&1 </dev/null
    status=$?
    verdict_of "$log"
    [ "$status" = 0 ] || failed=1
    [ "$verdict" = passed ] || lines=60 shown=''
    stages+=("$name: $verdict, $((SECONDS - begin)) s")
    say "" "## $name: $verdict, $((SECONDS - begin)) s" '```'
    grep -E -- "${shown:-}" "$log" | tail -n "$lines" | cut -c 1-1000 | tee -a "$results"
    say '```'
    sed -n 's/^best //p' "$log" >>"$figures"
    # Of 80 stages, so that the log stays below 16 MB.
    { printf '\n== %s: %s\n' "$name" "$*"; head -c 100000 "$log"; tail -c +100001 "$log" | tail -c 50000; } >>"$full_log"
    rm -f "$log"
    return "$status"
}

# What others have published of a measurement, by the first words of its line of figures.
published() {
    case $1 in
    'knn self uniform points=100000000 k=16') echo '0.585 s, jz-tree, A100' ;;
    'knn separate uniform points=1000000 k=30') echo '0.014 s, jz-tree, A100' ;;
    'knn separate uniform points=10000000 k=30') echo '0.118 s, jz-tree, A100' ;;
    'fof catalogue uniform points=134217728 b=0.2') echo '1.24 s, jz-tree, A100' ;;
    'emst clustered points=37000000 min_samples=1') echo '0.5 s, ArborX, A100, of a simulation' ;;
    esac
}

# The last words: measurements in one table, stages with their outcome.
finish() {
    local line what key value points seconds rate launches waits
    if grep -qv '^cpu ' "$figures"; then
        say "" "## Best of each" "" "| measurement | seconds | million points/s | launches | waits | published |" \
            "|---|---:|---:|---:|---:|---|"
        while read -r line; do
            what=${line%% seconds=*}
            for key in points seconds device_launches device_waits; do
                value=" $line "
                [[ $value == *" $key="* ]] && value=${value#* "$key"=} value=${value%% *} || value=
                case $key in
                points) points=$value ;;
                seconds) seconds=$value ;;
                device_launches) launches=$value ;;
                device_waits) waits=$value ;;
                esac
            done
            rate=$(awk "BEGIN { printf \"%.1f\", ${points:-0} / ($seconds + 1e-9) / 1e6 }")
            say "| $what | $seconds | $rate | $launches | $waits | $(published "$what") |"
        done < <(grep -v '^cpu ' "$figures")
    fi
    say "" "## Stages" "" "${stages[@]/#/- }" ""
    say "$SECONDS s in all, $([ "$failed" = 0 ] && echo 'nothing failed' || echo 'something FAILED')$(
        [ "$left_out" = 0 ] || echo ', not everything ran')"
    [ "$failed" = 0 ] || exit 1
    exit $((left_out * 2))
}
