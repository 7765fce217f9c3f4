#!/usr/bin/env python3
"""A suite of planted errors: how many umcc --check tells by their kind, and whether it ever gives a false alarm.

    tests/planted/run.py [PART-OF-A-NAME]

tests/planted/CATEGORY/NAME.cu is one program and has one error. It makes the error with the argument `planted`;
without one it is right, and must be silent. Its head says what the report is to hold:

    // kind: race                 a kind of docs/schema/umlab-check-1.json; several, separated by " or "
    // at: @read or @written      lines that end with these marks; one is the error's place, or the other one's
    // missed: WHY                known not to be told; it is counted, and must be taken out once it is told

Both are run once more with UMSIM_CHECK=all,each, which judges no access in the short way (sim/check/quick.h), and have
to be told the same, word by word. Fails if not; if a right program is not silent; if one that is not said to be missed
is not told; or if one that is said to be missed is told. Without UM_LONG=1 a twelfth of them, at the next commit
(UM_TURN) another one.
UMLAB_BUILD says where the simulator is (build/sim). Prints a line a program, a table of the categories, and last
`N passed, N failed, N skipped`.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
MEASURED = HERE / "measured/h200.json"
BUILD = Path(os.environ.get("UMLAB_BUILD", "build/sim")).resolve()
HEAD = re.compile(r"^// (kind|at|missed): (.*)$", re.MULTILINE)
PLACES = ("at", "other", "launched", "other_launched", "copied", "short_copy")


def head_of(source):
    """What the head asks for: kinds, the lines of the marks, why it is missed."""
    text = source.read_text()
    head = dict(HEAD.findall(text))
    marks = {mark: number for number, line in enumerate(text.splitlines(), 1)
             for mark in re.findall(r"// (@\w+)$", line)}
    return (head["kind"].split(" or "), [marks[mark] for mark in head.get("at", "").split(" or ") if mark],
            head.get("missed", ""))


def lines_of(finding, source):
    """The lines of this program that the finding names."""
    places = [finding.get(key) for key in PLACES] + [finding.get("memory", {}).get("at")]
    return {place["line"] for place in places if place and place.get("file", "").endswith(source.name)}


def findings_of(program, arguments, **environment):
    """(status, findings): what a run tells."""
    report = Path(f"{program}.json")
    report.unlink(missing_ok=True)
    done = subprocess.run([program, *arguments], env=dict(os.environ, UMSIM_CHECK_JSON=str(report), **environment),
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=100, check=False)
    # the program and stacks lie elsewhere in each run; CUDA's memory does not
    text = re.sub(r"0x(?:5|7[b-f])[0-9a-f]{10}", "0x...", report.read_text())
    return done.returncode, json.loads(text)["reports"]


def is_told(findings, source):
    """Whether one of the findings is an error of the kind and at a place that the head names."""
    kinds, lines, _ = head_of(source)
    return any(finding["severity"] == "error" and finding["kind"] in kinds and
               (not lines or lines_of(finding, source) & set(lines)) for finding in findings)


def run_case(source, folder):
    """(name, told, what is wrong or "", findings of the planted run)."""
    name = str(source.relative_to(HERE).with_suffix(""))
    program = folder / name.replace("/", "-")
    made = subprocess.run([BUILD / "bin/umcc", "--check", "-o", program, source], capture_output=True, text=True,
                          check=False)
    if made.returncode or made.stderr:
        return name, False, "umcc says: " + made.stderr, []
    status, findings = findings_of(program, ["planted"])
    told = is_told(findings, source) and status != 0
    right_status, alarms = findings_of(program, [])
    missed = head_of(source)[2]
    why = ""
    if (findings, alarms) != tuple(findings_of(program, arguments, UMSIM_CHECK="all,each")[1]
                                   for arguments in (["planted"], [])):
        why = "it is told something else where no access is judged in the short way (UMSIM_CHECK=all,each)"
    elif alarms or right_status:
        why = f"the right program has status {right_status} and is told: {[alarm['title'] for alarm in alarms]}"
    elif told and missed:
        why = f"it is told, though its head says that it is missed: {missed}"
    elif not told and not missed:
        why = "the error is not told by its kind and place"
    return name, told, why, findings


def told_on_hardware():
    """The programs of which one of compute-sanitizer's tools told an error, on an H200 (sanitizer.py)."""
    programs = json.loads(MEASURED.read_text())["programs"]
    return {name for name, entry in programs.items()
            if any(what.endswith(" planted") and said[0] == 99 for what, said in entry.items())}


def table(results):
    """The lines of the table: of each category how many are told, here and by compute-sanitizer."""
    of, told, theirs, on_hardware = Counter(), Counter(), Counter(), told_on_hardware()
    for name, is_one, _, _ in results:
        for category in (name.split("/")[0], "all"):
            of[category] += 1
            told[category] += is_one
            theirs[category] += name in on_hardware
    lines = [f"        {'':28} of   told   by compute-sanitizer on an H200"]
    return lines + [f"        {category:26} {of[category]:4}   {told[category]:4}   {theirs[category]:4}"
                    for category in [*sorted(set(of) - {"all"}), "all"]]


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    sources = [source for source in sorted(HERE.glob("*/*.cu")) if only in str(source.relative_to(HERE))]
    if not only and not os.environ.get("UM_LONG"):
        turn = int(os.environ.get("UM_TURN", "0"))
        sources = [source for source in sources if (zlib.crc32(source.stem.encode()) + turn) % 12 == 0]
    results = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        for name, told, why, findings in pool.map(lambda source: run_case(source, Path(folder)), sources):
            results.append((name, told, why, findings))
            print(f"{'FAIL' if why else 'ok'} {name}{'' if told else ' (missed)'}", flush=True)
            if why:
                print(f"        {why}")
                print("\n".join(f"        told: {line}" for finding in findings for line in finding["text"]))
    print("\n".join(table(results)))
    failed = sum(bool(why) for _, _, why, _ in results)
    print(f"{len(results) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
