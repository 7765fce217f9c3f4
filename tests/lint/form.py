#!/usr/bin/env python3
"""Lints what clang-format does not see in C and CUDA: the comment that a file opens with, and how NULL is tested for.

    tests/lint/form.py               all files that git has or would take; exit 1 when one is not in form

A file opens with `/**`, ` * @file` and its own name, ` * @brief` and a sentence. A pointer is its own truth, `if (p)`
and `if (!p)`; `p != NULL` stands only where that truth is a value: `return p != NULL;`.
"""
import re
import subprocess
import sys
from pathlib import Path

PATTERNS = ("*.c", "*.h", "*.cu", "*.cuh", "*.cpp")
# Inputs of tests, whose first lines and habits are what is tested.
STUDENTS = ("tests/mutants/", "tests/fair/", "tests/hostile/", "tests/umcc/", "tests/programs/")
# First lines of tests/check and tests/planted say what umcc --check is to report.
NO_HEADER = (*STUDENTS, "tests/check/", "tests/planted/")

HEADER = re.compile(r"/\*\*\n \* @file (\S+)\n \* @brief \S")
CODE_ONLY = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.S)


def files():
    """Names of all C and CUDA files, in order."""
    command = ["git", "ls-files", "-co", "--exclude-standard", *PATTERNS]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return sorted(name for name in set(said.splitlines()) if Path(name).is_file())


def without_words(text):
    """The code, with blanks for comments and literals: line numbers stay."""
    return CODE_ONLY.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def is_condition(code, at):
    """Whether what stands at `at` is a part of a condition, and not a value."""
    depth, start = 0, at
    while start > 0:  # back to where the expression begins, and whose parentheses it is in
        start -= 1
        before = code[max(0, start - 200):start]
        if code[start] in ")]}":
            depth += 1
        elif code[start] in "([{" and depth > 0:
            depth -= 1
        elif depth > 0:
            continue
        elif code[start] == "(":
            if re.search(r"(\b(if|while|for)\s*|!)$", before):
                return True
            if re.search(r"[\w)\]]\s*$", before) and not re.search(r"\breturn\s*$", before):
                return False  # a call's argument
        elif code.startswith(("&&", "||"), start):
            return True
        elif code[start] == ";":
            return re.search(r"\bfor\s*\([^;()]*$", before) is not None
        elif code[start] in "[{}," or code[start] in "?:=" and code[start - 1] not in "!=<>":
            return False
    return False


def wrong_tests(name, text):
    """Complaints about tests for NULL."""
    code = without_words(text)
    for found in re.finditer(r"([!=])=\s*(?:NULL|nullptr)\b(\s*(?:&&|\|\|))?|\b(?:NULL|nullptr)\s*[!=]=", code):
        line = code.count("\n", 0, found.start()) + 1
        if found[1] != "!":
            yield f"{name}:{line}: a comparison that is !p, or has NULL in front"
        elif re.match(r"\s*\)\s*[!=]=", code[found.end():]):
            continue  # (p != NULL) == wanted: a value
        elif found[2] or is_condition(code, found.start()):
            yield f"{name}:{line}: != NULL in a condition: p alone is one"


def main():
    wrong = []
    for name in files():
        text = Path(name).read_text(encoding="utf-8")
        header = HEADER.match(text)
        if not name.startswith(NO_HEADER) and not (header and Path(name).name == Path(header[1]).name):
            wrong.append(f"{name}:1: does not open with /**, @file {Path(name).name} and @brief")
        if not name.startswith(STUDENTS):
            wrong += wrong_tests(name, text)
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
