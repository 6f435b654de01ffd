"""Checks that no two types of one namespace have one name, in different files of one program.

A program with two such types has no meaning (the one-definition rule), and no compiler says so: each file is right by itself. Types in
unnamed namespaces are their file's own. What is compiled together here is framework and algorithms; and these with tests.
"""
import collections
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
# Of the formatted code: what a namespace holds isn't indented, and its end has a comment.
opened = re.compile(r"(?:inline )?namespace ([\w:]*) ?\{")
closed = re.compile(r"(\}+) *// namespace")
# A definition, not a declaration, nor that of a member or of a special case: X {, X : Base {, X final, or the line is full.
defined = re.compile(r"(?:template <.*> ?)?(?:struct|class|enum class) (?:alignas\(\w+\) )?(\w+)(?: final)?(?: \{.*| :(?!:).*|)$")


def types_of(path):
    """(namespace, name) of each type that is defined in a file, but in unnamed namespaces."""
    spaces = []
    for line in path.read_text().splitlines():
        if line.startswith(("namespace", "inline namespace")):
            spaces += opened.findall(line)
        elif end := closed.match(line):
            del spaces[len(spaces) - len(end[1]):]
        elif (found := defined.match(line)) and "" not in spaces:
            yield "::".join(spaces), found[1]


def main():
    files = subprocess.run(["git", "ls-files", "*.hpp", "*.cpp", "*.cu", "*.cuh"], cwd=root, check=True, capture_output=True,
                           text=True).stdout.split()
    where = collections.defaultdict(set)
    for file in files:
        if file.startswith(("framework/", "algorithms/", "tests/")) and (root / file).exists():
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
