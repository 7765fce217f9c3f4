#!/usr/bin/env python3
"""Sources of the simulator under ThreadSanitizer, with threads in the places of processes: `make test`.

    tests/orders/races.py

races.c is compiled with the ring's counters and sleeps (sim/base/futex.h), the table of known memory
(sim/check/table.c) and a client's runner (sim/client/runner.c), and its cases must run without a race. Then each
source is compiled once more with a mistake, which must be found: by ThreadSanitizer, or because what was handed over is
wrong. ThreadSanitizer knows no fences; those are litmus.py's. CC names the compiler (cc).
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("sim/check/table.c", "sim/client/runner.c")
RACE = 66  # ThreadSanitizer's exit status
# case, the mistake, its file, what stands there once, what stands there then
MISTAKES = (
    ("ring", "a counter is read relaxed", "sim/base/futex.h",
     "return (int)(atomic_load_explicit(word, memory_order_acquire) - goal) >= 0;",
     "return (int)(atomic_load_explicit(word, memory_order_relaxed) - goal) >= 0;"),
    ("table", "its words are read as plain ones", "sim/check/table.c",
     "const uint64_t word = atomic_load_explicit(&table->range[place].word[i], memory_order_relaxed);",
     "const uint64_t word = *((const uint64_t *)&table->range[place] + i);"),
    ("runner", "a function's end is told relaxed", "sim/client/runner.c", "atomic_store(&it->ran, ++done);",
     "atomic_store_explicit(&it->ran, ++done, memory_order_relaxed);"),
)


def build(folder, root):
    """Compiles the program from the sources below `root`. @return (program, "") or (None, why)"""
    program = Path(folder) / "races"
    done = subprocess.run(
        [*os.environ.get("CC", "cc").split(), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-g", "-Wno-tsan",
         "-fsanitize=thread",
         f"-I{root}", f"-I{root}/sim/include", "-o", str(program), f"{root}/tests/orders/races.c",
         *(f"{root}/{source}" for source in SOURCES), "-lpthread"], capture_output=True, text=True, check=False)
    return (program, "") if done.returncode == 0 else (None, done.stderr)


def run(program, case):
    """@return (status, what it printed)"""
    try:
        done = subprocess.run([program, case], capture_output=True, text=True, timeout=120, check=False,
                              env=os.environ | {"TSAN_OPTIONS": f"exitcode={RACE}:halt_on_error=1"})
    except subprocess.TimeoutExpired:
        return 1, "it does not end"
    return done.returncode, done.stdout + done.stderr


def with_mistake(folder, file, right, wrong):
    """A copy of the sources with one edit. @return its root, or None if the source has another text"""
    root = Path(folder) / "copy"
    shutil.copytree(ROOT / "sim", root / "sim", ignore=shutil.ignore_patterns("*.cu", "umcc"))
    (root / "tests").mkdir()
    shutil.copytree(ROOT / "tests/orders", root / "tests/orders")
    text = (root / file).read_text(encoding="utf-8")
    if text.count(right) != 1:
        return None
    (root / file).write_text(text.replace(right, wrong), encoding="utf-8")
    return root


class Told:
    """Counts and tells."""

    def __init__(self):
        self.failed = 0

    def tell(self, name, why=""):
        self.failed += bool(why)
        print(f"{'FAIL' if why else 'ok'} {name}{': ' + why if why else ''}", flush=True)


def check_mistake(told, case, mistake, file, right, wrong):
    name = f"{case}: {mistake} ({file}), which is found"
    with tempfile.TemporaryDirectory() as folder:
        root = with_mistake(folder, file, right, wrong)
        if not root:
            told.tell(name, f"the source has not once: {right}")
            return
        program, why = build(folder, root)
        if program:
            status, text = run(program, case)
            why = "" if status in (1, RACE) and "does not end" not in text else f"nothing was found: {text}"
        told.tell(name, why)


def main():
    told = Told()
    with tempfile.TemporaryDirectory() as folder:
        program, why = build(folder, ROOT)
        if not program:
            print(f"SKIP: the compiler has no ThreadSanitizer here: {why.splitlines()[0] if why else ''}"
                  if "tsan" in why and "cannot find" in why else f"FAIL build: {why}")
            return 0 if "tsan" in why and "cannot find" in why else 1
        for case in ("ring", "table", "runner"):
            status, text = run(program, case)
            if "FATAL: ThreadSanitizer" in text:
                print(f"SKIP: ThreadSanitizer does not start here: {text.splitlines()[0]}")
                return 0
            told.tell(f"{case}: {text.splitlines()[0] if text else ''}", text if status else "")
    for mistake in MISTAKES:
        check_mistake(told, *mistake)
    return 1 if told.failed else 0


if __name__ == "__main__":
    sys.exit(main())
