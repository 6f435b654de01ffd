"""Checks that includes never point upward: core < exec < zorder < tree < walk < algorithms < apps."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
floors = ["core", "exec", "zorder", "tree", "walk", "algorithms", "apps"]
algorithms = [p.name for p in (root / "algorithms").iterdir() if p.is_dir()]


def room(path):
    parts = pathlib.PurePath(path).parts
    for name in ("apps", "algorithms"):
        if parts[0] == name:
            return name
    if parts[0] == "framework":
        return parts[3] if parts[1] == "include" else parts[2]
    return None


wrong = []
files = 0
for path in sorted(p for d in ("framework", "algorithms", "apps") for p in (root / d).rglob("*")
                   if p.suffix in (".hpp", ".cpp", ".cuh", ".cu", ".in")):
    here = room(path.relative_to(root))
    files += 1
    for included in re.findall(r'#include "zwalk/([^/"]+)/', path.read_text()):
        there = "algorithms" if included in algorithms else included
        if floors.index(there) > floors.index(here):
            wrong.append(f"{path.relative_to(root)} ({here}) includes zwalk/{included}/...")
print("\n".join(wrong) or f"{files} files include nothing from above")
sys.exit(1 if wrong or files < 50 else 0)
