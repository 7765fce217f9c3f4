#!/usr/bin/env python3
"""umpython --check of Numba's kernels: planted mistakes are told with their lines, and nothing else is.

    tests/python/numba_checks.py          UM_LONG=1: the cases of numba_kernels.py by numba-cuda, too

Runs support/numba_planted.py and support/numba_cases.py with the Pythons of support/packages.py, or says SKIP.
"""
import ast
import os
import re
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases, packages  # noqa: E402

PLANTED = Path(__file__).resolve().parent / "support/numba_planted.py"
CASES = PLANTED.with_name("numba_cases.py")
LONG = bool(os.environ.get("UM_LONG"))


def expected():
    """@return {kernel: (title, line)} of those that have a mistake, and the names of the others"""
    text = PLANTED.read_text(encoding="utf-8")
    lines, found, silent = text.split("\n"), {}, []
    elsewhere = {m[1]: text[:m.start()].count("\n") + 1 for m in re.finditer(r"# here: (\w+)", text)}
    for it in ast.parse(text).body:
        if not isinstance(it, ast.FunctionDef) or not it.decorator_list or it.name == "put":
            continue
        says = ast.get_docstring(it) or ""
        own = [n for n in range(it.lineno, it.end_lineno + 1) if lines[n - 1].endswith("# here")]
        if says.startswith("finds: "):
            found[it.name] = (says[7:], own[0] if own else elsewhere[it.name])
        else:
            silent.append(it.name)
    return found, silent


class NumbaChecks(cases.Case):
    def reports(self, package, checks, program):
        """What was told, each with its lines as one text."""
        done = packages.umpython(packages.python(package), checks, program, NUMBA_CACHE_DIR=str(self.folder))
        self.assertNotIn("Traceback", done.stderr[-2000:])
        whole = "\n".join(line[10:] for line in done.stderr.split("\n") if line.startswith("========="))
        return done, [part for part in whole.split("\n\n") if part.strip()]

    def planted(self, package):
        done, told = self.reports(package, "--check", PLANTED)
        found, silent = expected()
        self.assertIn("ran to its end", done.stdout)
        self.assertEqual(done.returncode, 1)
        for kernel, (title, line) in found.items():
            own = [part for part in told if re.search(rf"\bkernel {kernel}\b|\bat {kernel} in ", part)]
            self.assertTrue(any(part.strip().startswith(title) and f"numba_planted.py:{line}" in part for part in own),
                            f"{kernel}: {title}, line {line}: {own}")
            self.assertTrue(all("launched at numba_planted.py:" in part for part in own), own)
        for kernel in silent:
            self.assertFalse([part for part in told if kernel in part], kernel)
        self.assertNotIn("Leaked", done.stderr)
        # what ran before a module was loaded, in another process of the GPU's, is no race
        self.assertNotIn("unknown place", done.stderr)

    def clean(self, package):
        done, told = self.reports(package, "--check=memory,init,race", CASES)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([part for part in told if not part.lstrip().startswith(("Note:", "ERROR SUMMARY: 0"))], [])
        self.assertFalse([line for line in done.stdout.splitlines() if not line.startswith("ok ")], done.stdout)

    def test_planted(self):
        "numba: planted mistakes are told with the kernel's line, and nothing of the kernels without"
        self.planted("numba")

    def test_planted_apart(self):
        "numba-cuda: the same"
        self.planted("numba-cuda")

    def test_clean(self):
        "numba: the kernels of numba_kernels.py give the same results, and nothing is told of them"
        self.clean("numba")

    def test_clean_apart(self):
        "numba-cuda: the same"
        if not LONG:
            raise cases.Skip("UM_LONG=1 runs this")
        self.clean("numba-cuda")


if __name__ == "__main__":
    sys.exit(cases.main())
