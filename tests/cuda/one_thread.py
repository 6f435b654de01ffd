"""Runs the PTX of a kernel as one thread would, on memory of this process: arithmetic, comparisons, branches, loads and
stores. An instruction that isn't known is an error that names it.
"""
import operator
import re
import struct

FORMATS = {"u8": "B", "s8": "b", "u16": "H", "s16": "h", "u32": "I", "s32": "i", "b32": "I", "u64": "Q", "s64": "q",
           "b64": "Q", "f32": "f", "f64": "d"}
COMPARE = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
           "ge": operator.ge}


def typed(value, kind):
    """A value as a register of this type holds it."""
    if kind == "pred":
        return bool(value)
    if kind in ("f32", "f64"):
        return struct.unpack(FORMATS[kind], struct.pack(FORMATS[kind], value))[0]
    bits = int(kind[1:])
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind[0] == "s" and value >> (bits - 1) else value


def compared(name, a, b):
    """By setp.NAME; those that end in u are also true for what isn't a number."""
    unordered = a != a or b != b
    if name in COMPARE:
        return COMPARE[name](a, b) and not unordered
    return unordered or COMPARE[name[:-1]](a, b)


class Thread:
    def __init__(self, text):
        """text: of the kernel, from its name to the brace behind it."""
        self.parameters = re.findall(r"\.param\s+[^,)]*?(\w+)\s*[,)]", text[:text.index("{")])
        self.code, self.labels = [], {}
        for statement in re.split(r"[;\n]", re.sub(r"//.*", "", text[text.index("{"):])):
            statement = statement.strip(" \t{}")
            if label := re.fullmatch(r"(\$\w+):", statement):
                self.labels[label[1]] = len(self.code)
            elif statement and not statement.startswith("."):
                guard, name, operands = re.fullmatch(r"(?:@(!?%\w+)\s+)?(\S+)\s*(.*)", statement).groups()
                self.code.append((guard, name.split("."), re.findall(r"\[[^]]*\]|[^,\s]+", operands)))

    def value(self, operand, kind):
        if operand.startswith("%"):
            found = self.registers[operand]
            return typed(found, kind) if kind[0] in "su" else found
        if operand[:2] in ("0d", "0f"):
            form = (">d", 16) if operand[1] == "d" else (">f", 8)
            return struct.unpack(form[0], bytes.fromhex(operand[2:].zfill(form[1])))[0]
        return typed(int(operand, 0), kind)

    def address(self, operand):
        base, _, offset = operand.strip("[]").partition("+")
        return (self.registers[base] if base.startswith("%") else base), int(offset or 0)

    def run(self, memory, arguments):
        """Parameters are `arguments` in their order: numbers, addresses in `memory` (a bytearray) among them."""
        self.registers, self.memory = {}, memory
        self.arguments = dict(zip(self.parameters, arguments, strict=True))
        at = 0
        while at < len(self.code):
            guard, name, operands = self.code[at]
            at += 1
            if guard and self.registers[guard.lstrip("!")] == guard.startswith("!"):
                continue
            if name[0] == "bra":
                at = self.labels[operands[0]]
            elif name[0] == "ret":
                return
            else:
                self.execute(name, operands)

    def execute(self, name, operands):
        kind, to = name[-1], operands[0]
        a = [self.value(x, kind) for x in operands[1:3]] if name[0] in ("add", "sub", "min", "max", "and", "or",
                                                                        "xor") else []
        match name[0]:
            case "mov":
                result = self.value(operands[1], kind)
            case "cvta":
                result = self.value(operands[-1], "u64")
            case "cvt":
                result = self.value(operands[1], kind)
                kind = name[1]
            case "add":
                result = operator.add(*a)
            case "sub":
                result = operator.sub(*a)
            case "min":
                result = min(a)
            case "max":
                result = max(a)
            case "and":
                result = operator.and_(*a)
            case "or":
                result = operator.or_(*a)
            case "xor":
                result = operator.xor(*a)
            case "not":
                result = not self.value(operands[1], kind) if kind == "pred" else ~self.value(operands[1], kind)
            case "shl":
                result = self.value(operands[1], kind) << self.value(operands[2], "u32")
            case "mul" if name[1] == "wide":
                result = self.value(operands[1], kind) * self.value(operands[2], kind)
                kind = kind[0] + str(2 * int(kind[1:]))
            case "setp" if len(name) == 3:
                result = compared(name[1], self.value(operands[1], kind), self.value(operands[2], kind))
                kind = "pred"
            case "selp":
                result = self.value(operands[1 if self.registers[operands[3]] else 2], kind)
            case "ld" if name[1] == "param":
                result = self.arguments[self.address(operands[1])[0]]
            case "ld":
                base, offset = self.address(operands[1])
                result = struct.unpack_from(FORMATS[kind], self.memory, base + offset)[0]
            case "st":
                base, offset = self.address(to)
                struct.pack_into(FORMATS[kind], self.memory, base + offset, self.value(operands[1], kind))
                return
            case _:
                raise NotImplementedError(f"{'.'.join(name)} {', '.join(operands)}: one_thread.py doesn't know it")
        self.registers[to] = typed(result, kind)
