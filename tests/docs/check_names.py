"""Checks that no two types of one namespace have one name, in different files of one program.

A program with two such types has no meaning (the one-definition rule), and no compiler says so: each file is right by itself. Types in
unnamed namespaces are their file's own; those in none are users' in tests and examples, and not looked at.
"""
import collections
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
# Of the formatted code: what a namespace holds isn't indented, and its end has a comment.
opened = re.compile(r"(?:inline )?namespace ([\w:]*) ?\{")
a_line = re.compile(r".*namespace.*\{.*\}$")  # declares something else's, as a whole
closed = re.compile(r"(\}+) *// namespace")
# A definition, not a declaration, nor that of a member or of a special case: X {, X : Base {, X final, or the line is full.
defined = re.compile(r"(?:template <.*> ?)?(?:struct|class|union|enum|enum class) (?:alignas\(.*?\) |\[\[.*?\]\] )*(\w+)(?: final)?(?: \{.*| :(?!:).*|)$")


def types_of(path):
    """(namespace, name) of each type that is defined in a file, but in unnamed namespaces."""
    spaces = []
    for line in path.read_text().splitlines():
        if line.startswith(("namespace", "inline namespace")):
            spaces += [] if a_line.match(line) else opened.findall(line)
        elif end := closed.match(line):
            if len(end[1]) > len(spaces):
                sys.exit(f"{path}: more namespaces end than begin: has the code another form?")
            del spaces[len(spaces) - len(end[1]):]
        elif (found := defined.match(line)) and "" not in spaces:
            yield "::".join(space for space in spaces if space != "v0"), found[1]
    if spaces:
        sys.exit(f"{path}: {spaces} don't end: has the code another form?")


def main():
    files = subprocess.run(["git", "ls-files", "*.hpp", "*.cpp", "*.cu", "*.cuh"], cwd=root, check=True, capture_output=True,
                           text=True).stdout.split()
    where = collections.defaultdict(set)
    for file in files:
        if file.startswith(("framework/", "algorithms/", "apps/", "python/", "bench/", "tests/")) and (root / file).exists():
            for name in types_of(root / file):
                where[name].add(file)
    if len(where) < 500:
        sys.exit(f"only {len(where)} types found: has the code another form?")
    twice = {name: sorted(found) for name, found in where.items() if len(found) > 1 and name[0]}
    for (space, name), found in sorted(twice.items()):
        print(f"{space}::{name} is defined more than once: {', '.join(found)}")
    print(f"{len(where)} types")
    return len(twice) > 0


if __name__ == "__main__":
    sys.exit(main())
