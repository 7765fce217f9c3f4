#!/usr/bin/env python3
"""The zip that make gradescope writes, set up and run as Gradescope does, in a folder that plays /autograder.

    tests/python/grade_gradescope.py [PART-OF-A-NAME]

Builds the grader from the zip alone. Once for all tests here: they share the folder.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from support import cases, gradescope, key_seeker

cases.needs("jsonschema")
import jsonschema  # noqa: E402

SOURCE = cases.ROOT / "labs/lab1_explicit/exercise.c"
TOP = Path(tempfile.mkdtemp(prefix="umlab-gradescope-"))


def setUpModule():
    check = subprocess.run([cases.ROOT / "setup.sh", "--check"], capture_output=True, text=True, check=False)
    if check.returncode != 0:
        raise cases.Skip(f"setup.sh would install something: {check.stdout.strip()}")
    subprocess.run([sys.executable, cases.ROOT / "grade/gradescope.py", "zip", "--lab", "1", "--out", TOP / "a.zip"],
                   check=True, stdout=subprocess.DEVNULL)
    for name in ("source", "results", "submission"):
        (TOP / name).mkdir()
    TOP.chmod(0o755)
    with zipfile.ZipFile(TOP / "a.zip") as archive:
        for entry in archive.infolist():
            os.chmod(archive.extract(entry, TOP / "source"), entry.external_attr >> 16 & 0o777)
    # Packages from here, instead of from the network.
    (TOP / "source/umlab/.venv").symlink_to(cases.ROOT / ".venv")
    done = subprocess.run([TOP / "source/setup.sh"], capture_output=True, text=True, check=False,
                          env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")})
    if done.returncode != 0:
        raise RuntimeError(f"setup.sh in the zip failed: {done.stdout[-1500:]}{done.stderr[-1500:]}")


class Gradescope(cases.Case):
    def grade(self, source=None, status=0, sandbox="auto", users=None):
        submission = TOP / "submission"
        shutil.rmtree(submission)
        submission.mkdir()
        if source is not None:
            (submission / "exercise.c").write_text(source, encoding="utf-8")
        (TOP / "results/results.json").unlink(missing_ok=True)
        (TOP / "submission_metadata.json").unlink(missing_ok=True)
        if users:
            cases.write_json(TOP / "submission_metadata.json",
                             {"id": 1, "users": [{"id": number, "name": "A"} for number in users]})
        self.call("bash", TOP / "source/run_autograder", status=status,
                  env={"AUTOGRADER": str(TOP), "UMLAB_SANDBOX": sandbox})
        document = json.loads((TOP / "results/results.json").read_text())
        jsonschema.validate(document, gradescope.RESULTS)
        return document

    def test_contents(self):
        "the zip has setup.sh and run_autograder at its root, and no solution, answer or other lab in it"
        with zipfile.ZipFile(TOP / "a.zip") as archive:
            names = archive.namelist()
            everything = b"".join(archive.read(name) for name in names if name.startswith("umlab/labs"))
        self.assertEqual({name for name in names if "/" not in name}, {"setup.sh", "run_autograder", "lab"})
        wanted = {"umlab/Makefile", "umlab/course.json", "umlab/labs/lab1_explicit/grade/checks.c"}
        self.assertLessEqual(wanted, set(names))
        self.assertEqual({name.split("/")[2] for name in names if name.startswith("umlab/labs/")}, {"lab1_explicit"})
        self.assertFalse([name for name in names if name.endswith(("exercise.c", "answers.md"))
                          and not name.startswith("umlab/grade/canary/")])
        self.assertNotIn(b"BEGIN SOLUTION", everything)
        again = TOP / "b.zip"
        self.call(sys.executable, cases.ROOT / "grade/gradescope.py", "zip", "--lab", "lab1", "--out", again)
        self.assertEqual(again.read_bytes(), (TOP / "a.zip").read_bytes(), "the same tree gives the same zip")

    def test_marks(self):
        "a solution has full marks, in the sandbox that starts here and in the one for containers"
        for sandbox in ("auto", "own"):
            document = self.grade(SOURCE.read_text(encoding="utf-8"), sandbox=sandbox)
            self.assertEqual(document["score"], document["extra_data"]["max_score"], document["output"])
            self.assertGreater(document["score"], 0)
            self.assertEqual({test["status"] for test in document["tests"]}, {"passed"})

    def test_no_marks(self):
        "what does not build, what cheats, and what is missing score 0, with the reason"
        self.assertIn("not build", self.grade("int broken(\n")["output"])
        forged = "__attribute__((constructor)) static void end(void) { __builtin_exit(0); }\n"
        document = self.grade(SOURCE.read_text(encoding="utf-8") + forged)
        self.assertEqual(document["score"], 0)
        self.assertIn("Such code does not run in an exercise", document["output"])
        self.assertIn("Nothing to grade", self.grade()["output"])

    def test_key(self):
        "the course's key goes along for root alone, no submission finds it, and the zip is for its owner alone"
        self.assertEqual((TOP / "a.zip").stat().st_mode & 0o777, 0o600)
        with zipfile.ZipFile(TOP / "a.zip") as archive:
            self.assertEqual(archive.read("umlab/.umlab/key").decode(), cases.KEY + "\n")
            self.assertEqual(archive.getinfo("umlab/.umlab/key").external_attr >> 16 & 0o777, 0o600)
        path = TOP / "source/umlab/.umlab/key"
        self.assertEqual((path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777), (0o600, 0o700))
        for sandbox in ("auto", "own"):
            document = self.grade(key_seeker.source(path, cases.KEY), sandbox=sandbox)
            self.assertIn(key_seeker.DONE, json.dumps(document))
            self.assertNotIn("HARM", json.dumps(document))
        os.chmod(path, 0o644)
        document = self.grade("int x;\n", status=1)
        os.chmod(path, 0o600)
        self.assertIn("not your fault", document["output"])
        self.assertIn("can be read by others", document["output"])

    def test_same_students(self):
        "the same students have the same inputs in whatever order they stand, others have others"
        text = SOURCE.read_text(encoding="utf-8").replace(" vector_add_host(", " solved_add(")
        text += """
#include <stdio.h>
cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        printf("a %g b %g\\n", a[i], b[i]);
    return c ? cudaErrorUnknown : 0;
}
"""
        said = [self.grade(text, users=users)["tests"][0]["output"] for users in ([7, 12], [12, 7], [7], None)]
        self.assertRegex(said[0], r"a -?[0-9.]+ b -?[0-9.]+")
        self.assertEqual(said[0], said[1])
        self.assertEqual(len(set(said)), 3)

    def test_grader_fails(self):
        "where the grader itself fails, results.json says so, and run_autograder ends with 1"
        document = self.grade("int x;\n", status=1, sandbox="nonsense")
        self.assertEqual(document["score"], 0)
        self.assertIn("not your fault", document["output"])


if __name__ == "__main__":
    try:
        status = cases.main()
    finally:
        shutil.rmtree(TOP, ignore_errors=True)
    sys.exit(status)
