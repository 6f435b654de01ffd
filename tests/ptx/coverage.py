"""Compares the kernels that ran, in all tests of compiled kernels together, with those of the program.

usage: coverage.py FOLDER NEVER_RUN

FOLDER has what runs wrote because of ZWALK_PTX_COVERAGE: lines `LAUNCHES INSTRUCTIONS KERNEL`, one for each kernel of
the program. A line of NEVER_RUN says `WHY PATTERN`: kernels whose names PATTERN (a regular expression) finds don't run,
for a reason in one word. Exit status 1 if a kernel never ran and fits no line; if one that fits a line ran; or if a line
is no kernel's. 77 if there are no runs.
"""
import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cuda"))
import kernels

SKIPPED = 77


def read(folder):
    """Launches and instructions of warps by kernel, added up over the files of a folder."""
    counts = collections.defaultdict(lambda: [0, 0])
    for file in sorted(folder.glob("*.txt")):
        for line in file.read_text().splitlines():
            launches, instructions, name = line.split()
            counts[name][0] += int(launches)
            counts[name][1] += int(instructions)
    return counts


def check(counts, lines):
    """Sentences on kernels that should have run, or shouldn't have. counts: by readable name."""
    wrong, fitting = [], set()
    for name, (launches, _) in sorted(counts.items()):
        found = [line for line in lines if re.search(line.split(None, 1)[1], name)]
        fitting.update(found)
        if launches and found:
            wrong.append(f"ran, against `{found[0]}`: {name}")
        elif not launches and not found:
            wrong.append(f"never ran: {name}")
    return wrong + [f"no kernel's line: {line}" for line in lines if line not in fitting]


def main():
    folder, never_run = map(pathlib.Path, sys.argv[1:])
    mangled = read(folder)
    if not mangled:
        print(f"skipped: no kernels ran, so {folder} is empty")
        return SKIPPED
    short = kernels.short_names(mangled)
    counts = collections.defaultdict(lambda: [0, 0])
    for name, (launches, instructions) in mangled.items():
        counts[short[name]][0] += launches
        counts[short[name]][1] += instructions
    wrong = check(counts, kernels.rows(never_run))
    ran = [name for name, (launches, _) in counts.items() if launches]
    print(f"{len(ran)} of {len(counts)} kernels ran, {sum(n for _, n in counts.values()):.3g} instructions of warps")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
