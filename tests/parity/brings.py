#!/usr/bin/env python3
"""What a public header brings: a name that NVIDIA's header of the same name makes visible is visible with ours, too.

    tests/parity/brings.py --umcc build/sim/bin/umcc --out build/sim/test/brings [--all] [HEADER...]

Programs include one header and use what it happens to bring: thrust/device_vector.h brings thrust::reduce,
cublas_v2.h brings sqrtf(). So each header that both sides have is compiled alone, by nvcc and by umcc as CUDA, and by
g++ as C++, with a declaration for each name that one of our headers has in a public namespace, and for a name of each
standard header. The compilers' own errors tell which are visible; a macro is looked for by the preprocessor. A name
that is visible with NVIDIA's header and not with ours is a failure, unless docs/coverage.md's page says that we lack
it: names that ours have nowhere are not asked (the coverage page is about these).

Some of the headers are asked at a time, other ones each time (UM_TURN); --all or UM_LONG=1 asks all. Last line:
`N passed, N failed, N skipped`. Without nvcc: SKIP.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import toolkit

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "sim/include"
# Where names of a namespace are looked for: the folder or the headers of ours that declare them.
NAMESPACES = {"thrust": ["thrust"], "cub": ["cub"], "cuda": ["cuda"], "cuda::std": ["cuda/std", "cuda/detail"],
              "cooperative_groups": ["cooperative_groups", "cooperative_groups.h"], "nvcuda::wmma": ["mma.h"],
              "": ["."]}
# A name of each standard header that programs take for granted.
STANDARD = """::std::vector ::std::string ::std::sort ::std::accumulate ::std::cout ::std::stringstream
    ::std::sqrt ::sqrtf ::printf ::malloc ::rand ::memcpy ::uint32_t ::std::numeric_limits ::std::map ::std::set
    ::std::back_inserter ::std::function ::std::unique_ptr ::std::tuple ::std::pair ::std::mt19937
    ::std::runtime_error ::std::complex ::std::array ::std::atomic ::std::exception ::std::ofstream
    ::std::enable_if ::std::initializer_list ::std::swap ::time ::clock ::std::chrono::steady_clock ::std::setw
    ::std::list ::std::deque ::std::iota ::std::thread""".split()
PARTS = 32  # of the headers, one at a time
APART = {"umsim_grading.h", "umsim_price.h"}  # not for programs
# What NVIDIA's headers declare ahead for others: no program can use it before it includes the header that defines it.
AHEAD = {"cuda::std::complex", "cuda::pipeline"}
# Libraries with headers of their own, which Thrust's and CUB's bring because they are made of them: programs that
# use these include them, and ours are not made of them (docs/coverage.md).
OF_OTHERS = {"thrust": re.compile(r"(::)?cooperative_groups\b|::nvtx|::NVTX"),
             "cub": re.compile(r"(::)?(thrust|cooperative_groups)\b|::nvtx|::NVTX")}
WORD = re.compile(r"\b[A-Za-z]\w*")
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def words(path):
    return set(WORD.findall(NOT_CODE.sub(" ", path.read_text())))


def files_of(places):
    for place in places:
        path = INCLUDE / place
        yield from (p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


def is_public(path):
    """Whether programs include it."""
    parts = path.relative_to(INCLUDE).parts
    refused = re.search(r"^#error", path.read_text(), re.MULTILINE)
    return not {"umsim", "detail"} & set(parts[:-1]) and path.name != "API.list" and not refused


class Compiler:
    """Asks one compiler with one set of headers."""

    def __init__(self, name, command, out):
        self.command, self.out = [str(word) for word in command], out / re.sub(r"\W", "_", name)
        self.suffix = ".cpp" if command[0] == "g++" else ".cu"
        self.out.mkdir(parents=True, exist_ok=True)

    def wrong(self, name, head, lines):
        """@return the numbers of the lines that have an error, from 0; None where the head has one"""
        source = self.out / (re.sub(r"\W", "_", name) + self.suffix)
        source.write_text("\n".join([head, *lines]) + "\n")
        run = subprocess.run([*self.command, str(source)], capture_output=True, text=True, check=False)
        found = re.findall(re.escape(source.name) + r"[:(](\d+)[:)][^\n]*error", run.stdout + run.stderr)
        lines_wrong = {int(number) - 2 - head.count("\n") for number in found}
        return None if run.returncode and (not found or min(lines_wrong) < 0) else lines_wrong

    def visible(self, header, names):
        """Those of the names, each with its declaration, that are visible behind the header; None if it does not
        compile."""
        if self.wrong(f"alone/{header}", f"#include <{header}>", []) is None:
            return None
        wrong = self.wrong(header, f"#include <{header}>", list(names.values()))
        return None if wrong is None else {name for i, name in enumerate(names) if i not in wrong}


def declarations(compiler, headers):
    """{name: what declares it} of what is visible when all our headers are included."""
    asked = [f"{space}::{word}" for space, places in NAMESPACES.items()
             for word in sorted(set().union(*(words(p) for p in files_of(places))))
             # *_st: structures behind handles
             if not re.match(r"umsim|UMSIM|um_|detail$|details$|nvcuda$|.*_st$", word)]
    forms = [(name, text.format(i, name)) for i, name in enumerate(asked + STANDARD)
             for text in ("namespace n{} {{ using {}; }}", "namespace m{} = {};")]
    head = "\n".join(f"#include <{h}>" for h in headers)
    wrong = compiler.wrong("all", head, [text for _, text in forms])
    if wrong is None:
        sys.exit(f"brings.py: our headers do not compile together: {' '.join(compiler.command)}")
    return {name: text for i, (name, text) in enumerate(forms) if i not in wrong}


def nvidia():
    """nvcc, and its folders of headers; None where there is none."""
    home = toolkit.home()
    nvcc = home and shutil.which(home / "bin" / "nvcc")
    include = home and toolkit.headers(home / "include")
    return nvcc and (nvcc, [f for f in (include / "cccl", include) if f.is_dir()])


class Comparison:
    """Theirs and ours, in one language."""

    def __init__(self, theirs, ours, names):
        self.theirs, self.ours, self.names = theirs, ours, names

    def missing(self, header):
        """What is visible with NVIDIA's header and not with ours; None if NVIDIA's does not compile alone."""
        theirs = self.theirs.visible(header, self.names)
        if theirs is None:
            return None
        ours = self.ours.visible(header, self.names)
        others = OF_OTHERS.get(header.split("/")[0], re.compile("$^"))
        return ["(it does not compile)"] if ours is None else \
            sorted(name for name in theirs - ours - AHEAD if not others.match(name))


def main():
    parser = argparse.ArgumentParser(description="What a public header brings, beside NVIDIA's.")
    parser.add_argument("--umcc", type=Path, default=ROOT / "build/sim/bin/umcc")
    parser.add_argument("--out", type=Path, default=ROOT / "build/sim/test/brings")
    parser.add_argument("--language", choices=["CUDA", "C++"], help="in this one only")
    parser.add_argument("--all", action="store_true", help="all headers, not a part of them")
    parser.add_argument("headers", nargs="*")
    args = parser.parse_args()
    found = nvidia()
    if not found:
        print("SKIP brings: no nvcc here")
        return 0
    nvcc, folders = found
    ours = [str(p.relative_to(INCLUDE)) for p in sorted(files_of(["."])) if is_public(p)]
    shared = [h for h in ours if any((f / h).is_file() for f in folders)]
    whole = args.all or os.environ.get("UM_LONG")
    turn = int(os.environ.get("UM_TURN") or 0) // 2 % PARTS
    asked = args.headers or [h for i, h in enumerate(shared) if whole or i % PARTS == turn]
    cuda = Compiler("ours", [args.umcc, "-std=c++17", "-w", "-c", "-o", "/dev/null"], args.out)
    names = declarations(cuda, [h for h in ours if h not in APART])
    plain = ["g++", "-std=c++17", "-w", "-fsyntax-only"]
    comparisons = {
        "as CUDA": Comparison(Compiler("nvcc", [nvcc, "-std=c++17", "-w", "-arch=sm_90", "--ptx", "-Xcudafe",
                                                "--error_limit=1000000", "-o", "/dev/null"], args.out), cuda, names),
        "as C++": Comparison(Compiler("g++theirs", [*plain, *(f"-I{f}" for f in folders)], args.out),
                             Compiler("g++ours", [*plain, f"-I{INCLUDE}"], args.out), names)}
    passed = failed = skipped = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(header, language, pool.submit(it.missing, header)) for header in asked
                for language, it in comparisons.items() if args.language in (None, language.split()[1])]
        for header, language, job in jobs:
            missing = job.result()
            passed += missing == []
            skipped += missing is None
            if missing:
                failed += 1
                print(f"FAIL {header} {language} brings {len(missing)} names less: {' '.join(missing)}", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
