"""One ordinary program, plain.cu, in many surroundings: limits, containers, users, processors, ways to build it.

It works, or it ends with one line that says what is missing, where the table allows that.
"""
import os
import subprocess

from entry import Test, Unable

RIGHT = "all is right"
# What only the simulator is asked: a driver has limits of its own.
COMMON = {"simulator": True}


def refused(output, folder, usage):
    """All was right, or the simulator told in one line why not; the program may say which call failed."""
    lines = [line for line in output.splitlines() if line.strip() and "/robust.h:" not in line]
    if lines == [RIGHT] or (len(lines) == 1 and lines[0].startswith("umsim: ")):
        return ""
    return f"{len(lines)} lines, neither '{RIGHT}' nor one that says what is missing"


def works(name, *inside, program="plain", **more):
    return Test(name, (program, "works", *more.pop("arguments", ())), says=RIGHT, inside=inside, **{**COMMON, **more})


def works_or_says(name, word, *inside, program="plain", **more):
    """@param word what the line has to hold where it does not work"""
    return Test(name, (program, "works"), (0, 1, 2), {0: RIGHT, 1: word, 2: word}, inside=inside, judge=refused,
                **{**COMMON, **more})


def compiled_or_says(output, folder, usage):
    right = not output.strip() or (output.startswith("umcc: ") and output.count("\n") == 1)
    return "" if right else "it says something else than one line of its own"


def confined(*rules):
    return ("{programs}/confine", *rules, "--")


def without(call, **more):
    return works(f"without {call}", *confined(f"{call}=ENOSYS"), **more)


def overcommit_file(folder, programs):
    (folder / "2").write_text("2\n")


def thread_sanitizer_starts(folder, programs):
    """Its runtime knows some layouts of addresses, and ends where it meets another, whatever the program is."""
    empty = subprocess.run([programs / "empty-thread"], cwd=folder, check=False, capture_output=True, text=True,
                           errors="replace")
    words = [line for line in (empty.stdout + empty.stderr).splitlines() if line.strip()]
    if empty.returncode != 0 and words:
        raise Unable("; ".join(words))


LIMITED = [
    works("5 descriptors", "prlimit", "--nofile=5"),
    works("a stack of 64 KiB", "prlimit", "--stack=65536"),
    works("an unlimited stack", "prlimit", "--stack=unlimited"),
    works("no locked memory", "prlimit", "--memlock=0"),
    works_or_says("1 GiB of addresses: refused with a reason", "ulimit -v", "prlimit", f"--as={1 << 30}"),
    works_or_says("8 GiB of addresses", "ulimit -v", "prlimit", f"--as={8 << 30}"),
    works_or_says("files of 64 KiB: refused with a reason", "ulimit -f", "prlimit", "--fsize=65536"),
    works("32 MiB of data", "prlimit", f"--data={32 << 20}"),
    works_or_says("12 MiB of data: refused with a reason", "ulimit -d", "prlimit", f"--data={12 << 20}"),
    works_or_says("no overcommit (vm.overcommit_memory=2): it works, or names it", "overcommit",
                  "bwrap", "--dev-bind", "/", "/", "--ro-bind", "{folder}/2", "/proc/sys/vm/overcommit_memory",
                  *confined("--overcommit"), prepare=overcommit_file,
                  probe=("bwrap", "--dev-bind", "/", "/", "--ro-bind", "{folder}/2", "/proc/sys/vm/overcommit_memory",
                         "true")),
]

PLACES = [
    works("one processor", "taskset", "-c", str(min(os.sched_getaffinity(0)))),
    works("nice 19", "nice", "-n", "19"),
    works("no randomised addresses", "setarch", "-R"),
    works("an empty environment", "env", "-i"),
    works("standard streams closed", "sh", "-c", f'"$0" "$@" <&- >&- 2>&- && echo {RIGHT}'),
    works("bubblewrap with nothing shared", "bwrap", "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc",
          "/proc", "--tmpfs", "/tmp", "--ro-bind", "{root}", "{root}",
          probe=("bwrap", "--unshare-all", "--ro-bind", "/", "/", "true")),
    works("a user's own namespaces", "unshare", "--user", "--map-root-user", "--pid", "--fork",
          probe=("unshare", "--user", "--map-root-user", "--pid", "--fork", "true")),
    works("the user nobody", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
          probe=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "test", "-x", "{programs}/plain")),
    works("no capabilities", "setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs",
          probe=("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "true")),
    works("strace", "strace", "-f", "-o", "/dev/null", probe=("strace", "-o", "/dev/null", "true")),
    works_or_says("valgrind: it works, or says so", "umsim: ", "valgrind", "-q"),
    works("the places for addresses of 39 bits", env={"UMSIM_ADDRESSES": "39"}),
    works("... and a program at fixed addresses", program="plain-no-pie", env={"UMSIM_ADDRESSES": "39"}),
    works("no restartable sequences", env={"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}),
    works("a malloc that overwrites what is freed (MALLOC_PERTURB_)", env={"MALLOC_PERTURB_": "165"}),
]

FILTERED = [
    works("Docker's default filter", *confined("--docker")),
    without("mremap", arguments=("unregistered",)),
    *[without(call) for call in ("rseq", "pidfd_open", "close_range", "clone3", "madvise", "getrandom",
                                 "statx", "tgkill", "sigaltstack", "userfaultfd", "membarrier", "process_vm_readv",
                                 "sched_setaffinity")],
    works_or_says("without robust futexes: it works, or says so", "robust", *confined("set_robust_list=ENOSYS")),
    works_or_says("without memfd_create: it works, or says so", "memfd", *confined("memfd_create=ENOSYS")),
    works_or_says("clone3 forbidden: it works, or says so", "clone3|fork|thread|seccomp", *confined("clone3=EPERM")),
]

BUILT = [
    works("AddressSanitizer", program="plain-address", env={"ASAN_OPTIONS": "detect_leaks=0"},
          arguments=("unregistered",)),
    works("AddressSanitizer, and cudaHostRegister()", program="plain-address", env={"ASAN_OPTIONS": "detect_leaks=0"}),
    works("UndefinedBehaviorSanitizer", program="plain-undefined"),
    works_or_says("ThreadSanitizer: it works, or says so", "[Tt]hread ?[Ss]anitizer", program="plain-thread",
                  prepare=thread_sanitizer_starts),
    works("a program at fixed addresses (no PIE)", program="plain-no-pie"),
    works("without optimisation", program="plain-O0"),
    works("optimised at link time", program="plain-lto"),
    works("with _FORTIFY_SOURCE", program="plain-fortify"),
    works("another malloc, linked", program="plain-malloc"),
    works("another malloc, by LD_PRELOAD", env={"LD_PRELOAD": "{programs}/other_malloc.so"}),
    Test("umcc -static: it works, or one line says why not",
         ("{umcc}", "-static", "-I{root}/common", "-o", "{folder}/plain", "{root}/tests/robust/plain.cu"),
         (0, 1, 2), {0: "", 1: "static", 2: "static"}, judge=compiled_or_says, limit_s=60, **COMMON),
]

TESTS = LIMITED + PLACES + FILTERED + BUILT
