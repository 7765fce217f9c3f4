"""Finds loops that wait until another thread has done something: they have to let others run, and need fibers.

    while cuda.atomic.cas(lock, 0, 0, 1) != 0: pass
    while flag[0] == 0: cuda.threadfence()

Such a loop reads memory in a way that sees what others write, and carries nothing from pass to pass: what makes
progress by itself, as what tries again with the value that it saw, has a variable that changes. A loop with a barrier
in it lets others run anyway. A loop that counts its polls is missed; nanosleep() in it does the same.
"""
import re

from flow import Function
from regions import BARRIERS, OTHER_WAITS, Region, Uncut

SEES_OTHERS = re.compile(r"atomicrmw|cmpxchg|fence|load (?:atomic|volatile)")
YIELD = "  call void @umsim_poll_yield()\n"


def waiting_loops(function):
    """The labels, as LLVM has them, of the blocks at which a kernel's waiting loops begin."""
    flow = Function(function, ())
    whole = Region(Uncut(flow), next(iter(flow.blocks)))
    found = []
    for header in whole.blocks:
        loop = whole.loop_of(header)
        lines = [it for label in loop for it in flow.blocks[label].instructions]
        if any(it.op == "phi" for it in flow.blocks[header].instructions) or \
                any(it.callee in BARRIERS or it.callee in OTHER_WAITS for it in lines):
            continue
        if any(SEES_OTHERS.match(it.text) for it in lines):
            found.append(flow.labels[header])
    return found


def with_yields(text, name, labels):
    """A module's text, in which a function's loops let other threads run."""
    start = text.index("\n", re.search(rf"^define [^\n]*@{re.escape(name)}\(", text, re.M).start())
    end = text.index("\n}", start)
    body = text[start:end]
    for label in labels:
        body = re.sub(rf"^{re.escape(label)}:[^\n]*\n", lambda m: m[0] + YIELD, body, count=1, flags=re.M)
    return text[:start] + body + text[end:]
