#!/usr/bin/env python3
"""`make progress`: sums up the whole course: checks passed and points by lab, hints used, and predictions, scored
apart.

    grade/progress.py [--build build]

Reads course.json, what `make grade` left in build/grade (labN.json, or labN.jsonl where grading did not finish), and
the student's state (grade/state.py). Exit 0; 2: no course file.
"""
import argparse
import sys
from pathlib import Path

import predict
import result as results
import state as states
from result import number

HEADER = ("lab", "due", "minutes", "checks", "score", "of the course", "hints", "predictions")


def graded(folder, lab):
    """(passed, checks, score, max_score, finished) of the last grading, or None."""
    finished = True
    try:
        document = results.read_json(folder / f"{lab}.json")
        checks, finished = document["checks"], document["complete"]
    except (results.Bad, KeyError, TypeError):
        checks = results.unfinished(folder / f"{lab}.jsonl")
        finished = False
    try:
        return (sum(check["status"] == "PASS" for check in checks), len(checks),
                sum(check["points"] for check in checks), sum(check["max_points"] for check in checks),
                finished) if checks else None
    except (KeyError, TypeError):
        return None


def lab_row(lab, entry, grade, state):
    """The table's cells, and what the last line adds up: points, hints, right, predicted."""
    hints = sum(state["hints"].get(lab, {}).values())
    seen = [one for one in state["predictions"].get(lab, {}).values() if "happened" in one]
    open_ones = len(state["predictions"].get(lab, {})) - len(seen)
    right = sum(bool(one.get("right")) for one in seen)
    try:
        asked = len(predict.questions(lab))
    except (results.Bad, KeyError, TypeError):
        asked = 0
    checks, scored, points, got = "not graded yet", "-", f"-/{number(entry['points'])}", 0
    if grade:
        passed, total, score, max_score, finished = grade
        got = results.course_points(score, max_score, entry) if finished else 0
        checks = f"{passed}/{total}" + ("" if finished else ", cut off")
        scored = f"{number(score)}/{number(max_score)}"  # as make grade says it; the course counts it in its points
        points = f"{number(got)}/{number(entry['points'])}"
    predictions = f"{right}/{len(seen)} right" if seen else "none asked" if not asked else f"0 of {asked} made"
    if open_ones:
        predictions = (predictions + ", " if seen else "") + f"{open_ones} not run yet"
    return (lab, entry["due"][:10], str(entry["minutes"]), checks, scored, points, str(hints), predictions), \
        (got, hints, right, len(seen))


def main(arguments=None):
    parser = argparse.ArgumentParser(description="The whole course, as far as it was graded here.")
    parser.add_argument("--build", default="build")
    args = parser.parse_args(arguments)
    try:
        course = results.course()
        state = states.read(states.path_of(args.build))
        folder = Path(args.build, "grade")
        rows, sums = zip(*(lab_row(lab, entry, graded(folder, lab), state) for lab, entry in course["labs"].items()))
    except results.Bad as error:
        print(f"progress: {error}", file=sys.stderr)
        return 2
    rows = (HEADER,) + rows
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    for row in rows:
        print("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths)).rstrip())
    got, hints, right, seen = (sum(column) for column in zip(*sums))
    of = sum(entry["points"] for entry in course["labs"].values())
    print(f"{course['course']} ({course['term']}): {number(got)} of {number(of)} points of the course, "
          f"{hints} steps of hints, {right} of {seen} predictions right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
