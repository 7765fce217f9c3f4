#!/usr/bin/env python3
"""After doxygen: the levels of headings, the search index, and a look at what was made.

    docs/site/finish.py --html build/docs/html

Writes HTML/search.js: `umlabSearch`, a list of [title, address, place, words, rank, name in nav.json if any, with the
words that it is about], in the order of nav.json, so that of equally good answers the earlier page is first; one entry
for a page's introduction, each of its headings, each documented function, macro or type, and each word of the glossary
(docs/style/ranking.js says what the fields are for), and `umlabSynonyms`. Then checks what a reader would stumble over:
a link or an image that leads nowhere, a page of more than 2 MB, markup that was not understood and stands in the text.
Each is an error.
"""
import argparse
import html
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

PAGE_BYTES_MAX = 2_000_000
# Characters for which a phone has no room, or not beside another column.
CAPACITY = {r"<td\b(?:(?!<pre|<div|<table|<svg)[\s\S])*?</td>": 20, r"<code>[^<]*</code>": 32,
            r"<h[1-4]\b[\s\S]*?</h[1-4]>": 20}
GLOSSARY = "words.html"
CASE = "play="  # behind the #, a program of the playground (docs/playground/playground.js)
EVIDENCE_OF, EVIDENCE = "claims-test-", 1  # the tests behind the claims: they have words of everything
RAW_SHOWN = 3  # of a page
WORDS_MAX = 900  # of an entry: enough for its vocabulary
SKIPPED = {"script", "style", "nav", "header", "footer", "svg", "title"}
# What a course's programs include; elsewhere is the inside of umlab. Doxygen names a page's source in these ways.
PUBLIC = re.compile(r"(common|interop|kernels|labs|sim/include)/")
SOURCE = re.compile(r"<title>([\w./]+) File Reference|generated from the following files?:<ul>\s*<li>([\w./]+/)")
# What a page's source has and its text must not: tags and comments, links, emphasis, rows of tables, entities.
RAW = re.compile(
    r"</?[a-z][a-z0-9]*(\s[^<>]*)?>|<!--|\]\((https?:|[\w./-]+\.(md|html)|#)|(?m:^\s*\|.*\|\s*$)|"
    r"(?<!\w)\*\*\w[^*\n]*\*\*|\A\s*\*\*\s*\Z|&[a-z]+;|&#\d+;|(?m:^#{1,6} )|(?m:^\s*\[[ x]\] \w)|```")
# Doxygen's names for what is C.
CODE = {"fragment", "memproto", "memname", "memItemLeft", "memItemRight", "paramtype"}
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr", "path", "rect", "line", "circle"}


class Raw(HTMLParser):
    """Markup that stands in a page's text, outside of code."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.found = [], []

    def handle_starttag(self, tag, attrs):
        classes = (dict(attrs).get("class") or "").split()
        code = tag in ("code", "pre", "script", "style", "svg") or CODE & set(classes)
        if tag not in VOID:
            self.open.append((tag, bool(code)))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if not any(code for _, code in self.open):
            self.found += [match[0].strip() for match in RAW.finditer(data)]


class Reader(HTMLParser):
    """Title, text by heading, anchors, links and images of a page."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.title, self.parts, self.ids, self.links, self.images = "", [["", "", []]], set(), [], []
        self.silent, self.in_title, self.heading = 0, 0, None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        for key in ("id", "name"):
            if attrs.get(key):
                self.ids.add(attrs[key])
                self.last_id = attrs[key]
                if self.heading and not self.parts[-1][0].strip():  # 1.9.4 puts it into the heading, later ones before
                    self.parts[-1][1] = attrs[key]
        if tag == "a" and "href" in attrs:
            self.links.append(attrs["href"])
        if tag == "img" and attrs.get("src"):
            self.images.append(attrs["src"])
        classes = (attrs.get("class") or "").split()
        if tag in SKIPPED or "toc" in classes or "ttc" in classes or "fragment" in classes:
            self.silent += 1
            self.stack = getattr(self, "stack", [])
            self.stack.append([tag, 1])
        elif self.silent and tag not in VOID and tag == self.stack[-1][0]:
            self.stack[-1][1] += 1
        if "title" in classes:
            self.in_title = 1
        elif tag in ("h2", "h3", "h4") and not self.silent and "groupheader" not in classes:
            self.heading = tag
            self.parts.append(["", getattr(self, "last_id", ""), []])

    def handle_endtag(self, tag):
        if self.silent and tag == self.stack[-1][0]:
            self.stack[-1][1] -= 1
            if self.stack[-1][1] == 0:
                self.stack.pop()
                self.silent -= 1
        if tag == "h1":
            self.in_title = 0
        if tag == self.heading:
            self.heading = None

    def handle_data(self, data):
        if self.silent:
            return
        if self.in_title:
            self.title += data
        elif self.heading:
            self.parts[-1][0] += data
        else:
            self.parts[-1][2].append(data)


def at_margin(match):
    """A listing from the middle of a function begins at the margin. (Doxygen 1.9.4 cannot do it.)"""
    lines = re.findall(r'<div class="line">( *)(?=\S)(?!</div>)', match[0])
    common = min(map(len, lines), default=0)
    return re.sub(rf'(<div class="line">) {{{common}}}', r"\1", match[0])


def whole_options(match):
    """Options in code do not break behind their hyphens."""
    return re.sub(r"(?<=[\s>])--?[a-z][\w=-]*(?=[\s<])", r'<span class="whole">\g<0></span>', match[0])


def breakable(text):
    """Names that are too long for a phone's column get places at which they may break, in headings, tables and code:
    behind / and _, and where a word begins inside of one. (docs/style/umlab.css: wider screens do not.)"""
    def name(match):
        places = r"(?<=[A-Za-z0-9][/_|=])(?=[A-Za-z])|(?<=[a-z0-9]\.)(?=[a-z_]{3})|(?<=[a-z])(?=[A-Z])"
        return re.sub(places, "<wbr>", match[0])

    for what, most in CAPACITY.items():
        long = rf"(?<![\w&/.-])[\w/.|=-]{{{most},}}(?![^<>]*>)"
        text = re.sub(what, lambda match, long=long: re.sub(long, name, match[0]), text)
    return text


def outline(text):
    """A page's headings in order: the title is h1, the rest follows without a step left out. Doxygen 1.9.4 makes the
    title a division and begins with h1 below it, later ones with h2."""
    text = re.sub(r'<div class="title">(.*?)(?: File| Struct| Union| Directory)?(?: Reference)?\s*</div>',
                  r'<h1 class="title">\1</h1>', text, count=1, flags=re.S)
    text = re.sub(r'(<tr\b[^>]*) id="r_\w+"', r"\1", text)  # of 1.9.8: some are there twice, and nothing leads to them
    text = re.sub(r"(?<!\w)&ndash;(?=[a-z])", "--", text)  # an option, which Doxygen takes for a dash
    text = re.sub(r"<code>[^<]*</code>", whole_options, text)
    text = re.sub(r"<h3>Table of Contents</h3>", '<p class="toc-title">On this page</p>', text)
    text = re.sub(r"&lt;tt&gt;(.*?)&lt;/tt&gt;", r"<code>\1</code>", text)  # 1.9.4: code in a heading
    text = re.sub(r'<div class="fragment">.*?<!-- fragment -->', at_margin, text, flags=re.S)
    start = text.find("</h1>") + 1
    levels = [3 if "memtitle" in attributes else int(level)
              for level, attributes in re.findall(r"<h([1-6])((?:\s[^>]*)?)>", text[start:])]
    if not start or not levels:
        return text
    shift, before, new = 2 - min(levels), 1, []
    for level in levels:
        before = min(level + shift, before + 1)
        new.append(before)
    following, opened = iter(new), []

    def change(match):
        if match[1]:
            return f"</h{opened.pop()}>"
        opened.append(next(following))
        return f"<h{opened[-1]}{match[2]}>"

    return text[:start] + re.sub(r"<(/?)h[1-6]((?:\s[^>]*)?)>", change, text[start:])


def read(path):
    text = outline(path.read_text(errors="replace"))
    if path.name == GLOSSARY:
        text = with_terms(text)
    path.write_text(breakable(text))
    reader, raw = Reader(), Raw()
    reader.feed(text)
    raw.feed(text)
    source = SOURCE.search(text)
    reader.terms = list(terms(text)) if path.name == GLOSSARY else []
    reader.raw, reader.public = raw.found, bool(source and PUBLIC.match(source[1] or source[2]))
    return reader


def reached(pages):
    """The names of all pages to which links lead, from the first on."""
    found, waiting = {"index.html"}, ["index.html"]
    while waiting:
        for link in pages[waiting.pop()].links:
            name = link.partition("#")[0]
            if name in pages and name not in found:
                found.add(name)
                waiting.append(name)
    return found


def words_of(texts):
    """The distinct words of a text, in their order: all that the search asks of it."""
    seen = dict.fromkeys(re.findall(r"[a-z0-9_]{2,}", " ".join(texts).lower()))
    return " ".join(list(seen)[:WORDS_MAX])


def terms(text):
    """The glossary's rows: (anchor, word, meaning)."""
    for row in re.findall(r'<td[^>]* id="(word-[\w-]+)"[^>]*>(.*?)</td>\s*<td[^>]*>(.*?)</td>', text, re.S):
        yield [html.unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in row]


def with_terms(text):
    """The glossary: each word can be linked to."""
    seen = set()

    def named(match):
        name = "word-" + re.sub(r"[^a-z0-9]+", "-", match[3].lower()).strip("-")
        if name in seen:
            return match[0]
        seen.add(name)
        return f'{match[1]}id="{name}" {match[2]}{match[3]}'

    return re.sub(r'(<tr class="markdownTableRow\w+">\s*<td )(class="\w+">)([^<,]*)', named, text)


def entries_of(name, reader, ranks, short):
    title = " ".join(reader.title.split())
    rank = ranks.get(name, int(reader.public))
    for anchor, word, meaning in reader.terms:
        yield [word, f"{name}#{anchor}", title, words_of([meaning]), rank]
    for number, (heading, anchor, texts) in enumerate(reader.parts):
        text = " ".join(heading.replace("◆", "").split())
        if number == 0:
            yield [title, name, "", words_of(texts), rank, *([short[name]] if name in short else [])]
        elif text and anchor in reader.ids and not reader.terms:  # of the glossary each word is an entry
            yield [text, f"{name}#{anchor}", title, words_of(texts), EVIDENCE if EVIDENCE_OF in anchor else rank]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--html", type=Path, required=True)
    args = parser.parse_args()
    pages = {path.name: read(path) for path in sorted(args.html.glob("*.html"))}
    for name in set(pages) - reached(pages):  # Doxygen's own lists, to which nothing leads
        del pages[name]
        (args.html / name).unlink()
    sections = json.loads((Path(__file__).parent / "nav.json").read_text())
    short = {f"{page['id']}.html": f"{page['title']}. {page.get('about', '')}".strip()
             for section in sections for page in section["pages"]}
    ranks = {f"{page['id']}.html": section["rank"] for section in sections for page in section["pages"]}
    index, errors = [], []
    place = {name: number for number, name in enumerate(short)}
    for name, reader in sorted(pages.items(), key=lambda page: place.get(page[0], len(place))):
        if not name.startswith("dir_"):
            index += [entry for entry in entries_of(name, reader, ranks, short) if entry[0]]
        size = (args.html / name).stat().st_size + sum((args.html / image).stat().st_size
                                                       for image in set(reader.images)
                                                       if (args.html / image).is_file())
        if size > PAGE_BYTES_MAX:
            errors.append(f"{name}: {size} bytes with its images, more than {PAGE_BYTES_MAX}")
        errors += [f"{name}: {raw!r} stands in the text" for raw in reader.raw[:RAW_SHOWN]]
        for link in dict.fromkeys(reader.links + reader.images):
            if re.match(r"(https?|data|mailto|javascript):", link):
                continue
            target, _, anchor = unquote(link).partition("#")
            target = target or name
            if not (args.html / target).is_file():
                errors.append(f"{name}: {link} leads nowhere")
            elif anchor and target in pages and anchor not in pages[target].ids and not anchor.startswith(CASE):
                errors.append(f"{name}: {link}: no such place on that page")
    synonyms = json.loads((Path(__file__).parent / "synonyms.json").read_text())
    values = [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in (index, synonyms)]
    (args.html / "search.js").write_text("window.umlabSearch={};\nwindow.umlabSynonyms={};\n".format(*values))
    for unused in ("jquery.js", "dynsections.js", "tabs.css", "doxygen.svg"):
        (args.html / unused).unlink(missing_ok=True)
    for unused in args.html.glob("*.png"):
        if not any(unused.name in reader.images for reader in pages.values()):
            unused.unlink()
    for error in errors:
        print(f"docs: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
