#!/usr/bin/env python3
"""tests/lint/records.py finds what a record must not tell, and the programs that keep records write nothing of it.

    tests/python/records.py [PART-OF-A-DOCSTRING...]
"""
import json
import sys

from support import cases

ROOT = cases.ROOT
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/lint", "tests/fidelity", "bench")]
import fidelity  # noqa: E402
import paths  # noqa: E402
import records  # noqa: E402

PLANTED = (
    '{"device": "NVIDIA H200", "uuid": "3f2b8c1e-0a4d-4c7b-9e21-5d6f7a8b9c0d"}',
    "GPU-3f2b8c1e-0a4d-4c7b-9e21-5d6f7a8b9c0d",
    '"system": "Linux 6.1.0"',
    '"kernel": "6.1.0-18-amd64"',
    "measured on 5.15.0-91-generic",
    "written to /home/somebody/results.json",
    "nvcc of ~/cuda/bin",
    "took /scratch/a/b from there",
    '"host": "node17"',
    "hostname: node17",
    "C:\\Users\\somebody",
)
PLAIN = (
    '{"name": "NVIDIA H200", "driver": "580.159.04", "toolkit": "13.0, V13.0.88", "processor": "Xeon(R), 16 cores"}',
    "12.5 GB/s, copy/h2d/pinned/call/64M, 3 and/or 4, https://example.org/a/b.html",
    '{"path": "pageable H2D", "clock": "host", "date": "2026-11-21T17:37:30+00:00"}',
    "# NVIDIA H200 (PCIe 5.0 x16), CUDA 13.0, 16 cores, Ubuntu 24.04, 2026-11-21",
    "the line of /proc/self/maps, /dev/zero (deleted)",
)


class Records(cases.Case):
    def test_planted(self):
        "a host's name, a kernel's release, a UUID and a path are found, each in a line of its own"
        for line in PLANTED:
            self.assertTrue(list(records.problems(line)), line)

    def test_plain(self):
        "figures, versions, names of cells and addresses on the web are not taken for one"
        for line in PLAIN:
            self.assertEqual(list(records.problems(line)), [], line)

    def test_kept(self):
        "what is kept holds none of them"
        self.call(sys.executable, ROOT / "tests/lint/records.py")

    def test_written(self):
        "what bench, fidelity and the measurement of thrashing say of the machine holds none of them"
        line = paths.stamp(['{"conditions": {"device": "Made Up 1"}}\n'])[0]
        self.assertEqual(list(records.problems(line)), [])
        said = json.dumps(fidelity.conditions({"device": "Made Up 1", "driver": "1", "cuda": 13000}))
        self.assertEqual(list(records.problems(said)), [])
        script = (ROOT / "tests/managed/measured/measure.sh").read_text(encoding="utf-8")
        self.assertNotIn("uname", script)


if __name__ == "__main__":
    sys.exit(cases.main())
