"""Checks that code on documentation pages is the code that the tests run.

A page says `<!-- code: FILE SECTION -->` above a ```cpp block; FILE holds the same lines between
`// tutorial-begin SECTION` and `// tutorial-end SECTION`, maybe indented.
"""
import pathlib
import re
import sys
import textwrap

root = pathlib.Path(__file__).resolve().parents[2]
wrong = []
found = 0
for page in sorted([root / "README.md", *root.glob("docs/**/*.md")]):
    text = page.read_text()
    for file, section, code in re.findall(
            r"<!-- code: (\S+) (\S+) -->\n```cpp\n(.*?)```", text, re.S):
        found += 1
        match = re.search(rf"// tutorial-begin {section}\n(.*?)\n[ \t]*// tutorial-end {section}\n",
                          (root / file).read_text(), re.S)
        if not match:
            wrong.append(f"{page.name}: {file} has no section {section}")
        elif textwrap.dedent(match[1]).strip() != code.strip():
            wrong.append(f"{page.name}: section {section} differs from {file}")
    marks = text.count("<!-- code: ")
    blocks = len(re.findall(r"<!-- code: \S+ \S+ -->\n```cpp\n", text))
    if marks != blocks:
        wrong.append(f"{page.name}: a code mark isn't followed by a cpp block")
    prose = re.sub(r"```.*?```", "", text, flags=re.S)  # a lambda looks like a link
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        if not (page.parent / target).exists():
            wrong.append(f"{page.name}: link to {target}, which doesn't exist")
print("\n".join(wrong) or f"{found} pieces of code on the pages are those that the tests run")
sys.exit(1 if wrong or found == 0 else 0)
