#!/usr/bin/env python3
"""The site's playground beside the simulator: random scenarios run on the paging policy alone (build/sim/docs/play) and
as programs (build/sim/test/playground), and every count, every page and every nanosecond has to be the same.

    tests/playground/run.py [PART OF A NAME...]

`make test` takes a quarter of the 500, and at the next commit another one (UM_TURN); with UM_LONG=1 all.
"""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import scenarios  # noqa: E402
from support import cases  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).absolute()
PLAY, PROGRAM = BUILD / "docs/play", BUILD / "test/playground"
COUNT, OF_TWO, PARTS = 500, 500, 4
# What the two have to tell in the same way; how a refusal is worded is left to each.
SETTINGS = ("profile", "device")
# Both sides fight over a word until it is pinned; that lasts 150 ms, after which the fight begins anew.
PIN_ENDS = "array 4M;host write walk;" + 20 * "turns 1000 0 4;" + "gpu write walk;host write walk"


def chosen(count):
    turn = int(os.environ.get("UM_TURN") or 0)
    return [number for number in range(count) if os.environ.get("UM_LONG") or number % PARTS == turn % PARTS]


def played(texts):
    done = subprocess.run([PLAY], input="\n".join(texts) + "\n", capture_output=True, text=True, timeout=600,
                          check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def alike(steps):
    """The steps without the words of a refusal."""
    return [{"error": True} if "error" in step else step for step in steps]


class Playground(cases.Case):
    def profile(self, text):
        """The machine of a scenario: with a device of another size, a profile of its own."""
        said = dict(line.split(" ", 1) for line in text.split(";") if line.startswith(SETTINGS))
        if "device" not in said:
            return said.get("profile", "h200-pcie5")
        bytes_free = int(said["device"].removesuffix("M")) << 20
        base = cases.ROOT / f"profiles/{said['profile']}.json"
        capacity = json.loads(base.read_text()).get("capacity", {})
        if "free_at_start" in capacity:
            bytes_free = min(bytes_free, capacity["free_at_start"]["value"])
        path = self.folder / f"{said['profile']}-{bytes_free}.json"
        if path.exists():  # others may be reading it
            return str(path)
        free = {"value": bytes_free, "unit": "bytes", "source": "assumed", "note": "the scenario's"}
        path.write_text(json.dumps({
            "schema": "umsim-profile/1", "name": path.stem, "base": str(base), "device": "made up",
            "conditions": "none", "capacity": {"free_at_start": free}}))
        return str(path)

    def run_program(self, text):
        env = {key: value for key, value in os.environ.items() if not key.startswith("UMSIM_")}
        done = subprocess.run([PROGRAM, text], env=env | {"UMSIM_PROFILE": self.profile(text)}, capture_output=True,
                              text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def test_scenarios(self):
        "playground: random scenarios have the simulator's counts, pages and times"
        self.same([scenarios.make(number) for number in chosen(COUNT)], "cpu_faults")

    def test_two_gpus(self):
        "playground: random scenarios of the host and two GPUs, too: with a link between them, without, of two kinds"
        self.same([scenarios.make_of_two(number) for number in chosen(OF_TWO)], "gpu_fault_groups")

    def same(self, texts, counted):
        for text in texts:
            self.profile(text)  # written before they are read by several at a time
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            ran = list(pool.map(self.run_program, texts))
        differ, steps, faults = [], 0, 0
        for text, mine, other in zip(texts, played(texts), ran):
            steps, faults = steps + len(other), faults + sum(step.get(counted, 0) for step in other)
            if alike(mine) != alike(other):
                at = next((i for i, (a, b) in enumerate(zip(alike(mine), alike(other))) if a != b), len(other))
                differ.append(f"{text}\n  step {at}: {mine[at:at + 1]}\n  simulator: {other[at:at + 1]}")
        self.assertTrue(not differ, f"{len(differ)} of {len(texts)}\n" + "\n".join(differ[:3]))
        self.assertGreater(faults, 10 * len(texts))
        print(f"  {len(texts)} scenarios, {steps} steps, {faults} {counted}: equal")

    def test_pin_ends(self):
        "playground: a pinned page is pinned no more after its time, in the same step as in the simulator"
        (mine,), other = played([PIN_ENDS]), self.run_program(PIN_ENDS)
        self.assertEqual(mine, other)
        turns = [step["thrashing"] > 0 for step in mine[1:-2]]
        self.assertEqual((turns[0], turns[1], any(turns[2:])), (True, False, True))

    def test_refusals(self):
        "playground: what a text lacks is said in one sentence, with the line"
        for text, part in (("array 3", "4 bytes to 64M"), ("array 4M;host walk", "line 2: it neither reads"),
                           ("array 1M;gpu read byte 2M", "behind the array"), ("host write stride 0", "stride of 0"),
                           ("host write walk 1M 2M", "are not in the array"), ("profile none", "no such profile"),
                           ("prefetch", "where to?"), ("turns 0", "so many turns"), ("dance", "no such step"),
                           ("host read byte 1 2 3 4 5 6 7 8 9", "goes on behind its end"), ("array 64MM", "a number"),
                           ("array 4M;gpu1 read walk", "this machine has one GPU"),
                           ("advise accessed gpu2", "whose?"), ("gpu2 read walk", "no such step")):
            (steps,) = played([text])
            self.assertIn(part, steps[0].get("error", ""), text)


def setUpModule():
    for path in (PLAY, PROGRAM):
        if not path.is_file():
            raise cases.Skip(f"no {path.name} here: make built")


if __name__ == "__main__":
    sys.exit(cases.main())
