#!/usr/bin/env python3
"""One language of pictures: the colours of the report, the viewer and the site are the same, and each figure says what
to look for.

    tests/python/pictures.py [PART-OF-A-NAME]
"""
import sys

from support import cases

cases.needs("matplotlib", "jinja2", "jsonschema")
sys.path.insert(0, str(cases.ROOT / "report"))
import bandwidth  # noqa: E402
import faults  # noqa: E402
import figure  # noqa: E402
import palette  # noqa: E402
import phases  # noqa: E402
import residency  # noqa: E402
import results  # noqa: E402
import view  # noqa: E402

import report  # noqa: E402

SOURCE = results.Source("lab1", "sim", "p", "modelled")


def row(strategy, **more):
    return {"strategy": strategy, "size_bytes": 1 << 20, "verified": True, **more}


class Pictures(cases.Case):
    def test_colours(self):
        ("host and GPU have one colour each, everywhere: the report's, the viewer's and matplotlib's are the site's; a "
         "movement is drawn from one to the other, and follows light and dark")
        site = (cases.ROOT / "docs/style/umlab.css").read_text()
        light, dark = palette.variables(site[:site.index("@media")]), palette.variables(
            site[site.index(':root[data-theme="dark"]'):site.index("/* ---- The page")])
        for name in ("host", "gpu", "both", "none"):
            self.assertEqual((palette.LIGHT[name], palette.DARK[name]), (light[name], dark[name]), name)
        self.assertEqual(set(palette.LIGHT), set(palette.DARK))
        self.assertEqual(len({palette.LIGHT[name] for name in report.style.DRAWN}), len(report.style.DRAWN))
        self.assertIn(palette.CSS, view.page_of({"meta": {"program": "lab5", "source": "lab5.jsonl"}}))
        rows = [row("a", h2d_us=4.0, kernel_us=1.0, d2h_us=3.0, total_us=8.0), row("b", host_us=2.0, total_us=2.0)]
        spec, = figure.make(phases, "lab1", [("modelled", phases.panels(results.Group(SOURCE, rows, None)))])
        text = report.style.svg(figure.draw(phases, spec), spec, page_colours=True)
        self.assertIn('<stop offset="0" style="stop-color: var(--host, ', text)
        self.assertIn("fill: url(#lab1-phases-to-gpu)", text)
        self.assertIn("fill: var(--kernel, ", text)

    def test_pages(self):
        "a lab whose figures are too much for one page has two; each figure is on one, the table on the last"
        svg = "x" * (report.page.MOST_BYTES // 2)
        figures = [({"lab": lab, "id": f"{lab}-{number}", "title": f"{lab}: figure {number}"}, svg)
                   for lab in ("lab1", "lab2") for number in range(3)]
        made = report.page.sections(figures, {"lab1": [{"seen": "It."}]})
        self.assertEqual([(part["file"], len(part["figures"]), len(part["tables"])) for part in made],
                         [("lab1.html", 2, 0), ("lab1-2.html", 1, 1), ("lab2.html", 2, 0), ("lab2-2.html", 1, 0)])
        self.assertEqual([part["card"] for part in made], ["It.", "figure 2", "figure 0; figure 1", "figure 2"])

    def test_map(self):
        "a map of pages is a picture for each state: together they show its shares, and each has the page's colour"
        panel = {"title": "x", "pages": 1024, "end_us": 9.0, "phases": [], "faults": [], "moves": [],
                 "states": [[1.0, 0, 1024, residency.HOST], [4.0, 0, 511, residency.GPU], [6.0, 3, 5, residency.BOTH]]}
        shares = residency.grid(panel)
        self.assertEqual(abs(shares.sum(axis=0) - 1).max(), 0)
        seen = [0 * shares[0] for _ in shares]
        for colour, opacity in residency.layers(shares):
            seen = [one * (1 - opacity) for one in seen]
            seen[[of for _, of in residency.STATES].index(colour)] += opacity
        self.assertLess(max(abs(one - share).max() for one, share in zip(seen, shares)), 1e-12)
        spec, = figure.make(residency, "lab5", [("modelled", [panel])])
        text = report.style.svg(figure.draw(residency, spec), spec, page_colours=True)
        for name in ("none", "host", "gpu", "both"):
            self.assertEqual(text.count(f'filter="url(#lab5-residency-tint-{name})"'), 1, name)
            self.assertIn(f"flood-color: var(--{name}, ", text)

    def test_told_what_to_see(self):
        "each kind of figure says what to look for, and none draws a chart of one bar"
        for kind in {*report.KINDS, *(kind for kinds in report.KINDS_OF.values() for kind in kinds)}:
            self.assertTrue(kind.CAPTION.startswith("Look "), kind.KIND)
        paths = [row(name, bandwidth_gbs=gbs) for name, gbs in (("a", 1.0), ("b", 9.0))]
        for rows, word in ((paths, "points"), (paths + [{**one, "size_bytes": 2 << 20} for one in paths], "lines")):
            spec, = figure.make(bandwidth, "lab1", [("", bandwidth.panels(results.Group(SOURCE, rows, None)))])
            self.assertRegex(spec["caption"], f"^Look for [a-z ]*{word}")
        alone = results.Group(SOURCE, [row("only", total_us=5.0, bandwidth_gbs=1.0)], None)
        alone.rows[0]["cpu_faults"] = 7
        self.assertEqual((phases.panels(alone), bandwidth.panels(alone), faults.panels(alone)), ([], [], []))


if __name__ == "__main__":
    sys.exit(cases.main())
