"""How many machine instructions the warps of kernels execute, without a GPU.

usage: executed.py LINES KERNELS OBJECT... [--points N]

The executor of PTX says how often each line of PTX was executed (ZWALK_PTX_LINES, tests/ptx/README.md), and ptxas which line
each machine instruction is made of, in objects that are compiled with -lineinfo. LINES is what the executor wrote, KERNELS a regular
expression of mangled names, OBJECT what the kernels are in. Prints all instructions, the fewest cycles that the busiest pipe of one scheduler
needs for them (loops.py), and instructions per pipe. With --points a table instead, a row for what kernels of one kind take for each of N points:
instructions, these cycles, the pipe (or `issue`, one instruction a cycle), and the bytes of global memory that all 32 lanes would ask for.

Machine instructions between two labels or branches are executed equally often. Some of them come from elsewhere, because the compiler
moved them; so the count of a block is the median over its instructions, and at most what reaches the block by its ways in. What a
warp of diverged threads takes is left out.
"""
import argparse
import collections
import functools
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import kernels
import loops
import sass

ENDS = "BRA", "BRX", "BSYNC", "CALL", "EXIT", "JMP", "RET"


class Block:
    """Instructions as (opcode, line of PTX or None); the labels before the first, and where the last one may go."""

    def __init__(self):
        self.labels, self.code, self.target, self.falls_through, self.meeting = [], [], None, True, None


def blocks(text):
    """Mangled name -> blocks, of what nvdisasm prints."""
    found, line, own = {}, None, None
    for row in text.splitlines():
        if name := re.match(r"\.text\.(\S+):", row):
            own, line = found.setdefault(name[1], [Block()]), None
        elif own is None:
            continue
        elif said := re.search(r'nv_debug_ptx_txt[^"]*", line (\d+)', row):
            line = int(said[1])
        elif label := re.match(r"\s*(\.L_\w+):", row):
            if own[-1].code:
                own.append(Block())
            own[-1].labels.append(label[1])
        elif one := re.match(r"\s*/\*[0-9a-f]+\*/\s+(@!?U?P\d\s+)?([A-Z][\w.]*)(.*)", row):
            block, (guard, opcode, operands) = own[-1], one.groups()
            block.code.append((opcode, line))
            base, target = opcode.split(".")[0], re.search(r"\.L_\w+", operands)
            sometimes = bool(guard) or bool(re.match(r"\s*!?U?P\d", operands)) or opcode.startswith("BRA.DIV")
            if base == "BSSY":
                block.meeting = target and target[0]
            if base in ENDS:
                block.falls_through = sometimes or base == "CALL"
                if base in ("BRA", "JMP") and target and not opcode.startswith("BRA.DIV"):
                    block.target = target[0]
                own.append(Block())
    return {name: [b for b in own if b.code] for name, own in found.items()}


def executed(own, times):
    """(block, how often warps execute it); times: line of PTX -> how often."""
    diverged = (i for i, b in enumerate(own) if any(o.startswith("WARPSYNC.COLLECTIVE") for o, _ in b.code))
    own = own[:next(diverged, len(own))]
    counts = []
    for block in own:
        known = [times.get(line, 0) for _, line in block.code if line]
        counts.append(statistics.median_low(known) if known else 0)
    place = {label: i for i, block in enumerate(own) for label in block.labels}
    before = collections.defaultdict(set)
    meetings = {place.get(block.meeting) for block in own}  # reached from wherever threads wait for each other
    for i, block in enumerate(own):
        if block.target in place:
            before[place[block.target]].add(i)
        if block.falls_through:
            before[i + 1].add(i)
    for _ in range(6):  # bounds pass on from block to block
        for i in range(1, len(own)):
            if before[i] and i not in meetings:
                counts[i] = min(counts[i], sum(counts[j] for j in before[i]))
    return zip(own, counts)


@functools.cache
def disassemble(file):
    """Mangled name -> blocks, of an object."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sass.tool("cuobjdump"), "-xelf", "all", pathlib.Path(file).resolve()], cwd=folder,
                       capture_output=True, check=True)
        found = {}
        for cubin in sorted(pathlib.Path(folder).glob("*.cubin")):
            found |= blocks(subprocess.run([sass.tool("nvdisasm"), "-gp", "-c", "-ndf", cubin], capture_output=True,
                                           text=True, check=True).stdout)
    return found


def count(lines, pattern, objects):
    """Mangled name -> how often warps execute each opcode, of kernels whose names fit the expression."""
    times = collections.defaultdict(collections.Counter)
    for row in pathlib.Path(lines).read_text().splitlines():
        often, line, name = row.split()
        if re.search(pattern, name):
            times[name][int(line)] += int(often)
    code = {}  # of the object whose lines these are: others may have a kernel of that name, too
    for found in map(disassemble, objects):
        for name in found.keys() & times.keys():
            known = len({line for block in found[name] for _, line in block.code} & times[name].keys())
            if known > code.get(name, (-1,))[0]:
                code[name] = known, found[name]
    if missing := sorted(times.keys() - code.keys()):
        sys.exit("in no object: " + " ".join(missing))
    if not any(known for known, _ in code.values()):
        sys.exit("the objects are compiled without -lineinfo, or no kernel ran")
    counts = {name: collections.Counter() for name in times}
    for name, of_lines in times.items():
        for block, often in executed(code[name][1], of_lines):
            for opcode, _ in block.code:
                counts[name][opcode] += often
    return counts


def busiest(opcodes):
    """Instructions by pipe, and (cycles, name) of the pipe that takes longest."""
    pipes = collections.Counter()
    for opcode, often in opcodes.items():
        pipes[loops.pipe(opcode)] += often
    cycles = loops.CYCLES["sm_90"]
    return pipes, max((often * cycles.get(name, 1), name) for name, often in pipes.items())


def asked(opcodes):
    """Bytes of global memory that warps without a resting lane would read and write."""
    widths = {"64": 8, "128": 16, "U8": 1, "S8": 1, "U16": 2, "S16": 2}
    return sum(32 * often * next((widths[word] for word in opcode.split(".") if word in widths), 4)
               for opcode, often in opcodes.items() if loops.pipe(opcode) in ("ldg", "stg"))


def kinds(counts):
    """The same for kernels of one kind: run_groups<LeafKernel<...> > is a LeafKernel, and so for the other ways to launch."""
    found = collections.defaultdict(collections.Counter)
    for mangled, short in kernels.short_names(counts).items():
        name = re.match(r"run_\w+<(\w+)|(?:\w+::)*(\w+)", short)
        found[name[1] or f"{name[2]} of CUB"].update(counts[mangled])
    return found


def table(counts, points):
    """Rows of what kernels of one kind take for each point, the dearest first; those below half a percent in one."""
    rows = kinds(counts)
    everything = sum(opcodes.total() for opcodes in rows.values())
    few = [kind for kind, opcodes in rows.items() if opcodes.total() < everything / 200]
    rows[f"{len(few)} others"] = sum((rows.pop(kind) for kind in few), collections.Counter())
    rows["all"] = sum(rows.values(), collections.Counter())
    yield "| kernels | instructions | share | cycles | bound by | bytes |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for kind, opcodes in sorted(rows.items(), key=lambda one: -one[1].total()):
        total, (cycles, name) = opcodes.total(), busiest(opcodes)[1]
        most, bound = max((total, "issue"), (cycles, name))
        yield (f"| {kind} | {total / points:.1f} | {total / everything:.0%} | {most / points:.1f} | {bound} "
               f"| {asked(opcodes) / points:.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lines")
    parser.add_argument("kernels")
    parser.add_argument("objects", nargs="+")
    parser.add_argument("--points", type=float)
    words = parser.parse_args()
    counts = count(words.lines, words.kernels, words.objects)
    if words.points:
        print("\n".join(table(counts, words.points)))
        return
    pipes, (cycles, _) = busiest(sum(counts.values(), collections.Counter()))
    print(pipes.total(), cycles, " ".join(f"{often}*{name}" for name, often in pipes.most_common()))


if __name__ == "__main__":
    main()
