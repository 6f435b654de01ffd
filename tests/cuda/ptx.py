"""Compares the PTX of ptx.cu with what that file says of it.

usage: ptx.py SOURCE PTX...
"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1]).read_text()
ptx = "\n".join(pathlib.Path(file).read_text() for file in sys.argv[2:])
# Each kernel's text, without the names of kernels and parameters.
compiled = {part[:part.index("(")]: re.sub(r"%\w+|\[.*?\]", "", part[part.index("{"):])
            for part in ptx.split(".entry ")[1:]}
nowhere = re.search(r"// nowhere: (.*)", source)[1].split()
written = re.findall(r'((?:// \w+: .*\n)+)extern "C" __global__ void (\w+)\(', source)

wrong = [f"no PTX of {name}" for _, name in written if name not in compiled]
wrong += [f"nothing is said of {name}" for name in compiled if name not in {name for _, name in written}]
for name, text in compiled.items():
    wrong += [f"{name} has {word}" for word in nowhere if word in text]
for words, name in written:
    for kind, word in re.findall(r"// (has|lacks): (.*)", words):
        if (word in compiled.get(name, "")) != (kind == "has"):
            wrong.append(f"{name} {'lacks' if kind == 'has' else 'has'} {word}")
print("\n".join(wrong) or f"{len(written)} kernels are as they should be")
sys.exit(1 if wrong or not written else 0)
