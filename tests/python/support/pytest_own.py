"""Runs a package's own tests, which pytest knows, by umpython: what cupy_own.py and cuda_own.py share.

As a plugin of pytest (-p pytest_own) it takes each N-th test, chosen by a hash of its name, and tells each result as a
line. As a module it starts such processes, reads these lines, and counts why tests did not pass.
"""
import collections
import json
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path

BUILD = Path(os.environ.get("UMLAB_BUILD", Path(__file__).resolve().parents[3] / "build/sim")).resolve()
MARK = "own-tests: "


# ---- in the package's Python: a plugin of pytest's ----


def pytest_collection_modifyitems(items):
    every = int(os.environ["UM_EVERY"])
    items[:] = [item for item in items if zlib.crc32(item.nodeid.encode()) % every == 0]


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        status = "passed" if report.passed else "skipped" if report.skipped else "failed"
        if report.when == "teardown" and status == "failed":
            status = "passed"  # the body has told its result
        print("\n" + MARK + json.dumps([report.nodeid, status, str(report.longrepr or "")[-4000:]]), flush=True)


# ---- here ----


class Own:
    """A package's tests. `reasons`: (row of the table, what the error of such a test says); `again`: rows whose tests
    are run once more in a process of their own, because an error of a kernel sticks to its process."""

    def __init__(self, python, folder, reasons, again, seconds, environment=None, options=()):
        self.python, self.folder, self.reasons, self.again, self.seconds = python, folder, reasons, again, seconds
        here = str(Path(__file__).resolve().parent)
        self.environment = os.environ | {"UMPYTHON": python, "PYTHONPATH": f"{folder}:{here}"} | (environment or {})
        self.options = options
        self.counts, self.rows = collections.Counter(), []

    def run_file(self, paths, every=1):
        """Runs a file's tests, or those of some names. Returns {test: (status, text)}."""
        paths = [str(paths)] if isinstance(paths, (str, Path)) else paths
        command = [str(BUILD / "bin/umpython"), "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-p",
                   "pytest_own", *self.options, *paths]
        try:
            run = subprocess.run(command, cwd=self.folder, env=self.environment | {"UM_EVERY": str(every)},
                                 capture_output=True, text=True, check=False, timeout=self.seconds, errors="replace")
            output, end = run.stdout, f"exit {run.returncode}"
        except subprocess.TimeoutExpired as error:
            output, end = (error.stdout or b"").decode(errors="replace"), "killed"
        found = {}
        for line in output.splitlines():
            at = line.find(MARK)
            if at >= 0:
                name, status, text = json.loads(line[at + len(MARK):])
                found[name] = (status, text)
        if end not in ("exit 0", "exit 1", "exit 5"):
            rest = [path for path in paths if "::" in path and path not in found]
            found.update({path: ("failed", end) for path in rest or [f"{paths[0]} (the rest)"]})
        return found

    def reason_of(self, text):
        return next((name for name, pattern in self.reasons if re.search(pattern, text)), "wrong")

    def run(self, label, paths, every=1, keep=None):
        """Runs them, tells each failure, and counts. @param keep a file for all results so far"""
        found = self.run_file(paths, every)
        for name, (status, text) in list(found.items()):
            if status == "failed" and "::" in name and self.reason_of(text) in self.again:
                found.update(self.run_file(name))
        for name, (status, text) in found.items():
            row = self.reason_of(text) if status == "failed" else status
            self.counts[row] += 1
            self.rows.append([name, row, text if status == "failed" else ""])
            if status == "failed":
                print(f"{row}: {name}: {text.strip().splitlines()[-1][:200] if text.strip() else ''}", flush=True)
        print(f"{label}: so far {dict(self.counts)}", file=sys.stderr, flush=True)
        if keep:
            Path(keep).write_text(json.dumps(self.rows))

    def tell(self):
        """@return the program's status"""
        print(f"{sum(self.counts.values())} tests")
        for row, count in self.counts.most_common():
            print(f"{count:6} {row}")
        return 1 if self.counts["wrong"] else 0
