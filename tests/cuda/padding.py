"""Looks for members with padding in the structs that kernels work with: nvcc up to 13.0 gets copies of some of them wrong
(a bin of CountedRadii lost its count).

usage: padding.py PROGRAM ALLOWED

PROGRAM holds the kernels compiled for the host, with debug information. A struct of ours is listed if a struct with unused
bytes is a member of it, and another member follows, or it is an element of an array. A line of ALLOWED is a
regular expression of `struct.member: type of the member` without template arguments; what none of them fits is an error, and so is one
that fits nothing.
"""
import pathlib
import re
import sys

from kernels import rows

try:
    from elftools.elf.elffile import ELFFile
except ImportError:
    print("SKIPPED: no pyelftools")
    sys.exit(77)

CLASSES = "DW_TAG_structure_type", "DW_TAG_class_type"


def name_of(die):
    name = die.attributes.get("DW_AT_name")
    return name.value.decode() if name else ""


def type_of(die):
    """The type of a member, or of an element of an array, without its qualifiers; None: void."""
    while die is not None:
        die = die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None
        if die is None or die.tag not in ("DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type"):
            return die
    return None


def classes(die, scope=()):
    """Those of ours that are inside, with their full names."""
    for child in die.iter_children():
        name = name_of(child)
        if child.tag == "DW_TAG_namespace" and not scope and name != "zwalk":
            continue
        if scope and child.tag in CLASSES and "DW_AT_byte_size" in child.attributes:
            yield "::".join((*scope, name)), child
        if child.tag in (*CLASSES, "DW_TAG_namespace", "DW_TAG_subprogram", "DW_TAG_lexical_block"):
            yield from classes(child, (*scope, name) if name and name != "v0" else scope)


def members(die):
    return [m for m in die.iter_children()
            if m.tag in ("DW_TAG_member", "DW_TAG_inheritance") and "DW_AT_data_member_location" in m.attributes]


def length(die):
    """How many elements an array has."""
    n = 1
    for bound in die.iter_children():
        if bound.tag == "DW_TAG_subrange_type" and "DW_AT_upper_bound" in bound.attributes:
            last = bound.attributes["DW_AT_upper_bound"].value
            n *= last + 1 if isinstance(last, int) else 0
    return n


def used_and_size(die, known):
    """Bytes of a type that hold values, and all of it."""
    if die is None:
        return 0, 0
    if die.offset not in known:
        size = die.attributes["DW_AT_byte_size"].value if "DW_AT_byte_size" in die.attributes else 8
        if die.tag == "DW_TAG_array_type":
            n = length(die)
            known[die.offset] = tuple(n * x for x in used_and_size(type_of(die), known))
        elif die.tag in CLASSES:
            known[die.offset] = sum(used_and_size(type_of(m), known)[0] for m in members(die)), size
        else:
            known[die.offset] = size, size
    return known[die.offset]


def padded_members(debug):
    """`struct.member: type of the member`, and the full names of each."""
    known, found = {}, {}
    all_classes = {die.offset: (name, die) for unit in debug.iter_CUs() for name, die in classes(unit.get_top_DIE())}
    for name, die in all_classes.values():
        inside = members(die)
        for i, member in enumerate(inside):
            element = of = type_of(member)
            while element is not None and element.tag == "DW_TAG_array_type":
                element = type_of(element)
            if element is None or element.offset not in all_classes or (of is element and i + 1 == len(inside)):
                continue
            used, size = used_and_size(element, known)
            if size > 1 and used < size:
                full = f"{name}.{name_of(member) or 'base'}: {all_classes[element.offset][0]}"
                found.setdefault(short(full), full)
    return found, len(all_classes)


def short(name):
    """Without template arguments and our namespaces."""
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return name.replace("zwalk::", "").replace("detail::", "")


def main():
    program, allowed_file = map(pathlib.Path, sys.argv[1:])
    allowed = {pattern: 0 for pattern in rows(allowed_file)}
    with program.open("rb") as file:
        found, n = padded_members(ELFFile(file).get_dwarf_info())
    wrong = []
    for name, full in sorted(found.items()):
        fitting = [p for p in allowed if re.fullmatch(p, name)]
        for pattern in fitting:
            allowed[pattern] += 1
        if not fitting:
            wrong.append(f"{name} has padding, and isn't the last\n    {full}")
    wrong += [f"fits nothing: {pattern}" for pattern, times in allowed.items() if times == 0]
    print(f"{n} structs, {len(found)} members with padding", *wrong, sep="\n")
    return 1 if wrong or n < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
