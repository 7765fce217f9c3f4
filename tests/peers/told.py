#!/usr/bin/env python3
"""What the simulator says of several devices in words, what it refuses, and which devices a program sees.

    tests/peers/told.py [--build build/sim]

A fault has to name both devices and the call that is missing; what is refused has to say what to do instead.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build/sim"
PROGRAMS = {}


def ask(what="devices", profile="h200-nvlink2", program="plain", **environment):
    """@return (what it printed, what was said on stderr)"""
    whole = {**os.environ, "UMSIM_PROFILE": str(profile)}
    whole.pop("CUDA_VISIBLE_DEVICES", None)
    run = subprocess.run([PROGRAMS[program], what], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         check=False, env={**whole, **environment})
    return run.stdout.strip(), run.stderr


class Told(unittest.TestCase):
    def test_a_fault_names_both_devices_and_the_missing_call(self):
        printed, said = ask("follow")
        self.assertEqual(printed, "cudaErrorIllegalAddress")
        for part in ("kernel write_to", "from device 0", "64 bytes into a 4096-byte cudaMalloc allocation",
                     "on device 1", "the kernel runs on device 0",
                     "with device 0 current, call cudaDeviceEnablePeerAccess(1, 0)"):
            self.assertIn(part, said)

    def test_of_a_pool_the_missing_call_is_another_one(self):
        printed, said = ask("pool")
        self.assertEqual(printed, "cudaErrorIllegalAddress")
        self.assertIn("give device 0 access: cudaMemPoolSetAccess()", said)
        self.assertNotIn("cudaDeviceEnablePeerAccess", said)

    def test_a_variable_is_its_own_devices(self):
        printed, said = ask("follow variable")
        self.assertEqual(printed, "cudaErrorIllegalAddress")
        self.assertIn("each device's variables are reached by its own", said)
        self.assertNotIn("cudaDeviceEnablePeerAccess", said)

    def test_a_heap_is_its_own_devices(self):
        printed, said = ask("follow heap")
        self.assertEqual(printed, "cudaErrorIllegalAddress")
        self.assertIn("in the heap of malloc() and new in kernels of device 1", said)
        self.assertIn("the kernel runs on device 0, and each device's heap is reached by its own kernels", said)

    def test_calls_with_the_wrong_device_current_are_told_so(self):
        said = ask("use pool")[1]
        self.assertIn("cudaMemcpy", said)
        self.assertIn("It is of a pool of device 1, and device 0, which is current, is not on its access list", said)
        said = ask("use")[1]
        self.assertIn("cudaMemset", said)
        self.assertIn("It is device 1's, and a stream's device fills memory: device 0, which is current", said)

    def test_devices_that_cannot_reach_each_other_are_told_so(self):
        printed, said = ask("follow", profile="h200-pair")
        self.assertEqual(printed, "cudaErrorIllegalAddress")
        self.assertIn("these devices cannot reach each other", said)
        self.assertIn("cudaMemcpyPeer()", said)

    def test_devices_that_cannot_fault_have_no_managed_memory_together(self):
        with tempfile.TemporaryDirectory() as folder:
            limited = json.loads((ROOT / "profiles/limited.json").read_text())
            peers = json.loads((ROOT / "profiles/h200-nvlink2.json").read_text())["peers"]
            path = Path(folder) / "pair.json"
            path.write_text(json.dumps({**limited, "name": "pair", "base": str(ROOT / "profiles/limited.json"),
                                        "peers": peers}))
            printed, said = ask("managed", profile=path)
            self.assertEqual(printed, "cudaErrorNotSupported")
            self.assertIn("concurrentManagedAccess is 0", said)
            self.assertIn("CUDA_VISIBLE_DEVICES=0", said)
            self.assertEqual(ask("managed", profile=path, CUDA_VISIBLE_DEVICES="1")[0], "cudaSuccess")

    def test_managed_variables_are_everybodys(self):
        for device in "01":
            self.assertEqual(ask(f"variable {device}")[0], "cudaSuccess 5")

    def test_places_may_be_devices_numbers(self):
        for program in ("plain", "cuda12"):
            self.assertEqual(ask("by number", program=program)[0],
                             "1 1 cudaErrorInvalidDevice cudaErrorInvalidValue", program)

    def test_a_trace_tells_where_managed_pages_come_from(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace"
            self.assertEqual(ask("to and fro", UMSIM_TRACE=str(path))[0], "cudaSuccess 6")
            events = [json.loads(line) for line in path.read_text().splitlines()]
        moves = [(event.get("from"), event.get("from_device"), event["processor"], event.get("device"))
                 for event in events if event["event"] == "Migration"]
        self.assertEqual(sorted(set(moves), key=moves.index),
                         [("CPU", None, "GPU", 0), ("GPU", 0, "GPU", 1), ("GPU", 1, "CPU", None)])
        faults = [event["device"] for event in events if event["event"] == "GpuFault"]
        self.assertEqual(sorted(set(faults), key=faults.index), [0, 1])

    def test_a_checked_program_is_told_the_same(self):
        self.assertEqual(ask(program="checked")[0], ask()[0])
        printed, said = ask("follow", program="checked")
        self.assertEqual(printed, "cudaErrorIllegalAddress")
        self.assertIn("with device 0 current, call cudaDeviceEnablePeerAccess(1, 0)", said)

    def test_visible_devices_are_numbered_anew(self):
        first, second = (ask(CUDA_VISIBLE_DEVICES=number)[0].split()[2] for number in "01")
        self.assertNotEqual(first, second)
        for visible, count, bus in (("0,1", 2, first), ("1,0", 2, second), ("1", 1, second), ("0,5,1", 1, first)):
            self.assertEqual(ask(CUDA_VISIBLE_DEVICES=visible)[0], f"cudaSuccess {count} {bus}", visible)
        for visible in ("", "5", "-1", "0,0"):
            self.assertTrue(ask(CUDA_VISIBLE_DEVICES=visible)[0].startswith("cudaErrorNoDevice"), visible)

    def test_one_device_does_not_look_at_the_variable(self):
        self.assertEqual(ask(profile="h200-pcie5", CUDA_VISIBLE_DEVICES="3")[0],
                         ask(profile="h200-pcie5")[0])

    def traced(self, what, **environment):
        """The lines of a program's trace."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace"
            ask(what, UMSIM_TRACE=str(path), **environment)
            return [json.loads(line) for line in path.read_text().splitlines()]

    def test_a_trace_tells_devices_apart(self):
        lines = self.traced("all")
        self.assertEqual(lines[0]["devices"], 2)
        kernels = [event for event in lines if event["event"] == "kernel"]
        self.assertEqual([(event["device"], event["engine"]) for event in kernels], [(0, "compute"), (1, "compute")])
        between = [event for event in lines if event.get("detail") == "PtoP"]
        self.assertEqual([(event["device"], event["engine"], event["from_device"], event["to_device"])
                          for event in between], [(1, "DtoH", 1, 0)])  # without access: by the host's memory
        home = [event for event in lines if event.get("detail") == "DtoH"]
        self.assertEqual({(event["device"], event["engine"], event["from_device"], event.get("to_device"))
                          for event in home}, {(1, "DtoH", 0, None), (1, "DtoH", 1, None)})

    def test_a_trace_tells_whose_memory_is_made_and_who_was_current(self):
        lines = self.traced("all")
        made = [event for event in lines if event["event"] == "allocation"]
        self.assertEqual([event["device"] for event in made if event["call"] == "cudaMalloc"], [0, 1])
        variables = [event.get("device") for event in made if event["kind"] == "device variables"]
        self.assertEqual(sorted(variables, key=str), [0, 1, None])  # each device's copy, and the loader's place
        self.assertFalse([event for event in made if event["kind"].startswith("managed") and "device" in event])
        for kind in ("call", "return"):
            current = [event["device"] for event in lines if event["event"] == kind and event["name"] == "cudaMalloc"]
            self.assertEqual(current, [0, 1])

    def test_a_trace_tells_whose_mappings_advice_ends(self):
        ended = [event for event in self.traced("advise") if event["event"] == "UnmapRemote"]
        self.assertEqual([event["device"] for event in ended], [1, 0, 1])  # prefers device 1; then ReadMostly

    def test_with_one_device_a_trace_has_no_key_of_several(self):
        several = {"devices", "device", "from", "engine", "from_device", "to_device"}
        for what in ("all", "to and fro", "advise"):
            for profile, environment in (("h200-pcie5", {}), ("h200-nvlink2", {"CUDA_VISIBLE_DEVICES": "1"})):
                lines = self.traced(what, profile=profile, **environment)
                self.assertGreater(len(lines), 5)
                self.assertFalse([event for event in lines if several & set(event)])

    def test_eight_devices_work_and_nine_are_refused(self):
        for count, expected in ((8, "8 of 8"), (9, "")):
            with tempfile.TemporaryDirectory() as folder:
                profile = json.loads((ROOT / "profiles/h200-nvlink2.json").read_text())
                profile.update(name="several", base=str(ROOT / "profiles/h200-nvlink2.json"), peers={
                    "devices": {"value": count, "unit": "count", "source": "assumed"}})
                path = Path(folder) / "several.json"
                path.write_text(json.dumps(profile))
                for capacity in ("host", "profile"):
                    printed, said = ask("all", profile=path, UMSIM_CAPACITY=capacity)
                    self.assertEqual(printed, expected, said)
        self.assertIn("peers.devices: more than 8", said)


def main():
    global BUILD
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=BUILD)
    options, rest = parser.parse_known_args()
    umcc = options.build.resolve() / "bin/umcc"
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in (("plain", []), ("checked", ["--check"]), ("cuda12", ["-DUMSIM_CUDA12"])):
            PROGRAMS[name] = Path(folder) / name
            subprocess.run([umcc, *flags, "-o", PROGRAMS[name], HERE / "told/told.cu"], check=True)
        unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
