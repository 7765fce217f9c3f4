#!/usr/bin/env python3
"""Lab 9: what its map says of the memory to take, and of the rule in exercise.c. Simulator only.

    tests/managed/lab9.py [PART-OF-A-NAME]       finds the build in UMLAB_BUILD
"""
import functools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from support import cases  # noqa: E402 (it stands in tests/python)

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
KINDS = ["pageable", "pinned", "mapped", "managed", "prefetch", "advised"]
SIZE = 4 << 20
WORK = ["--size", str(SIZE), "--strategy", ",".join(KINDS)]


@functools.cache
def times(*arguments):
    """{(kind, pattern, bytes): (work, total)} of the lab's rows, all verified."""
    done = subprocess.run([BUILD / "lab9", *WORK, *arguments, "--quiet", "--json", "-"], capture_output=True, text=True,
                          timeout=200, check=True)
    rows = json.loads(done.stdout)["rows"]
    assert all(row["verified"] for row in rows if row["verified"] is not None)
    return {(*row["strategy"].split(" ", 1), row["size_bytes"]): (row["work_us"], row["total_us"]) for row in rows
            if row.get("work_us")}


def best(pattern, which, size=SIZE):
    """The kind with the least work (0) or total (1)."""
    mine = {kind: us[which] for (kind, of, bytes_), us in times().items() if (of, bytes_) == (pattern, size)}
    return min(mine, key=mine.get)


class Map(cases.Case):
    def test_rows(self):
        "every kind does every pattern at every size, and dense reuse at the largest"
        patterns = {(pattern, size) for _, pattern, size in times()}
        self.assertEqual(len(patterns), 6 * 3 + 2)
        self.assertEqual(set(times()), {(kind, *cell) for kind in KINDS for cell in patterns})

    def test_sparse(self):
        "what touches little is best done in place, seven times as fast as moving all of it"
        for pattern in ("strided", "random"):
            self.assertEqual(best(pattern, 0), "mapped")
            for kind in ("pageable", "pinned", "managed", "prefetch"):
                self.assertGreater(times()[kind, pattern, SIZE][0], 7 * times()["mapped", pattern, SIZE][0])
            self.assertEqual(best(pattern, 1), "advised")

    def test_dense(self):
        ("dense work done once is best in place; used again, near the GPU: by a copy, or by a prefetch when memory has "
         "to be got")
        self.assertEqual(best("dense", 0), "mapped")
        self.assertEqual(best("dense", 1), "advised")
        self.assertEqual([best(f"reuse x{n}", 0) for n in (2, 4, 16)], ["pinned"] * 3)
        self.assertIn(best("reuse x16", 1), ("prefetch", "advised"))
        passes = [times()["mapped", pattern, SIZE][0] for pattern in ("dense", "reuse x2", "reuse x4", "reuse x16")]
        self.assertTrue(all(abs(us / passes[0] / n - 1) < 0.1 for us, n in zip(passes, (1, 2, 4, 16))), passes)

    def test_turns(self):
        "ping-pong in place; read by both, a copy for each; the driver alone is never the best"
        self.assertEqual(best("ping-pong x4", 0), "mapped")
        self.assertEqual(best("shared x4", 0), "pinned")
        self.assertLess(times()["advised", "shared x4", SIZE][0], times()["prefetch", "shared x4", SIZE][0] / 2)
        for _, pattern, size in times():
            self.assertNotIn("managed", (best(pattern, 0, size), best(pattern, 1, size)))

    def test_price(self):
        "pinned memory costs a few jobs to get, managed memory a fraction of one"
        work, total = times()["pinned", "dense", SIZE]
        self.assertGreater(total - work, 3 * work)
        work, total = times()["prefetch", "dense", SIZE]
        self.assertLess(total - work, work)


class Output(cases.Case):
    def run_lab(self, *arguments):
        return self.call(BUILD / "lab9", *arguments).stdout

    def test_same_bytes(self):
        "two runs print the same bytes, the copies by several threads too"
        first = self.run_lab("--size", "1M", "--copies", "16M")
        self.assertEqual(first, self.run_lab("--size", "1M", "--copies", "16M"))
        self.assertRegex(first.splitlines()[-1],
                         r"^lab9: 9 strategies, all verified \(sim, h200-pcie5, modelled times\)$")

    def test_text(self):
        "the text's maps name the winners that the rows have, and the solution's rule chooses them"
        text = self.run_lab(*WORK)
        part = text.split("the memory being there:\n")[1].split("\n\n")[0].splitlines()[1:]
        for line in part:
            pattern, *cells = re.split(r"\s{2,}", line.strip())
            self.assertIn(best(pattern, 0), cells[-1].split(" = "))
            self.assertIn(best(pattern, 0, SIZE // 256), cells[0].split(" = "))
        self.assertEqual(len(part), 6)
        score = re.search(r"(\d+) of 40 the best, (\d+)% lost on average", text)
        self.assertGreaterEqual(int(score[1]), 34)
        self.assertLessEqual(int(score[2]), 3)

    def test_piped(self):
        "with enough threads the piped copy comes near the pinned one; one thread gains nothing"
        lab = [BUILD / "lab9", "--quiet", "--json", "-", "--copies", "64M", "--strategy"]
        rows = {(row["strategy"], row["size_bytes"]): row for row in
                json.loads(self.call(*lab, "copy-pageable,copy-pinned,copy-piped").stdout)["rows"]}
        pageable, pinned, piped = (rows[f"copy-{way}", 64 << 20] for way in ("pageable", "pinned", "piped"))
        alone = json.loads(self.call(*lab, "copy-piped", "--threads", "1").stdout)["rows"][-1]
        for way in ("h2d_us", "d2h_us"):
            self.assertLess(piped[way], pageable[way] / 2)
            self.assertLess(piped[way], pinned[way] / 0.65)
            self.assertGreater(alone[way], 0.9 * pageable[way])

    def test_limited(self):
        "a device without concurrent access skips the hints, a line for each kind, and still has a map"
        text = self.run_lab(*WORK, "--profile", "limited")
        self.assertEqual(re.findall(r"^skipped (\w+): concurrentManagedAccess", text, re.M), ["prefetch", "advised"])
        self.assertIn("least time (modelled, limited), the memory being there:", text)

    def test_bad_options(self):
        "a size that is too small, and threads out of range, are one line and exit 2"
        for arguments in (["--size", "64K"], ["--threads", "0"], ["--copies", "1"]):
            done = self.call(BUILD / "lab9", *arguments, status=2)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1))


if __name__ == "__main__":
    sys.exit(cases.main())
