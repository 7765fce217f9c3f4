#!/usr/bin/env python3
"""All of tests/programs under C++11 to C++20, plain and default: they compile, and print what they print as C++17.

    tests/umcc/standards.py [--build build/sim] [--jobs 2] [PART-OF-A-NAME...]

Thrust, CUB and libcu++ need C++17, of NVIDIA (`#error Thrust requires at least C++17`) as here: programs that include
them are left out below that. All others are accepted by nvcc 13.0 under each standard. Folders of tests/programs/course
are linked from all of their files.

`make test` takes a sample: each standard and form once, of two programs. With UM_LONG=1, as in `make test-long`, or
with names, all. Prints `ok NAME` or `FAIL NAME` lines, last `N passed, N failed, N skipped`.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests/programs"
NEEDS_17 = re.compile(r"#\s*include\s*<(thrust|cub|cuda)/")
FORMS = [(standard, form) for standard in ("11", "14", "17", "20") for form in ("default", "plain")]
REFERENCE = ("17", "default")


def sources_of(program):
    return sorted([*program.glob("*.cu"), *program.glob("*.cpp")]) if program.is_dir() else [program]


def programs():
    course = PROGRAMS / "course"
    folders = sorted(p for p in course.iterdir() if p.is_dir())
    return [*sorted(PROGRAMS.glob("*.cu")), *sorted(course.glob("*.cu")), *folders]


def flags_of(program):
    flags = ["--extended-lambda", "-I", ROOT / "common", "-I", PROGRAMS, "-I", PROGRAMS / "course"]
    if program.is_dir():
        flags.append("-rdc=true")
    if program.name.startswith("nested_"):
        flags.append("-rdc=true")
    return flags


def libraries_of(program):
    """Behind the sources: the linker takes only what was asked for before."""
    libraries = {"nested_": "-lcudadevrt", "blas_": "-lcublas", "cufft_": "-lcufft", "curand_": "-lcurand"}
    return [word for start, word in libraries.items() if program.name.startswith(start)]


def run(command, folder, seconds=300):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace",
                              cwd=folder, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None, f"it took more than {seconds} s"
    return done.returncode, done.stdout if done.returncode in (0, 2) else done.stdout + done.stderr


class Runner:
    def __init__(self, build, folder):
        self.build, self.folder = build, Path(folder)

    def answer(self, program, form):
        """The exit status and what the program prints; (1, messages) if it does not compile."""
        standard, kind = form
        output = self.folder / f"{program.stem}-{standard}-{kind}"
        plain = ["--plain"] if kind == "plain" else []
        status, text = run([self.build / "bin/umcc", f"-std=c++{standard}", *plain, *flags_of(program), "-o", output,
                            *sources_of(program), *libraries_of(program)], self.folder)
        if status != 0:
            return 1, f"it does not compile: {text.strip()[:400]}"
        answer = run([output], self.folder)
        output.unlink()
        return answer

    def test(self, program, forms):
        """A list of (name, what is wrong)."""
        results, want = [], self.answer(program, REFERENCE)
        needs_17 = any(NEEDS_17.search(source.read_text()) for source in sources_of(program))
        for form in forms:
            if needs_17 and form[0] < "17":
                continue
            status, text = want if form == REFERENCE else self.answer(program, form)
            wrong = "" if (status, text) == want and status in (0, 2) else f"exit {status}, not {want[0]}: {text[:500]}"
            results.append((f"{program.stem} as C++{form[0]}, {form[1]}", wrong))
        return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path(os.environ.get("UMLAB_BUILD", ROOT / "build/sim")))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    every = [p for p in programs() if not options.names or any(name in p.stem for name in options.names)]
    chosen = [(p, FORMS) for p in every]
    if not os.environ.get("UM_LONG") and not options.names:  # each form once
        plain_17 = [p for p in every if not any(NEEDS_17.search(s.read_text()) for s in sources_of(p))]
        step = max(1, len(plain_17) // 2)
        chosen = [(plain_17[i * step + step // 2], FORMS[i % 2::2]) for i in range(2)]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        runner = Runner(options.build.resolve(), folder)
        for results in pool.map(lambda job: runner.test(*job), chosen):
            for name, wrong in results:
                print(f"FAIL {name}\n    {wrong}" if wrong else f"ok {name}", flush=True)
                failed += bool(wrong)
                passed += not wrong
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
