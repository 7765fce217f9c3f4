#!/usr/bin/env python3
"""`make conformance`: what each call answers here, beside what hardware answered.

    tests/conformance/table.py --backend sim EXECUTABLE
    tests/conformance/table.py --backend cuda --record tests/conformance/measured/h200.json EXECUTABLE

Prints one line a behaviour (name, hardware's answer, ours, why they differ if that is known) and last `N behaviours,
N differ, N are known to`. Exit 1 when any differs, when none was seen, or when a test failed otherwise; 2 when the
tests cannot run here. With --record the answers of this machine's GPU are written to the file instead, with the GPU's
name and driver.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def run(executable, behaviours, record):
    env = dict(os.environ, UMLAB_BEHAVIOURS=behaviours)
    if record:
        env["UMLAB_RECORD"] = "1"
    result = subprocess.run([executable], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace", check=False)
    with open(behaviours, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return result, rows


def device():
    """The GPU's name and its driver, as the driver says."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    name, driver = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0].split(", ")
    return {"name": name, "driver": driver}


def record(path, rows):
    answers = {}
    for row in rows:
        if answers.setdefault(row["name"], row["got"]) != row["got"]:
            raise SystemExit(f"conformance: two answers for {row['name']!r}: {answers[row['name']]}, {row['got']}")
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"schema": "umlab-conformance/1", "device": device(), "behaviours": answers}
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{path}: {len(answers)} behaviours")


def main():
    parser = argparse.ArgumentParser(description="What each call answers, beside hardware's answer.")
    parser.add_argument("--backend", required=True, choices=["sim", "cuda"])
    parser.add_argument("--record", type=Path, help="write this GPU's answers to FILE", metavar="FILE")
    parser.add_argument("executable")
    args = parser.parse_args()
    if args.record and args.backend != "cuda":
        parser.error("only hardware's answers are recorded: BACKEND=cuda")
    if not os.access(args.executable, os.X_OK):
        print(f"conformance: {args.executable} is not built: there are no conformance tests", file=sys.stderr)
        return 2
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as behaviours:
        result, rows = run(args.executable, behaviours.name, args.record)
    if result.returncode not in (0, 1):
        sys.stderr.write(result.stdout)
        print(f"conformance: the tests ended with status {result.returncode}", file=sys.stderr)
        return 1
    if not rows:
        print("conformance: no test ran: " + result.stdout.strip().splitlines()[0].strip(), file=sys.stderr)
        return 2
    if args.record:
        record(args.record, rows)
        return result.returncode
    width = max(len(row["name"]) for row in rows)
    differ = known = 0
    for row in rows:
        same = row["got"] == row["expected"] or "why" in row
        differ += not same
        known += "why" in row
        expected = row["expected"] if row["expected"] is not None else "(not recorded)"
        print(f"{row['name']:{width}}  {expected:32}  {row['got']}{'' if same else '   DIFFERS'}"
              f"{'   ' + row['why'] if 'why' in row else ''}")
    print(f"{len(rows)} behaviours, {differ} differ, {known} are known to")
    if result.returncode and not differ:
        sys.stderr.write(result.stdout)
    return 1 if differ or result.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
