#!/usr/bin/env python3
"""Compares the simulator's CUDA headers with NVIDIA's: values, layouts, symbols and prototypes cannot drift.

    python3 tests/parity/parity.py --include sim/include --out build/test/parity [--cuda12 DIR]

What our headers declare is read from them (declared.py). From it checks are written to --out as C and C++, compiled
against both sets of headers, and run; a difference is a line FAIL. Compared are: every enumerator and flag, size and
alignment of every structure and enumeration, offset, size and type of every member, that none is missing, every
typedef and prototype, the symbol behind each function (also with per-thread default streams), and, by compiling
overloads.cu, the C++ overloads.

CUDA 13's headers are those of the toolkit (CUDA_HOME, else nvcc on PATH, else /usr/local/cuda). CUDA 12's come from
--cuda12 or CUDA12_HOME: a toolkit, or a folder into which the package nvidia-cuda-runtime-cu12 was unpacked. Last
line: `N passed, N failed, N skipped`; exit 1 on failure. Without any such headers: `SKIP parity: reason`, exit 0.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import declared
import toolkit

HEADERS = ["cuda_runtime_api.h", "cuda_profiler_api.h", "vector_functions.h", "device_types.h"]
DRIVER_HEADERS = ["cuda.h", "cudaProfiler.h"]
# The libraries' headers, as C, and how the names begin that each declares itself.
LIBRARY_HEADERS = {"library_types.h": "cuda", "cublas_api.h": "cublas", "cublasLt.h": "cublasLt",
                   "cusparse.h": "cusparse"}
HERE = Path(__file__).resolve().parent
CC = os.environ.get("CC", "gcc")
CXX = os.environ.get("CXX", "g++")


class Tally:
    """Counts checks, and prints those that did not pass."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, name, ours, theirs):
        if ours == theirs:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {name}: ours {ours}, NVIDIA's {theirs}")

    def skip(self, name, reason):
        self.skipped += 1
        print(f"SKIP {name}: {reason}")


class Side:
    """One set of headers, and how to compile against it."""

    def __init__(self, label, include, defines, more_flags=(), headers=None):
        self.label, self.include, self.defines = label, include, list(defines)
        self.more_flags, self.headers = list(more_flags), headers or HEADERS

    def world(self, defines=()):
        return declared.read(CC, self.include, self.headers, self.defines + list(defines), self.more_flags)

    def flags(self, defines=()):
        return [f"-I{self.include}", *self.more_flags, *(f"-D{d}" for d in self.defines + list(defines))]


# ---- the checks, as C expressions ------------------------------------------------------------------------------------


def names_type(world, text):
    """Whether a macro's text is the name of a type."""
    return text in world.typedefs or text in world.enums


def numbers(world):
    """(name, C expression) of everything that is a number: values, sizes, offsets."""
    for enum, members in world.enums.items():
        yield f"sizeof enum {enum}", f"sizeof(enum {enum})"
        for member in members:
            yield f"value {member}", member
    for macro, text in world.macros.items():
        if text not in world.functions and not names_type(world, text):
            yield f"value {macro}", macro
    for struct, members in world.structs.items():
        yield f"sizeof struct {struct}", f"sizeof(struct {struct})"
        yield f"alignof struct {struct}", f"__alignof__(struct {struct})"
        for member in members:
            yield f"offsetof {struct}.{member}", f"offsetof(struct {struct}, {member})"
            yield f"sizeof {struct}.{member}", f"sizeof(((struct {struct} *)0)->{member})"


def types(world):
    """(name, C expression) of everything that is a type; the expression is 1 when it is ours."""
    for name, text in world.typedefs.items():
        yield f"typedef {name}", f"same_type({name}, {type_name(text.removeprefix('typedef '))})"
    for macro, text in world.macros.items():
        if names_type(world, text):
            yield f"type {macro}", f"same_type({macro}, {text})"
    for struct, members in world.structs.items():
        for member, text in members.items():
            if text in ("struct @", "union @"):
                continue  # has no name: its own members are compared
            typed = f"__typeof__(((struct {struct} *)0)->{member})"
            yield f"type of {struct}.{member}", f"same_type({typed}, {type_name(text)})"
    for name, text in world.functions.items():
        yield f"prototype {name}", f"same_function({name}, {type_name(text)})"


def type_name(text):
    """A declaration without the name it declares, as a type name. Defaults and parameter names may stay."""
    return text.replace("@", "").strip()


PROLOGUE = """#include <stddef.h>
#include <stdio.h>
{includes}
/* Variadic, because a type's own commas would divide it into several arguments. */
#ifdef __cplusplus
#include <type_traits>
#define same_type(a, ...) (std::is_same<a, __VA_ARGS__>::value)
#define same_function(f, ...) (std::is_same<decltype(f), __VA_ARGS__>::value)
#else
#define same_type(a, ...) __builtin_types_compatible_p(a, __VA_ARGS__)
#define same_function(f, ...) __builtin_types_compatible_p(__typeof__(f), __VA_ARGS__)
#endif
int main(void)
{{
"""


def answers(side, language, checks, out):
    """Compiles and runs the checks against one side: {name: number, or "missing"}."""
    compiler, standard = (CXX, "-std=gnu++17") if language == "c++" else (CC, "-std=gnu11")
    source = out / f"{side.label}.{'cpp' if language == 'c++' else 'c'}"
    program = out / f"{side.label}-{language}"
    head = PROLOGUE.format(includes="\n".join(f"#include <{h}>" for h in side.headers))
    result, left = {}, list(checks)
    for _ in range(4):  # each round drops the checks that name what this side lacks; one is usual
        rows = [f'    printf("%lld %s\\n", (long long)({text}), "{name}");' for name, text in left]
        source.write_text(head + "\n".join(rows) + "\n    return 0;\n}\n")
        command = [compiler, standard, "-w", "-O0", "-fmax-errors=0", *side.flags(), "-o", program, source]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            text = subprocess.run([program], capture_output=True, text=True, check=True).stdout
            result.update((name, int(number)) for number, name in (line.split(" ", 1) for line in text.splitlines()))
            return result
        first = head.count("\n") + 1
        lines = re.findall(rf"^{re.escape(str(source))}:(\d+):\d+: error", run.stderr, re.M)
        bad = {int(line) - first for line in lines}
        bad = {index for index in bad if 0 <= index < len(left)}
        if not bad:
            break
        result.update((left[index][0], "missing") for index in bad)
        left = [check for index, check in enumerate(left) if index not in bad]
    raise SystemExit(f"parity: {side.label} ({language}) does not compile:\n{run.stderr[:2000]}")


def symbols(side, names, defines):
    """{function: the symbol that the preprocessor makes of its name}."""
    source = "".join(f"#include <{h}>\n" for h in side.headers) + "".join(f"@{n}@ {n}\n" for n in names)
    command = [CC, "-x", "c", "-E", "-P", *side.flags(defines), "-"]
    text = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    return dict(zip(names, re.findall(r"^@.*@ (\w+)$", text, re.M)))


# ---- one version of CUDA ---------------------------------------------------------------------------------------------


def compare(tally, version, ours, theirs, out, exact, languages=("c", "c++")):
    """All checks of one version. Unless `exact`, what releases of one version may differ in is skipped."""
    out.mkdir(parents=True, exist_ok=True)
    world = ours.world()
    for language in languages:
        for kind in (numbers, types):
            checks = list(kind(world))
            mine, other = (answers(side, language, checks, out) for side in (ours, theirs))
            for name, text in checks:
                label = f"{version} {language}: {name}"
                if mine[name] == "missing" or (kind is types and mine[name] != 1):
                    tally.check(f"{label}, our headers against themselves", mine[name], "as read from them")
                elif not exact and (other[name] == "missing" or may_differ(name)):
                    tally.skip(label, "differs between releases of CUDA")
                elif kind is types:
                    tally.check(label, text, text if other[name] == 1 else "missing" if other[name] else "another")
                else:
                    tally.check(label, mine[name], other[name])
    compare_members(tally, version, world, theirs.world(), exact)
    names = [name for name in world.functions if name.startswith("cuda")]
    names += [name for name, text in world.macros.items() if text in world.functions]
    for defines in ([], ["CUDA_API_PER_THREAD_DEFAULT_STREAM"]):
        mine, other = symbols(ours, names, defines), symbols(theirs, names, defines)
        for name in names:
            tally.check(f"{version} {' '.join(defines)}: symbol of {name}", mine[name], other[name])


def may_differ(name):
    """What NVIDIA changes from one release to the next: room kept for later, ends of lists, the version itself."""
    return re.search(r"\.reserved$|Attr(ibute)?Max$|CUDART_VERSION$", name) is not None


def compare_members(tally, version, world, nvidia, exact):
    """That no enumerator and no member is missing from what we declare."""
    for kind, mine, other in (("enum", world.enums, nvidia.enums), ("struct", world.structs, nvidia.structs)):
        for name, members in mine.items():
            label = f"{version}: members of {kind} {name}"
            absent = sorted(set(other[name]) - set(members)) if name in other else ["the type itself"]
            if absent and not exact:
                tally.skip(label, "differs between releases of CUDA")
            else:
                tally.check(label, f"lacks {absent}" if absent else "complete", "complete")


def compare_driver(tally, ours, theirs, out, exact):
    """The driver API, which is CUDA 13's: cuda.h, and the versions by which cuGetProcAddress() finds functions."""
    compare(tally, "driver", ours, theirs, out, exact)
    names = sorted(set(re.findall(r"^#define (cu\w+) ", (ours.include / "umsim/cu_names.h").read_text(), re.M)))
    for defines in ([], ["CUDA_API_PER_THREAD_DEFAULT_STREAM"]):
        mine, other = symbols(ours, names, defines), symbols(theirs, names, defines)
        for name in names:
            tally.check(f"driver {' '.join(defines)}: symbol of {name}", mine[name], other[name])
    typedefs = "".join((theirs.include / name).read_text() for name in ("cudaTypedefs.h", "cudaProfilerTypedefs.h"))
    known = set(re.findall(r"\*PFN_(cu\w+?)_v(\d+)(?:_pt[ds]s|_ptsz)?\)", typedefs))
    rows = re.findall(r"ROW\((\w+), (\d+), ", (ours.include.parent / "driver/names.def").read_text())
    for row in rows:
        if exact:
            tally.check(f"driver: {row[0]} of {row[1]}", row in known, True)


def compare_libraries(tally, ours, theirs, out, exact):
    """The libraries' headers, where NVIDIA's are there; and that docs/libraries.md names what ours lack."""
    page = (HERE.parents[1] / "docs/libraries.md").read_text()
    for header, own in LIBRARY_HEADERS.items():
        if not (theirs.include / header).is_file():
            tally.skip(header, "NVIDIA's is not here")
            continue
        sides = [Side(s.label, s.include, [], s.more_flags, [header]) for s in (ours, theirs)]
        compare(tally, header, *sides, out / header, exact, ("c",))
        mine, other = (side.world().functions for side in sides)
        lacking = [name for name in sorted(set(other) - set(mine)) if name.startswith(own)]
        for name in lacking if exact else ():
            named = [word for word in re.findall(r"`(cu[\w*]+)`", page) if re.fullmatch(word.replace("*", ".*"), name)]
            tally.check(f"{header}: {name} is there, or docs/libraries.md says that it is not", bool(named), True)


def compare_overloads(tally, version, ours, theirs, nvcc, exact):
    """That overloads.cu, a use of every C++ overload, compiles against both."""
    source = HERE / "overloads.cu"
    host = [CXX, "-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations"]
    check = ["-fsyntax-only", str(source)]
    words = ["__UMCC__", "UMSIM_DEVICE_H", "UMSIM_CUDA_DEVICE_RUNTIME_API_H", "__global__=", "__device__=",
             "__constant__=", "__managed__="]
    compile_one(tally, f"{version}: C++ overloads, our headers", host + ours.flags() + check)
    compile_one(tally, f"{version}: C++ overloads by name, our headers", host + ours.flags(words) + check)
    label = f"{version}: C++ overloads, NVIDIA's headers"
    compile_one(tally, label, host + theirs.flags(["PARITY_NVIDIA"]) + check, exact)
    label = f"{version}: C++ overloads by name, nvcc"
    if nvcc:
        command = [nvcc, "-DPARITY_NVIDIA", "-std=c++17", "--ptx", "-o", os.devnull, str(source)]
        compile_one(tally, label, command, exact)
    else:
        tally.skip(label, "no nvcc of this version")


def compile_one(tally, label, command, exact=True):
    """One check: the command succeeds. Unless `exact`, a failure is skipped."""
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode and not exact:
        tally.skip(label, "differs between releases of CUDA")
        return
    tally.check(label, run.returncode, 0)
    if run.returncode:
        print("\n".join("    " + line for line in (run.stderr or run.stdout).splitlines()[:6]))


def compare_list(tally, include):
    """That API.list names exactly the functions that our headers declare."""
    world = declared.read(CC, include, HEADERS)
    functions = sorted(name for name in world.functions if name.startswith("cuda"))
    listed = (Path(include) / "API.list").read_text().split()
    for name in sorted(set(functions) | set(listed)):
        tally.check(f"API.list: {name}", name in listed, name in functions)


# ---- where the headers are -------------------------------------------------------------------------------------------


def header_folder(home):
    """The folder of cuda_runtime_api.h in a toolkit or an unpacked package, or None."""
    for below in ("include", ".", "nvidia/cuda_runtime/include", "nvidia/cu13/include"):
        if (Path(home) / below / "cuda_runtime_api.h").is_file():
            return toolkit.headers(Path(home) / below)
    return None


def release(include):
    """CUDART_VERSION of the headers in a folder."""
    found = re.search(r"^#define +CUDART_VERSION +(\d+)", (include / "cuda_runtime_api.h").read_text(), re.M)
    return int(found.group(1)) if found else 0


def versions(cuda_home, cuda12_home):
    """{major version: (folder of NVIDIA's headers, more compiler flags, nvcc or None)}."""
    found = {}
    for home in (cuda12_home, cuda_home):
        include = home and header_folder(home)
        if not include or release(include) // 1000 in found:
            continue
        flags = []
        if not (include / "crt" / "host_defines.h").is_file() and cuda_home:
            # The package leaves out crt/, which only defines words such as __host__: the toolkit's does.
            flags = ["-idirafter", str(Path(cuda_home) / "include")]
        nvcc = Path(home) / "bin" / "nvcc"
        found[release(include) // 1000] = (include, flags, str(nvcc) if nvcc.is_file() else None)
    return found


def main():
    parser = argparse.ArgumentParser(description="compare the simulator's CUDA headers with NVIDIA's")
    parser.add_argument("--include", required=True, type=Path, help="our headers")
    parser.add_argument("--out", required=True, type=Path, help="folder for the generated checks")
    parser.add_argument("--cuda12", type=Path, default=os.environ.get("CUDA12_HOME"), help="CUDA 12 headers")
    options = parser.parse_args()
    if options.cuda12 and not header_folder(options.cuda12):
        print(f"parity: no cuda_runtime_api.h below {options.cuda12}", file=sys.stderr)
        return 2
    found = versions(toolkit.home(), options.cuda12)
    if not found:
        print("SKIP parity: no CUDA toolkit (CUDA_HOME, nvcc on PATH, /usr/local/cuda) and no CUDA12_HOME")
        return 0
    include, out = options.include.resolve(), options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    tally = Tally()
    compare_list(tally, include)
    for major, defines, ours_follow in ((13, [], 13000), (12, ["UMSIM_CUDA12"], 12080)):
        if major not in found:
            hint = "set CUDA12_HOME" if major == 12 else "the toolkit is another version"
            tally.skip(f"cuda{major}", f"no CUDA {major} headers ({hint})")
            continue
        folder, flags, nvcc = found[major]
        ours, theirs = Side("ours", include, defines), Side("nvidia", folder, [], flags)
        exact = release(folder) == ours_follow
        compare(tally, f"cuda{major}", ours, theirs, out / f"cuda{major}", exact)
        compare_overloads(tally, f"cuda{major}", ours, theirs, nvcc, exact)
        if major == 13 and (folder / "cuda.h").is_file():
            ours, theirs = (Side(s.label, s.include, [], s.more_flags, DRIVER_HEADERS) for s in (ours, theirs))
            compare_driver(tally, ours, theirs, out / "driver", exact)
            compare_libraries(tally, ours, theirs, out, exact)
    print(f"{tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
