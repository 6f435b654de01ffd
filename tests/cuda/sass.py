"""Machine code of compiled kernels, by NVIDIA's disassemblers (no GPU needed)."""
import collections
import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import kernels


@dataclasses.dataclass
class Instruction:
    opcode: str  # with its modifiers
    operands: str
    predicate: str  # "" if it is always executed

    def target(self):
        """The index of the instruction that a branch goes to; None if its operands don't say."""
        address = re.search(r"(?:^|,)0x([0-9a-f]+)$", self.operands)
        return int(address[1], 16) // 16 if address else None


@dataclasses.dataclass
class Kernel:
    name: str
    arch: str
    compiler: str
    ptxas_options: str
    code: list  # of its own instructions, then those of its subroutines
    own: int  # how many are its own
    called: set  # names of functions: the compiler's own have them too, slow paths of roots or of diverged votes

    @functools.cached_property
    def names(self):
        """Of instructions and functions, once each."""
        return sorted({instruction.opcode for instruction in self.code} | self.called)


def tool(name):
    """The path of a disassembler: of the package nvidia-cuda-NAME, else of a CUDA toolkit; None."""
    packaged = (path for folder in sys.path for path in pathlib.Path(folder).glob(f"nvidia/*/bin/{name}"))
    return next(map(str, packaged), None) or shutil.which(name)


def _output(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def _functions(cubin):
    """Of every section: its functions as (address, symbol index, mangled name), the kernel first."""
    sections = collections.defaultdict(list)
    line = r"^\s*(\d+):\s+([0-9a-f]+)\s.*\sFUNC\s.*\s(\d+)\s+(\S+)$"
    for index, address, section, name in re.findall(line, _output("readelf", "-sW", cubin), re.M):
        sections[section].append((int(address, 16), index, name))
    return [sorted(functions) for functions in sections.values()]


def _disassemble(cubin, names):
    wanted = {functions[0][2]: functions for functions in _functions(cubin) if functions[0][2] in names}
    if not wanted:
        return []
    # Without the tool's own analysis of data flow, which would take most of the time.
    indices = ",".join(functions[0][1] for functions in wanted.values())
    head, found = json.loads(_output(tool("nvdisasm"), "-json", "-ndf", "-fun", indices, cubin))
    note, version = head[".note.nv.tkinfo"], head["SM"]["version"]
    result = []
    for function in found:
        name = function["function-name"]
        if name not in wanted:
            continue
        code = [Instruction(i["opcode"], i.get("operands", ""), i.get("predicate", ""))
                for i in function["sass-instructions"]]
        own = min([address // 16 for address, _, _ in wanted[name][1:]] or [len(code)])
        called = {i.operands.rpartition("$")[2] for i in code
                  if i.opcode.startswith("CALL") and i.target() is None}
        result.append(Kernel(names[name], f"sm_{version['major']}{version['minor']}",
                             note["tki_toolVersion"].split()[-1], note["tki_toolOptions"], code, own, called))
    return result


def disassemble(build, wanted):
    """The kernels of a build whose short names `wanted` accepts, by name and architecture.

    One that several objects hold is taken once: the same source and flags give the same code."""
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def extract(at):
            number, file = at
            into = pathlib.Path(folder, str(number))
            into.mkdir()
            _output(tool("cuobjdump"), "-xelf", "all", file.resolve(), cwd=into)
            return sorted(into.glob("*.cubin"))

        cubins = [cubin for some in pool.map(extract, enumerate(kernels.objects(build))) for cubin in some]
        mangled = {functions[0][2] for some in pool.map(_functions, cubins) for functions in some}
        names = {name: short for name, short in kernels.short_names(mangled).items() if wanted(short)}
        found = [kernel for some in pool.map(lambda c: _disassemble(c, names), cubins) for kernel in some]
    return sorted({(kernel.name, kernel.arch): kernel for kernel in found}.values(),
                  key=lambda kernel: (kernel.name, kernel.arch))
