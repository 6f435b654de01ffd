"""Holds cmake/symbols.map, which says what the shared library shows, to what programs need of the library.

    symbols.py MAP LIBRARY FILE OF PATHS [NM [OBJDUMP]]

LIBRARY may be static: what the map would show of it is found out from names. The file has a path of an object or archive of
programs on each line; what isn't built is left out. Wrong is a symbol that these need and the map hides, and a map that shows
what users instantiate themselves: walks, kernels, and most else of zwalk::detail. Of a shared library it is wrong, too, to show
names of others, and for programs to hide variables that headers define: they would have copies of their own.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys


def symbols(nm: str, files: list[str], *options: str) -> dict[str, str]:
    """Names of zwalk's symbols in files, and their letters in nm. A symbol that one of them defines has that letter."""
    found: dict[str, str] = {}
    for i in range(0, len(files), 100):
        out = subprocess.run([nm, *options, *files[i:i + 100]], check=True, capture_output=True, text=True).stdout
        for line in out.splitlines():
            *_, letter, name = ("", "", *line.split())
            if name.startswith("_Z") and "5zwalk2v0" in name and len(letter) == 1 and found.get(name, "U") == "U":
                found[name] = letter
    return found


def demangled(names: list[str]) -> list[str]:
    return subprocess.run(["c++filt"], input="\n".join(names), check=True, capture_output=True, text=True).stdout.splitlines()


def shown_by(map_: str, names: dict[str, str]) -> set[str]:
    """Of names, those that match a pattern of the map, for their forms as c++filt writes them."""
    patterns = re.sub(r"/\*.*?\*/", "", map_, flags=re.DOTALL)
    patterns = re.search(r'extern "C\+\+" {(.*?)}', patterns, re.DOTALL)[1].replace(";", " ").split()
    any_of = re.compile("|".join(map(fnmatch.translate, patterns)))
    return {name for name, text in zip(names, demangled(list(names))) if any_of.match(text)}


def hidden_variables(objdump: str, files: list[str]) -> list[str]:
    """Names of zwalk's variables, those of threads among them, that files define and hide. (Constants may be there twice.)"""
    found: set[str] = set()
    for i in range(0, len(files), 100):
        out = subprocess.run([objdump, "-t", *files[i:i + 100]], check=True, capture_output=True, text=True).stdout
        found |= set(re.findall(r"^\S+ [uw].* \.(?:tbss|tdata|bss|data)(?!\.rel\.ro)\S*\t\S+ \.hidden (_ZN5zwalk2v0\S+)$", out, re.M))
    return sorted(found)


def check(map_: str, library: str, programs: list[str], nm: str, objdump: str) -> list[str]:
    is_shared = ".so" in pathlib.Path(library).name
    letters = "TDBRVWu" + ("twv" if is_shared else "")  # small ones are of what a shared library hides
    defined = {name: letter for name, letter in symbols(nm, [library]).items() if letter in letters}
    shown = set(symbols(nm, [library], "-D", "--defined-only")) if is_shared else shown_by(map_, defined)
    needed = {name for name, letter in symbols(nm, programs).items() if letter == "U"} & set(defined)
    wrong = [f"hidden, but needed: {text}" for text in demangled(sorted(needed - shown))]
    if not needed:
        wrong.append("the programs need nothing of the library: none is built?")
    texts = dict(zip(defined, demangled(list(defined))))
    if not is_shared:  # there the compiler hides closures (VISIBILITY_INLINES_HIDDEN)
        shown = {name for name in shown if "{lambda" not in texts[name]}
    own = [(name, text) for name, text in texts.items()
           if "zwalk::v0::detail::" in text.split("(")[0] and defined[name] in "VWtwv" and "{lambda" not in text]
    of_these = sum(name in shown for name, _ in own)
    if of_these > 0.3 * len(own):
        wrong.append(f"shown are {of_these} of {len(own)} templates and inline functions that have to do with zwalk::detail: a "
                     "pattern is too wide")
    wrong += [f"shown, but users have their own: {text}" for name, text in own if name in shown and "::call_avx" in text]
    if is_shared:
        out = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
        others = [line.split()[-1] for line in out.splitlines() if "5zwalk2v0" not in line]
        wrong += [f"a name of others: {name}" for name in demangled(others)]
        wrong += [f"hidden, so not the library's: {name}" for name in demangled(hidden_variables(objdump, programs))]
    print(f"{len(defined)} symbols, of which {len(shown)} are shown, and {len(needed)} needed by {len(programs)} objects")
    return wrong


def main(map_: str, library: str, paths: str, nm: str = "nm", objdump: str = "objdump") -> int:
    programs = [path for path in pathlib.Path(paths).read_text().split()
                if not path.endswith(".gch") and pathlib.Path(path).exists()]  # precompiled headers are among the objects of targets
    wrong = check(pathlib.Path(map_).read_text(), library, programs, nm, objdump)
    print(*wrong[:40], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
