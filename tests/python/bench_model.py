#!/usr/bin/env python3
"""The profile h200-pcie5 beside what `make bench` measured on an H200: bench/gpu's modelled times against
bench/measured/h200-earlier.

    tests/python/bench_model.py [PART OF A NAME ...]

It is no forecast throughout: the profile's figures for copies between pinned and managed memory, and five points of its
prefetches up to 4 MiB, are from the same run (their notes say so). All others are from other machines of the kind.

Each test takes a group of paths, at sizes that cost little here, and says how far the model may be off: its middle
cell, and its worst. Limits leave room for another machine of the kind, whose copies of ordinary memory and faults
differ by a quarter to a half (sim/model/README.md). What the model leaves out is in NOT_MODELLED, with the reason.
"""
import functools
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

from support import cases

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim"))
PROGRAM = BUILD / "bench/gpu"
SIM = os.environ.get("UMLAB_BACKEND", "sim") == "sim"
MEASURED = cases.ROOT / "bench/measured/h200-earlier/paths.jsonl"
MIB = 1 << 20

# Small sizes of everything; larger ones where that is a matter of a second.
RUNS = (["--size", "1M"], ["--size", "16M", "--only", "pinned"], ["--size", "16M", "--only", "prefetch"])

NOT_MODELLED = {
    "demand to host, best": "the host's threads, whose starting is not in virtual time",
    "first touch by host, all threads": "the same",
    "ReadMostly, host reads after the device": "the host's own loop: fractions of a microsecond",
    "device copy, engine": "the model knows how long one takes, not that the next one's beginning overlaps with it",
    "PreferredLocation=host, AccessedBy=device, read": "the first kernel over pages that were mapped just now "
    "(sim/model/README.md)",
    "ReadMostly, prefetch to device": "advice on memory that sixteen threads of the host have just written: samples "
    "vary by a factor of 2 to 4",
}

GROUPS = {
    "the link": {"pinned H2D", "pinned D2H", "registered H2D", "registered D2H", "write-combined H2D",
                 "write-combined D2H", "mapped read", "mapped write", "pinned copied into managed on the device",
                 "managed on the device copied into pinned"},
    "device memory": {"device copy", "device mul", "device add", "device triad", "device dot"},
    "ordinary memory": {"pageable H2D", "pageable D2H", "pipelined H2D", "pipelined D2H"},
    "prefetches": {"prefetch to device", "prefetch to host", "managed to device", "managed to host",
                   "fresh, prefetch to device", "fresh, prefetch to host"},
    "faults": {"demand to device", "demand to device, best", "demand to host", "first touch by device",
               "first touch by host", "ReadMostly, demand read"},
    "two homes": {"two homes to device", "two homes to host"},
}


def cells(lines):
    """{(path, bytes): median microseconds} of what bench/gpu printed."""
    found = {}
    for line in lines:
        entry = json.loads(line)
        if "us" in entry and entry["verified"]:
            found[entry["path"], entry["bytes"]] = statistics.median(entry["us"])
    return found


@functools.cache
def modelled():
    found = {}
    for options in RUNS:
        done = subprocess.run([PROGRAM, *options, "--samples", "1"], capture_output=True, text=True, timeout=200,
                              check=True)
        found |= cells(done.stdout.splitlines())
    return found


@functools.cache
def measured():
    return cells(MEASURED.read_text(encoding="utf-8").splitlines())


@functools.cache
def page_bytes():
    """A page of the simulated GPU: umcc tells it to what it compiles, unless it has 4 KiB."""
    done = subprocess.run([BUILD / "bin/umcc", "-dryrun", "-c", cases.ROOT / "tests/programs/half_exact.cu"],
                          capture_output=True, text=True, check=True)
    told = re.search(r"-DUMSIM_PAGE_BYTES=(\d+)", done.stdout + done.stderr)
    return int(told[1]) if told else 4096


def off_by(ours, theirs):
    """Percent, the same for twice and half."""
    return 100 * (max(ours, theirs) / min(ours, theirs) - 1) if ours > 0 else float("inf")


class Model(cases.Case):
    def setUp(self):
        super().setUp()
        if not SIM:
            raise cases.Skip("the model is the simulator's")
        if not PROGRAM.exists():
            raise cases.Skip(f"{PROGRAM} is not built")

    def check(self, group, middle, worst, most=16 * MIB):
        """Cells of the group up to `most` bytes; limits in percent."""
        errors = {key: off_by(us, measured()[key]) for key, us in modelled().items()
                  if key[0] in GROUPS[group] and key[1] <= most and key in measured()}
        self.assertEqual({path for path, _ in errors}, GROUPS[group])
        (path, size), far = max(errors.items(), key=lambda item: item[1])
        near = statistics.median(errors.values())
        print(f"        {len(errors)} cells, median {near:.1f}%, worst {far:.0f}%: {path}, {size} bytes, "
              f"{modelled()[path, size]:.2f} us modelled, {measured()[path, size]:.2f} measured")
        self.assertLessEqual(near, middle)
        self.assertLessEqual(far, worst)

    def check_managed(self, group, middle, worst):
        """... of managed memory, whose pages are the host's."""
        if page_bytes() != 4096:
            raise cases.Skip(f"the H200's host had pages of 4 KiB, and these have {page_bytes()}")
        self.check(group, middle, worst)

    def test_link(self):
        "copies of pinned memory, and kernels that reach it"
        self.check("the link", 5, 35)

    def test_device(self):
        "kernels on device memory"
        self.check("device memory", 10, 40)

    def test_ordinary(self):
        "copies of ordinary memory"
        self.check("ordinary memory", 12, 50, most=MIB)

    def test_prefetch(self):
        "prefetches there and back, of pages that are there and of new ones"
        self.check_managed("prefetches", 20, 75)

    def test_faults(self):
        "faults of either side"
        self.check_managed("faults", 40, 120)

    def test_homes(self):
        ("kernels that copy between managed memory at the host and on the device; what the host has just written they "
         "read slower")
        self.check_managed("two homes", 25, 45)

    def test_all(self):
        "each path is in one group, or has a reason not to be"
        named = [path for group in GROUPS.values() for path in group] + list(NOT_MODELLED)
        self.assertEqual(sorted(named), sorted({path for path, _ in measured()}))


if __name__ == "__main__":
    sys.exit(cases.main())
