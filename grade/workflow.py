#!/usr/bin/env python3
"""Writes a workflow for GitHub Classroom: `make github LAB=3`.

    grade/workflow.py RESULT.json --out FILE

RESULT is that of the repository's own solution: its checks and their points. Classroom's reporter ignores partial
scores, so each check gets a runner, whose verdict is an exit code (grade/export.py check). The workflow goes into the
template repository, beside a handout. Checks that a handout does not have get no runner.
"""
import argparse
import json
import re
import sys
from pathlib import Path

import handout
import result as results
from result import number

RESULT = "build/grade/%s.json"  # where make grade leaves it


def in_handout(result):
    """The checks of a result that a handout has, too."""
    sources = sorted(results.lab_folder(result["lab"]).glob("grade/checks*.c"))
    text = "".join(handout.for_students(source.read_text(encoding="utf-8"), source.name) for source in sources)
    return [check for check in result["checks"] if f'"{check["name"].partition("/")[2]}"' in text]


def workflow(result, checks):
    """It grades, then has a runner for each check."""
    runners = {re.sub(r"\W", "_", check["name"].replace("/", "__")): check for check in checks}
    if len(runners) != len(checks):
        raise results.Bad("two checks whose names differ only in punctuation")
    lines = ["# Grades %s and reports each check to GitHub Classroom. Made by: make github LAB=%s" %
             (result["lab"], result["lab"][3:]),
             "name: Autograding Tests", '"on": [push, repository_dispatch]',
             "permissions: {checks: write, actions: read, contents: read}", "jobs:", "  autograding:",
             "    runs-on: ubuntu-latest", "    if: github.actor != 'github-classroom[bot]'", "    steps:",
             "      - uses: actions/checkout@v4", "      - name: Grade",
             "        # Points are the runners' business, below; without a result they all fail.",
             f"        run: ./setup.sh && make grade LAB={result['lab'][3:]} BACKEND=sim || true"]
    for runner, check in runners.items():
        command = f".venv/bin/python3 grade/export.py check {check['name']} {RESULT % result['lab']}"
        lines += [f"      - name: {json.dumps(check['name'])}", f"        id: {runner}",
                  "        uses: classroom-resources/autograding-command-grader@v1", "        with:",
                  f"          test-name: {json.dumps(check['name'])}", f"          command: {json.dumps(command)}",
                  "          timeout: 1", f"          max-score: {number(check['max_points'])}"]
    lines += ["      - name: Report", "        uses: classroom-resources/autograding-grading-reporter@v1",
              "        env:"]
    lines += ["          %s_RESULTS: ${{ steps.%s.outputs.result }}" % (runner.upper(), runner) for runner in runners]
    lines += ["        with:", f"          runners: {','.join(runners)}"]
    return "\n".join(lines) + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(description="A workflow for GitHub Classroom.")
    parser.add_argument("result", metavar="RESULT.json")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(arguments)
    try:
        result = results.load(args.result)
        results.write_atomically(args.out, workflow(result, in_handout(result)))
    except (results.Bad, handout.Bad, OSError) as error:
        print(f"github: {error}", file=sys.stderr)
        return 2
    print(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
