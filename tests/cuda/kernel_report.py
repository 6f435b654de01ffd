"""Prints what ptxas says of every kernel of a build, and checks it against limits.

usage: kernel_report.py BUILD LIMITS

BUILD holds *.ptxas files, which cmake/keep-ptxas-info writes beside objects. A line of LIMITS says
`REGISTERS SPILL STACK PATTERN`: a kernel whose name PATTERN (a regular expression) finds may have that many
registers, bytes of spill stores, and bytes of stack. The first line that fits counts. Exit status 1 if a
kernel has more, or fits no line; or if there are no kernels.
"""
import pathlib
import re
import subprocess
import sys

build, limits_file = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
limits = [(int(r), int(s), int(t), re.compile(p)) for r, s, t, p in
          (line.split(None, 3) for line in limits_file.read_text().splitlines()
           if line.strip() and not line.startswith("#"))]

kernels = {}
for file in sorted(build.rglob("*.ptxas")):
    if not file.with_suffix("").exists():
        continue  # of an object that is gone
    name = None
    for line in file.read_text().splitlines():
        if match := re.search(r"Compiling entry function '(\S+)' for '(\S+)'", line):
            name, seen = match.groups(), {}
            kernels[name] = seen
        elif re.search(r"Function properties for", line) and name and name[0] not in line:
            name = None  # a function that was not inlined
        elif name and (match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores", line)):
            seen["stack"], seen["spill"] = int(match[1]), int(match[2])
        elif name and (match := re.search(r"Used (\d+) registers", line)):
            seen["registers"] = int(match[1])

plain = subprocess.run(["c++filt"], input="\n".join(n for n, _ in kernels), text=True,
                       capture_output=True, check=True).stdout.splitlines()
failed = []
print("registers spill stack  arch   kernel")
for (mangled, arch), name in sorted(zip(kernels, plain), key=lambda x: x[1]):
    seen = kernels[mangled, arch]
    short = re.sub(r"zwalk::v0::|detail::|CUB_\w+::|THRUST_\w+::|^void ", "", name)
    short = re.sub(r"\(.*", "", short)[:150]
    own = seen.get("registers", 0), seen.get("spill", 0), seen.get("stack", 0)
    print(f"{own[0]:9} {own[1]:5} {own[2]:5}  {arch:6} {short}")
    limit = next((l for l in limits if l[3].search(short)), None)
    if limit is None:
        failed.append(f"no limit fits {short}")
    elif any(a > b for a, b in zip(own, limit)):
        failed.append(f"more than {limit[:3]} (registers, spill, stack): {own} in {short}")
print(f"{len(kernels)} kernels")
print("\n".join(failed))
sys.exit(1 if failed or not kernels else 0)
