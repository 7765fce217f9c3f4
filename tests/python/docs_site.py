#!/usr/bin/env python3
"""docs/site/finish.py: what a page's source has and its text must not is found, and ends `make docs`; and a place that
the search leads to is the one whose heading it names.

    tests/python/docs_site.py [PART-OF-A-DOCSTRING...]
"""
import json
import subprocess
import sys

from support import cases

FINISH = cases.ROOT / "docs/site/finish.py"
PAGE = """<!DOCTYPE html><html lang="en"><head><title>A page</title></head><body><main>
<h1 class="title">A page</h1><p>{}</p></main></body></html>
"""
# Each as a reader would see it: Doxygen has escaped what it did not understand.
RAW = {
    "a table that was not understood": '&lt;table class="markdownTable"&gt; &lt;tr class="x"&gt;',
    "a tag": "&lt;strong&gt;device&lt;/strong&gt;",
    "a comment": "&lt;!-- insert: output hello --&gt;",
    "a link over two lines": "[One pointer, two languages](interop.md)",
    "a link to a place": "[below](#below)",
    "a row of a table": "before\n| lab | what |\nbehind",
    "emphasis": "this is **not** so",
    "emphasis of code": "<p>**<code>x</code>** is</p>",
    "an entity": "4 &amp;lt; 5",
    "a heading": "before\n## Predict\nbehind",
    "a task": "\n[ ] done",
    "a fence": "```\ncode",
}
FINE = ("2**20 and a**b", "char **argv", "a[i](b)", "x &lt; y and y &gt; z", "a | b", "C#, # of pages", "5 * 3 * 2",
        "<code>**kwargs** &lt;tag&gt; [a](b.md)</code>", "<pre>| a |\n## b</pre>")


class Site(cases.Case):
    def finish(self, *bodies):
        links = "".join(f'<a href="page{number}.html">page</a>' for number in range(len(bodies)))
        (self.folder / "index.html").write_text(PAGE.format(links), encoding="utf-8")
        for number, body in enumerate(bodies):
            (self.folder / f"page{number}.html").write_text(PAGE.format(body), encoding="utf-8")
        return subprocess.run([sys.executable, FINISH, "--html", self.folder], capture_output=True, text=True,
                              timeout=60, check=False)

    def test_raw(self):
        "markup that stands in a page's text is an error that names the page"
        for what, body in RAW.items():
            done = self.finish(body)
            self.assertEqual(done.returncode, 1, what)
            self.assertRegex(done.stderr, r"^docs: page0.html: '.*' stands in the text", what)

    def test_fine(self):
        "what only looks like markup, and markup that is shown as code, is none"
        done = self.finish(*FINE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_anchors(self):
        "a heading's entry leads to its own place, whether the place is named before the heading or in it"
        body = ('</p><p><a class="anchor" id="md_page"></a>Text.</p><h2><a class="anchor" id="a-run"></a>\nRun</h2>'
                '<p>running</p><a id="a-then"></a><h2>Then</h2><p>more')
        self.assertEqual(self.finish(body).returncode, 0)
        line = (self.folder / "search.js").read_text(encoding="utf-8").splitlines()[0]
        entries = json.loads(line.partition("=")[2].rstrip(";"))
        self.assertEqual([entry[:2] for entry in entries if entry[2]],
                         [["Run", "page0.html#a-run"], ["Then", "page0.html#a-then"]])


if __name__ == "__main__":
    sys.exit(cases.main())
