"""Links of HTML pages, from their text: without a browser, so that thousands take a second.

    pages = links.read(folder)            {path: Page}
    links.dead(pages)                     [(page, what)] of links that lead nowhere
    links.external(pages)                 {address: a page that has it}
"""
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

TARGETS = {"a": ("href",), "link": ("href",), "area": ("href",), "use": ("href", "xlink:href"),
           "img": ("src", "srcset"),
           "script": ("src",), "iframe": ("src",), "source": ("src", "srcset"), "object": ("data",), "image": ("href",)}
# Of another site only its name is looked at; these do not lead to a place.
ELSEWHERE = ("http", "https")
NO_PLACE = ("data", "mailto", "blob")


class Page(NamedTuple):
    """What a page has to be linked by, and what it links to."""
    ids: set
    links: list  # (element, address)


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.page = Page(set(), [])

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.page.ids.update(value for key, value in attributes
                             if value and (key == "id" or (tag, key) == ("a", "name")))
        for key in TARGETS.get(tag, ()):
            if key == "srcset" and values.get(key):
                self.page.links.extend((tag, part.split()[0]) for part in values[key].split(",") if part.strip())
            elif key in values:
                self.page.links.append((tag, values[key] or ""))


def page_of(text):
    reader = _Reader()
    reader.feed(text)
    return reader.page


def read(folder):
    """All pages below a folder, or the one page of a file."""
    folder = Path(folder)
    files = sorted(folder.rglob("*.html")) if folder.is_dir() else [folder]
    return {path.resolve(): page_of(path.read_text(encoding="utf-8", errors="replace")) for path in files}


def lacks(pages, path, address):
    """Why a link in page `path` leads nowhere; None when it leads somewhere, or out of here."""
    parts = urlsplit(address)
    if parts.scheme in ELSEWHERE + NO_PLACE or parts.netloc:
        return None
    if parts.scheme:
        return f"{address}: the scheme {parts.scheme}"
    if not address:
        return "an empty address"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return f"{address}: no such file"
    anchor = unquote(parts.fragment)
    if anchor == "top" or anchor.startswith("play="):  # the playground's program
        return None
    if anchor and target in pages and anchor not in pages[target].ids:
        return f"{address}: no such anchor in {target.name}"
    return None


def dead(pages):
    found = []
    for path, page in pages.items():
        for tag, address in dict.fromkeys(page.links):
            why = lacks(pages, path, address)
            if why:
                found.append((path, f"<{tag}> {why}"))
    return found


def external(pages):
    return {address: path for path, page in pages.items() for _, address in page.links
            if urlsplit(address).scheme in ELSEWHERE or (urlsplit(address).netloc and not urlsplit(address).scheme)}
