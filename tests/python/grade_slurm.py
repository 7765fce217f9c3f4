#!/usr/bin/env python3
"""make grade-class ENGINE=slurm, on a real Slurm of one node (tests/slurm/one_node.py).

    tests/python/grade_slurm.py [PART-OF-A-NAME]

The grader is umgrade where it is built (UMLAB_BUILD), for the 50 submissions; a stand-in where it has to fail.
"""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from support import cases
from support.classes import FAKE, Class

cases.needs("jinja2", "tqdm", "jsonschema")
sys.path[:0] = [str(cases.ROOT / "tests/slurm"), str(cases.ROOT / "grade")]
import demo  # noqa: E402
import one_node  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim"))
PAGES = ("gradebook.csv", "lab0/checks.csv", "lab0/index.html")


def setUpModule():
    if why_not := one_node.why_not():
        raise cases.Skip(why_not)


class Slurm(Class):
    def setUp(self):
        super().setUp()
        self.cluster = one_node.Cluster(self.folder / "slurm", len(os.sched_getaffinity(0)))
        self.cluster.__enter__()
        self.addCleanup(self.cluster.__exit__)

    def by_slurm(self, *more, env=None, **others):
        return self.grade("--engine", "slurm", *more, env=self.cluster.env | (env or {}), **others)

    def pages(self, lab="lab1"):
        return {path: (self.out / path.replace("lab0", lab)).read_bytes() for path in PAGES}

    def test_fifty(self):
        "50 submissions, graded by umgrade through a job array: the same gradebook and pages as without Slurm"
        if not (BUILD / "grade/lab0.so").exists():
            self.skipTest(f"no grader in {BUILD} (make graders)")
        text = (cases.ROOT / "labs/lab0_doctor/exercise.c").read_text(encoding="utf-8")
        kinds = [demo.solved(text, range(99)), demo.solved(text, ()), "int broken(\n",
                 demo.at_call(demo.solved(text, range(99)), "__builtin_trap();")]
        for index in range(49):
            folder = self.submissions / f"student {index:02}"
            folder.mkdir()
            (folder / "exercise.c").write_text(f"/* {index} */\n" + kinds[index % len(kinds)], encoding="utf-8")
        (self.submissions / "no\none").mkdir()
        umgrade = {"lab": "lab0", "grader": BUILD / "grade/umgrade"}
        local = self.grade("--build", str(BUILD), **umgrade)
        self.assertIn("50 submissions, 49 graded, 1 not submitted", local.stdout)
        before = self.pages("lab0")
        self.assertEqual(len(set(row["lab0 score"] for row in self.gradebook())), 3)
        self.out.rename(self.folder / "first")
        said = self.by_slurm("--build", str(BUILD), **umgrade).stdout
        self.assertIn("50 submissions, 49 graded, 1 not submitted", said)
        self.assertIn("(50 now", said)
        self.assertEqual(self.pages("lab0"), before)
        self.assertEqual(len(list((self.out / "lab0/slurm").glob("*.log"))), 50, "each in a task of its own")
        self.assertIn("none anew", self.by_slurm("--build", str(BUILD), **umgrade).stdout)

    def test_killed(self):
        "grade-class is killed while its job runs: begun again it waits for the job, and submits nothing twice"
        for index in range(12):
            self.submit(f"student{index:02}", "PASS FAIL" if index % 2 else "PASS PASS")
        self.submit("killer", "die")
        self.grade(status=1)
        before = self.pages()
        self.out.rename(self.folder / "first")
        run = subprocess.Popen(self.command("--engine", "slurm"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=os.environ | self.cluster.env | {"FAKE_GRADER_SECONDS": "1"})
        while not list((self.out / "lab1/records").glob("s*.json")):
            self.assertIsNone(run.poll())
            time.sleep(0.05)
        run.send_signal(signal.SIGKILL)
        run.wait()
        done = self.by_slurm(status=1)
        self.assertIn("waiting for job 1, which was begun earlier", done.stderr)
        self.assertIn("12 graded, 1 grader failed", done.stdout)
        self.assertEqual(self.pages(), before)

    def test_cancelled(self):
        "tasks that are cancelled leave no record: they count as failed, and are graded next time"
        for index in range(6):
            self.submit(f"student{index}", "PASS")
        run = subprocess.Popen(self.command("--engine", "slurm"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, env=os.environ | self.cluster.env | {"FAKE_GRADER_SECONDS": "2"})
        while not list((self.out / "lab1/records").glob("*.json")):
            self.assertIsNone(run.poll())
            time.sleep(0.05)
        self.call("scancel", "1", env=self.cluster.env)
        self.assertRegex(run.communicate(timeout=100)[0], r"6 submissions, \d graded, \d grader failed")
        self.assertEqual(run.returncode, 1)
        self.assertIn("6 graded", self.by_slurm().stdout)


class WithoutSlurm(Class):
    def test_missing(self):
        "without Slurm, or without its controller, ENGINE=slurm is one line and exit 2"
        self.submit("anna", "PASS")
        done = self.grade("--engine", "slurm", status=2, env={"PATH": "/nowhere"}, grader=FAKE)
        self.assertIn("no sbatch here", done.stderr)
        conf = self.folder / "slurm.conf"
        conf.write_text("ClusterName=none\nSlurmctldHost=localhost\nSlurmctldPort=1\nMessageTimeout=2\n"
                        "NodeName=x\nPartitionName=y Nodes=x\n")
        done = self.grade("--engine", "slurm", status=2, env={"SLURM_CONF": str(conf)})
        self.assertIn("sbatch: ", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    sys.exit(cases.main())
