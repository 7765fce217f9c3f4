#!/usr/bin/env python3
"""Gradescope: makes the autograder's zip, and grades there.

    grade/gradescope.py zip --lab 3 --out build/grade/gradescope-lab3.zip        make gradescope LAB=3
    grade/gradescope.py run --lab 3 --submission DIR --results results.json [--metadata FILE]    run_autograder, in it

The zip's root holds setup.sh and run_autograder (from grade/gradescope/), the tree from which the grader is built, and
the course's key, so it is as secret as that. It holds no solution, no answers, and no other lab.
`run` always leaves a results.json: where there is nothing to grade, or where the grader itself fails, that says so.
"""
import argparse
import json
import os
import stat
import sys
import tempfile
import zipfile
from pathlib import Path

import export
import keyfile
import records
import result as results
import submissions

PARTS = ("Makefile", "setup.sh", "requirements.txt", "mk", "common", "kernels", "sim", "profiles", "grade")
SCRIPTS = {"setup.sh": "setup.sh", "run_autograder": "run_autograder.sh"}
KEPT_BACK = ("exercise.c", "answers.md", "hints.md", "predictions.json")
# The same tree gives the same bytes.
DATE = (2000, 1, 1, 0, 0, 0)


def files(lab):
    """(name in the tree, path) of all that grading this lab needs."""
    folder = results.lab_folder(lab)
    if not folder or not (folder / "grade/checks.c").exists():
        raise results.Bad(f"{lab} has no checks")
    found = []
    for part in [results.ROOT / name for name in PARTS] + [folder]:
        found += [part] if part.is_file() else sorted(path for path in part.rglob("*") if path.is_file())
    named = [(path.relative_to(results.ROOT), path) for path in found]
    return [(name, path) for name, path in named if "__pycache__" not in name.parts
            and not (name.parts[0] == "labs" and (name.name in KEPT_BACK or name.name == f"{lab}.c"))]


def add(archive, name, data, mode=0o644):
    entry = zipfile.ZipInfo(str(name), DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (stat.S_IFREG | mode) << 16
    archive.writestr(entry, data)


def write_zip(lab, out):
    """The course file goes along, cut down to the term in use and this lab."""
    course = results.read_json(results.course_path())
    term = course["terms"][course["term"]]
    term["labs"] = [one for one in term["labs"] if one["lab"] == lab]
    course["terms"] = {course["term"]: term}
    listed, key = files(lab), keyfile.made().read_bytes()
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = out.with_name(out.name + ".new")
    fresh.unlink(missing_ok=True)
    with open(fresh, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file, \
            zipfile.ZipFile(file, "w") as archive:
        for name, script in SCRIPTS.items():
            add(archive, name, (Path(__file__).with_name("gradescope") / script).read_bytes(), 0o755)
        add(archive, "lab", lab + "\n")
        add(archive, "umlab/course.json", json.dumps(course, indent=1) + "\n")
        add(archive, "umlab/.umlab/key", key, 0o600)
        for name, path in listed:
            add(archive, Path("umlab") / name, path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
    fresh.replace(out)


def nothing_graded(text):
    return json.dumps({"score": 0, "output": results.clean(text), "output_format": "text", "visibility": "visible",
                       "stdout_visibility": "hidden", "tests": []}) + "\n"


def students(metadata):
    """An id that these students have whenever they hand in: other inputs would be another throw of the dice. Without
    Gradescope's file it is everybody's."""
    try:
        users = results.read_json(metadata)["users"] if metadata and metadata.exists() else []
        return "-".join(["gradescope", *sorted(str(int(user["id"])) for user in users)])
    except (KeyError, TypeError, ValueError) as error:
        raise results.Bad(f"{metadata}: not what Gradescope tells of a submission: {error}") from error


def run(lab, submission, out, build, metadata=None):
    """Grades the submission's folder. Returns the exit status."""
    # Should all else fail, also by a limit of the machine, this stands there.
    results.write_atomically(out,
                             nothing_graded("Grading began and did not come to its end. Please tell your instructor."))
    with tempfile.TemporaryDirectory(prefix="umlab-") as folder:
        job = records.Job(lab, folder, build)
        try:
            record, _ = records.grade(job, submissions.Submission(students(metadata), "submission", str(submission)))
        except results.Bad as error:
            record = {"state": records.FAILED, "why": str(error), "result": None}
    if record["state"] == records.GRADED:
        results.write_atomically(out, export.gradescope(record["result"]))
        return 0
    if record["state"] == records.NOT_SUBMITTED:
        results.write_atomically(out, nothing_graded(f"Nothing to grade: {record['why']}. Hand in {submissions.FILE}."))
        return 0
    print(record["why"], file=sys.stderr)
    document = json.loads(export.gradescope(record["result"]) if record["result"] else nothing_graded(""))
    document["output"] = ("The grader itself failed; this is not your fault. Please tell your instructor: "
                          + results.clean(record["why"]))
    results.write_atomically(out, json.dumps(document) + "\n")
    return 1


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Gradescope's autograder.")
    what = parser.add_subparsers(dest="what", required=True)
    make, grade = what.add_parser("zip"), what.add_parser("run")
    for one in (make, grade):
        one.add_argument("--lab", required=True)
    make.add_argument("--out", type=Path, required=True)
    grade.add_argument("--submission", type=Path, required=True)
    grade.add_argument("--results", type=Path, required=True)
    grade.add_argument("--metadata", type=Path, help="Gradescope's submission_metadata.json")
    grade.add_argument("--build", type=Path, default=results.ROOT / "build/sim")
    args = parser.parse_args(arguments)
    try:
        lab = results.lab_name(args.lab)
        if args.what == "run":
            return run(lab, args.submission, args.results, args.build, args.metadata)
        write_zip(lab, args.out)
    except (results.Bad, OSError) as error:
        print(f"gradescope: {error}", file=sys.stderr)
        return 2
    print(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
