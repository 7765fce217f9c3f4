#!/usr/bin/env python3
"""Counts and times depend on the program alone: not on cores, on load, or on which worker comes first.

    tests/managed/steady.py [--runs N]       finds the build in UMLAB_BUILD; UM_LONG=1 is --runs 20

Each program runs once alone, then N times beside busy processes, each time with another number of workers on one
processor, on two or on all. What it prints, table and JSON, must be the same to the letter. Excepted are rows that the
program itself leaves open (marked `~`, in JSON `contended` above 0), and their lines of the picture.
"""
import argparse
import difflib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

WORKERS = [1, 2, 3, 7, 16]
MANY = 20  # runs of the long version
OVERSUBSCRIBED = "lab6 --profile tiny --strategy oversubscribed"
# A name; the command as a student gives it; the same in small, for `make test` (None: left out there); the schedule.
PROGRAMS = [
    ("lab3", "lab3", "lab3 --size 1M", "lazy"),
    ("lab4", "lab4", "lab4 --size 1M", "lazy"),
    ("lab5", "lab5", "lab5 --size 6M", "lazy"),
    ("lab5 on limited", "lab5 --profile limited", "lab5 --profile limited --size 6M", "lazy"),
    ("lab5, eager", "lab5", "lab5 --size 6M", "eager"),
    ("lab6", "lab6", "lab6 --size 2M", "lazy"),
    ("lab6 on tiny", f"{OVERSUBSCRIBED},oversubscribed-hints --size 96M", f"{OVERSUBSCRIBED} --size 66M", "lazy"),
    ("lab7", "lab7", "lab7 --size 1M --nodes 512", "lazy"),
    ("lab9", "lab9", "lab9 --size 1M --copies 8M", "lazy"),
    ("random touches", "test/programs/random_touches", "test/programs/random_touches", "lazy"),
    ("random touches, eager", "test/programs/random_touches", None, "eager"),
]


def processors_of(turn):
    """One processor, two, all that there are."""
    mine = sorted(os.sched_getaffinity(0))
    return [mine[turn % len(mine):][:1], mine[:2], mine][turn % 3]


def output_of(build, command, settings, processors):
    """What it printed: standard output, and the table, which stands on stderr where JSON is on stdout."""
    command = (f"{build}/{command} --json -" if command.startswith("lab") else f"{build}/{command}").split()
    pin = (lambda: os.sched_setaffinity(0, processors)) if processors else None
    done = subprocess.run(command, env=dict(os.environ, **settings), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=300, preexec_fn=pin)
    if done.returncode != 0:
        raise RuntimeError(f"exited with {done.returncode}: {done.stderr[-600:]}")
    return without_open_rows(done.stdout), without_open_rows(done.stderr)


def without_open_rows(text):
    """Leaves out what the program left open."""
    if text.startswith("{"):
        document = json.loads(text)
        document["rows"] = [row for row in document["rows"] if not row.get("contended")]
        return json.dumps(document, indent=1).splitlines()
    lines = text.splitlines()
    is_open = {line.split()[0] for line in lines if "~" in line and line.strip()}
    return [line for line in lines if not line.strip() or line.split()[0] not in is_open]


def differences(expected, got):
    for before, now in zip(expected, got):
        if before != now:
            changed = list(difflib.unified_diff(before, now, "alone", "now", n=0, lineterm=""))
            return "\n".join(f"        {line}" for line in changed[:12])
    return None


def is_steady(build, command, schedule, runs):
    """Runs one of PROGRAMS. @return None, or how its output changed."""
    expected = output_of(build, command, {"UMSIM_SCHED": schedule}, None)
    busy = (os.cpu_count() or 1) * (2 if runs >= MANY else 1)
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
    try:
        for turn in range(runs):
            workers, processors = WORKERS[turn % len(WORKERS)], processors_of(turn)
            settings = {"UMSIM_SCHED": schedule, "UMSIM_THREADS": str(workers)}
            changed = differences(expected, output_of(build, command, settings, processors))
            if changed:
                return f"        run {turn + 1}: {workers} workers on {len(processors)} processors\n{changed}"
        return None
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def all_of(wanted, build, runs):
    """Runs them, short ones when there are few runs. @return how many were not steady."""
    failed = 0
    for name, command, short, schedule in PROGRAMS:
        command = short if runs < MANY else command
        if command is None or (wanted and not any(word in name for word in wanted)):
            continue
        start = time.monotonic()
        try:
            changed = is_steady(build, command, schedule, runs)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            changed = f"        {error}"
        failed += changed is not None
        print(f"{'FAIL  ' if changed else 'ok    '}{name}: the same {runs + 1} times"
              + (f"\n{changed}" if changed else ""))
        print(f"{name}: {time.monotonic() - start:.1f} s", file=sys.stderr)
    return failed


def main():
    parser = argparse.ArgumentParser(description="Runs programs beside busy processes and compares what they print.")
    parser.add_argument("--runs", type=int, default=MANY if os.environ.get("UM_LONG") else 1)
    parser.add_argument("programs", nargs="*", help="only those whose name contains one of these words")
    args = parser.parse_args()
    return 1 if all_of(args.programs, Path(os.environ.get("UMLAB_BUILD", "build/sim")), args.runs) else 0


if __name__ == "__main__":
    sys.exit(main())
