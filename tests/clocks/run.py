#!/usr/bin/env python3
"""What the clocks of a program show that umcc has linked (docs/clocks.md).

    tests/clocks/run.py [PART OF A CASE'S NAME]

Each case of clocks.cu and threads.cpp is a test. Timers are in a .cu file, a .cpp file and a static library of the same
link; the first case is run again with libstdc++ linked statically. A library that brings libgomp is opened, too
(library_team.c), and a program is linked without its libgomp (bare_team.cpp). Tasks of all kinds get and leave what
they do in a program of g++'s (tasks.cpp). UMSIM_CLOCK=real shows real time, and
anything unknown is refused. UMLAB_BUILD says where the simulator is (build/sim).
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
UMCC = Path(os.environ.get("UMLAB_BUILD", "build/sim")).resolve() / "bin/umcc"
CASES = ("all clocks agree", "kernels count as modelled", "time() stays real", "host functions count",
         "beside sleepers", "beside a worker", "the clock never goes back", "deadlines",
         "deadlines of one thread", "deadlines beside the GPU's work", "leaps end waits", "handlers read clocks",
         "children have clocks", "threads are cancelled", "behind a parallel loop", "at barriers of a team")


def umcc(folder, *arguments):
    subprocess.run([UMCC, "-O2", "-std=c++17", "-Xcompiler", "-fopenmp,-Wall", *arguments], check=True, cwd=folder)


def build(folder):
    """Two programs, one with a static libstdc++, and one that opens a library which has threads of OpenMP."""
    umcc(folder, "-DIN_LIBRARY", "-c", "-o", "in_library.o", HERE / "elsewhere.cpp")
    subprocess.run(["ar", "rcs", "libtimer.a", "in_library.o"], check=True, cwd=folder)
    for source in ("clocks.cu", "elsewhere.cpp", "threads.cpp"):
        umcc(folder, "-c", "-o", Path(source).stem + ".o", HERE / source)
    objects = ("clocks.o", "elsewhere.o", "threads.o", "-L.", "-ltimer")
    umcc(folder, "-o", "clocks", *objects)
    umcc(folder, "-o", "static", *objects, "-Xcompiler", "-static-libstdc++")
    subprocess.run(["gcc", "-O2", "-fopenmp", "-shared", "-fPIC", "-o", "team.so", HERE / "library_team.c"], check=True,
                   cwd=folder)
    subprocess.run([UMCC, "-o", "library_team", HERE / "library_team.cu", "-ldl"], check=True, cwd=folder)
    umcc(folder, "-Xlinker", "--as-needed", "-o", "bare_team", HERE / "bare_team.cpp")
    umcc(folder, "-o", "tasks", HERE / "tasks.cpp")
    subprocess.run(["g++", "-O2", "-std=c++17", "-fopenmp", "-o", "plain_tasks", HERE / "tasks.cpp"], check=True,
                   cwd=folder)


class Run:
    """Counts and tells."""

    def __init__(self, folder):
        self.folder, self.passed, self.failed = folder, 0, 0
        self.only = sys.argv[1] if len(sys.argv) > 1 else ""

    def tell(self, name, why):
        self.passed += not why
        self.failed += bool(why)
        print(f"{'FAIL' if why else 'ok'} {name}", flush=True)
        if why:
            print("\n".join(f"        {line}" for line in why.splitlines()))

    def program(self, *arguments, **environment):
        env = {name: value for name, value in os.environ.items() if name != "UMSIM_CLOCK"} | environment
        try:
            return subprocess.run([self.folder / arguments[0], *arguments[1:]], env=env, capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=240, check=False)
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(late.cmd, 124, "", "it hangs")

    def case(self, name, program, case, **environment):
        if self.only not in name:
            return
        done = self.program(program, case, **environment)
        self.tell(name, "" if done.returncode == 0 else f"status {done.returncode}\n{done.stdout}{done.stderr}")

    def library(self, name, function, result):
        if self.only not in name:
            return
        done = self.program("library_team", self.folder / "team.so", function)
        self.tell(name, "" if done.stdout == f"{result}\n" else f"status {done.returncode}\n{done.stdout}{done.stderr}")

    def bare_team(self):
        name = "a team whose libgomp the linker left out"
        if self.only not in name:
            return
        needed = subprocess.run(["readelf", "-d", self.folder / "bare_team"], capture_output=True, text=True,
                                check=True)
        done = self.program("bare_team")
        right = "libgomp" not in needed.stdout and done.stdout == "4 0\n"
        self.tell(name, "" if right else f"status {done.returncode}\n{done.stdout}{done.stderr}{needed.stdout}")

    def tasks(self):
        name = "tasks get and leave what g++'s do"
        if self.only not in name:
            return
        plain, done = self.program("plain_tasks"), self.program("tasks")
        right = plain.returncode == done.returncode == 0 and plain.stdout == done.stdout and plain.stdout
        self.tell(name, "" if right else f"status {done.returncode}\n{done.stdout}{done.stderr}{plain.stdout}")

    def refusal(self):
        name = "an unknown UMSIM_CLOCK is refused"
        if self.only not in name:
            return
        done = self.program("clocks", CASES[1], UMSIM_CLOCK="fast")
        right = done.returncode == 2 and done.stderr.count("\n") == 1 and "UMSIM_CLOCK=fast" in done.stderr
        self.tell(name, "" if right else f"status {done.returncode}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        build(folder)
        run = Run(Path(folder))
        for case in CASES:
            run.case(case, "clocks", case)
        run.case("all clocks agree, libstdc++ linked statically", "static", CASES[0])
        run.case("UMSIM_CLOCK=real counts all as it takes", "clocks", "kernels count as real", UMSIM_CLOCK="real")
        run.case("UMSIM_CLOCK=modelled is the usual clock", "clocks", CASES[1], UMSIM_CLOCK="modelled")
        run.library("a library's team has the library's libgomp", "team_barrier", 10)
        run.library("a taskloop's tasks run at a barrier", "team_taskloop", 8)
        run.bare_team()
        run.tasks()
        run.refusal()
    print(f"{run.passed} passed, {run.failed} failed, 0 skipped")
    if not run.passed + run.failed:
        print(f"no case's name has {run.only} in it", file=sys.stderr)
        return 2
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
