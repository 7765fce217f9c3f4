#!/usr/bin/env python3
"""A class as Moodle, Canvas and Gradescope hand it out: who handed in what, and which file it is.

    tests/python/grade_platforms.py [PART-OF-A-NAME]
"""
import errno
import io
import os
import random
import resource
import shutil
import subprocess
import sys
import tarfile
import time
import warnings
import zipfile
import zlib
from pathlib import Path
from unittest import mock

from support import cases
from support.classes import FAKE

sys.path.insert(0, str(cases.ROOT / "grade"))
import records  # noqa: E402
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
  :results:
    :tests:
    - :name: Eve
      :sid: '666'
  :history:
  - :id: 3
    :submitters:
    - :name: Eve
      :sid: '666'
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


def secret(raw):
    """A zip whose one member says that it has a password."""
    changed = bytearray(raw)
    for magic, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        changed[raw.index(magic) + at] |= 1
    return bytes(changed)


def large_dictionary(raw):
    """The same xz, which says that it needs a dictionary of 4 GiB."""
    head = bytearray(raw[12:12 + (raw[12] + 1) * 4])
    head[4] = 40
    head[-4:] = zlib.crc32(head[:-4]).to_bytes(4, "little")
    return raw[:12] + bytes(head) + raw[12 + len(head):]


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
                read[one.name, one.number] = submissions.read(one, "lab1").decode("utf-8", "replace")
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

    def test_moodle_hostile_file(self):
        "Moodle: a student's file that is called like another student's entry is the student's own"
        self.put("Eve_9_assignsubmission_file_Ada Byron_1234_assignsubmission_file_exercise.c", "e")
        self.put("Ada Byron_1234_assignsubmission_file_exercise.c", "a")
        self.put("Ada Byron_1234_assignsubmission_file_exercise (1).c", "a1")
        read, told = self.find()
        self.assertEqual(read["Ada Byron", "1234"], "a")
        self.assertEqual({key for key in read}, {("Ada Byron", "1234"), ("Eve", "9")})
        self.assertEqual(len(told), 1)

    def test_moodle_numbers_of_two_labs(self):
        "Moodle numbers anew for each assignment: a student has one row for two labs; two of one name are told apart"
        ids = []
        for number in (1234, 1777):
            self.put(f"Ada Byron_{number}_assignsubmission_file_/exercise.c")
            self.put(f"Li Wei_{number + 1}_assignsubmission_file_/exercise.c")
            self.put(f"Li Wei_{number + 2}_assignsubmission_file_/exercise.c")
            found = submissions.find(self.folder / "class")
            ids.append({one.number: one.id for one in found})
            shutil.rmtree(self.folder / "class")
        self.assertEqual(ids[0]["1234"], ids[1]["1777"])
        self.assertEqual(len({*ids[0].values(), *ids[1].values()}), 5)

    def test_ids_are_no_choice(self):
        "names made to collide with others' file names: everybody is there, with a file of his own"
        victim = "a b"
        taken = submissions.id_of(victim)
        for name in (victim, taken, taken + "-1", submissions.id_of(victim + "/" + victim)):
            self.put(f"{name}/exercise.c", name)
        self.put("x-7/exercise.c", "folder")
        self.put("x_7_1_exercise.c", "canvas")
        found = submissions.find(self.folder / "class")
        self.assertEqual(len({one.id for one in found}), 6)
        self.assertEqual({submissions.read(one, "lab1").decode() for one in found} & {victim, "folder", "canvas"},
                         {victim, "folder", "canvas"})

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

    def test_archives_as_programs_make_them(self):
        "./ and \\ in names, one folder around everything, a name twice: what a program would unpack is read"
        self.put("dot.tgz", packed({"./exercise.c": "top", "./old/exercise.c": "old"}, "w:gz"))
        self.put("windows.zip", packed({"all\\exercise.c": "w", "all\\notes": "n"}))
        self.put("around.zip", packed({"me/exercise.c": "top", "me/old/exercise.c": "old",
                                         "__MACOSX/me/exercise.c": "m"}))
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            archive.writestr("exercise.c", "first")
            archive.writestr("exercise.c", "second")
        self.put("twice.zip", data.getvalue())
        self.put("case.zip", packed({"Exercise.C": "shouted", "exercise.c": "said"}))
        self.put("a/one.zip", packed({"exercise.c": "1"}))
        self.put("a/two.zip", packed({"exercise.c": "2"}))
        read, _ = self.find()
        self.assertEqual({name: text for (name, _), text in read.items()},
                         {"dot": "top", "windows": "w", "around": "top", "twice": "second", "case": "said",
                          "a": "why: 2 archives, and no exercise.c beside them"})

    def test_archives_that_attack_the_reader(self):
        "bombs within what Python's readers do not limit, devices, links, a password: in seconds, in bounded memory"
        def kinds(archive):
            for number, kind in enumerate((tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.LNKTYPE)):
                entry = tarfile.TarInfo(f"{number}/exercise.c")
                entry.type, entry.linkname, entry.devmajor, entry.devminor = kind, "/etc/hostname", 1, 5
                archive.addfile(entry)
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w") as archive:
            kinds(archive)
        self.put("kinds.tar", data.getvalue())
        digits, entry = b"1" * (1 << 20), tarfile.TarInfo("x")
        entry.type, entry.size = tarfile.XHDTYPE, len(digits)
        self.put("regex.tar", entry.tobuf(tarfile.USTAR_FORMAT) + digits + bytes(1024))
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_BZIP2) as archive, archive.open("exercise.c", "w") as file:
            for _ in range(600):
                file.write(bytes(1 << 20))
        self.put("bzip.zip", data.getvalue())
        self.put("dictionary.tar.xz", large_dictionary(packed({"exercise.c": "x"}, "w:xz")))
        self.put("secret.zip", secret(packed({"exercise.c": "x"})))
        before = time.process_time()
        read, _ = self.find()
        self.assertIn("no exercise.c", read["kinds", ""])
        self.assertIn("more than 10 s", read["regex", ""])
        self.assertIn("MiB of memory", read["bzip", ""])
        self.assertIn("password", read["secret", ""])
        self.assertTrue(read["dictionary", ""].startswith("why: an archive"), read["dictionary", ""])
        self.assertLess(time.process_time() - before, 3)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10, 600)

    def test_damaged_archives(self):
        "archives with random damage: the file, or why there is none; the reader never fails"
        choose = random.Random(17)
        for number in range(60):
            form = choose.choice(("zip", "w:", "w:gz", "w:xz", "w:bz2"))
            raw = bytearray(packed({"a/exercise.c": "x" * 3000, "b": "y"}, form))
            for _ in range(choose.randrange(1, 6)):
                raw[choose.randrange(len(raw))] = choose.randrange(256)
            self.put(f"{number}.{'zip' if form == 'zip' else 'tar'}", bytes(raw))
        read, _ = self.find()
        self.assertEqual(len(read), 60)
        self.assertTrue(all(text.startswith("why: ") or "x" in text or text == "" for text in read.values()))

    def test_machine_at_fault(self):
        "no descriptor, no process, no memory for the reader: the grader has failed, nobody has handed in nothing"
        self.put("anna.zip", packed({"exercise.c": "a"}))
        self.put("bert.c", "b")
        job = records.Job("lab1", self.folder / "out", self.folder, FAKE, key="k")
        found = submissions.find(self.folder / "class")
        real = os.open

        def fail(path, *more):
            if os.fspath(path).startswith(str(self.folder / "class")):
                raise OSError(errno.EMFILE, "Too many open files")
            return real(path, *more)

        with mock.patch("os.open", fail):
            states = [records.grade(job, one)[0] for one in found]
        self.assertEqual([(one["state"], "Too many" in one["why"]) for one in states], [(records.FAILED, True)] * 2)

    def test_no_class(self):
        "a folder that is one submission, or that has the course in it, is refused in one line"
        self.put("exercise.c")
        (self.folder / "photos").mkdir()
        (self.folder / "photos/1.jpg").touch()
        for folder in (self.folder / "class", self.folder / "photos", cases.ROOT, cases.ROOT / "labs",
                       cases.ROOT.parent, "/"):
            with self.assertRaises(results.Bad) as caught:
                submissions.find(folder)
            self.assertNotIn("\n", str(caught.exception))

    def test_foreign(self):
        "a folder of folders and other files without any submission is refused, /etc too; an empty class is not"
        for name in ("anna", "ben"):
            (self.folder / "class" / name).mkdir(parents=True)
        (self.folder / "class/anna/notes.txt").touch()
        self.assertEqual(len(submissions.find(self.folder / "class")), 2)
        (self.folder / "class/fstab").touch()
        for folder in (self.folder / "class", "/etc"):
            with self.assertRaises(results.Bad) as caught:
                submissions.find(folder)
            self.assertIn("no folder of submissions", str(caught.exception))
        self.put("ben/exercise.c")
        self.assertEqual(len(submissions.find(self.folder / "class")), 3)

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
