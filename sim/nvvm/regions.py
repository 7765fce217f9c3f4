"""Where a kernel is cut so that its threads need not wait: the proof that all threads of a block take the same way.

A kernel is cut at its barriers, and at *choices*: conditional jumps by which it is decided which barrier comes next.
Between two cuts is a *region*: all threads of the block run it, one after another, as they do on fibers (cut.py). That
is right if, by induction, all threads that are still there begin the same region:

- Each region has one end, a barrier or a choice, to which every thread comes that does not return on its way.
- A choice's condition is the same for all threads. It is, if it is computed from what is: constants, parameters, block
  indices, dimensions, results of barriers; and variables that get such values in *aligned* blocks, through which each
  thread goes once in its region, and where a variable gets one of several values, by conditions of the same kind.
- A value loaded from memory is the same for all if its address is, and the kernel is cut there: it is loaded once,
  when all threads stand there, which is one of the orders in which a GPU may run them.

What is not proved stays on fibers. Nothing is assumed of loops' forms: any graph of jumps can be cut so.
"""
import re

import stay
from flow import IN_PLACE, OF_LAUNCH, live_in
from strides import Stride
from words import Refused, first_type

BARRIERS = {"@umsim_syncthreads": "barrier", "@umsim_syncthreads_count": "count"}
# Calls by which threads wait for each other in another way, or look at what others do meanwhile.
OTHER_WAITS = frozenset(("@umsim_warp", "@um_shfl", "@umsim_activemask", "@umsim_grid_sync", "@um_nanosleep",
                         "@umsim_poll_yield", "@umsim_lane", "by address"))
LAUNCH, BLOCK, THREAD = 0, 1, 2  # for how long a value stays the same
RANKS = {"%c": LAUNCH, "%g": LAUNCH, "%bx": BLOCK, "%by": BLOCK, "%bz": BLOCK, "%x": THREAD, "%y": THREAD,
         "%z": THREAD}
ROUNDS, LARGEST = 200, 4000


class Region:
    """The blocks that a thread may go through from `head` on; `ends`: where it stops."""

    def __init__(self, plan, head):
        self.head, self.blocks, self.ends, self.returns = head, [], [], False
        flow, todo, seen = plan.flow, [head], {head}
        while todo:
            label = todo.pop()
            block = flow.blocks[label]
            self.blocks.append(label)
            if block.next is not None or label in plan.choices:
                self.ends.append(label)
            elif not block.successors():
                self.returns = True
            else:
                for to in block.successors():
                    if to not in seen:
                        seen.add(to)
                        todo.append(to)
        self.inside = seen
        self.look_at_graph(plan)

    def successors(self, plan, label):
        return [] if label in self.ends else plan.flow.blocks[label].successors()

    def look_at_graph(self, plan):
        """Finds which blocks each thread that comes to the end goes through, and once."""
        number = {label: i for i, label in enumerate(self.blocks)}
        to = [[number[s] for s in self.successors(plan, label)] for label in self.blocks]
        self.preds = {label: [] for label in self.blocks}
        for label in self.blocks:
            for s in dict.fromkeys(self.successors(plan, label)):
                self.preds[s].append(label)
        every = (1 << len(to)) - 1
        reach, dominators = [0] * len(to), [every] * len(to)
        dominators[0], changed = 1, True
        while changed:
            changed = False
            for i, label in enumerate(self.blocks):
                new = reach[i]
                for s in to[i]:
                    new |= reach[s] | 1 << s
                over = dominators[i]
                if i:
                    over = every
                    for p in self.preds[label]:
                        over &= dominators[number[p]]
                    over |= 1 << i
                if new != reach[i] or over != dominators[i]:
                    reach[i], dominators[i], changed = new, over, True
        end = number[self.ends[0]] if len(self.ends) == 1 else None
        self.aligned = {label for i, label in enumerate(self.blocks)
                        if end is not None and dominators[end] >> i & 1 and not reach[i] >> i & 1}
        self.number, self.reach, self.dominators = number, reach, dominators

    def between(self, label):
        """The blocks whose jumps decide by which edge `label` is reached."""
        at = self.number[label]
        above = self.dominators[at] & ~(1 << at)
        nearest = max((i for i in range(len(self.blocks)) if above >> i & 1),
                      key=lambda i: bin(self.dominators[i]).count("1"))
        for i, other in enumerate(self.blocks):
            if self.reach[i] >> at & 1 and (i == nearest or self.reach[nearest] >> i & 1):
                yield other


    def loop_of(self, header):
        """The blocks of the loop that begins with a block: none if none does."""
        at = self.number[header]
        if not any(self.dominators[self.number[p]] >> at & 1 for p in self.preds[header]):
            return []
        return [label for i, label in enumerate(self.blocks)
                if self.dominators[i] >> at & self.reach[i] >> at & 1]


class Uncut:
    """A function of which nothing is cut."""

    def __init__(self, flow):
        self.flow, self.choices = flow, ()


class Plan:
    """How a kernel is cut. Raises Refused with the reason if it is not proved that it can be."""

    def __init__(self, flow, grouped=False):
        """@param grouped many blocks are run together, and cut in grid-stride loops instead of at barriers"""
        self.flow, self.grouped, self.defined, self.found, self.ranks = flow, grouped, {}, {}, {}
        self.choices, self.dies, self.regions, self.uniform = set(), False, {}, set()
        self.products = {}  # of passes and a step: {name: (passes, step)}, strides.py
        self.stride = None
        self.cut_at_barriers()
        if grouped:
            self.note_definitions()
            self.note_ranks()
            whole = Region(Uncut(flow), next(iter(flow.blocks)))
            self.stride = self.stride_of(whole)
        flow.split_edges()
        if self.stride:
            self.stride.cut()
        self.find()

    # ---- cuts ----

    def stride_of(self, whole):
        """@return None: it has no grid-stride loop, but threads that may be asked whether they stay"""
        try:
            return Stride(self, whole)
        except Refused as why:
            if stay.ways(self, whole):
                return None
            raise Refused(f"{why}, and begins with no condition by which a thread stays") from None

    def cut_at_barriers(self):
        for label in list(self.flow.blocks):
            while True:
                block = self.flow.blocks[label]
                at = next((i for i, it in enumerate(block.instructions) if it.callee in BARRIERS), None)
                for it in block.instructions[:at]:
                    self.check(it, label)
                if at is None:
                    break
                label = self.flow.cut_behind(label, at)

    def check(self, it, label):
        if it.op == "call" and (it.callee in OTHER_WAITS or it.callee.startswith("@llvm.stack") or
                                not it.callee.startswith(("@um", "@llvm.", "@__nv"))):
            raise Refused("threads may wait for each other in another way: " + it.callee)
        if self.grouped and (it.op == "alloca" or it.callee in ("@umsim_shared", "@umsim_dynamic_shared")):
            raise Refused("it has arrays of a block's or a thread's")
        if it.op == "alloca" and (label != next(iter(self.flow.blocks)) or not re.fullmatch(
                r"(?:, align \d+)?(?:, !.*)?", it.text[7 + len(first_type(it.text[7:])):])):
            raise Refused("a local array that has no fixed size")

    def kind_of(self, label):
        """What cuts off the end of a block: "barrier", "count", "load", "pass" or "choice"."""
        block = self.flow.blocks[label]
        if block.next is None:
            return "choice"
        return BARRIERS.get(block.last.callee, block.last.op)

    def note_definitions(self):
        self.defined, self.found = {}, {}
        for label, block in self.flow.blocks.items():
            if block.last.name:
                self.defined[block.last.name], self.found[block.last.name] = label, block.last
            for it in block.instructions:
                if it.name:
                    self.defined[it.name], self.found[it.name] = label, it

    # ---- values that are the same wherever they are computed ----

    def note_ranks(self):
        """For how long a value that follows from a thread's indices and the parameters alone stays the same."""
        self.ranks, changed = dict(RANKS), True
        while changed:
            changed = False
            for name, it in self.found.items():
                if name in self.ranks or it.kind == "void" or self.flow.blocks[self.defined[name]].last is it:
                    continue
                if it.op == "alloca":
                    self.ranks[name], changed = THREAD, True
                if not (it.is_speculative() or it.op == "load" or it.callee in OF_LAUNCH):
                    continue
                ranks = [self.ranks.get(use, 9) for use in it.uses]
                rank = max(ranks, default=LAUNCH)
                if rank <= THREAD and (it.op != "load" or self.reads_launch(it)):
                    self.ranks[name], changed = rank, True

    def reads_launch(self, it):
        """Whether it loads from the closure or the geometry, which nobody changes."""
        base = it.uses[0] if len(it.uses) == 1 else None
        while base in self.found and self.found[base].op == "getelementptr" and len(self.found[base].uses) == 1:
            base = self.found[base].uses[0]
        return base in ("%c", "%g")

    # ---- which barrier comes next ----

    def exits(self):
        """Of each block, the barriers that may come next behind it (a set of bits), and 1 if the kernel may end."""
        bits = {label: 2 << i for i, label in enumerate(self.flow.blocks)}
        out, changed = {label: 0 for label in self.flow.blocks}, True
        while changed:
            changed = False
            for label, block in self.flow.blocks.items():
                new = bits[label] if block.next is not None else 0 if block.successors() else 1
                for to in block.successors():
                    new |= out[to]
                if new != out[label]:
                    out[label], changed = new, True
        return out

    def find(self):
        self.note_definitions()
        self.note_ranks()
        self.start()
        for _ in range(ROUNDS):
            self.regions = self.make_regions()
            if sum(len(region.blocks) for region in self.regions.values()) > LARGEST:
                raise Refused("it is too large")
            uniform = self.find_uniform()
            if self.resolve_ends() or self.resolve_choice(uniform):
                continue
            self.uniform = uniform
            self.dies = any(r.returns and r.ends for r in self.regions.values())
            return
        raise Refused("it takes too many steps to find out where to cut it")

    def start(self):
        self.next = self.exits()
        several = {label for label, block in self.flow.blocks.items()
                   if len(block.successors()) > 1 and self.next[label] & (self.next[label] - 1)}
        self.choices = several
        self.barriers = {label: bin(self.next[label] >> 1).count("1") for label in self.flow.blocks}

    def heads_behind(self, label):
        block = self.flow.blocks[label]
        return [block.next] if block.next is not None else block.successors()

    def make_regions(self):
        regions, todo = {}, [next(iter(self.flow.blocks))]
        while todo:
            head = todo.pop()
            if head in regions:
                continue
            regions[head] = Region(self, head)
            for end in regions[head].ends:
                todo += self.heads_behind(end)
        return regions

    def resolve_ends(self):
        """Where threads of a region may come to several ends, a choice that only decides who returns is none."""
        for region in self.regions.values():
            if not region.ends and not region.returns:
                raise Refused("a loop that does not end")
            if len(region.ends) < 2:
                continue
            loose = [end for end in region.ends if end in self.choices and self.barriers[end] <= 1]
            if not loose:
                raise Refused("threads of a block may come to different barriers")
            self.choices.remove(loose[0])
            return True
        return False

    def resolve_choice(self, uniform):
        """A choice that is not the same for all threads: finds a load to cut at, or has threads return alone."""
        for label in sorted(self.choices):
            condition = self.flow.blocks[label].last.uses
            if not condition or condition[0] in uniform:
                continue
            load = self.load_behind(condition[0], uniform)
            if load:
                self.cut_at_load(load)
                return True
            if self.barriers[label] > 1:
                raise Refused("it is not proved that all threads of a block go the same way between barriers")
            self.choices.remove(label)
            return True
        return False

    def load_behind(self, name, uniform):
        """A load in a condition's computation that becomes the same for all threads where the kernel is cut."""
        todo, seen = [name], set()
        while todo:
            at = todo.pop()
            if at in seen or at in uniform or at not in self.found:
                continue
            seen.add(at)
            it = self.found[at]
            if it.op == "load" and self.flow.blocks[self.defined[at]].last is not it:
                plain = not it.text.startswith(("load volatile", "load atomic"))
                if plain and all(u in uniform for u in it.uses) and self.is_aligned(self.defined[at]):
                    return at
            todo += it.uses
        return None

    def cut_at_load(self, name):
        block = self.flow.blocks[self.defined[name]]
        self.flow.cut_behind(block.label, block.instructions.index(self.found[name]))
        rest = self.flow.blocks[block.next]
        rest.copies, block.copies = block.copies, []
        self.note_definitions()
        self.note_ranks()
        self.start()

    # ---- values that are the same for all threads ----

    def is_aligned(self, label):
        return all(label in region.aligned for region in self.regions.values() if label in region.inside)

    def find_uniform(self):
        """The largest set of values each of which is the same for all threads if those are that it is made of."""
        uniform = {name for name, rank in self.ranks.items() if rank <= (LAUNCH if self.grouped else BLOCK)}
        aligned = {label: self.is_aligned(label) for label in self.flow.blocks}
        maybe = set()
        for name, it in self.found.items():
            if name in self.ranks:
                continue
            if self.flow.blocks[self.defined[name]].last is it:
                if self.kind_of(self.defined[name]) in ("count", "load"):
                    maybe.add(name)
            elif aligned[self.defined[name]] and (it.op == "phi" or it.is_pure() or it.op in IN_PLACE):
                maybe.add(name)
        changed = True
        while changed:
            changed = False
            for name in list(maybe):
                it = self.found[name]
                if self.flow.blocks[self.defined[name]].last is it and it.op == "call":
                    continue
                if not all(use in uniform or use in maybe for use in it.uses) or \
                        it.op == "phi" and not self.chosen_alike(self.defined[name], uniform | maybe):
                    maybe.remove(name)
                    changed = True
        return uniform | maybe

    def chosen_alike(self, label, uniform):
        for region in self.regions.values():
            if label not in region.inside or len(region.preds[label]) < 2:
                continue
            for other in region.between(label):
                last = self.flow.blocks[other].last
                if len(last.labels) > 1 and not all(use in uniform for use in last.uses):
                    return False
        return True

    # ---- what is kept from region to region ----

    def kept_values(self):
        """The values that have a place of their own: those needed behind their block, and phis."""
        kept = set()
        for label, block in self.flow.blocks.items():
            for it in [*block.instructions, block.last]:
                for use in it.uses:
                    if use not in self.ranks and use in self.found and \
                            (self.defined[use] != label or it.op == "phi" or self.found[use].op == "phi"):
                        kept.add(use)
                if it.op == "phi":
                    kept.add(it.name)
            if block.next is not None and block.last.name:
                kept.add(block.last.name)
            if label in self.choices or block.next is not None and block.last.op == "load":
                kept |= {use for use in block.last.uses if use not in self.ranks}
        return kept

    def live(self, kept):
        return live_in(self.flow, kept)
