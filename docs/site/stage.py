#!/usr/bin/env python3
"""Turns the project's Markdown into the pages that Doxygen reads: `make docs`, before doxygen.

    docs/site/stage.py --build build --out build/docs/pages

The pages, their order and their names are in nav.json. Each goes to OUT/ID.md with: its id and an id for each heading,
so that addresses stay when texts change; links to other pages by id, links to headers by Doxygen's name for them, other
links into the repository as plain text; and what the build knows in place of comments such as

    <!-- insert: output hello -->

whose kinds are the functions of insert.py. Files keep reading well where nobody inserts anything. Also writes
OUT/header.html and OUT/footer.html: the frame of every page. A link to a file that is not there is an error.
"""
import argparse
import html
import json
import posixpath
import re
import sys
from pathlib import Path

import insert

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HEADING = re.compile(r"^(#{1,4})\s+(.*?)\s*(?:\{#([\w-]+)\})?\s*$")
LINK = re.compile(r"(?<!!)\[([^\]\n]+(?:\n[^\]\n]+)?)\]\(([^)\s]+)\)")
# A file that a text names: the word alone, or (to be left as they are) code and links with such words in them.
MENTION = re.compile(r"`[^`]*`|\[[^\]]*\]\([^)]*\)|<a .*?</a>|(?<![\w/.-])([\w-]+(?:/[\w-]+)*/[\w-]+\.md)\b", re.S)
INSERT = re.compile(r"^<!-- insert: (\S+)(?: (.*?))? -->$")
CASE = "play="  # behind the #, a program of the playground: no place on its page
ABSENT = set()  # optional pages of nav.json that are not there
HEADERS = ("common/", "kernels/", "interop/", "sim/", "grade/", "tests/um_test.h", "labs/")


def slug(text):
    text = re.sub(r"`|\*|\[|\]\([^)]*\)", "", text).lower()
    return re.sub(r"[^a-z0-9]+", "-", text).strip("-")[:48].strip("-") or "part"


def load_nav(build):
    """The sections of nav.json with the pages that are there; each page gets its Path as `path`."""
    sections = json.loads((HERE / "nav.json").read_text())
    for section in sections:
        for page in section["pages"]:
            name = page["file"]
            page["path"] = build / name[6:] if name.startswith("build:") else ROOT / name
        for page in section["pages"]:
            if not page["path"].is_file():
                ABSENT.add(page["file"])
                if not page.get("optional"):
                    raise SystemExit(f"docs: {page['file']}, which nav.json lists, is not there")
        section["pages"] = [page for page in section["pages"] if page["path"].is_file()]
    return [section for section in sections if section["pages"]]


class Page:
    """One Markdown file on its way into the site."""

    def __init__(self, page, ids, titles, context):
        self.id, self.path, self.ids, self.titles, self.context = page["id"], page["path"], ids, titles, context
        self.seen, self.errors = set(), []
        self.folder = posixpath.dirname(page["file"].replace("build:", "build/"))

    def anchor(self, text):
        base = name = f"{self.id}-{slug(text)}"
        count = 2
        while name in self.seen:
            name, count = f"{base}-{count}", count + 1
        self.seen.add(name)
        return name

    def link(self, match):
        text, target = " ".join(match[1].split()), match[2]  # Doxygen 1.9.4 loses its way at a line's end in it
        if re.match(r"[a-z]+:|@ref", target):
            return f"[{text}]({target})"
        if target.startswith("#"):  # of this page
            return f"[{text}](@ref {self.id}-{target[1:]})"
        target, _, anchor = target.partition("#")
        name = posixpath.normpath(posixpath.join(self.folder, target))
        if name in self.ids:
            page = self.ids[name]
            if anchor.startswith(CASE):
                return f'<a href="{page}.html#{html.escape(anchor)}">{text}</a>'
            if text.strip("`").endswith(posixpath.basename(name)):  # a path is for who reads files
                text = self.titles[page]
            return f"[{text}](@ref {page}{'-' + anchor if anchor else ''})"
        if name in ABSENT:
            return text
        if not (ROOT / name).exists():
            self.errors.append(f"{self.path}: link to {target}, which is not there")
            return text
        if name.endswith(".h") and name.startswith(HEADERS):
            return f"[{text}](@ref {name})"
        return text if text.strip("`") == name or text.startswith("`") else f"{text} (`{name}`)"

    def mention(self, match):
        page = self.ids.get(match[1], self.id)
        return match[0] if page == self.id else f"[{self.titles[page]}](@ref {page})"

    def line(self, line):
        found = INSERT.match(line)
        if found:
            kind, words = found[1], (found[2] or "").split()
            try:
                return getattr(insert, "put_" + kind)(self.context, self, *words)
            except (AttributeError, OSError, insert.Missing) as error:
                self.errors.append(f"{self.path}: {line}: {error}")
                return ""
        found = HEADING.match(line)
        if found:
            marks, text, name = found.groups()
            text = re.sub(r"^\[([^\]]+)\](?=$| - )", r"\1", text)  # a version, as changelogs have it
            if len(marks) == 1:
                name = "mainpage" if self.id == "index" else self.id
                return f"# {text} {{#{name}}}\n\n[TOC]\n"
            return f"{marks} {text} {{#{name or self.anchor(text)}}}"
        return line

    def staged(self):
        text = self.path.read_text()
        out = []
        # Odd pieces are code: fenced, or indented after an empty line.
        for number, chunk in enumerate(re.split(r"(^```.*?^```[^\n]*\n|(?<=\n\n)(?: {4}[^\n]*\n+)+)", text,
                                                flags=re.M | re.S)):
            if number % 2:
                out.append(chunk)
                continue
            chunk = MENTION.sub(self.mention, LINK.sub(self.link, chunk))
            # Doxygen 1.9.4 does not see that bold begins before code.
            chunk = re.sub(r"\*\*(`[^*]+?)\*\*", r"<b>\1</b>", chunk)
            chunk = re.sub(r"^(\s*[-*] )\[ \]", r"\1☐", chunk, flags=re.M)  # Doxygen knows no lists of tasks
            out.append("\n".join(self.line(line) for line in chunk.split("\n")))
        return "".join(out)


def source_of(page):
    """Where a page is changed: its file, as a link where CITATION.cff names the repository."""
    if page["file"].startswith("build:"):
        return ""
    found = re.search(r"^repository-code:\s*[\"']?(https://[^\s\"']+)", (ROOT / "CITATION.cff").read_text(), re.M)
    file = html.escape(page["file"])
    how = (f'<a href="{found[1]}/edit/main/{file}">Edit this page</a>' if found else
           '<a href="contributing.html">Edit this page</a>')
    return f'<p class="source">{how}: <code>{file}</code></p>'


def foot(order, number):
    """Where the page is changed, and links to the pages before and after it."""
    parts = []
    for step, word, mark in ((-1, "Before", "prev"), (1, "Next", "next")):
        if 0 <= number + step < len(order):
            page = order[number + step]
            parts.append(f'<a class="{mark}" href="{page["id"]}.html"><small>{word}</small>'
                         f'{html.escape(page["title"])}</a>')
    return ("\n\n@htmlonly[block]\n" + source_of(order[number]) + '<nav class="pager" aria-label="Neighbours">' +
            "".join(parts) + "</nav>\n@endhtmlonly\n")


def frame(sections, out):
    """Writes header.html and footer.html."""
    top, side = [], []
    for section in sections:
        first = section["pages"][0]["id"]
        top.append(f'<a href="$relpath^{first}.html" data-section="{section["title"]}">{section["title"]}</a>')
        links = "".join(f'<li><a href="$relpath^{page["id"]}.html">{html.escape(page["title"])}</a></li>'
                        for page in section["pages"])
        side.append(f'<details data-section="{section["title"]}"><summary>{section["title"]}</summary>'
                    f"<ul>{links}</ul></details>")
    header = (ROOT / "docs/style/header.html").read_text()
    header = header.replace("<!-- sections -->", "\n".join(top)).replace("<!-- pages -->", "\n".join(side))
    (out / "header.html").write_text(header)
    (out / "footer.html").write_text((ROOT / "docs/style/footer.html").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for old in args.out.glob("*.md"):
        old.unlink()
    sections = load_nav(args.build.resolve())
    order = [page for section in sections for page in section["pages"]]
    ids = {page["file"]: page["id"] for page in order}
    titles = {page["id"]: page["title"] for page in order}
    context = insert.Context(ROOT, args.build.resolve())
    errors = []
    for number, entry in enumerate(order):
        page = Page(entry, ids, titles, context)
        top, heading, rest = page.staged().partition("\n## ")
        text = top + insert.before(context, page) + heading + rest + insert.after(context, page) + foot(order, number)
        (args.out / f"{page.id}.md").write_text(text)
        errors += page.errors
    frame(sections, args.out)
    for error in errors:
        print(f"docs: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
