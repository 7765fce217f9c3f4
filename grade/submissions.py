"""Reads a folder of submissions, as a learning platform hands it out: which students, and which file is the submission.

Each entry of the folder is a student's: a folder with exercise.c in it (at its top, in labs/labN_topic/, or the only
one anywhere below), a file NAME.c, or an archive with such a file in it; platforms.py knows how platforms name them.
Names are bytes that somebody else chose: they may hold line ends and markup, so they never become part of a path of
ours. Only regular files are taken. Links are not followed: one could lead to the solution.
"""
import errno
import hashlib
import os
import re
import stat
from collections import Counter, namedtuple

import archives
import platforms
import result as results
from platforms import FILE, NotSubmitted

LARGEST_SOURCE = 1 << 20
DEEPEST, MOST_ENTRIES = 8, 10_000
# What a file system says when the machine is short of something; anything else is the submission's own.
SHORTAGES = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC, errno.EIO, errno.EINTR, None}

# id: a name for files of ours; name: for people, in one line; path: the entry; number: the platform's, in one line.
Submission = namedtuple("Submission", "id name path number", defaults=("",))


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


def _refuse_no_class(folder, entries):
    """A class is a folder of submissions; it is easy to name one above or below it."""
    where, real = f"SUBMISSIONS={results.one_line(str(folder))}", os.path.realpath(folder)
    if FILE in dict(entries):
        raise results.Bad(f"{where}: this is one submission ({FILE} stands in it), not a folder of submissions; "
                          "make grade SUBMISSION=DIR grades one")
    if results.ROOT.is_relative_to(real) or real == str(results.ROOT / "labs"):
        raise results.Bad(f"{where}: this folder has the course itself in it, so it is no folder of submissions")
    if entries and not any(is_folder or name.lower().endswith(".c") or platforms.is_archive(name)
                           for name, is_folder in entries):
        raise results.Bad(f"{where}: no folder, no .c file and no archive is in it, so it is no folder of submissions")


def _holds_one(path):
    """Whether something is there that might be a submission."""
    try:
        if stat.S_ISDIR(os.lstat(path).st_mode):
            return bool(_below(path, lambda name: platforms.is_source(name) or platforms.is_archive(name)))
        return path.lower().endswith(".c") or platforms.is_archive(path)
    except (NotSubmitted, OSError):
        return False


def _refuse_foreign(folder, entries):
    """A class in which nobody has handed in has empty folders, or folders with the wrong file. One that has other files
    beside them, and no submission anywhere, is somebody else's folder: /etc, or a home."""
    others = [name for name, is_folder in entries if not is_folder and not _holds_one(os.path.join(folder, name))]
    if others and not any(_holds_one(os.path.join(folder, name)) for name, _ in entries):
        raise results.Bad(f"SUBMISSIONS={results.one_line(str(folder))}: nothing in it is a submission ({FILE} or an "
                          f"archive), and it has other files ({results.one_line(others[0])}), so it is no folder of "
                          "submissions")


def _one_each(entries, known, tell):
    """[(who, entry)], one a student: the better of two entries."""
    students = {}
    for name, is_folder in entries:
        new = platforms.who(name, is_folder, known), name
        key = new[0].number, new[0].name
        old = students.setdefault(key, new)
        if old is not new:
            students[key] = best = new if new[0].rank > old[0].rank else old
            other = old if best is new else new
            tell(f"{results.one_line(best[0].name)}: two entries, {results.one_line(best[1])} is taken and "
                 f"{results.one_line(other[1])} is not")
    return list(students.values())


def find(folder, tell=lambda line: None):
    """All submissions in a folder, one a student, by name. `tell` is called with each line that people should read.

    The id has to be the same in each lab, because the gradebook has one row for it. So a number that does not last is
    in it only where two have one name."""
    entries = _entries(folder, tell)
    _refuse_no_class(folder, entries)
    _refuse_foreign(folder, entries)
    found, by_id = _one_each(entries, platforms.metadata(folder), tell), {}
    names = Counter(who.name for who, _ in found)
    for who, entry in found:
        is_told_apart = who.number and (who.lasts or names[who.name] > 1)
        wanted = f"{who.name}-{who.number}" if is_told_apart else who.name
        one = id_of(wanted)
        while one in by_id:  # the names are others' choice, so anything may be taken already
            wanted += "/" + entry
            one = id_of(wanted, by_id)
        by_id[one] = Submission(one, results.one_line(who.name), os.path.join(folder, entry),
                                results.one_line(who.number))
        if is_told_apart and not who.lasts:
            tell(f"{results.one_line(who.name)}: two have this name; Moodle numbers them anew for each assignment, so "
                 "the gradebook has a row for each of them and each lab")
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


def _place(submission, lab):
    """The path of the file that was handed in: a source or an archive."""
    kind = os.lstat(submission.path).st_mode
    if stat.S_ISREG(kind):
        if not submission.path.lower().endswith(".c") and not platforms.is_archive(submission.path):
            raise NotSubmitted("a file, but neither a .c file nor an archive (zip, tar)")
        return submission.path
    if not stat.S_ISDIR(kind):
        raise NotSubmitted("neither a folder nor a file")
    found = _below(submission.path, platforms.is_source)
    archive = [] if found else _below(submission.path, platforms.is_archive)
    if len(archive) > 1:
        raise NotSubmitted(f"{len(archive)} archives, and no {FILE} beside them")
    return archive[0] if archive else platforms.choose(found, submission.path, lab)


def read(submission, lab):
    """The bytes of the student's exercise.c. Raises NotSubmitted; OSError where the machine is at fault."""
    try:
        place = _place(submission, lab)
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise NotSubmitted(f"{FILE} is no regular file")
            is_archive = platforms.is_archive(place)
            data = archives.read(file, lab, LARGEST_SOURCE) if is_archive else file.read(LARGEST_SOURCE + 1)
    except OSError as error:
        if error.errno in SHORTAGES:
            raise
        raise NotSubmitted(f"not readable: {error.strerror}") from error
    if len(data) > LARGEST_SOURCE:
        raise NotSubmitted(f"{FILE} is larger than {LARGEST_SOURCE >> 10} KiB")
    return data
