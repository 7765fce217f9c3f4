#!/usr/bin/env python3
"""Lints lengths: no line and no file is longer than can be read, and `make lint` says how long functions are.

    tests/lint/lines.py              all files that git has or would take; exit 1 when one is too long

A line of C or CUDA has at most 110 columns (.clang-format), of anything else 120; a file at most 500 lines. What is
exempt is named here, with the reason.
"""
import os
import re
import statistics
import subprocess
import sys

C = (".c", ".h", ".cu", ".cuh", ".cpp")
C_COLUMNS, COLUMNS, LINES = 110, 120, 500
# Nobody reads these line by line: data that programs write and read, and what programs printed, kept as it was.
DATA = (".json", ".jsonl", ".csv", ".txt", ".expected", ".xml", ".svg", ".png", ".bin")
# Written by a program (`make internals`), or a table from old names to new.
GENERATED = ("docs/internals.md", "docs/renamed.md")


def files():
    """Names of all files that are linted, in order."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return sorted(name for name in set(said.stdout.splitlines())
                  if os.path.isfile(name) and not name.endswith(DATA) and not name.startswith(GENERATED))


def may_be_long(name, line):
    """Whether the line cannot be broken."""
    if re.fullmatch(r"[#/*>\s]*\S*https?://\S*\s*", line) or 'href="data:' in line:
        return True  # an address has no place to break at
    if name.endswith(".md"):
        # A row of a table has no continuation, nor has docs/site's `insert`; what is indented by four is what a program
        # printed, as it printed it.
        return line.startswith(("|", "<!-- insert:", "    "))
    return False


def long_lines(name, lines):
    """Complaints about lines."""
    most = C_COLUMNS if name.endswith(C) else COLUMNS
    formatted = True
    for number, line in enumerate(lines, 1):
        if name.endswith(C) and "clang-format o" in line:
            formatted = "clang-format on" in line  # what is between is laid out oddly on purpose (tests/umcc)
        if len(line) > most and formatted and not may_be_long(name, line):
            yield f"{name}:{number}: {len(line)} columns, more than {most}"


def functions(lines):
    """Lines of each function's body. As clang-format lays them out they begin at a `{` in column 0 and end at a `}`."""
    start = None
    for number, line in enumerate(lines):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            yield number - start + 1
            start = None


def main():
    wrong, lengths, count = [], [], 0
    for name in files():
        with open(name, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        count += 1
        wrong += long_lines(name, lines)
        if len(lines) > LINES:
            wrong.append(f"{name}: {len(lines)} lines, more than {LINES}")
        if name.endswith(C):
            lengths += functions(lines)
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    middle, most = statistics.median(lengths), statistics.quantiles(lengths, n=20)[-1]
    print(f"lines: {count} files; {len(lengths)} functions of C, median {middle:.0f} lines, 95th percentile {most:.0f}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
