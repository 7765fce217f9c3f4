"""The checker is checked: a page without fault, and one page for each kind of fault, which has to be found, and
alone."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import chrome
import pages
import shared
from support import cases

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5Erk"
         "Jggg==")
GOOD = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Good</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>:root {{ color-scheme: light dark; --ink: #222; --paper: #fff; --link: #0645ad; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #ddd; --paper: #111; --link: #8ab4f8; }} }}
body {{ color: var(--ink); background: var(--paper); transition: color 2s, background 2s; }} a {{ color: var(--link); }}
pre {{ overflow-x: auto; }} svg text {{ fill: #222; }}</style></head>
<body><main><h1 id="start">Good</h1><p>Text with <code>code</code> and <a href="other.html#there">a link</a>,
<a href="#start">another</a>, <a href="https://example.org/">one that leads out</a>.</p><h2>Part</h2>
<img src="{PIXEL}" alt="a pixel" width="1"><svg width="90" height="30" role="img" aria-label="a box">
<rect width="90" height="30" fill="#fff"></rect><text x="4" y="20">text</text></svg>
<pre>{"wide " * 90}</pre></main></body></html>"""
OTHER = GOOD.replace('id="start"', 'id="there"').replace("#start", "#there").replace("#there\">a link", "\">a link")
# What is put in place of what, and what is found then: the kind, and a part of what is said.
FAULTS = {
    "a dead link": ("other.html#there", "nowhere.html", "link", "nowhere.html: no such file"),
    "an anchor that is not there": ("#start\">another", "#begin\">another", "link",
                                    "#begin: no such anchor in page.html"),
    "an anchor of another page that is not there": ("other.html#there", "other.html#here", "link",
                                                    "no such anchor in other.html"),
    "an empty link": ("other.html#there", "", "link", "an empty address"),
    "a link to a script": ("other.html#there", "javascript:go()", "link", "the scheme javascript"),
    "a missing image": (f'src="{PIXEL}"', 'src="gone.png"', "link image request console", "gone.png"),
    "a broken image": (f'src="{PIXEL}"', 'src="data:image/png;base64,AAAA"', "image", "does not load"),
    "an image that a style asks for": ("pre {", "pre { background-image: url(gone.png);", "request console",
                                       "gone.png"),
    "a missing script": ("</title>", '</title><script src="gone.js"></script>', "link request console", "gone.js"),
    "an image without a text": ('alt="a pixel"', "", "alt", "<img>"),
    "a drawing without a name": ('aria-label="a box"', "", "alt", "<svg>"),
    "something too wide": ("<h2>Part", '<div id="wide" style="width: 500px">x</div><h2>Part', "overflow",
                           '<div#wide> "x"'),
    "a word too long": ("Text with", "Text" + "with" * 40, "overflow", "beyond 360"),
    "a page that scrolls within a box": ("<main>", '<main style="overflow: auto"><p style="width: 99em">wide</p>',
                                         "overflow", '<p> "wide"'),
    "a page cut off": ("<main>", '<main style="overflow: hidden"><p style="width: 99em">wide</p>', "overflow",
                       '<p> "wide"'),
    "no meta viewport": ('name="viewport"', 'name="nothing"', "overflow", "no meta viewport?"),
    "an error on the console": ("</main>", "<script>console.error('oh')</script></main>", "console", "oh"),
    "an exception": ("</main>", "<script>undefined.x</script></main>", "console", "TypeError"),
    "an exception in the dark": ("</main>", "<script>matchMedia('(prefers-color-scheme: dark)').onchange = () => oh()"
                                 "</script></main>", "console", "oh is not defined"),
    "a request to another site": ("</main>", '<script src="https://example.org/x.js"></script></main>',
                                  "external console", "asks for https://example.org/x.js"),
    "pale text": ("--ink: #222", "--ink: #999", "contrast", "2.85:1, <p>"),
    "pale links": ("--link: #0645ad", "--link: #ffa", "contrast", "<a>"),
    "pale code": ("pre {", "code { opacity: .4; } pre {", "contrast", "<code>"),
    "text on its own colour in the dark": ("--ink: #ddd", "--ink: #222", "contrast", "dark: 1."),
    "links too dark in the dark": ("--link: #8ab4f8", "--link: #0645ad", "contrast", "dark: 2."),
    "pale text in a drawing": ("svg text { fill: #222", "svg text { fill: #ccc", "contrast", "<text>"),
    "text on a picture": ("body {", "body { background: linear-gradient(red, blue) !important;", "contrast",
                          "only 1 of"),
    "two first headings": ("<h2>Part</h2>", "<h1>Part</h1>", "heading", "2 of <h1>"),
    "no first heading": ('<h1 id="start">Good</h1>', '<p id="start">Good</p>', "heading", "0 of <h1>"),
    "an empty heading": ("<h2>Part", "<h2>", "heading", "<h2> is empty"),
    "a level of headings left out": ("<h2>Part</h2>", "<h4>Part</h4>", "heading", "comes after <h1>"),
    "no main": ("main>", "div>", "landmark", "0 of <main>"),
    "no language": (' lang="en"', "", "landmark", "no lang"),
    "no title": ("<title>Good", "<title>", "landmark", "no title"),
    "an id twice": ("<h2>Part", '<h2 id="start">Part', "id", "#start is there twice"),
    "a page too heavy": ("</main>", "</main><script src='heavy.js'></script>", "weight", "are the limit"),
}


class Planted(cases.Case):
    def look(self, text):
        folder = self.folder / "site"
        folder.mkdir()
        (folder / "page.html").write_text(text, encoding="utf-8")
        (folder / "other.html").write_text(OTHER, encoding="utf-8")
        (folder / "heavy.js").write_text("//" + "x" * pages.WEIGHT_LIMIT, encoding="utf-8")
        return pages.look(shared.browser(), folder)[0]

    def test_good(self):
        "a page without fault has none"
        self.assertEqual(self.look(GOOD), [])


def plant(what, old, new, kinds, said):
    def test(self):
        self.assertIn(old, GOOD)
        findings = self.look(GOOD.replace(old, new))
        self.assertEqual({finding.kind for finding in findings}, set(kinds.split()), [str(one) for one in findings])
        self.assertEqual({finding.page for finding in findings}, {"page.html"})
        self.assertIn(said, "\n".join(finding.what for finding in findings))
    test.__doc__ = f"found: {what}"
    setattr(Planted, "test_" + what.replace(" ", "_"), test)


for fault, planted in FAULTS.items():
    plant(fault, *planted)


class Leftovers(cases.Case):
    def processes(self, folder):
        """The processes that have a browser's folder in their environment, as HOME, or on their command line."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if folder.encode() in (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass
        return found

    def ends(self, by):
        """Starts a second browser, beside the shared one, in a process that ends by `by`; all of it has to go."""
        script = ("import sys, time; sys.path.insert(0, sys.argv[1]); import chrome\n"
                  "with chrome.Chrome() as browser:\n    print(browser.folder, flush=True)\n    time.sleep(99)")
        with subprocess.Popen([sys.executable, "-c", script, str(Path(__file__).parent)], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, start_new_session=True) as process:
            folder = process.stdout.readline().strip()
            self.assertTrue(folder.startswith("/"), folder)
            self.assertNotEqual(self.processes(folder), [])
            by(process)
            process.wait(30)
            self.addCleanup(subprocess.run, ["rm", "-rf", folder], check=True)
            self.until(lambda: not self.processes(folder))
            self.assertEqual(shared.browser().run("return 6 * 7"), 42)

    def test_interrupted(self):
        "Ctrl-C leaves no browser behind"
        self.ends(lambda process: os.killpg(process.pid, signal.SIGINT))

    def test_killed(self):
        "a killed test leaves no browser behind"
        self.ends(lambda process: process.kill())

    def test_make_interrupted(self):
        "Ctrl-C at tests/run.py, as at make, ends the tests that it runs at once, and their browser"
        slow = self.folder / "slow.py"
        slow.write_text("import signal, sys, time; sys.path.insert(0, sys.argv[1][2:]); import chrome\n"
                        "signal.signal(signal.SIGTERM, signal.default_int_handler)\n"
                        "with chrome.Chrome() as browser:\n    open(sys.argv[2][2:], 'w').write(browser.folder)\n"
                        "    time.sleep(300)\n", encoding="utf-8")
        said = self.folder / "folder"
        command = [sys.executable, cases.ROOT / "tests/run.py", "--build", self.folder, "--backend", "sim", "--xml",
                   self.folder, f"script:{slow} --{Path(__file__).parent} --{said}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
            folder = self.until(lambda: said.is_file() and said.read_text(encoding="utf-8"))
            os.killpg(process.pid, signal.SIGINT)
            self.assertEqual((process.wait(20), process.stdout.read()), (130, "interrupted\n"))
        self.until(lambda: not self.processes(folder) and not Path(folder).exists())

    def until(self, true):
        """Waits for something to become true, and returns it."""
        deadline = time.monotonic() + 60
        while not true():
            self.assertLess(time.monotonic(), deadline, "it never came to pass")
            time.sleep(0.05)
        return true()

    def test_missing(self):
        "without Chromium, or with a snap of it, the tests say so and are skipped"
        stub = self.folder / "chromium-browser"
        stub.write_text("#!/bin/sh\necho 'run: snap install chromium'\n", encoding="utf-8")
        stub.chmod(0o755)
        done = self.call(sys.executable, Path(__file__).with_name("run.py"), env={"PATH": str(self.folder)}, status=2)
        self.assertEqual(done.stdout, f"SKIP: {chrome.NO_CHROMIUM}\n")
