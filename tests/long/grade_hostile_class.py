#!/usr/bin/env python3
"""A class of 300 for lab 1, one in ten hostile: honest grades as they are alone, time linear, the memory of all of it.

    tests/long/grade_hostile_class.py [COUNT]

The honest ones are the solution and placeholders, in turn; the hostile ones are those of tests/hostile that compile by
themselves. Memory is the kernel's own count for a group of processes (cgroup v1 or v2) where root may make one, else it
is not said.
"""
import os
import re
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
COUNT = int(sys.argv.pop(1)) if sys.argv[1:] else 300
HOSTILE = sorted(path for path in (cases.ROOT / "tests/hostile").glob("*.c")
                 if "HOSTILE_" not in path.read_text() and '#include "shared.h"' not in path.read_text())
INSIDE = (cases.ROOT / "tests/hostile/inside.h").read_text()
GROUPS = (("/sys/fs/cgroup/memory", "memory.max_usage_in_bytes", ("total_rss", "total_shmem")),
          ("/sys/fs/cgroup", "memory.peak", ("anon", "shmem")))


def setUpModule():
    if not (BUILD / "grade/lab1.so").exists():
        raise cases.Skip(f"no grader in {BUILD} (make graders)")


class Group:
    """Processes whose memory the kernel counts together."""

    def __init__(self):
        self.folder, self.most = None, {}
        for root, peak, parts in GROUPS:
            folder = Path(root, f"umlab-class-{os.getpid()}")
            try:
                folder.mkdir()
            except OSError:
                continue
            if (folder / peak).exists():
                self.folder, self.peak, self.parts = folder, peak, parts
                return
            folder.rmdir()

    def join(self):
        if self.folder:
            (self.folder / "cgroup.procs").write_text("0")

    def look(self):
        """Keeps the most that programs held; the peak itself has files' pages in it, too, that could go at any time."""
        if not self.folder:
            return
        held = dict(line.split() for line in (self.folder / "memory.stat").read_text().splitlines())
        now = sum(int(held.get(part, 0)) for part in self.parts)
        self.most["held"] = max(self.most.get("held", 0), now)
        self.most["with files"] = int((self.folder / self.peak).read_text())

    def end(self):
        if self.folder:
            self.folder.rmdir()

    def __str__(self):
        if not self.most:
            return "memory: not counted here"
        return ", ".join(f"{name} {bytes_ / 2**20:.0f} MiB" for name, bytes_ in self.most.items())


class HostileClass(Class):
    def hand_in(self):
        text = next(cases.ROOT.glob("labs/lab1_*/exercise.c")).read_text(encoding="utf-8")
        kinds = demo.solved(text, range(99)), demo.solved(text, ())
        self.honest, self.earns = {}, {}
        for index in range(COUNT):
            name = f"student{index:04}"
            if index % 10 == 9:
                source = HOSTILE[index // 10 % len(HOSTILE)].read_text(encoding="utf-8")
                self.earns[name] = int((re.findall(r"^/\* earns: (?:at most )?(\d+) ", source, re.M) or [0])[0])
                source = source.replace('#include "inside.h"\n', INSIDE)
            else:
                kind = index % 3 == 2
                source, self.honest[name] = f"/* {index} */\n{kinds[kind]}", kind
            (self.submissions / f"{name}.c").write_text(source, encoding="utf-8")

    def records(self):
        return len(list((self.out / "lab1/records").glob("s*.json")))

    def test_class(self):
        "a class with one hostile submission in ten: no honest grade changes, time is linear"
        self.hand_in()
        group = Group()
        began, thirds = time.monotonic(), []
        run = subprocess.Popen(self.command("--build", str(BUILD), lab="lab1", grader=BUILD / "grade/umgrade"),
                               stdout=subprocess.DEVNULL, preexec_fn=group.join)
        while run.poll() is None:
            time.sleep(0.1)
            group.look()
            if len(thirds) < 2 and self.records() >= COUNT * (len(thirds) + 1) // 3:
                thirds.append(time.monotonic() - began)
        thirds.append(time.monotonic() - began)
        self.assertEqual(run.returncode, 0)
        group.end()
        print(f"        {COUNT}: thirds after {', '.join(f'{at:.0f}' for at in thirds)} s; {group}", flush=True)
        grades = {row["student"]: row for row in self.gradebook()}
        scores = {name: float(row["lab1 score"]) for name, row in grades.items()}
        for kind, right in ((False, max(scores.values())), (True, 0.0)):
            self.assertEqual({scores[name] for name in self.honest if self.honest[name] == kind}, {right})
        earned = {name: scores[name] for name in self.earns}
        print(f"        honest: {len(self.honest)} as they are alone; hostile: {len(earned)}, "
              f"{sum(score > 0 for score in earned.values())} with points", flush=True)
        self.assertGreater(max(scores.values()), 0)
        self.assertEqual([name for name, score in earned.items() if score > self.earns[name]], [])
        self.assertLess(thirds[2], 1.4 * (3 * thirds[0]), "linear")


if __name__ == "__main__":
    sys.exit(cases.main())
