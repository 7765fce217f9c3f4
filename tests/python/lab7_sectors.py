#!/usr/bin/env python3
"""Lab 7's second table: what its kernels ask for, counted access by access, beside what the lab works out.

    tests/python/lab7_sectors.py [PART OF A NAME...]     finds the build in UMLAB_BUILD
"""
import os
import re
import sys
from pathlib import Path

from support import cases

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
PROGRAM = BUILD / "lab7_sectors"
COUNT, WARP, SECTOR = 4096, 32, 32
ROW = re.compile(r"^(records|arrays|list) .* (\d+) +(\d+\.\d\d) +(?:particle|node) +(\d+) +(\d+) +(\d+)$", re.M)


class Sectors(cases.Case):
    def setUp(self):
        super().setUp()
        if not PROGRAM.exists():
            raise cases.Skip("on a GPU a profiler counts sectors")
        self.text = self.call(PROGRAM).stdout
        self.rows = {name: (int(requests), float(each), int(asked), int(sectors), int(fetched))
                     for name, requests, each, asked, sectors, fetched in ROW.findall(self.text)}

    def test_records(self):
        "records: nine accesses of 4 bytes of a particle of 32, so a sector for each thread of a warp"
        self.assertEqual(self.rows["records"], (9 * COUNT // WARP, 32.0, 9 * 4, 9 * SECTOR, 2 * SECTOR))

    def test_arrays(self):
        "arrays: the same accesses, and 32 floats side by side fill four sectors"
        self.assertEqual(self.rows["arrays"], (9 * COUNT // WARP, 4.0, 9 * 4, 9 * 4, 9 * 4))

    def test_list(self):
        "list: one thread, two accesses of 8 bytes of a node, each a request and a sector"
        self.assertEqual(self.rows["list"], (2 * COUNT, 1.0, 16, 2 * SECTOR, SECTOR))

    def test_again(self):
        "the table is the same in each run"
        self.assertEqual(self.call(PROGRAM).stdout, self.text)


if __name__ == "__main__":
    sys.exit(cases.main())
