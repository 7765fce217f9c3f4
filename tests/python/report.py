#!/usr/bin/env python3
"""The report (report/): the data behind each figure is what the labs' JSON and traces say; inputs that are none; the
same bytes each time. Pictures are compared with nothing: what is drawn comes from the data alone.

    tests/python/report.py [PART-OF-A-NAME]
"""
import json
import os
import resource
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

from support import cases

cases.needs("matplotlib", "jinja2", "jsonschema")
sys.path.insert(0, str(cases.ROOT / "report"))
import bandwidth  # noqa: E402
import comparison  # noqa: E402
import faults  # noqa: E402
import fidelity_data  # noqa: E402
import fidelity_figure  # noqa: E402
import figure  # noqa: E402
import patterns  # noqa: E402
import phases  # noqa: E402
import residency  # noqa: E402
import results  # noqa: E402
import timeline  # noqa: E402
import winners  # noqa: E402

import report  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
REPORT = cases.ROOT / "report/report.py"
MIB = 2**20
DATA = None  # folder with the results and traces of some small runs


def setUpModule():
    global DATA
    if not BUILD.name.startswith("sim") or not (BUILD / "lab6").exists():
        raise cases.Skip(f"no simulator's labs in {BUILD} (make); a GPU gives no trace")
    import atexit
    import shutil
    import tempfile

    DATA = Path(tempfile.mkdtemp(prefix="umlab-report-"))
    atexit.register(shutil.rmtree, DATA, ignore_errors=True)
    lab_runs(DATA)


def lab_runs(folder):
    import subprocess

    folder.mkdir(exist_ok=True)
    for lab, size in (("lab1", "1M"), ("lab3", "4M"), ("lab4", "1M"), ("lab5", "4M"), ("lab6", "4M")):
        subprocess.run([BUILD / lab, "--quiet", "--size", size, "--json", folder / f"{lab}.json"], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, "UMSIM_TRACE": str(folder / f"{lab}.jsonl")})


def group(lab):
    return results.collect([DATA / f"{lab}.json"])[0]


def row(strategy="a", size=MIB, **more):
    return {"strategy": strategy, "size_bytes": size, "verified": True, **more}


def document(*rows, **more):
    return {"schema": "umlab/1", "lab": "lab1", "backend": "sim", "profile": "p", "times": "modelled", "args": [],
            "rows": list(rows)} | more


def on_a_card(made):
    """The same results, as if measured."""
    made = {key: value for key, value in made.items() if key != "profile"}
    return made | {"backend": "cuda", "times": "measured", "device": {"name": "Card", "driver": "1", "cuda": "13.0"}}


class Data(cases.Case):
    def test_crossover_known(self):
        "a crossover stands where two lines of known numbers meet, and only a clear lead counts"
        slow = {"name": "slow", "points": [[1024, 1.0], [4096, 4.0], [16384, 4.0]]}
        fast = {"name": "fast", "points": [[1024, 0.5], [4096, 2.0], [16384, 32.0]]}
        found = bandwidth.crossovers([slow, fast])
        # In the logarithms: a lead of 2 at 4 KiB, of 1/8 at 16 KiB: it is gone a quarter of the way, at 4096 * 4 ** (1
        # / 4).
        self.assertEqual([(mark["size"], mark["from"], mark["to"], mark["best"]) for mark in found],
                         [(round(4096 * 4 ** 0.25), "slow", "fast", True)])
        self.assertAlmostEqual(found[0]["gbs"], 4.0)
        level = {"name": "level", "points": [[1024, 1.001], [4096, 3.999], [16384, 4.001]]}
        self.assertEqual(bandwidth.crossovers([slow, level]), [])
        better = {"name": "better", "points": [[1024, 100.0], [16384, 100.0]]}
        self.assertEqual([mark["best"] for mark in bandwidth.crossovers([slow, fast, better])], [False])
        equal = {"name": "equal", "points": [[1024, 1.0], [4096, 4.0], [16384, 8.0]]}
        self.assertEqual(bandwidth.crossovers([slow, equal]), [], "who was never behind overtakes nobody")

    def test_bandwidth_rows(self):
        "bandwidth: each point is a verified row's; single copies are bytes by time"
        rows = group("lab3").rows
        whole, to_device, to_host = bandwidth.panels(group("lab3"))
        points = {(line["name"], size): gbs for line in whole["lines"] for size, gbs in line["points"]}
        self.assertEqual(points, {(r["strategy"], r["size_bytes"]): r["bandwidth_gbs"] for r in rows
                                  if r["bandwidth_gbs"]})
        for panel, key in ((to_device, "copy_h2d_us"), (to_host, "copy_d2h_us")):
            points = {(line["name"], size): gbs for line in panel["lines"] for size, gbs in line["points"]}
            self.assertEqual(points, {(r["strategy"], r["size_bytes"]): r["size_bytes"] / r[key] / 1e3 for r in rows
                                      if r.get(key)})
        # The lab says `from 16 KiB on it is faster from pinned memory`, and pageable up to 1 KiB.
        mark, = [mark for mark in to_device["crossovers"] if (mark["from"], mark["to"]) == ("pageable", "pinned")]
        self.assertTrue(1024 <= mark["size"] <= 16384, mark)

    def test_phases(self):
        "time by phase: the parts are the row's, and add up to its total; engines that overlap are no parts of it"
        of = {r["strategy"]: r for r in group("lab5").rows}
        bars = phases.bars_of(list(of.values()))
        self.assertEqual({bar["name"] for bar in bars}, {name for name, r in of.items() if r["total_us"]})
        for bar in bars:
            self.assertAlmostEqual(sum(bar["us"].values()), of[bar["name"]]["total_us"], delta=2e-3 * bar["total_us"])
            for phase in phases.NAMES:
                self.assertEqual(bar["us"][phase], of[bar["name"]][f"{phase}_us"] or 0)
        overlapped, = phases.bars_of([row(h2d_us=60, kernel_us=50, d2h_us=40, total_us=80)])
        self.assertEqual(overlapped["us"], {"alloc": 0, "advice": 0, "host": 0, "h2d": 0, "kernel": 0, "d2h": 0,
                                             "mixed": 80})
        self.assertEqual([bar["size"] for bar in phases.bars_of([row(size=5, total_us=1), row(size=9, total_us=2),
                                                                 row(size=7, total_us=3)])], [9])

    def test_wrong_rows(self):
        "what is wrong or skipped is in no figure"
        rows = [row("good", bandwidth_gbs=1.0, total_us=5),
                row("bad", bandwidth_gbs=2.0, total_us=6) | {"verified": False},
                row("left out", bandwidth_gbs=3.0, total_us=7) | {"verified": None}]
        self.assertEqual([line["name"] for line in bandwidth.lines_of(rows)], ["good"])
        self.assertEqual([bar["name"] for bar in phases.bars_of(rows)], ["good"])

    def test_timeline(self):
        ("timeline: an engine does one thing at a time; the length is the lab's total; overlapping is what the lab "
         "says it is")
        of = {panel["title"]: panel for panel in timeline.panels(group("lab3"))}
        rows = {r["strategy"]: r for r in group("lab3").rows}
        for name in ("one-stream", "overlapped", "overlapped-pageable"):
            self.assertAlmostEqual(of[name]["total_us"], rows[name]["total_us"], places=3)
            for lane in of[name]["lanes"]:
                if lane["engine"] != "compute":  # of the kernels of a chunk those without a gap are one bar
                    self.assertEqual(len(lane["bars"]), 8, (name, lane["engine"]))
                for before, after in zip(lane["bars"], lane["bars"][1:]):
                    self.assertLessEqual(before[1], after[0])
            self.assertAlmostEqual(of[name]["engines_busy"], rows[name]["engines_busy"], places=3)
            self.assertEqual(of[name]["axis_us"], max(panel["total_us"] for panel in of.values()))
        self.assertLessEqual(of["one-stream"]["engines_busy"], 1)
        self.assertGreater(of["overlapped"]["engines_busy"], of["one-stream"]["engines_busy"])
        trace = [json.loads(line) for line in (DATA / "lab3.jsonl").read_text().splitlines()]
        start, = [e["time_ns"] for e in trace if e["event"] == "phase" and e["row"] == "overlapped" and e["phase"]
                  == "mixed"]
        end, = [e["time_ns"] for e in trace if e["event"] == "phase end" and e["row"] == "overlapped"]
        copies = sorted([(e["start_ns"] - start) / 1e3, (e["end_ns"] - start) / 1e3] for e in trace
                        if e["event"] == "memcpy"
                        and e["detail"] == "DtoH" and start <= e["start_ns"] < end)
        self.assertEqual(of["overlapped"]["lanes"][2], {"engine": "D2H copy", "bars": copies})

    def test_faults(self):
        "faults and bytes: the phases of a row add up to the row of the lab's table"
        keys = dict(zip(faults.KEYS, ("cpu_faults", "gpu_fault_groups", "bytes_migrated_h2d", "bytes_migrated_d2h",
                                      "bytes_h2d", "bytes_d2h")))
        for lab, rows_at_least in (("lab5", 8), ("lab6", 7)):
            of = group(lab)
            bars = faults.panels(of)[0]["bars"]
            names = {bar["row"] for bar in bars}
            self.assertGreaterEqual(len(names), rows_at_least)
            for r in of.rows:
                # The sum of all steps is no row of its own in the trace.
                if r["verified"] and r["strategy"] != "managed":
                    for key, column in keys.items():
                        got = sum(bar[key] for bar in bars if bar["row"] == r["strategy"])
                        self.assertEqual(got, r[column], (lab, r["strategy"], key))

    def test_faults_without_trace(self):
        "faults and bytes of a GPU, which gives no trace, are those of its rows"
        bare = group("lab5")._replace(trace=None)
        bars = {bar["row"]: bar for bar in faults.panels(bare)[0]["bars"]}
        managed, = [r for r in bare.rows if r["strategy"] == "managed"]
        self.assertEqual((bars["managed"]["cpu_faults"], bars["managed"]["moved_d2h"]),
                         (managed["cpu_faults"], managed["bytes_migrated_d2h"]))
        self.assertEqual((timeline.panels(bare), residency.panels(bare)), ([], []))

    def states_at(self, panel, us):
        pages = [residency.NOWHERE] * panel["pages"]
        for at, first, count, state in panel["states"]:
            if at < us:  # at that moment the next step begins
                pages[first:first + count] = [state] * count
        return set(pages)

    def test_residency(self):
        ("pages over time: after each step they are where the lab draws them; what moved and who faulted is what was "
         "counted")
        of = {panel["title"].split(",")[0]: panel for panel in residency.panels(group("lab5"))}
        managed, rows = of["managed"], {r["strategy"]: r for r in group("lab5").rows}
        self.assertEqual(managed["pages"] * managed.get("page_bytes", 4096), 4 << 20)
        after = {name: end for name, _, _, end in managed["phases"]}
        self.assertEqual(list(after), ["host writes", "kernel", "kernel again", "host reads"])
        self.assertEqual([self.states_at(managed, after[name]) for name in after],
                         [{residency.HOST}, {residency.GPU}, {residency.GPU}, {residency.HOST}])
        moved = {to: sum(bytes_ for _, bytes_, where, _ in managed["moves"] if where == to) for to in ("GPU", "host")}
        self.assertEqual(moved, {"GPU": rows["managed"]["bytes_migrated_h2d"],
                                 "host": rows["managed"]["bytes_migrated_d2h"]})
        groups = sum(number for _, _, side, number in managed["faults"] if side == "GPU")
        self.assertEqual(groups, rows["managed"]["gpu_fault_groups"])
        steps = {panel["title"].split(",")[0]: panel for panel in residency.panels(group("lab6"))}
        self.assertIn(residency.BOTH, {state for *_, state in steps["read-mostly"]["states"]})
        self.assertIn(residency.MAPPED, {state for *_, state in steps["accessed-by"]["states"]})
        self.assertEqual(steps["accessed-by"]["moves"], [])

    def test_patterns(self):
        "access patterns: a cell is a row's time; the best of a column is 1"
        panel, = patterns.panels(group("lab4"))
        times = {r["strategy"]: r["work_us"] for r in group("lab4").rows}
        for kind, line, factors in zip(panel["kinds"], panel["us"], patterns.factors(panel)):
            for pattern, us, factor in zip(panel["patterns"], line, factors):
                self.assertEqual(us, times.get(f"{kind} {pattern}"))
                self.assertEqual(factor is None, us is None)
        for column in zip(*patterns.factors(panel)):
            self.assertEqual(min(value for value in column if value), 1)

    def test_winners(self):
        "winners: a cell has the least time of its pattern and size, by the rows"
        kinds = ",".join(winners.KINDS)
        self.call(BUILD / "lab9", "--quiet", "--size", "1M", "--strategy", kinds, "--json", self.folder / "lab9.json")
        found, = results.collect([self.folder / "lab9.json"])
        self.assertEqual([kind for kind, _ in report.lab_specs([found])], [winners, patterns])
        rows = found.rows
        for panel, key in zip(winners.panels(found), ("work_us", "total_us"), strict=True):
            self.assertEqual((len(panel["patterns"]), len(panel["sizes"])), (6, 3))
            for pattern, line in zip(panel["patterns"], panel["cells"]):
                for size, cell in zip(panel["sizes"], line):
                    mine = {r["strategy"].split(" ", 1)[0]: r[key] for r in rows
                            if r["strategy"].endswith(" " + pattern)
                            and results.size_text(r["size_bytes"]) == size}
                    self.assertEqual((len(mine), cell["us"]), (6, min(mine.values())))
                    self.assertTrue(all(mine[kind] < winners.ALIKE * cell["us"] for kind in cell["kinds"]))
                    self.assertGreaterEqual(cell["next"], winners.ALIKE)

    def test_fidelity(self):
        "modelled against measured: cells, errors and chapters are fidelity.py's"
        program = BUILD / "test/fidelity"
        if not fidelity_data.available(program):
            raise cases.Skip(f"no {program} (make fidelity)")
        made = fidelity_data.run(program, largest_mib=1)
        sys.path.insert(0, str(cases.ROOT / "tests/fidelity"))
        import fidelity

        runs = fidelity.runs_of([fidelity.MEASURED])
        modelled = fidelity.samples(str(program), "--largest", "1")[1]
        theirs = [fidelity.Cell(name, runs, modelled[name]) for name in modelled]
        theirs = {cell.name: cell for cell in theirs if cell.timed and not fidelity.is_figure(cell.name)
                  and cell.model_us > 0}
        points, boxes = fidelity_figure.panels(made)
        ours = {cell["name"]: cell for cells in points["chapters"].values() for cell in cells}
        self.assertEqual(set(ours), set(theirs))
        for name, cell in ours.items():
            self.assertAlmostEqual(cell["error_percent"], theirs[name].error, places=2)
        judged = [cell for cell in theirs.values() if cell.in_statistics() and fidelity.is_set_aside(cell.name)]
        self.assertEqual(sum(box["cells"] for box in boxes["boxes"]), len(judged))

    def test_sources(self):
        "each figure says modelled or measured and of which machine; each axes has units; never two unlabelled"
        cases.write_json(self.folder / "sim.json", json.loads((DATA / "lab3.json").read_text()))
        cases.write_json(self.folder / "card.json", on_a_card(json.loads((DATA / "lab3.json").read_text())))
        groups = results.collect(sorted(self.folder.glob("*.json")))
        self.assertEqual(len(groups), 2)
        for kind, spec in report.lab_specs(groups):
            text = report.style.svg(figure.draw(kind, spec), spec)
            source, = {column["source"] for column in spec["columns"]}
            self.assertIn(source, ("modelled, profile h200-pcie5", "measured, Card, driver 1, CUDA 13.0"))
            self.assertIn(source, text)
            self.assertNotIn("mathdefault", text)
        both, _ = comparison.specs(f"{self.folder}/sim.json,{self.folder}/card.json", report.KINDS, figure.make)
        for kind, spec in both:
            drawn = figure.draw(kind, spec)
            for word in ("A: sim (modelled", "B: card (measured"):
                self.assertIn(word, report.style.svg(drawn, spec), spec["id"])
        for kind, spec in report.lab_specs([group("lab5"), group("lab4")]):
            foot = [axes for axes in figure.draw(kind, spec).axes
                    if axes.xaxis.get_tick_params().get("labelbottom", True)]
            for axes in foot:
                self.assertTrue(axes.get_xlabel() or axes.get_ylabel(), spec["id"])


class Inputs(cases.Case):
    def refuse(self, text, *words):
        """The file's text is refused in one line that has these words."""
        path = self.folder / "x.json"
        path.write_bytes(text if isinstance(text, bytes)
                         else (text if isinstance(text, str) else json.dumps(text)).encode())
        with self.assertRaises(results.BadInput) as caught:
            results.collect([path])
        said = str(caught.exception)
        self.assertNotIn("\n", said)
        for word in ("x.json", *words):
            self.assertIn(word, said)

    def test_bad_input(self):
        "files that are no results are refused in one line that names the file and what is wrong"
        self.refuse("", "empty")
        self.refuse("{", "not readable as JSON")
        self.refuse(b"\xff\xfe", "not readable as JSON")
        self.refuse("[" * 100000, "not readable as JSON")
        self.refuse([], "no results of a lab")
        self.refuse({"schema": "umlab/2"}, "no results of a lab")
        self.refuse({key: value for key, value in document().items() if key != "rows"}, "rows")
        self.refuse(document() | {"times": "measured"}, "modelled")
        self.refuse(document() | {"lab": "../x"}, "lab")
        self.refuse(document({"size_bytes": 1}), "strategy")
        self.refuse(document(row(size="big")), "size_bytes")
        self.refuse(document(row(size=-1)), "size_bytes")
        self.refuse(document(row(total_us=True)), "total_us")
        self.refuse(document(row(size=0, total_us=3.0)), "size 0")
        self.refuse(json.dumps(document(row(total_us=float("nan")))), "no finite number")
        self.refuse(json.dumps(document(row())).replace('"size_bytes"', '"size"'), "size_bytes")
        self.refuse(on_a_card(document()) | {"device": {"name": "Card"}}, "device")

    def test_size_zero(self):
        "a row that measured nothing may have size 0 (an address that was looked at)"
        path = cases.write_json(self.folder / "x.json", document(row(size=0, total_us=None)))
        self.assertEqual(len(results.collect([path])[0].rows), 1)

    def test_bad_trace(self):
        "a trace that is none, of another lab or of another machine, is refused; a last line that is cut short is not"
        cases.write_json(self.folder / "x.json", document(row(total_us=1.0)))
        trace = self.folder / "x.jsonl"
        head = '{"event":"trace","version":1,"program":"lab1","profile":"p"}\n'
        for text, word in (("", "no trace"), ("{}\n{}\n", "no event"), (head.replace("lab1", "lab2"), "lab2"),
                           (head.replace('"p"', '"q"'), "on q"), (head.replace(":1", ":2"), "version 1"),
                           (head + "nonsense\n" + head, "line 2"), (head + '{"event":"phase"}\n', "lacks")):
            trace.write_text(text)
            with self.assertRaises(results.BadInput, msg=text) as caught:
                results.collect([self.folder / "x.json"])
            self.assertIn(word, str(caught.exception))
        trace.write_text(head + '{"event":"pha')
        self.assertEqual(len(results.collect([self.folder / "x.json"])[0].trace.events), 1)

    def refused(self, *arguments, word, before=None):
        """The command ends with 2 and one line, and leaves the folder as it was."""
        out = self.folder / "out"
        done = self.call(sys.executable, REPORT, "--out", out, *arguments, status=2, preexec_fn=before)
        self.assertEqual((done.stdout, len(done.stderr.splitlines())), ("", 1), done.stderr)
        self.assertIn(word, done.stderr)
        return out

    def test_command(self):
        ("missing files, folders without results or labs, places that cannot be written to: exit 2, one line, nothing "
         "is left")
        good = cases.write_json(self.folder / "good.json", document(row(total_us=5.0, bandwidth_gbs=1.0)))
        (self.folder / "none").mkdir()
        for arguments, word in ((["/no/such"], "no such file"), ([self.folder / "none"], "no .json file"),
                                (["--run", self.folder / "none"], "no labs here"),
                                (["--compare", "only-one"], "two files"),
                                (["--compare", f"{good},/no/such"], "no such file")):
            self.assertFalse(self.refused(*arguments, word=word).exists())
        done = self.call(sys.executable, REPORT, "--out", good / "sub", good, status=2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_labs_that_do_not_run(self):
        "a lab that cannot run here is left out, and the page says why; when none can, that is the one line"
        build = self.folder / "sim"
        build.mkdir()
        (build / "lab1").symlink_to(BUILD / "lab1")
        (build / "lab7").write_text("#!/bin/sh\necho first >&2\necho no such thing here >&2\nexit 2\n")
        (build / "lab7").chmod(0o755)
        self.call(sys.executable, REPORT, "--out", self.folder / "some", "--run", build)
        self.assertIn("lab7 did not run here: no such thing here", (self.folder / "some/report.html").read_text())
        self.assertEqual(sorted(path.name for path in (self.folder / "some/data").iterdir())[:2],
                         ["lab1-16M.json", "lab1-16M.jsonl"])
        (build / "lab1").unlink()
        self.refused("--run", build, word="no such thing here")
        (build / "lab7").write_text("#!/bin/sh\nkill -SEGV $$\n")
        self.refused("--run", build, word="signal 11")

    def test_full_disk(self):
        "a disk that fills up: exit 2, one line, and the report of before is untouched"
        good = cases.write_json(self.folder / "good.json", document(row(total_us=5.0, bandwidth_gbs=1.0),
                                                                     row("b", total_us=7.0, bandwidth_gbs=2.0)))
        out = self.folder / "out"
        out.mkdir()
        (out / "report.html").write_text("before")
        self.refused(good, word="large", before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
        self.assertEqual([(path.name, path.read_text()) for path in out.iterdir()], [("report.html", "before")])

    def test_names(self):
        "names are text: markup, formulas and dollars in a strategy or a profile do nothing"
        hostile = "<script>alert(1)</script> $x_2$ {{ 7*7 }}"
        cases.write_json(self.folder / "x.json", document(row(hostile, total_us=5.0, bandwidth_gbs=1.0),
                                                          row("$", total_us=2.0), profile=hostile))
        out = self.folder / "out"
        self.call(sys.executable, REPORT, "--out", out, self.folder / "x.json")
        text = (out / "report.html").read_text()
        self.assertNotIn("<script", text)
        self.assertIn("{{ 7*7 }}", text)
        for path in (out / "figures").glob("*.svg"):
            ET.fromstring(path.read_text().replace("xlink:href", "href"))


class Whole(cases.Case):
    def test_same_bytes(self):
        ("two reports of the same results are the same bytes: page, PDF, figures, data; what labs do again gives the "
         "same data")
        inputs = [DATA / "lab1.json", DATA / "lab5.json"]
        for name in ("one", "two"):
            done = self.call(sys.executable, REPORT, "--out", self.folder / name, *inputs)
            self.assertEqual(done.stdout.splitlines()[-1], str(self.folder / name / "report.html"))
        files = sorted(path.relative_to(self.folder / "one") for path in (self.folder / "one").rglob("*")
                       if path.is_file())
        self.assertEqual([str(path) for path in files if len(path.parts) == 1],
                         ["data.json", "lab1.html", "lab5.html", "report.html", "report.pdf"])
        for path in files:
            self.assertEqual((self.folder / "one" / path).read_bytes(), (self.folder / "two" / path).read_bytes(), path)
        lab_runs(self.folder / "again")
        specs = [[spec for _, spec in report.lab_specs(results.collect(sorted(folder.glob("*.json"))))]
                 for folder in (DATA, self.folder / "again")]
        self.assertGreater(len(specs[0]), 10)
        self.assertEqual(json.dumps(specs[0]), json.dumps(specs[1]))

    def test_page(self):
        ("a page needs nothing else but the report's other pages, has each figure once, and no two things in it have "
         "one id; data.json has the figures' data")
        import re

        out = self.folder / "out"
        self.call(sys.executable, REPORT, "--out", out, DATA / "lab3.json", DATA / "lab4.json", DATA / "lab1.json")
        pages = {path.name: path.read_text() for path in out.glob("*.html")}
        self.assertEqual(sorted(pages), ["lab1.html", "lab3.html", "lab4.html", "report.html"])
        for text in pages.values():
            self.assertEqual(set(re.findall(r'(?:src|href)="(?!#|data:)([^"]*)"', text)), set(pages))
            ids = re.findall(r'\bid="([^"]+)"', text)
            self.assertEqual(len(ids), len(set(ids)))
            for target in re.findall(r'(?:href="|url\()#([^")]+)', text):
                self.assertIn(target, ids)
            self.assertLess(len(text.encode()), 500_000)
        self.assertIn("times as long as adding", pages["report.html"])
        text = "".join(pages.values())
        data = json.loads((out / "data.json").read_text())
        names = [spec["id"] for spec in data["figures"]]
        self.assertEqual(text.count('class="umlab-figure"'), len(names))
        self.assertEqual(sorted(path.stem for path in (out / "figures").glob("*.svg")), sorted(names))
        self.assertEqual(sorted(path.stem for path in (out / "figures").glob("*.png")), sorted(names))
        self.assertIn({"source": "modelled, profile h200-pcie5", "panels": timeline.panels(group("lab3"))},
                      [column for spec in data["figures"] for column in spec["columns"]])

    def test_wrong_result(self):
        "a wrong result: the report is written, says so, and exits with 1"
        path = cases.write_json(self.folder / "x.json",
                                document(row("good", total_us=5.0), row("bad", total_us=5.0) | {"verified": False}))
        done = self.call(sys.executable, REPORT, "--out", self.folder / "out", path, status=1)
        self.assertIn("1 results are wrong", done.stderr)
        self.assertIn("wrong: bad", (self.folder / "out/report.html").read_text().replace("</b> ", ""))

    def test_compare(self):
        "side by side: the ratio is B's time by A's; only what both did; a submission's points beside another's"
        a = cases.write_json(self.folder / "a.json", document(row("x", total_us=2.0), row("y", total_us=8.0),
                                                              row("z", total_us=1.0)))
        b = cases.write_json(self.folder / "b, c.json", document(row("x", total_us=6.0), row("y", total_us=4.0)))
        specs, _ = comparison.specs(f"{a},{b}", report.KINDS, figure.make)
        bars = specs[-1][1]["columns"][0]["panels"][0]["bars"]
        self.assertEqual([(bar["name"], bar["ratio"]) for bar in bars], [("x", 3.0), ("y", 0.5)])
        self.assertEqual([column["source"] for column in specs[0][1]["columns"]],
                         ["A: a (modelled, profile p)", "B: b, c (modelled, profile p)"])
        one = cases.write_json(self.folder / "one.json", cases.sample(["PASS", "PASS"]))
        two = cases.write_json(self.folder / "two.json", cases.sample(["PASS", "FAIL"]))
        (kind, spec), = comparison.specs(f"{one},{two}", report.KINDS, figure.make)[0]
        self.assertEqual([column["panels"][0]["title"] for column in spec["columns"]],
                         ["4 of 4 points", "2 of 4 points"])
        self.call(sys.executable, REPORT, "--out", self.folder / "out", "--compare", f"{one},{two}")
        with self.assertRaises(results.BadInput):
            comparison.specs(f"{a},{one}", report.KINDS, figure.make)

    def test_lab_figures(self):
        "figures for the documents: a file a lab, in the page's colour, on no background"
        out = self.folder / "figures"
        done = self.call(sys.executable, cases.ROOT / "report/lab_figures.py", "--out", out, DATA)
        self.assertEqual(done.stdout.splitlines()[-1], str(out))
        for lab in ("lab1", "lab3", "lab4", "lab5", "lab6"):
            text = (out / f"{lab}.svg").read_text()
            ET.fromstring(text)
            self.assertIn("currentColor", text)
            self.assertNotIn(report.style.INK + ";", text.split("</style>", 1)[1])
        done = self.call(sys.executable, cases.ROOT / "report/lab_figures.py", "--out", out, "/no/such", status=2)
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    sys.exit(cases.main())
