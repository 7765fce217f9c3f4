#!/usr/bin/env python3
"""NVML's queries: a program that umcc links with -lnvidia-ml, beside what the runtime answers.

    tests/libraries/nvml.py [--build build/sim]

Prints FAIL lines, last `N passed, N failed, N skipped`.
"""
import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path

from support.gpu import Gpu, Tally, options

PROGRAM = """
#include <cstdio>
#include <nvml.h>
int main()
{
    unsigned count = 0;
    nvmlDevice_t device;
    nvmlMemory_t memory;
    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
    size_t left, total;
    if (nvmlInit() || nvmlDeviceGetCount(&count) || nvmlDeviceGetHandleByIndex(0, &device) ||
        nvmlDeviceGetName(device, name, sizeof name) || nvmlDeviceGetMemoryInfo(device, &memory) || nvmlShutdown())
        return 1;
    cudaMemGetInfo(&left, &total);
    printf("%u %s %d\\n", count, name, memory.total == total);
}
"""
UNINITIALIZED, INVALID, NOT_SUPPORTED, NO_PERMISSION, TOO_SMALL = 1, 2, 3, 4, 7


def linked(tally, build):
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "nvml.cu", Path(folder) / "nvml"
        source.write_text(PROGRAM)
        subprocess.run([Path(build) / "bin/umcc", "-o", program, source, "-lnvidia-ml"], check=True)
        run = subprocess.run([program], capture_output=True, text=True, check=False)
        return tally.check("a program", run.returncode == 0 and run.stdout.endswith(" 1\n"), run) and run.stdout


def main():
    chosen, tally = options(__doc__), Tally(__file__)
    gpu = Gpu(chosen.build)
    nvml = ctypes.CDLL(str(gpu.folder / "libumsim-nvml.so.1"))
    number, device, text = ctypes.c_uint(), ctypes.c_void_p(), ctypes.create_string_buffer(96)
    nvml.nvmlErrorString.restype = ctypes.c_char_p
    tally.check("before nvmlInit()", nvml.nvmlDeviceGetCount_v2(ctypes.byref(number)) == UNINITIALIZED)
    tally.check("nvmlInit()", nvml.nvmlInit_v2() == 0)
    count = ctypes.c_int()
    gpu.check(gpu.runtime.cudaGetDeviceCount(ctypes.byref(count)))
    tally.check("devices", nvml.nvmlDeviceGetCount_v2(ctypes.byref(number)) == 0 and number.value == count.value)
    tally.check("a device too many", nvml.nvmlDeviceGetHandleByIndex_v2(count, ctypes.byref(device)) == INVALID)
    tally.check("the first", nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device)) == 0)
    tally.check("no space", nvml.nvmlDeviceGetName(device, text, 3) == TOO_SMALL)
    tally.check("NULL", nvml.nvmlDeviceGetName(device, None, 96) == INVALID)
    tally.check("no device", nvml.nvmlDeviceGetName(None, text, 96) == INVALID)
    status = nvml.nvmlDeviceGetName(device, text, 96)
    tally.check("a name", status == 0 and text.value.startswith(b"NVIDIA "), text.value)
    name = text.value.decode()
    told = linked(tally, chosen.build)
    tally.check("the same in a program", told == f"{count.value} {name} 1\n", told)
    for attribute, kind in ((13, 1), (36, 2)):  # cudaDevAttrClockRate, cudaDevAttrMemoryClockRate
        gpu.check(gpu.runtime.cudaDeviceGetAttribute(ctypes.byref(count), attribute, 0))
        status = nvml.nvmlDeviceGetMaxClockInfo(device, kind, ctypes.byref(number))
        tally.check(f"clock {kind}", status == 0 and number.value == count.value // 1000, number.value)
    memory, clocks = number.value, (ctypes.c_uint * 2)()
    for query, arguments, clock in (("MemoryClocks", (), memory), ("GraphicsClocks", (memory,), None)):
        ask = getattr(nvml, f"nvmlDeviceGetSupported{query}")
        number.value = 0
        tally.check(f"{query}: no space", ask(device, *arguments, ctypes.byref(number), clocks) == TOO_SMALL)
        status = ask(device, *arguments, ctypes.byref(number), clocks)
        nvml.nvmlDeviceGetApplicationsClock(device, 2 if clock else 0, ctypes.byref(count))
        tally.check(query, (status, number.value, clocks[0]) == (0, 1, clock or count.value), list(clocks))
    tally.check("clocks cannot be set", nvml.nvmlDeviceSetApplicationsClocks(device, memory, 1000) == NO_PERMISSION)
    tally.check("a video clock", nvml.nvmlDeviceGetClockInfo(device, 3, ctypes.byref(number)) == NOT_SUPPORTED)
    for query in ("PowerUsage", "FanSpeed", "UtilizationRates", "PerformanceState"):
        space = ctypes.create_string_buffer(16)
        tally.check(query, getattr(nvml, f"nvmlDeviceGet{query}")(device, space) == NOT_SUPPORTED)
    tally.check("temperature", nvml.nvmlDeviceGetTemperature(device, 0, ctypes.byref(number)) == NOT_SUPPORTED)
    tally.check("words", nvml.nvmlErrorString(NOT_SUPPORTED) == b"Not Supported")
    tally.check("by its place", nvml.nvmlDeviceGetPciInfo_v3(device, ctypes.create_string_buffer(128)) == 0)
    tally.check("the end", nvml.nvmlShutdown() == 0 and nvml.nvmlShutdown() == UNINITIALIZED)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
