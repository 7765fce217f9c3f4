#!/usr/bin/env python3
"""How long Numba's kernels take on the simulated GPU, beside umcc's and Numba's own simulator: real time, measured.

    bench/numba_times.py [--python PYTHON] [--build build/sim] [--repeat 5] [--rounds 3]

PYTHON has numba (umpython --install numba). Prints a line of JSON for each time: what, by whom, elements, seconds, a
second's share of an element, and the ratio to umcc's. Seconds are the best of all runs: umcc's program and Numba's
take turns, so that a machine that is busy for a while is so for both. Numba's simulator (NUMBA_ENABLE_CUDASIM=1) runs
fewer elements, and is compared by the element. These are this machine's times, none of them modelled.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
N, FEW = 1 << 24, {"saxpy": 1 << 12, "stride": 1 << 12, "block_sum": 1 << 10, "mandelbrot": 1 << 10}
KERNELS = ("saxpy", "stride", "block_sum", "mandelbrot")
CUDA = r"""
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
__global__ void stride(float a, const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}
__global__ void block_sum(float, const float *x, float *y, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}
__global__ void mandelbrot(float, const float *, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float cr = -2 + 3.0f * (i % 4096) / 4096, ci = -1 + 2.0f * (i / 4096) / (n / 4096), r = 0, m = 0;
    int k = 0;
    while (k < 50 && r * r + m * m < 4) {
        float next = r * r - m * m + cr;
        m = 2 * r * m + ci;
        r = next;
        k++;
    }
    y[i] = k;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), blocks = n / 256;
    float *x, *y, *host = (float *)malloc(4 * (size_t)n);
    for (int i = 0; i < n; i++)
        host[i] = 1;
    cudaMalloc(&x, 4 * (size_t)n), cudaMalloc(&y, 4 * (size_t)n);
    cudaMemcpy(x, host, 4 * (size_t)n, cudaMemcpyHostToDevice);
    cudaMemcpy(y, x, 4 * (size_t)n, cudaMemcpyDeviceToDevice);
    struct { const char *name; void (*kernel)(float, const float *, float *, int); int blocks; } all[] = {
        {"saxpy", saxpy, blocks}, {"stride", stride, 1024}, {"block_sum", block_sum, blocks},
        {"mandelbrot", mandelbrot, blocks}};
    for (auto &it : all)
        for (int r = 0; r < atoi(argv[2]); r++) {
            cudaDeviceSynchronize();
            auto from = std::chrono::steady_clock::now();
            it.kernel<<<it.blocks, 256>>>(0.5f, x, y, n);
            cudaDeviceSynchronize();
            std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
            printf("%s %.9f\n", it.name, took.count());
        }
    return cudaGetLastError();
}
"""
PYTHON = r"""
import sys, time
began = time.perf_counter()
import numpy as np
from numba import cuda, float32, int32
imported = time.perf_counter()

def saxpy(a, x, y, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = a * x[i] + y[i]

def stride(a, x, y, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        y[i] = a * x[i] + y[i]

def block_sum(a, x, y, n):
    s = cuda.shared.array(256, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    s[t] = x[i] if i < n else float32(0)
    cuda.syncthreads()
    k = 128
    while k > 0:
        if t < k:
            s[t] += s[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        y[cuda.blockIdx.x] = s[0]

def mandelbrot(a, x, y, n):
    i = cuda.grid(1)
    if i < n:
        cr = float32(-2) + float32(3) * float32(i % 4096) / float32(4096)
        ci = float32(-1) + float32(2) * float32(i // 4096) / float32(n // 4096 or 1)
        r, m, k = float32(0), float32(0), int32(0)
        while k < 50 and r * r + m * m < float32(4):
            r, m = r * r - m * m + cr, float32(2) * r * m + ci
            k += int32(1)
        y[i] = k

few, repeat = eval(sys.argv[1]), int(sys.argv[2])
print("import", imported - began)
for number, function in enumerate((saxpy, stride, block_sum, mandelbrot)):
    n = few[function.__name__]
    x, y = cuda.to_device(np.ones(n, np.float32)), cuda.to_device(np.ones(n, np.float32))
    kernel = cuda.jit(function)[1024 if function is stride and n > 1 << 20 else max(n // 256, 1), 256]
    for turn in range(repeat + 1):
        cuda.synchronize()
        start = time.perf_counter()
        kernel(np.float32(0.5), x, y, np.int32(n))
        cuda.synchronize()
        took = time.perf_counter() - start
        if turn:
            print(function.__name__, took)
        else:
            print("first kernel" if number == 0 else "next kernels", took)
small = cuda.jit(saxpy)
x = cuda.to_device(np.ones(32, np.float32))
small[1, 32](np.float32(0.5), x, x, np.int32(32))
cuda.synchronize()
start = time.perf_counter()
for turn in range(100):
    small[1, 32](np.float32(0.5), x, x, np.int32(32))
cuda.synchronize()
print("warm launch", (time.perf_counter() - start) / 100)
"""


def times(command, **environment):
    """The best time of each name that the program prints."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                          env={**os.environ, "UMSIM_CLOCK": "real", **environment})
    if done.returncode:
        sys.exit(f"numba_times: {command[0]}: {done.stderr[-2000:]}")
    best = {}
    for line in done.stdout.splitlines():
        name, value = line.rsplit(" ", 1)
        best[name] = min(best.get(name, 1e9), float(value))
    return best


def better(best, found):
    for name, value in found.items():
        best[name] = min(best.get(name, value), value)


def say(**row):
    print(json.dumps({name: float(f"{v:.4g}") if isinstance(v, float) else v for name, v in row.items()}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--build", type=Path, default=ROOT / "build/sim")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for needed in (options.build / "bin/umcc", options.build / "bin/umpython", Path(options.python)):
        if not needed.is_file():
            parser.error(f"there is no {needed}")
    if min(options.rounds, options.repeat) < 1:
        parser.error("--rounds, --repeat: at least 1")
    all_n = {name: N for name in KERNELS}
    with tempfile.TemporaryDirectory(prefix="umlab-times-") as folder:
        source, program, script = (Path(folder, name) for name in ("times.cu", "times", "times.py"))
        source.write_text(CUDA)
        script.write_text(PYTHON)
        subprocess.run([options.build / "bin/umcc", "-O2", "-o", program, source], check=True)
        own = {"UMPYTHON": options.python, "PYTHONWARNINGS": "ignore"}
        umpython = [options.build / "bin/umpython", script]
        umcc, numba = {}, {}
        for _ in range(options.rounds):
            better(umcc, times([program, N, options.repeat]))
            better(numba, times([*umpython, repr(all_n), options.repeat], **own))
        simulator = times([options.python, script, repr(FEW), 1], NUMBA_ENABLE_CUDASIM="1", PYTHONWARNINGS="ignore")
    for name in ("import", "first kernel", "next kernels", "warm launch"):
        say(what=name, by="numba", seconds=numba[name])
    for name in KERNELS:
        for by, n, seconds in (("umcc", N, umcc[name]), ("numba", N, numba[name]),
                               ("numba's simulator", FEW[name], simulator[name])):
            say(what=name, by=by, elements=n, seconds=seconds, ns_an_element=1e9 * seconds / n,
                times_umcc=seconds / n / (umcc[name] / N))


if __name__ == "__main__":
    main()
