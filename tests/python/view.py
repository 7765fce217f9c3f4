#!/usr/bin/env python3
"""report/view.py: what it makes of traces, good and bad, and whether its page's own arithmetic is the labs' and the
simulator's.

    tests/python/view.py [PART OF A NAME...]     finds the build in UMLAB_BUILD

The page's JavaScript runs in Chromium where that is installed. How the page behaves when it is used: tests/browser/.
"""
import json
import os
import random
import re
import resource
import subprocess
import sys
from pathlib import Path

from support import cases

sys.path.insert(0, str(cases.ROOT / "tests/browser"))
import chrome  # noqa: E402
import shared  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
VIEW = cases.ROOT / "report/view.py"
PAGE, BASE = 4096, 0x7C0000000000
# A row of a lab's JSON, and the viewer's counts. (bytes_h2d: what cudaMemcpy copied.)
COUNTS = {"cpu_faults": "CpuPageFaultCount", "gpu_fault_groups": "GpuPageFaultCount",
          "bytes_migrated_h2d": "BytesXferHtD", "bytes_migrated_d2h": "BytesXferDtH", "evictions": "Eviction",
          "thrashing": "ThrashingDetected", "throttles": "Throttling", "remote_maps": "MapRemote",
          "bytes_h2d": "MemcpyHtD", "bytes_d2h": "MemcpyDtH"}
# Leads a model through all its steps once, and asks at random ones whether a jump leads to the same pages.
JUMPS = """
const m = viewer.model, want = arguments[0].map(part => Math.floor(part * m.steps)), seen = new Map();
m.seek(0);
for (let s = 0; s <= m.steps; s++) { m.seek(s); if (want.includes(s)) seen.set(s, m.pages.slice()); }
let played = 0, most = 0, wrong = 0;
const play = m.play;
m.play = function (step) { played++; play.call(m, step); };
for (const s of want) {
    played = 0;
    const pages = m.seek(s), right = seen.get(s);
    most = Math.max(most, played);
    wrong += pages.some((state, p) => state !== right[p]);
}
m.play = play;
const start = performance.now();
for (const s of want) viewer.goTo(s);
return {wrong, most, steps: m.steps, pages: m.data.pages, events: m.data.events,
        ms: (performance.now() - start) / want.length};
"""


def event(what, **keys):
    return {"event": what, "time_ns": 1000, **keys}


def beginning(size):
    """The first lines of a trace with one managed allocation."""
    return [{"event": "trace", "version": 1, "program": "made", "profile": "none"},
            event("call", name="cudaMallocManaged"),
            event("allocation", allocation=hex(BASE), bytes=size, kind="managed", call="cudaMallocManaged"),
            event("RangeCreate", address=hex(BASE), bytes=size), event("return", name="cudaMallocManaged")]


def paging(what, processor, page, pages=1, cause=None, **more):
    return event(what, processor=processor, cause=cause, allocation=hex(BASE), address=hex(BASE + page * PAGE),
                 bytes=pages * PAGE, **more)


def written(path, events):
    path.write_text("".join(json.dumps(it) + "\n" for it in events), encoding="utf-8")
    return path


class Input(cases.Case):
    def view(self, path, status=0, **more):
        return self.call(sys.executable, VIEW, path, "--out", self.folder / "page.html", status=status, **more)

    def refused(self, path, *words, status=2):
        done = self.view(path, status=status)
        self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(sorted(it.name for it in self.folder.iterdir() if it != path), [])

    def test_no_file(self):
        "bad input: no such file, a folder: one line, exit 2, nothing written"
        self.refused(self.folder / "nowhere.jsonl", "nowhere.jsonl: No such file")
        self.refused(Path("/tmp"), "Is a directory")

    def test_no_trace(self):
        "bad input: text, binary, JSON of something else, a line in the middle: one line that says where"
        good = [json.dumps(it).encode() for it in beginning(4 << 20)]
        for content, words in ((b"hello\n", "line 1 is no event"), (bytes(range(256)) * 9, "line 1 is no event"),
                               (b'{"schema": "umlab/1", "rows": []}\n', "line 1 is no event"),
                               (b"[1, 2]\n", "line 1 is no event"),
                               (b"\n".join([*good[:3], good[3][:20], good[4], b""]), "line 4 is no event"),
                               (b"", "the trace is empty"), (b"\n\n", "the trace is empty")):
            path = self.folder / "bad.jsonl"
            path.write_bytes(content)
            self.refused(path, words)

    def test_incomplete_events(self):
        "bad input: an event without what belongs to it: one line that says which"
        for wrong in (event("CpuFault", processor="CPU"), paging("Migration", "CPU", 1, cause="Whim"), event("call"),
                      event("allocation", allocation="0x1", kind="device", call="cudaMalloc"), {"event": "kernel"},
                      paging("CpuFault", "CPU", 1 << 20, access="read"),
                      {"event": "phase", "time_ns": "now", "row": "a", "phase": "b"},
                      event("RangeCreate", address="here", bytes=4096), event("RangeCreate", address="0x1000")):
            self.refused(written(self.folder / "bad.jsonl", [*beginning(4 << 20), wrong]),
                         f"line 6: a {wrong['event']} without")
        for page_bytes in (0, 3, 4097, 1 << 21, "4096", None, []):
            first, *others = beginning(4 << 20)
            self.refused(written(self.folder / "bad.jsonl", [first | {"page_bytes": page_bytes}, *others]),
                         "line 1: a trace without")

    def test_no_managed_memory(self):
        ("a program that used no managed memory: one line, exit 3, nothing written, also when a library brings "
         "variables that nobody touched")
        variables = beginning(65536)[2:4]
        variables[0].update(kind="managed variables", call="__managed__")
        device = event("allocation", allocation="0x7a0000000000", bytes=1 << 20, kind="device", call="cudaMalloc")
        for events in ([device], [*variables, device]):
            self.refused(written(self.folder / "bad.jsonl", events), "no managed memory", status=3)

    def test_truncated(self):
        "a last line that is cut short: a warning, and the page of what stands before it"
        path = written(self.folder / "cut.jsonl", [*beginning(4 << 20), paging("CpuFault", "CPU", 3, access="write")])
        path.write_text(path.read_text(encoding="utf-8") + '{"event":"Migration","time', encoding="utf-8")
        done = self.view(path)
        self.assertRegex(done.stderr, r"\Aview: .*line 7, the last, is cut short.*\n\Z")
        self.assertEqual(done.stdout, f"{self.folder / 'page.html'}\n")
        self.assertIn('"events":5', (self.folder / "page.html").read_text(encoding="utf-8"))

    def test_disk_full(self):
        "a page that cannot be written: one line, exit 2, and no piece of it"
        path = written(self.folder / "good.jsonl", beginning(4 << 20))
        done = self.call(sys.executable, VIEW, path, "--out", "/dev/null/page.html", status=2)
        self.assertEqual(done.stderr.count("\n"), 1)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))  # noqa: E731
        done = self.view(path, status=2, preexec_fn=limit)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual([it.name for it in self.folder.iterdir()], ["good.jsonl"])

    def test_hostile_names(self):
        "names in a trace stay text, whatever stands in them"
        name = '</script><script>alert(1)</script>&<b>"{{DATA}}'
        events = [*beginning(4 << 20), event("phase", row=name, phase=name), event("call", name=name)]
        events[0]["program"] = name
        self.view(written(self.folder / "hostile.jsonl", events))
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertEqual((page.count("<script"), page.count("</script"), page.count("<b>")), (2, 2, 0))
        self.assertEqual(page.count('"events":'), 1)

    def test_self_contained(self):
        "the page asks for nothing: no address but data: in it"
        self.view(written(self.folder / "good.jsonl", beginning(4 << 20)))
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"(?:src|href)\s*=\s*\"(?!data:)[^\"]*|https?://[^\s\"]*|@import|\burl\((?!data:)",
                                    page), [])
        self.assertNotIn("{{", page.split('id="data"')[0])


class Page(cases.Case):
    """The page's own arithmetic, in a browser."""

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

    def lab(self, name, *arguments, profile="h200-pcie5"):
        """Runs a lab with a trace and opens its page. Returns its JSON and what it printed."""
        if not (BUILD / name).exists() or not (BUILD / "lib/libumsim.so").exists():
            raise cases.Skip(f"no {name} on the simulator here: make BACKEND=sim")
        trace, result = self.folder / f"{name}.jsonl", self.folder / f"{name}.json"
        env = {key: value for key, value in os.environ.items() if not key.startswith("UMSIM_")}
        done = subprocess.run([BUILD / name, "--json", result, *arguments],
                              env=env | {"UMSIM_TRACE": str(trace), "UMSIM_PROFILE": profile},
                              capture_output=True, text=True, check=True, timeout=200)
        self.open(trace)
        return json.loads(result.read_text(encoding="utf-8")), done.stdout

    def same_counts(self, result):
        """The viewer's rows are the lab's. Of lab 5 it leaves out `managed`, which is the sum of its parts but the
        first."""
        rows, compared = {row["row"]: row for row in self.browser.run("return viewer.model.rows()")}, 0
        self.assertNotIn("managed", rows)
        parts_of = {"managed": [name for name in rows if name.startswith("managed: ") and "host writes" not in name]}
        for row in result["rows"]:
            own = [rows[name] for name in parts_of.get(row["strategy"]) or [row["strategy"]] if name in rows]
            for key, name in COUNTS.items():
                if row.get(key) is None:
                    continue
                self.assertEqual(sum(it[name] for it in own), row[key], f"{row['strategy']}: {key}")
                compared += 1
        return compared

    def same_places(self, printed):
        """At the end of each step that the lab draws, the viewer has the pages where the simulator had them."""
        bars = self.browser.run("""
            const result = [];
            for (const phase of viewer.model.phases) {
                viewer.goTo(phase.end);
                for (const region of viewer.model.regions)
                    if (region.kind === 'managed' && viewer.model.isAlive(region, phase.end))
                        result.push([phase.row, viewer.residencyBar(region, 64)]);
            }
            return result;""")
        drawn, found = self.drawn(printed), 0
        for row, bar in drawn:
            mine = [text for name, text in bars if name in (row, row.split(":")[0])]
            self.assertTrue(any(text.startswith(bar) if len(bar) < 64 else text == bar for text in mine),
                            f"{row}: {bar} is none of {mine}")
            found += 1
        return found

    @staticmethod
    def drawn(printed):
        """(row, line) of what stands below the lab's table: `row: step` where a row has steps, else `row`."""
        block = re.split(r"most\s+of\s+it\s+is\.\n", printed)[1].split("\n\n")[0]
        names, lines, last = [], [], ""
        for line in block.splitlines():
            words = re.split(r" {2,}", line)
            if words[0] == "":
                names = words[1:] if not re.fullmatch(r"[HGhg=.,-]{1,64}", words[-1]) else names
                if not re.fullmatch(r"[HGhg=.,-]{1,64}", words[-1]):
                    continue
                lines.append((f"{last}: {words[1]}", words[-1]))
            elif len(words) == 3 and len(words[-1]) > 8 or not names:
                last = words[0]
                lines.append((f"{last}: {words[1]}", words[-1]))
            else:
                lines += [(f"{words[0]}: {step}", text) for step, text in zip(names, words[1:])]
        return lines

    def test_lab5(self):
        "lab 5: the viewer's numbers equal the lab's table for the same run, and pages are where the lab draws them"
        result, printed = self.lab("lab5", "--size", "16M")
        self.assertGreater(self.same_counts(result), 100)
        self.assertGreater(self.same_places(printed), 7)

    def test_lab6(self):
        ("lab 6: advice, prefetch and duplicates: the viewer's numbers equal the lab's table, pages are where the lab "
         "draws them")
        told = "nothing,prefetch,read-mostly,prefer-gpu,prefer-host,accessed-by"
        result, printed = self.lab("lab6", "--size", "4M", "--strategy", told)
        self.assertGreater(self.same_counts(result), 50)
        self.assertGreater(self.browser.run("return viewer.model.rows().find(it => it.row === 'read-mostly')"
                                            ".ReadDuplicate * viewer.model.places.pageBytes"), 4_000_000)
        bars = self.browser.run("""
            return viewer.model.phases.map(phase => {
                viewer.goTo(phase.end);
                const region = viewer.model.regions.find(it => it.kind === 'managed' && it.bytes === 4 << 20
                                                                && viewer.model.isAlive(it, phase.end));
                return [phase.row, phase.phase, region ? viewer.residencyBar(region, 8) : ''];
            });""")
        phases = {"GPU reads": "kernel", "host reads": "host"}
        drawn = [(*row.split(": "), text) for row, text in self.drawn(printed)]
        self.assertIn(("read-mostly", "GPU reads", "========"), drawn)
        for name, step, text in drawn:
            if step in phases:
                self.assertIn([name, phases[step], text], bars)

    def test_evictions(self):
        "device memory that is too small: evictions, and the counts of the lab"
        result, _ = self.lab("lab6", "--strategy", "oversubscribed,oversubscribed-hints", profile="tiny")
        self.assertGreater(self.same_counts(result), 15)
        self.assertGreater(sum(row["evictions"] for row in result["rows"]), 10)

    def test_without_faults(self):
        "a device that cannot fault: memory starts on the GPU and moves before kernels, and the counts are the lab's"
        result, printed = self.lab("lab5", "--size", "4M", "--strategy", "explicit,managed,variable", profile="limited")
        self.assertGreater(self.same_counts(result), 30)
        self.assertGreater(self.same_places(printed), 3)

    def test_many_small(self):
        "lab 7: thousands of small allocations that share pages are one region"
        result, _ = self.lab("lab7", "--size", "1M")
        self.assertGreater(self.same_counts(result), 40)
        titles = self.browser.run("return viewer.model.regions.map(it => it.title)")
        self.assertTrue(any("small ones" in title for title in titles), titles)
        self.assertLess(len(titles), 40)

    def test_explanations(self):
        "a sentence for each step: who touched what, where it was, what moved"
        fault = [paging("CpuFault", "CPU", 17, access="read"), paging("Migration", "CPU", 17, 1, "Coherence"),
                 paging("Migration", "CPU", 18, 15, "Prefetch")]
        kernel = {"event": "kernel", "stream": 0, "number": 1, "issue_ns": 1, "start_ns": 1000, "end_ns": 3000,
                  "bytes": 0, "detail": "add_one"}
        self.open(written(self.folder / "made.jsonl", [
            *beginning(4 << 20), event("phase", row="it", phase="kernel"),
            paging("GpuFault", "GPU", 17, 3, access="write", groups=8, operation=1),
            paging("Populate", "GPU", 16, 16, operation=1), kernel, event("phase end", row="it", phase=None), *fault]))
        said = self.browser.run("const all = []; for (let s = 0; s <= viewer.model.steps; s++) { viewer.goTo(s); "
                                "all.push(document.getElementById('explain').textContent); } return all")
        self.assertEqual(said[-1], "The host read page 17, which was on the GPU: fault, 64 KiB came back (4 KiB asked "
                         "for, 60 KiB of neighbours brought along).")
        self.assertEqual(said[-2], "Kernel add_one ended: it took 2.0 µs, with one batch of faults in it.")
        self.assertIn("Kernel add_one wrote page 17, which was nowhere yet, and 2 more pages: a batch of faults (adds "
                      "8 fault groups), 64 KiB of memory were made", said[-3])

    def test_large_pages(self):
        "pages of 16 KiB: a block has 128, bytes are what the trace says, and a page is where it begins"
        first, *others = beginning(4 << 20)
        fault = [paging("CpuFault", "CPU", 512, 4, access="read"),
                 paging("Migration", "CPU", 512, 16, "Coherence")]
        self.open(written(self.folder / "large.jsonl", [
            first | {"page_bytes": 16384}, *others, event("phase", row="it", phase="host"), *fault,
            event("phase end", row="it", phase=None)]))
        self.assertEqual(self.browser.run("return viewer.model.rows()[0].BytesXferDtH"), 65536)
        self.browser.run("viewer.goTo(viewer.model.steps - 1)")
        self.assertEqual(self.browser.run("""
            const [region] = viewer.model.regions;
            return [region.pages, viewer.grid.blocks, [127, 128, 131, 132].map(it => viewer.model.stateOf(region, it))];
        """), [256, 2, [0, 1, 1, 0]])
        self.assertEqual(self.browser.run("return document.getElementById('explain').textContent"),
                         "The host read page 128, which was nowhere yet: fault, 64 KiB came back.")

    def test_grid(self):
        "keys lead from fault to fault, open a block and close it; what is open follows the faults; text grows"
        faults = [it for page in (3, 700, 1500) for it in (paging("CpuFault", "CPU", page, access="write"),
                                                           paging("Populate", "CPU", page, 16))]
        self.open(written(self.folder / "made.jsonl", [*beginning(8 << 20), *faults]))
        ask, keys = self.browser.run, self.browser.find("body")
        opened, step = "return viewer.grid.opened", "return viewer.step"
        keys.send_keys("f")
        self.assertEqual((ask(step), ask(opened)), (2, -1))
        keys.send_keys("ff")
        self.assertEqual(ask(step), 4)
        keys.send_keys("F")
        self.assertEqual(ask(step), 3)
        keys.send_keys("g")
        canvas = self.browser.find("#pages")
        canvas.send_keys("\ue014")  # right
        self.assertIn("Block 1 (2 MiB): pages 16 on the host, 496 nowhere yet",
                      ask("return document.getElementById('cell').textContent"))
        canvas.send_keys("\n")
        self.assertEqual(ask(opened), 1)
        self.assertEqual(ask("return [viewer.grid.units, document.getElementById('whole').hidden]"), [512, False])
        self.assertIn("Page 512 (2 MiB into it): nowhere yet",
                      ask("return document.getElementById('cell').textContent"))
        canvas.send_keys("f")
        self.assertEqual((ask(step), ask(opened)), (4, 2))
        canvas.send_keys("\ue00c")  # escape
        self.assertEqual(ask(opened), -1)
        small = ask("return getComputedStyle(document.getElementById('explain')).fontSize")
        keys.send_keys("b")
        self.assertNotEqual(ask("return getComputedStyle(document.getElementById('explain')).fontSize"), small)
        theme = ask("return document.documentElement.dataset.theme")
        keys.send_keys("d")
        self.assertNotEqual(ask("return document.documentElement.dataset.theme"), theme)
        keys.send_keys("v")
        self.assertEqual(ask("return [viewer.grid.at.kind, viewer.grid.units]"), ["blocks", 4])
        self.assertEqual(self.browser.messages(), [])

    def test_jumps(self):
        ("256 MiB and 100,000 events: a jump to any step shows what playing up to it does, and plays only a few steps "
         "for it")
        chance, held, events = random.Random(5), {}, beginning(256 << 20)
        while len(events) < 100000:
            big = chance.randrange(4096)
            if held.get(big) == "CPU":
                events += [paging("GpuFault", "GPU", big * 16, 2, access="write", groups=2, operation=1),
                           paging("Migration", "GPU", big * 16, 2, "Coherence", operation=1),
                           paging("Migration", "GPU", big * 16 + 2, 14, "Prefetch", operation=1)]
            else:
                events += [paging("CpuFault", "CPU", big * 16, access="write"),
                           paging("Migration", "CPU", big * 16, 16, "Coherence") if big in held
                           else paging("Populate", "CPU", big * 16, 16)]
            held[big] = "GPU" if held.get(big) == "CPU" else "CPU"
        self.open(written(self.folder / "many.jsonl", events))
        found = self.browser.run(JUMPS, [chance.random() for _ in range(200)])
        print(f"  {found['events']} lines, {found['steps']} steps, {found['pages']} pages: {found['ms']:.1f} ms a "
              f"jump, at most {found['most']} steps played")
        self.assertEqual(found["pages"], 65536)
        self.assertEqual(found["wrong"], 0)
        self.assertLess(found["most"], found["steps"] / 100)
        self.assertLess(found["ms"], 500)  # some milliseconds; a machine that is busy may take its time
        self.assertLess((self.folder / "many.html").stat().st_size, 2 << 20)


if __name__ == "__main__":
    sys.exit(cases.main())
