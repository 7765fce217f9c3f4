#!/usr/bin/env python3
"""1,000 submissions, really graded: linear, memory flat; killed in the middle and gone on with, the same gradebook.

    tests/long/grade_thousand.py [COUNT]

Lab 0's, the quickest to grade: the solution, placeholders, and what does not compile, in turn.
"""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "python"), str(Path(__file__).resolve().parents[2] / "grade")]
from support import cases  # noqa: E402
from support.classes import Class  # noqa: E402

cases.needs("jinja2", "tqdm", "jsonschema")
import demo  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim"))
COUNT = int(sys.argv.pop(1)) if sys.argv[1:] else 1000
FEW = max(10, COUNT // 10)
PAGES = ("gradebook.csv", "lab0/checks.csv", "lab0/index.html")


def setUpModule():
    if not (BUILD / "grade/lab0.so").exists():
        raise cases.Skip(f"no grader in {BUILD} (make graders)")


class Thousand(Class):
    def hand_in(self, start, end):
        text = next(cases.ROOT.glob("labs/lab0_*/exercise.c")).read_text(encoding="utf-8")
        kinds = demo.solved(text, range(99)), demo.solved(text, ()), "int broken(\n"
        for index in range(start, end):
            path = self.submissions / f"student{index:04}.c"
            path.write_text(f"/* {index} */\n{kinds[index % 3]}", encoding="utf-8")

    def start(self):
        return subprocess.Popen(self.command("--build", str(BUILD), lab="lab0", grader=BUILD / "grade/umgrade"),
                                stdout=subprocess.DEVNULL)

    def measured(self):
        """(seconds, MiB at most of grade-class itself)"""
        began, run = time.monotonic(), self.start()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        return time.monotonic() - began, usage.ru_maxrss / 1024

    def records(self):
        return len(list((self.out / "lab0/records").glob("s*.json")))

    def test_thousand(self):
        "a thousand submissions: linear, memory flat; killed in the middle and begun again, the same gradebook"
        self.hand_in(0, FEW)
        few_seconds, few_mib = self.measured()
        self.out.rename(self.folder / "few")
        self.hand_in(FEW, COUNT)
        seconds, mib = self.measured()
        rates = FEW / few_seconds, COUNT / seconds
        print(f"        {FEW}: {rates[0]:.2f} a second, {few_mib:.1f} MiB; {COUNT}: {rates[1]:.2f} a second, {mib:.1f} "
              "MiB",
              flush=True)
        self.assertEqual(self.records(), COUNT)
        self.assertGreater(rates[1], 0.7 * rates[0], "linear")
        self.assertLess(mib, few_mib + 8, "flat")
        whole = {path: (self.out / path).read_bytes() for path in PAGES}
        self.out.rename(self.folder / "whole")
        run = self.start()
        while self.records() < COUNT // 2:
            self.assertIsNone(run.poll())
            time.sleep(0.2)
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.assertLess(self.records(), COUNT)
        self.measured()
        self.assertEqual({path: (self.out / path).read_bytes() for path in PAGES}, whole)


if __name__ == "__main__":
    sys.exit(cases.main())
