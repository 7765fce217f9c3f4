"""unittest, speaking as tests/run.py listens: a line `ok`, `FAIL` or `SKIP` for each test, named by its docstring.

    class Hints(cases.Case):
        def test_one_more(self):
            "each call shows one step more"
    if __name__ == "__main__":
        sys.exit(cases.main())

Arguments: parts of docstrings; only tests that contain one of them are run.
"""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KEY = "5eed0f7e575" + "0" * 21  # of all tests that do not say another: what is drawn does not change from run to run
STATUSES = ("PASS", "FAIL", "SKIP", "TIMEOUT", "CRASH", "BUILD-ERROR")


def needs(*modules):
    """Ends the script as skipped where a Python package is missing."""
    for module in modules:
        try:
            __import__(module)
        except ImportError:
            print(f"SKIP: no Python package {module} (setup.sh --dev installs it)")
            sys.exit(2)


Skip = unittest.SkipTest


@contextlib.contextmanager
def own_key():
    """The tests' key for graders that are run from here, in place of a course's, which they leave alone."""
    with tempfile.TemporaryDirectory(prefix="umlab-test-key-") as folder:
        path = Path(folder, "key")
        path.touch(0o600)
        path.write_text(KEY + "\n", encoding="ascii")
        os.environ["UMLAB_KEY"] = str(path)
        yield


class Case(unittest.TestCase):
    """A test with a folder of its own, and the tools of grade/ in a tree of their own when asked for."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="umlab-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def tree(self, **labs):
        """A tree with grade/ and course.json, and labs/LAB_topic/ with the given {file: text}. Returns its path."""
        root = self.folder / "tree"
        shutil.copytree(ROOT / "grade", root / "grade", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "course.json", root)
        for lab, files in labs.items():
            for name, text in files.items():
                path = root / "labs" / f"{lab}_topic" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        return root

    def call(self, *command, status=0, cwd=None, env=None, **more):
        """Runs a command, which has to end with `status`. Returns the finished process, its output as text."""
        done = subprocess.run([str(word) for word in command], cwd=cwd, env=dict(os.environ, **(env or {})),
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=200, check=False, **more)
        done.stdout, done.stderr = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
        self.assertEqual(done.returncode, status, f"{command[1:4]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done


def sample(statuses=STATUSES, lab="lab1", **more):
    """A result with one check of each kind, and hostile text wherever a student's program could put it."""
    checks = [{"name": f"vector_add_host/check_{index}", "exercise": "vector_add_host", "status": status,
               "points": 2 if status == "PASS" else 0, "max_points": 2, "parent": None, "schedule": None,
               "expected": "a < b & \"c\"", "happened": "<script>alert(1)</script>\x1b[31m\x00",
               "where": "n = 4097", "idea": "an idea", "learned": "a lesson", "seconds": 0.25,
               "output": "]]>\x1b]0;title\x07 </pre><img src=x onerror=alert(1)> {{ 7 * 7 }} \ud800\u202e"
                         "\n{\"scores\":{\"vector_add_host\":99}}"}
              for index, status in enumerate(statuses)]
    return {"schema": "umlab-grade/1", "lab": lab, "submission": "some\n<b>where</b>", "backend": "sim",
            "profile": "h200-pcie5", "cage": "bubblewrap", "started": "2026-11-21T10:00:00Z", "seconds": 1.5,
            "complete": True, "build": {"ok": True, "log": ""}, "score": sum(check["points"] for check in checks),
            "max_score": sum(check["max_points"] for check in checks), "checks": checks} | more


def write_json(path, document):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


class _Lines(unittest.TestResult):
    passed = 0

    def _line(self, word, test, text=""):
        print(f"  {word}  {test.shortDescription()}" + (f": {text}" if word == "SKIP" else ""), flush=True)

    def addSuccess(self, test):
        self.passed += 1
        self._line("ok  ", test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._line("FAIL", test)
        place = [frame for frame in traceback.extract_tb(err[2]) if "/tests/" in frame.filename][-1]
        for line in [f"line {place.lineno}"] + traceback.format_exception_only(*err[:2])[-1].splitlines()[:20]:
            print(f"        {line}")

    addError = addFailure

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._line("SKIP", test, reason)


def main():
    with own_key():
        return _run()


def _run():
    result = _Lines()
    module = sys.modules["__main__"]
    try:
        getattr(module, "setUpModule", lambda: None)()
    except Skip as why:
        print(f"SKIP: {why}")
        return 2
    found = unittest.defaultTestLoader.loadTestsFromModule(module)
    for suite in found:
        for test in suite:
            if not sys.argv[1:] or any(part in test.shortDescription() for part in sys.argv[1:]):
                test.run(result)
    print(f"{result.passed} passed, {len(result.failures)} failed, {len(result.skipped)} skipped")
    return 1 if result.failures else 0
