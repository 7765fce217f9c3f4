#!/usr/bin/env python3
"""A program that waits long for the simulated GPU says so on a terminal, and only there (sim/queue/progress.h); and
a launch of many slow blocks gets on, however long it takes (sim/queue/work_limit.h).

    tests/umcc/progress.py [--build build/sim]

With UM_LONG=1: it takes a kernel of more than 10 s. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = r"""
#include <ctime>
#include <cstdlib>
__device__ volatile int sink;
__global__ void slow() { for (int i = 0; i < 150000; i++) sink = i; }
__global__ void counts(int n) { for (int i = 0; i < n; i++) sink = i; }
int main(int count, char **argv)
{
    if (*argv[1] == 's') { /* a hundred times the limit in all, each block a hundredth */
        slow<<<2048, 32>>>();
        return cudaDeviceSynchronize();
    }
    timespec now;
    if (count > 2)
        clock_gettime(CLOCK_MONOTONIC, &now);
    for (time_t end = time(0) + atoi(argv[1]); time(0) < end; cudaDeviceSynchronize())
        counts<<<64, 32>>>(1 << 14);
}
"""
CLOCK = re.compile(r"the program's own clock has counted [\d.e-]+ s of it.*UMSIM_CLOCK=real")
LINE = re.compile(r"computing for \d+ s so far: counts.*<<<\(64, 1, 1\), \(32, 1, 1\)>>>, launch \d+, has begun \d+%")


def on_terminal(*command):
    """What the program says on a terminal."""
    mine, its = pty.openpty()
    with subprocess.Popen(command, stderr=its) as run:
        os.close(its)
        said = b""
        while True:
            try:
                said += os.read(mine, 4096)
            except OSError:  # nobody has the terminal any more
                break
    os.close(mine)
    return said.decode(), run.returncode


def main():
    parser = argparse.ArgumentParser(description="A program that waits long says so on a terminal.")
    parser.add_argument("--build", type=Path, default=Path("build/sim"))
    build = parser.parse_args().build.resolve()
    seconds = 12 if os.environ.get("UM_LONG") else 1
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        (Path(folder) / "program.cu").write_text(PROGRAM)
        subprocess.run([build / "bin/umcc", "-o", program, Path(folder) / "program.cu"], check=True)
        said, status = on_terminal(program, str(seconds))
        timed, timed_status = on_terminal(program, str(seconds), "reads its clock")
        plain = subprocess.run([program, str(seconds)], capture_output=True, text=True, check=False)
        slow = subprocess.run([program, "slow"], capture_output=True, text=True, check=False,
                              env={**os.environ, "UMSIM_KERNEL_TIMEOUT": "0.1"})
    for name, right, got in (
            ("on a terminal", status == 0 and len(LINE.findall(said)) == (seconds > 10), said),
            ("no word of a clock that nobody read", not CLOCK.search(said), said),
            ("what its clock shows", timed_status == 0 and len(CLOCK.findall(timed)) == (seconds > 10), timed),
            ("not into a file", plain.returncode == 0 and not plain.stderr, plain.stderr),
            ("slow blocks are no endless loop", slow.returncode == 0 and not slow.stderr, slow.stderr)):
        print(f"ok {name}" if right else f"FAIL {name}: {got!r}")
        failed += not right
    print(f"{5 - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
