"""Programs that once died, hung or got wrong data.

A GPU raises no signal for a page of managed memory, has no limit on how many events there are, and leaves shared memory
shared: what is asserted is what an H200's process does, or what a limit or a dump may cost.
"""
import re
import shutil
from pathlib import Path

from entry import ABRT, PATIENCE, SEGV, Test, cases

MB = 1_000_000


def plugins(count):
    """Copies of the library: each is one of its own to the dynamic linker."""
    def prepare(folder, programs):
        for number in range(count):
            shutil.copy(programs / "plugin.so", folder / f"plugin{number}.so")
    return prepare


def small_and_quick(output, folder, usage):
    """A core dump that leaves out what is the simulator's. Where dumps go elsewhere, their cost is all that is seen."""
    dumps = list(folder.glob("core*"))
    if not dumps and Path("/proc/sys/kernel/core_pattern").read_text().startswith("core"):
        return "there is no core dump"
    blocks = sum(file.stat().st_blocks * 512 for file in dumps)
    if blocks > 100 * MB:
        return f"the core dump has {blocks // MB} MB"
    seconds = usage.ru_utime + usage.ru_stime
    return "" if seconds < 2 * PATIENCE else f"it took {seconds:.1f} s of processor time"


def only_origin(output, folder, usage):
    """What readelf says of the libraries' paths."""
    paths = re.findall(r"(?:RUNPATH|RPATH)\)\s+Library r(?:un)?path: \[(.*)\]", output)
    strange = [one for path in paths for one in path.split(":") if not one.startswith("$ORIGIN")]
    return f"searched besides $ORIGIN: {strange}" if strange else ""


def one_line(output, folder, usage):
    lines = [line for line in output.splitlines() if line.strip()]
    return "" if len(lines) == 1 else f"{len(lines)} lines, not one"


def python(case, name, ends=0):
    return Test(name, ("{python}", "{tests}/from_python.py", "{build}/lib/libcudart.so", case), ends, simulator=True)


TESTS = [
    # Dumps: a limit of 1 GiB cuts off what would fill a disk, and is no limit to what is right.
    *[Test(name, ("dumps", case), ends, core=1 << 30, judge=small_and_quick, simulator=True)
      for case, name, ends in [
          ("stores-to-NULL", "the core dump of a store to NULL is small and quick", SEGV),
          ("stores-to-device-memory", "the core dump of a store to device memory is small and quick", SEGV),
          ("aborts", "the core dump of an abort() is small and quick", ABRT)]],
    *cases("blocked", {
        "a-thread-made-before": "a thread made before CUDA's start with all signals blocked",
        "by-the-system-call": "SIGSEGV blocked by the system call itself",
        "longjmp-out-of-the-handler": "longjmp() out of the program's SIGSEGV handler",
        "on-8-KiB": "managed memory with an alternate stack of 8 KiB",
        "on-MINSIGSTKSZ": "managed memory with an alternate stack of MINSIGSTKSZ",
        "raised": ("raise(SIGSEGV) with the default action ends the process", {"ends": SEGV}),
        "killed": ("kill(SIGSEGV) with the default action ends the process", {"ends": SEGV}),
        "sent-to-a-thread": ("pthread_kill(SIGSEGV) with the default action ends the process", {"ends": SEGV}),
        "ignored-when-sent": "SIGSEGV ignored when sent: managed memory goes on",
    }),
    *cases("signals", {
        "a-handler-with-a-full-mask": "a handler with every signal blocked touches managed memory",
        "the-handler-of-SIGSEGV-touches-managed": "the program's SIGSEGV handler touches managed memory",
    }),
    *[Test(name, ("plugins", case, "{folder}"), prepare=plugins(2), simulator=True) for case, name in [
        ("opened-and-closed", "libraries with kernels and managed variables, opened and closed again and again"),
        ("opened-before-the-first-call", "a library that is opened before the first CUDA call and closed after it")]],
    Test("a hundred libraries with managed variables at once: it works, or one line says why not",
         ("plugins", "a-hundred-at-once", "{folder}"), (0, 1, 2), {0: "", 1: "umsim: ", 2: "umsim: "},
         prepare=plugins(100), simulator=True),
    *[Test(f"no library but those beside it: {library}", ("{readelf}", "-d", "{build}/lib/" + library),
           judge=only_origin, simulator=True) for library in ("libumlab.so", "libcublas.so", "libumsim.so")],
    *cases("mappings", {
        "two-processes-and-a-kernel": "registered shared memory stays shared with another process",
        "a-kernel-writes-a-file": "a registered file mapping stays the file's",
        "a-child-has-no-managed-memory": "a forked child has no managed and no device memory",
    }),
    *cases("system_calls", {
        "an-echo-by-messages": "sendto, sendmsg, sendmmsg and their kind on managed memory",
        "a-file-in-pieces": "preadv, pwritev and raw system calls on managed memory",
        "structures": "structures that the system fills in managed memory",
        "stdio-buffers": "stdio with a managed buffer",
        "fortified": "what _FORTIFY_SOURCE makes of read() and recv()",
        "asynchronous-io": "the kernel's AIO on managed memory",
        "io_uring": "io_uring on managed memory",
    }),
    *cases("host_calls", {
        "in-a-host-function": "CUDA calls in a host function are cudaErrorNotPermitted",
        "in-a-callback": "CUDA calls in a stream's callback are cudaErrorNotPermitted",
        "touches-managed-while-main-polls": "a host function touches managed memory while main polls its stream",
    }),
    *cases("scale", {
        "events": "100,000 events, recorded, and destroyed in any order",
        "device-memory": "100,000 device allocations, freed in any order",
        "pinned-memory": "100,000 pinned allocations, freed in any order",
        "registrations": "registrations of single pages in any order",
        "single-pages": ("100,000 registrations of single pages that a kernel touches, ended in any order",
                         {"limit_s": 60}),
        "small-registrations": "100,000 registrations",
    }, simulator=True),
    *cases("registered", {
        "every-other-page": "every other page is registered by itself",
        "between-kernels": "pages are registered and unregistered between kernels, one by one",
        "a-fork-beside-thousands": "a child has copies of thousands of registered pages",
        "unmapped-meanwhile": "registered memory that the program has unmapped meanwhile",
        "moved-meanwhile": "registered memory that the program has moved meanwhile",
        "given-back-to-the-system": "memory that was registered is zero after MADV_DONTNEED",
        "behind-a-files-end": "a page behind a file's end cannot be registered",
        "written-by-threads": "threads write to memory that is registered and unregistered",
    }),
    *cases("allocations", {"shapes-that-cannot-be-had": "pitched and 3D shapes whose size overflows are errors"}),
    *cases("processes", {"parent-killed-in-fork": "a child goes on whose parent is killed while it forks"}),
    *cases("stacks", {
        "recursion": "an endless recursion in a kernel is a stack overflow",
        "recursion-between-barriers": "an endless recursion between barriers is a stack overflow",
        "alloca-between-barriers": "alloca() of 8 MiB between barriers is a stack overflow",
        "alloca-of-800-KB": "alloca() of 800 KB between barriers is a stack overflow",
    }, says="stack", simulator=True),
    *cases("threads", {
        "main-leaves-by-pthread_exit": ("main's pthread_exit(): the process ends with its last thread",
                                        {"says": "the last thread has ended"}),
        "main-leaves-when-all-is-done": "main's pthread_exit() with no other thread",
    }, limit_s=10),
    python("faulthandler-enabled-after", "Python: faulthandler enabled after CUDA's start"),
    python("signal-set-to-default-after", "Python: SIGSEGV set to its default after CUDA's start"),
    python("signals-blocked-after", "Python: all signals blocked after CUDA's start"),
    python("threads-with-signals-blocked", "Python: a thread with all signals blocked"),
    python("files", "Python: readinto(), write() and preadv() on managed memory"),
]
