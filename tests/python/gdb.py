#!/usr/bin/env python3
"""tools/gdb/umsim.py in a real gdb: both processes of a program, its allocations, its fibers; and a core.

    tests/python/gdb.py [PART-OF-A-DOCSTRING...]      finds the build in UMLAB_BUILD

It fails where a name that the script takes from the simulator's sources is gone.
"""
import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from support import cases

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim"))
SCRIPT = cases.ROOT / "tools/gdb/umsim.py"
# The host ends the GPU process: gdb may stop at that, or hear of the host's end first.
TO_ITS_END = ("delete", "continue", "inferior 1", "continue")
PROGRAM = """
#include <cstdio>
__device__ float add_up(float x)
{
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_down_sync(~0u, x, step); // line 6
    return x;
}
__global__ void sums(const float *in, float *out)
{
    float sum = add_up(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x % 32 == 0) // line 12
        atomicAdd(out, sum);
}
int main(int argc, char **argv)
{
    float *in, *out;
    cudaMalloc((void **)&in, 4096); // line 18
    cudaMallocManaged((void **)&out, 4096);
    for (int i = 0; i < 1024; i++)
        out[i] = i;
    cudaMemcpy(in, out, 4096, cudaMemcpyDefault);
    out[0] = 0;
    if (argc > 1 && argv[1][0] == 'w') {
        puts("waits");
        fflush(stdout);
        getchar();
    }
    sums<<<16, 64>>>(in, out);
    cudaDeviceSynchronize();
    printf("%g\\n", out[0]);
    return argc > 1 && argv[1][0] == 'd' ? (int)in[1] : 0; // line 32
}
"""


class Gdb(cases.Case):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("gdb"):
            raise cases.Skip("no gdb here (setup.sh --dev installs it)")
        if BUILD.name != "sim":
            raise cases.Skip("it is about the plain simulator")
        done = subprocess.run(["gdb", "-nx", "-batch", "-ex", "run", "/bin/true"], capture_output=True, text=True,
                              timeout=100, check=False)
        if "exited normally" not in done.stdout:
            raise cases.Skip("gdb may not run a program here: " + (done.stderr.strip().splitlines() or ["?"])[-1])

    def setUp(self):
        super().setUp()
        self.program = self.folder / "sums"
        (self.folder / "sums.cu").write_text(PROGRAM, encoding="utf-8")
        self.call(BUILD / "bin/umcc", "-g", "-G", "-o", self.program, self.folder / "sums.cu")

    def gdb(self, *commands, more=()):
        """What gdb prints while it does the commands."""
        words = ["set confirm off", "set pagination off", f"source {SCRIPT}", *commands]
        arguments = [word for command in words for word in ("-ex", command)]
        done = subprocess.run(["gdb", "-nx", "-batch", *arguments, self.program, *more], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=100, check=False)
        self.assertNotIn("umsim: no ", done.stdout + done.stderr)
        self.assertNotIn("Python Exception", done.stderr)
        return done.stdout

    def test_both(self):
        "umsim-start holds both processes; a breakpoint in a kernel stops the GPU process, and the program ends as ever"
        said = self.gdb("umsim-start", "umsim-processes", "break sums.cu:12", "continue", "p sum", *TO_ITS_END)
        self.assertRegex(said, r"host +\d+, \d+ threads  inferior 1\nGPU process +\d+, \d+ threads  inferior 2")
        self.assertRegex(said, r'Thread 2\.\d+ "sums" hit Breakpoint')
        self.assertIn("= 496\n", said)
        self.assertIn("523776\n", said, said)

    def test_early_breakpoint(self):
        "a breakpoint that was set before umsim-start is as good as one set after it"
        said = self.gdb("break sums.cu:12", "umsim-start", "continue", "p threadIdx", *TO_ITS_END)
        self.assertRegex(said, r'Thread 2\.\d+ "sums" hit Breakpoint')
        self.assertIn("{x = 0, y = 0, z = 0}", said)
        self.assertIn("523776\n", said, said)

    def test_where(self):
        "umsim-where: the arena, the allocation, who made it, and what either process may do; from either process"
        said = self.gdb("umsim-start", "break sums.cu:12", "continue", "umsim-where 0x7a0000000004", "inferior 1",
                        "umsim-where 0x7a0000000004", "umsim-where 0x7a0000010000", "umsim-where &main")
        told = ("device arena, 4 bytes into it\n"
                "  4 bytes into an allocation of 4096 bytes (DEVICE), made by cudaMalloc at sums.cu:18\n"
                "  now: host ---, GPU process r")
        self.assertEqual(said.count(told), 2, said)
        self.assertIn("65536 bytes into it\n  in no allocation", said)
        self.assertIn("in no arena\n  in no allocation\n  now: host r-x, GPU process r-x", said)

    def test_device_memory(self):
        "gdb reads device memory in the host, which the host itself may not"
        said = self.gdb("umsim-start", "break sums.cu:31", "continue", "p ((float *)0x7a0000000000)[5]")
        self.assertIn("= 5\n", said)

    def test_fibers(self):
        "umsim-fibers and umsim-fiber: where each thread of the block is, in the kernel's own lines"
        said = self.gdb("umsim-start", "break sums.cu:12", "continue", "umsim-fibers", "umsim-fiber 5", "umsim-fiber 0",
                        *TO_ITS_END)
        self.assertIn("block (0,0,0)\n  0: runs\n  1 to 63: has reached 0 barriers\n", said)
        other = said.split("threadIdx (5,0,0)")[1].split("threadIdx (0,0,0)")[0]
        self.assertRegex(other, r"add_up \(x=.*\) at .*sums\.cu:6")
        self.assertRegex(said.split("threadIdx (0,0,0): runs")[1], r"#0 .*sums\.cu:12")
        self.assertIn("523776\n", said)  # what looked at them has changed nothing

    def test_no_kernel(self):
        "in a thread that runs no kernel, and in a program without CUDA, a command says so"
        said = subprocess.run(["gdb", "-nx", "-batch", "-ex", f"source {SCRIPT}", "-ex", "umsim-start", "/bin/true"],
                              capture_output=True, text=True, timeout=100, check=False)
        self.assertIn("ended without a GPU process", said.stderr)
        words = ["gdb", "-nx", "-batch", "-ex", f"source {SCRIPT}", "-ex", "umsim-start", "-ex", "umsim-fibers",
                 self.program]
        said = subprocess.run(words, capture_output=True, text=True, timeout=100, check=False)
        self.assertIn("this thread runs no kernels", said.stderr)

    def test_fault(self):
        "SIGSEGV passes, but where the simulator explains one: there gdb stops, and shows the line that did it"
        said = self.gdb("run die", "bt", "kill")
        self.assertRegex(said, r"<signal handler called>\n#\d+ .*main \(.*\) at .*sums\.cu:32")

    def test_attach(self):
        "umsim-attach takes hold of a program that runs"
        gate, mine = os.pipe()
        self.addCleanup(os.close, mine)
        program = subprocess.Popen([self.program, "wait"], stdin=gate, stdout=subprocess.PIPE, text=True)
        self.addCleanup(program.stdout.close)
        self.addCleanup(program.kill)
        os.close(gate)
        self.assertEqual(program.stdout.readline(), "waits\n")
        said = self.gdb(f"umsim-attach {program.pid}", "umsim-processes", "inferior 2", "info threads")
        self.assertIn(f"host         {program.pid}", said)
        self.assertRegex(said, r"GPU process +\d+, \d+ threads  inferior 2")
        os.write(mine, b"\n")
        self.assertEqual(program.wait(100), 0)  # it was let go as it was

    def test_core(self):
        "a core is small, and tells which allocation the address belonged to"
        limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
        if limit == 0 or Path("/proc/sys/kernel/core_pattern").read_text(encoding="ascii") != "core\n":
            raise cases.Skip("no cores are written into the program's folder here")
        done = subprocess.run([self.program, "die"], cwd=self.folder, capture_output=True, timeout=100, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (limit, limit)))
        self.assertEqual(done.returncode, -signal.SIGSEGV)
        (core,) = self.folder.glob("core*")
        self.assertLess(core.stat().st_size, 1 << 30)
        said = self.gdb("bt", "umsim-where 0x7a0000000004", more=[core])
        self.assertRegex(said, r"main \(.*\) at .*sums\.cu:32")
        self.assertRegex(said, r"4 bytes into an allocation of 4096 bytes \(DEVICE\), made by .* at sums\.cu:18")


if __name__ == "__main__":
    sys.exit(cases.main())
