#!/usr/bin/env python3
"""The processes behind two devices: that each runs its own launches only, and what ends with what.

    tests/peers/processes.py [--build build/sim]

They share one ring of launches and the tables that a launch uses, so a process that is late, or a launch that begins
before the last one was looked at, must change nothing.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = []


def ask(what, **environment):
    """@return (what it printed, what was said on stderr)"""
    whole = {**os.environ, "UMSIM_PROFILE": "h200-nvlink2"}
    whole.pop("CUDA_VISIBLE_DEVICES", None)
    run = subprocess.run([*PROGRAM, what], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                         timeout=120, env={**whole, **environment})
    return run.stdout.strip(), run.stderr


def lives(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def paging(what):
    """What a trace tells of paging, without times."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace"
        printed, _ = ask(what, UMSIM_TRACE=str(path))
        events = [json.loads(line) for line in path.read_text().splitlines()]
    counts = {}
    for event in events:
        if "Fault" in event["event"] or "Migrat" in event["event"]:
            counts[event["event"]] = counts.get(event["event"], 0) + 1
    return printed, counts


class Processes(unittest.TestCase):
    def test_a_process_that_was_held_up_runs_its_own_launches_only(self):
        self.assertEqual(ask("hold up")[0], "cudaSuccess 256 1")

    def test_what_both_print_is_all_there(self):
        for schedule in ("lazy", "eager", "random:7"):
            lines = ask("print", UMSIM_SCHED=schedule)[0].splitlines()
            for device in range(2):
                own = [line for line in lines if line.startswith(f"line {device} ")]
                self.assertEqual(own, [f"line {device} {launch} {block} {i}" for launch in range(100)
                                       for block in range(4) for i in range(50)], schedule)

    def test_a_program_that_is_killed_leaves_no_process(self):
        processes = ask("be killed")[0].split()
        self.assertEqual(len(processes), 2)
        self.assertNotIn("0", processes)
        until = time.monotonic() + 10
        while time.monotonic() < until and any(map(lives, processes)):
            time.sleep(0.05)
        left = list(filter(lives, processes))
        for process in left:
            os.kill(int(process), 9)
        self.assertFalse(left, "alive 10 s after their program")

    def test_a_variable_may_be_what_the_first_call_is_about(self):
        self.assertEqual(ask("symbol")[0], "cudaSuccess 5 7")

    def test_a_reset_ends_access_to_a_peer(self):
        self.assertEqual(ask("reset")[0], "cudaSuccess cudaSuccess cudaErrorIllegalAddress")

    def test_a_reset_ends_what_kernels_have_taken(self):
        for profile in ("h200-nvlink2", "h200-pcie5"):
            self.assertEqual(ask("heap", UMSIM_PROFILE=profile)[0], "cudaSuccess cudaSuccess cudaErrorIllegalAddress")

    def test_a_node_of_an_executable_graph_that_is_changed_keeps_its_device(self):
        self.assertEqual(ask("node")[0], "102 0 2")

    def test_launches_of_1_change_nothing_about_managed_variables(self):
        alone, beside = paging("managed"), paging("managed beside 1")
        self.assertEqual(alone[0], "6")
        self.assertTrue(alone[1], "the trace tells of no paging")
        self.assertEqual(beside, alone)

    def test_managed_variables_are_sent_to_1(self):
        self.assertEqual(ask("prefetch")[0], "cudaSuccess cudaSuccess")

    def test_a_fault_of_a_kernel_that_a_kernel_launched_names_its_device(self):
        printed, said = ask("child")
        self.assertEqual(printed, "cudaErrorIllegalAddress")
        self.assertIn("the kernel runs on device 1, which does not map device 0's memory", said)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/sim")
    options, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        PROGRAM[:] = [Path(folder) / "processes"]
        subprocess.run([options.build.resolve() / "bin/umcc", "-rdc=true", "-o", *PROGRAM,
                        HERE / "told/processes.cu"], check=True)
        unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
