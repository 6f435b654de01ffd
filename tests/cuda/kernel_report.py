"""Prints what ptxas says of every kernel of a build, and checks it against limits.

usage: kernel_report.py BUILD LIMITS

BUILD holds *.ptxas files, which cmake/keep-ptxas-info writes beside objects. A line of LIMITS says
`REGISTERS SPILL STACK PATTERN`: a kernel whose name PATTERN (a regular expression) finds may have that many
registers, bytes of spill stores, and bytes of stack. REGISTERS is a number, or `A/B`: A for sm_8x, B for what is
newer. The first line that fits counts. `if` before it says that a build may have no such kernel. Exit status 1 if a
kernel has more, or fits no line; if a line is no kernel's; or if there are no kernels.
"""
import pathlib
import re
import sys

from kernels import objects, rows, short_names


class Limit:
    def __init__(self, line):
        self.line = line
        self.needed = not line.startswith("if ")
        registers, spill, stack, pattern = line.removeprefix("if ").split(None, 3)
        self.registers = [int(r) for r in registers.split("/")]
        self.memory = int(spill), int(stack)
        self.pattern = re.compile(pattern)
        self.used = False

    def of(self, arch):
        return self.registers[0 if arch.startswith("sm_8") else -1], *self.memory


def read(file, kernels):
    """Adds to kernels, by mangled name and architecture, what one file says."""
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


def main():
    build, limits_file = map(pathlib.Path, sys.argv[1:])
    limits = [Limit(line) for line in rows(limits_file)]
    kernels = {}
    for file in objects(build):
        if (said := file.with_name(file.name + ".ptxas")).exists():
            read(said, kernels)

    short = short_names(name for name, _ in kernels)
    failed = []
    print("registers spill stack  arch   kernel")
    for (mangled, arch), seen in sorted(kernels.items(), key=lambda kernel: (short[kernel[0][0]], kernel[0][1])):
        name = short[mangled][:150]
        own = seen.get("registers", 0), seen.get("spill", 0), seen.get("stack", 0)
        print(f"{own[0]:9} {own[1]:5} {own[2]:5}  {arch:6} {name}")
        limit = next((l for l in limits if l.pattern.search(name)), None)
        if limit is None:
            failed.append(f"no limit fits {name}")
            continue
        limit.used = True
        if any(a > b for a, b in zip(own, limit.of(arch))):
            failed.append(f"{arch}: more than {limit.of(arch)} (registers, spill, stack): {own} in {name}")
    failed += [f"no kernel's limit: {limit.line}" for limit in limits if limit.needed and not limit.used]
    print(f"{len(kernels)} kernels")
    print("\n".join(failed))
    return 1 if failed or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
