#!/usr/bin/env python3
"""Adding a lab is what docs/adding.md says: its steps, in a copy of the tree, with the example
docs/examples/lab11_fill.

    tests/python/grade_new_lab.py [PART-OF-A-NAME]
"""
import json
import os
import re
import shutil
import sys
from pathlib import Path

from support import cases

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
LEFT_OUT = shutil.ignore_patterns("build", ".git", ".venv", "__pycache__", "measured")


def setUpModule():
    if BUILD.name != "sim" or not (BUILD / "grade/umgrade").exists():
        raise cases.Skip(f"no plain simulator's build with a grader in {BUILD} (make graders)")


class NewLab(cases.Case):
    def make(self, *words, status=0):
        quiet = {"MAKEFLAGS": "", "MFLAGS": "", "UMLAB_STATE": str(self.folder / "state.json")}
        return self.call("make", "-C", self.root, "BACKEND=sim", *words, status=status, env=quiet).stdout

    def test_steps(self):
        "a new lab: built, run, predicted, graded, its mutant found, and in the handout without its solution"
        self.root = self.folder / "tree"
        shutil.copytree(cases.ROOT, self.root, ignore=LEFT_OUT)
        # What is built already is built: only the new files are compiled.
        shutil.copytree(BUILD, self.root / "build/sim", symlinks=True)
        for link in ("include", "share/umlab/profiles"):
            (self.root / "build/sim" / link).unlink()  # make sets it anew: it leads out of a BUILD that is elsewhere
        example = self.root / "labs/lab11_fill"
        shutil.copytree(cases.ROOT / "docs/examples/lab11_fill", example)
        shutil.move(example / "mutants", self.root / "tests/mutants/lab11")
        course = json.loads((self.root / "course.json").read_text())
        course["terms"][course["term"]]["labs"].append(
            {"lab": "lab11", "points": 5, "due": "2027-05-21T23:59:00+02:00", "minutes": 30})
        (self.root / "course.json").write_text(json.dumps(course))

        self.assertIn("lab11: 2 strategies, all verified (sim,", self.make("lab11"))
        self.make("predict", "LAB=11", "ANSWERS=factor=30")
        self.assertIn("lab11: 1 of 1 right", self.make("lab11"))
        self.assertIn("Score: 5/5", self.make("grade", "LAB=11"))
        self.assertIn("3 passed, 0 failed", self.make("mutants", "ARGS=lab11"))
        self.assertRegex(self.make("progress"), r"lab11 .* 5/5 ")
        self.make("handout")
        handed = (self.root / "build/handout/labs/lab11_fill/exercise.c").read_text()
        self.assertIn("your code here", handed)
        self.assertNotIn("um_fill", handed)

    def test_profile(self):
        "the page's example of a profile is one"
        page = (cases.ROOT / "docs/adding.md").read_text()
        found = re.search(r'(?:^    .*\n)*^    \{"schema": "umsim-profile/1".*\n(?:^    .*\n)*', page, re.M)
        (self.folder / "small.json").write_text(found[0])
        said = self.call(BUILD / "lab1", "--size", "64K", "--profile", self.folder / "small.json").stdout
        self.assertIn("all verified (sim, small, modelled times)", said)

    def test_page(self):
        "the page on adding a lab names the files that the example has, and no others"
        page = (cases.ROOT / "docs/adding.md").read_text()
        named = set(re.findall(r"^\| `([\w/]+\.\w+)` \|", page, re.M))
        example = cases.ROOT / "docs/examples/lab11_fill"
        there = {str(path.relative_to(example)) for path in example.rglob("*") if path.is_file()}
        there = {name for name in there if not name.startswith("mutants/")}
        self.assertEqual(named, there)


if __name__ == "__main__":
    sys.exit(cases.main())
