"""Loops of a kernel's machine code, and what one turn of each costs.

Branches that only a warp of diverged threads takes (BRA.DIV) are left out, and so are the subroutines behind them.
"""
import collections
import functools
import re

# Which pipe executes an instruction, by its opcode without modifiers; the first that fits.
PIPES = {
    "fma": r"F(ADD|MUL|FMA)(32I)?$",
    "imad": r"IMAD|HFMA2",  # the latter as a move
    "fp64": r"D(ADD|MUL|FMA|SETP)$",
    "xu": r"MUFU|POPC|FLO|BREV|I2F|F2I|F2F",
    "lds": r"LDS",
    "sts": r"STS|ATOMS",
    "ldg": r"LDG?$|LDGSTS",
    "stg": r"STG?$|ATOMG?|REDG?$",
    "local": r"LDL|STL",
    "warp": r"SHFL|VOTEU?|MATCH|REDUX|WARPSYNC|ENDCOLLECTIVE",
    "bar": r"BAR|MEMBAR|ERRBAR|CGAERRBAR|CCTL|DEPBAR",
    "flow": r"BRA|BRX|JMP|CALL|RET|EXIT|BSSY|BSYNC|BREAK|BMOV|YIELD|NANOSLEEP|ACQBULK|NOP",
    "uniform": r"U[A-Z]|R2UR|S2UR|LDC",
    "alu": r"",
}
# Cycles in which one of an SM's four schedulers issues such an instruction for a warp, from the table "throughput of
# native arithmetic instructions" of the CUDA programming guide: 32 divided by a quarter of the SM's lanes. Loads and
# stores of 32 bits go one warp per cycle and SM.
CYCLES = {
    "sm_80": {"fma": 2, "imad": 2, "alu": 2, "fp64": 4, "xu": 8, "lds": 4, "sts": 4, "ldg": 4, "stg": 4},
    "sm_90": {"fma": 1, "imad": 2, "alu": 2, "fp64": 2, "xu": 8, "lds": 4, "sts": 4, "ldg": 4, "stg": 4},
}


@functools.cache
def pipe(opcode):
    base = opcode.split(".")[0]
    return next(name for name, pattern in PIPES.items() if re.match(pattern, base))


def _successors(kernel):
    """Of every instruction that warps reach: those that may follow it."""
    after, todo = {}, [(0, {})]
    while todo:
        i, meeting = todo.pop()  # meeting: register of a barrier -> where threads that meet there go on
        if i in after or i >= kernel.own:
            continue
        one = kernel.code[i]
        base, target, following = one.opcode.split(".")[0], one.target(), [i + 1]
        always = not one.predicate and not re.match(r"!?U?P\d", one.operands)
        if base == "BSSY":
            meeting = {**meeting, one.operands.split(",")[0]: target}
        elif base == "BSYNC":  # where code was moved away, to meet is to jump back
            following = [meeting.get(one.operands, i + 1)]
        elif one.opcode.startswith("BRA.CONV"):
            following = [target]
        elif base in ("BRA", "CALL", "JMP") and not one.opcode.startswith("BRA.DIV"):
            # A call of what isn't a subroutine is a far jump.
            jump = [target] if target is not None and target < kernel.own else []
            following = jump + ([] if always and jump else following)
        elif base in ("EXIT", "RET") and always:
            following = []
        after[i] = following
        todo += [(j, meeting) for j in following]
    return {i: [j for j in following if j in after] for i, following in after.items()}


def _reached(start, after, without):
    """What can be reached from `start`, not through `without`."""
    seen, todo = {without}, [start]
    while todo:
        i = todo.pop()
        if i not in seen:
            seen.add(i)
            todo += after[i]
    return seen - {without}


def _natural_loops(after):
    """Head of a loop -> its instructions."""
    before = collections.defaultdict(list)
    for i, following in after.items():
        for j in following:
            before[j].append(i)
    bodies = collections.defaultdict(set)
    for head in sorted({j for i, following in after.items() for j in following if j <= i}):
        reached = _reached(0, after, head)
        for tail in before[head]:
            if tail not in reached:  # the head dominates the tail
                bodies[head] |= {head} | _reached(tail, before, head)
    return bodies


def _shortest_turn(head, body, after):
    """The instructions of the shortest way through a loop."""
    came, todo = {head: None}, collections.deque([head])
    while todo:
        i = todo.popleft()
        if head in after[i]:
            way = []
            while i is not None:
                way.append(i)
                i = came[i]
            return way
        for j in after[i]:
            if j in body and j not in came:
                came[j] = i
                todo.append(j)
    raise AssertionError("a loop without a turn")


def loops(kernel):
    """(shortest turn, all) of innermost loops, and of others that compute distances themselves, in the order of
    their code, as lists of opcodes. What is in a loop inside a loop is counted there."""
    after = _successors(kernel)
    bodies = _natural_loops(after)
    found = []
    for head, body in bodies.items():
        inside = [bodies[other] for other in bodies if other in body and other != head]
        shortest, own = ([kernel.code[i].opcode for i in sorted(part)]
                         for part in (_shortest_turn(head, body, after), body.difference(*inside)))
        # Roots have fused multiply-adds too, behind an approximation.
        distances = any(re.match("FFMA|DFMA", o) for o in own) and not any(o.startswith("MUFU") for o in own)
        if distances or not inside:
            found.append((shortest, own))
    return found


def per_pipe(opcodes):
    return collections.Counter(map(pipe, opcodes))


def cycles(opcodes, arch):
    """At least so many cycles of a scheduler does a warp take: of the busiest pipe, or to issue."""
    cost = CYCLES.get(arch, CYCLES["sm_90"])
    return max([len(opcodes)] + [n * cost.get(name, 1) for name, n in per_pipe(opcodes).items()])
