#!/usr/bin/env python3
"""Pictures of whole pages, for eyes: on a desk and a phone, light and dark. No test: `make test-browser` looks for
what a program can find.

    tests/browser/pictures.py [PART OF A NAME...]     what is there of site, report, class, viewer; all of them
    tests/browser/pictures.py FILE.html...            these pages

Kept in build/browser/pages/ as NAME-desk-light-1.png and the like: each picture whole, in parts of PART px from the
top, so that what stands at a long page's end is pictured, too, at a size at which it can be read.
"""
import base64
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import chrome  # noqa: E402
import shared  # noqa: E402

SIZES = {"desk": (1280, 800), "phone": (390, 844)}
PART = 4000  # px of a page's height: a browser draws no picture of any height, and no eye reads one
OUT = shared.SHOTS / "pages"
SITE = shared.PRODUCTS / "docs/html"
NAVIGATION = Path(__file__).resolve().parents[2] / "docs/site/nav.json"
NOTHING_YET = """const it = document.documentElement.dataset, play = document.querySelector('.playground');
    return !play || !!play.playground || !!(window.umlabModule && umlabModule.missing)"""


def there():
    """{name: page} of what has been built."""
    site = [page["id"] for group in json.loads(NAVIGATION.read_text(encoding="utf-8")) for page in group["pages"]]
    found = {f"site-{name}": SITE / f"{name}.html" for name in site}
    found |= {f"report-{page.stem}": page for page in sorted((shared.PRODUCTS / "report").glob("*.html"))}
    for lab in sorted((shared.PRODUCTS / "grade/demo/class").glob("lab*")):
        found[f"class-{lab.name}"] = lab / "index.html"
        found |= {f"student-{page.stem}": page for page in sorted((lab / "students").glob("*.html"))}
    found |= {f"viewer-{page.stem}": page for page in sorted((shared.PRODUCTS / "view").glob("*.html"))}
    return {name: page for name, page in found.items() if page.is_file()}


def take(browser, name, page):
    """Four pictures of a page."""
    for where, size in SIZES.items():
        for scheme in ("light", "dark"):
            browser.size(size)
            browser.scheme(scheme)
            browser.open(page)
            browser.wait(lambda: browser.run(NOTHING_YET))
            for old in OUT.glob(f"{name}-{where}-{scheme}-[0-9]*.png"):
                old.unlink()
            height = browser.run("return document.documentElement.scrollHeight")
            for part, top in enumerate(range(0, height, PART), 1):
                picture = browser.command("Page.captureScreenshot", captureBeyondViewport=True, clip={
                    "x": 0, "y": top, "width": size[0], "height": min(PART, height - top), "scale": 1})
                (OUT / f"{name}-{where}-{scheme}-{part}.png").write_bytes(base64.b64decode(picture["data"]))
            for message in browser.messages():
                print(f"{name}, {where}, {scheme}: {message}", file=sys.stderr)


def main(chosen):
    files = {Path(one).stem: Path(one) for one in chosen if one.endswith(".html")}
    pages = files or {name: page for name, page in there().items()
                      if not chosen or any(part in name for part in chosen)}
    missing = chrome.Chrome.missing() or (None if pages else "no such page has been built")
    if missing:
        print(f"pictures: {missing}", file=sys.stderr)
        return 2
    OUT.mkdir(parents=True, exist_ok=True)
    with chrome.Chrome() as browser:
        for name, page in pages.items():
            take(browser, name, page)
            print(name, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
