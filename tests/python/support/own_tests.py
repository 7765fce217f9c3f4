"""A package's own tests on the simulated GPU, as a table: run, passed, skipped by themselves, refused, wrong.

    own_tests.py PYTHON PACKAGE [MODULE ...] [--json FILE]      such as: own_tests.py .venv/bin/python3 numba.cuda.tests

PYTHON has the package (numba-cuda's tests need pytest, psutil, cffi and filecheck, too); umpython of UMLAB_BUILD
(build/sim) runs it. Each module of tests is a process; a test that fails with an error of the driver's, or is not
reached, is run once more in a process of its own, because an error of a kernel sticks to its process, here as on a GPU.
For each test that still does not pass, a line with why, by the rows of REASONS: what the simulated GPU refuses says so
by itself. What no row explains is `wrong`.
"""
import argparse
import collections
import importlib
import inspect
import json
import os
import pkgutil
import re
import subprocess
import sys
import unittest
from pathlib import Path

BUILD = Path(os.environ.get("UMLAB_BUILD", Path(__file__).resolve().parents[3] / "build/sim")).resolve()
MARK = "own-tests: "
SECONDS = 600
# why a test cannot pass here: (name, what its error says)
REASONS = (
    ("is not known here: refused by its name", r"the simulated GPU does not run this|is not part of the simulator|"
     r"is in no module that was linked|the module cannot be opened|inline PTX that is not provided"),
    ("brings PTX", r"this module is PTX|CUDA_ERROR_INVALID_PTX|INVALID_PTX"),
    ("reads PTX, SASS, LTO-IR or NVIDIA's libdevice",
     r"inspect_asm|get_asm|ptx|PTX|inspect_sass|SASS|nvdisasm|nanosleep|Codegen|"
     r"test_fastmath|gen-lto|ltoir|LTO|libdevice\.bc|//umlab module|ERROR_INVALID_OPTION|filecheck|test_const_string"),
    ("needs CuPy, or skips itself otherwise", r"Skipped: "),
    ("asks for what a compiler for a GPU counts: registers, local, shared and constant memory",
     r"get_regs_per_thread|get_const_mem_size|get_local_mem_per_thread|get_shared_mem_per_block|mem_size"),
    ("fails in Numba itself, before anything is compiled for a GPU", r"Signature mismatch: \d+ argument types given|"
     r"test_cpu_and_cuda_\w+\n"),
    ("is written for another version of cuda.bindings", r"'cuda\.bindings\.driver\.\w+' object has no attribute"),
    ("wants the words of NVIDIA's compilers", r"NVRTC Compilation failure|warnings from NVRTC|test_nvvm_warning|"
     r'identifier "SYNTAX"|test_linking_cu_log_warning'),
    ("a call that the simulator does not have", r"CUDA_ERROR_NOT_SUPPORTED|\[801\]|FunctionNotFoundError"),
    ("launch bounds are not held to", r"test_launch_bounds"),
    ("wants more memory than this machine has", r"^exit -9"),
)


class Result(unittest.TestResult):
    """Tells each test as a line."""

    def tell(self, test, status, text=""):
        if isinstance(test, unittest.TestCase):
            print(MARK + json.dumps([test.id(), status, text[:3000] + " ... " + text[-2000:]]), flush=True)

    def addSuccess(self, test):
        self.tell(test, "passed")

    def addSkip(self, test, reason):
        self.tell(test, "skipped", reason)

    def addExpectedFailure(self, test, err):
        self.tell(test, "passed")

    def addUnexpectedSuccess(self, test):
        self.tell(test, "failed", "passed, which was not expected")

    def addFailure(self, test, err):
        self.tell(test, "failed", self._exc_info_to_string(err, test))

    def addError(self, test, err):
        self.tell(test, "failed", self._exc_info_to_string(err, test))

    def addSubTest(self, test, subtest, err):
        if err:
            self.tell(test, "failed", self._exc_info_to_string(err, test))


class Function(unittest.FunctionTestCase):
    """A test that is a function of its module, as pytest has them."""

    def id(self):
        return f"{self._testFunc.__module__}.{self._testFunc.__name__}"


def functions_of(name):
    """A module's tests that are functions, but for those that want pytest's fixtures."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError:  # a class, or one of its tests
        return []
    own = [each for key, each in vars(module).items() if key.startswith("test_") and inspect.isfunction(each)]
    return [Function(each) for each in own
            if each.__module__ == module.__name__ and not inspect.signature(each).parameters]


def suite_of(name):
    """The tests of a module, of a class, or one by its name."""
    alone = [each for each in functions_of(name.rpartition(".")[0]) if each.id() == name]
    return unittest.TestSuite(alone or [unittest.defaultTestLoader.loadTestsFromName(name), *functions_of(name)])


def work(names):
    """In the package's Python: runs modules' tests, or single ones."""
    os.environ.pop("NUMBA_CACHE_DIR", None)  # tests of caches look where they are without umpython
    for name in names:
        suite_of(name).run(Result())


def tell_names(suite):
    """In the package's Python: the names of a suite's tests, a line for each."""
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            tell_names(each)
        else:
            print("own:" + each.id())


def modules_of(package):
    folder = importlib.import_module(package)
    for _, name, is_package in pkgutil.iter_modules(folder.__path__, package + "."):
        if is_package:
            yield from modules_of(name)
        elif name.rsplit(".", 1)[1].startswith("test_"):
            yield name


def told(python, names):
    """Runs them. @return ({test: (status, text)}, what the process said last)"""
    command = [BUILD / "bin/umpython", __file__, "--work", *names]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, env={**os.environ, "UMPYTHON": str(python)})
        out, last = done.stdout, f"exit {done.returncode}: {done.stderr[-1500:]}"
    except subprocess.TimeoutExpired as error:
        out, last = (error.stdout or b"").decode(errors="replace"), f"not ended after {SECONDS} s"
    results = {}
    for line in out.splitlines():
        at = line.find(MARK)
        if at < 0:
            continue
        test, status, text = json.loads(line[at + len(MARK):])
        if results.get(test, ("passed",))[0] != "failed":
            results[test] = (status, text)
    return results, last


def listed(python, module):
    """The names of a module's tests."""
    done = subprocess.run([BUILD / "bin/umpython", "-W", "ignore", __file__, "--list", module], capture_output=True,
                          text=True, check=False, env={**os.environ, "UMPYTHON": str(python)})
    return re.findall(r"^own:(.*)$", done.stdout, re.M)


def module_results(python, module):
    results, last = told(python, [module])
    whole = last.startswith("exit 0")
    for name in list(results) if whole else listed(python, module) or [module]:
        status, text = results.get(name, ("failed", "CUDA_ERROR"))
        if status == "failed" and "CUDA_ERROR" in text:
            again, last = told(python, [name])
            status, text = again.get(name, ("failed", last))
            said = "\n".join(re.findall(r"^.*(?:umsim|libnvvm): .*$", last, re.M))
            results[name] = status, text + ("\n" + said if status == "failed" else "")
    return results


def reason(test, text):
    """Why a test failed: by its name, the line of its own that failed, and what follows the last line of code."""
    frames = re.split(r'^  File "', text, flags=re.M)
    own = [frame for frame in frames[1:] if "/tests/" in frame.split('"')[0]]
    evidence = "\n".join([test.rsplit(".", 1)[-1], *own[-1:], frames[-1].split("\n", 1)[-1] if own else text])
    return next((name for name, pattern in REASONS if re.search(pattern, evidence, re.M)), "wrong")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("python")
    parser.add_argument("package")
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    modules = options.modules
    if not modules:
        code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import own_tests; " \
               f"print(*own_tests.modules_of({options.package!r}))"
        modules = subprocess.run([BUILD / "bin/umpython", "-W", "ignore", "-c", code], capture_output=True, text=True,
                                 check=True, env={**os.environ, "UMPYTHON": options.python}).stdout.split()
    every, count = {}, collections.Counter()
    for module in modules:
        results = module_results(options.python, module)
        every.update(results)
        states = collections.Counter(status for status, _ in results.values())
        print(f"{module}: {dict(states)}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(every, indent=0) + "\n", encoding="utf-8")
    for test, (status, text) in sorted(every.items()):
        state = status if status != "failed" else reason(test, text)
        count[state] += 1
        if status == "failed":
            print(f"{state}: {test}: {text.strip().splitlines()[-1][:160] if text.strip() else ''}")
    for state, number in count.most_common():
        print(f"{number:5} {state}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2:])
    elif sys.argv[1:2] == ["--list"]:
        tell_names(suite_of(sys.argv[2]))
    else:
        main()
