#!/usr/bin/env python3
"""make grade-class: many submissions, whatever their names and whatever becomes of the grader.

    tests/python/grade_class.py [PART-OF-A-NAME]

A stand-in (support/fake_grader.py) plays the grader: what is tested is everything around it.
"""
import fcntl
import html.parser
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from support import cases
from support.classes import FAKE, Class

cases.needs("jinja2", "tqdm", "jsonschema")
HOSTILE = "<img src=x onerror=alert(1)>\n&\"'"


class Reader(html.parser.HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = set(), set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data):
        self.text.append(data)


class Grading(Class):
    def test_gradebook(self):
        "the gradebook has a row a student, with score and course points; checks.csv has each end"
        self.submit("anna", "PASS PASS PASS")
        self.submit("bert", "PASS FAIL TIMEOUT", "labs/lab1_explicit/exercise.c")
        self.submit("carl", "CRASH SKIP BUILD-ERROR", "deep/down/exercise.c")
        (self.submissions / "dora.c").write_text("// PASS FAIL FAIL\n")
        (self.submissions / "empty").mkdir()
        said = self.grade().stdout.splitlines()
        self.assertEqual([tuple(row.values()) for row in self.gradebook()],
                         [("anna", "", "graded", "6", "6", "15", "15"), ("bert", "", "graded", "2", "6", "5", "5"),
                          ("carl", "", "graded", "0", "6", "0", "0"), ("dora", "", "graded", "2", "6", "5", "5"),
                          ("empty", "", "not submitted", "", "", "", "0")])
        self.assertEqual([list(row.values())[6:] for row in self.gradebook("lab1/checks.csv")],
                         [["PASS"] * 3, ["PASS", "FAIL", "TIMEOUT"], ["CRASH", "SKIP", "BUILD-ERROR"],
                          ["PASS", "FAIL", "FAIL"], ["", "", ""]])
        self.assertIn("5 submissions, 4 graded, 1 not submitted, mean 2.5 of 6 (5 now", said[-1])
        self.assertEqual(said[0], "failed most: vector_add_host/check_2, by 3 of 4")
        self.assertEqual(sorted(path.name for path in (self.out / "lab1/students").iterdir()),
                         ["anna.html", "bert.html", "carl.html", "dora.html", "empty.html"])

    def test_seed(self):
        "the grader gets the course's seed where submissions cannot read it"
        self.submit("anna", "seed")
        self.grade()
        self.assertEqual(self.record("anna")["result"]["checks"][0]["status"], "PASS")

    def test_canary(self):
        "the grader's own exercise comes once before the first submission of a run, and not where nothing is graded"
        for name in "anna", "bert", "carl", "dora":
            self.submit(name, "PASS")
        (self.submissions / "empty").mkdir()
        canaries = self.folder / "canaries"
        for words, expected in (("PASS", 1), ("PASS", 1), ("FAIL", 2)):
            self.submit("anna", words)
            self.grade("--jobs", "3", env={"FAKE_GRADER_CANARIES": str(canaries)})
            self.assertEqual(canaries.read_text().splitlines(), ["lab1"] * expected)

    def test_lacking(self):
        "what the machine lacks ends the run as `grader failed`: exit 2, the cause, and no record of anybody anew"
        self.submit("anna", "PASS")
        self.grade()
        before = (self.out / "gradebook.csv").read_text(), self.record("anna")
        self.submit("anna", "FAIL")
        self.submit("bert", "PASS")
        done = self.grade(status=2, env={"FAKE_GRADER_LACKS": "no memory\nfor two"})
        self.assertEqual(done.stderr, "grade-class: grader failed: no memory for two\n")
        self.assertEqual(before, ((self.out / "gradebook.csv").read_text(), self.record("anna")))
        self.assertFalse((self.out / "lab1/records/bert.json").exists())
        self.assertFalse((self.out / "lab1/work").exists() and list((self.out / "lab1/work").iterdir()))
        self.grade()
        self.assertEqual([row["lab1 score"] for row in self.gradebook()], ["0", "2"])

    def test_lacking_node(self):
        "a task of a job array whose node lacks something leaves `grader failed` and the cause, and no marks"
        self.submit("anna", "PASS")
        job = {"lab": "lab1", "out": str(self.out), "build": "build/sim", "grader": str(FAKE), "key": "k",
               "keyfile": os.environ["UMLAB_KEY"], "tasks": 1,
               "submissions": [["anna", "anna", str(self.submissions / "anna"), ""]]}
        path = cases.write_json(self.folder / "job.json", job)
        self.call(sys.executable, cases.ROOT / "grade/classroom.py", "--task", path, status=1,
                  env={"SLURM_ARRAY_TASK_ID": "0", "FAKE_GRADER_LACKS": "no disk"})
        record = self.record("anna")
        self.assertEqual((record["state"], record["why"], record["result"]),
                         ("grader failed", "grader failed: no disk", None))

    def test_two_labs(self):
        "labs graded one after another stand side by side in the gradebook"
        self.submit("anna", "PASS PASS")
        self.grade()
        self.submit("bert", "PASS FAIL")
        self.grade(lab="lab2")
        self.assertEqual([tuple(row.values()) for row in self.gradebook()],
                         [("anna", "", "graded", "4", "4", "15", "graded", "4", "4", "10", "25"),
                          ("bert", "", "not submitted", "", "", "", "graded", "2", "4", "5", "5")])

    def test_names(self):
        ("names with line ends, markup, dots, blanks, invalid UTF-8 or a formula: own files, none outside, all in one "
         "row")
        names = [HOSTILE.replace("/", ""), "a\\..\\b", " ", "-rf", "=cmd()", "ünï", "x" * 200, "a b", "a_b",
                 b"\xff\xfe", "a\x1b[31m", "$(touch pwned)", "`touch pwned`", "anna"]
        for name in names:
            self.submit(name, "PASS")
        self.grade()
        rows = self.gradebook()
        self.assertEqual(len(rows), len(names))
        self.assertEqual([row["lab1 state"] for row in rows], ["graded"] * len(rows))
        self.assertTrue(all(row["student"].isprintable() for row in rows))
        self.assertFalse([row for row in rows if row["student"][0] in "=+-@"])
        pages = list((self.out / "lab1/students").iterdir())
        self.assertEqual(len(pages), len(rows))
        for page in pages:
            self.assertRegex(page.name, r"^[A-Za-z0-9_][A-Za-z0-9_.@+-]*\.html$")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["class", "submissions"])

    def test_no_submission(self):
        "links, folders, devices, broken archives and what is too large are no submissions, and say why"
        secret = self.folder / "solution.c"
        secret.write_text("// PASS\n")
        (self.submissions / "link").mkdir()
        (self.submissions / "link/exercise.c").symlink_to(secret)
        (self.submissions / "linked").symlink_to(self.folder)
        (self.submissions / "linked.c").symlink_to(secret)
        (self.submissions / "fifo").mkdir()
        os.mkfifo(self.submissions / "fifo/exercise.c")
        (self.submissions / "archive.zip").write_bytes(b"PK")
        (self.submissions / "large").mkdir()
        (self.submissions / "large/exercise.c").write_bytes(b"x" * ((1 << 20) + 1))
        self.submit("two", "PASS", "a/exercise.c")
        self.submit("two", "PASS", "b/exercise.c")
        self.submit("folder", "PASS", "exercise.c/exercise.c/x")
        (self.submissions / ".DS_Store").write_bytes(b"")
        said = self.grade().stdout
        self.assertIn("7 submissions, 0 graded, 7 not submitted", said)
        self.assertIn("2 files called exercise.c", self.record("two")["why"])
        self.assertIn("larger than 1024 KiB", self.record("large")["why"])
        self.assertIn("an archive that cannot be read", self.record("archive")["why"])

    def test_pages(self):
        "pages show what a student's code printed, and nothing of it is markup; no control characters"
        self.submit(HOSTILE, "PASS FAIL SKIP TIMEOUT CRASH BUILD-ERROR")
        self.grade()
        [page] = (self.out / "lab1/students").iterdir()
        for path in (page, self.out / "lab1/index.html"):
            text = path.read_text(encoding="utf-8")
            read = Reader(text)
            self.assertFalse(read.tags & {"img", "script", "b"}, path)
            self.assertFalse([name for name in read.attributes if name.startswith("on")], path)
            self.assertIn("onerror=alert(1)", "".join(read.text))
            self.assertNotIn("\x1b", text)
            self.assertNotIn("\u202e", text)
        read = Reader(page.read_text(encoding="utf-8"))
        for word in ("{{ 7 * 7 }}", "</pre><img", *cases.STATUSES):
            self.assertIn(word, "".join(read.text))

    def test_wrong_usage(self):
        "wrong usage is one line and exit 2"
        for more in (["--lab", "x"], ["--submissions", str(self.folder / "none")], ["--jobs", "0"],
                     ["--grader", str(self.folder / "none")], []):
            done = self.call(*self.command(), *more, status=2)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), more)


class Failing(Class):
    def mentioning(self, word):
        """Command lines of processes that have a word in theirs."""
        lines = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                lines.append(path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
            except OSError:
                continue  # it ended meanwhile
        return [line for line in lines if word in line]

    def test_grader_dies(self):
        "where the grader dies, hangs or lies, the others are graded; it is said, tried again, and the exit is 1"
        for index in range(6):
            self.submit(f"student{index}", "PASS")
        self.submit("killer", "die")
        self.submit("liar", "lie")
        done = self.grade(status=1)
        self.assertIn("8 submissions, 6 graded, 2 grader failed", done.stdout)
        self.assertIn("killer: the grader died of SIGKILL: about to die", done.stderr)
        self.assertIn("lab1.json: score is 100", done.stderr)
        self.assertEqual({row["student"]: row["lab1 score"] for row in self.gradebook()}["killer"], "")
        self.assertIn("(2 now", self.grade(status=1).stdout)
        self.submit("killer", "PASS")
        self.submit("liar", "FAIL")
        self.assertIn("8 graded, mean 1.75 of 2 (2 now", self.grade().stdout)

    def test_partly(self):
        "what was judged before the grader died is on the student's page, and is no grade"
        self.submit("anna", "partly")
        self.grade(status=1)
        text = "".join(Reader((self.out / "lab1/students/anna.html").read_text(encoding="utf-8")).text)
        for words in ("grader failed", "no grade yet", "check_0: PASS", "check_1: FAIL"):
            self.assertIn(words, text)
        self.assertEqual([row["lab1 score"] for row in self.gradebook()], [""])

    def test_hangs(self):
        "a grader that hangs is ended with all that it started"
        self.submit("sleeper", "hang")
        self.submit("anna", "PASS")
        start = time.monotonic()
        done = self.grade(status=1, env={"GRADE_TIMEOUT_SCALE": "0.004"})
        self.assertLess(time.monotonic() - start, 60)
        self.assertIn("sleeper: the grader did not come to its end", done.stderr)
        self.assertIn("1 graded, 1 grader failed", done.stdout)

    def test_once(self):
        "a grader that fails once is given a second try"
        self.submit("unlucky", "once")
        self.assertIn("1 graded", self.grade(env={"FAKE_GRADER_ONCE": str(self.folder / "once")}).stdout)

    def test_resumes(self):
        "killed by SIGKILL and begun again: nothing is graded twice, and the gradebook is the same, byte for byte"
        for index in range(30):
            self.submit(f"student{index:02}", "PASS FAIL" if index % 3 else "PASS PASS")
        self.grade()
        whole = {path: (self.out / path).read_bytes() for path in ("gradebook.csv", "lab1/checks.csv",
                                                                   "lab1/index.html")}
        self.out.rename(self.folder / "first")
        env = dict(os.environ, FAKE_GRADER_SECONDS="0.3")
        for enough in (4, 12):
            run = subprocess.Popen(self.command(), env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while len(list((self.out / "lab1/records").glob("*.json"))) < enough:
                self.assertIsNone(run.poll())
                time.sleep(0.02)
            run.send_signal(signal.SIGKILL)
            run.wait()
        time.sleep(0.1)
        self.assertEqual(self.mentioning(str(self.out)), [], "graders outlived their class")
        kept = len(list((self.out / "lab1/records").glob("[a-z]*.json")))
        self.assertIn(f"({30 - kept} now", self.grade().stdout)
        for path, before in whole.items():
            self.assertEqual((self.out / path).read_bytes(), before, path)
        self.assertFalse((self.out / "lab1/work").exists())
        self.assertIn("none anew", self.grade().stdout)

    def test_changed(self):
        "a submission that changed is graded anew; a damaged record, too; one that left is left out"
        for name in ("anna", "bert", "carl"):
            self.submit(name, "PASS")
        self.grade()
        self.submit("anna", "FAIL")
        (self.out / "lab1/records/bert.json").write_text("{")
        (self.submissions / "carl/exercise.c").unlink()
        (self.submissions / "carl").rmdir()
        self.assertIn("2 submissions, 2 graded, mean 1 of 2 (2 now", self.grade().stdout)
        self.assertEqual([row["student"] for row in self.gradebook()], ["anna", "bert"])
        self.assertFalse((self.out / "lab1/students/carl.html").exists())

    def test_two_labs_at_once(self):
        "another lab's grading that ends meanwhile is in the gradebook of the one that ends last"
        self.submit("anna", "PASS PASS")
        self.grade(lab="2")
        (self.out / "lab2").rename(self.folder / "lab2")
        with open(self.out / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with subprocess.Popen(self.command(), stdout=subprocess.DEVNULL) as process:
                deadline = time.monotonic() + 20
                while not (self.out / "lab1/records/anna.json").exists() and time.monotonic() < deadline:
                    time.sleep(0.02)
                time.sleep(0.5)
                self.assertIsNone(process.poll())
                (self.folder / "lab2").rename(self.out / "lab2")
                fcntl.flock(lock, fcntl.LOCK_UN)
                self.assertEqual(process.wait(), 0)
        self.assertEqual([(row["lab1 score"], row["lab2 score"]) for row in self.gradebook()], [("4", "4")])

    def test_two_at_once(self):
        "a second grade-class into the same folder is refused"
        self.submit("anna", "PASS")
        run = subprocess.Popen(self.command(), env=dict(os.environ, FAKE_GRADER_SECONDS="3"), stdout=subprocess.DEVNULL)
        while not (self.out / "lab1/work").exists():
            time.sleep(0.02)
        self.assertIn("another grade-class", self.grade(status=2).stderr)
        self.assertEqual(run.wait(), 0)

    def test_interrupted(self):
        "Ctrl-C stops it, and its graders, at once; what was graded stays"
        for index in range(10):
            self.submit(f"student{index}", "PASS")
        # a shell's background jobs, which tests may be part of, ignore Ctrl-C
        run = subprocess.Popen(self.command("--jobs", "2"), env=dict(os.environ, FAKE_GRADER_SECONDS="1"),
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        while not list((self.out / "lab1/records").glob("*.json")):
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        self.assertIn("goes on from here", run.communicate(timeout=5)[1])
        self.assertEqual(run.returncode, 130)
        self.assertIn("10 graded", self.grade().stdout)


class Bar(Class):
    def test_bar(self):
        "a progress bar on a terminal, and none elsewhere"
        for index in range(5):
            self.submit(f"student{index}", "PASS")
        self.assertEqual(self.grade().stderr, "")
        command = "stty cols 100 rows 30; " + " ".join(self.command(lab="lab2"))
        done = subprocess.run(["script", "-qec", command, "/dev/null"], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=100, check=False)
        self.assertIn(b"lab2: 100%", done.stdout)
        self.assertIn(b"5/5", done.stdout)


class Demo(Class):
    def test_demo(self):
        "make demo-class: 20 submissions, every kind of end among them, made and graded in two minutes"
        build = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim"))
        if not (build / "grade/lab1.so").exists():
            self.skipTest(f"no grader in {build} (make graders)")
        start = time.monotonic()
        self.call(sys.executable, cases.ROOT / "grade/demo.py", "--lab", "1", "--out", self.submissions)
        self.assertIn("20 submissions, 19 graded, 1 not submitted",
                      self.grade("--build", str(build), grader=build / "grade/umgrade").stdout)
        self.assertLess(time.monotonic() - start, 120)
        rows = {row["student"]: row for row in self.gradebook("lab1/checks.csv")}
        self.assertEqual({end for row in rows.values() for end in list(row.values())[6:]}, set(cases.STATUSES) | {""})
        full = rows["Abel"]["max_score"]
        self.assertEqual([rows[name]["score"] for name in ("Abel", "Tran", "Chen", "Diaz", "Eze", "Fahd")],
                         [full, full, "0", "0", "0", "0"])


class Many(Class):
    def peak(self, count):
        """Grades `count` submissions; returns (MiB of grade-class itself at most, seconds)."""
        for index in range(count):
            self.submit(f"student{index:04}", "PASS")
        grader = self.folder / "grader.sh"
        cases.write_json(self.folder / "result.json", cases.sample(("PASS", "FAIL")))
        grader.write_text(f"#!/bin/sh\nmkdir ${{12}} && cp {self.folder}/result.json ${{12}}/lab1.json\n")
        grader.chmod(0o755)
        start = time.monotonic()
        run = subprocess.Popen(self.command(grader=grader), stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        self.assertEqual(len(self.gradebook()), count)
        return usage.ru_maxrss / 1024, time.monotonic() - start

    def test_flat(self):
        "memory is flat: 400 submissions take hardly more than 40 (under 6 MiB more)"
        few, _ = self.peak(40)
        many, _ = self.peak(400)
        self.assertLess(many - few, 6)


if __name__ == "__main__":
    sys.exit(cases.main())
