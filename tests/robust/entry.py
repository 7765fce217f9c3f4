"""What a line of the tables of tests/robust/run.py is: a program, its surroundings, and what has to come of it."""
import os
import signal
from typing import Any, NamedTuple

SEGV, ABRT = -signal.SIGSEGV, -signal.SIGABRT
PATIENCE = max(1.0, float(os.environ.get("UM_PATIENCE", 1)))  # this machine may take so many times as long


class Unable(Exception):
    """The test cannot run here: why."""


class Test(NamedTuple):
    """One test. Words of commands may hold {programs}, {folder} (its own, empty), {build}, {tests},
    {root}, {python}, {umcc}, {readelf}."""
    name: str              # a sentence that says what holds
    command: tuple         # a program of tests/robust and its case
    ends: Any = 0          # its exit status, or minus the signal that ends it; several are a tuple
    says: Any = ""         # a pattern that its output holds; or one for each status
    inside: tuple = ()     # the command that runs it
    probe: tuple = ()      # a command that has to work, else the test is skipped
    env: dict = {}         # noqa: RUF012 (never changed)
    core: int = 0          # the limit of core dumps, bytes
    limit_s: float = 30
    simulator: bool = False  # asks what only the simulator has
    prepare: Any = None    # (folder, programs): what it needs; raises Unable where that cannot be
    judge: Any = None      # (output, folder, rusage): what is wrong, in words, else ""


def cases(program, names, **common):
    """Tests of one program: {case: name}, where a name may be (name, {field: value})."""
    for case, name in names.items():
        name, more = name if isinstance(name, tuple) else (name, {})
        yield Test(name, (program, case), **{**common, **more})
