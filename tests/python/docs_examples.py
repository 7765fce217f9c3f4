#!/usr/bin/env python3
"""The programs that the documentation quotes (docs/examples) run, and each snippet that a page names is there.

Takes the build from UMLAB_BUILD (`build/sim`); prints one line a test.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("UMLAB_BUILD", ROOT / "build/sim"))
SNIPPET = re.compile(r"^<!-- insert: snippet (\S+) (\S+) -->$", re.M)


def judge(name):
    """ok, FAIL or SKIP, and why."""
    program = BUILD / "docs" / name
    if not program.is_file():
        return "FAIL", f"{program} was not built"
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode == 2:
        return "SKIP", (done.stderr.strip().splitlines() or ["no device"])[-1]
    return ("ok" if done.returncode == 0 else "FAIL"), f"exit {done.returncode}: {(done.stdout + done.stderr)[-200:]}"


def snippets():
    """Snippets that pages name and sources lack, and marked parts that no page shows."""
    wanted = {(file, name) for page in ROOT.glob("docs/*.md") for file, name in SNIPPET.findall(page.read_text())}
    there = {(source.relative_to(ROOT).as_posix(), name) for source in ROOT.glob("docs/examples/*.cu")
             for name in re.findall(r"//! \[(\w+)\]", source.read_text())}
    if not wanted:
        return ["no page names a snippet"]
    return ([f"{name} of {file}: no such part" for file, name in wanted - there]
            + [f"{name} of {file}: no page shows it" for file, name in there - wanted])


def main():
    counts = {"ok": 0, "FAIL": 0, "SKIP": 0}
    for source in sorted((ROOT / "docs/examples").glob("*.cu")):
        outcome, why = judge(source.stem)
        counts[outcome] += 1
        print(f"  {outcome:4}  docs example {source.stem}" + (f": {why}" if outcome == "SKIP" else ""))
        if outcome == "FAIL":
            print(f"        {why}")
    problems = snippets()
    outcome = "FAIL" if problems else "ok"
    counts[outcome] += 1
    print(f"  {outcome:4}  every snippet on a page is marked in a source, and shown")
    for problem in problems:
        print(f"        {problem}")
    print(f"{counts['ok']} passed, {counts['FAIL']} failed, {counts['SKIP']} skipped")
    return 1 if counts["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
