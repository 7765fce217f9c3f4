#!/usr/bin/env python3
"""The report (report/) of several devices: engines, directions and pages are what lab 10's JSON and trace, and random
histories, say.

    tests/python/report_devices.py [PART-OF-A-NAME]
"""
import json
import os
import subprocess
import sys
from pathlib import Path

from support import cases

cases.needs("matplotlib", "jinja2", "jsonschema", "numpy")
sys.path.insert(0, str(cases.ROOT / "report"))
import directions  # noqa: E402
import engines  # noqa: E402
import faults  # noqa: E402
import figure  # noqa: E402
import holders  # noqa: E402
import residency  # noqa: E402
import results  # noqa: E402
import timeline  # noqa: E402
import traces  # noqa: E402

import report  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
SIDES = {(0, 1): "to_devices_mib", (0, 2): "to_devices_mib", (1, 0): "to_host_mib", (2, 0): "to_host_mib",
         (1, 2): "between_mib", (2, 1): "between_mib"}
DATA = None  # folder with lab 10's results and trace


def traced(trace, *command, profile="h200-nvlink2"):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("UMSIM_")}
    environment.pop("CUDA_VISIBLE_DEVICES", None)
    done = subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True, timeout=200,
                          env=environment | {"UMSIM_TRACE": str(trace), "UMSIM_PROFILE": profile})
    return done.stdout


def setUpModule():
    global DATA
    if not BUILD.name.startswith("sim") or not (BUILD / "lab10").exists():
        raise cases.Skip(f"no simulator's lab 10 in {BUILD} (make)")
    import atexit
    import shutil
    import tempfile

    DATA = Path(tempfile.mkdtemp(prefix="umlab-report-"))
    atexit.register(shutil.rmtree, DATA, ignore_errors=True)
    traced(DATA / "lab10.jsonl", BUILD / "lab10", "--quiet", "--size", "16M", "--json", DATA / "lab10.json")


def group():
    return results.collect([DATA / "lab10.json"])[0]


class Devices(cases.Case):
    def test_engines(self):
        ("engines: each bar is an operation of that device's engine, and an engine does one thing at a time; a row's "
         "length is the lab's total")
        found, events = group(), [json.loads(line) for line in (DATA / "lab10.jsonl").read_text().splitlines()]
        of, rows = {panel["title"]: panel for panel in engines.panels(found)}, {r["strategy"]: r for r in found.rows}
        self.assertTrue({"through-host", "peer-copy", "managed", "halo-overlap", "sum-both", "table-relay"} <= set(of))
        self.assertNotIn("one-device", of)
        for name in ("halo-host", "halo-copy", "halo-overlap", "halo-direct"):
            self.assertAlmostEqual(of[name]["total_us"], rows[name]["total_us"], delta=0.01 * rows[name]["total_us"])
        for panel in of.values():
            for lane in panel["lanes"]:
                bars = sorted(bar for part in lane["parts"] for bar in part["bars"])
                for before, after in zip(bars, bars[1:]):
                    self.assertLessEqual(before[1], after[0] + 1e-6, (panel["title"], lane["name"]))
        start = next(e["time_ns"] for e in events if e["event"] == "phase" and e["row"] == "halo-copy")
        end = next(e["time_ns"] for e in events if e["event"] == "phase end" and e["row"] == "halo-copy")
        lanes = {lane["name"]: lane["parts"] for lane in of["halo-copy"]["lanes"]}
        self.assertEqual(list(lanes), ["0: kernels", "0: link", "1: link", "1: kernels"])
        for device, way in ((0, (1, 2)), (1, (2, 1))):
            copies = sorted([(e["start_ns"] - start) / 1e3, (e["end_ns"] - start) / 1e3] for e in events
                            if e["event"] == "memcpy" and e["device"] == device and start <= e["issue_ns"] < end)
            self.assertEqual(lanes[f"{device}: link"], [{"way": way, "bars": copies}])
            self.assertEqual(len(copies), 8)
        self.assertEqual({panel["group"] for panel in of.values()}, {"", "managed", "halo", "sum", "table"})

    def test_prefetch(self):
        "engines: a prefetch between devices goes where it says, whichever device's engine works"
        panel, = [panel for panel in engines.panels(group()) if panel["title"] == "managed-prefetch"]
        ways = [part["way"] for lane in panel["lanes"] for part in lane["parts"] if part["way"]]
        self.assertEqual(sorted(ways), [(1, 2), (2, 1)])

    def test_directions(self):
        "directions: the ways of a row add up to the lab's own bytes; faults of both devices to its fault groups"
        found = group()
        copied, moved, faulted = directions.panels(found)
        compared, sums = 0, {}
        for panel in (copied, moved):
            for bar in panel["bars"]:
                for source, target, count in bar["parts"]:
                    key = bar["row"], SIDES[source, target]
                    sums[key] = sums.get(key, 0) + count / 2**20
        for row in found.rows:
            for key in set(SIDES.values()):
                if row.get(key) is not None:
                    self.assertAlmostEqual(sums.get((row["strategy"], key), 0), row[key], places=2, msg=(row, key))
                    compared += 1
            groups = sum(number for bar in faulted["bars"] if bar["row"] == row["strategy"]
                         for who, number in bar["faults"] if who)
            self.assertEqual(groups, row["gpu_fault_groups"], row["strategy"])
        self.assertGreater(compared, 50)
        ways = {(bar["row"], *part[:2]) for panel in (copied, moved) for bar in panel["bars"] for part in bar["parts"]}
        for way in (("through-host", 1, 0), ("through-host", 0, 2), ("staged", 1, 2), ("managed", 2, 1),
                    ("sum-gather", 2, 1), ("table-relay", 1, 2)):
            self.assertIn(way, ways)

    def test_measured(self):
        "directions of a GPU, which gives no trace, are the three that its rows tell, and say measured"
        document = json.loads((DATA / "lab10.json").read_text())
        document = {key: value for key, value in document.items() if key != "profile"} | {
            "backend": "cuda", "times": "measured", "device": {"name": "Card", "driver": "1", "cuda": "13.0"}}
        found, = results.collect([cases.write_json(self.folder / "card.json", document)])
        panel, = directions.panels(found)
        rows = {r["strategy"]: r for r in found.rows}
        for bar in panel["bars"]:
            self.assertEqual(bar["parts"], [[key, rows[bar["row"]][key] * 2**20] for key in directions.ROW_WAYS
                                            if rows[bar["row"]][key]])
        spec, = figure.make(directions, "lab10", [(results.label(found.source), [panel])])
        text = report.style.svg(figure.draw(directions, spec), spec)
        self.assertIn("measured, Card", text)
        self.assertIn("between devices", text)
        self.assertEqual((engines.panels(found), residency.panels(found)), ([], []))

    def test_pages(self):
        ("pages over time: after each of some random steps of the host and two devices they are where the simulator "
         "has them")
        program, compared = self.folder / "history", 0
        self.call(BUILD / "bin/umcc", "-o", program, cases.ROOT / "tests/python/support/history.cu")
        letter = [".", "H", "0", "1", "=", "H", "0", "1"]  # of each state (holders.states)
        self.assertEqual(len(holders.states(2)), len(letter))
        for seed in range(1, 4):
            for profile in ("h200-nvlink2", "h200-pair"):
                printed = traced(self.folder / "trace", program, seed, 40, profile=profile).splitlines()
                trace = traces.read(self.folder / "trace")
                memory, = [one for one in trace.ranges(6 << 20)]
                states, _, moves = residency.steps_of(trace, memory)
                ends = [(run.row, (run.spans[-1].end_ns - memory.start_ns) / 1e3) for run in trace.runs]
                pages, at = ["."] * (memory.bytes // trace.page_bytes), 0
                for (row, end), line in zip(ends, printed, strict=True):
                    while at < len(states) and states[at][0] <= end:
                        _, first, count, state = states[at]
                        pages[first:first + count] = letter[state] * count
                        at += 1
                    self.assertEqual(f"{row} {''.join(pages)}", line, f"{profile}, seed {seed}")
                    compared += 1
                migrated = sum(e["bytes"] for e in trace.events if e["event"] == "Migration")
                self.assertEqual(sum(move[1] for move in moves), migrated)
        print(f"  {compared} steps compared")
        self.assertEqual(compared, 2 * 3 * 40)

    def test_figures(self):
        "each figure of lab 10 says modelled and of which machine; kinds of one device are not among them"
        found = group()
        self.assertEqual((timeline.panels(found), faults.panels(found)), ([], []))
        specs = report.lab_specs([found])
        kinds = [spec["kind"] for _, spec in specs]
        self.assertTrue({"engines", "directions", "residency"} <= set(kinds), kinds)
        for kind, spec in specs:
            text = report.style.svg(figure.draw(kind, spec), spec, page_colours=True)
            self.assertIn("modelled, profile h200-nvlink2", text)
            if spec["kind"] in ("engines", "directions"):  # a page's own colours, also below a hatch
                self.assertTrue("var(--gpu-1, " in text, spec["id"])

    def test_legend(self):
        "a legend with long names has as many columns as fit"
        long = ["from device 0 to device 1, which has a long name"] * 6
        self.assertEqual(figure.legend_columns(["a"] * 6, 9.0), 4)
        self.assertEqual(figure.legend_columns(long, 9.0), 2)
        self.assertEqual(figure.legend_columns(long, 3.0), 1)


if __name__ == "__main__":
    sys.exit(cases.main())
