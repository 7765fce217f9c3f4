"""C11's memory model, for programs of some threads and a few steps each: all executions, one after the other.

The model is C11's as repaired since ("RC11": the order of seq_cst accesses and fences is one of psc, release sequences
are those of C++20), but without its axiom against values out of thin air: loads may see stores that come behind
them, as on arm64. So it allows no less than a machine does, and what it forbids, no machine shows. Accesses that are
not atomic (NA) take part like relaxed ones, and are raced for where two of different threads, one of them a write, are
in no order of happens-before: such a program is wrong, whatever it does.

A thread is a list of steps. Values are numbers, registers are a thread's own: a dictionary of names.
"""
from itertools import permutations, product

NA, RLX, ACQ, REL, AR, SC = "na", "rlx", "acq", "rel", "acq_rel", "sc"
ACQUIRES, RELEASES = (ACQ, AR, SC), (REL, AR, SC)
NO_END = "no execution comes to an end"

# ---- steps: each yields what it may do, as (event or None, registers) ----

class Event:
    """One access or fence; `read` and `written` are values, None where it does not."""

    def __init__(self, order, place=None, read=None, written=None):
        self.order, self.place, self.read, self.written = order, place, read, written
        self.thread = -1

    def __repr__(self):
        what = "fence" if self.place is None else self.place
        parts = [f"{does} {value}" for does, value in (("reads", self.read), ("writes", self.written))
                 if value is not None]
        return f"{what}({self.order}) {', '.join(parts)}".rstrip()


def value_of(value, registers):
    """A number, or what a function makes of the registers."""
    return value(registers) if callable(value) else value


def store(place, value, order):
    """Writes a number, or what a function of the registers says."""
    def step(registers, _):
        yield Event(order, place, written=value_of(value, registers)), registers
    step.writes = 1
    return step


def load(register, place, order, until=None):
    """Reads into a register. `until`: it waits for a value for which this is true; executions that wait longer are
    other ones."""
    def step(registers, values):
        for value in values[place]:
            if until is None or until(value):
                yield Event(order, place, read=value), registers | {register: value}
    return step


def update(register, place, change, order, until=None):
    """Reads and writes in one, as atomic_fetch_add() does: `change` makes the new value of the old one. `until`: as of
    load()."""
    def step(registers, values):
        for value in values[place]:
            if until is not None and not until(value):
                continue
            yield Event(order, place, read=value, written=change(value)), registers | {register: value}
    step.writes = 1
    return step


def fence(order):
    """atomic_thread_fence()."""
    def step(registers, _):
        yield Event(order), registers
    return step


def when(condition, *steps):
    """Steps that are made only if the registers say so."""
    def step(registers, _):
        yield (list(steps) if condition(registers) else []), registers
    step.writes = writes_of(steps)
    return step


def writes_of(steps):
    """How often they write at most."""
    return sum(getattr(step, "writes", 0) for step in steps)


def runs(steps, values, registers=None, partly=False):
    """All (events, registers) of a thread, if each read may have any of its place's values. `partly`: also those that
    wait for ever."""
    registers = registers or {}
    goes_on = False
    for done, after in steps[0](registers, values) if steps else ():
        goes_on = True
        further = done + steps[1:] if isinstance(done, list) else steps[1:]
        for events, end in runs(further, values, after, partly):
            yield events if isinstance(done, list) else [done] + events, end
    if not steps or (partly and not goes_on):
        yield [], registers


def values_of(threads, start):
    """What each place may hold: what comes of the first values by no more steps than there are writes."""
    values = {place: {value} for place, value in start.items()}
    for _ in range(sum(map(writes_of, threads))):
        found = [event for steps in threads for events, _ in runs(steps, values, partly=True)
                 for event in events if event.written is not None]
        for event in found:
            values[event.place].add(event.written)
    return values


# ---- relations between events: a list of bit masks, one for each first event ----

def compose(one, other):
    """one; other"""
    result = []
    for mask in one:
        found = 0
        while mask:
            low = mask & -mask
            found |= other[low.bit_length() - 1]
            mask ^= low
        result.append(found)
    return result


def union(*relations):
    """Whatever is in any of them."""
    return [sum_of(masks) for masks in zip(*relations)]


def sum_of(masks):
    """The bits of all masks."""
    result = 0
    for mask in masks:
        result |= mask
    return result


def closure(relation):
    """relation+"""
    result = list(relation)
    for middle in range(len(result)):
        bit, further = 1 << middle, result[middle]
        for first, mask in enumerate(result):
            if mask & bit:
                result[first] |= further
    return result


def is_cyclic(relation):
    """Whether relation+ leads from an event to itself."""
    return any(mask >> i & 1 for i, mask in enumerate(closure(relation)))


def only(relation, first, second):
    """Its pairs whose first and second event are in these masks."""
    return [mask & second if first >> i & 1 else 0 for i, mask in enumerate(relation)]


class Execution:
    """Events of all threads, first the writes of the first values; who follows whom in a thread."""

    def __init__(self, start, thread_events):
        self.events = [Event(NA, place, written=value) for place, value in start.items()]
        for number, events in enumerate(thread_events):
            for event in events:
                event.thread = number
            self.events += events
        self.count = len(self.events)
        self.firsts = len(start)
        self.id = [1 << i for i in range(self.count)]
        self.before = [self.mask(lambda later, i=i, e=e: later > i and e.thread in (-1, self.events[later].thread)
                                 and self.events[later].thread >= 0) for i, e in enumerate(self.events)]
        self.same = [self.mask(lambda other, e=e: e.place is not None and self.events[other].place == e.place)
                     for e in self.events]
        self.reads = [i for i, e in enumerate(self.events) if e.read is not None]
        self.writes = self.mask(lambda i: self.events[i].written is not None)
        self.updates = self.mask(lambda i: self.events[i].written is not None and self.events[i].read is not None)
        self.fences = self.mask(lambda i: self.events[i].place is None)
        self.sc = self.mask(lambda i: self.events[i].order == SC)
        self.releases = self.mask(lambda i: self.events[i].order in RELEASES)
        self.acquires = self.mask(lambda i: self.events[i].order in ACQUIRES)
        self.atomics = self.mask(lambda i: self.events[i].order != NA)

    def mask(self, holds):
        """The events for whose number something holds."""
        return sum(1 << i for i in range(self.count) if holds(i))

    def sources(self):
        """All ways in which reads may have got their values: the number of the write, for each read."""
        choices = [[i for i, e in enumerate(self.events) if i != read and e.place == self.events[read].place
                    and e.written == self.events[read].read] for read in self.reads]
        return product(*choices)

    def happens_before(self, read_from):
        """@return the relation, or None if an event would come before itself"""
        sequence = list(self.id)  # of releases: a write, and updates of what it left
        for _ in self.reads:
            sequence = union(sequence, compose(sequence, only(read_from, self.writes, self.updates)))
        plain = self.writes & self.atomics
        releases = union(only(self.id, plain & self.releases, plain),
                         only(self.before, self.fences & self.releases, plain))
        atomic_reads = sum(1 << i for i in self.reads) & self.atomics
        acquires = union(only(self.id, atomic_reads & self.acquires, atomic_reads),
                         only(self.before, atomic_reads, self.fences & self.acquires))
        met = compose(compose(compose(releases, sequence), only(read_from, self.writes, atomic_reads)), acquires)
        result = closure(union(self.before, met))
        return None if any(mask >> i & 1 for i, mask in enumerate(result)) else result

    def orders(self, happens):
        """All orders of the writes to each place that agree with happens-before."""
        places = {}
        for i in range(self.count):
            if self.writes >> i & 1:
                places.setdefault(self.events[i].place, []).append(i)
        fitting = [[order for order in permutations(writes) if order[0] < self.firsts and not any(
            happens[late] >> early & 1 for n, early in enumerate(order) for late in order[n + 1:])]
                   for writes in places.values()]
        for chosen in product(*fitting):
            relation = [0] * self.count
            for order in chosen:
                for n, early in enumerate(order):
                    relation[early] = sum(1 << late for late in order[n + 1:])
            yield relation

    def is_consistent(self, happens, read_from, modified):
        """The axioms: coherence, updates in one piece, one order of what is seq_cst."""
        overtaken = [0] * self.count  # a read, and the writes behind the one that it has seen
        for write, mask in enumerate(read_from):
            for read in self.reads:
                if mask >> read & 1:
                    overtaken[read] = modified[write] & ~(1 << read)
        seen = closure(union(read_from, modified, overtaken))
        if any(mask >> i & 1 for i, mask in enumerate(compose(happens, seen))):
            return False
        if any(mask >> i & 1 for i, mask in enumerate(seen)):
            return False
        if any(mask >> i & 1 and self.updates >> i & 1 for i, mask in enumerate(compose(overtaken, modified))):
            return False
        elsewhere = [mask & ~self.same[i] for i, mask in enumerate(self.before)]
        of_place = [mask & self.same[i] for i, mask in enumerate(happens)]
        scb = union(self.before, compose(compose(elsewhere, happens), elsewhere), of_place, modified, overtaken)
        sc_fences, everything = self.sc & self.fences, (1 << self.count) - 1
        into = union(only(self.id, self.sc, self.sc), only(union(self.id, happens), sc_fences, everything))
        out = union(only(self.id, self.sc, self.sc), only(union(self.id, happens), everything, sc_fences))
        between = only(union(happens, compose(compose(happens, seen), happens)), sc_fences, sc_fences)
        return not is_cyclic(union(compose(compose(into, scb), out), between))

    def race(self, happens):
        """Two events that race, or None."""
        for i in range(self.firsts, self.count):
            for j in range(i + 1, self.count):
                one, other = self.events[i], self.events[j]
                if one.place is not None and one.place == other.place and one.thread != other.thread and \
                        NA in (one.order, other.order) and (self.writes >> i | self.writes >> j) & 1 and \
                        not (happens[i] >> j | happens[j] >> i) & 1:
                    return one, other
        return None


def executions(threads, start):
    """All consistent executions: (registers of each thread, the last value of each place, a race or None)."""
    values = values_of(threads, start)
    each = [list(runs(steps, values)) for steps in threads]
    for chosen in product(*each):
        written = {(e.place, e.written) for events, _ in chosen for e in events} | set(start.items())
        if any(e.read is not None and (e.place, e.read) not in written for events, _ in chosen for e in events):
            continue
        it = Execution(start, [events for events, _ in chosen])
        for sources in it.sources():
            read_from = [0] * it.count
            for read, source in zip(it.reads, sources):
                read_from[source] |= 1 << read
            happens = it.happens_before(read_from)
            if happens is None:
                continue
            race = it.race(happens)
            for modified in it.orders(happens):
                if it.is_consistent(happens, read_from, modified):
                    last = {e.place: e.written for i, e in enumerate(it.events)
                            if e.written is not None and not modified[i]}
                    yield [registers for _, registers in chosen], last, race


def judge(threads, start, bad):
    """@return why it is wrong, or "" if no execution is: a race, or one of which `bad(registers, last values)` holds.
    A program that no execution ends is wrong, too: NO_END."""
    any_ends = False
    for registers, last, race in executions(threads, start):
        any_ends = True
        if race:
            return f"a race: {race[0]} of thread {race[0].thread}, {race[1]} of thread {race[1].thread}"
        if bad(registers, last):
            shown = "; ".join(f"thread {i}: {r}" for i, r in enumerate(registers) if r)
            return f"it may end with {shown}"
    return "" if any_ends else NO_END
