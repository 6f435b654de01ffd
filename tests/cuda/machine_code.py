"""Reads the machine code of the kernels of a build: checks it against rules, and what a turn of their inner
loops costs against figures under version control. Needs cuobjdump and nvdisasm (scripts/setup-packages), no GPU.

usage: machine_code.py BUILD RULES [LOOPS [--update]]

Lines of RULES; K and X are regular expressions, found in a kernel's name as kernel_report.py prints it:

  has INSTRUCTION K            each kernel K has an instruction, or calls a function, whose name the expression
  lacks INSTRUCTION K [but X]  INSTRUCTION fits from its beginning; no kernel K, but those that are X, has one
  loops K                      their inner loops are in LOOPS

LOOPS is written by --update. Without, a figure that is more than a tenth off is an error, if kernels are by the
compiler that LOOPS is of. Exit status 1 if a rule is broken, or no kernel is meant by it; 77 without the tools.
"""
import collections
import pathlib
import re
import sys

import kernels
import loops
import sass

SKIPPED = 77
COLUMNS = [name for name in loops.PIPES if name != "local"]  # which kernels don't have


class Rule:
    def __init__(self, line):
        self.line = line
        self.kind, rest = line.split(None, 1)
        self.instruction = None
        if self.kind in ("has", "lacks"):
            self.instruction, rest = rest.split(None, 1)
        elif self.kind != "loops":
            raise ValueError(f"no rule: {line}")
        self.kernels, _, self.others = rest.strip().partition(" but ")

    def means(self, name):
        return bool(re.search(self.kernels, name)) and not (self.others and re.search(self.others, name))

    def breaks(self, kernel):
        """What is wrong with a kernel that the rule means; empty if nothing is."""
        if self.kind == "loops":
            return ""
        found = [name for name in kernel.names if re.match(self.instruction, name)]
        if self.kind == "has":
            return "" if found else f"has no {self.instruction}"
        return f"has {' '.join(found)}" if found else ""


def check(found, rules):
    """Sentences on what is broken."""
    wrong = []
    if bad := {kernel.ptxas_options for kernel in found if "-fmad false" not in kernel.ptxas_options}:
        wrong.append(f"ptxas may contract a * b + c: it ran with {bad}")
    for rule in rules:
        meant = [kernel for kernel in found if rule.means(kernel.name)]
        if not meant:
            wrong.append(f"no kernel is meant by: {rule.line}")
        wrong += [f"{kernel.arch} {kernel.name} {what}, against: {rule.line}"
                  for kernel in meant if (what := rule.breaks(kernel))]
    return wrong


def figures(kernel):
    """(loop, turn, numbers by column, accesses to memory) of a kernel's inner loops. Loops in a row that are alike
    are one: `3-7` are the third to the seventh."""
    rows = []
    for number, turns in enumerate(loops.loops(kernel), 1):
        row = []
        for opcodes in turns[:1] if len(turns[0]) == len(turns[1]) else turns:
            count = loops.per_pipe(opcodes)
            memory = collections.Counter(o for o in opcodes if loops.pipe(o) in ("lds", "sts", "ldg", "stg"))
            row.append(([len(opcodes), loops.cycles(opcodes, kernel.arch)] + [count[name] for name in COLUMNS],
                        " ".join(f"{n}*{name}" for name, n in sorted(memory.items()))))
        if rows and rows[-1][1] == row:
            rows[-1][0][1] = number
        else:
            rows.append([[number, number], row])
    for (first, last), row in rows:
        for turn, (numbers, memory) in zip(("shortest", "all") if len(row) == 2 else ("all",), row):
            yield f"{first}-{last}" if last > first else str(first), turn, numbers, memory


def report(found, compiler):
    """The text of LOOPS."""
    head = f"  {'arch':6} {'loop':5} {'turn':8}" + "".join(f"{name:>8}" for name in ["instr", "cycles"] + COLUMNS)
    lines = ["# One turn of the inner loops of kernels, written by machine_code.py --update: instructions in all, the",
             "# fewest cycles that one of four schedulers needs for them (of the busiest pipe), and instructions per",
             "# pipe (loops.py has both). `all` is every instruction of the loop, `shortest` the fewest of one turn:",
             "# for leaves, of a source point that no lane wants. Where there is no `shortest`, the two are one.",
             f"nvcc {compiler}"]
    for name in dict.fromkeys(kernel.name for kernel in found):
        lines += ["", name, head]
        for kernel in found:
            if kernel.name == name:
                lines += [f"  {kernel.arch:6} {loop:5} {turn:8}" + "".join(f"{n or '.':>8}" for n in numbers) +
                          f"  {memory}".rstrip() for loop, turn, numbers, memory in figures(kernel)]
    return "\n".join(lines) + "\n"


def parse(text):
    """Compiler, and (kernel, arch, loop, turn) -> numbers, of the text of LOOPS."""
    compiler, name, rows = "", "", {}
    for line in text.splitlines():
        words = line.split()
        if line.startswith("nvcc "):
            compiler = words[1]
        elif line.startswith("  sm_"):
            rows[name, *words[:3]] = [0 if w == "." else int(w) for w in words[3:5 + len(COLUMNS)]]
        elif line and line[0] not in "# ":
            name = line
    return compiler, rows


def compare(text, committed):
    """Sentences on what has other figures now than in the committed text."""
    (compiler, now), (compiler_then, then) = parse(text), parse(committed)
    if compiler != compiler_then:
        print(f"inner loops not compared: {compiler_then} compiled those of the file, {compiler} these")
        return []
    architectures = {arch for _, arch, _, _ in now}
    wrong = []
    for key in dict.fromkeys([*now, *then]):
        if key[1] not in architectures:
            continue
        if key not in now or key not in then:
            wrong.append(f"{' '.join(key)}: {'gone' if key in then else 'not in the file'}")
            continue
        wrong += [f"{' '.join(key)}: {b} {name} instead of {a}"
                  for name, a, b in zip(["instr", "cycles"] + COLUMNS, then[key], now[key])
                  if abs(a - b) > max(a / 10, 1)]
    return wrong and wrong + ["cmake --build BUILD --target update_inner_loops writes the figures as they are now"]


def main():
    build, rules_file, *rest = sys.argv[1:]
    if not sass.tool("cuobjdump") or not sass.tool("nvdisasm"):
        print("skipped: no cuobjdump or no nvdisasm (pip install nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm)")
        return SKIPPED
    rules = [Rule(line) for line in kernels.rows(pathlib.Path(rules_file))]
    if not rest:
        rules = [rule for rule in rules if rule.kind != "loops"]
    found = sass.disassemble(pathlib.Path(build), lambda name: any(rule.means(name) for rule in rules))
    wrong = check(found, rules)
    if rest:
        file = pathlib.Path(rest[0])
        looped = [k for k in found if any(rule.kind == "loops" and rule.means(k.name) for rule in rules)]
        text = report(looped, " ".join(sorted({kernel.compiler for kernel in found})))
        if "--update" in rest:
            file.write_text(text)
        else:
            print(text)
            wrong += compare(text, file.read_text())
    print(f"{len(found)} kernels, {len(rules)} rules")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
