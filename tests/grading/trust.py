#!/usr/bin/env python3
"""Grading mode (sim/include/umsim_grading.h): programs behave as ever, the ledger holds what happened, and who tampers
is noticed.

    tests/grading/trust.py [PART OF A NAME...]      finds the build in UMLAB_BUILD

`graded` runs a program in grading mode and writes its ledger down; `acts` is a program that does what one may do and
what one may not (tests/grading/programs/).
"""
import concurrent.futures
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from support import cases

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
TOOLS = BUILD / "test/grading-programs"
NOBODY = 65534
PROTECTION, MAPPING, MESSAGE = 1, 2, 4
LABS = [("lab1", "--size 1M"), ("lab2", ""), ("lab3", "--size 1M"), ("lab4", "--size 1M"),
        ("lab5", "--size 6M"), ("lab6", "--size 2M"), ("lab7", "--size 1M --nodes 512")]
FORKS = {"lab2": 2}  # its work is done by children of a child, which are graded in its place
PASSED = re.compile(r"^ {2}ok +(.+)$", re.M)
# tests/conformance/syscalls.c says which call is not made as ungraded, and why. What is done after a call needs the
# window: a graded program gets EFAULT. Shared memory that is not the program's own cannot be registered (it is told).
NOT_GRADED = {"mappings: registered shared memory stays shared",
              "system calls: every call is in reach",
              "calls on managed memory: what is done after the call: as with ordinary memory",
              "io_uring on managed memory: a ring that is entered by syscall() is served",
              "io_uring on managed memory: paths, messages and times are served",
              "io_uring on managed memory: operations that end later are served",
              "io_uring on managed memory: two threads enter one ring",
              "io_uring on managed memory: a ring's parameters may be managed memory"}
# What a client has not: variables of a module's by their names, kernels that wait for the host (a query runs what it
# asks about), mappings that others share, a child's view of its parent's memory, and managed memory in system calls.
NOT_SERVED = (
    "cudaPointerGetAttributes: device variables", "device variables: kernels", "events: an event that is not ready",
    "last error: not ready", "mappings: ", "streams: a query says", "streams: the legacy stream waits",
    "streams: blocking streams wait", "streams: the per-thread stream waits", "streams: a stream waits for another",
    "system calls: ", "system calls on managed", "calls on managed memory: ", "io_uring on managed memory: ")


def alive_in(group):
    """What still runs of a process group: (number, program) each."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            number, program, state, _, its_group = re.fullmatch(
                r"(\d+) \((.*)\) (\S) (\d+) (\d+) .*", stat.read_text(encoding="utf-8", errors="replace").strip(),
                re.DOTALL).groups()
            if int(its_group) == group and state not in "ZX":
                found.append((int(number), program))
    return found


def setUpModule():
    if not (TOOLS / "acts").exists():
        raise cases.Skip(f"{TOOLS} is not built (make test)")


class Grading(cases.Case):
    def graded(self, *command, status=0, forks=0, supervisor=True, **more):
        """Runs a program in grading mode. Returns the finished process and its ledger."""
        ledger = self.folder / "ledger.json"
        done = self.call(TOOLS / "graded", TOOLS / "starter.so", ledger, *command, status=status, cwd=cases.ROOT,
                         env={"GRADED_FORKS": str(forks), "GRADED_SUPERVISOR": str(int(supervisor))}, **more)
        return done, json.loads(ledger.read_text(encoding="utf-8"))

    def acts(self, act, *words, status=0, **more):
        done, ledger = self.graded(TOOLS / "acts", act, *words, status=status, **more)
        return done.stdout.splitlines(), ledger


class Same(Grading):
    """What a program prints is what it prints ungraded."""

    def rows(self, lab, arguments, graded):
        command = [BUILD / lab, *arguments.split(), "--json", "-"]
        if graded:
            done, ledger = self.graded(*command, forks=FORKS.get(lab, 0))
            self.assertEqual(ledger["tampered"], 0)
        else:
            done = self.call(*command, cwd=cases.ROOT)
        return json.loads(done.stdout)["rows"], done.stderr

    def test_labs(self):
        "labs 1 to 7 print the same tables and counts in grading mode"
        for lab, arguments in LABS:
            self.assertEqual(self.rows(lab, arguments, False), self.rows(lab, arguments, True), lab)

    def passed(self, *command, forks=0, supervisor=True):
        env = dict(os.environ, GRADED_FORKS=str(forks), GRADED_SUPERVISOR=str(int(supervisor)))
        output = self.folder / "output"  # a pipe would be held open by a process that is left behind
        with open(output, "w", encoding="utf-8") as file, subprocess.Popen(
                [str(word) for word in command], cwd=cases.ROOT, stdin=subprocess.DEVNULL, env=env, stdout=file,
                stderr=subprocess.DEVNULL, start_new_session=True) as process:
            try:
                process.wait(600)
                deadline = time.monotonic() + 10
                while (left := alive_in(process.pid)) and time.monotonic() < deadline:
                    time.sleep(0.05)  # the GPU process ends behind its host
                self.assertEqual(left, [], "left behind")
            finally:
                with contextlib.suppress(ProcessLookupError):  # nothing was left
                    os.killpg(process.pid, signal.SIGKILL)
        return set(PASSED.findall(output.read_text(encoding="utf-8")))

    def suite(self, name, *forks, supervisor=True):
        """Every test that passes ungraded passes graded: the suite itself, or (`forks`) the children that it forks."""
        suite = BUILD / "test" / name
        if not suite.exists():
            raise cases.Skip(f"{suite} is not built")
        graded = [TOOLS / "graded", TOOLS / "starter.so", self.folder / "ledger.json", suite]
        passed = set().union(*(self.passed(*graded, forks=count, supervisor=supervisor) for count in forks))
        self.assertEqual(self.passed(suite) - passed - NOT_GRADED, set())
        self.assertGreater(len(passed), 60)

    def test_conformance(self):
        "CUDA's calls answer the same in grading mode: tests/conformance"
        self.suite("conformance", 0, 2)

    def test_faults(self):
        "bad accesses are told of in the same words: tests/faults"
        self.suite("faults", 2)

    def test_managed(self):
        "managed memory counts the same: tests/managed (without a supervisor: it starts other programs, ungraded)"
        if not os.environ.get("UM_LONG"):
            raise cases.Skip("a minute: UM_LONG=1")
        self.suite("managed", 0, supervisor=False)

    def test_system_calls(self):
        "read(), write() and related functions work on managed memory"
        done, ledger = self.graded(BUILD / "test/managed", "system calls")
        self.assertNotIn("FAIL", done.stdout)
        self.assertIn("readv", done.stdout)
        self.assertEqual(ledger["tampered"], 0)

    def test_registered(self):
        "memory from before the start and from after it can be registered, and again"
        lines, ledger = self.acts("registers")
        self.assertEqual(lines, ["1 1", "2"])
        self.assertEqual(ledger["registered"][:2], [3, 1])


class Ledger(Grading):
    def test_sequence(self):
        "after a known sequence the ledger holds exactly that"
        lines, ledger = self.acts("sequence")
        mib = 1 << 20
        self.assertEqual(lines, ["9 2"])
        expected = {
            "memcpy_htod_bytes": 3 * mib, "memcpy_dtoh_bytes": mib, "memcpy_dtod_bytes": mib, "memcpy_calls": 5,
            "launches": 3, "kernel_bytes": 4 * mib + 8192,
            "bytes_migrated_htod": 4 * mib, "host_faults": 0, "queries": 0, "waits_stream": 2,
            "device": [2, 1, 2 * mib, 3 * mib], "pinned": [1, 1, 0, mib], "managed": [1, 1, 0, 4 * mib],
            "registered": [0, 0, 0, 0], "stream": [1, 0, 0, 0], "event": [1, 1, 0, 0],
            "waits_device": 4, "synchronizations": 5, "operations": 10, "tampered": 0}
        self.assertEqual({name: ledger[name] for name in expected}, expected)
        self.assertEqual(ledger["calls"]["cudaLaunchKernel"], 3)
        self.assertEqual(ledger["calls"]["cudaMemcpy"], 3)
        self.assertGreater(ledger["cpu_page_faults"], 2)
        self.assertGreater(ledger["gpu_fault_groups"], 0)

    def test_key(self):
        "a kernel mixes with the grader's key, the host does not"
        lines, _ = self.acts("keyed")
        self.assertEqual(lines, ["mixed 7"])

    def test_keyed_assignments(self):
        "umcc --keyed: all that is stored in global memory is mixed, however it is spelled, and nothing else"
        done, _ = self.graded(TOOLS / "keyed")
        self.assertEqual(done.stdout.splitlines(), ["ok"])

    def test_not_graded(self):
        "what is compiled with --keyed computes as usual where nothing is graded"
        self.assertEqual(self.call(TOOLS / "keyed", "plain").stdout.split(), ["ok"])

    def test_prices(self):
        "a graded program does not learn what another kind of memory would take; others do"
        self.assertEqual(self.acts("prices")[0], ["cudaErrorNotPermitted refused"])
        self.assertEqual(self.call(TOOLS / "acts", "prices").stdout.split(), ["cudaSuccess", "priced"])

    def test_killed(self):
        "the GPU process killed in a copy: an error within a second"
        process = subprocess.Popen([TOOLS / "graded", TOOLS / "starter.so", self.folder / "ledger.json", TOOLS / "acts",
                                    "copies"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        gpu = int(process.stdout.readline())
        time.sleep(0.3)
        os.kill(gpu, signal.SIGKILL)
        killed = time.monotonic()
        out, err = process.communicate(timeout=20)
        self.assertLess(time.monotonic() - killed, 1)
        self.assertEqual(out.split(), ["cudaErrorLaunchFailure"])
        self.assertIn("the process that simulates the GPU is gone", err)


class Tampering(Grading):
    def test_quiet(self):
        "host threads and kernels on the same managed memory are no tampering"
        _, ledger = self.graded(BUILD / "lab5", "--size", "6M")
        self.assertEqual(ledger["tampered"], 0)

    def test_protection(self):
        "managed pages that are opened to take no faults, and closed again: refused, and noticed"
        lines, ledger = self.acts("hides_faults")
        if not ledger["guarded"]:
            raise cases.Skip("no user notification of seccomp's here")
        self.assertEqual((lines, ledger["tampered"]), (["Operation not permitted"], PROTECTION))
        self.assertEqual(ledger["cpu_page_faults"], 0)

    def test_handler(self):
        "a SIGSEGV handler past the library's, which opens pages itself: refused, and noticed"
        lines, ledger = self.acts("takes_the_signal", status=3)
        self.assertEqual((lines, ledger["tampered"]), (["refused"], PROTECTION))

    def test_moved(self):
        "managed pages moved to where nobody looks: refused, and noticed"
        lines, ledger = self.acts("moves")
        if ledger["guarded"]:
            self.assertEqual((lines, ledger["tampered"]), (["refused"], PROTECTION))
        else:
            self.assertTrue(ledger["tampered"] & MAPPING)

    def test_found_open(self):
        "where nothing supervises them, managed pages that stay open are found at the next wait"
        lines, ledger = self.acts("keeps_open", supervisor=False)
        self.assertEqual((len(lines), ledger["guarded"], ledger["tampered"]), (1, 0, PROTECTION))

    def test_mapping(self):
        "managed memory replaced by memory of one's own, or unmapped: noticed"
        for act in "replaces", "unmaps":
            _, ledger = self.acts(act)
            self.assertTrue(ledger["tampered"] & MAPPING, act)

    def test_message(self):
        "the release of what was never made is noticed, and changes no account"
        for act in "releases_nothing", "queues_no_free":
            _, ledger = self.acts(act)
            self.assertEqual((ledger["tampered"], ledger["device"]), (MESSAGE, [0, 0, 0, 0]), act)


class Served(Grading):
    """A program whose GPU is another process's (sim/server/channel.h): what it prints and what the ledger says."""

    def served(self, *command, status=0, **more):
        ledger = self.folder / "served.json"
        done = self.call(TOOLS / "served", TOOLS, ledger, *command, status=status, cwd=cases.ROOT, **more)
        return done, json.loads(ledger.read_text(encoding="utf-8"))

    def test_sequence(self):
        "a known sequence: the same ledger, times included, as where the broker keeps it"
        done, ledger = self.served(TOOLS / "acts", "sequence")
        _, other = self.acts("sequence")
        self.assertEqual(done.stdout.split(), ["9", "2"])
        self.assertEqual(ledger, dict(other, guarded=0))

    def test_labs(self):
        "labs 1, 3, 4, 6 and 7 print the same tables and counts as a program of its own"
        for lab, arguments in LABS:
            if lab in ("lab2", "lab5"):  # they have a __managed__ variable, which a client has of its own
                continue
            command = [BUILD / lab, *arguments.split(), "--json", "-"]
            alone = json.loads(self.call(*command, cwd=cases.ROOT).stdout)["rows"]
            self.assertEqual(alone, json.loads(self.served(*command)[0].stdout)["rows"], lab)

    def test_lends(self):
        "a trusted client lends its GPU to a process that it forks: what that leaves is data, and nothing else"
        lines = self.served(TOOLS / "lends")[0].stdout.splitlines()
        self.assertEqual([line for line in lines if not line.endswith(": yes")], [])
        self.assertEqual(len(lines), 2 + 3 * 13)

    def suite(self, name, different):
        """Each test of a suite that passes alone passes as a client, but those whose title begins as said."""
        suite = BUILD / "test" / name
        if not suite.exists():
            raise cases.Skip(f"{suite} is not built")
        titles = PASSED.findall(subprocess.run([suite], cwd=cases.ROOT, capture_output=True, text=True).stdout)
        titles = [title for title in titles if not title.startswith(different)]
        self.assertGreater(len(titles), 50)
        if not os.environ.get("UM_LONG"):
            titles = titles[int(os.environ.get("UM_TURN", "0")) % 4::12]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            passed = list(pool.map(lambda title: self.passes(suite, title), titles))
        self.assertEqual([title for title, ok in zip(titles, passed) if not ok], [])

    def passes(self, suite, title):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([TOOLS / "served", TOOLS, Path(folder) / "ledger.json", suite, title], cwd=cases.ROOT,
                                  capture_output=True, text=True, timeout=120)
        return title in PASSED.findall(done.stdout)

    def test_conformance(self):
        "CUDA's calls answer the same to a client: tests/conformance"
        self.suite("conformance", NOT_SERVED)

    def test_managed(self):
        "managed memory counts the same for a client: tests/managed"
        self.suite("managed", NOT_SERVED)

    def forge(self, seed, messages):
        command = [TOOLS / "served", TOOLS, self.folder / "l.json", TOOLS / "forges", str(seed), str(messages)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as it:
            self.assertEqual(it.stdout.readline(), "ready\n")
            lines = "\n".join(self.servers_addresses(it.pid))
            out, _ = it.communicate(lines + "\n", timeout=120)
        return out, len(lines)

    def servers_addresses(self, parent):
        """Of what the server has mapped, as far as one may read that."""
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if (f"PPid:\t{parent}\n" in (folder / "status").read_text() and
                        b"SERVED=" in (folder / "environ").read_bytes()):
                    maps = (folder / "maps").read_text().splitlines()
                    return ["0x" + line.split("-")[0] for line in maps[::1 + len(maps) // 40]]
        return []

    def test_forged(self):
        "a client that says anything: the server follows no address of its own, and still does its work"
        long = bool(os.environ.get("UM_LONG"))
        for seed in range(1, 41 if long else 5):
            with self.subTest(seed):
                out, addresses = self.forge(seed, 40000 if long else 10000)
                self.assertIn("alive", out)
                reached = int(out.split()[0])
                self.assertGreater(reached, 60)
                self.assertTrue(addresses or os.geteuid() != 0)


class Kernels(Grading):
    TARGETS = ("libraries", "libc", "state", "stack", "code", "behind",
               "umsim_processes", "umsim_launches", "umsim_views", "umsim_mailbox")

    def test_bounds(self):
        "a kernel on the simulator's data, a stack, libc's data, code, what lies behind an arena: an illegal address"
        for way in "s", "l", "a", "si", "li", "ai":
            for target in self.TARGETS:
                with self.subTest(target, way=way):
                    done, ledger = self.graded(TOOLS / "acts", "reaches", target, way)
                    self.assertEqual(done.stdout.split(), ["cudaErrorIllegalAddress"])
                    self.assertIn("cannot reach", done.stderr)
                    self.assertEqual(ledger["tampered"], 0)


class Hidden(Grading):
    def test_finds_nothing(self):
        "a program finds neither ledger nor arenas nor the GPU process's memory"
        self.folder.chmod(0o777)
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            lines, ledger = self.acts("finds", **user)
        except PermissionError:
            raise cases.Skip("an ordinary user cannot read the build") from None
        self.assertEqual(lines, [
            "ledger open: 0, mapped: 0", "arenas open: 0, device mapped: 0, managed open: 0",
            "own memory file: shows nothing", "process_vm_readv: refused", "ptrace: refused", "mem: refused",
            "maps: refused", "fd/0: refused", "its descriptors: refused"])
        self.assertEqual(ledger["tampered"], 0)


if __name__ == "__main__":
    sys.exit(cases.main())
