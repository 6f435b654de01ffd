"""Checks the words of documentation pages: what a script can hold of "Words" in CONTRIBUTING.md.

1. No sentence, cell of a table or item of a list begins with "Of": what it is about comes first.
2. No sentence has more than 40 words, and the sentences of a page have no more than 20 on average.
3. No word or phrase of `banned`.

    check_prose.py [--list] [PAGE...]      # --list prints the lengths of all pages

Code, links' addresses, and HTML are left out. Lectures and the tutorial are held to it, too.
"""
import pathlib
import re
import sys

LONGEST, MEAN = 40, 20
banned = {
    "as above": "say what it is again",
    "as it was": "say what is, not what was",
    "since then": "say what is, not what was",
    "for ever": "for good, or without end",
    "without a word": "silently",
    "be it": "say or",
}
pages_of = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/**/*.md", "algorithms/*/README.md", "examples/**/README.md",
            "data/*/README.md")
first_words = re.compile(r"Of\b(?! course)")
# Ends of sentences that are none.
abbreviation = re.compile(r"\b(e\.g|i\.e|et al|vs|cf|eqs?|Fig|No|[A-Z])\.$")

root = pathlib.Path(__file__).resolve().parents[2]


def blocks(text):
    """Paragraphs, items of lists, headings and cells of tables, each as (number of its first line, its text)."""
    text = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    block, begin = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        stripped = line.strip()
        starts = re.match(r"(#+ |[-*] |[0-9]+\. |\||> |    )", line.lstrip() if not line.startswith("    ") or block else line)
        if (not stripped or starts) and block:
            yield begin, " ".join(block)
            block = []
        if stripped.startswith("|"):
            for cell in re.split(r"(?<!\\)\|", stripped.strip("|")):
                yield number, cell.strip()
        elif stripped and (block or not line.startswith("    ")):
            begin = begin if block else number
            block.append(re.sub(r"^(#+ |[-*] |[0-9]+\. |> )", "", stripped))


def plain(text):
    """Text as it is read: links are their words, code is one word."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "code", text)
    return re.sub(r"<[^>]*>|\*\*|(?<!\w)\*(?=\w)|(?<=[\w.,])\*(?!\w)", "", text)


def sentences(text):
    words = []
    for word in plain(text).split():
        words.append(word)
        if re.search(r"[.!?][)\"”]*$", word) and not abbreviation.search(word.rstrip(")\"”")):
            yield words
            words = []
    if words:
        yield words


def check(path):
    """What is wrong with a page, and the lengths of its sentences."""
    wrong, lengths = [], []
    for line, text in blocks(path.read_text()):
        for words in sentences(text):
            counted = [w for w in words if re.search(r"\w", w)]
            begin = " ".join(words[:6])
            if len(counted) > 3:
                lengths.append(len(counted))
            if len(counted) > LONGEST:
                wrong.append((line, f"a sentence of {len(counted)} words: {begin} ..."))
            if first_words.match(" ".join(words).lstrip("(\"*")):
                wrong.append((line, f"begins with {words[0].lstrip('(')}: {begin} ..."))
            for phrase, instead in banned.items():
                if re.search(rf"\b{phrase}\b", " ".join(words), re.I):
                    wrong.append((line, f"{phrase} ({instead}): {begin} ..."))
    return wrong, lengths


def main(arguments):
    listed = "--list" in arguments
    named = [pathlib.Path(a).resolve() for a in arguments if a != "--list"]
    pages = named or sorted({page for pattern in pages_of for page in root.glob(pattern)})
    bad = 0
    for page in pages:
        wrong, lengths = check(page)
        mean = sum(lengths) / max(len(lengths), 1)
        if mean > MEAN:
            wrong.append((1, f"sentences of {mean:.1f} words on average"))
        bad += len(wrong)
        if listed:
            print(f"{page.relative_to(root)}: {len(lengths)} sentences, {mean:.1f} words, at most {max(lengths, default=0)},"
                  f" {len(wrong)} wrong")
        else:
            for line, what in wrong:
                print(f"{page.relative_to(root)}:{line}: {what}")
    if not bad:
        print(f"{len(pages)} pages")
    return bool(bad) or len(pages) < 20 - 20 * bool(named)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
