#!/usr/bin/env python3
"""Checks that links between the pages of a folder of HTML lead somewhere: to files that exist, and to places on these.

    check_links.py FOLDER
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path: pathlib.Path):
        super().__init__()
        self.places, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.places.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    links, broken = 0, []
    for path, page in pages.items():
        for link in page.links:
            to = urllib.parse.urlsplit(link)
            if to.scheme or to.netloc:
                continue
            if link == "#nested-classes":  # Doxygen writes that where all nested classes are private, too
                continue
            links += 1
            target = (path.parent / urllib.parse.unquote(to.path)).resolve() if to.path else path
            there = target in pages and (not to.fragment or urllib.parse.unquote(to.fragment) in pages[target].places)
            if not there and not (target.is_file() and target not in pages):
                broken.append(f"{path.relative_to(root)}: {link}")
    for line in sorted(set(broken)):
        print(line)
    print(f"{len(pages)} pages, {links} links, {len(broken)} broken")
    return 1 if broken or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
