#!/usr/bin/env python3
"""The grader's core: how a check can end, what is written when, limits, sandboxes. (Wrong answers: tests/mutants; harm:
tests/hostile.)

    tests/python/grade_core.py [PART-OF-A-NAME]
"""
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from support import cases

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
LAB = cases.ROOT / "labs/lab1_explicit"
HEAD = '#include "exercise.h"\n#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n'
ADD = "cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n) {{ {} return 0; }}\n"
CHAIN = "cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k) {{ {} return 0; }}\n"


def setUpModule():
    if not (BUILD / "grade/lab1.so").exists():
        raise cases.Skip(f"no grader in {BUILD} (make graders)")


class Core(cases.Case):
    def command(self, source, *more):
        submission = self.folder / "submission"
        submission.mkdir(exist_ok=True)
        (submission / "exercise.c").write_text(source, encoding="utf-8")
        return [BUILD / "grade/umgrade", "--lab", "lab1", "--lab-dir", LAB, "--checks", BUILD / "grade/lab1.so",
                "--root", cases.ROOT, "--build", BUILD, "--out", self.folder / "out", "--submission", submission, *more]

    def grade(self, source, *more, status=1, env=None):
        self.said = self.call(*self.command(source, *more), status=status, env=env)
        return json.loads((self.folder / "out/lab1.json").read_text())

    def checks(self, source, *more, env=None):
        return {check["name"]: check for check in self.grade(source, *more, env=env)["checks"]}

    def lines(self):
        return [json.loads(line) for line in (self.folder / "out/lab1.jsonl").read_text().splitlines()]

    def test_full_marks(self):
        "the solution has full marks: exit 0, the score last, a line for each check, a lesson each"
        result = self.grade((LAB / "exercise.c").read_text(), status=0)
        self.assertEqual((result["score"], result["complete"], result["build"]["ok"]),
                         (result["max_score"], True, True))
        self.assertEqual(self.said.stdout.splitlines()[-1], f"Score: {result['score']}/{result['max_score']}")
        self.assertEqual(self.lines(), result["checks"])
        self.assertTrue(all(check["learned"] and not check["idea"] for check in result["checks"]))
        self.assertEqual(self.said.stdout.count(": OK") + self.said.stdout.count("== OK ("), len(result["checks"]))

    def test_statuses(self):
        "a crash, a deadline, an early end and a wrong answer are told apart, and their children are not judged"
        checks = self.checks(HEAD + ADD.format("c[0] = *(volatile float *)8;") + CHAIN.format("for (;;) ;"),
                             env={"GRADE_TIMEOUT_SCALE": "0.2"})
        self.assertEqual(checks["vector_add_host/right_data"]["status"], "CRASH")
        self.assertIn("signal 11", checks["vector_add_host/right_data"]["happened"])
        self.assertEqual(checks["saxpy_chain/right_data"]["status"], "TIMEOUT")
        self.assertEqual(checks["saxpy_chain/errors"]["status"], "SKIP")
        self.assertLess(checks["saxpy_chain/right_data"]["seconds"], 10)  # eight deadlines, on a busy machine
        threads = "for (int i = 0; i < 3; i++) { pthread_t t; pthread_create(&t, 0, spin, 0); } for (;;) ;"
        checks = self.checks(HEAD + "#include <pthread.h>\nstatic void *spin(void *p) { for (;;) ; return p; }\n"
                             + ADD.format(threads) + CHAIN.format(""), env={"GRADE_TIMEOUT_SCALE": "0.5"})
        self.assertEqual(checks["vector_add_host/right_data"]["status"], "TIMEOUT")  # processor time, or the deadline
        checks = self.checks(HEAD + ADD.format("_exit(0);") + CHAIN.format("y[0] = 1;"))
        self.assertEqual(checks["vector_add_host/right_data"]["status"], "CRASH")
        self.assertIn("ended by itself", checks["vector_add_host/right_data"]["happened"])
        self.assertEqual(checks["saxpy_chain/right_data"]["status"], "FAIL")
        self.assertIn("schedule lazy", checks["saxpy_chain/right_data"]["where"])

    def test_busy_machine(self):
        "a call that other work keeps from the processor does not miss its deadline; one that sleeps does"
        if not Path("/proc/self/schedstat").exists():
            self.skipTest("this kernel does not count how long a thread waits for a processor")
        cpu = str(min(os.sched_getaffinity(0)))
        others = [subprocess.Popen(["taskset", "-c", cpu, sys.executable, "-c", "while True: pass"]) for _ in range(10)]
        try:
            work = "for (clock_t end = clock() + CLOCKS_PER_SEC / 4; clock() < end;) ;"
            said = self.call("taskset", "-c", cpu, *self.command(HEAD + "#include <time.h>\n" + ADD.format(work)
                             + CHAIN.format("sleep(100);")), status=1, env={"GRADE_TIMEOUT_SCALE": "0.3"})
        finally:
            for other in others:
                other.kill()
                other.wait()
        checks = {check["name"]: check for check in json.loads((self.folder / "out/lab1.json").read_text())["checks"]}
        self.assertEqual(checks["vector_add_host/right_data"]["status"], "FAIL", said.stdout)
        self.assertEqual(checks["saxpy_chain/right_data"]["status"], "TIMEOUT", said.stdout)

    def test_source(self):
        "a check that fails names the function's line, by the compiler; what a student writes there does no harm"
        source = HEAD + "// vector_add_host(\n#if 0\n" + ADD.format("") + "#endif\n" + CHAIN.format("")
        source += "static int vector_add_host_2(void) { return 0; }\n" + ADD.format("return vector_add_host_2();")
        checks = self.checks(source)
        for name in ("vector_add_host", "saxpy_chain"):
            line = max(number for number, text in enumerate(source.split("\n"), 1) if f" {name}(" in text)
            self.assertEqual(checks[f"{name}/right_data"]["line"], line)
            self.assertIn(f"     source    {name}() in exercise.c:{line}\n", self.said.stdout)
        for hostile in ('#line 2000000000 "exercise.c"', '#line 5 "a\\" label: \\"b"'):
            checks = self.checks(HEAD + hostile + "\n" + ADD.format("") + CHAIN.format(""))
            self.assertEqual(checks["saxpy_chain/right_data"]["status"], "FAIL")

    def test_build_error(self):
        ("a compile error is BUILD-ERROR in every check, with the compiler's message, its lines as the student knows "
         "them")
        result = self.grade("int broken(\n")
        self.assertEqual({check["status"] for check in result["checks"]}, {"BUILD-ERROR"})
        self.assertRegex(result["build"]["log"], r"(?m)^exercise\.c:\d+:\d+: error")
        self.assertEqual((result["build"]["ok"], result["score"]), (False, 0))
        result = self.grade(HEAD + ADD.format("return um_no_such_function();") + CHAIN.format(""))
        self.assertIn("um_no_such_function", result["build"]["log"])

    def test_cannot(self):
        "what cannot be graded is exit 2, with a reason, and no result that could be taken for one"
        (self.folder / "out").mkdir()
        (self.folder / "out/lab1.json").write_text("{}")
        said = self.call(*self.command("", "--sandbox", "iron"), status=2)
        self.assertIn("iron", said.stderr)
        self.assertFalse((self.folder / "out/lab1.json").exists())
        said = self.call(*self.command("", "--seed", "x"), status=2)
        self.assertIn("x is not a whole number", said.stderr)
        said = self.call(*self.command(""), status=2, env={"GRADE_TIMEOUT_SCALE": "soon"})
        self.assertIn("GRADE_TIMEOUT_SCALE=soon", said.stderr)

    def test_killed(self):
        "a grader that is killed in the middle has kept what it had judged, and nothing goes on running"
        source = HEAD + re.sub(r"saxpy_chain\(", "solved(", (LAB / "exercise.c").read_text()).replace(
            '#include "exercise.h"', "") + CHAIN.format("for (;;) ;")
        run = subprocess.Popen([str(word) for word in self.command(source)], stdout=subprocess.DEVNULL)
        path, deadline = self.folder / "out/lab1.jsonl", time.monotonic() + 30
        while time.monotonic() < deadline and not (path.exists() and len(path.read_text().splitlines()) >= 6):
            time.sleep(0.05)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.assertEqual([check["status"] for check in self.lines()], ["PASS"] * 6)
        self.assertFalse((self.folder / "out/lab1.json").exists())
        self.assertTrue(children)
        while time.monotonic() < deadline and any(Path(f"/proc/{pid}/exe").exists() for pid in children):
            time.sleep(0.05)
        self.assertFalse([pid for pid in children if Path(f"/proc/{pid}/exe").exists()])

    def test_output(self):
        "what a program prints is shown where it failed, without what would command a terminal, and cut"
        prints = r'puts("\033[31mred"); fputs("to stderr\n", stderr); fputs("no line\'s end", stdout);'
        checks = self.checks(HEAD + ADD.format(prints) + CHAIN.format(
            "for (int i = 0; i < 100000; i++) puts(\"0123456789\");"))
        for text in ("to stderr", "no line's end"):
            self.assertIn(text, checks["vector_add_host/right_data"]["output"])
        self.assertNotIn("\x1b", self.said.stdout)
        self.assertIn("\ufffd[31mred", self.said.stdout)
        self.assertLess(len(checks["saxpy_chain/right_data"]["output"]), 5000)

    def test_seed(self):
        "hidden inputs follow from the seed: the same twice, others with another"
        wrong = HEAD + ADD.format("cudaMemcpy(c, a, 4 * n, cudaMemcpyHostToHost);") + CHAIN.format("")
        said = [self.checks(wrong, "--seed", seed)["vector_add_host/right_data"]["expected"] for seed in "778"]
        self.assertEqual(said[0], said[1])
        self.assertNotEqual(said[0], said[2])

    def test_sandboxes(self):
        "without bubblewrap another user, Landlock and limits do: the same marks, and the result says so"
        result = self.grade((LAB / "exercise.c").read_text(), "--sandbox", "own", status=0)
        self.assertEqual(result["score"], result["max_score"])
        self.assertNotEqual(result["cage"], "bubblewrap")
        if os.geteuid() == 0:
            self.assertIn("own uid", result["cage"])

    def test_workspace(self):
        "nothing is left of a submission's workspace"
        scratch = self.folder / "scratch"
        scratch.mkdir()
        self.folder.chmod(0o755)
        scratch.chmod(0o1777)
        self.grade(HEAD + ADD.format("abort_not_there();") + CHAIN.format(""), env={"TMPDIR": str(scratch)})
        self.grade(HEAD + ADD.format("raise(SIGKILL);") + CHAIN.format(""), env={"TMPDIR": str(scratch)})
        self.assertEqual(list(scratch.iterdir()), [])

    def test_abandoned(self):
        "what a killed grader left goes with the next grading; a workspace in use stays, and so does a new one"
        scratch = self.folder / "scratch"
        self.folder.chmod(0o755)
        for name in "umgrade-killed", "umgrade-in-use", "umgrade.new-made", "umgrade.new-old", "others":
            (scratch / name / "src").mkdir(parents=True)
            (scratch / name / "src/exercise.c").write_text("")
            os.utime(scratch / name, (0, time.time() if "made" in name else 0))
        scratch.chmod(0o1777)
        lock = os.open(scratch / "umgrade-in-use", os.O_RDONLY)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_SH)
        self.grade(HEAD + ADD.format("") + CHAIN.format(""), env={"TMPDIR": str(scratch)})
        self.assertEqual(sorted(path.name for path in scratch.iterdir()),
                         ["others", "umgrade-in-use", "umgrade.new-made"])


if __name__ == "__main__":
    sys.exit(cases.main())
