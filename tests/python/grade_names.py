#!/usr/bin/env python3
"""What a user names is data: no target of make runs, or loses a byte of, the name of a folder.

    tests/python/grade_names.py [PART-OF-A-NAME]

The targets that are programs of Python get a stand-in for Python, which writes down its arguments; make grade grades.
"""
import json
import os
import subprocess
import sys

from support import cases

sys.path.insert(0, str(cases.ROOT / "grade"))
import result as results  # noqa: E402

MARK = f"umlab-pwned-{os.getpid()}"
NAMES = [f"a'; touch {MARK}; echo 'b", f'a"; touch {MARK}; echo "b', f"$(shell touch {MARK})",
         f"$$(shell touch {MARK})", f"$(touch {MARK})", f"`touch {MARK}`", f"a\ntouch {MARK}\n", "-rf",
         b"\xff\xfe\xc3", "a b", "#%:=,\\", "$", "~", "*", "\u202eslevon\u2066", "-" * 255, "a\tb\r", "-- --help", "$@",
         "x=$(shell touch " + MARK + ")"]
NAMES = [name if isinstance(name, bytes) else name.encode() for name in NAMES]
# Each target, and those of its variables that are names; an argument of the program has to end with the name.
TARGETS = {"grade-class": ("SUBMISSIONS", "OUT", "LAB", "JOBS", "ENGINE"), "hint": ("LAB", "CHECK"),
           "predict": ("LAB", "ANSWERS"), "gradescope": ("LAB",), "demo-class": ("LAB",),
           "report": ("COMPARE",)}
RECORDER = """#!/bin/sh
printf '%s\\0' "$@" >>'{folder}/said'
"""


class Names(cases.Case):
    def setUp(self):
        super().setUp()
        self.python = self.folder / "python"
        self.python.write_text(RECORDER.format(folder=self.folder))
        self.python.chmod(0o755)
        self.addCleanup(lambda: (cases.ROOT / MARK).unlink(missing_ok=True))

    def make(self, target, *words, env=None):
        """Runs make in the repository. Returns how it ended; whatever was named, nothing was run."""
        done = subprocess.run(["make", "-s", "BACKEND=sim", target, *words], cwd=cases.ROOT, capture_output=True,
                              stdin=subprocess.DEVNULL, env=os.environb | (env or {}), timeout=300, check=False)
        self.assertFalse((cases.ROOT / MARK).exists(), (target, words, env))
        return done

    def arguments(self):
        said = self.folder / "said"
        arguments = said.read_bytes().split(b"\0") if said.exists() else []
        said.unlink(missing_ok=True)
        return arguments

    def check(self, target, variable, name, env):
        word = variable.encode() + b"=" + name
        more = [b"LAB=1"] if variable != "LAB" else []
        if variable != "SUBMISSIONS":
            more.append(b"SUBMISSIONS=.")
        words = [b"PYTHON=" + os.fsencode(self.python), *more, *([] if env else [word])]
        self.make(target, *words, env={variable.encode(): name} if env else None)
        self.assertTrue([one for one in self.arguments() if one == name or one.endswith(b"=" + name)
                         or name in one and target == "gradescope"], (target, word, "did not arrive whole"))

    def test_targets(self):
        "grade-class, hint, predict, gradescope, demo-class, report: a name arrives whole, and nothing of it is run"
        for target, variables in TARGETS.items():
            for index, variable in enumerate(variables):
                for turn, name in enumerate(NAMES):
                    if index == 0 or (turn + index) % 4 == 0:  # every name where it matters most, else each fourth
                        self.check(target, variable, name, env=turn % 2 == 1)

    def test_grade(self):
        "make grade: a name arrives whole in the result, which is valid UTF-8; nothing of it is run"
        if not (cases.ROOT / "build/sim/grade/umgrade").exists():
            self.skipTest("no grader (make graders)")
        for name in NAMES:
            folder = os.path.join(os.fsencode(self.folder), name)
            os.mkdir(folder)
            with open(os.path.join(folder, b"exercise.c"), "w", encoding="utf-8") as file:
                file.write("#error nothing\n")
            done = self.make("grade", b"LAB=1", b"SUBMISSION=" + folder)
            self.assertIn(b"Score: 0/", done.stdout, (name, done.stderr))
            text = (cases.ROOT / "build/grade/lab1.json").read_bytes().decode("utf-8")
            shown = results.clean(name.decode("utf-8", "replace")).replace("\n", "\ufffd")
            self.assertEqual(json.loads(text)["submission"].replace("\n", "\ufffd"), f"{self.folder}/{shown}")

    def test_other_variables_of_grade(self):
        "make grade: LAB, SEED, PROFILE and SANDBOX are no text of a shell either"
        for variable in (b"LAB", b"SEED", b"PROFILE", b"SANDBOX"):
            for name in NAMES:
                words = [variable + b"=" + name] + ([b"LAB=1"] if variable != b"LAB" else [])
                self.assertEqual(self.make("grade", *words).returncode, 2, words)


if __name__ == "__main__":
    sys.exit(cases.main())
