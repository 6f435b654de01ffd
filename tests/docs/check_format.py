"""Checks that all sources are laid out as .clang-format says; --fix lays them out.

Other versions of clang-format differ, so it is the one that scripts/setup-packages installs, or none."""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

VERSION = "14.0.6"
SKIPPED = 77

root = pathlib.Path(__file__).resolve().parents[2]
beside = pathlib.Path(sys.executable).with_name("clang-format")
program = str(beside) if beside.exists() else shutil.which("clang-format")
version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout if program else ""
if VERSION not in version:
    print(f"skipped: no clang-format {VERSION} (pip install clang-format=={VERSION})")
    sys.exit(SKIPPED)

folders = ("algorithms", "apps", "bench", "examples", "framework", "python", "tests")
files = sorted(str(p) for d in folders for p in (root / d).rglob("*")
               if p.suffix in (".hpp", ".cpp", ".cuh", ".cu"))
if "--fix" in sys.argv[1:]:
    sys.exit(subprocess.run([program, "-i", *files]).returncode)


def differs(path):  # --dry-run reports comments behind namespaces that it would leave as they are
    return subprocess.run([program, path], capture_output=True, check=True).stdout != \
        pathlib.Path(path).read_bytes()


with concurrent.futures.ThreadPoolExecutor() as pool:
    wrong = [path for path, other in zip(files, pool.map(differs, files)) if other]
for path in wrong:
    print(pathlib.Path(path).relative_to(root))
print("tests/docs/check_format.py --fix mends that" if wrong else f"{len(files)} files")
sys.exit(1 if wrong or len(files) < 100 else 0)
