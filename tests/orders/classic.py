"""Litmus tests whose verdicts are known: they check the checker (model.py)."""
from model import ACQ, AR, NA, REL, RLX, SC, fence, load, store, update


def passing(write, read, data=RLX):
    """MP: a flag behind data."""
    return [[store("x", 1, data), store("y", 1, write)], [load("a", "y", read), load("b", "x", data)]], \
        lambda r, _: r[1] == {"a": 1, "b": 0}


def passing_fences(first, second):
    """MP with fences."""
    return [[store("x", 1, RLX), fence(first), store("y", 1, RLX)],
            [load("a", "y", RLX), fence(second), load("b", "x", RLX)]], lambda r, _: r[1] == {"a": 1, "b": 0}


def passing_on(middle):
    """MP whose flag another thread has counted up in between: the release sequence."""
    return [[store("x", 1, RLX), store("y", 1, REL)], [update("c", "y", lambda v: v + 1, middle)],
            [load("a", "y", ACQ), load("b", "x", RLX)]], lambda r, _: r[2] == {"a": 2, "b": 0} and r[1]["c"] == 1


def buffering(write, read, between=None):
    """SB: each writes, then looks whether the other has."""
    barrier = [fence(between)] if between else []
    return [[store("x", 1, write), *barrier, load("a", "y", read)],
            [store("y", 1, write), *barrier, load("a", "x", read)]], lambda r, _: r[0]["a"] == r[1]["a"] == 0


def loading(write, read):
    """LB: each writes what the other has read before."""
    return [[load("a", "x", read), store("y", 1, write)], [load("a", "y", read), store("x", 1, write)]], \
        lambda r, _: r[0]["a"] == r[1]["a"] == 1


def independent(write, read):
    """IRIW: two readers see two writes in different orders."""
    return [[store("x", 1, write)], [store("y", 1, write)], [load("a", "x", read), load("b", "y", read)],
            [load("a", "y", read), load("b", "x", read)]], \
        lambda r, _: r[2] == {"a": 1, "b": 0} and r[3] == {"a": 1, "b": 0}


def causality(write, read):
    """WRC: what a second thread has seen and passed on."""
    return [[store("x", 1, write)], [load("a", "x", read), store("y", 1, write)],
            [load("a", "y", read), load("b", "x", read)]], lambda r, _: r[1]["a"] == 1 and r[2] == {"a": 1, "b": 0}


def two_and_two(write):
    """2+2W: each place ends with the first value of one."""
    return [[store("x", 1, write), store("y", 2, write)], [store("y", 1, write), store("x", 2, write)]], \
        lambda _, last: last["x"] == last["y"] == 1


def coherence():
    """CoRR: a thread reads a place twice, and the older value last."""
    return [[store("x", 1, RLX)], [load("a", "x", RLX), load("b", "x", RLX)]], lambda r, _: r[1] == {"a": 1, "b": 0}


def own_write():
    """CoWR: a thread reads what was there before its own write."""
    return [[store("x", 1, RLX), load("a", "x", RLX)], [store("x", 2, RLX)]], \
        lambda r, last: r[0]["a"] == 2 and last["x"] == 1 or r[0]["a"] == 0


def counting(order):
    """Two add one: both may not find zero."""
    return [[update("a", "x", lambda v: v + 1, order)], [update("a", "x", lambda v: v + 1, order)]], \
        lambda r, last: r[0]["a"] == r[1]["a"] or last["x"] != 2


def one_fence():
    """SB of a thread with a fence and one without: seq_cst accesses of the other suffice."""
    return [[store("x", 1, RLX), fence(SC), load("a", "y", RLX)], [store("y", 1, SC), load("a", "x", SC)]], \
        lambda r, _: r[0]["a"] == r[1]["a"] == 0


# name, (threads, what must not be), whether C11 allows it
CLASSIC = (
    ("MP relaxed", passing(RLX, RLX), True),
    ("MP release, acquire", passing(REL, ACQ), False),
    ("MP release, relaxed", passing(REL, RLX), True),
    ("MP relaxed, acquire", passing(RLX, ACQ), True),
    ("MP plain data, release, acquire", passing(REL, ACQ, NA), True),  # if the flag is not looked at: a race
    ("MP fences", passing_fences(REL, ACQ), False),
    ("MP fence on one side", passing_fences(REL, REL), True),
    ("MP through a relaxed update", passing_on(RLX), False),
    ("SB relaxed", buffering(RLX, RLX), True),
    ("SB release, acquire", buffering(REL, ACQ), True),
    ("SB seq_cst", buffering(SC, SC), False),
    ("SB seq_cst stores, relaxed loads", buffering(SC, RLX), True),
    ("SB fences", buffering(RLX, RLX, SC), False),
    ("SB weak fences", buffering(RLX, RLX, AR), True),
    ("SB a fence, seq_cst", one_fence(), False),
    ("LB relaxed", loading(RLX, RLX), True),
    ("LB release, acquire", loading(REL, ACQ), False),
    ("IRIW release, acquire", independent(REL, ACQ), True),
    ("IRIW seq_cst", independent(SC, SC), False),
    ("WRC relaxed", causality(RLX, RLX), True),
    ("WRC release, acquire", causality(REL, ACQ), False),
    ("2+2W release", two_and_two(REL), True),
    ("2+2W seq_cst", two_and_two(SC), False),
    ("CoRR", coherence(), False),
    ("CoWR", own_write(), False),
    ("two relaxed updates", counting(RLX), False),
)
