"""CuPy's own tests on the simulated GPU, as a table: passed, skipped by themselves, refused, wrong.

    cupy_own.py PYTHON FOLDER [FILE ...] [--every N | --tests FILE] [--json FILE]

PYTHON has CuPy and pytest; FOLDER is CuPy's unpacked source, whose tests/ is taken; FILEs are below tests/cupy_tests.
umpython of UMLAB_BUILD (build/sim) runs each file in a process of its own. --every 20 takes each 20th test, chosen by
a hash of its name: the same ones each time. --tests FILE runs those whose names are lines of FILE, such as
tests/cupy_tests/a.py::TestA::test_b, 40 in a process: a sample that was drawn before. For each test that does not pass,
the row of REASONS that explains it; what no row explains is `wrong`.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path

BUILD = Path(os.environ.get("UMLAB_BUILD", Path(__file__).resolve().parents[3] / "build/sim")).resolve()
MARK = "own-tests: "
SECONDS = 900
# why a test cannot pass here: (name, what its error says)
REASONS = (
    ("wants a library that the simulator has not", r"is not part of the simulator|simulator's (small )?cuBLAS"),
    ("wants CUB, which is left out (sim/python/cupy_cub.cpp)", r"allocating 1,152,921,504,606,846,976 bytes"),
    ("wants PTX", r"umcc: .*--ptx|PTX is"),
    ("brings options or wants words of NVIDIA's compilers", r"`nvcc` command returns|assert 'warning' in"),
    ("umcc refuses the kernel, or does not know what it includes", r"CompileException|NVRTC_ERROR_COMPILATION"),
    ("wants a longer time than a kernel has", r"cudaErrorLaunchTimeout"),
    ("wants several GPUs", r"cudaErrorInvalidDevice"),
    ("a call that the simulator does not have", r"NOT_SUPPORTED|cudaErrorNotSupported|NotSupported"),
    ("asks what a compiler for a GPU counts, or for PTX", r"num_regs|local_size_bytes|const_size_bytes|INVALID_PTX"),
    ("was cut off after 900 s, or ended its process", r"^(killed|exit)"),
)
AGAIN = ("wrong", "wants a longer time than a kernel has")


# ---- in the package's Python: a plugin of pytest's ----


def pytest_collection_modifyitems(items):
    every = int(os.environ["UM_EVERY"])
    items[:] = [item for item in items if zlib.crc32(item.nodeid.encode()) % every == 0]


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        status = "passed" if report.passed else "skipped" if report.skipped else "failed"
        if report.when == "teardown" and status == "failed":
            status = "passed"  # the body has told its result
        print("\n" + MARK + json.dumps([report.nodeid, status, str(report.longrepr or "")[-4000:]]), flush=True)


# ---- here ----


def run_file(python, folder, paths, every):
    """Runs a file's tests, or those of some names. Returns {test: (status, text)}."""
    paths = [str(paths)] if isinstance(paths, (str, Path)) else paths
    here = str(Path(__file__).resolve().parent)
    environment = os.environ | {"UMPYTHON": python, "UM_EVERY": str(every), "CUPY_TEST_GPU_LIMIT": "1",
                                "PYTHONPATH": f"{folder}:{here}"}
    command = [str(BUILD / "bin/umpython"), "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-p", "cupy_own",
               "-m", "not slow and not multi_gpu", *paths]
    try:
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False,
                             timeout=SECONDS, errors="replace")
        output, end = run.stdout, f"exit {run.returncode}"
    except subprocess.TimeoutExpired as error:
        output, end = (error.stdout or b"").decode(errors="replace"), "killed"
    found = {}
    for line in output.splitlines():
        if line.startswith(MARK):
            name, status, text = json.loads(line[len(MARK):])
            found[name] = (status, text)
    if end not in ("exit 0", "exit 1", "exit 5"):
        rest = [path for path in paths if "::" in path and path not in found]
        found.update({path: ("failed", end) for path in rest or [f"{paths[0]} (the rest)"]})
    return found


def reason_of(text):
    for name, pattern in REASONS:
        if re.search(pattern, text):
            return name
    return "wrong"


def run_again(python, folder, found):
    """What did not pass is run once more in a process of its own: an error of a kernel sticks to its process."""
    for name, (status, text) in list(found.items()):
        if status == "failed" and "::" in name and reason_of(text) in AGAIN:
            found.update(run_file(python, folder, name, 1))


def groups(options, folder):
    """What one process runs at a time: (name, a file or names of tests)."""
    if options.tests:
        names = Path(options.tests).read_text().split("\n")
        names = [name for name in names if name]
        return [(f"{at + 1} and on", names[at:at + 40]) for at in range(0, len(names), 40)]
    base = folder / "tests/cupy_tests"
    paths = [each for name in options.files or ["."] for each in
             ([base / name] if name.endswith(".py") else sorted((base / name).rglob("test_*.py")))]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        sys.exit("no such files: " + " ".join(missing))
    return [(f"{path.parent.name}/{path.name}", path) for path in paths]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("python")
    arguments.add_argument("folder")
    arguments.add_argument("files", nargs="*")
    arguments.add_argument("--every", type=int, default=1)
    arguments.add_argument("--tests")
    arguments.add_argument("--json")
    given = arguments.parse_args()
    folder = Path(given.folder).resolve()
    counts, rows = collections.Counter(), []
    for label, paths in groups(given, folder):
        found = run_file(given.python, folder, paths, given.every)
        run_again(given.python, folder, found)
        for name, (status, text) in found.items():
            row = reason_of(text) if status == "failed" else status
            counts[row] += 1
            rows.append([name, row, text if status == "failed" else ""])
            if status == "failed":
                print(f"{row}: {name}: {text.strip().splitlines()[-1][:200] if text.strip() else ''}", flush=True)
        print(f"{label}: so far {dict(counts)}", file=sys.stderr, flush=True)
        if given.json:
            Path(given.json).write_text(json.dumps(rows))
    print(f"{sum(counts.values())} tests")
    for row, count in counts.most_common():
        print(f"{count:6} {row}")
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
