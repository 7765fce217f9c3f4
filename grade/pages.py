"""Writes what grading a class leaves to read: the gradebook, a feedback page for each student, a summary.

    OUT/gradebook.csv                one row a student, all labs that were graded into OUT
    OUT/labN/checks.csv              one row a student, one column a check
    OUT/labN/index.html              the class: which checks failed most, the scores
    OUT/labN/students/ID.html        what a student is given

The same submissions give the same bytes, however they were graded.
"""
import csv
import io
import json
from collections import Counter, namedtuple
from pathlib import Path

import export
import records
import result as results
from result import number

Row = namedtuple("Row", "student number id state why score max_score points ends")
BAD_ENDS = [status for status in results.STATUSES if status not in ("PASS", "SKIP")]


def environment():
    import jinja2  # not at the top: the tasks of a Slurm array do without

    made = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True,
                              undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.globals["colours"] = (results.ROOT / "report/colours.css").read_text(encoding="utf-8")
    made.filters.update(number=number, clean=results.clean, details=export.details)
    return made


def row_of(record, entry):
    """A record without what is large; `entry` is the course's line for the lab, or None."""
    result = record["result"]
    head = (record["student"], record.get("number", ""), record["id"], record["state"], record["why"])
    if record["state"] != records.GRADED:
        return Row(*head, None, None, None, {})
    return Row(*head, result["score"], result["max_score"],
               results.course_points(result["score"], result["max_score"], entry),
               {check["name"]: check["status"] for check in result["checks"]})


def write_feedback(job, record, templates):
    page = templates.get_template("feedback.html").render(record=record, result=record["result"], lab=job.lab)
    results.write_atomically(job.folder / "students" / f"{record['id']}.html", page)


def _cell(text):
    """A spreadsheet would run a name that begins so."""
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t") else text


def _csv(path, lines):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    results.write_atomically(path, text.getvalue(), mode=0o600)


def _score(value):
    return "" if value is None else number(value)


def write_checks(job, rows):
    names = list(dict.fromkeys(name for row in rows for name in row.ends))
    lines = [["student", "number", "state", "score", "max_score", "points", *names]]
    lines += [[_cell(row.student), _cell(row.number), row.state, _score(row.score), _score(row.max_score),
               _score(row.points),
               *(row.ends.get(name, "") for name in names)] for row in rows]
    _csv(job.folder / "checks.csv", lines)


def write_gradebook(out):
    """From what each lab left in class.json."""
    labs = {}
    for path in sorted(Path(out).glob("lab[0-9]*/class.json")):
        labs[path.parent.name] = {row["id"]: row for row in results.read_json(path)["rows"]}
    students = sorted({row["id"]: (row["student"], row.get("number", ""), row["id"])
                       for rows in labs.values() for row in rows.values()}.values())
    of_lab = ("state", "score", "of", "points")
    lines = [["student", "number", *(f"{lab} {what}" for lab in labs for what in of_lab), "points"]]
    for student, number_of, identifier in students:
        line, total = [_cell(student), _cell(number_of)], 0
        for rows in labs.values():
            row = rows.get(identifier) or {"state": records.NOT_SUBMITTED, "score": None, "max_score": None,
                                           "points": None}
            line += [row["state"], _score(row["score"]), _score(row["max_score"]), _score(row["points"])]
            total += row["points"] or 0
        lines.append(line + [number(total)])
    _csv(Path(out) / "gradebook.csv", lines)


def worst_checks(rows):
    """[(name, failed, judged, {status: count})], those that failed most first."""
    ends = {}
    for row in rows:
        for name, status in row.ends.items():
            ends.setdefault(name, Counter())[status] += 1
    worst = [(name, sum(count[bad] for bad in BAD_ENDS), sum(count.values()), count) for name, count in ends.items()]
    return sorted(worst, key=lambda one: (-one[1], one[0]))


def write_class(job, rows, templates):
    """All pages of the class but the students' own."""
    listed = [{"id": row.id, "student": row.student, "number": row.number, "state": row.state, "score": row.score,
               "max_score": row.max_score, "points": row.points} for row in rows]
    results.write_atomically(job.folder / "class.json", json.dumps(
        {"schema": "umlab-class/1", "lab": job.lab, "rows": listed}, indent=1) + "\n", mode=0o600)
    write_checks(job, rows)
    write_gradebook(job.out)
    scores = sorted(row.score for row in rows if row.score is not None)
    tenths = Counter(min(9, int(10 * row.score / row.max_score)) for row in rows if row.max_score)
    page = templates.get_template("class.html").render(
        lab=job.lab, rows=rows, worst=worst_checks(rows), bad_ends=BAD_ENDS, tenths=tenths, graded=len(scores),
        states=Counter(row.state for row in rows), mean=sum(scores) / len(scores) if scores else None,
        median=scores[len(scores) // 2] if scores else None)
    results.write_atomically(job.folder / "index.html", page, mode=0o600)
