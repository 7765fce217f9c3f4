"""Reads a folder of submissions, as a learning platform hands it out: which students, and which file is the submission.

Each entry of the folder is a student's: a folder with exercise.c in it (at its top, in labs/labN_topic/, or the only
one anywhere below), a file NAME.c, or an archive with such a file in it; platforms.py knows how platforms name them.
Names are bytes that somebody else chose: they may hold line ends and markup, so they never become part of a path of
ours. Only regular files are taken. Links are not followed: one could lead to the solution.
"""
import hashlib
import os
import re
import stat
from collections import namedtuple

import archives
import platforms
import result as results

LARGEST_SOURCE = 1 << 20
FILE = "exercise.c"
DEEPEST, MOST_ENTRIES = 8, 10_000

# id: a name for files of ours; name: for people, in one line; path: the entry; number: the platform's, in one line.
Submission = namedtuple("Submission", "id name path number", defaults=("",))


class NotSubmitted(Exception):
    """Why there is nothing to grade, in one line."""


def id_of(name, taken=()):
    """A file name that is safe everywhere, and none of those taken; the same whenever it is asked for."""
    raw = os.fsencode(name)
    plain = re.sub(r"[^A-Za-z0-9_.@+-]", "_", raw.decode("utf-8", "replace"))[:60].lstrip(".-@+")
    if plain.encode() == raw and plain not in taken:
        return plain
    return f"{plain or 'student'}-{hashlib.sha256(raw).hexdigest()[:12]}"


def _entries(folder, tell):
    """(name, whether it is a folder) of what may be a student's. What is left out is told."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries),
                           key=lambda one: os.fsencode(one[0]))
    except OSError as error:
        raise results.Bad(f"SUBMISSIONS={results.one_line(str(folder))}: {error.strerror}") from error
    kept = []
    for name, is_folder in found:
        if name.startswith(".") and name != ".DS_Store":
            tell(f"{results.one_line(name)}: its name begins with a dot, so it is nobody's submission")
        elif not name.startswith(".") and name not in ("__MACOSX", platforms.METADATA):
            kept.append((name, is_folder))
    return kept


def _refuse_no_class(folder, names):
    """A class is a folder of submissions; it is easy to name one above or below it."""
    where = f"SUBMISSIONS={results.one_line(str(folder))}"
    if FILE in names:
        raise results.Bad(f"{where}: this is one submission ({FILE} stands in it), not a folder of submissions; "
                          "make grade SUBMISSION=DIR grades one")
    if results.ROOT.is_relative_to(os.path.realpath(folder)):
        raise results.Bad(f"{where}: this folder has the course itself in it, so it is no folder of submissions")


def find(folder, tell=lambda line: None):
    """All submissions in a folder, one a student, by name. `tell` is called with each line that people should read."""
    entries = _entries(folder, tell)
    _refuse_no_class(folder, [name for name, _ in entries])
    known, students, by_id = platforms.metadata(folder), {}, {}
    for name, is_folder in entries:
        who = platforms.who(name, is_folder, known)
        key = (who.number or None, who.name)
        best = students.setdefault(key, (who, name))
        if best[1] != name:
            best, other = max(best, (who, name), key=lambda one: one[0].rank), \
                min((who, name), best, key=lambda one: one[0].rank)
            students[key] = best
            tell(f"{results.one_line(who.name)}: two entries, {results.one_line(best[1])} is taken and "
                 f"{results.one_line(other[1])} is not")
    for (number, student), (_, name) in students.items():
        wanted = f"{student}-{number}" if number else student
        one = id_of(wanted) if id_of(wanted) not in by_id else id_of(name, by_id)
        by_id[one] = Submission(one, results.one_line(student), os.path.join(folder, name),
                                results.one_line(number or ""))
    return list(by_id.values())


def _below(path, wanted, depth=0, seen=None):
    """Paths of regular files whose names `wanted` takes, to a limited depth and number of entries."""
    seen = seen if seen is not None else [0]
    found, folders = [], []
    with os.scandir(path) as entries:
        for entry in entries:
            seen[0] += 1
            if seen[0] > MOST_ENTRIES:
                raise NotSubmitted(f"more than {MOST_ENTRIES} files")
            if wanted(entry.name) and entry.is_file(follow_symlinks=False):
                found.append(entry.path)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
    if depth < DEEPEST:
        for folder in folders:
            found += _below(folder, wanted, depth + 1, seen)
    return found


def _is_source(place):
    return bool(platforms.SOURCE.fullmatch(os.path.basename(place)))


def _choose(found, top, lab):
    """The one of several places that is meant: at the top, in the lab's folder, or the only one; exercise.c itself
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


def _place(submission, lab):
    """The path of the file that was handed in: a source or an archive."""
    kind = os.lstat(submission.path).st_mode
    if stat.S_ISREG(kind):
        if not submission.path.endswith(".c") and not platforms.is_archive(submission.path):
            raise NotSubmitted("a file, but neither a .c file nor an archive (zip, tar)")
        return submission.path
    if not stat.S_ISDIR(kind):
        raise NotSubmitted("neither a folder nor a file")
    found = _below(submission.path, _is_source)
    archive = [] if found else _below(submission.path, platforms.is_archive)
    if len(archive) == 1:
        return archive[0]
    return _choose(found, submission.path, lab)


def _from_archive(file, lab):
    """Places in an archive are as below a folder; a zip often has one folder around everything, which counts as it."""
    read = archives.sources(file, lambda name: "__MACOSX" not in name and _is_source(name), MOST_ENTRIES,
                            LARGEST_SOURCE)
    places = {os.path.join("/", name): data for name, data in read}
    return places[_choose(list(places), "/", lab)]


def read(submission, lab):
    """The bytes of the student's exercise.c. Raises NotSubmitted."""
    try:
        place = _place(submission, lab)
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise NotSubmitted(f"{FILE} is no regular file")
            is_archive = platforms.is_archive(place)
            data = _from_archive(file, lab) if is_archive else file.read(LARGEST_SOURCE + 1)
    except OSError as error:
        raise NotSubmitted(f"not readable: {error.strerror}") from error
    except archives.Bad as error:
        raise NotSubmitted(str(error)) from error
    if len(data) > LARGEST_SOURCE:
        raise NotSubmitted(f"{FILE} is larger than {LARGEST_SOURCE >> 10} KiB")
    return data
