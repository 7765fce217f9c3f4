#!/usr/bin/env python3
"""Devices of different profiles in one machine: each has its own size and speed.

    tests/peers/mixed.py [--build build/sim]

What a device answers here has to be what a machine of one such device answers: the second implementation is the same
program on that profile alone.
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
PROFILES = ROOT / "profiles"
PROGRAM = []


def ask(profile, *arguments, **environment):
    """@return (lines that it printed, what was said on stderr)"""
    whole = {**os.environ, "UMSIM_PROFILE": str(profile), "UMSIM_CAPACITY": "profile", "UMSIM_CLOCK": "real"}
    whole.pop("CUDA_VISIBLE_DEVICES", None)
    run = subprocess.run([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         check=False, timeout=120, env={**whole, **environment})
    return run.stdout.splitlines(), run.stderr


def without_number(line):
    return line.split("|", 1)[1]


class Mixed(unittest.TestCase):
    def written(self, folder, **keys):
        path = Path(folder) / "mixed.json"
        profile = json.loads((PROFILES / "h200-mixed.json").read_text())
        path.write_text(json.dumps({**profile, "base": str(PROFILES / "h200-nvlink2.json"), **keys}))
        return path

    def test_each_device_is_as_it_is_alone(self):
        both = ask("h200-mixed")[0]
        self.assertEqual(len(both), 2)
        self.assertEqual([without_number(line) for line in both],
                         [without_number(ask(name)[0][0]) for name in ("h200-pcie5", "h200-half")])
        self.assertNotEqual(*[without_number(line) for line in both])

    def test_the_smaller_one_has_less_and_takes_longer(self):
        rows = [line.split("|") for line in ask("h200-mixed")[0]]
        self.assertEqual([row[3] for row in rows], ["132", "66"])
        for row in rows:
            self.assertEqual(row[-3:-1], ["cudaSuccess", "cudaErrorMemoryAllocation"])
        times = [float(row[-1]) for row in rows]
        self.assertGreater(times[1], 1.6 * times[0])

    def test_numbers_go_with_the_devices(self):
        both = [without_number(line) for line in ask("h200-mixed")[0]]
        swapped = [without_number(line) for line in ask("h200-mixed", CUDA_VISIBLE_DEVICES="1,0")[0]]
        self.assertEqual(swapped, both[::-1])
        alone = [without_number(line) for line in ask("h200-mixed", CUDA_VISIBLE_DEVICES="1")[0]]
        self.assertEqual(alone, both[1:])

    def test_each_device_evicts_at_its_own_size(self):
        with tempfile.TemporaryDirectory() as folder:
            small = {name: {"value": value << 20, "unit": "bytes", "source": "assumed"}
                     for name, value in (("total_global_memory", 64), ("free_at_start", 60))}
            other = Path(folder) / "small.json"
            other.write_text(json.dumps({**json.loads((PROFILES / "h200-half.json").read_text()), "name": "small",
                                         "base": str(PROFILES / "h200-pcie5.json"), "capacity": small}))
            large = {name: {**figure, "value": 2 * figure["value"]} for name, figure in small.items()}
            path = self.written(folder, capacity=large, others=["small"])
            self.assertEqual(ask(path, "oversubscribe")[0], ["cudaSuccess 1", "cudaSuccess 1"])

    def test_what_does_not_go_together_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for others, expected in (
                    (["limited"], "devices of one machine may not differ in it"),
                    (["h200-half", "h200-half"], "others: 2 names, and peers.devices is 2: one less at most"),
                    (["absent"], 'no profile named "absent"'),
                    ("h200-half", "others: must be an array"),
                    ([1], "others: must be names of profiles"),
                    (["x" * 64], "others: longer than 63 characters")):
                said = ask(self.written(folder, others=others))[1]
                self.assertIn(expected, said)
                self.assertEqual(said.count("\n"), 1, said)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/sim")
    options, rest = parser.parse_known_args()
    umcc = options.build.resolve() / "bin/umcc"
    if not umcc.exists():
        sys.exit(f"{umcc} is not there: make BACKEND=sim")
    with tempfile.TemporaryDirectory() as folder:
        PROGRAM.append(Path(folder) / "mixed")
        subprocess.run([umcc, "-o", PROGRAM[0], HERE / "told/mixed.cu"], check=True)
        unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
