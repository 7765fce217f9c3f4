#!/usr/bin/env python3
"""umcc --check: each program here has one planted error, and is correct without it.

    tests/check/run.py [PART-OF-A-NAME]

A program is compiled once. Run with an argument it makes its error; without one it must be silent. Its first lines say
what the report of the error is to hold, in this order:

    // expect: Invalid __global__ write of size 4 bytes
    // expect: allocated by cudaMalloc at @made

`@made` is FILE:LINE of the line that ends with `// @made`. Further `// errors: N` (1 if missing), `// status: N` (1),
`// umcc: OPTIONS` (--check), `// env: NAME=VALUE`, `// silent: no` (without its error it prints more than the summary).
`// plain: TEXT` (any number): compiled without --check it ends with one line that holds these texts; nothing is said
of it when it is correct, is run with `planted asks` or `planted fails`, or under UMSIM_TELL=0.
`// twin: OPTIONS`: the correct twin is what umcc makes with these, and neither has arguments; so are the programs in
students/. `// refuses: TEXT`: without them umcc says TEXT, and makes nothing.
All programs with UM_LONG=1; else a quarter of them, and at the next commit (UM_TURN) another one.
UMLAB_BUILD says where the simulator is (build/sim). Prints a line a case and last `N passed, N failed, N skipped`.
"""
import os
import re
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("UMLAB_BUILD", "build/sim")).resolve()
HEAD = re.compile(r"^// (expect|plain|errors|status|umcc|env|silent|twin|refuses): (.*)$", re.MULTILINE)
SUMMARY = re.compile(r"^========= ERROR SUMMARY: (\d+) errors?$")


def read(source):
    """What a program's head asks for."""
    text = source.read_text()
    wanted = {"expect": [], "plain": [], "errors": "1", "status": "1", "umcc": "--check", "env": "", "silent": "yes",
              "twin": "", "refuses": ""}
    places = {mark: f"{source.name}:{number}" for number, line in enumerate(text.splitlines(), 1)
              for mark in re.findall(r"// (@\w+)$", line)}
    for key, value in HEAD.findall(text):
        if key in ("expect", "plain"):
            wanted[key].append(re.sub(r"@\w+", lambda mark: places.get(mark[0], mark[0]), value))
        else:
            wanted[key] = value
    return wanted


def execute(program, wanted, *arguments):
    """Returns (status, what it wrote to stderr as lines)."""
    # Its events show kernels' times alone: with its own clock also what the host takes before a launch.
    env = dict(os.environ, UMSIM_CLOCK="real", **dict([wanted["env"].split("=", 1)] if wanted["env"] else []))
    done = subprocess.run([program, *arguments], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=60, check=False)
    return done.returncode, done.stderr.splitlines()


def judge_planted(status, lines, wanted):
    found = SUMMARY.match(lines[-1]) if lines else None
    if not found:
        return "the last line is no summary"
    if found[1] != wanted["errors"]:
        return f"{found[1]} errors, not {wanted['errors']}"
    if str(status) != wanted["status"]:
        return f"status {status}, not {wanted['status']}"
    at = 0
    for text in wanted["expect"]:
        while at < len(lines) and text not in lines[at]:
            at += 1
        if at == len(lines):
            return f"the report does not say, or not in this order: {text}"
    return "" if wanted["expect"] else "the head of the file expects nothing"


def judge_plain(source, folder, wanted):
    program = folder / f"{source.stem}-plain"
    subprocess.run([BUILD / "bin/umcc", "-g", "-o", program, source], check=True)
    lines = execute(program, wanted, "planted")[1]
    if len(lines) != 1 or any(text not in lines[0] for text in wanted["plain"]):
        return "a plain run says " + "\n".join(lines)
    for arguments, tell in (([], "1"), (["planted", "asks"], "1"), (["planted", "fails"], "1"), (["planted"], "0")):
        said = execute(program, dict(wanted, env=f"UMSIM_TELL={tell}"), *arguments)[1]
        if said:
            return f"with {arguments}, UMSIM_TELL={tell}, a plain run says {said}"
    return ""


def judge_correct(status, lines, wanted):
    if status != 0:
        return f"the correct twin ends with status {status}"
    if (lines if wanted["silent"] == "yes" else lines[-1:]) != ["========= ERROR SUMMARY: 0 errors"]:
        return "the correct twin is not silent"
    return ""


def compiled(source, program, options):
    """Returns what umcc said where it made nothing, else ""."""
    made = subprocess.run([BUILD / "bin/umcc", *options, "-o", program, source], capture_output=True, text=True,
                          check=False)
    return made.stderr or "it does not compile" if made.returncode else ""


def run_case(source, folder):
    """Returns (name, what is wrong or "", output)."""
    wanted = read(source)
    program, twin = folder / source.stem, folder / f"{source.stem}-twin"
    options = wanted["umcc"].split()
    said, why, lines = compiled(source, program, options), "", []
    if wanted["refuses"] and wanted["refuses"] not in said or said and not wanted["refuses"]:
        return source.stem, "umcc does not say so" if wanted["refuses"] else "does not compile", said
    if not said:
        status, lines = execute(program, wanted, *([] if wanted["twin"] else ["planted"]))
        why = judge_planted(status, lines, wanted)
    if not why and wanted["twin"]:
        why = compiled(source, twin, [*options, *wanted["twin"].split()])
    if not why:
        status, lines = execute(twin if wanted["twin"] else program, wanted)
        why = judge_correct(status, lines, wanted)
    if not why and wanted["plain"]:
        why = judge_plain(source, folder, wanted)
    return source.stem, why, "\n".join(lines)


def judge_page():
    """What docs/checking.md shows is what these programs print. Offsets in code are the compiler's."""
    page = (HERE.parent.parent / "docs/checking.md").read_text()
    for name, block in re.findall(r"<!-- check: (\w+) -->\n\n((?:    .*\n)+)", page):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / name
            subprocess.run([BUILD / "bin/umcc", "--check", "-o", program, HERE / f"{name}.cu"], check=True)
            lines = execute(program, read(HERE / f"{name}.cu"), "planted")[1]
        shown = [re.sub(r"\+0x\w+", "", line[4:]) for line in block.splitlines()]
        if shown != [re.sub(r"\+0x\w+", "", line) for line in lines]:
            return f"the page shows something else for {name} than", "\n".join(lines)
    return "", ""


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    sources = [source for source in [*sorted(HERE.glob("*.cu")), *sorted(HERE.glob("students/*.cu"))]
               if only in str(source.relative_to(HERE))]
    if not only and not os.environ.get("UM_LONG"):
        turn = int(os.environ.get("UM_TURN", "0"))
        sources = [source for source in sources if (zlib.crc32(source.stem.encode()) + turn) % 4 == 0]
    failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        for name, why, output in pool.map(lambda source: run_case(source, Path(folder)), sources):
            print(f"{'FAIL' if why else 'ok'} {name}", flush=True)
            if why:
                failed += 1
                print("\n".join(f"        {line}" for line in [why, *output.splitlines()]))
    if not only:
        why, output = judge_page()
        sources.append(HERE)
        failed += bool(why)
        print(f"{'FAIL' if why else 'ok'} docs/checking.md shows what is printed")
        if why:
            print("\n".join(f"        {line}" for line in [why, *output.splitlines()]))
    print(f"{len(sources) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
