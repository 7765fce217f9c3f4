#!/usr/bin/env python3
"""No macro of a program's breaks a header of the simulator's: sim/include compiles under -D of everyday names.

    tests/umcc/headers.py [--build build/sim]

The names are each single letter and the words below, each as 64. All public headers are compiled together under all
names at once; only where that fails, each name and each header by itself, to say which. Headers that are C are
compiled by gcc, too. What is left out, is left out because it is not ours to keep:

- a name that a standard header has as its own (`first` of <utility>) cannot be asked of a header that includes it, nor
  of one that has the same members (`e` of <numbers> in cuda/std/numbers, a() of <random> in thrust/random.h);
- some are members of CUDA's own structures, such as x, y, z and w. Where NVIDIA's headers are, they are asked: they
  must break.

A program that uses templates of Thrust, CUB, cooperative groups and others is compiled under the same names, and run.
A planted name has to be found. `make test` asks every fourth header for the names that most of them can be asked for;
with UM_LONG=1, as in `make test-long`, each header is asked for all that it can be.

Prints `ok NAME` or `FAIL NAME` lines, last `N passed, N failed, N skipped`.
"""
import argparse
import os
import re
import string
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "sim/include"
WORDS = [*string.ascii_letters,
         *"""SIZE BLOCK_SIZE THREADS BLOCKS TILE TILE_WIDTH WIDTH HEIGHT ROWS COLS DIM MAX MIN PI RADIUS STEP COUNT
         CHECK INFO rows cols count tile value first index result""".split()]
# Members of CUDA's structures that programs name, and a header of NVIDIA's that has them.
CUDA_MEMBERS = {"x": "vector_types.h", "y": "vector_types.h", "z": "vector_types.h", "w": "vector_types.h",
                "f": "driver_types.h", "result": "driver_types.h", "value": "driver_types.h"}
# The same of the driver API's: of what includes cuda.h they are not asked.
DRIVER_MEMBERS = {"count": "cuda.h"}
# The grader includes it, no program of a student's does.
NOT_FOR_STUDENTS = {"umsim_grading.h"}
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*', re.DOTALL)
# A literal's suffix is a name, too: "..."s
LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'')
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*|(?<=\d\.)[A-Za-z_]\w*")


def names_in(text):
    return set(NAME.findall(LITERAL.sub(" ", NOT_CODE.sub(" ", text))))


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", **more)


def is_refused(path):
    """A header that is there only to say that it is not provided."""
    return re.search(r"^#error", path.read_text(), re.MULTILINE) is not None


def public_headers():
    paths = sorted(p.relative_to(INCLUDE) for p in INCLUDE.rglob("*") if p.is_file() and p.name != "API.list")
    return [str(p) for p in paths if not {"umsim", "detail"} & set(p.parts[:-1]) and p.name not in NOT_FOR_STUDENTS and
            not is_refused(INCLUDE / p)]


@lru_cache(None)
def includes(name):
    """The own and the standard headers that a header of ours brings."""
    own, standard, todo = {name}, set(), [name]
    while todo:
        path = INCLUDE / todo.pop()
        for quote, wanted in re.findall(r'^\s*#\s*include ([<"])([^>"]+)', path.read_text(), re.MULTILINE):
            beside = os.path.normpath(path.parent.relative_to(INCLUDE) / wanted)
            found = next((n for n in (beside if quote == '"' else "", wanted) if n and (INCLUDE / n).is_file()), None)
            if not found:
                standard.add(wanted)
            elif found not in own:
                own.add(found)
                todo.append(found)
    return own, standard


@lru_cache(None)
def standard_names(header, language):
    """The names of a standard header's own; none where there is no such header."""
    result = run(["g++", "-x", "c++" if "++" in language else "c", f"-std={language}", "-E", "-P", "-"],
                 input=f"#include <{header}>\n")
    suffixes = set(re.findall(r'"(?:[^"\n]*)"([a-z]\w*)', result.stdout))
    return names_in(result.stdout) | suffixes if result.returncode == 0 else set()


class Compiler:
    """umcc for device headers, gcc for those that are C."""

    def __init__(self, umcc, work):
        self.umcc, self.work = umcc, work

    def errors(self, headers, words, language):
        """The first error, or None."""
        suffix = ".c" if language == "c" else ".cu"
        with tempfile.NamedTemporaryFile("w", dir=self.work, suffix=suffix) as source:
            source.write("".join(f"#include <{h}>\n" for h in headers))
            source.flush()
            defined = [f"-D{w}=64" for w in words]
            if language == "c":
                command = ["gcc", "-fsyntax-only", "-isystem", INCLUDE, *defined, source.name]
            else:
                command = [self.umcc, "-O0", "-c", "-I", self.work, *defined, source.name, "-o", source.name + ".o"]
            result = run(command)
        if result.returncode == 0:
            return None
        return next((line for line in result.stderr.splitlines() if "error" in line), result.stderr[:500])

    def standard(self, header, language):
        always = includes("cuda_runtime.h")[1] if language != "c" else set()
        names = set().union(*(standard_names(s, "gnu11" if language == "c" else "gnu++17")
                              for s in includes(header)[1] | always)) if (INCLUDE / header).is_file() else set()
        if header.startswith("cuda/std/"):
            names |= standard_names(Path(header).name, "gnu++20")
        if "thrust/random.h" in includes(header)[0] | {header}:
            names |= standard_names("random", "gnu++20")
        if (INCLUDE / header).is_file() and "cuda.h" in includes(header)[0]:
            names |= set(DRIVER_MEMBERS)
        return names

    def broken(self, headers, words, language):
        """(header, word, error) of what breaks, found out only where something does."""
        if not self.errors(headers, words, language):
            return
        texts = {h: set().union(*(names_in((INCLUDE / n).read_text()) for n in includes(h)[0]))
                 if (INCLUDE / h).is_file() else names_in((self.work / h).read_text()) for h in headers}
        found = False
        for word in (w for w in words if any(w in names for names in texts.values())):
            for header in (h for h in headers if word in texts[h]):
                if error := self.errors([header], [word], language):
                    yield header, word, error
                    found = True
                    break
        if not found:
            yield "all headers together", " ".join(words), self.errors(headers, words, language)


def groups(compiler, headers, words, language):
    """Headers that may be asked for the same words."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        standard = dict(zip(headers, pool.map(lambda h: compiler.standard(h, language), headers)))
    asked = defaultdict(list)
    for word in words:
        asked[tuple(h for h in headers if word not in standard[h])].append(word)
    return {h: w for h, w in asked.items() if h}


def nvidia_includes():
    """NVIDIA's own headers, if they are on this machine."""
    places = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA12_HOME")] + ["/usr/local/cuda"]
    folders = [Path(place) / "include" for place in places if place]
    files = [f / "vector_types.h" for f in folders]
    return next((f.parent for f in files if f.is_file() and "NVIDIA" in f.read_text()), None)


def asked_of_program(compiler, source, words):
    """The words that are no names of the standard headers that a program brings, itself or by ours."""
    headers = re.findall(r"^\s*#\s*include <([^>]+)>", source.read_text(), re.MULTILINE)
    standard = set().union(*(compiler.standard(h, "c++") if (INCLUDE / h).is_file() else standard_names(h, "gnu++17")
                             for h in headers))
    return [word for word in words if word not in standard]


class Report:
    """Results, a line each."""

    def __init__(self):
        self.counts = {"ok": 0, "FAIL": 0, "SKIP": 0}

    def say(self, verdict, name, why=""):
        self.counts[verdict] += 1
        print(f"  {verdict}  {name}{': ' if why else ''}{why}", flush=True)


def ask_headers(report, compiler, headers, language):
    """@return the names that most headers can be asked for"""
    found = groups(compiler, headers, [w for w in WORDS if w not in CUDA_MEMBERS], language)
    if not os.environ.get("UM_LONG"):  # a sample: the words that most headers can be asked for
        found = dict([max(found.items(), key=lambda g: (len(g[0]), len(g[1])))])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        broken = list(pool.map(lambda g: list(compiler.broken(*g, language)), found.items()))
    for header, word, error in (b for group in broken for b in group):
        report.say("FAIL", f"{header} under -D{word}=64", error)
    if not any(broken):
        report.say("ok", f"{len(headers)} headers as {language}, under -D of {sum(map(len, found.values()))} names")
    return max(found.items(), key=lambda g: len(g[0]))[1]


def ask_nvidia(report):
    """CUDA's own members break NVIDIA's headers as they break ours."""
    nvidia = nvidia_includes()
    if not nvidia:
        report.say("SKIP", "names of CUDA's own structures", "NVIDIA's headers are not here")
        return
    for word, header in {**CUDA_MEMBERS, **DRIVER_MEMBERS}.items():
        asked = run(["g++", "-fsyntax-only", "-x", "c++", "-I", nvidia, f"-D{word}=64", nvidia / header])
        survives = asked.returncode == 0
        report.say("FAIL" if survives else "ok", f"{word} is a name of CUDA's own in {header}",
                   "NVIDIA's header compiles under it, so ours must" if survives else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path(os.environ.get("UMLAB_BUILD", ROOT / "build/sim")))
    umcc = (parser.parse_args().build / "bin/umcc").resolve()
    report = Report()
    with tempfile.TemporaryDirectory() as work:
        compiler = Compiler(umcc, Path(work))
        headers = public_headers()
        if not os.environ.get("UM_LONG"):
            headers = headers[::4]
        words = ask_headers(report, compiler, headers, "c++")
        ask_headers(report, compiler, [h for h in headers if h.endswith(".h") and "/" not in h and
                                       not compiler.errors([h], [], "c")], "c")
        ask_nvidia(report)

        program, source = Path(work) / "program", ROOT / "tests/umcc/headers_program.cu"
        defined = [f"-D{word}=64" for word in asked_of_program(compiler, source, words)]
        made = run([umcc, "-O0", "-std=c++17", "--extended-lambda", *defined, "-o", program, source])
        ran = made if made.returncode else run([program])
        report.say("FAIL" if ran.returncode else "ok", "a program that uses their templates",
                   (ran.stderr + ran.stdout)[:600] if ran.returncode else "")

        (Path(work) / "planted.h").write_text("template <int N> struct planted {};\n")
        caught = [(h, w) for h, w, _ in compiler.broken(["planted.h"], words, "c++")]
        report.say("ok" if caught == [("planted.h", "N")] else "FAIL", "a planted name is found")
    counts = report.counts
    print(f"{counts['ok']} passed, {counts['FAIL']} failed, {counts['SKIP']} skipped")
    return counts["FAIL"] > 0


if __name__ == "__main__":
    sys.exit(main())
