"""The documentation site, build/docs/html: its pages on a phone, in light and in dark."""
import functools
import os
import re
import zlib
from pathlib import Path

import chrome
import links
import pages
import shared
from support import cases

SITE = shared.PRODUCTS / "docs/html"
# What a student would look for, and a page that has to be among the answers.
SEARCHES = {"pinned": "lab3.html", "zero-copy": "lab4.html", "managed memory": "managed.html", "advice": "lab6.html",
            "structures": "lab7.html", "cudaMemcpyAsync": "coverage.html", "gradescope": "instructors.html"}
SHOTS = {"index.html": "start", "lab5.html": "lab5", "claims.html": "claims"}


def labs():
    return sorted(path.parent.name.split("_")[0] for path in cases.ROOT.glob("labs/lab[0-9]*_*/README.md"))


def chosen(name):
    """A fifth of the pages, and at the next commit (UM_TURN) another one; with UM_LONG=1 all."""
    turn = int(os.environ.get("UM_TURN") or 0)
    return name == "index.html" or os.environ.get("UM_LONG") or (zlib.crc32(name.encode()) + turn) % 5 == 0


@functools.cache
def seen():
    """The findings on the chosen pages, and what each of them weighs; of all pages the dead links."""
    if not (SITE / "index.html").is_file():
        raise cases.Skip("no documentation site here: make docs")
    return pages.look(shared.browser(), SITE, chosen=chosen)


def results():
    """The search's answers: {file: text}."""
    found = shared.browser().run("return [...document.querySelectorAll('#MSearchResults a')].map(a => [a.href, "
                                 "a.innerText])")
    return {Path(pages.file_of(address)).name: text for address, text in found}


class Documentation(cases.Case):
    def none(self, *kinds):
        findings = [finding for finding in seen()[0] if finding.kind in kinds]
        self.assertTrue(not findings, f"{len(findings)} on {len({one.page for one in findings})} pages\n"
                        + shared.listed(findings))

    def test_links(self):
        "site: every link resolves, anchors too; those that lead out are in build/browser/external.txt"
        leading_out = links.external(links.read(SITE))
        shared.SHOTS.mkdir(parents=True, exist_ok=True)
        (shared.SHOTS / "external.txt").write_text("".join(f"{address}  {path.name}\n"
                                                           for address, path in sorted(leading_out.items())))
        self.none("link")

    def test_images(self):
        "site: every image loads and has a text"
        self.none("image", "alt")

    def test_console(self):
        "site: no page says anything on the console, lacks a file or asks for another site"
        self.none("console", "request", "external")

    def test_overflow(self):
        "site: nothing is wider than 360 px"
        self.none("overflow")

    def test_contrast(self):
        "site: text has a contrast of 4.5:1, in light and in dark"
        self.none("contrast")

    def test_outline(self):
        "site: one h1 a page, levels in order, one main, each id once"
        self.none("heading", "landmark", "id")

    def test_weight(self):
        "site: no page weighs 2 MB with all that it loads"
        self.none("weight")
        weights = seen()[1]
        heaviest = max(weights, key=weights.get)
        print(f"  {len(weights)} pages; the heaviest, {heaviest}, has {weights[heaviest]} bytes")

    def test_reached(self):
        "site: every lab's page, and every page, can be reached from the start by links"
        read = links.read(SITE)
        start = (SITE / "index.html").resolve()
        reached, waiting = {start}, [start]
        while waiting:
            path = waiting.pop()
            for tag, address in read[path].links:
                target = (path.parent / address.partition("#")[0]).resolve() if address.partition("#")[0] else path
                if tag == "a" and target in read and target not in reached:
                    reached.add(target)
                    waiting.append(target)
        names = {path.name for path in reached}
        self.assertEqual([lab for lab in labs() if f"{lab}.html" not in names], [])
        lost = sorted(path.name for path in read if path not in reached)
        self.assertEqual(lost, [])

    def search(self, words):
        browser = shared.browser()
        browser.open(SITE / "index.html")
        field = browser.find("#MSearchField")
        field.send_keys(words)
        browser.wait(lambda: results()
                     or "Nothing" in browser.run("return document.getElementById('MSearchResults').innerText"))
        return results()

    def test_search(self):
        "site: search finds each lab, and what a student would ask for; Enter goes there"
        browser = shared.browser()
        browser.size(chrome.DESKTOP)
        for words, page in {**{lab: f"{lab}.html" for lab in labs()}, **SEARCHES}.items():
            self.assertIn(page, self.search(words), f"search for {words!r}")
        self.assertEqual(self.search("zzqx"), {})
        first = next(iter(self.search("lab5")))
        browser.find("#MSearchField").send_keys("\n")
        browser.wait(lambda: browser.run("return location.pathname").endswith(first))
        self.assertEqual(first, "lab5.html")
        self.assertEqual(browser.messages(), [])

    def test_theme(self):
        "site: the button changes between light and dark, and the next page keeps it"
        browser = shared.browser()
        browser.size(chrome.DESKTOP)
        browser.scheme("light")
        browser.open(SITE / "index.html")
        paper = "return getComputedStyle(document.body).backgroundColor"
        light = browser.run(paper)
        browser.find("#theme").click()
        dark = browser.run(paper)
        self.assertNotEqual(light, dark)
        browser.open(SITE / "lab1.html")
        self.assertEqual(browser.run(paper), dark)
        browser.find("#theme").click()
        self.assertEqual(browser.run(paper), light)

    def test_phone(self):
        "site: on a phone the list of pages opens by a button, and leads to a lab"
        browser = shared.browser()
        browser.size(chrome.PHONE)
        browser.open(SITE / "index.html")
        shown = "return document.getElementById('pages').checkVisibility()"
        self.assertFalse(browser.run(shown))
        browser.find("#menu").click()
        self.assertTrue(browser.run(shown))
        self.assertTrue(browser.run("return [...document.querySelectorAll('#pages a')].some(a => "
                                    "a.href.endsWith('lab3.html'))"))

    def test_pictures(self):
        "site: pictures are kept of start, a lab, the claims and a search"
        browser = shared.browser()
        for file, name in SHOTS.items():
            if not (SITE / file).is_file():
                continue
            for size, where in ((chrome.PHONE, "phone"), (chrome.DESKTOP, "desktop")):
                for scheme in ("light", "dark"):
                    browser.size(size)
                    browser.scheme(scheme)
                    browser.open(SITE / file)
                    shared.shoot(f"{name}-{where}-{scheme}")
        browser.size(chrome.DESKTOP)
        self.search("pinned")
        shared.shoot("search-desktop")
        self.assertGreaterEqual(len([path for path in shared.SHOTS.glob("*.png")
                                     if re.match("start|search", path.name)]), 5)
