"""Compares what two compilers of CUDA make of the library: two builds with PTX and -lineinfo (README.md).

usage: compare_toolkits.py BUILD_A BUILD_B [--tests]

Prints three tables of what differs: kernels whose registers, spilled bytes or stack do, or whose machine code by more than 3 %
(gone and new ones are counted); the warps' instructions in kernels of kNN, gravity and friends-of-friends, by more than 3 % of a
task's; and with --tests those tests of compiled kernels that fail in one of the two. Exit status 1 if tests fail in BUILD_B.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cuda"))
import executed
import kernel_report
import kernels
import sass

# By parts of the names that builds give them, file by file (cuda_nearest_3_float.cu) or together (cuda_nearest.cu).
OBJECTS = ("cuda_nearest.cu", "cuda_nearest_3_float", "cuda_friends", "cuda_gravity_of_order", "driver", "cuda_build", "cuda_preparation",
           "cuda_device")
TASKS = {f"kNN, k = {k}": ["count_knn_on_ptx", "uniform", "3000", str(k), "float"] for k in (8, 16, 30)} | {
    "gravity, order 4": ["count_gravity_on_ptx", "uniform", "3000", "4", "float"],
    "friends-of-friends": ["bench_cuda_on_ptx", "fof", "3000", "--repeats", "0"]}
TESTS = "^(ptx_|kernel_limits|machine_code|counted_radii|ptx$)"


def differs(a, b):
    return abs(a - b) > .03 * max(a, b)


def resources(build):
    """Short name -> (registers, spilled bytes, stack) of every kernel."""
    said = {}
    for file in kernels.objects(build):
        if (report := file.with_name(file.name + ".ptxas")).exists():
            kernel_report.read(report, said)
    short = kernels.short_names(name for name, _ in said)
    return {short[name]: tuple(seen.get(what, 0) for what in ("registers", "spill", "stack"))
            for (name, _), seen in said.items()}


def machine_code(build):
    """Mangled name -> instructions of every function, of 16 bytes each."""
    sizes = {}
    for file in kernels.objects(build):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sass.tool("cuobjdump"), "-xelf", "all", file.resolve()], cwd=folder, capture_output=True)
            for cubin in pathlib.Path(folder).glob("*.cubin"):
                said = subprocess.run(["readelf", "-sW", cubin], capture_output=True, text=True, check=True).stdout
                for size, name in re.findall(r"^\s*\d+:\s+[0-9a-f]+\s+(\w+)\s+FUNC\s.*\s(\S+)$", said, re.M):
                    sizes[name] = int(size, 0) // 16  # readelf writes large ones as 0x...
    return sizes


def compiled(a, b):
    """Rows of kernels that the compilers make differently."""
    of_a, of_b = resources(a), resources(b)
    both = sorted(of_a.keys() & of_b.keys())
    yield f"{len(both)} kernels in both, {len(of_a) - len(both)} only in A, {len(of_b) - len(both)} only in B."
    yield "\n| kernel | registers | spilled bytes | stack | machine code |"
    yield "| --- | --- | --- | --- | --- |"
    code_a, code_b = ({short: code[name] for name, short in kernels.short_names(code).items()}
                      for code in map(machine_code, (a, b)))
    for name in both:
        x, y = (*of_a[name], code_a[name]), (*of_b[name], code_b[name])
        if x[:3] != y[:3] or differs(x[3], y[3]):
            yield f"| `{name}` | " + " | ".join(f"{was} → {now}" if was != now else f"{was}" for was, now in zip(x, y)) + " |"


def instructions(build, command):
    """Kind of kernel -> instructions that warps execute."""
    with tempfile.NamedTemporaryFile() as lines:
        subprocess.run([build / "bin" / command[0], *command[1:]], env=os.environ | {"ZWALK_PTX_LINES": lines.name}, check=True,
                       stdout=subprocess.DEVNULL)
        objects = [file for file in kernels.objects(build) if any(part in file.name for part in OBJECTS)]
        return {kind: opcodes.total() for kind, opcodes in executed.kinds(executed.count(lines.name, "", objects)).items()}


def executing(a, b):
    """Rows of kernels that take more instructions by one compiler."""
    yield "\n| task | kernels | instructions |"
    yield "| --- | --- | --- |"
    for task, command in TASKS.items():
        of_a, of_b = instructions(a, command), instructions(b, command)
        all_a, all_b = sum(of_a.values()), sum(of_b.values())
        yield f"| {task} | all | {all_a} → {all_b} ({all_b / all_a - 1:+.1%}) |"
        for kind in sorted(of_a.keys() | of_b.keys()):
            x, y = of_a.get(kind, 0), of_b.get(kind, 0)
            if differs(x, y) and abs(x - y) > .003 * all_a:
                yield f"| {task} | {kind} | {x} → {y} |"


def failed(build):
    """Names of tests that fail."""
    said = subprocess.run(["ctest", "-R", TESTS], cwd=build, capture_output=True, text=True).stdout
    return set(re.findall(r"- (\S+) \((?:Failed|Timeout|SEGFAULT|Not Run|Subprocess aborted)\)", said))


def main():
    a, b = map(pathlib.Path, sys.argv[1:3])
    for rows in compiled, executing:
        for row in rows(a, b):
            print(row, flush=True)
    if "--tests" not in sys.argv:
        return 0
    of_a, of_b = failed(a), failed(b)
    print(f"\nTests that fail in A: {' '.join(sorted(of_a)) or 'none'}; in B: {' '.join(sorted(of_b)) or 'none'}")
    return 1 if of_b else 0


if __name__ == "__main__":
    sys.exit(main())
