"""CuPy's own tests on the simulated GPU, as a table: passed, skipped by themselves, refused, wrong.

    cupy_own.py PYTHON FOLDER [FILE ...] [--every N | --tests FILE] [--json FILE]

PYTHON has CuPy and pytest; FOLDER is CuPy's unpacked source, whose tests/ is taken; FILEs are below tests/cupy_tests.
umpython of UMLAB_BUILD (build/sim) runs each file in a process of its own. --every 20 takes each 20th test, chosen by
a hash of its name: the same ones each time. --tests FILE runs those whose names are lines of FILE, such as
tests/cupy_tests/a.py::TestA::test_b, 40 in a process: a sample that was drawn before. For each test that does not pass,
the row of REASONS that explains it; what no row explains is `wrong`.
"""
import argparse
import sys
from pathlib import Path

from pytest_own import Own

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
    own = Own(given.python, folder, REASONS, AGAIN, SECONDS, {"CUPY_TEST_GPU_LIMIT": "1"},
              ("-m", "not slow and not multi_gpu"))
    for label, paths in groups(given, folder):
        own.run(label, paths, given.every, given.json)
    return own.tell()


if __name__ == "__main__":
    sys.exit(main())
