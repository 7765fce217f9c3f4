"""Who handed in what, from the names that learning platforms give: Moodle, Canvas, Gradescope.

    Moodle      Ada Byron_1234567_assignsubmission_file_/exercise.c   (a folder; or the file's name behind it)
    Canvas      byronada_LATE_4321_98765_exercise-1.c                 (user, and one number for each file)
    Gradescope  submission_123456/exercise.c                          (submission_metadata.yml has names and numbers)

Anything else is a name of its own, without a number. Names are as somebody else wrote them (submissions.py); behind
the platform's own words may stand a file's name, which the student chose.
"""
import os
import re
from collections import namedtuple

FILE = "exercise.c"
# number: the platform's for the student, or ""; lasts: it is the same in other assignments, which Moodle's is not;
# rank: of two entries of one student, the higher is meant.
Who = namedtuple("Who", "name number lasts rank")

SOURCE = re.compile(r"exercise(?:[ _-]?\(?\d+\)?)?\.c", re.IGNORECASE)  # also what a browser or Canvas makes of it
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
# The first place that fits is Moodle's: whoever calls a file a_7_assignsubmission_file_exercise.c is not number 7.
MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>[0-9]+)_assignsubmission_(?P<kind>file|onlinetext)_?(?P<file>.*)",
                    re.DOTALL)
CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<number>[0-9]+)_(?P<upload>[0-9]+)_(?P<file>.+)", re.DOTALL)
METADATA = "submission_metadata.yml"


class NotSubmitted(Exception):
    """Why there is nothing to grade, in one line."""


def is_archive(name):
    return name.lower().endswith(ARCHIVES)


def is_source(place):
    return bool(SOURCE.fullmatch(os.path.basename(place)))


def choose(found, top, lab):
    """The one of several sources that is meant: at the top, in the lab's folder, or the only one; exercise.c itself
    before exercise (1).c."""
    for wanted in (lambda place: os.path.dirname(place) == top,
                   lambda place: os.path.basename(os.path.dirname(place)).startswith(lab + "_"), lambda place: True):
        if chosen := [place for place in found if wanted(place)]:
            exact = [place for place in chosen if os.path.basename(place) == FILE]
            chosen = exact or chosen
            if len(chosen) > 1:
                raise NotSubmitted(f"{len(chosen)} files called {FILE}, and none at the top" if exact else
                                   f"{len(chosen)} files that could be {FILE}")
            return chosen[0]
    raise NotSubmitted(f"no {FILE} that is a regular file")


def _rank(file, upload=0):
    """What a file seems to be: the exercise, an archive, another source, anything else; then the later one; then the
    one that is called so exactly."""
    kind = 3 if SOURCE.fullmatch(file) else 2 if is_archive(file) else 1 if file.lower().endswith(".c") else 0
    return kind, upload, file == FILE


def _text(value):
    """A scalar of YAML as Ruby writes it: plain, or quoted once or twice."""
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1].replace("''", "'") if value[0] == "'" else re.sub(r"\\(.)", r"\1", value[1:-1])
    return "" if value in ("null", "~") else value


def metadata(folder):
    """{submission_123: (name, number)} of a Gradescope export: the few lines of its YAML that say so. Further down,
    among results and earlier submissions, are other names."""
    try:
        with open(os.path.join(folder, METADATA), encoding="utf-8", errors="replace") as file:
            lines = file.read(16 << 20).split("\n")
    except OSError:
        return {}
    found, current, is_submitters = {}, None, False
    for line in lines:
        if head := re.fullmatch(r"(submission_[0-9]+):\s*", line):
            current, is_submitters = found.setdefault(head[1], {"name": [], "sid": []}), False
        elif head := re.match(r"  :([a-z_]+):", line):
            is_submitters = head[1] == "submitters"
        elif current is not None and is_submitters and (said := re.match(r"  +(?:- )?:(name|sid):", line)):
            current[said[1]].append(_text(line[said.end():]))
    return {key: (" and ".join(filter(None, one["name"])), " and ".join(filter(None, one["sid"])))
            for key, one in found.items()}


def who(entry, is_folder, known):
    """Whose an entry of the folder is; `known` is metadata()'s."""
    whole = (4, 0, True)
    if entry in known and known[entry][0]:
        return Who(*known[entry], True, whole)
    if found := MOODLE.fullmatch(entry):
        rank = (-1, 0, False) if found["kind"] != "file" else whole if is_folder else _rank(found["file"])
        return Who(found["name"], found["number"], False, rank)
    if not is_folder and (found := CANVAS.fullmatch(entry)):
        return Who(found["name"], found["number"], True, _rank(found["file"], int(found["upload"])))
    if is_folder:
        return Who(entry, "", True, whole)
    name = next((entry[:-len(end)] for end in (".c", *ARCHIVES[::-1]) if entry.lower().endswith(end)), entry)
    return Who(name or entry, "", True, _rank(entry))
