"""For gdb: programs of the simulated GPU, in both of their processes. docs/debugging.md shows how.

    gdb -x tools/gdb/umsim.py --args build/sim/lab5

    umsim-start            runs the program until the GPU process is there: inferior 1 is the host, 2 the GPU process
    umsim-attach PID       the same for a program that runs: PID is the host's
    umsim-processes        which processes there are, and which inferior each of them is
    umsim-where ADDRESS    which arena, which allocation, made where, and what either process may do there
    umsim-fibers           the GPU threads of the block in hand, where each of them has fibers
    umsim-fiber N          the backtrace of one of them

Sourcing this also lets SIGSEGV pass without a stop, since it is how pages are handed over, and stops instead where the
simulator explains one that ends the program.
"""
import os
import signal

import gdb

# All that this takes from the simulator's sources, so that a renaming is mended here. tests/python/gdb.py fails where
# one of them is gone.
STARTS = "umsim_gpu_start"  # returns when the GPU process takes work
PROCESS_ASKED, PROCESSES = "umsim_gpu_process_id", "gpus"  # its file has one for each device: process, 0: none
ARENAS = "umsim_arenas"  # name, base, size
FINDS = "umsim_registry_find"  # in its file are:
ALLOCATIONS = "entries"  # a set of spans: root; each has start, bytes, lower, higher, and begins an
ALLOCATION = "struct umsim_alloc"  # with base, bytes, memory, call, caller
EXPLAINS = "umsim_explain_host_fault"  # called for a fault of the host that is an error
WORKER = "umsim_this_worker"  # current, fibers, block_index, command->threads_a_block; in kernels' threads only
FIBER_LAYOUT = ("rip", "rbx", "rbp")  # what a fiber that does not run has on its stack; above it the red zone
RED_ZONE = 128

TIMEOUT = "UMSIM_KERNEL_TIMEOUT"  # seconds after which a kernel is stopped; a person at a breakpoint takes longer


class Missing(gdb.GdbError):
    """A name that the simulator's library should have."""

    def __init__(self, name):
        super().__init__(f"umsim: no {name} here: is the program linked with the simulator, has it started, "
                         "and does this file fit its version?")


def static_of(function, name):
    """The value of a static variable of the file that `function` stands in."""
    found = gdb.lookup_global_symbol(function)
    for symbol in found.symtab.static_block() if found else ():
        if symbol.name == name and symbol.is_variable:
            return symbol.value()
    raise Missing(name)


def value_of(name):
    try:
        return gdb.parse_and_eval(name)
    except gdb.error:
        raise Missing(name) from None


def text_of(pointer):
    return pointer.string() if int(pointer) else "?"


def line_of(address):
    """The line of source that a call returned to."""
    found = gdb.find_pc_line(max(int(address) - 1, 0))
    return f"{os.path.basename(found.symtab.filename)}:{found.line}" if found.symtab else hex(int(address))


def gpu_of(host):
    """The GPU process of a host: its child with the same executable. 0 when there is none."""
    try:
        program = os.readlink(f"/proc/{host}/exe")
        for task in os.listdir(f"/proc/{host}/task"):
            with open(f"/proc/{host}/task/{task}/children", encoding="ascii") as file:
                for child in map(int, file.read().split()):
                    if os.readlink(f"/proc/{child}/exe") == program:
                        return child
    except OSError:
        pass
    return 0


def inferior_of(pid):
    return next((one for one in gdb.inferiors() if pid and one.pid == pid), None)


def host_process():
    """The pid of the host, of whichever of the two is selected; 0 for a core or before the start."""
    here = gdb.selected_inferior().pid
    if gdb.selected_inferior().connection is None or gdb.selected_inferior().connection.type == "core":
        return 0
    for one in gdb.inferiors():
        if one.pid and gpu_of(one.pid) in (here, *(other.pid for other in gdb.inferiors() if other is not one)):
            return one.pid
    if here and not gpu_of(here):
        with open(f"/proc/{here}/status", encoding="utf-8") as file:
            parent = next(int(line.split()[1]) for line in file if line.startswith("PPid:"))
        return parent if gpu_of(parent) == here else here
    return here


def quietly(command):
    gdb.execute("set suppress-cli-notifications on")
    try:
        gdb.execute(command, to_string=True)
    finally:
        gdb.execute("set suppress-cli-notifications off")


def attach_both(host, gpu):
    """Takes hold of both processes, each as an inferior of its own."""
    gdb.execute("handle SIGSTOP nostop noprint nopass", to_string=True)
    quietly(f"attach {host}")
    first = gdb.selected_inferior().num
    quietly("add-inferior")
    quietly(f"inferior {max(one.num for one in gdb.inferiors())}")
    quietly(f"attach {gpu}")
    second = gdb.selected_inferior().num
    gdb.execute("set schedule-multiple on")  # or the one would wait for the other, which stands still
    quietly(f"inferior {first}")
    print(f"inferior {first}: the host, process {host}\ninferior {second}: the GPU process, {gpu}; kernels run there\n"
          "Set breakpoints now, then `continue`.")


class Start(gdb.Command):
    """umsim-start [ARGUMENTS]: runs the program until the GPU process is there, and takes hold of both processes.

    A GPU process that gdb sees being born is a thread of the host to it, and gdb would read the host's memory for that
    process's. So gdb lets go of both when the GPU process is there, and attaches to each. Breakpoints are set only
    then, because the GPU process would keep those that were in the code when it was made."""

    def __init__(self):
        super().__init__("umsim-start", gdb.COMMAND_RUNNING)

    def invoke(self, arguments, from_tty):
        mine = [one for one in gdb.breakpoints() if one.enabled]
        for one in mine:
            one.enabled = False
        gdb.execute(f"set environment {TIMEOUT}=86400")
        quietly(f"tbreak {STARTS}")
        quietly(f"run {arguments}")
        if not gdb.selected_inferior().pid:
            raise gdb.GdbError(f"umsim: the program ended without a GPU process ({STARTS} was not called)")
        quietly("finish")
        host = gdb.selected_inferior().pid
        gpu = int(static_of(PROCESS_ASKED, PROCESSES)[0]["process"])
        os.kill(host, signal.SIGSTOP)  # the GPU process has nothing to do without it
        quietly("detach")
        attach_both(host, gpu)
        for one in mine:
            one.enabled = True


class Attach(gdb.Command):
    """umsim-attach PID: takes hold of a program that runs, and of its GPU process. PID is the host's."""

    def __init__(self):
        super().__init__("umsim-attach", gdb.COMMAND_RUNNING)

    def invoke(self, arguments, from_tty):
        host = int(gdb.parse_and_eval(arguments))
        gpu = gpu_of(host)
        if not gpu:
            raise gdb.GdbError(f"umsim: process {host} has no GPU process (is it the host, and has it called CUDA?)")
        attach_both(host, gpu)


class Processes(gdb.Command):
    """umsim-processes: the program's two processes, and which inferior each of them is."""

    def __init__(self):
        super().__init__("umsim-processes", gdb.COMMAND_STATUS)

    def invoke(self, arguments, from_tty):
        host = host_process()
        if not host:
            raise gdb.GdbError("umsim: no process here (a core is of one process only)")
        gpu = gpu_of(host)
        for who, pid in (("host", host), ("GPU process", gpu)):
            one = inferior_of(pid)
            threads = f", {len(os.listdir(f'/proc/{pid}/task'))} threads" if pid else ""
            held = f"inferior {one.num}" if one else "not attached" if pid else ""
            print(f"{who:12} {pid or 'none'}{threads}  {held}".rstrip())


def rights(pid, address):
    """What a process's page tables say about an address, such as `rw-`."""
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
            for line in file:
                first, last = (int(number, 16) for number in line.split()[0].split("-"))
                if first <= address < last:
                    return line.split()[1][:3]
    except OSError:
        pass
    return "not mapped"


class Where(gdb.Command):
    """umsim-where ADDRESS: which arena, which allocation, made where, and what either process may do there now."""

    def __init__(self):
        super().__init__("umsim-where", gdb.COMMAND_DATA)

    def invoke(self, arguments, from_tty):
        address = int(gdb.parse_and_eval(f"(unsigned long)({arguments})"))
        host, before = host_process(), gdb.selected_thread()
        gpu = gpu_of(host)
        if inferior_of(host):  # allocations are in the host's state
            inferior_of(host).threads()[0].switch()
        try:
            print(f"{hex(address)}: {self.arena(address)}")
            print("  " + self.allocation(address))
            if host:
                print(f"  now: host {rights(host, address)}, GPU process {rights(gpu, address) if gpu else 'none'}")
        finally:
            if before:
                before.switch()

    def arena(self, address):
        arenas = value_of(ARENAS)
        for index in range(arenas.type.range()[1] + 1):
            base, size = int(arenas[index]["base"]), int(arenas[index]["size"])
            if base <= address < base + size:
                return f"the {text_of(arenas[index]['name'])} arena, {address - base} bytes into it"
        return "in no arena"

    def allocation(self, address):
        span = static_of(FINDS, ALLOCATIONS)["root"]
        while int(span):
            start = int(span["start"])
            if start <= address < start + int(span["bytes"]):
                it = span.cast(gdb.lookup_type(ALLOCATION).pointer()).dereference()
                base, size = int(it["base"]), int(it["bytes"])
                if address >= base + size:
                    break
                kind = str(it["memory"]).removeprefix("UMSIM_")
                return (f"{address - base} bytes into an allocation of {size} bytes ({kind}), "
                        f"made by {text_of(it['call'])} at {line_of(it['caller'])}")
            span = span["lower" if address < start else "higher"]
        return "in no allocation"


def worker():
    """The worker that the selected thread is."""
    found = value_of(WORKER)
    if not int(found):
        raise gdb.GdbError("umsim: this thread runs no kernels: choose one of the GPU process's (info threads)")
    if not int(found["current"]):
        raise gdb.GdbError("umsim: no fibers in this kernel: its threads run as loops, one after another")
    return found.dereference()


def fiber_state(it, current):
    if int(it.address) == current:
        return "runs"
    warp = it["warp"].dereference() if int(it["warp"]) else None
    if warp is not None and not int(warp["alive"]) >> int(it["lane"]) & 1:
        return "has ended"
    blocked = str(it["blocked"])
    return f"has reached {int(it['generation'])} barriers" + ("" if int(it["blocked"]) == 0 else f", waits: {blocked}")


class Fibers(gdb.Command):
    """umsim-fibers: the GPU threads of the block that the selected thread of the GPU process has in hand."""

    def __init__(self):
        super().__init__("umsim-fibers", gdb.COMMAND_STATUS)

    def invoke(self, arguments, from_tty):
        here = worker()
        block = here["block_index"]
        print(f"block ({block['x']},{block['y']},{block['z']})")
        count, start, last = int(here["command"]["threads_a_block"]), 0, None
        states = [fiber_state(here["fibers"][index], int(here["current"])) for index in range(count)]
        for index, state in enumerate([*states, None]):  # neighbours in one state share a line
            if state != last:
                if last is not None:
                    print(f"  {start}" + (f" to {index - 1}" if index - 1 > start else "") + f": {last}")
                start, last = index, state


class Fiber(gdb.Command):
    """umsim-fiber N: the backtrace of GPU thread N of the block in hand (counted as the lanes of warps are)."""

    def __init__(self):
        super().__init__("umsim-fiber", gdb.COMMAND_STACK)

    def invoke(self, arguments, from_tty):
        here = worker()
        number = int(gdb.parse_and_eval(arguments))
        if not 0 <= number < int(here["command"]["threads_a_block"]):
            raise gdb.GdbError(f"umsim: the block has {here['command']['threads_a_block']} threads")
        it = here["fibers"][number]
        index = it["index"]
        print(f"threadIdx ({index['x']},{index['y']},{index['z']}): {fiber_state(it, int(here['current']))}")
        if int(it.address) == int(here["current"]):
            gdb.execute("bt")
            return
        if fiber_state(it, 0) == "has ended":
            return
        words = it["stack_pointer"].cast(gdb.lookup_type("unsigned long").pointer())
        there = {name: int(words[place]) for place, name in enumerate(FIBER_LAYOUT)}
        there["rsp"] = int(words) + 8 * len(FIBER_LAYOUT) + RED_ZONE
        gdb.execute("frame 0", to_string=True)
        before = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in there}
        try:
            for name, number in there.items():
                gdb.execute(f"set ${name} = {number}")
            gdb.execute("bt")
        finally:
            for name, number in before.items():
                gdb.execute(f"set ${name} = {number}")


gdb.execute("handle SIGSEGV nostop noprint pass", to_string=True)
gdb.execute("set breakpoint pending on")
gdb.execute(f"break {EXPLAINS}", to_string=True)
for command in (Start, Attach, Processes, Where, Fibers, Fiber):
    command()
