#!/usr/bin/env python3
"""How much memory the device of a program of umcc's has: no more than the host can back (sim/api/capacity.h).

    tests/umcc/capacity.py [--build build/sim]

A program asks each call that tells a size, in hosts of several sizes: bubblewrap puts another /proc/meminfo, or the
limit of a memory cgroup, in place of the machine's. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

GIB = 1 << 30
PROGRAM = r"""
#include <cstdio>
#include <cuda.h>
#include <nvml.h>
int main(int argc, char **)
{
    size_t free, total, by_driver;
    cudaDeviceProp p;
    nvmlMemory_t memory;
    nvmlDevice_t device;
    void *most = nullptr, *more = nullptr;
    if (argc > 1)
        return cudaMalloc(&more, 1ull << 50) != cudaErrorMemoryAllocation;
    cudaMemGetInfo(&free, &total);
    cudaGetDeviceProperties(&p, 0);
    cuDeviceTotalMem(&by_driver, 0);
    nvmlInit();
    nvmlDeviceGetHandleByIndex(0, &device);
    nvmlDeviceGetMemoryInfo(device, &memory);
    const int all = cudaMalloc(&most, free), one = cudaMalloc(&more, 1 << 21);
    printf("%zu %zu %zu %zu %llu %d %d\n", free, total, p.totalGlobalMem, by_driver, memory.total, all, one);
}
"""


def capacity(command, environment=(), host=None, group=None):
    """Runs the program where the host has so many bytes, or a cgroup so many, and returns its numbers and stderr."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        sandbox = ["bwrap", "--dev-bind", "/", "/"]
        if host:
            (place / "meminfo").write_text(f"MemTotal:       {host >> 10} kB\nMemFree: 1 kB\n")
            sandbox += ["--ro-bind", place / "meminfo", "/proc/meminfo"]
        if group:
            (place / "memory.max").write_text(f"{group}\n")
            (place / "cgroup").write_text("0::/one\n")
            sandbox += ["--tmpfs", "/sys/fs/cgroup", "--dir", "/sys/fs/cgroup/one",
                        "--ro-bind", place / "memory.max", "/sys/fs/cgroup/one/memory.max",
                        "--ro-bind", place / "cgroup", "/proc/self/cgroup"]
        run = subprocess.run([*sandbox, "env", *environment, *command], capture_output=True, text=True, check=True)
    return [int(n) for n in run.stdout.split()], run.stderr


def ratio(numbers):
    """Whether all calls tell one size, all that is free can be had, and nothing more. @return that size"""
    free, total, *others, all_of_it, one_more = numbers
    if others != [total] * 3 or not 0.99 * total < free <= total or (all_of_it, one_more) != (0, 2):
        raise AssertionError(f"the sizes differ, or cannot be had: {numbers}")
    return total


def expect(total, words, got, stderr):
    found = ratio(got)
    if found != total or stderr.count("UMSIM_CAPACITY") != words:
        raise AssertionError(f"{found} bytes instead of {total}, said {stderr.count('UMSIM_CAPACITY')} times: {stderr}")


def own_profile():
    """What the profile says: of a program that is told to keep it."""
    return expect(150109880320, 0, *capacity([program], ["UMSIM_CAPACITY=profile"], host=8 * GIB))


def small_host():
    expect(6 * GIB, 1, *capacity([program], host=16 * GIB))
    expect(3 * GIB // 2, 1, *capacity([program], host=4 * GIB))
    expect(3 * GIB // 8, 1, *capacity([program], host=GIB))


def large_host():
    expect(150109880320, 0, *capacity([program], host=1024 * GIB))


def limited_group():
    expect(3 * GIB // 4, 1, *capacity([program], host=64 * GIB, group=2 * GIB))


def refused_memory_tells():
    with_refusal = capacity([program, "refused"], host=16 * GIB)[1]
    if "6.00 GiB" not in with_refusal:
        raise AssertionError(f"nothing of the capacity in: {with_refusal}")


def unknown_value():
    try:
        capacity([program], ["UMSIM_CAPACITY=all"])
    except subprocess.CalledProcessError as error:
        if error.returncode == 2 and "there are host and profile" in error.stderr:
            return
        raise
    raise AssertionError("UMSIM_CAPACITY=all was taken")


parser = argparse.ArgumentParser(description="How much memory the device of a program of umcc's has.")
parser.add_argument("--build", type=Path, default=Path("build/sim"))
build = parser.parse_args().build.resolve()
passed = failed = 0
with tempfile.TemporaryDirectory() as made:
    program = Path(made) / "capacity"
    (Path(made) / "capacity.cu").write_text(PROGRAM)
    subprocess.run([build / "bin/umcc", "-o", program, Path(made) / "capacity.cu", "-lcuda", "-lnvidia-ml"], check=True)
    for case in (own_profile, small_host, large_host, limited_group, refused_memory_tells, unknown_value):
        try:
            case()
            passed += 1
            print(f"ok {case.__name__.replace('_', ' ')}")
        except (AssertionError, subprocess.CalledProcessError) as error:
            failed += 1
            print(f"FAIL {case.__name__.replace('_', ' ')}: {error} {getattr(error, 'stderr', '')}")
print(f"{passed} passed, {failed} failed, 0 skipped")
sys.exit(1 if failed else 0)
