"""scripts/gpu-pack and scripts/gpu-check with stand-ins for a GPU, its tools and our programs: what is packed and refused, that it
unpacks, which stages run in which order, what their ends mean, and the table. Builds nothing, needs no GPU."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

SKIPPED = 77
root = pathlib.Path(__file__).resolve().parents[2]
for tool in ("git", "xz", "tar", "timeout", "ldd"):
    if not shutil.which(tool):
        print(f"skipped: no {tool}")
        sys.exit(SKIPPED)
folder = tempfile.TemporaryDirectory()
here = pathlib.Path(folder.name) / "repository"
made, tools = here.parent / "made", here.parent / "tools"
failures = 0


def check(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/usr/bin/env bash\n" + text)
    path.chmod(0o755)


def call(*words, **settings):
    # No toolkit that is installed here, and no pack's neighbours.
    env = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "CUDA_HOME": str(here.parent / "none")} | settings
    for name in ("ZWALK_GPU_CHECK_SECONDS", "LD_LIBRARY_PATH"):
        if name not in settings:
            env.pop(name, None)
    return subprocess.run([str(w) for w in words], cwd=here, env=env, capture_output=True, text=True, timeout=120)


def gpu_check(*words, **settings):
    """Its exit status and report, and the files that it has left."""
    results = here.parent / "results"
    shutil.rmtree(results, ignore_errors=True)
    done = call("scripts/gpu-check", *words, results / "r.md", **settings)
    if not (results / "r.md").exists():
        return done.returncode, done.stdout + done.stderr, []
    return done.returncode, (results / "r.md").read_text(), sorted(p.name for p in results.iterdir())


def git(*words):
    identity = ("-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *words], cwd=here, check=True, capture_output=True)


# A repository with the scripts as they are, and stand-ins for the rest.
for name in ("gpu-check", "gpu-pack", "gpu-check.d", "same-on-ranks"):
    copy = shutil.copytree if (root / "scripts" / name).is_dir() else shutil.copy2
    (here / "scripts").mkdir(parents=True, exist_ok=True)
    copy(root / "scripts" / name, here / "scripts" / name)
shutil.copy2(root / ".gitignore", here)
(here / "bench").mkdir()
(here / "bench" / "gpu_peers.py").write_text("""import sys
print("FAILED peer cupy kdtree: not there")
print("best peer jztree knn self z points=1000000 k=16 seconds=0.01000")
try:
    import a_peer
    print("best peer packed points=1000 seconds=1.00000")
except ImportError:
    pass
""")
git("init", "-q")
git("add", "-A")
git("commit", "-qm", "first")

own_library = '[ -e "${LD_LIBRARY_PATH%%:*}/libtbb.so.12" ] || exit 5\n'
sized = '[ -z "${ZWALK_TEST_POINTS:-}" ] && exit 6; echo "$ZWALK_TEST_POINTS points"\n'
ends = '[[ -z ${FAILING:-} || "$*" != *$FAILING* ]] || exit 3\n[[ -z ${HANGING:-} || "$*" != *$HANGING* ]] || sleep 30\n'
programs = {
    "bench_cuda": own_library + """
mode=$1; shift
echo "run 0 of $mode $*"
for n; do
    [[ $n =~ ^[0-9]+$ ]] || break
    case $mode in self) what="knn self" ;; catalogue) what="fof catalogue" ;; *) what=$mode ;; esac
    echo "best $what uniform points=$n k=16 seconds=0.50000 walk=0.4 device_launches=39 device_waits=11"
done
""" + ends,
    "test_cuda": own_library + sized + 'echo "[doctest] test cases: 1 | 1 passed"\n' + ends,
    "bench_scaling": own_library + 'echo "best cpu $1 $3 points=$2 threads=1 seconds=1.00000"\n' + ends,
    "zwalk": own_library + """
while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done
case $out in *.npy) touch "$out" ;; *) mkdir "$out" && echo same >"$out/result" ;; esac
""",
}
for name, text in programs.items():
    program(made / "build" / "bin" / name, text)
(made / "lib").mkdir()
(made / "lib" / "libtbb.so.12").write_text("library")
program(made / "mpi" / "bin" / "mpirun", 'shift 4\nexec "$@"\n')
(made / "mpi" / "lib").mkdir()
program(tools / "nvidia-smi", """case "$*" in *compute_cap*) echo "${CAPABILITY:-9.0}" ;; *) echo "A GPU" ;; esac\n""")
program(tools / "compute-sanitizer", 'shift 4\nexec "$@"\n')
program(tools / "ncu", 'while [ $# -gt 0 ]; do [ "$1" = -o ] && touch "$2.ncu-rep"; shift; done; echo "Duration 1"\n')
program(tools / "ldd", '[ -z "${LACKING:-}" ] || echo "libtbb.so.12 => not found"\n')

# Packing: what is too large is refused, and leaves nothing.
pack = here / "gpu-pack"
large = here.parent / "large"
with large.open("wb") as file:
    file.truncate(56 << 20)
done = call("scripts/gpu-pack", "--from", made, "--no-peers", "--with", large)
check(done.returncode == 1 and "more than 56 MiB" in done.stderr, f"too large: {done}")
check(not pack.exists(), "a pack that is too large is gone")
with large.open("wb") as file:
    file.truncate(50 << 20)
done = call("scripts/gpu-pack", "--from", made, "--no-peers", "--with", large)
left = re.search(r"([\d.]+) of 64 MiB left", done.stdout)
check(done.returncode == 0 and left and 13.5 < float(left[1]) <= 14, f"packing: {done}")
check(sorted(p.name for p in pack.iterdir()) == ["about", "libraries.tar.gz", "programs.tar.xz"], "what is packed")
untracked = here / "large"  # travels, too
with untracked.open("wb") as file:
    file.truncate(57 << 20)
check(call("scripts/gpu-pack", "--from", made, "--no-peers").returncode == 1, "a large file in the tree is counted")
untracked.unlink()
check(call("scripts/gpu-pack", "--from", here.parent / "none", "--no-peers").returncode == 1, "no programs, no pack")
check(not pack.exists(), "nothing half is left")
check(call("scripts/gpu-pack", "--from", made, "--no-peers").returncode == 0, "packing")

# All parts, in order, from the pack.
status, report, files = gpu_check("--part", "1")
stages = [line[2:].split(":")[0] for line in report.partition("\n## Stages")[2].splitlines() if line.startswith("- ")]
check(status == 0 and "nothing failed" in report, f"part 1: {status}\n{report[-3000:]}")
check(stages[:1] == ["smoke run"] and stages[1:11] == ["device tests"] * 10 and stages[11:12] and stages[11].startswith("kNN of 1e8"), f"order: {stages}")
check("NOTE" not in report and "packed programs of" in report, "the pack is the tree's")
check("| knn self uniform points=100000000 k=16 | 0.50000 | 200.0 | 39 | 11 | 0.585 s, jz-tree, A100 |" in report, "the table")
check("| fof catalogue uniform points=134217728 k=16 | 0.50000 | 268.4 | 39 | 11 |  |" in report, "no b, nothing published")
check(files == ["r.figures", "r.log", "r.md"], f"files of part 1: {files}")
check("\n200000 points" in report, "the sizes of tests")
for name in ("DBSCAN", "density peaks", "radius", "pairs", "gravity"):
    check(f"device tests: {name}: passed" in report, name)
status, report, files = gpu_check("--part", "2", "--points-scale", ".001")
order = [report.find(f"\n## {name}") for name in ("profile of the leaves of", "ranks: kNN:", "scaling of knn, 2000 ")]
check(status == 0 and min(order) > 0 and order == sorted(order), f"part 2: {status}, {order}\n{report[-3000:]}")
check("MPI in " in report and "3 ranks, cuda: result of 5 bytes" in report, "ranks run by the packed MPI")
check("a rehearsal" in report and "| measurement" not in report, "figures of CPUs are not in the table")
check(files == ["r.figures", "r.log", "r.md", "r.ncu-rep"], f"files of part 2: {files}")
status, report, files = gpu_check("--part", "3")
order = [report.find(f"\n## {name}: passed") for name in ("memcheck, plain memory", "memcheck", "synccheck", "racecheck: kNN", "racecheck: DBSCAN", "peers")]
check(status == 0 and min(order) > 0 and order == sorted(order), f"part 3: {status}, {order}\n{report[-3000:]}")
check("FAILED peer cupy" in report and "| peer jztree knn self z points=1000000 k=16 | 0.01000 | 100.0 |  |  |  |" in report, "peers")
check("\n3000 points" in report and "\n500 points" in report, "sanitizers have small cases")
check(len(files) <= 4, f"files of part 3: {files}")
if call("python3", "-m", "pip", "--version").returncode == 0:
    (pack / "wheels").mkdir()
    with zipfile.ZipFile(pack / "wheels" / "a_peer-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("a_peer.py", "")
        wheel.writestr("a_peer-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: a_peer\nVersion: 1\n")
        wheel.writestr("a_peer-1.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("a_peer-1.dist-info/RECORD", "a_peer.py,,\n")
    report = gpu_check("--only", "peers")[1]
    check("| peer packed points=1000 | 1.00000 |" in report, f"wheels that are packed are used\n{report}")

# What the stages' cases are called, in the tests as they are.
cases = [c for p in root.glob("tests/cuda/*.c*") for c in re.findall(r'TEST_CASE\(\s*"(GPU [^"]*)"', p.read_text())]
for name in ("tests", "sanitize"):
    text = (here / f"scripts/gpu-check.d/{name}.sh").read_text()
    asked = re.findall(r"(?:GPU )?\w[\w :]*\*", text.replace("GPU $algorithm: larger*", ""))
    if name == "sanitize":
        asked += [f"{a}: larger*" for a in re.search(r"for algorithm in ([\w ]*);", text)[1].split()]
    check(len(asked) > 8, f"names in {name}.sh: {asked}")
    for a in asked:
        start = "GPU " + a.removeprefix("GPU ").removesuffix("*")
        check(any(c.startswith(start) for c in cases), f"{name}.sh: no test case has the name {start}*")

# What ends mean.
status, report, _ = gpu_check("--only", "smoke,tests", FAILING="GPU EMST")
check(status == 1 and "EMST,HDBSCAN: FAILED (3)" in report and "device tests: gravity: passed" in report, f"failing: {report}")
check("something FAILED" in report, "it is said")
status, report, _ = gpu_check("--only", "smoke", HANGING="100000", ZWALK_GPU_CHECK_SECONDS="10")
check(status == 2 and re.search(r"CUT SHORT after \d+ s", report) and "not everything ran" in report, f"hanging: {status} {report}")
check("| knn self uniform points=100000 k=16 |" in report, "figures of one that is stopped are kept")
check(gpu_check("--only", "smoke", ZWALK_GPU_CHECK_SECONDS="4")[0] == 2, "what doesn't fit is left out")
status, report, _ = gpu_check("--only", "smoke", "--points-scale", ".001")
check("points=1000 " in report, f"scaled: {report}")
check(gpu_check("--only", "everything")[0] == 1 and gpu_check("--part", "4")[0] == 1, "no such group, no such part")

# What is refused.
status, report, _ = gpu_check("--only", "smoke", CAPABILITY="8.0")
check(status == 1 and "gpu-pack --arch 80" in report, f"another GPU: {report}")
status, report, _ = gpu_check("--only", "smoke", LACKING="1")
check(status == 1 and "bench_cuda: libtbb.so.12 => not found" in report, f"a library is missing: {report}")
git("commit", "-q", "--allow-empty", "-m", "second")
status, report, _ = gpu_check("--only", "smoke")
check(status == 0 and "NOTE: they are of" in report, f"another commit: {report}")
archive = pack / "programs.tar.xz"
before = hashlib.sha256(archive.read_bytes()).hexdigest()
archive.write_bytes(archive.read_bytes()[:-1] + b"x")
check(before in (pack / "about").read_text(), "the pack knows its sum")
shutil.rmtree(here / "gpu-check")
status, report, _ = gpu_check("--only", "smoke")
check(status == 1 and "damaged" in report, f"a damaged pack: {report}")
shutil.rmtree(pack)
status, report, _ = gpu_check("--only", "smoke")
check(status == 1 and ("no gpu-pack/" in report or "configure: FAILED" in report), f"nothing packed, so it builds: {report}")
program(tools / "nvidia-smi", "exit 9\n")
status, report, _ = gpu_check()
check(status == 1 and "There is no GPU" in report, f"no GPU: {report}")
print("failures:", failures)
sys.exit(1 if failures else 0)
