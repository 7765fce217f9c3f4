"""Reads, checks and writes one graded result (schema umlab-grade/1), and the course that it belongs to.

All code around a result goes through here, so each format and each page starts from a document that was checked.
"""
import json
import os
import re
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = Path(__file__).resolve().parent / "schema"
STATUSES = ("PASS", "FAIL", "SKIP", "TIMEOUT", "CRASH", "BUILD-ERROR")
# A check's student output is cut at 64 KiB by the grader; a result beyond this is no result.
LARGEST_BYTES = 64 << 20
# Neither XML 1.0 nor a terminal is to be given these. Tabs and line ends stay.
CONTROL = re.compile("[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Formatting characters that reorder what a reader sees.
REORDERING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_validators = {}


class Bad(Exception):
    """What is wrong with an input, in one line."""


def validate(document, name):
    """Checks a document against grade/schema/NAME.json; raises Bad with the first thing that is wrong."""
    import jsonschema  # not at the top: hints and progress do without it

    if name not in _validators:
        schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
        _validators[name] = jsonschema.Draft202012Validator(schema)
    error = jsonschema.exceptions.best_match(_validators[name].iter_errors(document))
    if error:
        place = "/".join(map(str, error.absolute_path)) or "the document"
        raise Bad(f"{place}: {error.message[:200]}")


def read_json(path):
    try:
        if os.path.getsize(path) > LARGEST_BYTES:
            raise Bad(f"{path}: larger than {LARGEST_BYTES >> 20} MiB")
        return json.loads(Path(path).read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise Bad(f"{path}: {error.strerror}") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise Bad(f"{path}: not JSON: {error}") from error


def check(document):
    """Raises Bad unless the document is a result that agrees with itself. Returns it."""
    validate(document, "umlab-grade-1")
    names = set()
    for one in document["checks"]:
        if one["name"] in names:
            raise Bad(f"{one['name']}: twice")
        names.add(one["name"])
        if one["points"] > one["max_points"]:
            raise Bad(f"{one['name']}: {one['points']} of {one['max_points']} points")
        if one["status"] == "PASS" and one["points"] != one["max_points"]:
            raise Bad(f"{one['name']}: passed with {one['points']} of {one['max_points']} points")
    for total, part in (("score", "points"), ("max_score", "max_points")):
        summed = sum(one[part] for one in document["checks"])
        if abs(document[total] - summed) > 1e-6:
            raise Bad(f"{total} is {document[total]}, its checks have {summed}")
    return document


def load(path):
    """The result in a file, checked."""
    try:
        return check(read_json(path))
    except Bad as error:
        where = str(path)
        raise error if str(error).startswith(where) else Bad(f"{where}: {error}") from error


def unfinished(path):
    """The checks of a grading that was cut off: a line each, the last perhaps in part."""
    checks = {}
    try:
        for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                check = json.loads(line)
                checks[check["name"]] = check
            except (json.JSONDecodeError, KeyError, TypeError):
                continue
    except OSError:
        pass
    return list(checks.values())


def course_path():
    """UMLAB_COURSE lets an instructor keep the course, and its seed, elsewhere."""
    return Path(os.environ.get("UMLAB_COURSE") or ROOT / "course.json")


def course():
    """The term in use of the course file: {"course", "term", "seed", "labs": {"lab1": {...}}}, not checked."""
    path = course_path()
    document = read_json(path)
    try:
        term = document["terms"][document["term"]]
        return {"course": document["course"], "term": document["term"], "seed": term["seed"],
                "labs": {lab["lab"]: lab for lab in term["labs"]}}
    except (KeyError, TypeError) as error:
        raise Bad(f"{path}: no course file, or its term is missing: {error}") from error


def lab_name(text):
    """`3`, `lab3` or a lab's folder: lab3."""
    found = re.fullmatch(r"(?:labs/)?(?:lab)?([0-9]{1,2})(?:_\w+)?/?", text)
    if not found:
        raise Bad(f"LAB is a number such as 3, not '{clean(text)}'")
    return "lab" + found[1]


def lab_folder(lab):
    """labs/lab3_pinned, or None."""
    return next(iter(sorted(ROOT.glob(f"labs/{lab}_*"))), None)


def course_points(score, max_score, lab):
    """What a score counts in the course, to two decimals; `lab` is the course's entry or None."""
    if not lab:
        return score
    return round(lab["points"] * score / max_score, 2) if max_score else 0


def number(value):
    """3, 2.5: no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def clean(text):
    """Text that somebody else wrote, without what could steer a terminal or break XML."""
    text = (text or "").replace("\r\n", "\n")
    return REORDERING.sub("\ufffd", CONTROL.sub("\ufffd", text))


def one_line(text):
    """A name that somebody else chose, for one line: what is not printable becomes an escape."""
    raw = os.fsencode(text) if isinstance(text, str) else text
    decoded = raw.decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() and not REORDERING.match(c) else c.encode("unicode_escape").decode()
                   for c in decoded)


def write_atomically(path, data, mode=0o644):
    """All of it or nothing, also for a reader or a crash at the same time."""
    path = Path(path)
    data = data if isinstance(data, bytes) else data.encode("utf-8", "replace")
    if path.exists() and not path.is_file():  # a device, a pipe: written to, never replaced by a file
        path.write_bytes(data)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name[:40]}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
