"""Looks at pages as a reader with a phone does, in light and in dark, and says what is wrong.

    for finding in pages.look(browser, paths): print(finding)

Kinds of findings: `link`, `console`, `request`, `external`, `weight`, and those of look.js.
"""
import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import chrome
import links

LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")
WEIGHT_LIMIT = 2_000_000  # bytes: a page and all that it loads


class Finding(NamedTuple):
    """Something wrong on a page."""
    kind: str
    page: str
    what: str

    def __str__(self):
        return f"{self.page}: {self.kind}: {self.what}"


def file_of(address):
    """The file that a file: address names; None for any other address."""
    parts = urlsplit(address)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def loaded(browser, page):
    """What the page has asked for: findings, and the bytes of all files."""
    findings, weight = [], 0
    for address, failure in browser.requests().items():
        path = file_of(address)
        if path is None:
            if urlsplit(address).scheme in links.ELSEWHERE:
                findings.append(Finding("external", page, f"asks for {address[:120]}"))
        elif failure or not path.is_file():
            findings.append(Finding("request", page, f"{path.name}: {failure or 'no such file'}"))
        else:
            weight += path.stat().st_size
    return findings, weight


def look_at(browser, path, name, limit=WEIGHT_LIMIT):
    """All findings on one page but its links, and its weight. `limit` None: it may weigh what it likes. A page is
    loaded in the light or dark that the one before it ended with: a switch while nothing waits for its messages would
    be lost.
    """
    browser.open(path)
    looks = browser.run(LOOK, ["outline", "overflow", "contrast", "images"])
    findings = [Finding(kind, name, f"{browser.scheme_now}: {what}") for kind, what in looks]
    browser.scheme({"light": "dark", "dark": "light"}[browser.scheme_now])
    others = browser.run(LOOK, ["frame", "overflow", "contrast"])
    findings += [Finding(kind, name, f"{browser.scheme_now}: {what}") for kind, what in others
                 if [kind, what] not in looks]
    asked, weight = loaded(browser, name)
    findings += asked
    if limit and weight >= limit:
        findings.append(Finding("weight", name, f"{weight} bytes with all that it loads, {limit} are the limit"))
    return findings + [Finding("console", name, message[:300]) for message in browser.messages()], weight


def look(browser, target, limit=WEIGHT_LIMIT, chosen=lambda name: True):
    """Looks at the chosen pages of a folder, or at one file; at the links of all. Returns (findings, {name: weight in
    bytes})."""
    read = links.read(target)
    base = Path(target).resolve()
    base = base if base.is_dir() else base.parent
    findings = [Finding("link", os.path.relpath(path, base), what) for path, what in links.dead(read)]
    weights = {}
    browser.size(chrome.PHONE)
    for path in read:
        name = os.path.relpath(path, base)
        if chosen(name):
            more, weights[name] = look_at(browser, path, name, limit)
            findings += more
    return findings, weights
