"""Reads a folder of submissions, as a learning platform hands it out: which students, and which file is the submission.

Each entry of the folder is a student: a folder with exercise.c in it (at its top, in labs/labN_topic/, or the only one
anywhere below), or a file NAME.c. Names are bytes that somebody else chose: they may hold line ends and markup, so they
never become part of a path of ours. Only regular files are taken. Links are not followed: one could lead to the
solution.
"""
import hashlib
import os
import re
import stat
from collections import namedtuple

import result as results

LARGEST_SOURCE = 1 << 20
FILE = "exercise.c"
DEEPEST, MOST_ENTRIES = 8, 10_000

# id: a name for files of ours; name: for people, in one line; path: the entry.
Submission = namedtuple("Submission", "id name path")


class NotSubmitted(Exception):
    """Why there is nothing to grade, in one line."""


def id_of(name, taken=()):
    """A file name that is safe everywhere, and none of those taken; the same whenever it is asked for."""
    raw = os.fsencode(name)
    plain = re.sub(r"[^A-Za-z0-9_.@+-]", "_", raw.decode("utf-8", "replace"))[:60].lstrip(".-@+")
    if plain.encode() == raw and plain not in taken:
        return plain
    return f"{plain or 'student'}-{hashlib.sha256(raw).hexdigest()[:12]}"


def find(folder):
    """All submissions in a folder, by name. Hidden entries (.DS_Store and the like) are none."""
    try:
        with os.scandir(folder) as entries:
            found = sorted((entry.name for entry in entries if not entry.name.startswith(".")), key=os.fsencode)
    except OSError as error:
        raise results.Bad(f"SUBMISSIONS={results.one_line(str(folder))}: {error.strerror}") from error
    by_id = {}
    for name in found:
        student = name.removesuffix(".c")
        one = id_of(student) if id_of(student) not in by_id else id_of(name, by_id)
        by_id[one] = Submission(one, results.one_line(student), os.path.join(folder, name))
    return list(by_id.values())


def _below(path, depth=0, seen=None):
    """Paths of regular files called exercise.c, to a limited depth and number of entries."""
    seen = seen if seen is not None else [0]
    found, folders = [], []
    with os.scandir(path) as entries:
        for entry in entries:
            seen[0] += 1
            if seen[0] > MOST_ENTRIES:
                raise NotSubmitted(f"more than {MOST_ENTRIES} files")
            if entry.name == FILE and entry.is_file(follow_symlinks=False):
                found.append(entry.path)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
    if depth < DEEPEST:
        for folder in folders:
            found += _below(folder, depth + 1, seen)
    return found


def _candidates(submission, lab):
    if stat.S_ISREG(os.lstat(submission.path).st_mode):
        if not submission.path.endswith(".c"):
            raise NotSubmitted("a file, but not a .c file (unpack archives first)")
        return [submission.path]
    if not stat.S_ISDIR(os.lstat(submission.path).st_mode):
        raise NotSubmitted("neither a folder nor a file")
    found = _below(submission.path)
    for wanted in (lambda place: os.path.dirname(place) == submission.path,
                   lambda place: os.path.basename(os.path.dirname(place)).startswith(lab + "_")):
        if chosen := [place for place in found if wanted(place)]:
            return chosen
    return found


def read(submission, lab):
    """The bytes of the student's exercise.c. Raises NotSubmitted."""
    try:
        found = _candidates(submission, lab)
        if not found:
            raise NotSubmitted(f"no {FILE} that is a regular file")
        if len(found) > 1:
            raise NotSubmitted(f"{len(found)} files called {FILE}, and none at the top")
        descriptor = os.open(found[0], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise NotSubmitted(f"{FILE} is no regular file")
            data = file.read(LARGEST_SOURCE + 1)
    except OSError as error:
        raise NotSubmitted(f"not readable: {error.strerror}") from error
    if len(data) > LARGEST_SOURCE:
        raise NotSubmitted(f"{FILE} is larger than {LARGEST_SOURCE >> 10} KiB")
    return data
