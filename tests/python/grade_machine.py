#!/usr/bin/env python3
"""What the machine lacks is the grader's failure, with its cause: a right solution has full marks or no result, nothing
between. And what is left when a grader is killed, or when two work at once.

    tests/python/grade_machine.py [PART-OF-A-NAME]
"""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from support import cases

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
LAB = cases.ROOT / "labs/lab1_explicit"
UNMOUNTED = 77  # how the shell below says that it may not mount


def setUpModule():
    if not (BUILD / "grade/lab1.so").exists():
        raise cases.Skip(f"no grader in {BUILD} (make graders)")


def running(word):
    """Numbers of the processes that have a word in their command lines."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.fsencode(word) in path.read_bytes() and int(path.parent.name) != os.getpid():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


class Machine(cases.Case):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.out, self.scratch = self.folder / "out", self.folder / "scratch"
        for folder in self.out, self.scratch:
            folder.mkdir()
            folder.chmod(0o1777)

    def command(self, out=None, submission=LAB):
        return [str(word) for word in (
            BUILD / "grade/umgrade", "--lab", "lab1", "--lab-dir", LAB, "--checks", BUILD / "grade/lab1.so", "--root",
            cases.ROOT, "--build", BUILD, "--out", out or self.out, "--submission", submission, "--seed", "5")]

    def run_short(self, *before, **more):
        """Grades the solution. Returns (exit status, its output), after checking that it is all or nothing."""
        environment = dict(os.environ, TMPDIR=str(self.scratch)) | more.pop("env", {})
        done = subprocess.run([*before, *self.command()], env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=200, **more)
        said = done.stdout.decode("utf-8", "replace")
        result = self.out / "lab1.json"
        if done.returncode == 0 and not result.exists():  # a disk of its own is gone with it
            self.assertIn("Score: 20/20", said)
        elif done.returncode == 0:
            document = json.loads(result.read_text())
            self.assertEqual(document["score"], document["max_score"])
        else:
            self.assertFalse(result.exists(), said)
            self.assertEqual(done.returncode, 2, said)
            self.assertRegex(said, "(?m)^umgrade: grader failed: ")
            self.assertNotIn("== Test", said, "it is found before the submission is")
        result.unlink(missing_ok=True)
        (self.out / "lab1.jsonl").unlink(missing_ok=True)
        return done.returncode, said

    def with_limit(self, what, amount):
        return self.run_short(preexec_fn=lambda: resource.setrlimit(what, (amount, amount)))

    def test_addresses(self):
        "ulimit -v, from too little for the compiler to enough: full marks or exit 2 with the cause"
        ends = {}
        for kib in (60_000, 300_000, 440_000, 600_000, 1_200_000, 2_000_000, 8_000_000, 100_000_000):
            status, said = self.with_limit(resource.RLIMIT_AS, kib << 10)
            ends[kib] = status
            self.assertTrue(status == 0 or "ulimit -v" in said or "compiler" in said, (kib, said))
        self.assertEqual((ends[2_000_000], ends[100_000_000]), (2, 0))

    def test_other_limits(self):
        "ulimit -d, -t, -n, -f: full marks, or no result"
        for what, amounts, word in ((resource.RLIMIT_DATA, (70 << 20, 80 << 20, 400 << 20), "ulimit -d"),
                                    (resource.RLIMIT_CPU, (2,), "ulimit -t"),
                                    (resource.RLIMIT_NOFILE, (10, 12, 16, 24), ""),
                                    (resource.RLIMIT_FSIZE, (0, 1 << 10, 40 << 10, 2 << 20, 1 << 30), "ulimit -f")):
            for amount in amounts:
                status, said = self.with_limit(what, amount)
                self.assertTrue(status != 0 and word in said or status == 0 and not word, (what, amount, said))

    def test_processes(self):
        "ulimit -u, as an ordinary user: full marks with 64 processes, below that full marks or no result"
        if os.geteuid() != 0:
            self.skipTest("only root can become a user who has no processes")
        if subprocess.run(["setpriv", "--reuid", "54321", "--clear-groups", "test", "-r", BUILD / "grade/lab1.so"],
                          check=False).returncode:
            self.skipTest(f"{BUILD} is not readable by others")
        key = self.folder / "key"
        key.touch(0o600)
        key.write_text(cases.KEY)
        os.chown(key, 54321, 54321)
        for count in (6, 8, 10, 12, 16, 64):
            status, said = self.run_short("setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups",
                                          "prlimit", f"--nproc={count}", env={"UMLAB_KEY": str(key)})
            self.assertTrue(status == 0 or "processes" in said, (count, said))
        self.assertEqual(status, 0, said)

    def test_disk(self):
        "a full disk, under TMPDIR or for the result: full marks, or exit 2 with the cause"
        for kib in (20, 60, 200):
            for place, cause in ((self.scratch, "free"), (self.out, "No space left")):
                size = kib if place is self.scratch else kib // 20  # KiB; a tmpfs has whole pages
                mount = f'mount -t tmpfs -o size={size}k none "$0" && chmod 1777 "$0" || exit {UNMOUNTED}; exec "$@"'
                status, said = self.run_short("unshare", "-rm", "sh", "-c", mount, str(place))
                if status == UNMOUNTED:
                    self.skipTest(f"no tmpfs can be mounted: {said}")
                self.assertTrue(status == 0 or cause in said or "No space left" in said, (kib, said))

    def test_folders(self):
        "TMPDIR too long, missing, or not writable; a result's folder that is a file: exit 2 with the cause"
        long = self.scratch / ("d" * 200) / ("e" * 60)
        long.mkdir(parents=True)
        for wanted, cause in ((long, "too long"), (self.folder / "none", "TMPDIR"),
                              (Path("/proc/self"), "cannot make")):
            status, said = self.run_short(env={"TMPDIR": str(wanted)})
            self.assertEqual(status, 2, said)
            self.assertIn(cause, said)
        self.assertEqual([*long.iterdir(), *long.parent.glob("e*/*")], [])
        (self.folder / "file").touch()
        done = subprocess.run(self.command(self.folder / "file"), capture_output=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_class(self):
        "a class where addresses are short: grader failed and why, exit 2, no marks; later all have full marks"
        (self.folder / "class/anna").mkdir(parents=True)
        (self.folder / "class/anna/exercise.c").write_text((LAB / "exercise.c").read_text())
        command = [sys.executable, cases.ROOT / "grade/classroom.py", "--lab", "1", "--submissions",
                   self.folder / "class", "--out", self.folder / "book", "--build", BUILD]
        if any(subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True, check=False).returncode
               for name in ("jinja2", "jsonschema")):
            self.skipTest("no jinja2 or jsonschema")
        done = subprocess.run(["prlimit", f"--as={3 << 30}", *command], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "^grade-class: grader failed: .*ulimit -v")
        self.assertEqual([path for path in (self.folder / "book").rglob("*") if path.suffix in (".csv", ".json")], [])
        nowhere = dict(os.environ, UMLAB_SANDBOX="iron")
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=nowhere)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "^grade-class: grader failed: no sandbox works here .wanted: iron.")
        self.assertEqual([path for path in (self.folder / "book").rglob("*") if path.suffix in (".csv", ".json")], [])
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("anna,,graded,20,20,", (self.folder / "book/gradebook.csv").read_text())

    def test_killed(self):
        "killed by SIGKILL at any moment: nothing goes on running, and the next grading leaves no workspace"
        choose = random.Random(17)
        for _ in range(30):
            process = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env=dict(os.environ, TMPDIR=str(self.scratch)))
            time.sleep(choose.random() ** 4)  # most of them early, where sandboxes are made
            process.send_signal(signal.SIGKILL)
            process.wait()
            deadline = time.monotonic() + 20
            while (left := running(str(self.scratch))) and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertEqual(left, [])
        for path in self.scratch.glob("umgrade.new-*"):  # killed before it had its name: it goes when it is old
            os.utime(path, (0, 0))
        self.assertEqual(self.run_short()[0], 0)
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_together(self):
        "many graders at once, some killed: each that ends has full marks, and no workspace is left in the end"
        processes = [subprocess.Popen(self.command(self.folder / f"out{number}"), stdout=subprocess.DEVNULL,
                                      env=dict(os.environ, TMPDIR=str(self.scratch))) for number in range(6)]
        time.sleep(0.3)
        for process in processes[::3]:
            process.kill()
        self.assertEqual([process.wait() for process in processes], [-9, 0, 0, -9, 0, 0])
        for path in self.scratch.glob("umgrade.new-*"):
            os.utime(path, (0, 0))
        self.assertEqual(self.run_short()[0], 0)
        self.assertEqual(list(self.scratch.iterdir()), [])


if __name__ == "__main__":
    sys.exit(cases.main())
