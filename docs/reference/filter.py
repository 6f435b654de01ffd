#!/usr/bin/env python3
"""What Doxygen sees instead of a file: filter.py FILE writes it to standard output.

Of headers: the inline namespace, which Doxygen would take for the whole name, is left out, and so are
instances that are compiled elsewhere. Of pages: links to other pages lose
their place on these, which Doxygen doesn't find; links to what isn't part of the reference (sources, examples) and to places on the same page become
their text.
"""
import pathlib
import re
import sys


def page(text: str) -> str:
    def link(match: re.Match) -> str:
        words, to = match.groups()
        if re.match(r"[a-z]+:", to):
            return match.group(0)
        path = pathlib.PurePosixPath(to.partition("#")[0])
        there = path.suffix == ".md" and path.name != "README.md"  # of those there are many, and names are all that Doxygen sees
        return f"[{words}]({path.name})" if there else words

    return re.sub(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)", link, text)


def header(text: str) -> str:
    text = text.replace("namespace zwalk { inline namespace v0 {", "namespace zwalk {")
    text = re.sub(r"}(}+)  // namespace zwalk::v0.*", r"\1", text)
    return re.sub(r"^extern template [^;]*;", "", text, flags=re.MULTILINE)


def main() -> None:
    path = pathlib.Path(sys.argv[1])
    text = path.read_text(encoding="utf-8")
    sys.stdout.write((page if path.suffix == ".md" else header)(text))


if __name__ == "__main__":
    main()
