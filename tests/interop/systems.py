#!/usr/bin/env python3
"""One pointer, every system: what each Python library makes of our memory, and we of its own. A table, each cell a
test.

    tests/interop/systems.py                          on the simulator, with what is installed
    UMLAB_BACKEND=cuda UMLAB_BUILD=build/cuda tests/interop/systems.py
        --only NAME       one system
        --json FILE       keeps what was found, and under which conditions (tests/interop/measured)

Each system runs in a process of its own: they do not get into each other's way, and one that crashes is a failure. One
that is not installed costs nothing and is a SKIP, with the command that installs it. The closing line is `N passed, N
failed, N skipped`.
"""
import argparse
import datetime
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import kept
from kept import CELLS

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 200  # seconds a system; a framework's first import takes some


def prepare(args):
    """The environment that umlab.py and the systems need."""
    os.environ["UMLAB_BACKEND"], os.environ["UMLAB_BUILD"] = args.backend, os.path.abspath(args.build)
    os.environ.setdefault("UMLAB_LIBRARY", os.path.join(os.environ["UMLAB_BUILD"], "lib", "libumlab.so"))
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(ROOT / "labs" / "lab8_interop")]


def all_systems():
    import gpu_systems
    import host_systems
    return {system.name: system for system in host_systems.SYSTEMS + gpu_systems.SYSTEMS}


# ---- in a system's own process ----

def ask(system, out):
    """Asks all cells of one system. Each begins with a line of JSON in `out`, so that a crash is known by its cell."""
    from cells import Skip

    def say(**what):
        out.write(json.dumps(what) + "\n")
        out.flush()

    cells = list(CELLS) + list(system.more)
    say(begin="start")
    try:
        system.start()
        say(version=system.version())
    except Skip as why:
        say(skip=str(why))
        return
    for cell in cells:
        say(begin=cell)
        try:
            say(cell=cell, outcome="ok", said=getattr(system, cell)())
        except Skip as why:
            say(cell=cell, outcome="SKIP", said=str(why))
        except Exception as error:  # anything else is the cell's failure
            where = traceback.extract_tb(error.__traceback__)[-1]
            say(cell=cell, outcome="FAIL",
                said=f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})")
    say(begin="end")


# ---- in the first process ----

def skipped(system, why):
    return {"cells": {cell: {"outcome": "SKIP", "said": why} for cell in list(CELLS) + list(system.more)}}


def run(system, args):
    """{version, cells: {cell: {outcome, said}}} of one system."""
    if args.backend not in system.backends:
        return skipped(system, "launches kernels of its own, on a GPU only" if system.backends == ("cuda",) else
                       "its host tensors are asked on the simulator; its device tensors here")
    if importlib.util.find_spec(system.module.split(".")[0]) is None or importlib.util.find_spec(system.module) is None:
        return skipped(system, f"not installed: {system.install}")
    with tempfile.NamedTemporaryFile("w+", suffix=".jsonl") as lines, tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, __file__, "--ask", system.name, "--backend", args.backend, "--build", args.build,
                   "--to", lines.name]
        try:
            done = subprocess.run(command, env={**os.environ, "UMLAB_SCRATCH": scratch}, stdin=subprocess.DEVNULL,
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT,
                                  check=False, errors="replace")
            ended = "" if done.returncode == 0 else died(done)
        except subprocess.TimeoutExpired:
            ended = f"did not end within {TIMEOUT} s"
        lines.seek(0)
        return gather(system, [json.loads(line) for line in lines], ended)


def died(done):
    how = (f"died of {signal.Signals(-done.returncode).name}" if done.returncode < 0
           else f"exited with {done.returncode}")
    words = [line for line in done.stdout.splitlines() if line.strip()]
    return f"{how}: {words[-1][:200]}" if words else how


def gather(system, lines, ended):
    result, begun = {"cells": {}}, "start"
    for line in lines:
        if "skip" in line:
            return skipped(system, line["skip"])
        if "version" in line:
            result["version"] = line["version"]
        if "begin" in line:
            begun = line["begin"]
        if "cell" in line:
            result["cells"][line["cell"]] = {"outcome": line["outcome"], "said": line["said"]}
    for cell in list(CELLS) + list(system.more):
        if cell not in result["cells"]:
            result["cells"][cell] = {"outcome": "FAIL", "said": ended if begun in (cell, "start")
                                     else f"not reached: {ended}"}
    if ended and begun == "end":
        result["cells"]["ending"] = {"outcome": "FAIL", "said": ended}
    return result


def conditions(args):
    document = {"schema": "umlab-interop/1", "backend": args.backend, "date": datetime.date.today().isoformat(),
                "python": sys.version.split()[0]}
    if args.backend == "sim":
        return {**document, "device": {"name": "simulator", "profile": os.environ.get("UMSIM_PROFILE", "h200-pcie5")}}
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    name, driver = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0].split(", ")
    nvcc = subprocess.run([os.environ.get("NVCC", "nvcc"), "--version"], capture_output=True, text=True,
                          check=True).stdout
    toolkit = next(line.split("release ")[1].split(",")[0] for line in nvcc.splitlines() if "release" in line)
    return {**document, "device": {"name": name, "driver": driver, "toolkit": toolkit}}


def show(results, systems):
    print(f"{'':15}" + "".join(f"{title:24}" for title in CELLS.values()).rstrip())
    for name, result in results.items():
        print(f"  {name:13}" + "".join(f"{result['cells'][cell]['outcome']:24}" for cell in CELLS).rstrip())
    print()
    for name, result in results.items():
        for cell, found in result["cells"].items():
            title = f"{name}: {CELLS.get(cell, cell.replace('_', ' '))}"
            if found["outcome"] == "SKIP" and all(c["outcome"] == "SKIP" for c in result["cells"].values()):
                continue
            print(f"{found['outcome']} {title}" + (f": {found['said']}" if found["outcome"] == "SKIP" else ""))
            if found["outcome"] == "FAIL":
                print(f"        {found['said']}")
            elif found["outcome"] == "ok":
                print(f"    {found['said']}")
        if all(c["outcome"] == "SKIP" for c in result["cells"].values()):
            print(f"SKIP {name}: {next(iter(result['cells'].values()))['said']}")


def check_kept(systems):
    """Whether measured/ is of these systems and cells: the site shows it."""
    problems = list(kept.wrong(kept.load(), {name: [*CELLS, *system.more] for name, system in systems.items()}))
    print(f"{'FAIL' if problems else 'ok'} what is kept: every cell has passed, on the simulator or an H200")
    for problem in problems:
        print(f"        {problem}")
    return "FAIL" if problems else "ok"


def main():
    parser = argparse.ArgumentParser(description="What each Python library makes of our memory, and we of its own.")
    parser.add_argument("--backend", choices=["sim", "cuda"], default=os.environ.get("UMLAB_BACKEND", "sim"))
    parser.add_argument("--build", default=None)
    parser.add_argument("--only")
    parser.add_argument("--json")
    parser.add_argument("--ask", help=argparse.SUPPRESS)
    parser.add_argument("--to", help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.build = args.build or os.environ.get("UMLAB_BUILD") or str(ROOT / "build" / args.backend)
    prepare(args)
    if importlib.util.find_spec("numpy") is None:
        print("SKIP: numpy is missing: ./setup.sh, or pip install numpy")
        return 2
    if args.build.endswith("-asan"):
        print("SKIP: AddressSanitizer has to be in the Python interpreter, too")
        return 2
    systems = all_systems()
    if args.ask:
        with open(args.to, "w", encoding="utf-8") as out:
            ask(systems[args.ask](), out)
        return 0
    results = {name: run(system, args) for name, system in systems.items() if args.only in (None, name)}
    show(results, systems)
    outcomes = [cell["outcome"] for result in results.values() for cell in result["cells"].values()]
    if not args.only and not args.json:
        outcomes.append(check_kept(systems))
    if args.json:
        Path(args.json).write_text(json.dumps({**conditions(args), "systems": results}, indent=1, ensure_ascii=False)
                                   + "\n", encoding="utf-8")
    print(f"{outcomes.count('ok')} passed, {outcomes.count('FAIL')} failed, {outcomes.count('SKIP')} skipped")
    return 1 if "FAIL" in outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
