#!/usr/bin/env python3
"""What launches take on one processor beside what they take on another: as UMSIM_EXPLAIN=launch tells it.

    tests/arm64/times.py tell FOLDER PROGRAM...     runs each; what it told lies in FOLDER, in a file of its name
    tests/arm64/times.py compare HERE THERE         two such folders, of the same programs

A launch is told where its kernel's shape, or what bounds it, is another one than before. So both tell the same shapes
in the same order for the first time, or they ran other kernels. Where two things bound a launch nearly alike, one of
both may tell it once more: not often. `compare` prints a line, `ok times: ...` or `FAIL times: ...` with what is wrong
below it. Of all launches LIKE have to take the same within 1%, CLOSE within 5%.
"""
import concurrent.futures
import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

LAUNCH = re.compile(r"^umsim: (?P<shape>.+<<<.+>>>) takes (?P<us>[0-9.]+) us[, ]")
# (what a time may be off by, the part of launches of which it is not more)
LIKE, CLOSE = (0.01, 0.88), (0.05, 0.95)
ALONE = 0.05  # the most that one of both tells and the other does not, as a part of those that both tell
WORST = 8  # so many are named


def launches(told):
    """[(kernel and shape, microseconds)] of what a program has told."""
    found = (LAUNCH.match(line) for line in told.splitlines())
    return [(each["shape"], float(each["us"])) for each in found if each]


def off_by(here, there):
    """The part of `here` that `there` is longer or shorter."""
    return abs(there - here) / here if here else float(there != here)


def shapes(told):
    return [shape for shape, _ in told]


def parting(here, there):
    """A line about the first shape that is not new at the same place, or None."""
    here, there = (list(dict.fromkeys(shapes(told))) for told in (here, there))
    for number in range(max(len(here), len(there))):
        one, other = (told[number] if number < len(told) else "none" for told in (here, there))
        if one != other:
            return f"shape {number + 1} is {other}, not {one}"
    return None


def paired(here, there):
    """[(shape, here, there)] of launches that both tell."""
    blocks = difflib.SequenceMatcher(None, shapes(here), shapes(there), autojunk=False).get_matching_blocks()
    return [(*here[block.a + i], there[block.b + i][1]) for block in blocks for i in range(block.size)]


def too_few(pairs, within, wanted):
    """What to say of launches that are not within a part of each other, sorted: nothing if there are enough."""
    enough = sum(pair[0] <= within + 1e-9 for pair in pairs)
    if enough >= wanted * len(pairs):
        return []
    return [f"{enough} of {len(pairs)} launches take the same within {within:.0%}, not {wanted:.0%} of them:"] + \
        [f"  {program}: {shape} takes {other:.2f} us, not {one:.2f}"
         for off, program, shape, one, other in pairs[:WORST] if off > within]


def compared(here, there):
    """({program: what it told} twice). @return (what is wrong: lines, a sum in words)"""
    wrong, pairs, alone = [], [], 0
    for program in sorted(set(here) | set(there)):
        if program not in here or program not in there:
            wrong.append(f"{program}: ran on one of both only")
            continue
        told = launches(here[program]), launches(there[program])
        same, parts = paired(*told), parting(*told)
        pairs += [(off_by(one, other), program, shape, one, other) for shape, one, other in same]
        alone += sum(len(each) - len(same) for each in told)
        if parts:
            wrong.append(f"{program}: {parts}")
    pairs.sort(key=lambda pair: -pair[0])
    for within, wanted in (LIKE, CLOSE):
        wrong += too_few(pairs, within, wanted)
    if alone > ALONE * len(pairs):
        wrong.append(f"{alone} launches are told by one of both only, and {len(pairs)} by both")
    if not pairs:
        wrong.append("no launch was told")
    said = [f"{sum(pair[0] <= within + 1e-9 for pair in pairs)} within {within:.0%}" for within, _ in (LIKE, CLOSE)]
    return wrong, f"{len(pairs)} launches of {len(here)} programs, {', '.join(said)}, {alone} told by one only"


def tell(folder, programs):
    """What the programs tell, a file each; of one that fails none. @return 1 if one did"""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()

    def failed(program):
        try:
            done = subprocess.run([program], env={**os.environ, "UMSIM_EXPLAIN": "launch"}, check=False, text=True,
                                  errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE)
        except OSError as error:
            print(f"{program} cannot be run: {error}")
            return True
        if done.returncode not in (0, 2):  # 2: skipped, before or behind some launches
            print(f"{program} ended with {done.returncode}: {done.stderr[-500:]}")
            return True
        (folder / Path(program).name).write_text(done.stderr)
        return False

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return int(any(list(pool.map(failed, programs))))


def read(folder):
    return {path.name: path.read_text() for path in folder.iterdir()} if folder.is_dir() else {}


def compare(here, there):
    """Two folders. @return whether they are alike"""
    wrong, said = compared(read(here), read(there))
    print(f"{'FAIL' if wrong else 'ok'} times: {said}")
    for line in wrong:
        print(f"        {line}")
    return not wrong


def main(arguments):
    if len(arguments) > 2 and arguments[0] == "tell":
        return tell(Path(arguments[1]), arguments[2:])
    if len(arguments) == 3 and arguments[0] == "compare":
        return 0 if compare(Path(arguments[1]), Path(arguments[2])) else 1
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
