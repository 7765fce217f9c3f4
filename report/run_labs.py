"""Runs the labs for the report: their JSON, and on the simulator their traces, into a folder; a progress bar on a
terminal."""
import os
import subprocess
import sys
from collections import namedtuple

from bad_input import BadInput

TIMEOUT_S = 300
# What is run: the file's name, the lab, its arguments, whether a trace is kept, and the profile where it is another
# one.
Run = namedtuple("Run", "name lab arguments trace profile")
RUNS = [
    Run("lab0", "lab0", ["--size", "16M"], False, None),
    *[Run(f"lab1-{size}", "lab1", ["--size", size], size == "16M", None) for size in ("64K", "1M", "4M", "16M", "64M")],
    Run("lab2", "lab2", [], False, None),
    *[Run(f"lab3-{size}", "lab3", ["--size", size], size == "32M", None) for size in ("256K", "4M", "32M")],
    *[Run(f"lab4-{size}", "lab4", ["--size", size], False, None) for size in ("64K", "1M", "16M")],
    Run("lab5", "lab5", [], True, None),
    Run("lab6", "lab6", [], True, None),
    Run("lab6-tiny", "lab6", ["--strategy", "oversubscribed,oversubscribed-hints"], True, "tiny"),
    Run("lab7", "lab7", [], False, None),
    Run("lab8", "lab8", [], False, None),
    Run("lab9", "lab9", [], False, None),
    Run("lab10", "lab10", [], True, "h200-nvlink2"),
]


class Progress:
    """tqdm's bar on a terminal that has it; else a line for each run where somebody may look at it later."""

    def __init__(self, total):
        self.bar = None
        if sys.stderr.isatty():
            try:
                from tqdm import tqdm

                self.bar = tqdm(total=total, unit="run", leave=False, dynamic_ncols=True, file=sys.stderr)
            except ImportError:
                pass
        self.done, self.total = 0, total

    def begin(self, name):
        self.done += 1
        if self.bar is not None:
            self.bar.set_description(name)
        elif sys.stderr.isatty():
            print(f"\r\033[K  RUN   {name} ({self.done} of {self.total})", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.bar is not None:
            self.bar.update()

    def close(self):
        if self.bar is not None:
            self.bar.close()
        elif sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)


def chosen(programs, backend, profile):
    """Runs that this build can do. Where a profile is asked for, only that one. On GPUs lab 10 says whether there are
    two."""
    runs = [run for run in RUNS if (programs / run.lab).exists()]
    if backend != "sim":
        return [run._replace(profile=None) for run in runs if run.profile is None or run.lab == "lab10"]
    return [run for run in runs if run.profile is None] if profile else runs


def run_one(run, programs, backend, profile, folder):
    """Runs a lab; one whose check failed still has results. Returns None, or why it cannot run here."""
    profile = run.profile or profile
    command = [str(programs / run.lab), "--quiet", *run.arguments, "--json", str(folder / f"{run.name}.json")]
    command += ["--profile", profile] if profile else []
    environment = {key: value for key, value in os.environ.items() if key not in ("UMSIM_TRACE", "UMSIM_FAIL")}
    if backend == "sim" and run.trace:
        environment["UMSIM_TRACE"] = str(folder / f"{run.name}.jsonl")
    try:
        done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        raise BadInput(f"{run.lab}: not done after {TIMEOUT_S} s") from None
    said = done.stderr.decode(errors="replace").strip().splitlines()
    if done.returncode == 2 and said:
        for name in (f"{run.name}.json", f"{run.name}.jsonl"):
            (folder / name).unlink(missing_ok=True)
        return said[-1]
    if done.returncode not in (0, 1) or not (folder / f"{run.name}.json").exists():
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit {done.returncode}"
        raise BadInput(f"{' '.join(command[1:-2])}: {run.lab} ended with {how}{': ' + said[-1] if said else ''}")
    if "the trace is incomplete" in done.stderr.decode(errors="replace"):
        raise BadInput(f"{run.lab}: {said[-1]}")
    return None


def run_all(programs, backend, profile, folder, more=()):
    """Runs the labs; `more` are (name, function) done after them, with the same progress bar. Returns why some labs did
    not run, a line each; when none did that is an error."""
    runs = chosen(programs, backend, profile)
    if not runs:
        raise BadInput(f"{programs}: no labs here (make builds them)")
    folder.mkdir(parents=True, exist_ok=True)
    progress = Progress(len(runs) + len(more))
    left_out = {}
    try:
        for run in runs:
            progress.begin(run.name)
            why = run_one(run, programs, backend, profile, folder)
            if why:
                left_out.setdefault(run.lab, f"{run.name} did not run here: {why}")
            progress.end()
        if left_out and not list(folder.glob("*.json")):
            raise BadInput(next(iter(left_out.values())))
        for name, function in more:
            progress.begin(name)
            function()
            progress.end()
    finally:
        progress.close()
    return list(left_out.values())
