#!/usr/bin/env python3
"""make handout and make solutions: what students get builds and scores 0, what instructors have scores 100%.

    tests/python/handout.py [PART-OF-A-NAME]

The handout is built once, from its archive, in a folder of its own (UMLAB_HANDOUT=DIR keeps it there).
"""
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from support import cases

sys.path.insert(0, str(cases.ROOT / "grade"))
import handout  # noqa: E402
import hint  # noqa: E402
import predict  # noqa: E402

WORK = Path(os.environ.get("UMLAB_HANDOUT") or tempfile.mkdtemp(prefix="umlab-handout-"))
TREE = WORK / "umlab"


def labs(folder=cases.ROOT):
    return sorted(path.parent.name.split("_")[0] for path in folder.glob("labs/*/exercise.c"))


def some(all_labs):
    """Each lab's exercise is graded by tests/mutants, too: three here, and with UM_LONG=1 all."""
    return all_labs if os.environ.get("UM_LONG") else all_labs[::len(all_labs) // 3 or 1]


def make(*words, status=0):
    done = subprocess.run(["make", "-C", TREE, "BACKEND=sim", *words], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=600, errors="replace",
                          env={k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "UM"))})
    if (done.returncode != 0) != (status != 0):
        raise AssertionError(f"make {' '.join(words)}: {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done


def pack(side, folder):
    with contextlib.redirect_stdout(io.StringIO()):
        return handout.main([side, "--build", str(folder)])


def unpack(side):
    subprocess.run(["tar", "xzmf", f"umlab-{side}.tar.gz"], cwd=WORK, check=True)


def lay_over(side):
    """Unpacks an archive over the tree. A file that is there already with the same bytes stays, with its time: make
    builds what differs."""
    other = WORK / f"{side}-unpacked"
    other.mkdir()
    subprocess.run(["tar", "xzmf", f"../umlab-{side}.tar.gz"], cwd=other, check=True)
    for path in (path for path in sorted(other.rglob("*")) if path.is_file()):
        target = TREE / path.relative_to(other / "umlab")
        if not target.is_file() or target.read_bytes() != path.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


def setUpModule():
    if os.environ.get("UMLAB_BACKEND", "sim") != "sim":
        raise cases.Skip("the grader is for the simulator")
    for side in ("handout", "solutions"):
        if pack(side, WORK) != 0:
            raise AssertionError(f"make {side} failed")
    unpack("handout")
    make("all", "graders")


def tearDownModule():
    if not os.environ.get("UMLAB_HANDOUT"):
        shutil.rmtree(WORK, ignore_errors=True)


class Markers(cases.Case):
    def test_wrong_markers(self):
        "a marker that does not match is an error with its line"
        for text, line in (("// BEGIN SOLUTION\n", 1), ("a\n// END SOLUTION\n", 2), ("// PLACEHOLDER\n", 1),
                           ("// BEGIN HIDDEN\n// BEGIN SOLUTION\n// END SOLUTION\n", 2),
                           ("// BEGIN SOLUTION\n// PLACEHOLDER\n// PLACEHOLDER\n", 3)):
            with self.assertRaises(handout.Bad) as raised:
                handout.for_students(text, "x.c")
            self.assertIn(f"x.c:{line}:", str(raised.exception))
        with self.assertRaises(handout.Bad):
            handout.for_students("// BEGIN SOLUTION\n// PLACEHOLDER\nreturn 0;\n// END SOLUTION\n", "x.c")

    def test_both_sides(self):
        "students get the placeholder, instructors the solution"
        text = "a\n    // BEGIN SOLUTION\n    b;\n    // PLACEHOLDER\n    // c;\n    // END SOLUTION\nd\n"
        self.assertEqual(handout.for_students(text, "x.c"), "a\n    c;\nd\n")
        self.assertEqual(handout.for_instructors(text, "x.c"), "a\n    b;\nd\n")

    def test_leak(self):
        "a handout that shows a line of a solution is refused, whatever its blanks and its file"
        line, name = next((line, name) for line, name in handout.secrets().items() if name.endswith("exercise.c"))
        spaced = " ".join(line[i:i + 3] for i in range(0, len(line), 3)).encode()
        for path in (name, "labs/lab1_explicit/hints.md"):
            self.assertTrue(list(handout.leaks({path: (b"a\n" + spaced + b"\n", False)})), path)
        self.assertFalse(list(handout.leaks({name: (b"return 0;\n", False)})))


class Handout(cases.Case):
    def test_same_bytes(self):
        "two archives of the same files are the same bytes"
        for side in ("handout", "solutions"):
            self.assertEqual(pack(side, self.folder), 0)
            name = f"umlab-{side}.tar.gz"
            self.assertEqual((self.folder / name).read_bytes(), (WORK / name).read_bytes())

    def test_contents(self):
        "no solution, hidden check, answer, mutant, or instructor's file is in it; its seed is its own"
        with tarfile.open(WORK / "umlab-handout.tar.gz") as archive:
            names = [member.name.removeprefix("umlab/") for member in archive]
        for part in ("answers.md", "mutants", "tests/", ".git/", "classroom", "demo.py", "handout", "slurm", ".ci"):
            self.assertEqual([name for name in names if part in name], [])
        for name in names:
            if name.endswith((".c", ".h")):
                text = (TREE / name).read_text(errors="replace")
                self.assertFalse([line for line in text.splitlines() if handout.MARKER.match(line)], name)
        seeds = [json.loads((folder / "course.json").read_text())["terms"] for folder in (cases.ROOT, TREE)]
        for term in seeds[0]:
            self.assertNotEqual(seeds[0][term]["seed"], seeds[1][term]["seed"])

    def test_links(self):
        "each link of its pages leads to a file of it; one that would not is its words alone"
        dead = []
        for page in sorted(TREE.rglob("*.md")):
            text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
            for link in re.findall(r"\]\(([^)\s]*)\)", text):
                place = link.partition("#")[0]
                if ":" not in place and place and not (page.parent / place).exists():
                    dead.append(f"{page.relative_to(TREE)}: {link}")
        self.assertEqual(dead, [])
        text = "[a\nb](../docs/x.md#y), [c](d.md), [e](f/), [g](https://h.example/i), [`j`](k.md)"
        self.assertEqual(handout.without_dead_links("labs/r.md", text, {"labs/d.md", "labs/f/l.c"}),
                         "a\nb, [c](d.md), [e](f/), [g](https://h.example/i), `j`")

    def test_runs(self):
        "it builds without a warning, and its labs and its student's targets run"
        self.assertEqual(make("all", "graders").stderr, "")
        self.assertIn("all verified", make("lab3", "ARGS=--size 1M").stdout)
        self.assertIn("grade LAB=N", make("help").stdout)
        for target in ("  bench ", "  docs ", "  lint ", "  test ", "  handout ", "  mutants "):
            self.assertNotIn(target, make("help").stdout)
        make("progress")

    def test_predictions_have_answers(self):
        "what a student is asked to predict stands in the lab's output"
        for path in sorted(TREE.glob("labs/*/predictions.json")):
            asked = json.loads(path.read_text())
            rows = {}
            for question in asked["predictions"]:
                words = question.get("args", "")
                if words not in rows:
                    done = self.call(TREE / "build/sim" / asked["lab"], "--quiet", "--json", "-", *words.split())
                    rows[words] = json.loads(done.stdout)["rows"]
                self.assertIsNotNone(predict.what_happened(rows[words], question["answer"]),
                                     f"{asked['lab']} {question['id']}")

    def test_placeholders_score_nothing(self):
        "an untouched exercise scores 0"
        for lab in some(labs(TREE)):
            make("grade", f"LAB={lab}", status=1)
            result = json.loads((TREE / f"build/grade/{lab}.json").read_text())
            self.assertTrue(result["build"]["ok"], result["build"]["log"])
            self.assertEqual([c["name"] for c in result["checks"] if c["points"]], [], lab)

    def test_solutions_score_all(self):
        "a solution scores 100%, of the complete checks, and each check has hints"
        self.assertEqual(labs(TREE), labs())
        lay_over("solutions")
        make("graders")
        for lab in some(labs(TREE)):
            make("grade", f"LAB={lab}")
            result = json.loads((TREE / f"build/grade/{lab}.json").read_text())
            self.assertEqual(result["score"], result["max_score"], lab)
            hints = next(TREE.glob(f"labs/{lab}_*/hints.md"), None)
            if hints:
                self.assertEqual(sorted(hint.read_hints(hints)), sorted(c["name"] for c in result["checks"]))
            lessons = next(TREE.glob(f"labs/{lab}_*/grade/lessons.md")).read_text()
            self.assertEqual(re.findall("^## (.+)$", lessons, re.M), [c["name"] for c in result["checks"]], lab)


if __name__ == "__main__":
    try:
        sys.exit(cases.main())
    finally:
        tearDownModule()
