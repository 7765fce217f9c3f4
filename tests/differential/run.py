#!/usr/bin/env python3
"""Runs the differential test of managed memory under each schedule, and shows that it would find an error.

    tests/differential/run.py        finds the build in UMLAB_BUILD, the backend in UMLAB_BACKEND

3 seconds each; with UM_LONG=1 (make test-long) 10 minutes. The seed is the day's, and said on a mismatch.
"""
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("UMLAB_BUILD", ROOT / "build/sim")).resolve() / "test/differential"
SIMULATED = os.environ.get("UMLAB_BACKEND", "sim") == "sim"
LONG = os.environ.get("UM_LONG") == "1"
SECONDS = 600 if LONG else 3
SEED = datetime.datetime.now(datetime.timezone.utc).toordinal()
# A device of 64 MiB, less than the regions have: pages are evicted. SMALL: three such devices.
SMALL = "small devices"
RUNS = [("lazy", {"UMSIM_SCHED": "lazy"}), ("eager", {"UMSIM_SCHED": "eager"}),
        ("random", {"UMSIM_SCHED": f"random:{SEED}"}), ("lazy, on a small device", {"UMSIM_PROFILE": "tiny"}),
        ("lazy, two devices", {"UMSIM_PROFILE": "h200-nvlink2"}),
        ("eager, two devices", {"UMSIM_PROFILE": "h200-nvlink2", "UMSIM_SCHED": "eager"}),
        ("random, two devices", {"UMSIM_PROFILE": "h200-nvlink2", "UMSIM_SCHED": f"random:{SEED}"}),
        ("eager, two devices without a link", {"UMSIM_PROFILE": "h200-pair", "UMSIM_SCHED": "eager"}),
        ("random, three small devices", {"UMSIM_PROFILE": SMALL, "UMSIM_SCHED": f"random:{SEED}"})]
LAST = re.compile(r"(\d+) operations of (\d+) kinds by 4 threads on 200 regions in \d+ streams of (\d+) devices, "
                  r"seed \d+: no mismatch")


def small_devices(folder):
    """A profile of three devices that are as small as tiny's. Returns its path."""
    tiny = json.loads((ROOT / "profiles/tiny.json").read_text())
    profile = {"schema": tiny["schema"], "name": "small", "base": str(ROOT / "profiles/h200-nvlink2.json"),
               "conditions": "for a test", "capacity": tiny["capacity"],
               "peers": {"devices": {"value": 3, "unit": "count", "source": "assumed"}}}
    path = Path(folder) / "small.json"
    path.write_text(json.dumps(profile))
    return str(path)


def run(*arguments, env=None):
    """Returns (exit status, lines of output)."""
    try:
        done = subprocess.run([PROGRAM, "--seed", str(SEED), *arguments], env=dict(os.environ, **(env or {})),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=SECONDS + 300, check=False)
    except subprocess.TimeoutExpired:
        return None, ["it did not end"]
    return done.returncode, done.stdout.splitlines()


def wrong_under(env):
    """A run of the whole: what is wrong, as lines."""
    status, lines = run("--seconds", str(SECONDS), env=env)
    last = LAST.fullmatch(lines[-1]) if lines else None
    if status != 0 or not last:
        return [f"exited with {status}", *lines[-14:]]
    kinds = [line for line in lines if re.match(r" *[1-9]\d*  \w", line)]
    return [] if len(kinds) == int(last[2]) else ["some kind of operation never came", *lines]


def wrong_with_errors():
    """What is wrong with a run that has to find an error: its report names all that is needed to look for it."""
    status, lines = run("--operations", "20000", "--seconds", "100", "--threads", "1", "--spoil", "500")
    report = "\n".join(lines)
    if status == 1 and re.search(r"MISMATCH region \d+, offset \d+.*expected \d+, got \d+", report) and re.search(
            rf"seed {SEED}, schedule .*operation \d+", report):
        return []
    return [f"exited with {status}", *lines[-14:]]


def main():
    results = []
    if run("--operations", "0")[0] == 2:
        print("SKIP: it needs a device with concurrentManagedAccess")
        return 2
    results.append(("a bit that changes behind the model's back is found", wrong_with_errors()))
    with tempfile.TemporaryDirectory() as folder:
        small = small_devices(folder)
        for name, env in RUNS if SIMULATED else [("on a GPU", {})]:
            env = {key: small if value == SMALL else value for key, value in env.items()}
            results.append((f"managed memory is what its model says, {name}", wrong_under(env)))
    for name, wrong in results:
        print(f"{'FAIL' if wrong else 'ok':<6}{name}")
        for line in wrong:
            print(f"        {line}")
    failed = sum(bool(wrong) for _, wrong in results)
    print(f"{len(results) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
