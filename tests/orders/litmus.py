#!/usr/bin/env python3
"""The orders of memory that the simulator's protocols rest on, in C11's model: all executions of each are tried.

    tests/orders/litmus.py [PART OF A PROTOCOL'S NAME]

First the model itself is checked by litmus tests whose verdicts are known (classic.py). Then each protocol
(protocols.py) is tried with the orders that its statements have in sim/, which are read from the sources, and must
hold; then with each of its orders weakened, and must fail. An emulator on x86-64 shows no weak order, so this is how
it is known that the protocols hold on arm64, too (docs/memory-order.md).
"""
import re
import sys
from pathlib import Path

from classic import CLASSIC
from model import ACQ, AR, NA, NO_END, REL, RLX, SC, judge
from protocols import PROTOCOLS

SIM = Path(__file__).resolve().parents[2] / "sim"
NAMES = {"relaxed": RLX, "consume": RLX, "acquire": ACQ, "release": REL, "acq_rel": AR, "seq_cst": SC}
STRENGTH = (NA, RLX, ACQ, REL, AR, SC)


class Unread(Exception):
    """A source that has no such statement."""


def calls(text, function, argument):
    """The texts of all calls of a function whose first argument is this one."""
    for start in re.finditer(rf"\b{function}(?:_explicit)?\s*\(\s*{re.escape(argument)}(?=\s*[,)])", text):
        depth, end = 1, text.index("(", start.start()) + 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield text[start.start():end]


def order_of(where):
    """The weakest order that a statement has in the sources; of four parts, the last says which of several it is."""
    file, function, argument = where[:3]
    text = re.sub(r"/\*.*?\*/", "", (SIM / file).read_text(encoding="utf-8"), flags=re.S)
    if function == "atomic_thread_fence":
        if not re.search(rf"\b{function}\(memory_order_{'acquire' if argument == ACQ else 'release'}\)", text):
            raise Unread(f"sim/{file} has no {function}() with {argument}")
        return argument
    found = [NAMES[(re.findall(r"memory_order_(\w+)", call) or ["seq_cst"])[0]]
             for call in calls(text, function, argument)]
    if len(where) > 3:
        found = [order for order in found if order == where[3]]
    if not found:
        raise Unread(f"sim/{file} has no {function}({argument}{', ... ' + where[3] if len(where) > 3 else ''}): "
                     "tests/orders/protocols.py has to follow the sources")
    return min(found, key=STRENGTH.index)


class Told:
    """Counts and tells."""

    def __init__(self):
        self.passed = self.failed = 0

    def tell(self, name, why=""):
        self.passed += not why
        self.failed += bool(why)
        print(f"{'FAIL' if why else 'ok'} {name}{': ' + why if why else ''}", flush=True)


def check_model(told):
    for name, (threads, bad), allowed in CLASSIC:
        is_allowed = bool(judge(threads, {"x": 0, "y": 0}, bad))
        told.tell(f"litmus {name}", "" if is_allowed == allowed else
                  f"the model {'allows' if is_allowed else 'forbids'} it, and C11 does not")


def check(told, name, orders, mutants, make):
    try:
        right = {key: where if isinstance(where, str) else order_of(where) for key, where in orders.items()}
    except Unread as error:
        told.tell(name, str(error))
        return
    told.tell(name, judge(*make(right)))
    for mutant in mutants:
        shown = ", ".join(f"{key} {right[key]} -> {weaker}" for key, weaker in mutant.items())
        told.tell(f"{name.split(':')[0]}, {shown}, is found",
                  "" if judge(*make(right | mutant)) not in ("", NO_END) else
                  "it holds as well: the mistake is none, or is not seen")


def main():
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    if not any(part in name for name, *_ in PROTOCOLS):
        print(f"litmus.py: no protocol has {part!r} in its name", file=sys.stderr)
        return 2
    told = Told()
    check_model(told)
    for name, orders, mutants, make in PROTOCOLS:
        if part in name:
            check(told, name, orders, mutants, make)
    print(f"{told.passed} passed, {told.failed} failed")
    return 1 if told.failed else 0


if __name__ == "__main__":
    sys.exit(main())
