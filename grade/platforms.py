"""Who handed in what, from the names that learning platforms give: Moodle, Canvas, Gradescope.

    Moodle      Ada Byron_1234567_assignsubmission_file_/exercise.c   (a folder; or the file's name behind it)
    Canvas      byronada_LATE_4321_98765_exercise-1.c                 (user, and one number for each file)
    Gradescope  submission_123456/exercise.c                          (submission_metadata.yml has names and numbers)

Anything else is a name of its own, without a number. Names are as somebody else wrote them (submissions.py).
"""
import os
import re
from collections import namedtuple

# number: the platform's for the student, or ""; rank: of two entries of one student, the higher is meant.
Who = namedtuple("Who", "name number rank")

SOURCE = re.compile(r"exercise(?:[ _-]?\(?\d+\)?)?\.c", re.IGNORECASE)  # also what a browser or Canvas makes of it
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_(?P<kind>file|onlinetext)_?(?P<file>.*)", re.DOTALL)
CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<number>\d+)_(?P<upload>\d+)_(?P<file>.+)", re.DOTALL)
GRADESCOPE = re.compile(r"submission_\d+")
METADATA = "submission_metadata.yml"


def is_archive(name):
    return name.lower().endswith(ARCHIVES)


def _rank(file, late=0):
    """What a file seems to be: the exercise, an archive, another source, anything else; then the later one."""
    kind = 3 if SOURCE.fullmatch(file) else 2 if is_archive(file) else 1 if file.endswith(".c") else 0
    return kind, late


def metadata(folder):
    """{submission_123: (name, number)} of a Gradescope export: the few lines of its YAML that say so."""
    try:
        with open(os.path.join(folder, METADATA), encoding="utf-8", errors="replace") as file:
            lines = file.read(16 << 20).split("\n")
    except OSError:
        return {}
    found, current = {}, None
    for line in lines:
        if head := re.fullmatch(r"(submission_\d+):\s*", line):
            current = found.setdefault(head[1], {"name": [], "sid": []})
        elif current is not None and (said := re.fullmatch(r"\s+(?:- )?:(name|sid):\s*(.*?)\s*", line)):
            value = re.sub(r"^(['\"])(.*)\1$", r"\2", said[2])
            current[said[1]].append("" if value in ("null", "~") else value.replace("''", "'"))
    return {key: (" and ".join(filter(None, one["name"])), " and ".join(filter(None, one["sid"])))
            for key, one in found.items()}


def who(entry, is_folder, known):
    """Whose an entry of the folder is; `known` is metadata()'s."""
    if entry in known and known[entry][0]:
        return Who(*known[entry], (4, 0))
    if found := MOODLE.fullmatch(entry):
        good = found["kind"] == "file"
        return Who(found["name"], found["number"], ((4, 0) if is_folder else _rank(found["file"])) if good else (-1, 0))
    if not is_folder and (found := CANVAS.fullmatch(entry)):
        return Who(found["name"], found["number"], _rank(found["file"], int(found["upload"])))
    if is_folder:
        return Who(entry, "", (4, 0))
    name = next((entry[:-len(end)] for end in (".c", *ARCHIVES[::-1]) if entry.lower().endswith(end)), entry)
    return Who(name or entry, "", _rank(entry))
