"""CUDA Python's own tests on the simulated GPU, as a table: passed, skipped by themselves, refused, wrong.

    cuda_own.py PYTHON FOLDER core|bindings [FILE ...] [--json FILE]

PYTHON has cuda.core, cuda.bindings, llvmlite and pytest; FOLDER is a copy of CUDA Python's repository, of which
cuda_core/tests or cuda_bindings/tests are taken, and cuda_python_test_helpers; FILEs are below these. umpython of
UMLAB_BUILD (build/sim) runs each file in a process of its own, 600 s at most. Left out are the files of libraries that
the simulator has not. For each test that does not pass, the row of REASONS that explains it, told by its error's text;
what no row explains is `wrong`.
"""
import argparse
import sys
from pathlib import Path

from pytest_own import Own

SECONDS = 600
# Other libraries (NVIDIA's runtime, NVML, cuFile, ...), old interfaces, and what is no test of a GPU.
LEFT_OUT = {"core": ("system/", "test_program_cache", "test_build_hooks", "example_tests/", "cython/",
                     "test_binaries/"),
            "bindings": ("nvml/", "cudla/", "legacy_api/", "cython/", "utils/", "test_cudart", "test_cufile",
                         "test_nvjitlink", "test_nvfatbin", "test_examples", "test_cyclical")}
# why a test cannot pass here: (name, what its error says)
REASONS = (
    ("NVIDIA's runtime, which Device.sync() of cuda.core calls, too", r"cudaErrorNotSupported|cudaGetDriverEntryPoint"),
    ("graphs that kernels launch", r"cudaGraphLaunch.{0,9} from device code|for device launch failed"),
    ("a call that the simulator does not have", r"NOT_SUPPORTED|FunctionNotFoundError|not supported by the installed|"
     r"Failed to create CUDA event"),
    ("not eligible: NVML's library, and its numbers", r"\bnvml\b|NVML|assert not \{'"),
    ("not eligible: PTX, bitcode, LTO-IR, or objects of NVIDIA's compilers",
     r"INVALID_PTX|\.visible|\bptx\b|PTX|bitcode|ltoir|LTO|NO_BINARY_FOR_GPU|INVALID_IMAGE|INVALID_IR|"
     r"Undefined reference"),
    ("options of NVRTC that umcc does not know", r"NVRTC_ERROR_INVALID_OPTION"),
    ("not eligible: the words of NVIDIA's compilers and driver",
     r"ERROR_COMPILATION|is an unsupported option|parse expected|invalid device ordinal"),
    ("not eligible: of another version than the packages",
     r"ImportError|AttributeError|TypeError|has no attribute|members, but expected|test_package_contents|"
     r"repr_format\[sample_launch_config|--numba-debug|probe_function|ERROR_INVALID_INPUT|keyedMutex|"
     r"(?:Buffer|GraphBuilder|Node) has been|must belong to the same GraphDefinition"),
    ("was cut off, or ended its process", r"^(killed|exit)"),
)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("python")
    arguments.add_argument("folder")
    arguments.add_argument("package", choices=sorted(LEFT_OUT))
    arguments.add_argument("files", nargs="*")
    arguments.add_argument("--json")
    given = arguments.parse_args()
    base = Path(given.folder).resolve() / f"cuda_{given.package}" / "tests"
    paths = [base / name for name in given.files] or [
        path for path in sorted(base.rglob("test_*.py"))
        if not path.relative_to(base).as_posix().startswith(LEFT_OUT[given.package])]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        sys.exit("no such files: " + " ".join(missing))
    own = Own(given.python, base, REASONS, ("wrong", "was cut off, or ended its process"), SECONDS)
    for path in paths:
        own.run(path.relative_to(base), path, keep=given.json)
    return own.tell()


if __name__ == "__main__":
    sys.exit(main())
