#!/usr/bin/env python3
"""Makes the pages of this folder, each a small walk to step through in a browser, by `zwalk trace`.

    make.py ZWALK           writes them here
    make.py ZWALK --check   says which of them differ from what the program writes now; exit status 1 if any does
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
POINTS = ["clustered", "160", "2"]
PAGES = {
    "radius": ["--radius", "0.1"],
    "knn": ["-k", "6"],
    "fof": ["--linking-length", "0.03"],
    "emst": [],
    "gravity": [],
}


def make(zwalk: str, folder: pathlib.Path) -> None:
    def run(*arguments: str) -> None:
        subprocess.run([zwalk, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    run("generate", *POINTS, "-o", "points.npy")
    for name, options in PAGES.items():
        run("trace", "points.npy", "--algorithm", name, *options, "-o", f"{name}.html")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zwalk", help="the program")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder)
        make(str(pathlib.Path(arguments.zwalk).resolve()), made)
        pages = {name: (made / f"{name}.html").read_bytes() for name in PAGES}
    if not arguments.check:
        for name, page in pages.items():
            (HERE / f"{name}.html").write_bytes(page)
        return 0
    here = {path.stem: path.read_bytes() for path in HERE.glob("*.html")}
    wrong = sorted(name for name in here.keys() | pages.keys() if here.get(name) != pages.get(name))
    for name in wrong:
        print(f"docs/teaching/pages/{name}.html isn't what zwalk trace writes: run docs/teaching/pages/make.py {arguments.zwalk}")
    print(f"{len(pages) - len(wrong)} of {len(pages)} pages are what the program writes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
