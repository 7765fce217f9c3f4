#!/usr/bin/env python3
"""For those who adopt umlab: the licence goes along, the version is one, files for a hosting platform are valid.

    tests/python/release.py [PART-OF-A-DOCSTRING...]
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from support import cases

ROOT = cases.ROOT
sys.path.insert(0, str(ROOT / "grade"))
import handout  # noqa: E402

VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
BUILD = Path(os.environ.get("UMLAB_BUILD", ROOT / "build/sim"))
SCHEMAS = {  # check-jsonschema's own copies
    "vendor.github-workflows": [".github/workflows/ci.yml"],
    "vendor.github-issue-forms": [".github/ISSUE_TEMPLATE/bug.yml", ".github/ISSUE_TEMPLATE/lab.yml"],
    "vendor.github-issue-config": [".github/ISSUE_TEMPLATE/config.yml"],
    "vendor.citation-file-format": ["CITATION.cff"],
}


def make(folder, *words):
    """A make that knows nothing of the one around it."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS", "BACKEND", "UM"))}
    return subprocess.run(["make", "--no-print-directory", "-C", folder, *map(str, words)], env=plain,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)


def is_clone():
    command = ["git", "-C", ROOT, "rev-parse", "--show-prefix", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.startswith("\n")


class Version(cases.Case):
    def test_stated(self):
        "umsim.h, CITATION.cff and CHANGELOG.md state the version that VERSION states"
        self.call(sys.executable, ROOT / "tests/lint/version.py")

    def test_umcc(self):
        "umcc --version: a line of umlab's own, beside the release of CUDA that it stands for"
        umcc = BUILD / "bin/umcc"
        if not umcc.exists():
            raise cases.Skip("umcc is the simulator's")
        lines = self.call(umcc, "--version").stdout.splitlines()
        self.assertIn(f"umlab {VERSION}", lines)
        self.assertTrue(any(re.match(r"Cuda compilation tools, release \d+\.\d+, V\d", line) for line in lines), lines)


class Licence(cases.Case):
    def test_handout(self):
        "the handout holds the licence"
        self.assertEqual(handout.tree("handout")["LICENSE"][0], (ROOT / "LICENSE").read_bytes())

    def test_installed(self):
        "make install puts the licence, and headers that say their version, where a program finds them"
        if BUILD.name != "sim":
            raise cases.Skip("the plain simulator is what is installed")
        done = make(ROOT, "BACKEND=sim", "install", f"DESTDIR={self.folder}", "PREFIX=/opt/umlab")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        top = self.folder / "opt/umlab"
        self.assertEqual((top / "share/doc/umlab/LICENSE").read_bytes(), (ROOT / "LICENSE").read_bytes())
        source = self.folder / "says.cu"
        source.write_text("#include <cstdio>\n#include <umsim.h>\nint main() { puts(UMLAB_VERSION); }\n")
        self.call(top / "bin/umcc", "-o", self.folder / "says", source)
        self.assertEqual(self.call(self.folder / "says").stdout.strip(), VERSION)


class Dist(cases.Case):
    def test_archive(self):
        "make dist: the last commit's files under umlab-VERSION/, the playground's module, the same bytes twice"
        if not is_clone():
            raise cases.Skip("this is no clone of git's")
        first, second = (make(ROOT, "dist", f"BUILD={self.folder / name}") for name in ("one", "two"))
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(first.stdout.strip(), str(self.folder / f"one/umlab-{VERSION}.tar.gz"))
        paths = [Path(done.stdout.strip()) for done in (first, second)]
        self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes())
        with tarfile.open(paths[0]) as archive:
            names = {member.name for member in archive if member.isfile()}
        listed = self.call("git", "-C", ROOT, "ls-tree", "-rz", "--name-only", "HEAD").stdout
        wanted = {f"umlab-{VERSION}/{name}" for name in listed.split("\0") if name}
        if "SKIP docs: the playground" not in first.stderr:
            wanted.add(f"umlab-{VERSION}/docs/playground/play.js")
        self.assertEqual(names, wanted)

    def test_without_git(self):
        "make dist where there is no clone says what it needs, and writes nothing"
        tree = self.folder / "umlab"
        shutil.copytree(ROOT / "mk", tree / "mk")
        for name in ("Makefile", "VERSION"):
            shutil.copy(ROOT / name, tree)
        done = make(tree, "dist")
        self.assertEqual(done.returncode, 2)
        self.assertIn("make dist: it packs what git has committed", done.stderr)
        self.assertFalse((tree / "build").exists())


class Hosting(cases.Case):
    def test_schemas(self):
        "the workflow, the issue forms and the citation are valid by their schemas"
        if importlib.util.find_spec("check_jsonschema") is None:
            raise cases.Skip("no Python package check_jsonschema (setup.sh --dev installs it)")
        for schema, names in SCHEMAS.items():
            paths = (ROOT / name for name in names)
            self.call(sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *paths)

    def test_workflow(self):
        "the workflow runs what everybody runs: .ci/run; a report of an error asks for make doctor"
        self.assertIn("run: bash .ci/run\n", (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
        self.assertIn("make doctor", (ROOT / ".github/ISSUE_TEMPLATE/bug.yml").read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(cases.main())
