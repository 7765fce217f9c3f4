#!/usr/bin/env python3
"""make hint, predict and progress: what a student sees, and what is kept.

    tests/python/grade_student.py [PART-OF-A-NAME]
"""
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support import cases

sys.path.insert(0, str(cases.ROOT / "grade"))
import predict  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim"))
HINTS = """# Hints

## one/right
1. the first step
2. the second,
   which goes on:

       code
3. the third

## one/bytes
1. only one

## two/right
1. a
2. b
"""
PREDICTIONS = {"schema": "umlab-predictions/1", "lab": "lab5", "predictions": [
    {"id": "faults", "question": "How many faults?", "unit": "faults", "answer":
        {"row": {"strategy": "managed", "size_bytes": 64}, "column": "cpu_faults"}, "tolerance": {"factor": 2}},
    {"id": "slower", "question": "How much slower?", "unit": "times", "because": "pages move", "answer":
        {"row": {"strategy": "managed"}, "column": "total_us", "over": {"row": {"strategy": "explicit"},
                                                                         "column": "total_us"}},
     "tolerance": {"absolute": 0.5}},
    {"id": "small", "question": "And with 1M?", "unit": "us", "args": "--size 1M", "answer":
        {"row": {"strategy": "managed"}, "column": "total_us", "scale": 0.001}, "tolerance": {"factor": 1}}]}
ROWS = {"rows": [{"strategy": "explicit", "size_bytes": 64, "total_us": 100, "cpu_faults": None},
                 {"strategy": "managed", "size_bytes": 64, "total_us": 250, "cpu_faults": 30}]}
# Stands in for a lab: a table on stdout, JSON where it is asked for.
LAB = f"""#!/usr/bin/env python3
import json, sys
print("a table")
if "--json" in sys.argv:
    open(sys.argv[sys.argv.index("--json") + 1], "w").write({json.dumps(ROWS)!r})
sys.exit(1 if "--fail" in sys.argv else 0)
"""


class Student(cases.Case):
    def setUp(self):
        super().setUp()
        self.root = self.tree(lab3={"hints.md": HINTS}, lab5={"predictions.json": json.dumps(PREDICTIONS)})
        self.state = self.root / "build/grade/state.json"
        self.lab = self.root / "lab5"
        self.lab.write_text(LAB, encoding="utf-8")
        self.lab.chmod(0o755)

    def tool(self, name, *arguments, **more):
        return self.call(sys.executable, self.root / "grade" / f"{name}.py", *arguments, cwd=self.root, **more)

    def hint(self, *arguments, **more):
        return self.tool("hint", "3", *arguments, **more).stdout

    def run_lab(self, *arguments, status=0):
        return self.tool("predict", "run", "lab5", "--", self.lab, *arguments, status=status).stdout


class Hints(Student):
    def test_one_more(self):
        "make hint shows one step more each time, and says when it was the last"
        self.assertEqual(self.hint("--check", "one/right"), "one/right: step 1 of 3\n  1. the first step\n")
        second = self.hint("--check", "one/right")
        self.assertIn("step 2 of 3", second)
        self.assertIn("  2. the second,\n     which goes on:\n\n         code\n", second)
        self.assertNotIn("third", second)
        self.assertIn("3. the third", self.hint("--check", "one/right"))
        self.assertIn("there is no further", self.hint("--check", "one/right"))
        self.assertEqual(json.loads(self.state.read_text())["hints"]["lab3"]["one/right"], 3)

    def test_chooses(self):
        "without CHECK the hint is for the first check that failed, then for the next with steps left"
        self.assertIn("one/right: step 1", self.hint())
        ends = {"one/right": "PASS", "one/bytes": "FAIL", "two/right": "TIMEOUT"}
        cases.write_json(self.root / "build/grade/lab3.json",
                         {"checks": [{"name": name, "status": status} for name, status in ends.items()]})
        self.assertIn("one/bytes: step 1", self.hint())
        self.assertIn("two/right: step 1", self.hint())
        self.assertIn("two/right: step 2", self.hint())
        self.assertIn("one/right: step 2", self.hint("--check", "one/right"))

    def ended(self, **ends):
        cases.write_json(self.root / "build/grade/lab3.json", {"checks": [
            {"name": name.replace("_", "/"), "status": status} for name, status in ends.items()]})

    def test_skipped(self):
        "a check that was skipped waits: while another fails, that one's last step is shown again"
        self.ended(one_right="FAIL", one_bytes="SKIP", two_right="PASS")
        for step in (1, 2, 3, 3, 3):
            self.assertIn(f"one/right: step {step}", self.hint())
        self.ended(one_right="PASS", one_bytes="SKIP", two_right="PASS")
        self.assertIn("one/bytes: step 1", self.hint())

    def test_all_pass(self):
        "when all checks pass, that is good news: a line on stdout, exit 0"
        self.ended(one_right="PASS", one_bytes="PASS", two_right="PASS")
        self.assertIn("every check of lab3 that has hints passes", self.hint())

    def test_wrong_names(self):
        "a check or lab that has no hints is one line, exit 2, and nothing kept"
        for arguments in (("3", "--check", "none"), ("4",), ("", )):
            done = self.tool("hint", *arguments, status=2)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1))
        self.assertFalse(self.state.exists())

    def test_own_state(self):
        "UMLAB_STATE names another file for what is kept"
        self.hint(env={"UMLAB_STATE": str(self.folder / "mine/s.json")})
        self.assertTrue((self.folder / "mine/s.json").exists())
        self.assertFalse(self.state.exists())

    def test_two_at_once(self):
        "twenty at once: each step was shown once, and the file is whole"
        text = "## a/b\n" + "".join(f"{i}. step {i}\n" for i in range(1, 41))
        (self.root / "labs/lab3_topic/hints.md").write_text(text)
        with ThreadPoolExecutor(20) as pool:
            shown = sorted(pool.map(lambda _: self.hint().splitlines()[0], range(20)))
        self.assertEqual(shown, sorted(f"a/b: step {i} of 40" for i in range(1, 21)))
        self.assertEqual(sorted(path.name for path in self.state.parent.iterdir()), ["state.json", "state.json.lock"])

    def test_damaged(self):
        "a damaged state is put aside under a new name, with one line; it is never overwritten"
        for index, text in enumerate(("{\"sche", "[]", "\xff", json.dumps({"schema": "umlab-state/1", "hints": 3}),
                                      json.dumps({"schema": "umlab-state/1", "hints": {"lab3": {"a": "x"}}}))):
            self.state.parent.mkdir(parents=True, exist_ok=True)
            self.state.write_text(text, encoding="latin-1")
            done = self.tool("hint", "3")
            self.assertEqual((done.stderr.count("\n"), done.stderr.count("damaged")), (1, 2), text)
            self.assertIn("step 1", done.stdout)
            aside = self.state.with_name(f"state.json.damaged-{index + 1}")
            self.assertEqual(aside.read_text(encoding="latin-1"), text)

    def test_killed_writer(self):
        "killed with SIGKILL at any moment, the state stays whole"
        self.hint()
        for delay in range(12):
            writer = subprocess.Popen([sys.executable, self.root / "grade/hint.py", "3"], cwd=self.root,
                                      stdout=subprocess.DEVNULL)
            try:
                writer.wait(0.01 * delay)
            except subprocess.TimeoutExpired:
                writer.kill()
                writer.wait()
            self.assertGreaterEqual(json.loads(self.state.read_text())["hints"]["lab3"]["one/right"], 1)


class Predictions(Student):
    def predict(self, answers, status=0):
        return self.tool("predict", "ask", "5", "--answers", answers, status=status)

    def test_nothing_changes(self):
        "without predictions a lab's output and end are its own"
        self.assertEqual(self.run_lab(), "a table\n")
        self.assertEqual(self.run_lab("--fail", status=1), "a table\n")
        self.predict("faults=1")
        self.assertEqual(self.run_lab("--size", "2M"), "a table\n")

    def test_compared(self):
        "what was predicted stands beside what happened; right within the tolerance"
        self.predict("faults=16,slower=3.5")
        said = self.run_lab()
        self.assertTrue(said.startswith("a table\nlab5: what you predicted"))
        self.assertIn("predicted 16 faults, happened 30 faults: right", said)
        self.assertIn("predicted 3.5 times, happened 2.5 times: not so\n    pages move", said)
        self.assertTrue(said.endswith("lab5: 1 of 2 right\n"))

    def test_arguments(self):
        "a question about other arguments is compared when the lab is run with those; its unit is scaled"
        self.assertIn('Next: make lab5 ARGS="--size 1M"', self.predict("small=0.25").stdout)
        self.assertEqual(self.run_lab(), "a table\n")
        self.assertIn("happened 0.25 us: right", self.run_lab("--size", "1M"))

    def test_first_counts(self):
        "a prediction may change until its run; afterwards it stays"
        self.predict("faults=1")
        self.predict("faults=30")
        self.assertIn("1 of 1 right", self.run_lab())
        self.assertIn("30 stays", self.predict("faults=7").stdout)
        self.assertIn("predicted 30", self.run_lab())

    def test_failed_run(self):
        "a lab that fails is not compared, and keeps its exit code"
        self.predict("faults=1")
        state = self.state.read_text()
        (self.root / "lab5").write_text(LAB.replace("1 if", "1 if 'x' or"), encoding="utf-8")
        self.assertEqual(self.run_lab(status=1), "a table\n")
        self.assertEqual(self.state.read_text(), state)

    def test_wrong_answers(self):
        "answers that are none are one line, exit 2, and nothing kept; without a terminal the questions are shown"
        for answers in ("faults", "faults=x", "faults=nan", "other=1"):
            self.assertEqual(self.predict(answers, status=2).stderr.count("\n"), 1)
        done = self.tool("predict", "ask", "5", status=2)
        self.assertIn("faults: How many faults? [faults]", done.stdout)
        self.assertIn("ANSWERS=faults=", done.stderr)
        self.assertFalse(self.state.exists())

    def test_terminal(self):
        "on a terminal it asks; an empty line leaves a question open, words are asked again"
        script = f"cd {self.root} && {sys.executable} grade/predict.py ask 5"
        done = subprocess.run(["script", "-qec", script, "/dev/null"], input=b"many\n64K\n\n\n", timeout=30,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(b"a number, or nothing", done.stdout)
        self.assertEqual(json.loads(self.state.read_text())["predictions"]["lab5"], {"faults": {"predicted": 65536}})


    def test_lesson(self):
        "predict, run and explain in one: it asks, runs the lab, compares, and says what to explain"
        (self.root / "labs/lab5_topic/README.md").write_text(
            "# Lab 5\n\n## Explain\n\n- Why so [many](x.md)?\n- Who\n  waits?\n\n## Then\n\n- Not this.\n")
        script = f"cd {self.root} && {sys.executable} grade/predict.py lesson lab5 -- {self.lab}"
        done = subprocess.run(["script", "-qec", script, "/dev/null"], input=b"30\n2\n5\n", timeout=60,
                              capture_output=True, check=False)
        said = done.stdout.decode().replace("\r\n", "\n")
        self.assertEqual(done.returncode, 0, said)
        places = [said.index(part) for part in ("How many faults?", "a table", "predicted 30 faults, happened 30",
                                                "explain now", "  - Why so many?\n  - Who waits?\n")]
        self.assertEqual(places, sorted(places))
        self.assertNotIn("Not this", said)
        again = self.tool("predict", "lesson", "lab5", "--", self.lab, "--fail", status=1, env={"UMLAB_STATE": str(
            self.state)})
        self.assertNotIn("explain now", again.stdout)


class Answers(cases.Case):
    def test_real_labs(self):
        "every question of the real labs has its answer in what the lab writes with the question's arguments"
        files = sorted(cases.ROOT.glob("labs/*/predictions.json"))
        if not (BUILD / "lab5").exists() or os.environ.get("UMLAB_BACKEND", "sim") != "sim":
            self.skipTest("the simulator's labs are not built")
        if not files:
            self.skipTest("no lab asks for predictions yet")
        for path in files:
            lab, rows = path.parent.name.partition("_")[0], {}
            for question in predict.questions(lab):
                arguments = question.get("args", "")
                if arguments not in rows:
                    out = self.folder / "lab.json"
                    self.call(BUILD / lab, *shlex.split(arguments), "--quiet", "--json", out)
                    rows[arguments] = json.loads(out.read_text())["rows"]
                happened = predict.what_happened(rows[arguments], question["answer"])
                self.assertIsNotNone(happened, f"{lab}: {question['id']}")
                self.assertTrue(predict.is_right(happened, happened, question["tolerance"]), question["id"])


class Progress(Student):
    def test_table(self):
        "make progress adds up checks, points, hints and predictions of the whole course"
        cases.write_json(self.root / "build/grade/lab1.json", cases.sample(("PASS", "PASS", "FAIL")))
        check = cases.sample(("PASS",))["checks"][0]
        (self.root / "build/grade/lab2.jsonl").write_text(json.dumps(check) + "\n" + json.dumps(check)[:30])
        (self.root / "build/grade/lab4.json").write_text("not JSON")
        self.hint()
        self.hint()
        self.tool("predict", "ask", "5", "--answers", "faults=30,slower=9,small=1")
        self.run_lab()
        said = self.tool("progress").stdout
        row = {line.split()[0]: line for line in said.splitlines()}
        self.assertRegex(row["lab1"], r"2/3 +4/6 +10/15")
        self.assertRegex(row["lab2"], r"1/1, cut off +2/2 +0/10")
        self.assertRegex(row["lab4"], r"not graded yet +- +-/10")
        self.assertRegex(row["lab3"], r" 2 +none asked")
        self.assertIn("1/2 right, 1 not run yet", row["lab5"])
        self.assertTrue(said.endswith(
            ": 10 of 110 points of the course, 2 steps of hints, 1 of 2 predictions right\n"), said)


if __name__ == "__main__":
    sys.exit(cases.main())
