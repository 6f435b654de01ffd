"""Checks that code on documentation pages is the code that the tests run, and that links between pages lead somewhere.

A page says `<!-- code: FILE SECTION -->` above a ```cpp block; FILE holds the same lines between
`// tutorial-begin SECTION` and `// tutorial-end SECTION`, maybe indented. Sections may be several, as in ONE+TWO, with an empty line
between.
"""
import pathlib
import re
import sys
import textwrap

root = pathlib.Path(__file__).resolve().parents[2]
wrong = []
found = 0


def anchors(page):
    """Names of a page's headings in links to them, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


for page in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("algorithms/*/README.md"), root / "examples/README.md"]):
    text = page.read_text()
    for file, sections, code in re.findall(
            r"<!-- code: (\S+) (\S+) -->\n```cpp\n(.*?)```", text, re.S):
        found += 1
        matches = [re.search(rf"// tutorial-begin {section}\n(.*?)\n[ \t]*// tutorial-end {section}\n",
                             (root / file).read_text(), re.S) for section in sections.split("+")]
        if None in matches:
            wrong.append(f"{page.name}: {file} has no section {sections}")
        elif "\n\n".join(textwrap.dedent(match[1]).strip() for match in matches) != code.strip():
            wrong.append(f"{page.name}: section {sections} differs from {file}")
    marks = text.count("<!-- code: ")
    blocks = len(re.findall(r"<!-- code: \S+ \S+ -->\n```cpp\n", text))
    if marks != blocks:
        wrong.append(f"{page.name}: a code mark isn't followed by a cpp block")
    prose = re.sub(r"```.*?```", "", text, flags=re.S)  # a lambda looks like a link
    prose = re.sub(r"`[^`]*`", "", prose)
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", prose):
        path = page.parent / target if target else page
        if not path.exists():
            wrong.append(f"{page.relative_to(root)}: link to {target}, which doesn't exist")
        elif anchor and path.suffix == ".md" and anchor not in anchors(path):
            wrong.append(f"{page.relative_to(root)}: link to {target}#{anchor}, which has no such heading")
print("\n".join(wrong) or f"{found} pieces of code on the pages are those that the tests run")
sys.exit(1 if wrong or found == 0 else 0)
