#!/usr/bin/env python3
"""bench/paths.py and bench/gpu: what `make bench BACKEND=cuda` measures, how it judges, and what it does when something
fails.

    tests/python/bench_paths.py [PART OF A NAME ...]

The measuring program runs at small sizes on the backend that was built: on the simulator its times are modelled, and
only its logic is tested. The judging is tested on figures made up here.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

from support import cases

sys.path.insert(0, str(cases.ROOT / "bench"))
import paths  # noqa: E402
import targets  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim"))
PROGRAM = BUILD / "bench/gpu"
SIM = os.environ.get("UMLAB_BACKEND", "sim") == "sim"
MIB = 1 << 20

PATHS = {
    "pinned H2D", "pinned D2H", "write-combined H2D", "write-combined D2H", "registered H2D", "registered D2H",
    "pageable H2D", "pageable D2H", "pipelined H2D", "pipelined D2H", "mapped read", "mapped write",
    "device copy, engine", "device copy", "device mul", "device add", "device triad", "device dot",
    "prefetch to device", "prefetch to host", "managed to device",
    "managed to host", "pinned copied into managed on the device", "managed on the device copied into pinned",
    "demand to device", "demand to device, best", "demand to host", "demand to host, best", "first touch by device",
    "first touch by host", "first touch by host, all threads", "fresh, prefetch to device", "fresh, prefetch to host",
    "ReadMostly, demand read", "ReadMostly, prefetch to device", "ReadMostly, host reads after the device",
    "PreferredLocation=host, AccessedBy=device, read", "two homes to device", "two homes to host"}


def cell(path, size, gbs, **more):
    """A line as the program prints it, whose median is `gbs`."""
    us = size * more.get("arrays", 1) / gbs / 1e3
    return json.dumps({"path": path, "bytes": size, "arrays": 1, "clock": "host", "repeats": 1, "verified": True,
                       "us": [us * 1.1, us, us * 0.9]} | more)


def conditions(**more):
    return json.dumps({"conditions": {"backend": "cuda", "times": "measured", "device": "NVIDIA H200", "driver": "1",
                                      "cuda": 13000}
                       | more})



def peer(name, test, gbs, size=None):
    return {"peer": name, "test": test, "bytes": size, "gbs": gbs, "ms": None, "source_file": "x"}


def on_simulator(test):
    """A GPU's time is dear: there one run of all paths has to do."""
    def run(self):
        if not SIM:
            raise cases.Skip("the simulator's run tests it")
        test(self)
    run.__doc__ = test.__doc__
    return run


class Program(cases.Case):
    def setUp(self):
        super().setUp()
        if not PROGRAM.exists():
            raise cases.Skip(f"{PROGRAM} is not built")
        looked = subprocess.run([PROGRAM, "--size", "4K", "--only", "nothing"], capture_output=True, text=True,
                                check=False)
        if looked.returncode == 2:
            raise cases.Skip(looked.stderr.strip())

    def run_program(self, *options, status=0, env=None):
        done = self.call(PROGRAM, *options, status=status, env=env)
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def test_every_path(self):
        "each path is measured at each size, and its data is right"
        lines, _ = self.run_program("--size", "64K", "--samples", "2")
        cells = lines[1:]
        self.assertEqual({line["path"] for line in cells}, PATHS)
        for line in cells:
            self.assertTrue(line["verified"], line)
            self.assertFalse(SIM and "incomplete" in line, line)  # a GPU's driver may keep a page where it is
            self.assertEqual(len(line["us"]), 2)
        for path in PATHS:
            sizes = {line["bytes"] for line in cells if line["path"] == path}
            self.assertLessEqual({4096, 16384, 65536}, sizes, path)

    @on_simulator
    def test_pipe(self):
        "copies that the pipe cuts into chunks are right, and have as many samples as cudaMemcpy's"
        lines, _ = self.run_program("--size", "8M", "--samples", "3", "--quick", "--only", "pipelined")
        large = {line["path"]: line for line in lines[1:] if line["bytes"] == 8 * MIB}
        self.assertEqual(set(large), {"pageable H2D", "pageable D2H", "pipelined H2D", "pipelined D2H"})
        for line in large.values():
            self.assertTrue(line["verified"])
            self.assertEqual(len(line["us"]), 3)

    def test_conditions(self):
        "the first line says where and how"
        lines, _ = self.run_program("--size", "4K", "--only", "pinned H2D", "--quick")
        first = lines[0]["conditions"]
        self.assertEqual(first["times"], "modelled" if SIM else "measured")
        self.assertTrue(first["held_by_spin"])
        self.assertTrue(first["quick"])
        self.assertEqual([line["clock"] for line in lines[1:]], ["spin"])

    @on_simulator
    def test_no_time(self):
        "what does not fit in the time is told as left out, at each size"
        lines, _ = self.run_program("--size", "64K", "--seconds", "0")
        self.assertEqual({line.get("skipped") for line in lines[1:]}, {"the 0 s are over"})
        self.assertIn(4096, {line["bytes"] for line in lines[1:] if line["path"] == "mapped read"})

    def test_bad_options(self):
        "a wrong option is one line and exit 2"
        for options in (["--size", "3K"], ["--size", "1"], ["--size"], ["--samples", "0"], ["--fast", "1"],
                        ["--seconds", "x"]):
            done = self.call(PROGRAM, *options, status=2)
            self.assertEqual((done.stdout, len(done.stderr.splitlines())), ("", 1), options)

    @on_simulator
    def test_no_memory(self):
        "memory that cannot be had is a skip, and the other paths go on"
        for call, cells in (("cudaMallocManaged:2", 1), ("cudaHostRegister:1", 2), ("cudaHostAlloc:2", 2)):
            lines, _ = self.run_program("--size", "4K", "--samples", "2",
                                        env={"UMSIM_FAIL": f"{call}:cudaErrorMemoryAllocation"})
            self.assertEqual(sum(line.get("skipped") == "no memory for it" for line in lines), cells, call)
            self.assertEqual(sum("us" in line for line in lines), len(PATHS) - cells, call)

    @on_simulator
    def test_error(self):
        "a CUDA error fails its cell, and the program, and the other paths go on"
        lines, errors = self.run_program("--size", "4K", "--samples", "2", status=1,
                                         env={"UMSIM_FAIL": "cudaMemcpyAsync:60:cudaErrorInvalidValue"})
        self.assertEqual([line["error"] for line in lines if "error" in line], ["cudaErrorInvalidValue"])
        self.assertIn("pinned D2H, 4096 bytes: cudaErrorInvalidValue", errors)
        self.assertIn("1 cells failed", errors)
        self.assertTrue(any(line["path"] == "two homes to host" for line in lines[1:]))

    @on_simulator
    def test_table(self):
        "make bench's table and its JSON hold what was measured, and the conditions"
        done = self.call(sys.executable, cases.ROOT / "bench/paths.py", "--out", self.folder, PROGRAM, "--size", "16K",
                         "--samples", "2")
        document = json.loads((self.folder / "paths.json").read_text(encoding="utf-8"))
        self.assertEqual(document["schema"], "umlab-bench/1")
        self.assertEqual({one["path"] for one in document["cells"]}, PATHS)
        for key in ("device", "driver", "cuda", "date", "counted", "clocks"):
            self.assertIn(key, document["conditions"])
        self.assertIn("pipelined H2D, worst of 3 sizes", done.stdout)
        self.assertIn("its target is for 512 MiB, which was not measured", done.stdout)
        again = self.call(sys.executable, cases.ROOT / "bench/paths.py", "--out", self.folder, "--read",
                          self.folder / "paths.jsonl")
        self.assertEqual(again.stdout, done.stdout)


class Judging(cases.Case):
    def results(self, *lines, **more):
        return paths.Results([conditions(**more), *lines])

    def test_median(self):
        "a cell's figure is its median, between its quartiles"
        one = paths.complete(json.loads(cell("x", 1000, 1, us=[1.0, 2.0, 4.0, 5.0, 100.0])))
        self.assertEqual((one["median_us"], one["q1_us"], one["q3_us"]), (4.0, 2.0, 5.0))
        self.assertEqual((one["gbs"], one["gbs_q1"], one["gbs_q3"]), (0.25, 0.2, 0.5))
        self.assertIsNone(paths.complete(json.loads(cell("x", 1000, 1, us=[0.0])))["gbs"])

    def test_arrays(self):
        "stream kernels count each array, as BabelStream does"
        one = paths.complete(json.loads(cell("device triad", 256 * MIB, 4200, arrays=3)))
        self.assertAlmostEqual(one["gbs"], 4200)
        self.assertAlmostEqual(one["median_us"], 3 * 256 * MIB / 4200e3)

    def test_peer(self):
        "a target is for the ratio to the peer's figure"
        results = self.results(cell("pinned H2D", 512 * MIB, 55.2), cell("mapped read", 512 * MIB, 51.0),
                               cell("device copy", 256 * MIB, 4100, arrays=2))
        rows = paths.compare_all(results, [peer("nvbandwidth", "host_to_device_memcpy_ce", 55.4),
                                           peer("nvbandwidth", "host_to_device_memcpy_sm", 51.3),
                                           peer("nvbandwidth", "host_to_device_memcpy_ce[0,1]", 99)])
        rows = {row["work"].split(",")[0]: row for row in rows}
        self.assertTrue(rows["pinned H2D"]["ok"])
        self.assertAlmostEqual(rows["pinned H2D"]["ratio"], 55.2 / 55.4)
        self.assertIs(rows["mapped read"]["ok"], False)
        self.assertIsNone(rows["device copy"]["ok"])
        self.assertIn("no figure", rows["device copy"]["skipped"])

    def test_peer_size(self):
        "of a peer's sizes ours counts, else the nearest, which is told; of several runs the best"
        rows = [peer("Comm|Scope", "T", 5, MIB), peer("Comm|Scope", "T", 8, 256 * MIB),
                peer("Comm|Scope", "T", 8.5, 256 * MIB)]
        self.assertEqual(paths.find_peer(rows, "Comm|Scope", ["T"], 256 * MIB)["gbs"], 8.5)
        near = paths.find_peer(rows, "Comm|Scope", ["T"], 4 * MIB)
        self.assertEqual(near["gbs"], 5)
        self.assertEqual(paths.peer_text(near, 4 * MIB), "Comm|Scope T, 1 MiB")
        self.assertIsNone(paths.find_peer(rows, "BabelStream", ["T"], MIB))
        self.assertEqual(paths.find_peer(rows, "Comm|Scope", ["S", "T"], MIB)["gbs"], 5)

    def test_same_run(self):
        "our own paths are compared at one size, the faster way of two"
        results = self.results(cell("managed to host", 256 * MIB, 23), cell("two homes to host", 256 * MIB, 52),
                               cell("prefetch to host", 256 * MIB, 20), cell("pipelined H2D", 512 * MIB, 47),
                               cell("pinned H2D", 256 * MIB, 55))
        rows = {row["work"]: row for row in paths.compare_all(results, [])}
        best = rows["managed data to the host, best way, 256 MiB (two homes to host)"]
        self.assertAlmostEqual(best["ratio"], 2.6)
        self.assertTrue(best["ok"])
        self.assertIsNone(rows["pipelined H2D, 512 MiB"]["ok"])  # the pinned copy was not measured at that size

    def test_every_size(self):
        "the pipe is judged at the size where it is worst"
        lines = [cell("pipelined H2D", size, gbs) for size, gbs in ((4096, 2.0), (8192, 3.8), (MIB, 40))]
        lines += [cell("pageable H2D", size, gbs) for size, gbs in ((4096, 2.0), (8192, 4.0), (2 * MIB, 99))]
        row = paths.at_every_size(self.results(*lines), "pipelined H2D", "pageable H2D", 0.97)
        self.assertAlmostEqual(row["ratio"], 0.95)
        self.assertIs(row["ok"], False)
        self.assertEqual(row["work"], "pipelined H2D, worst of 2 sizes from 4 KiB to 8 KiB: 8 KiB")

    def test_other_size(self):
        "a target is not applied to another size than its own"
        results = self.results(cell("pinned H2D", 64 * MIB, 10))
        rows = paths.compare_all(results, [peer("nvbandwidth", "host_to_device_memcpy_ce", 55)])
        self.assertIsNone(rows[0]["ok"])
        self.assertIn("SKIP  pinned H2D: its target is for 512 MiB, which was not measured",
                      paths.unjudged(results, rows))

    def test_wrong_data(self):
        "wrong data, or pages that stayed behind, are no bandwidth"
        results = self.results(cell("pinned H2D", 512 * MIB, 99, verified=False),
                               cell("demand to device, best", 256 * MIB, 99, incomplete=True),
                               json.dumps({"path": "mapped read", "skipped": "no memory for it"}))
        rows = paths.compare_all(results, [])
        self.assertEqual(rows, [])
        lines = "\n".join(paths.unjudged(results, rows))
        self.assertIn("pinned H2D: the data was wrong", lines)
        self.assertIn("demand to device, best: not all of it moved", lines)
        self.assertIn("mapped read: no memory for it", lines)

    def test_kept(self):
        "kept figures are for their kind of card, and say so"
        rows = paths.kept_rows("NVIDIA H200")
        found = paths.find_peer(rows, "Comm|Scope", ["Comm_UM_Prefetch_HostToGPU"], 256 * MIB)
        self.assertAlmostEqual(found["gbs"], 256 * MIB / 5516e3)
        self.assertIn("kept from another card", paths.peer_text(found, 256 * MIB))
        self.assertEqual(paths.kept_rows("NVIDIA A100-SXM4-80GB"), [])

    def test_measured(self):
        "what is said of the kept run of an H200 is what comes out of its files"
        folder = cases.ROOT / "bench/measured/h200"
        done = self.call(sys.executable, cases.ROOT / "bench/paths.py", "--out", self.folder, "--peers",
                         folder / "peers", "--read", folder / "paths.jsonl")
        self.assertIn((folder / "comparisons.txt").read_text(encoding="utf-8"), done.stdout)

    def test_full_table(self):
        "the full table has a peer's figure at the same size, and below it what nothing here compares with"
        results = self.results(cell("prefetch to device", MIB, 15), cell("prefetch to device", 4 * MIB, 30))
        rows = [peer("Comm|Scope", "Comm_UM_Prefetch_HostToGPU", 14.2, MIB),
                peer("UnifiedMemoryPerf", "UMhint", 1, MIB), peer("UnifiedMemoryPerf", "UMhint", 2.5, 4 * MIB)]
        header, small, large = paths.cell_lines(results, rows)
        self.assertIn("peer", header)
        self.assertIn("14.2 Comm|Scope", small)
        self.assertNotIn("Comm|Scope", large)
        others = paths.other_lines(rows)
        self.assertEqual(len(others), 2)
        self.assertEqual(others[1].split()[:5], ["UnifiedMemoryPerf", "UMhint", "4", "MiB", "2.5"])
        self.assertEqual(paths.other_lines(paths.kept_rows("NVIDIA H200")), [])

    def test_comparisons(self):
        "each path that is compared is one that is measured"
        named = {path for one in targets.COMPARISONS for path in one["paths"] + [one.get("against")] if path}
        named |= {path for one in targets.AT_EVERY_SIZE for path in one[:2]}
        self.assertLessEqual(named, PATHS)


class Running(cases.Case):
    """bench/paths.py around a stand-in for the program."""

    def bench(self, *lines, code=0, options=(), status=0, cut=""):
        program = self.folder / "program"
        text = "\n".join(lines) + "\n" + cut
        program.write_text(f"#!{sys.executable}\nimport sys\nsys.stdout.write({text!r})\nsys.exit({code})\n",
                           encoding="utf-8")
        program.chmod(0o755)
        return self.call(sys.executable, cases.ROOT / "bench/paths.py", "--out", self.folder / "out", *options, program,
                         status=status)

    def test_cut_off(self):
        "a run that was cut off keeps what it measured, and is an error"
        done = self.bench(conditions(), cell("pinned H2D", 512 * MIB, 55.4), code=9, status=1,
                          cut='{"path": "pinned D2H", "by')
        self.assertIn("pinned H2D, 512 MiB", done.stdout)
        self.assertIn("ended with 9", done.stderr)
        self.assertEqual(len(json.loads((self.folder / "out/paths.json").read_text(encoding="utf-8"))["cells"]), 1)

    def test_no_gpu(self):
        "no GPU is a SKIP, not an error"
        self.assertIn("SKIP", self.bench(code=2).stderr)

    def test_peers(self):
        "PEERS' files count before kept figures; a folder that is not there is one line and exit 2"
        folder = self.folder / "peers"
        folder.mkdir()
        (folder / "nv.txt").write_text("nvbandwidth Version: v0.8\n\nRunning host_to_device_memcpy_ce.\nmemcpy CE "
                                       "CPU(row) -> GPU(column) bandwidth (GB/s)\n           0\n 0     50.00\n\nSUM "
                                       "host_to_device_memcpy_ce 50.00\n",
                                       encoding="utf-8")
        lines = conditions(), cell("pinned H2D", 512 * MIB, 55.0), cell("pinned D2H", 512 * MIB, 55.0)
        done = self.bench(*lines, options=["--peers", folder])
        ours, back = [line for line in done.stdout.splitlines() if line.startswith("pinned") and "nvbandwidth" in line]
        self.assertIn("50 GB/s", ours)
        self.assertNotIn("kept", ours)
        self.assertIn("kept from another card", back)
        self.assertEqual(len(self.bench(*lines, options=["--peers", self.folder / "no"], status=2).stderr.splitlines()),
                         1)

    def test_strict(self):
        "STRICT fails on a missed target, and on one that cannot be judged"
        self.assertIn("NO", self.bench(conditions(), cell("pinned H2D", 512 * MIB, 40)).stdout)
        self.bench(conditions(), cell("pinned H2D", 512 * MIB, 40), options=["--strict"], status=1)

    def test_modelled(self):
        "the simulator's figures stand beside no kept ones, and say that they are modelled"
        done = self.bench(conditions(backend="sim", times="modelled"), cell("pinned H2D", 512 * MIB, 55))
        self.assertIn("sim: modelled times", done.stdout)
        self.assertNotIn("kept", done.stdout)


if __name__ == "__main__":
    sys.exit(cases.main())
