#!/usr/bin/env python3
"""A class as Moodle, Canvas and Gradescope hand it out: who handed in what, and which file it is.

    tests/python/grade_platforms.py [PART-OF-A-NAME]
"""
import io
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from support import cases
from support.classes import FAKE

sys.path.insert(0, str(cases.ROOT / "grade"))
import result as results  # noqa: E402
import submissions  # noqa: E402

METADATA = """---
submission_11:
  :submitters:
  - :name: Ada Byron
    :sid: '700'
    :email: ada@example.org
  :created_at: 2026-11-01 10:00:00 Z
  :score: 0.0
submission_12:
  :submitters:
  - :name: "Bo O'Neil"
    :sid:
  - :name: Cy =cmd()
    :sid: '0702'
  :results:
    :name_of_test: nothing
"""


def packed(members, form="zip"):
    """An archive with {name: text}; a text that is a Path is a link to it."""
    data = io.BytesIO()
    if form == "zip":
        with zipfile.ZipFile(data, "w") as archive:
            for name, text in members.items():
                entry = zipfile.ZipInfo(name)
                if isinstance(text, Path):
                    entry.external_attr = 0o120777 << 16
                archive.writestr(entry, str(text))
    else:
        with tarfile.open(fileobj=data, mode=form) as archive:
            for name, text in members.items():
                entry = tarfile.TarInfo(name)
                if isinstance(text, Path):
                    entry.type, entry.linkname = tarfile.SYMTYPE, str(text)
                    archive.addfile(entry)
                else:
                    entry.size = len(text.encode())
                    archive.addfile(entry, io.BytesIO(text.encode()))
    return data.getvalue()


class Platforms(cases.Case):
    def put(self, name, text="// PASS\n"):
        path = self.folder / "class" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def find(self):
        """({(name, number): what is read, or why nothing is}, the lines that were told)"""
        told, read = [], {}
        for one in submissions.find(self.folder / "class", told.append):
            self.assertRegex(one.id, r"^[A-Za-z0-9_][A-Za-z0-9_.@+-]*$")
            try:
                read[one.name, one.number] = submissions.read(one, "lab1").decode()
            except submissions.NotSubmitted as why:
                read[one.name, one.number] = f"why: {why}"
        return read, told

    def test_moodle(self):
        "Moodle: folders and flat files, names with underscores; a text typed online is not the submission"
        self.put("Ada Byron_1234_assignsubmission_file_/exercise.c", "a")
        self.put("Ada Byron_1234_assignsubmission_onlinetext_/onlinetext.html", "<p>")
        self.put("Bo_von_Li_77_assignsubmission_file/sub/exercise (1).c", "b")
        self.put("Cy Ü_78_assignsubmission_file_exercise.c", "c")
        self.put("Di_79_assignsubmission_file_/all.zip", packed({"all/exercise.c": "d"}))
        read, told = self.find()
        self.assertEqual(read, {("Ada Byron", "1234"): "a", ("Bo_von_Li", "77"): "b", ("Cy Ü", "78"): "c",
                                ("Di", "79"): "d"})
        self.assertEqual(len(told), 1)
        self.assertIn("onlinetext", told[0])

    def test_canvas(self):
        "Canvas: late ones, several files of one student, and the later of two uploads"
        self.put("byronada_4321_500_exercise.c", "old")
        self.put("byronada_4321_900_exercise-1.c", "new")
        self.put("byronada_4321_950_notes.txt", "x")
        self.put("libo_LATE_4322_501_exercise-2.c", "b")
        self.put("libo_4323_501_exercise.c", "another")
        read, told = self.find()
        self.assertEqual(read, {("byronada", "4321"): "new", ("libo", "4322"): "b", ("libo", "4323"): "another"})
        self.assertEqual(len(told), 2)

    def test_gradescope(self):
        "Gradescope: names and numbers are in its metadata; who is not in it keeps the folder's name"
        self.put("submission_metadata.yml", METADATA)
        self.put("submission_11/exercise.c", "a")
        self.put("submission_12/exercise.c", "b")
        self.put("submission_13/exercise.c", "c")
        read, told = self.find()
        self.assertEqual(read, {("Ada Byron", "700"): "a", ("Bo O'Neil and Cy =cmd()", "0702"): "b",
                                ("submission_13", ""): "c"})
        self.assertEqual(told, [])

    def test_one_student(self):
        "a folder, a file and an archive of one name are one student, which is told; leading dots are told"
        self.put("anna/exercise.c", "folder")
        self.put("anna.c", "file")
        self.put("anna.zip", packed({"exercise.c": "zip"}))
        self.put(".bert/exercise.c", "hidden")
        self.put(".DS_Store", "")
        self.put("carl.c", "c")
        read, told = self.find()
        self.assertEqual(read, {("anna", ""): "folder", ("carl", ""): "c"})
        self.assertEqual(len(told), 3)
        self.assertEqual(len([line for line in told if line.startswith(".bert")]), 1)

    def test_names_of_the_file(self):
        "exercise (1).c and the like are taken, exercise.c before them; two of them are not chosen between"
        self.put("a/exercise (1).c", "1")
        self.put("b/exercise (1).c", "1")
        self.put("b/exercise.c", "right")
        self.put("c/exercise (1).c", "1")
        self.put("c/exercise (2).c", "2")
        self.put("d/exercised.c", "no")
        read, _ = self.find()
        self.assertEqual([read["a", ""], read["b", ""]], ["1", "right"])
        self.assertIn("2 files that could be exercise.c", read["c", ""])
        self.assertIn("no exercise.c", read["d", ""])

    def test_archives(self):
        "zip and tar, packed or not: read without unpacking; links, bombs, broken ones, and too many files say why"
        members = {"x/readme": "r", "x/labs/lab1_explicit/exercise.c": "one", "x/labs/lab2_pointers/exercise.c": "two"}
        for form, end in (("zip", "zip"), ("w:", "tar"), ("w:gz", "tgz"), ("w:gz", "tar.gz"), ("w:xz", "tar.xz"),
                          ("w:bz2", "tar.bz2")):
            self.put(f"good-{form[2:]}-{end.replace('.', '')}.{end}", packed(members, form))
        self.put("linkzip.zip", packed({"exercise.c": Path("/etc/hostname")}))
        self.put("linktar.tar", packed({"exercise.c": Path("/etc/hostname")}, "w:"))
        self.put("broken.zip", b"PK\3\4nothing")
        self.put("cut.tgz", packed(members, "w:gz")[:60])
        self.put("large.zip", packed({"exercise.c": "x" * (1 << 20) + "y"}))
        self.put("bomb.tgz", packed({"exercise.c": "x" * (65 << 20)}, "w:gz"))
        self.put("many.zip", packed({f"{i}/exercise.c": "" for i in range(10_001)}))
        self.put("escape.zip", packed({"../../exercise.c": "still data"}))
        read, _ = self.find()
        good = [text for (name, _), text in read.items() if name.startswith("good")]
        self.assertEqual(good, ["one"] * 6)
        for name, why in (("linkzip", "no exercise.c"), ("linktar", "no exercise.c"), ("broken", "cannot be read"),
                          ("cut", "cannot be read"), ("large", "larger than 1024 KiB"), ("bomb", "more than 64 MiB"),
                          ("many", "more than 10000 files")):
            self.assertIn(why, read[name, ""], name)
        self.assertEqual(read["escape", ""], "still data")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["class"])

    def test_no_class(self):
        "a folder that is one submission, or that has the course in it, is refused in one line"
        self.put("exercise.c")
        for folder in (self.folder / "class", cases.ROOT, cases.ROOT.parent, "/"):
            with self.assertRaises(results.Bad) as caught:
                submissions.find(folder)
            self.assertNotIn("\n", str(caught.exception))

    def test_numbers_in_the_gradebook(self):
        "the gradebook has columns for name and number; without tqdm it comes, too"
        self.put("Ada Byron_1234_assignsubmission_file_/exercise.c")
        blocked = self.folder / "blocked"
        blocked.mkdir()
        (blocked / "tqdm.py").write_text("raise ImportError\n")
        done = subprocess.run([sys.executable, cases.ROOT / "grade/classroom.py", "--lab", "1", "--submissions",
                               self.folder / "class", "--out", self.folder / "out", "--grader", FAKE],
                              env=dict(os.environ, PYTHONPATH=str(blocked)), capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = (self.folder / "out/gradebook.csv").read_text().splitlines()
        self.assertEqual(lines[0].split(",")[:3], ["student", "number", "lab1 state"])
        self.assertEqual(lines[1].split(",")[:3], ["Ada Byron", "1234", "graded"])


if __name__ == "__main__":
    cases.needs("jinja2", "jsonschema")
    sys.exit(cases.main())
