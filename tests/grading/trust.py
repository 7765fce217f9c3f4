#!/usr/bin/env python3
"""Graded programs (sim/include/umsim_grading.h): they behave as ever, and the ledger holds what happened.

    tests/grading/trust.py [PART OF A NAME...]      finds the build in UMLAB_BUILD

`served` runs a program as the client of a process that owns the GPU's state, and writes its ledger down; `acts` is a
program that does known things (tests/grading/programs/).
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
ARENAS = 0x7a0000000000, 0x7d0000000000  # of umsim_grading.h
LABS = [("lab1", "--size 1M"), ("lab3", "--size 1M"), ("lab4", "--size 1M"), ("lab6", "--size 2M"),
        ("lab7", "--size 1M --nodes 512")]
PASSED = re.compile(r"^ {2}ok +(.+)$", re.M)
# What a client has not: variables of a module's by their names, kernels that wait for the host (a query runs what it
# asks about), mappings that others share, a child's view of its parent's memory, and managed memory in system calls.
NOT_SERVED = (
    "cudaPointerGetAttributes: device variables", "device variables: kernels", "events: an event that is not ready",
    "last error: not ready", "mappings: ", "streams: a query says", "streams: the legacy stream waits",
    "streams: blocking streams wait", "streams: the per-thread stream waits", "streams: a stream waits for another",
    "system calls: ", "system calls on managed", "calls on managed memory: ", "io_uring on managed memory: ")


def setUpModule():
    if not (TOOLS / "acts").exists():
        raise cases.Skip(f"{TOOLS} is not built (make test)")


def children(parent):
    """The processes that have this parent, and still run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            text = status.read_text(encoding="utf-8", errors="replace")
            if f"PPid:\t{parent}\n" in text and "State:\tZ" not in text:
                found.append(int(status.parent.name))
    return found


def gpu_process(served):
    """`served` has two children, the program and its server; the GPU process is the server's."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        found = [gpu for child in children(served) for gpu in children(child)]
        if len(found) == 1:
            return found[0]
        time.sleep(0.01)
    raise AssertionError("there is no GPU process")


class Grading(cases.Case):
    def served(self, *command, status=0, **more):
        """Runs a program as a client. Returns the finished process and the ledger of what it did."""
        ledger = self.folder / "served.json"
        done = self.call(TOOLS / "served", TOOLS, ledger, *command, status=status, cwd=cases.ROOT, **more)
        return done, json.loads(ledger.read_text(encoding="utf-8"))

    def acts(self, act, *words, **more):
        done, ledger = self.served(TOOLS / "acts", act, *words, **more)
        return done.stdout.splitlines(), ledger

    @contextlib.contextmanager
    def begun(self, *words):
        """The same program, under way, with its own line of output read; what it says then is for communicate()."""
        with subprocess.Popen([TOOLS / "served", TOOLS, self.folder / "l.json", TOOLS / "acts", *words], text=True,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as it:
            try:
                it.stdout.readline()
                yield it
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(it.pid, signal.SIGKILL)  # what hangs would be waited for


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
            "waits_device": 4, "synchronizations": 5, "operations": 10}
        self.assertEqual({name: ledger[name] for name in expected}, expected)
        self.assertEqual(ledger["calls"]["cudaLaunchKernel"], 3)
        self.assertEqual(ledger["calls"]["cudaMemcpy"], 3)
        self.assertGreater(ledger["cpu_page_faults"], 2)
        self.assertGreater(ledger["gpu_fault_groups"], 0)
        self.assertEqual(self.acts("sequence")[1], ledger)  # times included

    def test_key(self):
        "a kernel mixes with the grader's key, the host does not"
        lines, _ = self.acts("keyed")
        self.assertEqual(lines, ["mixed 7"])

    def test_keyed_assignments(self):
        "umcc --keyed: all that is stored in global memory is mixed, however it is spelled, and nothing else"
        done, _ = self.served(TOOLS / "keyed")
        self.assertEqual(done.stdout.splitlines(), ["ok"])

    def test_not_graded(self):
        "what is compiled with --keyed computes as usual where nothing is graded"
        self.assertEqual(self.call(TOOLS / "keyed", "plain").stdout.split(), ["ok"])

    def test_registered(self):
        "memory from before the first call and from after it can be registered, and again"
        lines, ledger = self.acts("registers")
        self.assertEqual(lines, ["1 1", "2"])
        self.assertEqual(ledger["registered"][:2], [3, 1])

    def test_prices(self):
        "a graded program does not learn what another kind of memory would take; others do"
        self.assertEqual(self.acts("prices")[0], ["cudaErrorNotPermitted refused"])
        self.assertEqual(self.call(TOOLS / "acts", "prices").stdout.split(), ["cudaSuccess", "priced"])

    def killed(self, find):
        """Ends a process while kernels run: what the program says within a second."""
        with self.begun("launches") as it:
            time.sleep(0.2)
            os.kill(find(it.pid), signal.SIGKILL)
            killed = time.monotonic()
            out, err = it.communicate(timeout=20)
        self.assertLess(time.monotonic() - killed, 1)
        return out.split(), err

    def test_killed(self):
        "the GPU process killed while kernels run: an error within a second"
        out, err = self.killed(gpu_process)
        self.assertEqual(out, ["cudaErrorLaunchFailure"])
        self.assertIn("the process that simulates the GPU is gone", err)


class Served(Grading):
    """A program whose GPU is another process's (sim/server/channel.h): what it prints, and what it may say."""

    def test_labs(self):
        "labs 1, 3, 4, 6 and 7 print the same tables and counts as a program of its own"
        for lab, arguments in LABS:  # labs 2 and 5 have a __managed__ variable, which a client has of its own
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
                out, addresses = self.forge(seed, 40000)
                self.assertIn("alive", out)
                reached = int(out.split()[0])
                self.assertGreater(reached, 60)
                self.assertTrue(addresses or os.geteuid() != 0)


class Kernels(Grading):
    WAYS = ("s", "l", "a", "si", "li", "ai")  # store, load, atomic; the address as an index

    def refused(self, out, err):
        self.assertEqual(out.split(), ["cudaErrorIllegalAddress"])
        self.assertIn("cannot reach", err)

    def test_bounds(self):
        "a kernel on its stack, the program's data, code, what lies behind an arena: an illegal address"
        for way in self.WAYS:
            for target in "stack", "data", "code", "behind":
                with self.subTest(target, way=way):
                    done, _ = self.served(TOOLS / "acts", "reaches", target, way)
                    self.refused(done.stdout, done.stderr)

    def mappings(self, gpu):
        """Where the GPU process can read or write, but for what CUDA gave out: of each kind the first and the last."""
        found = {}
        for line in Path(f"/proc/{gpu}/maps").read_text(encoding="utf-8").splitlines():
            addresses, flags, _, _, _, name = (line + " ").split(" ", 5)
            start = int(addresses.split("-")[0], 16)
            if flags[0] == "r" and not ARENAS[0] <= start < ARENAS[1]:
                found.setdefault((flags, name.strip(), "first"), start)
                found[flags, name.strip(), "last"] = start
        return found

    def reach(self, kind, way):
        with self.begun("reaches", "told", way) as it:
            there = self.mappings(gpu_process(it.pid))
            out, err = it.communicate(f"{there[kind]:#x}\n" if kind else "", timeout=60)
        if kind:
            self.refused(out, err)
        return there

    def test_mappings(self):
        "a kernel on any mapping of the GPU process that is not CUDA's memory: an illegal address"
        try:
            kinds = sorted(self.reach(None, "s"))
        except PermissionError:
            raise cases.Skip("an ordinary user cannot read the GPU process's list of mappings") from None
        names = {name for _, name, _ in kinds}
        self.assertLessEqual({"", "/memfd:ledger (deleted)", "/memfd:umsim-table (deleted)"}, names)
        for i, kind in enumerate(kinds):
            with self.subTest(kind):
                self.reach(kind, self.WAYS[i % len(self.WAYS)])


if __name__ == "__main__":
    sys.exit(cases.main())
