"""How many machine instructions the warps of kernels execute, without a GPU.

usage: executed.py LINES KERNELS OBJECT...

The executor of PTX says how often each line of PTX was executed (ZWALK_PTX_LINES, tests/ptx/README.md), and ptxas which line
each machine instruction is made of, in objects that are compiled with -lineinfo. LINES is what the executor wrote, KERNELS a regular
expression of mangled names, OBJECT what the kernels are in. Prints all instructions, the fewest cycles that the busiest pipe of one scheduler
needs for them (loops.py), and instructions per pipe.

Machine instructions between two labels or branches are executed equally often. Some of them come from elsewhere, because the compiler
moved them; so the count of a block is the median over its instructions, and at most what reaches the block by its ways in. What a
warp of diverged threads takes is left out.
"""
import collections
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

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


def main():
    lines, kernels, *objects = sys.argv[1:]
    times = collections.defaultdict(collections.Counter)
    for row in pathlib.Path(lines).read_text().splitlines():
        often, line, name = row.split()
        if re.search(kernels, name):
            times[name][int(line)] += int(often)
    code = {}
    for file in objects:
        code |= disassemble(file)
    if missing := sorted(times.keys() - code.keys()):
        sys.exit("in no object: " + " ".join(missing))
    if not any(line for name in times for block in code[name] for _, line in block.code):
        sys.exit("the objects are compiled without -lineinfo, or no kernel ran")
    pipes = collections.Counter()
    for name, of_lines in times.items():
        for block, count in executed(code[name], of_lines):
            for opcode, _ in block.code:
                pipes[loops.pipe(opcode)] += count
    cycles = loops.CYCLES["sm_90"]
    busiest = max(count * cycles.get(name, 1) for name, count in pipes.items())
    print(sum(pipes.values()), busiest, " ".join(f"{count}*{name}" for name, count in pipes.most_common()))


if __name__ == "__main__":
    main()
