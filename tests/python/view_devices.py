#!/usr/bin/env python3
"""report/view.py on traces of several devices: are pages where the simulator has them, and are counts, engines and
sentences each device's own?

    tests/python/view_devices.py [PART OF A NAME...]     finds the build in UMLAB_BUILD

The page's JavaScript runs in Chromium where that is installed.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

from support import cases

sys.path.insert(0, str(cases.ROOT / "tests/browser"))
import chrome  # noqa: E402
import shared  # noqa: E402
from view import BASE, BUILD, VIEW, beginning, event, paging, written  # noqa: E402

PAIRS = {("host", "0"), ("host", "1"), ("0", "host"), ("1", "host"), ("0", "1"), ("1", "0")}
SEEDS, STEPS = range(1, 7), 50
# At the end of each phase: where all pages of the largest managed memory are.
BARS = """return viewer.model.phases.map(phase => {
    viewer.goTo(phase.end);
    const managed = viewer.model.regions.filter(it => it.kind === 'managed').sort((a, b) => b.pages - a.pages)[0];
    return [phase.row, viewer.residencyBar(managed, managed.pages)];
})"""
# Read faults of a device on a page that the viewer takes to be mapped by it, elsewhere; how many were looked at, and
# how many pages were mapped at all.
MAPPED_AND_FAULTED = """const m = viewer.model, {kind, a, flags, to} = m.columns; let wrong = 0, seen = 0, mapped = 0;
for (let s = 1; s <= m.steps; s++) {
    const i = m.lead[s];
    if (i < 0 || kind[i] !== m.K.GpuFault || flags[i] & 2) continue;
    seen++;
    wrong += Boolean(m.seek(s - 1)[a[i]] & m.places.mapped(to[i] - 1));
    mapped += m.pages.some(state => state & m.places.mappings);
}
return [wrong, seen, mapped]"""


def copy(number, start, end, **keys):
    return {"event": "memcpy", "stream": 0, "number": number, "issue_ns": start, "start_ns": start, "end_ns": end,
            "bytes": 4096, **keys}


class Devices(cases.Case):
    def setUp(self):
        super().setUp()
        missing = chrome.Chrome.missing()
        if missing:
            raise cases.Skip(missing)
        self.browser = shared.browser()
        self.browser.size(chrome.DESKTOP)

    def open(self, trace):
        self.call(sys.executable, VIEW, trace)
        self.browser.open(trace.with_suffix(".html"))
        self.browser.wait(lambda: self.browser.run("return 'ready' in document.documentElement.dataset || 'failed' in "
                                                   "document.documentElement.dataset"), 60)
        self.assertIsNone(self.browser.run("return document.documentElement.dataset.failed || null"))

    def traced(self, name, *command, profile="h200-nvlink2"):
        """Runs a program and opens its page. Returns what it printed."""
        if not Path(command[0]).exists() or not (BUILD / "lib/libumsim.so").exists():
            raise cases.Skip(f"no {command[0]} on the simulator here: make BACKEND=sim")
        trace = self.folder / f"{name}.jsonl"
        env = {key: value for key, value in os.environ.items() if not key.startswith("UMSIM_")}
        env.pop("CUDA_VISIBLE_DEVICES", None)
        done = subprocess.run(list(map(str, command)), env=env | {"UMSIM_TRACE": str(trace), "UMSIM_PROFILE": profile},
                              capture_output=True, text=True, check=True, timeout=200)
        self.open(trace)
        return done.stdout

    def test_history(self):
        ("two devices, with a link and without: after each of some hundred random steps all pages are where the "
         "simulator has them, and no device faults to read what it has mapped")
        program = self.folder / "history"
        self.call(BUILD / "bin/umcc", "-o", program, cases.ROOT / "tests/python/support/history.cu")
        compared, seen, mapped, drawn = 0, 0, 0, set()
        for seed in SEEDS:
            for profile in ("h200-nvlink2", "h200-pair"):
                printed = self.traced("history", program, seed, STEPS, profile=profile)
                found = dict(self.browser.run(BARS))
                for line in printed.splitlines():
                    name, bar = line.rsplit(" ", 1)
                    self.assertEqual(found[name], bar, f"{profile}, seed {seed}, {name}")
                    drawn |= set(bar)
                    compared += 1
                wrong, more, maps = self.browser.run(MAPPED_AND_FAULTED)
                self.assertEqual(wrong, 0, f"{profile}, seed {seed}")
                seen, mapped = seen + more, mapped + maps
        print(f"  {compared} steps; {seen} faults looked at, {mapped} of them beside pages that are mapped elsewhere")
        self.assertEqual((compared, drawn), (2 * len(SEEDS) * STEPS, set("H01=.")))
        self.assertTrue(seen > 300 and mapped > 100)

    def test_lab10(self):
        "lab 10: bytes of each pair, faults of each device and the engines' time are the lab's and the trace's"
        result = self.folder / "lab10.json"
        self.traced("lab10", BUILD / "lab10", "--size", "16M", "--json", result)
        rows = {row["row"]: row for row in self.browser.run("return viewer.model.rows()")}
        compared = 0
        for row in json.loads(result.read_text(encoding="utf-8"))["rows"]:
            own = rows[row["strategy"]]
            mib = {pair: sum(own[f"{what}-{'-'.join(pair)}"] for what in ("moved", "copied")) / 2**20 for pair in PAIRS}
            for key, pairs in (("to_devices_mib", [("host", "0"), ("host", "1")]),
                               ("to_host_mib", [("0", "host"), ("1", "host")]),
                               ("between_mib", [("0", "1"), ("1", "0")])):
                if row.get(key) is not None:
                    self.assertAlmostEqual(sum(mib[pair] for pair in pairs), row[key], places=2,
                                           msg=f"{row['strategy']}: {key}")
                    compared += 1
            if row["gpu_fault_groups"] is not None:
                self.assertEqual(sum(own[f"GpuPageFaultCount-{device}"] for device in "01"), row["gpu_fault_groups"])
        self.assertGreater(compared, 50)
        self.assertGreater(rows["peer-copy"]["copied-0-1"], 0)
        self.assertGreater(rows["managed"]["moved-1-0"], 0)
        events = [json.loads(line) for line in (self.folder / "lab10.jsonl").read_text().splitlines()]
        self.same_engines(events, "halo-overlap")
        self.same_memory(events)

    def same_engines(self, events, name):
        """The table below the engines has what the trace's operations take in that phase."""
        begin = next(e["time_ns"] for e in events if e["event"] == "phase" and e["row"] == name)
        end = next(e["time_ns"] for e in events if e["event"] == "phase end" and e["row"] == name)
        self.browser.run("viewer.goTo(viewer.model.phases.find(it => it.row === arguments[0]).begin)", name)
        for device in (0, 1):
            for key, engines in (("compute", ["compute"]), ("copies", ["HtoD", "DtoH", "peer"])):
                busy = sum(min(e["end_ns"], end) - max(e["start_ns"], begin) for e in events
                           if e.get("device") == device and e.get("engine") in engines
                           and e["end_ns"] > begin and e["start_ns"] < end)
                shown = self.browser.run("return Number(document.querySelector(`#processors [data-processor='${"
                                         "arguments[0]}'][data-key=${arguments[1]}]`).dataset.value)", device + 1, key)
                self.assertGreater(busy, 0)
                self.assertEqual(shown, busy, (device, key))
        self.assertIn("0 link: busy", self.browser.run("return document.getElementById('engines').ariaLabel"))

    def same_memory(self, events):
        """At the end of each phase each device has the memory that the trace's lines have left it."""
        held, told = {0: 0, 1: 0}, []
        for e in events:
            if e["event"] in ("allocation", "release") and "device" in e:
                held[e["device"]] += e["bytes"] * (1 if e["event"] == "allocation" else -1)
            if e["event"] == "phase":
                told.append([held[0], held[1]])
        shown = self.browser.run("return viewer.model.phases.map(it => [viewer.model.memory[1][it.begin], "
                                 "viewer.model.memory[2][it.begin]])")
        self.assertEqual(shown, told)
        self.assertGreater(max(both[1] for both in told), 16 << 20)

    def test_sentences(self):
        "a sentence for each step tells which device, where a page was, from where to where it moved"
        first = beginning(4 << 20)
        first[0]["devices"] = 2
        first[1]["device"] = 1
        peers = {"from": "GPU", "from_device": 0}
        self.open(written(self.folder / "made.jsonl", [
            *first, paging("Populate", "GPU", 16, 16, device=0),
            paging("GpuFault", "GPU", 17, 3, access="write", groups=8, operation=1, device=1),
            paging("Migration", "GPU", 17, 1, "Coherence", operation=1, device=1, **peers),
            paging("Migration", "GPU", 18, 15, "Prefetch", operation=1, device=1, **peers),
            {"event": "kernel", "device": 1, "stream": 3, "number": 1, "issue_ns": 1, "start_ns": 1000, "end_ns": 3000,
             "bytes": 0, "detail": "add_one", "engine": "compute"},
            paging("CpuFault", "CPU", 16, access="read"),
            paging("Migration", "CPU", 16, 1, "Coherence", **peers), paging("ReadDuplicate", "CPU", 16, 1),
            paging("GpuFault", "GPU", 20, 1, access="read", groups=1, operation=2, device=0),
            paging("MapRemote", "GPU", 17, 16, operation=2, device=0, **{"from": "GPU", "from_device": 1}),
            copy(3, 4000, 5000, device=0, engine="peer", detail="PtoP", from_device=0, to_device=1),
            event("UnmapRemote", address=hex(BASE), bytes=4 << 20, device=0)]))
        said = self.browser.run("const all = []; for (let s = 0; s <= viewer.model.steps; s++) { viewer.goTo(s); "
                                "all.push(document.getElementById('explain').textContent); } return all")
        told = iter(said)
        for words in (
                "The host, with device 1 current, asks for managed memory",
                "Kernel add_one on device 1 wrote page 17, which was on device 0, and 2 more pages: a batch of faults "
                "(adds 8 fault groups), 64 KiB moved from device 0 to device 1 (4 KiB asked for, 60 KiB of neighbours "
                "brought along).",
                "Kernel add_one ended on device 1 on stream 3: it took 2.0 µs, with one batch of faults in it.",
                "The host read page 16, which was on device 0: fault, 4 KiB copied from device 0 to the host; 1 copy "
                "more is kept.",
                "16 pages on device 1 mapped for device 0, which reaches them over the link; nothing moved.",
                "A copy of 4 KiB from device 0 to device 1 ended: 1.0 µs, by device 0.",
                "Because of advice, what device 0 had mapped here, elsewhere than with itself, is mapped no longer."):
            self.assertTrue(any(words in sentence for sentence in told), f"not in order: {words}\n{said}")
        self.browser.run("viewer.goTo(viewer.model.steps)")
        states = "return arguments[0].map(page => viewer.model.places.words(viewer.model.pages[page]))"
        self.assertEqual(self.browser.run(states, [16, 17]), ["on the host and device 0", "on device 1"])
        self.browser.run("viewer.goTo(viewer.model.steps - 1)")
        self.assertEqual(self.browser.run(states, [17]), ["on device 1, mapped by device 0"])
        owners = self.browser.run("return [...document.querySelectorAll('#legend [data-owner]')].map(it => "
                                  "[it.dataset.owner, it.textContent])")
        self.assertEqual(dict(owners)["far-1"], "1+on device 1, mapped by another16")
        self.assertIn("1on device 1", dict(owners)["device-1"])

    def test_one_device(self):
        "a page of one device has nothing of several"
        self.open(written(self.folder / "made.jsonl", beginning(4 << 20)))
        self.assertEqual(self.browser.run("return [viewer.devices, document.getElementById('devices').hidden, "
                                          "'devices' in document.documentElement.dataset, viewer.model.data.devices "
                                          "|| null]"), [None, True, False, None])

    def test_large_memory(self):
        "memory of more than 4 GiB is added up and told as what it is"
        first, large = beginning(4 << 20), {"allocation": "0x7a0000000000", "bytes": 9 << 30, "kind": "device",
                                            "call": "cudaMalloc", "device": 1}
        self.open(written(self.folder / "made.jsonl", [
            *first, event("call", name="cudaMalloc", device=1), event("allocation", **large),
            event("return", name="cudaMalloc", device=1), event("call", name="cudaFree", device=0),
            event("release", **large)]))
        steps = self.browser.run("return [...viewer.model.memory[2]]")
        self.assertEqual((max(steps), steps[-1]), (9 << 30, 0))
        self.browser.run("viewer.goTo(viewer.model.steps - 1)")
        self.assertIn("(9 GiB)", self.browser.run("return document.getElementById('explain').textContent"))

    def test_many_devices(self):
        "eight devices have a letter each and fit into a page's number; a ninth is refused"
        first = beginning(4 << 20)
        events = [*first, *(paging("Populate", "GPU", page, device=page) for page in range(8))]
        self.open(written(self.folder / "made.jsonl", events))
        self.assertEqual(self.browser.run("viewer.goTo(viewer.model.steps); return viewer.residencyBar(viewer.region, "
                                          "1024).slice(0, 9)"), "01234567.")
        path = written(self.folder / "more.jsonl", [*first, paging("Populate", "GPU", 1, device=8)])
        done = self.call(sys.executable, VIEW, path, status=2)
        self.assertIn("line 6: a Populate without", done.stderr)


if __name__ == "__main__":
    sys.exit(cases.main())
