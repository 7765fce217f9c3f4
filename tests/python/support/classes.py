"""A folder of submissions and grade-class upon it, for the tests of both engines. The grader is a stand-in."""
import csv
import json
import os
import sys
from pathlib import Path

from . import cases

FAKE = Path(__file__).with_name("fake_grader.py")


class Class(cases.Case):
    def setUp(self):
        super().setUp()
        self.submissions, self.out = self.folder / "submissions", self.folder / "class"
        self.submissions.mkdir()

    def submit(self, name, words, file="exercise.c"):
        path = os.path.join(os.fsencode(self.submissions), name if isinstance(name, bytes) else os.fsencode(name),
                            os.fsencode(file))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as source:
            source.write(f"// {words}\n")

    def command(self, *more, lab="1", grader=FAKE):
        return [sys.executable, str(cases.ROOT / "grade/classroom.py"), "--lab", lab, "--submissions",
                str(self.submissions), "--out", str(self.out), "--grader", str(grader), *more]

    def grade(self, *more, status=0, env=None, **others):
        return self.call(*self.command(*more, **others), status=status, env=env)

    def gradebook(self, path="gradebook.csv"):
        with open(self.out / path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def record(self, name):
        return json.loads((self.out / "lab1/records" / f"{name}.json").read_text())
