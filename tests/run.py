#!/usr/bin/env python3
"""Runs the tests that make built, and adds them up.

    tests/run.py --build build/sim --backend sim --xml build/test  KIND:PATH...

KIND says how a test speaks (tests/README.md):
  cunit    an executable with tests/um_test.c in it: one result a test. When it dies of a signal, the test that it died
           in counts as failed and the run goes on after that one.
  program  an executable: exit 0 passed, 2 skipped (its last line is the reason), anything else failed. Where
           tests/programs/NAME.expected stands, the output must be equal to it.
  script   a .py or .sh file, with its arguments: as a program, but exit 2 means skipped only when the last line
           begins with `SKIP` (the interpreters, too, exit with 2). Or, when it prints `ok NAME`, `FAIL NAME`,
           `SKIP NAME: reason` lines, one result a line. Passes that only its closing line `N passed, ...` counts are
           one result together.

Prints what failed and what was skipped, last `N passed, N failed, N skipped`. Exit 1 when anything failed.
"""
import argparse
import contextlib
import difflib
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

RESULT = re.compile(r"^ {0,2}(ok|FAIL|SKIP):? +(.+)$")
CLOSING = re.compile(r"^(\d+) passed, \d+ failed, \d+ skipped$")
# What XML 1.0 cannot hold.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

RUNNING = set()  # processes; each leads a group of its own, which a Ctrl-C here does not reach


class Results:
    """What became of the tests of one executable or script."""

    def __init__(self, name):
        self.name = name
        self.cases = []  # (name, "ok"|"FAIL"|"SKIP", text)
        self.seconds = 0.0

    def add(self, name, outcome, text=""):
        self.cases.append((name, outcome, text))

    def count(self, outcome):
        return sum(1 for case in self.cases if case[1] == outcome)

    def write_xml(self, path):
        suite = ET.Element("testsuite", name=self.name, tests=str(len(self.cases)), failures=str(self.count("FAIL")),
                           errors="0", skipped=str(self.count("SKIP")), time=f"{self.seconds:.3f}")
        for name, outcome, text in self.cases:
            case = ET.SubElement(suite, "testcase", classname=self.name, name=NOT_XML.sub("?", name))
            if outcome != "ok":
                ET.SubElement(case, "failure" if outcome == "FAIL" else "skipped", message=NOT_XML.sub("?", text))
        ET.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def execute(command, env, timeout):
    """Runs a command in a process group of its own. Returns (status or None after a timeout, output)."""
    # Into a file, not a pipe: a simulated GPU that outlives its host would hold a pipe open.
    with tempfile.TemporaryFile("w+", errors="replace") as file:
        try:
            process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=file,
                                       stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as error:
            return 127, str(error)
        RUNNING.add(process)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            status = None
        RUNNING.discard(process)
        file.seek(0)
        return status, file.read()


def how_it_ended(status, timeout):
    if status is None:
        return f"did not end within {timeout:.0f} s"
    if status < 0:
        return f"died of {signal.Signals(-status).name}"
    return f"exited with {status}"


def last_line(output):
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no reason given"


def tail(output, lines=12):
    return "\n".join(output.splitlines()[-lines:])


def split_skip(text, names):
    """Parts `NAME: reason`. Names may hold colons: those known beforehand go first."""
    for name in names:
        if text.startswith(name + ": "):
            return name, text[len(name) + 2:]
    name, _, reason = text.partition(": ")
    return name, reason or "no reason given"


def read_cases(output, results, names=()):
    """Adds the result lines in `output`; lines indented further below a FAIL are its text."""
    for line in output.splitlines():
        found = RESULT.match(line)
        if found:
            outcome, rest = found.groups()
            name, reason = split_skip(rest, names) if outcome == "SKIP" else (rest, "")
            results.add(name, outcome, reason)
        elif results.cases and results.cases[-1][1] == "FAIL" and line.startswith("        "):
            name, outcome, text = results.cases.pop()
            results.add(name, outcome, (text + "\n" + line.strip()).strip())
        closing = CLOSING.match(line)
        if closing and int(closing[1]) > 0 and results.count("ok") == 0:
            results.add(f"{closing[1]} checks", "ok")


def names_of(path, env, after):
    command = [path, "--list"] + (["--after", after] if after else [])
    status, output = execute(command, env, 30)
    return output.splitlines() if status == 0 else []


def run_cunit(path, results, env, timeout, xml):
    """Runs all tests, going on after those that crash. Returns whether the executable's own XML holds everything."""
    after = None
    while True:
        pending = names_of(path, env, after)
        command = [path, "--xml", str(xml)] + (["--after", after] if after else [])
        status, output = execute(command, env, timeout)
        before = len(results.cases)
        read_cases(output, results, pending)
        if status in (0, 1):
            if status == 1 and not results.count("FAIL"):
                results.add("(the executable)", "FAIL", "exited with 1 and named no failed test\n" + tail(output))
            return after is None
        done = len(results.cases) - before
        text = how_it_ended(status, timeout) + "\n" + tail(output)
        if done >= len(pending):
            results.add("(the executable)", "FAIL", text)
            return False
        after = pending[done]
        results.add(after, "FAIL", text)


def run_other(command, results, env, timeout, expected=None, skip_word=""):
    status, output = execute(command, env, timeout)
    read_cases(output, results)
    skipped = status == 2 and last_line(output).startswith(skip_word)
    if results.cases and not skipped:
        if status not in (0, 1) or (status == 1 and not results.count("FAIL")):
            results.add("(as a whole)", "FAIL", how_it_ended(status, timeout) + "\n" + tail(output))
    elif skipped:
        results.cases.clear()
        results.add("runs", "SKIP", last_line(output).removeprefix("SKIP").lstrip(": "))
    elif status != 0:
        results.add("runs", "FAIL", how_it_ended(status, timeout) + "\n" + tail(output))
    elif expected is not None and output != expected:
        changes = difflib.unified_diff(expected.splitlines(), output.splitlines(), "expected", "printed", "", "", 1, "")
        results.add("runs", "FAIL", "\n".join(changes) or "line ends differ")
    else:
        results.add("runs", "ok")


def run_one(test, args, env):
    kind, _, path = test.partition(":")
    folder = args.build + "/test/"
    path, *arguments = shlex.split(path)
    name = path[len(folder):] if path.startswith(folder) else path.removeprefix("tests/").rsplit(".", 1)[0]
    if arguments and not arguments[0].startswith("-"):
        name += "-" + arguments[0]  # one script, several times: each for a part
    results = Results(name)
    xml, xml_is_whole = args.xml / (name.replace("/", "-") + ".xml"), False
    start = time.monotonic()
    if kind == "cunit":
        xml_is_whole = run_cunit(path, results, env, args.timeout, xml)
    elif kind == "program":
        expected = Path("tests/programs", Path(path).name + ".expected")
        run_other([path], results, env, args.timeout, expected.read_text() if expected.exists() else None)
    else:
        interpreter = "bash" if path.endswith(".sh") else sys.executable
        run_other([interpreter, path] + arguments, results, env, args.timeout, skip_word="SKIP")
    if not results.cases:
        results.add("(as a whole)", "SKIP", "it holds no test")
        xml_is_whole = False
    results.seconds = time.monotonic() - start
    if not xml_is_whole:
        results.write_xml(xml)
    return results


def show(results):
    print(f"{results.name}: {results.count('ok')} passed, {results.count('FAIL')} failed, "
          f"{results.count('SKIP')} skipped ({results.seconds:.1f} s)")
    for name, outcome, text in results.cases:
        if outcome == "SKIP":
            print(f"  SKIP  {name}: {text}")
        elif outcome == "FAIL":
            print(f"  FAIL  {name}")
            for line in text.splitlines():
                print(f"        {line}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description="Runs tests and adds them up.")
    parser.add_argument("--build", required=True, help="build folder, such as build/sim")
    parser.add_argument("--backend", required=True, choices=["sim", "cuda"])
    parser.add_argument("--xml", required=True, type=Path, help="folder for JUnit XML files")
    parser.add_argument("--timeout", type=float, default=480, help="seconds of real time for each executable")
    parser.add_argument("--jobs", type=int, help="executables at a time; 2, but 1 on a GPU, whose memory all of them "
                        "share")
    parser.add_argument("tests", nargs="*")
    args = parser.parse_args()
    args.xml.mkdir(parents=True, exist_ok=True)
    for old in args.xml.glob("*.xml"):
        old.unlink()
    env = dict(os.environ, UMLAB_BUILD=os.path.abspath(args.build), UMLAB_BACKEND=args.backend)
    all_results = []
    # Longer ones stand last on the command line: begun first, they leave no processor idle at the end.
    jobs = args.jobs or (1 if args.backend == "cuda" else min(2, os.cpu_count() or 1))
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for done in as_completed([pool.submit(run_one, test, args, env) for test in reversed(args.tests)]):
                all_results.append(done.result())
                show(all_results[-1])
        except KeyboardInterrupt:
            for process in list(RUNNING):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)
            print("interrupted", flush=True)
            os._exit(130)  # the pool would wait for, and go on with, what is left
    total = {outcome: sum(r.count(outcome) for r in all_results) for outcome in ("ok", "FAIL", "SKIP")}
    print(f"{total['ok']} passed, {total['FAIL']} failed, {total['SKIP']} skipped")
    return 1 if total["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
