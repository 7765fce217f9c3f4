#!/usr/bin/env python3
"""Launches that are recalled and not run: a program sees no difference (sim/queue/recall.h).

    tests/recall/run.py [PART OF A CASE'S NAME]

Each case of recall.cu runs with UMSIM_RECALL=never and =always, under several schedules: what it prints, its modelled
time and what the library says on stderr must be the same, byte for byte. By the time of a kernel that takes long it
is seen that launches are recalled, by default, too, and not with UMSIM_CLOCK=real. UMLAB_BUILD says where the
simulator is (build/sim).
"""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
UMCC = Path(os.environ.get("UMLAB_BUILD", "build/sim")).resolve() / "bin/umcc"
SCHEDULES = ("lazy", "eager", "random:3")
LONG = "it takes long"


class Run:
    """Counts and tells."""

    def __init__(self, program):
        self.program, self.passed, self.failed = program, 0, 0

    def tell(self, name, why=""):
        self.passed += not why
        self.failed += bool(why)
        print(f"{'FAIL' if why else 'ok'} {name}", flush=True)
        if why:
            print("\n".join(f"        {line}" for line in why.splitlines()))

    def case(self, name, **environment):
        """What a case prints, and how it ends."""
        clean = {key: value for key, value in os.environ.items() if key not in ("UMSIM_RECALL", "UMSIM_CLOCK")}
        done = subprocess.run([self.program, name], env=clean | environment, capture_output=True, text=True,
                              timeout=300, check=False)
        return done.stdout + done.stderr + f"status {done.returncode}"

    def wall(self, name, **environment):
        """Seconds that the case takes with one worker. (The GPU process is no child of ours: its processor time is not
        known here.)"""
        start = time.monotonic()
        self.case(name, UMSIM_THREADS="1", **environment)
        return time.monotonic() - start


def differs(one, other):
    """The first line that does, or nothing."""
    for first, second in zip(one.splitlines(), other.splitlines()):
        if first != second:
            return f"never:  {first}\nalways: {second}"
    return "" if one == other else f"one prints more:\n{one}\n---\n{other}"


def compare(run, names):
    for name in names:
        for schedule in SCHEDULES:
            texts = [run.case(name, UMSIM_RECALL=mode, UMSIM_SCHED=schedule) for mode in ("never", "always")]
            why = differs(*texts)
            if not why and "status 0" not in texts[0] and name != "one fails":
                why = texts[0]
            run.tell(f"{name} ({schedule})", why)


def recalls(run):
    """Thirty launches: one to know the kernel, one to learn; by default a few more."""
    never = run.wall(LONG, UMSIM_RECALL="never")
    for mode, environment, part in (("always", {"UMSIM_RECALL": "always"}, 3), ("by default", {}, 1.5)):
        took = run.wall(LONG, **environment)
        run.tell(f"launches are recalled ({mode})", "" if took < never / part else
                 f"it took {took:.2f} s, and {never:.2f} s when all launches run")
    took = run.wall(LONG, UMSIM_CLOCK="real")
    run.tell("all run with UMSIM_CLOCK=real", "" if took > never / 2 else
             f"it took {took:.2f} s, and {never:.2f} s when all launches run")
    wrong = run.case(LONG, UMSIM_RECALL="sometimes")
    run.tell("another word is refused", "" if "there are never and always" in wrong and "status 2" in wrong else wrong)


def main():
    if not UMCC.is_file():
        sys.exit(f"tests/recall/run.py: {UMCC} is not there: make BACKEND=sim, or UMLAB_BUILD says where it is")
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "recall")
        timeless = "--defsym=umsim_links_program=0"  # the host's own work does not count: times are the same each time
        subprocess.run([UMCC, "-O2", "-Xlinker", timeless, "-o", program, HERE / "recall.cu"], check=True)
        names = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
        run = Run(program)
        compare(run, [name for name in names if only in name])
        if only in LONG:
            recalls(run)
    if not run.passed + run.failed:
        sys.exit(f"tests/recall/run.py: no case has {only!r} in its name")
    print(f"recall: {run.passed} passed, {run.failed} failed")
    sys.exit(run.failed > 0)


if __name__ == "__main__":
    main()
