#!/usr/bin/env python3
"""`make bench`: runs the benchmarks and sets each figure beside its floor or peer, measured in the same run.

    bench/run.py --build build/sim --backend sim [--strict] [--peers DIR] [--out build/bench] PROGRAM...

A program (bench/NAME.c) prints one JSON object a line on stdout, for each piece of work:
  {"work": "empty launch", "unit": "us", "ours": 0.8, "peer": 0.5, "peer_name": "futex round trip", "target": 1.0,
   "better": "lower"}
`target` is the bound for `ours` in `unit`, or for ours / peer when "target_is": "ratio"; null: none. `peer` may be
null, with the reason in "skipped". Exit 2 means that the program cannot run here.

Prints a table (work, ours, peer, ratio, target, ok) and writes OUT/NAME.json. A missed target says NO; the exit is
non-zero only with --strict. PEERS is handed to the programs as UMLAB_PEERS.
"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HEADER = ("work", "ours", "peer", "", "ratio", "target", "ok")


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no reason given"


def run(program, env):
    """Returns (rows, why not)."""
    done = subprocess.run([program], env=env, capture_output=True, text=True, check=False)
    if done.returncode == 2:
        return [], "SKIP: " + last_line(done.stderr)
    if done.returncode != 0:
        return [], f"failed with {done.returncode}: {last_line(done.stderr)}"
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")], ""


def judge(row):
    """Adds ratio and ok to a row; ok is None without a target."""
    row["ratio"] = row["ours"] / row["peer"] if row.get("peer") else None
    value = row["ratio"] if row.get("target_is") == "ratio" else row["ours"]
    if row.get("target") is None or value is None:
        row["ok"] = None
    else:
        row["ok"] = value <= row["target"] if row["better"] == "lower" else value >= row["target"]


def cells(row):
    unit = row["unit"]
    sign = {"lower": "<=", "higher": ">="}[row["better"]]
    target = "n/a"
    if row.get("target") is not None:
        target = f"{sign} {row['target']:.4g}" + ("" if row.get("target_is") == "ratio" else f" {unit}")
    peer = f"{row['peer']:.4g} {unit}" if row.get("peer") is not None else "SKIP"
    note = row.get("peer_name", "") if row.get("peer") is not None else row.get("skipped", "")
    ratio = f"{row['ratio']:.3g}" if row["ratio"] is not None else "n/a"
    return (row["work"], f"{row['ours']:.4g} {unit}", peer, note, ratio, target,
            {True: "yes", False: "NO", None: "n/a"}[row["ok"]])


def show(rows):
    lines = [HEADER] + [cells(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADER))]
    for line in lines:
        print("  ".join(f"{cell:{width}}" for cell, width in zip(line, widths)).rstrip())


def main():
    parser = argparse.ArgumentParser(description="Runs the benchmarks beside their floors and peers.")
    parser.add_argument("--build", required=True)
    parser.add_argument("--backend", required=True, choices=["sim", "cuda"])
    parser.add_argument("--out", type=Path, default=Path("build/bench"))
    parser.add_argument("--peers", help="folder of peers' programs")
    parser.add_argument("--strict", action="store_true", help="a missed target is an error")
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    env = dict(os.environ, UMLAB_BUILD=os.path.abspath(args.build), UMLAB_BACKEND=args.backend)
    if args.peers:
        env["UMLAB_PEERS"] = os.path.abspath(args.peers)
    args.out.mkdir(parents=True, exist_ok=True)
    all_rows, failed = [], 0
    for program in args.programs:
        rows, why_not = run(program, env)
        name = Path(program).name
        if why_not:
            print(f"{name}: {why_not}", file=sys.stderr)
            failed += not why_not.startswith("SKIP")
            continue
        for row in rows:
            judge(row)
        document = {"schema": "umlab-bench/1", "bench": name, "backend": args.backend, "rows": rows}
        (args.out / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        all_rows += rows
    show(all_rows)
    missed = sum(1 for row in all_rows if row["ok"] is False)
    return 1 if failed or (args.strict and missed) else 0


if __name__ == "__main__":
    sys.exit(main())
