#!/usr/bin/env python3
"""What NVIDIA's public headers declare and ours do not: it is all on the page of what is provided.

    tests/parity/missing.py --umcc build/sim/bin/umcc --out build/sim/test/missing [--update] [NAME...]

The kept list (missing.txt beside this file, from which the site's page is made) says for each header of a C interface
which functions are missing, and for each namespace of CUDA's C++ libraries which names. The compilers say what is
there: gcc reads the C headers of both sides (declared.py); for a namespace nvcc is asked for each word of NVIDIA's
headers whether it names something, and umcc whether it does with ours. A name that is missing and not in the list is a
failure, and so is one in the list that is not missing. --update writes the list anew. A NAME chooses a header or a
namespace; of the namespaces `make test` asks one at a time (UM_TURN), with UM_LONG=1 all.

Last line: `N passed, N failed, N skipped`. Without NVIDIA's headers: SKIP.
"""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import brings
import declared

HERE = Path(__file__).resolve().parent
LIST = HERE / "missing.txt"
CC = os.environ.get("CC", "gcc")
# The headers of C interfaces, and how the names begin that are theirs.
C_HEADERS = {"cuda_runtime_api.h": "cuda", "cuda.h": "cu", "cuda_profiler_api.h": "cuda", "cuComplex.h": "",
             "cublas_v2.h": "cublas", "cublas.h": "cublas", "cublasLt.h": "cublasLt", "cufft.h": "cufft",
             "curand.h": "curand", "cusparse.h": "cusparse", "nvml.h": "nvml", "nvrtc.h": "nvrtc", "nvvm.h": "nvvm",
             "nvJitLink.h": "nvJitLink", "nvtx3/nvToolsExt.h": "nvtx"}
# The namespaces of C++ libraries, the folder in which their names are looked for, and the headers that have them all.
SPACES = {"thrust": ("thrust", ["thrust/*.h", "thrust/iterator/*.h", "thrust/random/*.h"]),
          "cub": ("cub", ["cub/cub.cuh"]),
          "cuda": ("cuda", ["cuda/*"]), "cuda::std": ("cuda/std", ["cuda/std/*"]),
          "cooperative_groups": ("cooperative_groups", ["cooperative_groups.h", "cooperative_groups/*.h"]),
          "nvcuda::wmma": ("mma.h", ["mma.h"])}


def functions_of(header, include):
    """The functions that a C header declares; none if we have no such header, or if ours only says so."""
    path = Path(include) / header
    if include == brings.INCLUDE and not (path.is_file() and brings.is_public(path)):
        return set()
    return {name for name in declared.read(CC, include, [header], [], ["-w"]).functions
            if re.match(C_HEADERS[header] + ("[A-Z_]" if C_HEADERS[header] else ""), name) and "_impl_" not in name}


def headers_in(folder, patterns):
    """The public headers that match, as programs include them."""
    found = [p.relative_to(folder) for pattern in patterns for p in sorted(folder.glob(pattern)) if p.is_file()]
    return [str(p) for p in found if not p.name.startswith("_") and
            not re.search(r"^\s*#\s*error", (folder / p).read_text(errors="replace"), re.M)]


def words_below(place):
    """Words of all files at or below a place that may be public names."""
    files = [place] if place.is_file() else [p for p in place.rglob("*") if p.is_file()]
    found = set().union(*(brings.words(p) for p in files)) if files else set()
    return sorted(w for w in found if not re.match(r"_|detail|.*_$|[A-Z]$|_*[A-Z0-9_]+$", w))


def named(compiler, space, headers, candidates):
    """Those of the candidates that name something in the namespace."""
    lines = [f"namespace n{{}} {{{{ using {space}::{word}; }}}}" for word in candidates]
    wrong = compiler.wrong(space, "\n".join(f"#include <{h}>" for h in headers), lines)
    if wrong is None:
        raise RuntimeError(f"the headers of {space} do not compile together by {compiler.command[0]}")
    return {word for i, word in enumerate(candidates) if i not in wrong}


def missing_in_space(space, folders, nvcc, umcc, out):
    """The names of a namespace that only NVIDIA's headers have."""
    place, patterns = SPACES[space]
    folder = next(f for f in folders if (f / place).exists())
    theirs = headers_in(folder, patterns)
    ours = headers_in(brings.INCLUDE, patterns)
    names = named(brings.Compiler("nvcc", [nvcc, "-std=c++17", "-w", "-arch=sm_90", "--ptx", "-Xcudafe",
                                           "--error_limit=1000000", "-o", "/dev/null"], out),
                  space, [h for h in theirs if not re.search(r"/(omp|tbb|cpp)/|mr/", h)], words_below(folder / place))
    return names - named(brings.Compiler("umcc", [umcc, "-std=c++17", "-w", "-c", "-o", "/dev/null"], out), space, ours,
                         sorted(names))


def read_list(path=LIST):
    """{header or namespace: names} as the list has them."""
    kept, at = {}, None
    for line in path.read_text().splitlines() if path.is_file() else []:
        if line.startswith("  "):
            kept[at].update(line.split())
        elif line and not line.startswith("#"):
            at = line.rstrip(":")
            kept[at] = set()
    return kept


def write_list(kept):
    """One line for each name would be thousands: as a paragraph for each header."""
    text = "# What NVIDIA's headers of CUDA 13.0 declare and ours do not. Written by missing.py --update.\n"
    for name, names in kept.items():
        text += f"\n{name}:\n"
        line = ""
        for word in sorted(names):
            if line and len(line) + len(word) > 115:
                text, line = text + f"  {line}\n", ""
            line = f"{line} {word}".strip()
        text += f"  {line}\n" if line else ""
    LIST.write_text(text)


def main():
    parser = argparse.ArgumentParser(description="What NVIDIA's headers have and ours do not.")
    parser.add_argument("--umcc", type=Path, default=brings.ROOT / "build/sim/bin/umcc")
    parser.add_argument("--out", type=Path, default=brings.ROOT / "build/sim/test/missing")
    parser.add_argument("--update", action="store_true", help="write the list anew")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    found = brings.nvidia()
    if not found:
        print("SKIP missing: no nvcc here")
        return 0
    nvcc, folders = found
    kept, passed, failed, skipped = read_list(), 0, 0, 0
    spaces = list(SPACES)
    if not (args.update or os.environ.get("UM_LONG")):
        spaces = [spaces[int(os.environ.get("UM_TURN") or 0) // 2 % len(spaces)]]
    for name in args.names or [*C_HEADERS, *spaces]:
        if name in C_HEADERS and not (folders[-1] / name).is_file():
            print(f"SKIP {name}: this toolkit lacks it")
            skipped += 1
            continue
        if name in SPACES:
            missing = missing_in_space(name, folders, nvcc, args.umcc, args.out)
        else:
            missing = functions_of(name, folders[-1]) - functions_of(name, brings.INCLUDE)
        known = kept.setdefault(name, set())
        if args.update:
            kept[name] = missing
        for what, names in (("is missing and not in the list", missing - known),
                            ("is in the list and not missing", known - missing)):
            if names and not args.update:
                failed += 1
                print(f"FAIL {name}: {what} (missing.py --update): {' '.join(sorted(names))}")
        passed += 1
    if args.update:
        write_list({name: kept[name] for name in [*C_HEADERS, *SPACES] if name in kept})
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        sys.exit(f"missing.py: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"missing.py: {error}\n{error.stderr}")
