#!/usr/bin/env python3
"""Exports one graded result (umlab-grade/1) to other formats.

    grade/export.py FORMAT RESULT.json [-o FILE]

  terminal     as `make grade` prints it; colours only on a terminal
  gradescope   results.json
  junit        JUnit XML
  autolab      feedback, and as the last line the scores of each exercise
  check NAME   one check, as `terminal`, with its verdict as the exit code (below): GitHub Classroom's runners read
               nothing else

Exit 0; 2: no such file, or no result in it. With `check`: PASS 0, FAIL 1, SKIP 77, TIMEOUT 124, BUILD-ERROR 126, CRASH
134; a check that the result does not hold, 2.
"""
import argparse
import json
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter

import result as results
from result import clean, number

# automake's skip, timeout(1)'s timeout, the shell's "cannot be executed", 128 + SIGABRT.
EXIT_CODES = {"PASS": 0, "FAIL": 1, "SKIP": 77, "TIMEOUT": 124, "BUILD-ERROR": 126, "CRASH": 134}
COLOURS = {"PASS": "32", "SKIP": "33"}
INCOMPLETE = "Grading did not come to its end: the checks below are those that were judged."


def details(check):
    """(label, text) of what there is to say about a check, cleaned."""
    if check["status"] == "PASS":
        keys = (("learned", "learned"),)
    else:
        keys = (("expected", "expected"), ("happened", "happened"), ("where", "where"), ("source", "source"),
                ("schedule", "schedule"), ("idea", "idea"), ("output", "output"))
        if check.get("line") and check["status"] != "SKIP":
            check = check | {"source": f"{check['exercise']}() in exercise.c:{check['line']}"}
    said = {label: clean(check.get(key)).strip().removeprefix(f"{label} ") for label, key in keys}
    if f"schedule {said.get('schedule')}" in said.get("where", ""):
        said["schedule"] = ""  # it stands there already
    return [(label, text) for label, text in said.items() if text]


def told(check, indent=""):
    """details() as lines; further lines of a text stand under its first."""
    lines = []
    for label, text in details(check):
        first, *others = text.split("\n")
        lines.append(f"{indent}{label:9} {first}")
        lines += [f"{indent}{'':9} {line}" for line in others]
    return lines


def terminal_check(check, colour=False):
    word = "OK" if check["status"] == "PASS" else check["status"]
    if colour:
        word = f"\033[{COLOURS.get(check['status'], '31')}m{word}\033[0m"
    line = f"== Test {clean(check['name'])} == {word} ({check.get('seconds', 0):.1f}s)"
    return [line] + told(check, "     ")


def terminal(result, colour=False):
    lines = []
    if not result["build"]["ok"]:
        lines += ["The submission does not build:"] + ["     " + line
                                                       for line in clean(result["build"]["log"]).split("\n")]
    if not result["complete"]:
        lines.append(INCOMPLETE)
    for check in result["checks"]:
        lines += terminal_check(check, colour)
    if result.get("inputs") == "public":
        lines.append("Inputs: drawn without a key, so everybody can repeat this grading")
    lines.append(f"Score: {number(result['score'])}/{number(result['max_score'])}")
    return "\n".join(lines) + "\n"


def gradescope(result):
    """Texts are of format `text`: what a student's program printed is shown, not rendered."""
    tests = []
    for index, check in enumerate(result["checks"], 1):
        points = f"{number(check['points'])} of {number(check['max_points'])} points"
        test = {"name": clean(check["name"]), "name_format": "text", "number": str(index), "output_format": "text",
                "output": "\n".join([check["status"]] + told(check)), "visibility": "visible",
                "tags": [check["exercise"], check["status"]], "extra_data": {"status": check["status"]}}
        # A test without score and status is shown as neither passed nor failed.
        if check["status"] == "SKIP":
            test["output"] += f"\nNot judged here; it counts as {points}."
        else:
            test |= {"score": check["points"], "max_score": check["max_points"],
                     "status": "passed" if check["status"] == "PASS" else "failed"}
        tests.append(test)
    output = [f"{result['lab']}: {number(result['score'])} of {number(result['max_score'])} points, "
              f"backend {result['backend']}, {result['profile']}, sandbox: {result['cage']}"]
    if not result["complete"]:
        output.append(INCOMPLETE)
    if not result["build"]["ok"]:
        output += ["The submission does not build:", clean(result["build"]["log"])]
    return json.dumps({"score": result["score"], "execution_time": round(result["seconds"], 3),
                       "output": "\n".join(output), "output_format": "text", "test_output_format": "text",
                       "test_name_format": "text", "visibility": "visible", "stdout_visibility": "hidden",
                       "extra_data": {"schema": result["schema"], "complete": result["complete"],
                                      "max_score": result["max_score"]},
                       "tests": tests}, indent=1) + "\n"


def junit(result):
    """FAIL is a failure, SKIP is skipped; TIMEOUT, CRASH and BUILD-ERROR are errors of that type."""
    ends = Counter(check["status"] for check in result["checks"])
    counts = {"tests": len(result["checks"]), "failures": ends["FAIL"], "skipped": ends["SKIP"],
              "errors": ends["TIMEOUT"] + ends["CRASH"] + ends["BUILD-ERROR"]}
    counts = {key: str(value) for key, value in counts.items()} | {"time": f"{result['seconds']:.3f}"}
    suites = ET.Element("testsuites", counts)
    suite = ET.SubElement(suites, "testsuite", counts | {
        "name": result["lab"], "timestamp": re.sub(r"(\.\d+)?(Z|[+-]\d\d:\d\d)$", "", result["started"])})
    properties = ET.SubElement(suite, "properties")
    for key in ("score", "max_score", "backend", "profile", "cage", "complete"):
        ET.SubElement(properties, "property", name=key, value=clean(str(result[key])))
    for check in result["checks"]:
        name = clean(check["name"]).partition("/")[2]
        case = ET.SubElement(suite, "testcase", classname=f"{result['lab']}.{clean(check['exercise'])}", name=name,
                             time=f"{check.get('seconds', 0):.3f}")
        status, lines = check["status"], told(check)
        kind = {"PASS": None, "FAIL": "failure", "SKIP": "skipped"}.get(status, "error")
        if kind:
            message = clean(check.get("happened")).strip() or status
            ET.SubElement(case, kind, {"message": message} | ({} if kind == "skipped" else {"type": status})).text = \
                "\n".join(lines)
        points = f"{number(check['points'])} of {number(check['max_points'])} points"
        ET.SubElement(case, "system-out").text = "\n".join([points] + ([] if kind else lines))
    if not result["build"]["ok"]:
        ET.SubElement(suite, "system-err").text = clean(result["build"]["log"])
    ET.indent(suites, " ")
    return ET.tostring(suites, encoding="unicode", xml_declaration=False) + "\n"


def autolab(result):
    """Autolab's problems are the exercises. Its feedback knows passed or not; the hint says how it ended."""
    exercises = list(dict.fromkeys(check["exercise"] for check in result["checks"]))
    shown = {"_presentation": "semantic", "stages": ["Build"] + exercises,
             "Build": {"compiles": {"passed": result["build"]["ok"]}}}
    if not result["build"]["ok"]:
        shown["Build"]["compiles"]["hint"] = "BUILD-ERROR: " + clean(result["build"]["log"])
    for exercise in exercises:
        stage = shown[exercise] = {}
        for check in (check for check in result["checks"] if check["exercise"] == exercise):
            entry = stage[clean(check["name"]).partition("/")[2]] = {"passed": check["status"] == "PASS"}
            if check["status"] != "PASS":
                entry["hint"] = "\n".join([check["status"]] + told(check))
    scores = {exercise: sum(check["points"] for check in result["checks"] if check["exercise"] == exercise)
              for exercise in exercises}
    return terminal(result) + json.dumps(shown) + "\n" + json.dumps({"scores": scores}) + "\n"


FORMATS = {"terminal": terminal, "gradescope": gradescope, "junit": junit, "autolab": autolab}


def main(arguments=None):
    parser = argparse.ArgumentParser(description="A graded result in other formats.")
    kinds = parser.add_subparsers(dest="format", required=True)
    for name in (*FORMATS, "check"):
        kind = kinds.add_parser(name)
        if name == "check":
            kind.add_argument("check", metavar="NAME")
        kind.add_argument("result", metavar="RESULT.json")
        kind.add_argument("-o", "--out", metavar="FILE", help="instead of stdout; written as a whole or not at all")
    args = parser.parse_args(arguments)
    colour = sys.stdout.isatty() and not args.out
    status = 0
    try:
        result = results.load(args.result)
        if args.format == "check":
            check = next((check for check in result["checks"] if check["name"] == args.check), None)
            if not check:
                raise results.Bad(f"{args.result}: no check {clean(args.check)}")
            text, status = "\n".join(terminal_check(check, colour)) + "\n", EXIT_CODES[check["status"]]
        elif args.format == "terminal":
            text = terminal(result, colour)
        else:
            text = FORMATS[args.format](result)
        if args.out:
            results.write_atomically(args.out, text)
    except (results.Bad, OSError) as error:
        print(f"export: {error}", file=sys.stderr)
        return 2
    if not args.out:
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
        sys.stdout.write(text)
    return status


if __name__ == "__main__":
    sys.exit(main())
