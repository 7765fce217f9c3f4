#!/usr/bin/env python3
"""What a public header brings: a name that NVIDIA's header of the same name makes visible is visible with ours, too.

    tests/parity/brings.py --umcc build/sim/bin/umcc --out build/sim/test/brings [--all] [--update] [HEADER...]

Programs include one header and use what it happens to bring: thrust/device_vector.h brings thrust::reduce,
cublas_v2.h brings sqrtf(). So each header that both sides have is compiled alone, by nvcc and by umcc as CUDA, and by
g++ as C++, with a declaration for each name and a test for each macro that one of our headers has, and for a name of
each standard header. The compilers' own errors tell which are visible. A name that is visible with NVIDIA's header and
not with ours is a failure, unless the site's page of what is provided says so (brought.txt beside this file); so is one
that the page says and that is visible. --update writes the list anew. Names that ours have nowhere are not asked:
missing.py is about these.

Some of the headers are asked at a time, other ones each time (UM_TURN); --all or UM_LONG=1 asks all. Answers are kept
below --out while compilers and headers stay what they are. Last line: `N passed, N failed, N skipped`. Without nvcc:
SKIP.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import brought
import toolkit

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "sim/include"
LIST = Path(__file__).resolve().parent / "brought.txt"
DOES_NOT_COMPILE = "(it does not compile)"
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
# Not for programs; cublas.h: a program includes it or cublas_v2.h.
APART = {"umsim_grading.h", "umsim_price.h", "cublas.h"}
# What NVIDIA's headers declare ahead for others: no program can use it before it includes the header that defines it.
AHEAD = {"cuda::std::complex", "cuda::pipeline"}
# Libraries with headers of their own, which Thrust's and CUB's bring because they are made of them: programs that
# use these include them, and ours are not made of them (docs/coverage.md).
OF_OTHERS = {"thrust": re.compile(r"(::)?(cooperative_groups\b|nvtx|NVTX)"),
             "cub": re.compile(r"(::)?(thrust\b|THRUST_|cooperative_groups\b|nvtx|NVTX)")}
WORD = re.compile(r"\b[A-Za-z]\w*")
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def words(path):
    return set(WORD.findall(NOT_CODE.sub(" ", path.read_text())))


def files_of(places):
    for place in places:
        path = INCLUDE / place
        yield from (p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


def is_refused(path):
    """Whether a header of ours is there only to say that it is not provided: an #error under its guard alone."""
    depth = 0
    for word in re.findall(r"^\s*#\s*(if|endif|error)", path.read_text(), re.MULTILINE):
        depth += {"if": 1, "endif": -1, "error": 0}[word]
        if word == "error" and depth <= 1:
            return True
    return False


def is_public(path):
    """Whether programs include it."""
    parts = path.relative_to(INCLUDE).parts
    return not {"umsim", "detail"} & set(parts[:-1]) and path.name != "API.list" and not is_refused(path)


class Compiler:
    """Asks one compiler with one set of headers."""

    def __init__(self, name, command, out):
        self.command, self.out = [str(word) for word in command], out / re.sub(r"\W", "_", name)
        self.suffix = ".cpp" if command[0] == "g++" else ".cu"
        self.out.mkdir(parents=True, exist_ok=True)

    def wrong(self, name, head, forms):
        """@return the numbers of the forms that have an error, from 0; None where the head or what it includes has
        one. A form's {} is its number."""
        texts = [form.format(i) for i, form in enumerate(forms)]
        source = self.out / (re.sub(r"\W", "_", name) + self.suffix)
        source.write_text("\n".join([head, *texts]) + "\n")
        run = subprocess.run([*self.command, str(source)], capture_output=True, text=True, check=False)
        found = re.findall(r"^([^\s:(]+)[:(](\d+)[:)][^\n]*\berror\b", run.stdout + run.stderr, re.MULTILINE)
        at = [i for i, text in enumerate(texts) for _ in range(text.count("\n") + 1)]
        lines = {int(number) - 2 - head.count("\n") if Path(path).name == source.name else -1 for path, number in found}
        return None if run.returncode and min(lines, default=-1) < 0 else {at[line] for line in lines}

    def visible(self, name, head, asked):
        """Those of {anything: form} whose forms have no error behind the head, a list of `#include`s; None if that does
        not compile."""
        wrong = self.wrong(name, head, list(asked.values()))
        return None if wrong is None else {key for i, key in enumerate(asked) if i not in wrong}


class Kept:
    """A compiler whose answers are kept, a file a header, while neither compiler nor headers change: NVIDIA's are known
    by their version, ours are preprocessed first."""

    def __init__(self, compiler, version, preprocess=None):
        self.compiler, self.version, self.preprocess = compiler, version, preprocess

    def place(self, name, head):
        """Where the answers are for what the headers are now."""
        source = self.compiler.out / ("kept_" + re.sub(r"\W", "_", name) + self.compiler.suffix)
        source.write_text(head + "\n")
        text = subprocess.run([*self.preprocess, source], capture_output=True, check=False).stdout \
            if self.preprocess else b""
        told = json.dumps([self.version, self.compiler.command, head]).encode() + text
        return source.with_suffix(f".{hashlib.sha256(told).hexdigest()}.json")

    def visible(self, name, head, asked):
        """As the compiler's."""
        place = self.place(name, head)
        known = json.loads(place.read_text()) if place.is_file() else {}
        if known is None:
            return None
        new = {form: form for form in asked.values() if form not in known}
        if new:
            found = self.compiler.visible(name, head, new)
            known = None if found is None else {**known, **{form: form in found for form in new}}
            for old in place.parent.glob(f"{place.name.split('.')[0]}.*.json"):
                old.unlink()
            place.write_text(json.dumps(known))
        return None if known is None else {key for key, form in asked.items() if known[form]}


def asked_of_all():
    """(name, what declares it) of all that our headers may have: names of namespaces, namespaces, macros."""
    for space, places in NAMESPACES.items():
        texts = [NOT_CODE.sub(" ", p.read_text()) for p in files_of(places)]
        # *_st: structures behind handles
        words_there = sorted(w for w in set().union(*map(WORD.findall, texts))
                             if not re.match(r"umsim|UMSIM|um_|detail$|details$|nvcuda$|.*_st$", w))
        inner = set().union(*(re.findall(r"\bnamespace (?:\w+::)*(\w+)", text) for text in texts))
        yield from ((f"{space}::{w}", f"namespace n{{}} {{{{ using {space}::{w}; }}}}") for w in words_there)
        yield from ((f"{space}::{w}", f"namespace n{{}} = {space}::{w};") for w in words_there if w in inner)
    defined = set().union(*(re.findall(r"^\s*#\s*define ([A-Za-z]\w*)", p.read_text(), re.M) for p in files_of(["."])))
    yield from ((w, f"#ifndef {w}\nusing ::macro_{{}};\n#endif") for w in sorted(defined)
                if not re.match(r"UMSIM|umsim|UM_|UMLAB|um_|.*_H_?$", w))
    yield from ((name, f"namespace n{{}} {{{{ using {name}; }}}}") for name in STANDARD)


def declarations(compiler, headers):
    """{name: what declares it} of what is visible when all our headers are included."""
    asked = {(name, form): form for name, form in asked_of_all()}
    visible = compiler.visible("all", "\n".join(f"#include <{h}>" for h in headers), asked)
    if visible is None:
        sys.exit("brings.py: our headers do not compile together")
    found = dict(pair for pair in asked if pair in visible)
    return {name: form for name, form in found.items() if f"::{name}" not in found}  # not twice: macros of functions


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
        theirs = self.theirs.visible(header, f"#include <{header}>", self.names)
        if theirs is None:
            return None
        ours = self.ours.visible(header, f"#include <{header}>", self.names)
        others = OF_OTHERS.get(header.split("/")[0], re.compile("$^"))
        return {DOES_NOT_COMPILE} if ours is None else \
            {name for name in theirs - ours - AHEAD if not others.match(name)}


def comparisons(nvcc, folders, umcc, out):
    """{language: Comparison} of NVIDIA's headers and ours."""
    told = [subprocess.run([c, "--version"], capture_output=True, text=True, check=True).stdout for c in (nvcc, "g++")]
    made = told[1:] + [hashlib.sha256(umcc.read_bytes()).hexdigest()]
    # Kernels once, not in each of their forms: what is visible is the same.
    ours = [umcc, "-std=c++17", "-w", "-plain", "-no-count"]
    cuda = Kept(Compiler("ours", [*ours, "-c", "-o", "/dev/null"], out), made, [*ours, "-E"])
    names = declarations(cuda, [h for h in our_headers() if h not in APART])
    plain = ["g++", "-std=c++17", "-w"]
    ours_plain = [*plain, f"-I{INCLUDE}"]
    theirs = Compiler("nvcc", [nvcc, "-std=c++17", "-w", "-arch=sm_90", "--ptx", "-Xcudafe", "--error_limit=1000000",
                               "-o", "/dev/null"], out)
    theirs_plain = Compiler("g++theirs", [*plain, "-fsyntax-only", *(f"-I{f}" for f in folders)], out)
    plainly = Kept(Compiler("g++ours", [*ours_plain, "-fsyntax-only"], out), made, [*ours_plain, "-E"])
    return {"CUDA": Comparison(Kept(theirs, told), cuda, names),
            "C++": Comparison(Kept(theirs_plain, told), plainly, names)}


def our_headers():
    return [str(p.relative_to(INCLUDE)) for p in sorted(files_of(["."])) if is_public(p)]


def report(header, language, missing, known):
    """@return whether what is missing is what the page says"""
    for what, names in ((f"does not bring, and {LIST.name} does not say so", missing - known),
                        (f"brings, and {LIST.name} says it does not", known - missing)):
        if names:
            print(f"FAIL {header} as {language}: {what} (brings.py --update): {' '.join(sorted(names))}", flush=True)
    return missing == known


def compared(jobs, kept, update):
    """@return how many of the headers are as the page says, are not, and cannot be asked"""
    passed, failed, alone = 0, 0, {}
    for (language, header), job in jobs:
        missing = job.result()
        if missing is None:
            alone.setdefault(language, []).append(header)
            continue
        if update:
            kept[language, header] = missing
        as_told = report(header, language, missing, kept.get((language, header), set()))
        passed, failed = passed + as_told, failed + (not as_told)
    for language, headers in alone.items():
        print(f"SKIP as {language}: NVIDIA's own do not compile alone: {' '.join(headers)}")
    return passed, failed, sum(map(len, alone.values()))


def main():
    parser = argparse.ArgumentParser(description="What a public header brings, beside NVIDIA's.")
    parser.add_argument("--umcc", type=Path, default=ROOT / "build/sim/bin/umcc")
    parser.add_argument("--out", type=Path, default=ROOT / "build/sim/test/brings")
    parser.add_argument("--language", choices=["CUDA", "C++"], help="in this one only")
    parser.add_argument("--all", action="store_true", help="all headers, not a part of them")
    parser.add_argument("--update", action="store_true", help="write what is missing into the page's list")
    parser.add_argument("headers", nargs="*")
    args = parser.parse_args()
    found = nvidia()
    if not found:
        print("SKIP brings: no nvcc here")
        return 0
    shared = [h for h in our_headers() if any((f / h).is_file() for f in found[1])]
    for header in args.headers:
        if header not in shared:
            sys.exit(f"brings.py: {header} is no header that NVIDIA and we both have")
    whole = args.all or args.update or os.environ.get("UM_LONG")
    turn = int(os.environ.get("UM_TURN") or 0) // 2 % PARTS
    asked = args.headers or [h for i, h in enumerate(shared) if whole or i % PARTS == turn]
    kept = brought.read(LIST)
    stale = sorted({header for _, header in kept} - set(shared))
    if args.update:
        kept = {key: names for key, names in kept.items() if key[1] in shared}
    elif stale:
        print(f"FAIL {LIST.name} has headers that not both NVIDIA and we have: {' '.join(stale)}")
    languages = {name: c for name, c in comparisons(*found, args.umcc, args.out).items()
                 if args.language in (None, name)}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [((name, h), pool.submit(c.missing, h)) for h in asked for name, c in languages.items()]
        passed, failed, skipped = compared(jobs, kept, args.update)
    if args.update:
        brought.write(LIST, kept)
    else:
        failed += bool(stale)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
