#!/usr/bin/env python3
"""bench/peer_files.py reads what nvbandwidth, BabelStream, Comm|Scope and UnifiedMemoryPerf write. The samples were
written by hand after the peers' sources; their figures are made up.

    tests/python/bench_peer_files.py [PART-OF-A-NAME]
"""
import json
import os
import sys

from support import cases

sys.path.insert(0, str(cases.ROOT / "bench"))
import peer_files  # noqa: E402

MIB = 1 << 20


def testcase(name, value, unit="GB/s"):
    return {"name": name, "status": "Passed",
            "bandwidth_description": f"some copy CPU(row) -> GPU(column) bandwidth ({unit})",
            "bandwidth_matrix": [[str(value)]], "sum": value}


NVBANDWIDTH = {"nvbandwidth": {
    "CUDA Runtime Version": 13000, "Driver Version": "580.00", "version": "v0.8", "testcases": [
        testcase("host_to_device_memcpy_ce", 50.25), testcase("host_device_latency_sm", 1000, "ns"),
        {"name": "device_to_device_memcpy_read_ce", "status": "Waived"}]}}

NVBANDWIDTH_TEXT = """nvbandwidth Version: v0.10.0
Built from Git version: v0.10.0

CUDA Runtime Version: 13.0 (13000)
Device 0: Some GPU (00000000:01:00)

Running host_to_device_memcpy_ce.
memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0     50.25     40.50

SUM host_to_device_memcpy_ce 90.75
COEFFICIENT_OF_VARIATION host_to_device_memcpy_ce 0.00

Running device_to_device_memcpy_read_ce.
memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0       N/A    270.00
 1    260.00      0.00

SUM device_to_device_memcpy_read_ce 530.00

Running host_device_latency_sm.
memory latency SM CPU(row) <-> GPU(column) (ns)
           0
 0    999.00

NOTE: The reported results may not reflect the full capabilities of the platform.
"""

BABELSTREAM = """BabelStream
Version: 5.0
Implementation: CUDA
Running kernels 100 times
Precision: double
Array size: {size}
Total size: 805.3 MB (=0.8 GB)
Using CUDA device Some GPU
Driver: 13000
Init: 0.001 s (=800000.0 MBytes/sec)
Read: 0.002 s (=400000.0 MBytes/sec)
Function    {unit}/sec  Min (sec)   Max         Average     {more}
Copy        4000000.000 0.00013     0.00014     0.00013     {more}
Triad       4200000.000 0.00019     0.00020     0.00019     {more}
"""

BABELSTREAM_NEW = """BabelStream
Version: 5.0
Implementation: CUDA
Running  Classic kernels 100 times in  Classic order{more}
Number of elements: 1000001
Precision: float
Array size: 4.0 MB
Total size: 12.0 MB
Function    GB/s        Min (sec)   Max         Average{more}
Triad       4200.500    0.00001     0.00002     0.00001{more}
"""

BABELSTREAM_CSV = """phase,n_elements,sizeof,max_mbytes_per_sec,runtime
Init,33554432,8,800000,0.001
Read,33554432,8,400000,0.002
function,num_times,n_elements,sizeof,{rate},min_runtime,max_runtime,avg_runtime
Copy,100,33554432,8,4.0e+06,0.00013,0.00014,0.00013
Triad,100,33554432,8,4200000,0.00019,0.0002,0.00019
"""


def benchmark(name, **more):
    return {"name": name, "run_name": name, "run_type": "iteration", "iterations": 10, "real_time": 5e6,
            "cpu_time": 1e3, "time_unit": "ns"} | more


COMM_SCOPE_CSV = '''2026-11-21T10:00:00+00:00
Running ./comm_scope
Run on (16 X 2000 MHz CPU s)
name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message,\
"bytes","cuda_id"
"Comm_UM_Prefetch_HostToGPU/0/0/log2(N):28/manual_time",10,5e+06,1000,ns,4.8e+10,,,,,2.68435e+08,0
"Comm_UM_Prefetch_HostToGPU/0/0/log2(N):28/manual_time",10,5e+06,1000,ns,5.2e+10,,,,,2.68435e+08,0
"Comm_UM_Prefetch_HostToGPU/0/0/log2(N):28/manual_time_mean",2,5e+06,1000,ns,5e+10,,,,,2.68435e+08,0
"Comm_UM_Prefetch_HostToGPU/0/0/log2(N):28/manual_time_median",2,5e+06,1000,ns,5e+10,,,,,2.68435e+08,0
"Comm_UM_Prefetch_HostToGPU/0/0/log2(N):28/manual_time_cv",2,5e+06,1000,ns,0,,,,,0,-nan
"Comm_UM_Prefetch_GPUToHost/0/0/log2(N):28/manual_time",,,,,,,,true,"no device, ""here"""
'''

UNIFIED = """Running ........

Overall Time For matrixMultiplyPerf

Printing Average of 20 measurements in (ms)
Size_KB\t UMhint\t UMhntAs\t UMeasy
4\t  0.210\t  0.260\t  0.350
16384\t 16.000\t  8.000\t 32.000

Printing Standard Deviation as % of average of 20 measurements
Size_KB\t UMhint\t UMhntAs\t UMeasy
4\t  5.000\t  6.000\t  7.000

NOTE: The CUDA Samples are not meant for performance measurements.
"""


class Peers(cases.Case):
    def put(self, name, text):
        (self.folder / name).write_text(text if isinstance(text, str) else json.dumps(text, indent=3), encoding="utf-8")

    def read(self, *lines):
        """All rows as (peer, test, bytes, gbs, ms, file). `lines`: what each complaint has to contain, in order."""
        complaints = []
        rows = peer_files.read(self.folder, complaints.append)
        self.assertEqual(len(complaints), len(lines), complaints)
        for complaint, part in zip(complaints, lines):
            self.assertIn(part, complaint)
            self.assertIn(str(self.folder), complaint)
            self.assertNotIn("\n", complaint)
        return [(one["peer"], one["test"], one["bytes"], round(one["gbs"], 6), one["ms"], one["source_file"])
                for one in rows]

    def test_nvbandwidth_json(self):
        "nvbandwidth -j: bandwidths between other lines; no latency, nothing that was waived"
        self.put("x", "WARNING: {{{ \n" + json.dumps(NVBANDWIDTH, indent="\t").replace('": ', '" :\n')
                 + "\nWARNING: }}}")
        self.assertEqual(self.read(), [("nvbandwidth", "host_to_device_memcpy_ce", None, 50.25, None, "x")])

    def test_nvbandwidth_text(self):
        "nvbandwidth's text: the first GPU's cell has the test's name, others their place; N/A and 0 are none"
        self.put("log", NVBANDWIDTH_TEXT)
        self.assertEqual([row[1:4:2] for row in self.read()],
                         [("host_to_device_memcpy_ce", 50.25), ("host_to_device_memcpy_ce[0,1]", 40.5),
                          ("device_to_device_memcpy_read_ce[0,1]", 270), ("device_to_device_memcpy_read_ce[1,0]", 260)])

    def test_nvbandwidth_error(self):
        "an error that nvbandwidth reports is a line; what it measured before counts"
        document = json.loads(json.dumps(NVBANDWIDTH))
        document["nvbandwidth"]["error"] = "[CUDA_ERROR_UNKNOWN] unknown error: here"
        self.put("x.json", document)
        self.assertEqual(len(self.read("CUDA_ERROR_UNKNOWN")), 1)

    def test_babelstream(self):
        "BabelStream's tables: of version 5 in MB and MiB, and of its development branch"
        self.put("1", BABELSTREAM.format(size="268.4 MB (=0.3 GB)", unit="MBytes", more=""))
        self.put("2", BABELSTREAM.format(size="256.0 MiB (=0.2 GiB)", unit="MiBytes", more=" "))
        self.put("3", BABELSTREAM_NEW.format(more="") + BABELSTREAM_NEW.format(more="  ").replace("1000001", "2000002"))
        found = self.read()
        self.assertEqual(found[:2], [("BabelStream", "Copy", 256 * MIB, 4000, None, "1"),
                                     ("BabelStream", "Triad", 256 * MIB, 4200, None, "1")])
        self.assertEqual([row[1:4] for row in found[2:]],
                         [("Copy", 256 * MIB, 4194.304), ("Triad", 256 * MIB, 4404.0192),
                          ("Triad", 4000004, 4200.5), ("Triad", 8000008, 4200.5)])

    def test_babelstream_odd_size(self):
        "an array that is no whole number of MiB has the size that BabelStream shows, to its one digit"
        self.put("1", BABELSTREAM.format(size="268.9 MB (=0.3 GB)", unit="MBytes", more=""))
        self.assertEqual(self.read()[0][2], 268_900_000)

    def test_babelstream_csv(self):
        "BabelStream --csv: kernels, not the phases before them; old and new names of units"
        self.put("old.csv", BABELSTREAM_CSV.format(rate="max_mbytes_per_sec"))
        self.put("new.csv", BABELSTREAM_CSV.format(rate="max_MiB_per_sec"))
        self.assertEqual([row[1:4] for row in self.read()],
                         [("Copy", 256 * MIB, 4194.304), ("Triad", 256 * MIB, 4404.0192),
                          ("Copy", 256 * MIB, 4000), ("Triad", 256 * MIB, 4200)])

    def test_babelstream_triad_only(self):
        "BabelStream --triad-only, as a table and as CSV"
        self.put("1", "BabelStream\nRunning triad 100 times\nNumber of elements: 1048576\nPrecision: float\nArray "
                 "size: 4.2 MB (=0.0 GB)\n"
                 "--------\nRuntime (seconds): 0.5\nBandwidth (GB/s):  4100.5\n")
        self.put("2", "function,num_times,n_elements,sizeof,gibytes_per_sec,runtime\nTriad,100,1048576,4,1000,0.5\n")
        self.assertEqual([row[1:4] for row in self.read()],
                         [("Triad", 4 * MIB, 4100.5), ("Triad", 4 * MIB, 1073.741824)])

    def test_babelstream_wrong(self):
        "figures of a BabelStream whose results were wrong do not count"
        self.put("1", "Validation failed on a[]. Average error 0.5\n" + BABELSTREAM.format(size="268.4 MB",
                                                                                           unit="MBytes", more=""))
        self.assertEqual(self.read("wrong results"), [])

    def test_comm_scope_json(self):
        "Comm|Scope's JSON: GPU 0 without its number; time where no rate is given; no latency; no benchmark of others"
        self.put("c.json", {"context": {"executable": "x"}, "benchmarks": [
            benchmark("Comm_cudaMemcpyAsync_PinnedToGPU/0/0/log2(N):28/manual_time", bytes=256.0 * MIB,
                      bytes_per_second=5e10),
            benchmark("Comm_cudaMemcpyAsync_PinnedToGPU/0/1/log2(N):28/manual_time", bytes=256.0 * MIB,
                      bytes_per_second=4e10),
            benchmark("Comm_UM_Prefetch_HostToGPU/0/0/24/manual_time", bytes=16.0 * MIB, real_time=500.0,
                      time_unit="us"),
            benchmark("Comm_UM_Latency_GPUToHost/0/0/log2(N):10"), benchmark("Example/0", bytes_per_second=1e9)]})
        self.assertEqual([row[:4] for row in self.read()], [
            ("Comm|Scope", "Comm_cudaMemcpyAsync_PinnedToGPU", 256 * MIB, 50),
            ("Comm|Scope", "Comm_cudaMemcpyAsync_PinnedToGPU/0/1", 256 * MIB, 40),
            ("Comm|Scope", "Comm_UM_Prefetch_HostToGPU", 16 * MIB, 33.554432)])

    def test_comm_scope_csv(self):
        "Comm|Scope's CSV: whole sizes from six digits, the median of repetitions, a line for what failed"
        self.put("c", COMM_SCOPE_CSV)
        self.assertEqual(self.read('no device, "here"'),
                         [("Comm|Scope", "Comm_UM_Prefetch_HostToGPU", 256 * MIB, 50, None, "c")])

    def test_comm_scope_not_measured(self):
        "Comm|Scope's demand migration to the host, which measures no transfer, is left out and says so"
        self.put("c", {"benchmarks": [benchmark("Comm_UM_Demand_GPUToHost/0/0/log2(N):28", bytes=256.0 * MIB,
                                                bytes_per_second=1.5e13)]})
        self.assertEqual(self.read("Comm_UM_Demand_GPUToHost is left out", "no bandwidth"), [])

    def test_unified_memory_perf(self):
        "UnifiedMemoryPerf: the times and one matrix's bytes over them; no standard deviations; tabs or commas"
        self.put("1", UNIFIED)
        self.put("2.csv", UNIFIED.replace("\t ", ",").replace("\t", ","))
        found = self.read()
        self.assertEqual(len(found), 12)
        self.assertEqual(found[3:6], [("UnifiedMemoryPerf", name, 16 * MIB, round(16 * MIB / ms / 1e6, 6), ms, "1")
                                      for name, ms in (("UMhint", 16.0), ("UMhntAs", 8.0), ("UMeasy", 32.0))])
        self.assertEqual([row[:5] for row in found[:6]], [row[:5] for row in found[6:]])

    def test_unified_memory_perf_parts(self):
        ("UnifiedMemoryPerf -reportAsBandwidth -print-launch-transfer-results: MiB/s, each part by name, no part that "
         "took no time")
        self.put("1", "Running .\n\nCPU to GPU Transfer Calls Time For matrixMultiplyPerf \n\nPrinting Average of 5 "
                 "measurements in (MB/s)\n"
                 "Size_KB\t UMhint\t UMeasy\n1024\t1000.00\t    inf\n\nNOTE\n")
        self.assertEqual([row[1:5] for row in self.read()],
                         [("UMhint: CPU to GPU Transfer Calls Time", MIB, 1.048576, None)])

    def test_broken(self):
        "broken, unknown, empty, endless and binary files are one line each; others beside them are read"
        self.put("a.json", json.dumps(NVBANDWIDTH, indent=1)[:300])
        self.put("b.txt", "hello\n")
        self.put("c.txt", "")
        os.mkfifo(self.folder / "d")
        (self.folder / "e").write_bytes(bytes(range(256)) * 100)
        self.put("f.txt", NVBANDWIDTH_TEXT.replace("50.25", "fast"))
        self.put("g.txt", NVBANDWIDTH_TEXT)
        self.put("h.csv", COMM_SCOPE_CSV.split("4.8e+10")[0])
        self.put("i.json", {"nvbandwidth": {"testcases": [{"bandwidth_description": "(GB/s)"}]}})
        (self.folder / "j").symlink_to("nowhere")
        (self.folder / ".hidden").write_text("x")
        (self.folder / "folder").mkdir()
        found = self.read("broken JSON", "nothing that", "empty", "not a file", "nothing that", "'fast'", "columns",
                          "no bandwidth", "KeyError", "not a file")
        self.assertEqual({row[5] for row in found}, {"g.txt"})

    def test_command(self):
        "the command prints a table, and ends with 2 for a folder that is not there, with 1 where nothing was found"
        script = cases.ROOT / "bench/peer_files.py"
        self.assertIn("no such folder", self.call(sys.executable, script, self.folder / "no", status=2).stderr)
        self.call(sys.executable, script, self.folder, status=1)
        self.put("u", UNIFIED)
        lines = self.call(sys.executable, script, self.folder).stdout.splitlines()
        self.assertEqual(len(lines), 7)
        self.assertEqual(lines[4].split(), ["UnifiedMemoryPerf", "UMhint", "16,777,216", "1.049", "16", "u"])


if __name__ == "__main__":
    sys.exit(cases.main())
