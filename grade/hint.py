#!/usr/bin/env python3
"""`make hint LAB=3 [CHECK=name]`: shows one more step each time.

    grade/hint.py LAB [--check NAME] [--build build]

Hints are in labs/labN_topic/hints.md: `## exercise/check`, then numbered steps. NAME may be a part of a check's name;
without NAME all checks are candidates. Among the candidates it takes the first that did not pass in the last `make
grade` and has steps left; one that was skipped waits until no other failed; before any `make grade`, the first with
steps left. The steps shown so far are kept (grade/state.py). Exit 0, also where every check passes; 2: no such lab,
check, or hints.
"""
import argparse
import re
import sys
from pathlib import Path

import result as results
import state as states

STEP = re.compile(r"(\d+)[.)]\s+(.*)")


def read_hints(path):
    """{check: [step, ...]}, in the file's order. A step is its lines."""
    hints, steps = {}, None
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise results.Bad(f"{path}: {error.strerror}") from error
    for line in text.splitlines():
        step = STEP.match(line)
        if line.startswith("## "):
            steps = hints.setdefault(line[3:].strip().strip("`"), [])
        elif steps is None:
            continue
        elif step:
            steps.append([step[2]])
        elif steps:
            steps[-1].append(re.sub("^ {1,3}", "", line).rstrip())
    for steps in hints.values():
        for step in steps:
            while step and not step[-1]:
                step.pop()
    return {check: steps for check, steps in hints.items() if steps}


def last_ends(build, lab):
    """{check: status} of the last `make grade` of this lab; empty where there is none."""
    try:
        document = results.read_json(Path(build, "grade", f"{lab}.json"))
        return {check["name"]: check["status"] for check in document["checks"]}
    except (results.Bad, KeyError, TypeError):
        return {}


def choose(hints, wanted, ends, shown):
    """The check to give a hint for: of those asked for, one that failed, that was skipped, that does not pass yet, with
    steps left; None where all pass."""
    asked = [check for check in hints if check == wanted] or [check for check in hints if wanted in check]
    if not asked:
        raise results.Bad(f"no hint for CHECK={results.clean(wanted)}; there are {', '.join(hints)}")
    not_passed = [check for check in asked if ends.get(check) != "PASS"]
    if not not_passed and not wanted:
        return None
    failed = [check for check in not_passed if ends.get(check) not in (None, "SKIP")]
    candidates = failed or [check for check in not_passed if check in ends] or not_passed or asked
    return next((check for check in candidates if shown.get(check, 0) < len(hints[check])), candidates[0])


def show(check, steps, count, new):
    print(f"{check}: step {count} of {len(steps)}" + ("" if new else ", the last; there is no further one"))
    for index, step in enumerate(steps[:count], 1):
        print(f"  {index}. {step[0]}")
        for line in step[1:]:
            print(f"     {line}".rstrip())


def main(arguments=None):
    parser = argparse.ArgumentParser(description="One more step of a hint.")
    parser.add_argument("lab")
    parser.add_argument("--check", default="")
    parser.add_argument("--build", default="build")
    args = parser.parse_args(arguments)
    try:
        lab = results.lab_name(args.lab)
        folder = results.lab_folder(lab)
        if not folder or not (folder / "hints.md").exists():
            raise results.Bad(f"{lab} has no hints")
        hints = read_hints(folder / "hints.md")
        if not hints:
            raise results.Bad(f"{folder.name}/hints.md holds no hint")
        with states.changed(states.path_of(args.build)) as state:
            shown = state["hints"].setdefault(lab, {})
            check = choose(hints, args.check, last_ends(args.build, lab), shown)
            if not check:
                print(f"hint: every check of {lab} that has hints passes; CHECK= names one of {', '.join(hints)}")
                return 0
            before = shown.get(check, 0)
            shown[check] = min(before + 1, len(hints[check]))
        show(check, hints[check], shown[check], shown[check] > before)
    except results.Bad as error:
        print(f"hint: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
