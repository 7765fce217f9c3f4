#!/usr/bin/env python3
"""Programs that do what legal programs do, and find a GPU that behaves: each test is one process.

    tests/robust/run.py [PART-OF-A-NAME]      finds the build in UMLAB_BUILD, the backend in UMLAB_BACKEND

What is started, where, and what has to come of it, is in the tables: held.py, mended.py, surroundings.py. Beyond that
each test asserts that the program ends in time and leaves no process behind. UM_LONG=1 repeats as often as it takes to
be sure; otherwise a sample is taken. UM_PATIENCE=10: this machine may take ten times as long (one that is emulated).
"""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import entry
import held
import mended
import surroundings
from entry import Unable

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("UMLAB_BUILD", ROOT / "build/sim")).resolve()
SIMULATED = os.environ.get("UMLAB_BACKEND", "sim") == "sim"
PROGRAMS = BUILD / "test/robust"
LONG = os.environ.get("UM_LONG") == "1"
PATIENCE = entry.PATIENCE * (10 if LONG else 1)
CPUS = os.cpu_count() or 1
# A fault's explanation asks addr2line; a core dump is what dumps.cu is for.
NO_CORE = (0, 0)


def place(word, folder):
    """A word of a command, with what the tables leave open filled in."""
    known = {"folder": folder, "programs": PROGRAMS, "build": BUILD, "tests": ROOT / "tests/robust",
             "python": sys.executable, "umcc": BUILD / "bin/umcc", "root": ROOT,
             "readelf": shutil.which("readelf") or "readelf"}
    return re.sub(r"\{(\w+)\}", lambda found: str(known[found[1]]), word)


def command_of(test, folder):
    """The words of its command."""
    program, *arguments = test.command
    if not program.startswith(("{", "/")):
        program = "{programs}/" + program
    words = [place(word, folder) for word in (*test.inside, program, *arguments)]
    for tool in (words[0], place(program, folder)):
        if not shutil.which(tool):
            raise Unable(f"there is no {Path(tool).name}")
    return words


def left_behind(session):
    """Processes of a session that live a second after its first process has ended."""
    for _ in range(100):
        alive = []
        for process in Path("/proc").iterdir():
            if not process.name.isdigit():
                continue
            try:
                fields = (process / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] not in "ZX":
                alive.append(int(process.name))
        if not alive:
            return []
        time.sleep(0.01)
    return alive


def execute(test, folder):
    """Runs it in a session of its own. Returns (status or None after the time limit, output, processes left, usage)."""
    env = dict(os.environ, **{name: place(value, folder) for name, value in test.env.items()})
    core = test.core and (test.core, test.core) or NO_CORE

    def confine():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's job in the background ignores it
        resource.setrlimit(resource.RLIMIT_CORE, core)

    with open(folder / "output", "w+b") as output:
        process = subprocess.Popen(command_of(test, folder), cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=confine)
        end = time.monotonic() + test.limit_s * PATIENCE
        status = usage = None
        while status is None and time.monotonic() < end:
            pid, raw, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                status, usage = os.waitstatus_to_exitcode(raw), used
                process.returncode = status
            else:
                time.sleep(0.002)
        if status is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        alive = left_behind(process.pid)
        for pid in alive:
            os.kill(pid, signal.SIGKILL)
        output.seek(0)
        return status, output.read().decode(errors="replace"), alive, usage


def how(status):
    if status is None:
        return "did not end in time"
    return f"died of {signal.Signals(-status).name}" if status < 0 else f"exited with {status}"


def wrong_with(test, status, output, alive, usage, folder):
    """What does not hold, in words; "" when all does."""
    wanted = test.ends if isinstance(test.ends, tuple) else (test.ends,)
    if status not in wanted:
        return f"it {how(status)}, and should have {' or '.join('' + how(one) for one in wanted)}"
    if alive:
        return f"processes are left: {alive}"
    says = test.says.get(status, "") if isinstance(test.says, dict) else test.says
    if not re.search(says, output, re.S):
        return f"it does not say {says!r}"
    return test.judge(output, folder, usage) if test.judge else ""


def run(test):
    """Returns (name, outcome, text)."""
    if test.simulator and not SIMULATED:
        return test.name, "SKIP", "the simulator is what is tested"
    folder = Path(tempfile.mkdtemp(prefix="umlab-robust-"))
    folder.chmod(0o755)
    try:
        if test.prepare:
            test.prepare(folder, PROGRAMS)
        if test.probe and not shutil.which(place(test.probe[0], folder)):
            return test.name, "SKIP", f"there is no {test.probe[0]}"
        if test.probe and subprocess.run([place(word, folder) for word in test.probe], cwd=folder, check=False,
                                         stdin=subprocess.DEVNULL, capture_output=True).returncode != 0:
            return test.name, "SKIP", f"{test.probe[0]} does not work here"
        status, output, alive, usage = execute(test, folder)
        lines = [line for line in output.splitlines() if line.strip()]
        if status == 2 and lines and lines[-1].startswith("SKIP: "):
            return test.name, "SKIP", lines[-1].removeprefix("SKIP: ")
        wrong = wrong_with(test, status, output, alive, usage, folder)
        return test.name, "FAIL" if wrong else "ok", "\n".join([wrong, *lines[-8:]])
    except Unable as reason:
        return test.name, "SKIP", str(reason)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    if not (PROGRAMS / "plain").exists():
        print(f"SKIP: {PROGRAMS} holds no programs")
        return 2
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    tests = [test for table in (surroundings, mended, held) for test in table.TESTS if part in test.name]
    if not tests:
        print(f"robust: no test has {part!r} in its name", file=sys.stderr)
        return 2
    names = [test.name for test in tests]
    assert len(set(names)) == len(names), "two tests have one name"
    counts = {"ok": 0, "FAIL": 0, "SKIP": 0}
    with ThreadPoolExecutor(min(2, CPUS) if SIMULATED else 1) as pool:
        for name, outcome, text in pool.map(run, tests):
            counts[outcome] += 1
            print(f"{outcome:<6}{name}" + (f": {text}" if outcome == "SKIP" else ""), flush=True)
            if outcome == "FAIL":
                print("\n".join(f"        {line[:300]}" for line in text.splitlines()), flush=True)
    print(f"{counts['ok']} passed, {counts['FAIL']} failed, {counts['SKIP']} skipped")
    return 1 if counts["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
