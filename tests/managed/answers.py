#!/usr/bin/env python3
"""What labs 5 to 7 count is what their rules say, which their answers.c work out from the sizes alone.

    tests/managed/answers.py        finds the build in UMLAB_BUILD

Each row of `answers` in the JSON file has what happened and what the rule comes to: where there is a rule for the size,
both are equal. A lab whose rows answer nothing would pass in silence: so some must. And predictions.json asks for the
same numbers: its places in the JSON file hold them.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "grade"))
import predict  # noqa: E402 (it stands in grade/)

# A command, and how many of its questions have a rule that applies.
RUNS = [
    ("lab5", 5),
    *((f"lab5 --size {size} --strategy managed,one-byte", 3)
      for size in ("4K", "200K", "1M", "1536K", "3M", "5000K", "6148K", "6344K", "7900K")),
    ("lab5 --profile limited", 3),
    ("lab6", 6),
    ("lab6 --size 5M", 6),
    ("lab6 --size 3M --profile tiny", 8),
    ("lab6 --size 66M --profile tiny --strategy oversubscribed", 2),
    ("lab6 --profile limited", 1),
    ("lab7", 4),
    ("lab7 --size 3M --nodes 8192", 3),
]


def wrong_in(build, command, rules):
    """Runs it. @return what is wrong, as lines."""
    lab, *arguments = command.split()
    done = subprocess.run([build / lab, *arguments, "--quiet", "--json", "-"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return [f"exited with {done.returncode}: {done.stderr[-300:]}"]
    document = json.loads(done.stdout)
    answers = document["answers"]
    applied = [a for a in answers if a["rule"] is not None]
    wrong = [f"{a['name']}: {a['happened']}, and the rule says {a['rule']}" for a in applied
             if abs(a["happened"] - a["rule"]) > 0.001]
    if len(applied) < rules:
        wrong.append(f"{len(applied)} rules applied, not {rules}: {[a['name'] for a in applied]}")
    if not arguments:
        wrong += asked_otherwise(lab, document["rows"], answers)
    return wrong


def asked_otherwise(lab, rows, answers):
    """Questions of the lab's predictions.json whose place holds another number than the lab's own answer."""
    happened = {a["name"]: a["happened"] for a in answers}
    wrong = []
    for question in predict.questions(lab):
        found = predict.what_happened(rows, question["answer"])
        answer = happened.get(question["id"])
        if found is None or answer is None or abs(found - answer) > 0.001:
            wrong.append(f"predictions.json, {question['id']}: {found}, and the lab says {answer}")
    return wrong


def main():
    build = Path(os.environ.get("UMLAB_BUILD", "build/sim"))
    failed = 0
    for command, rules in RUNS:
        wrong = wrong_in(build, command, rules)
        failed += bool(wrong)
        print(f"{'FAIL  ' if wrong else 'ok    '}{command}: counts are what the rules say")
        for line in wrong:
            print(f"        {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
