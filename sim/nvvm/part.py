"""The text of one region of a kernel that is cut: a loop over the threads of a block (cut.py).

A region in which threads may return has a second form for as long as none has, and as the passes of a grid-stride loop
have not come so far that an index might wrap around: it asks no thread whether it is still there, and LLVM knows more
of its indices.

Where it is settled at a region's beginning whether a thread leaves it (stay.py), there are more: one that asks all
threads of the blocks (`asked`), one for when all stay (`steady`), and one for when none does (`none`). In these nothing
is asked, so LLVM makes of them whole vectors. With masks they take a processor up to three times as long, and a hundred
times where a mask leaves out what lies in pages that cannot be reached, as behind an array's end.
"""
import re

import frames
import stay
from flow import renamed
from regions import BLOCK, THREAD

AXES = ("x", "y", "z", "bx", "by", "bz")
# A product of passes and a step that is no larger, nor negative, has the first two bits clear.
SMALL = (1 << 62) - 1


class Part:
    """One region's text. `n` tells its names from other regions'."""

    def __init__(self, whole, head, form="usual"):
        """@param form "usual"; "fast": no thread has returned; "asked", "steady" and "none": likewise"""
        self.whole, self.plan, self.flow, self.head, self.form = whole, whole.plan, whole.flow, head, form
        self.region, self.first = self.plan.regions[head], whole.heads[head] == 0
        self.fast = form != "usual" and not self.first
        self.n = f"{whole.heads[head]}" + ("" if form == "usual" else form[0])
        self.ways = stay.ways(self.plan, self.region) if form in ("asked", "steady") else \
            stay.way_out(self.plan, self.region) if form == "none" else {}
        self.end = self.region.ends[0] if self.region.ends else None
        self.returns = bool(self.plan.dies and self.region.returns and self.end)
        self.names = {f"%{axis}": f"%{axis}.{self.n}" for axis in (AXES if self.plan.grouped else AXES[:3])}

    def new(self):
        return self.whole.new()

    def kind(self, name):
        return self.flow.kinds[name]

    # ---- what a thread takes along, and what it leaves ----

    def stored_kind(self, name):
        return "i8" if self.kind(name) == "i1" else self.kind(name)

    def place(self, name):
        """Where this thread's value is kept. @return (text, address)"""
        at = self.new()
        self.whole.arrays[name] = self.stored_kind(name)
        return f"  {at} = getelementptr {self.stored_kind(name)}, ptr {name}.k, i64 %lin.{self.n}\n", at

    def take(self, name):
        """At the beginning of a thread's part: its value from before."""
        kind, value = self.kind(name), self.new()
        if name in self.plan.uniform:
            return f"  store {kind} {name}.{self.n}.A, ptr {name}.s\n"
        text, at = self.place(name)
        text += f"  {value} = load {self.stored_kind(name)}, ptr {at}\n"
        if kind == "i1":
            text += f"  {value}.b = trunc i8 {value} to i1\n"
            value += ".b"
        return text + f"  store {kind} {value}, ptr {name}.s\n"

    def keep(self, name):
        """At its end."""
        kind, value = self.kind(name), self.new()
        text = f"  {value} = load {kind}, ptr {name}.s\n"
        if name in self.plan.uniform:
            return text + f"  store {kind} {value}, ptr {name}.N\n"
        if kind == "i1":
            text += f"  {value}.b = zext i1 {value} to i8\n"
            value += ".b"
        where, at = self.place(name)
        return text + where + f"  store {self.stored_kind(name)} {value}, ptr {at}\n"

    # ---- the region ----

    def find_values(self):
        """Finds which values it uses, and which of those that are kept it takes and stores."""
        used, defined = set(), set()
        for label in self.region.blocks:
            block = self.flow.blocks[label]
            for it in [*block.instructions, block.last]:
                used.update(it.uses if it.op != "phi" else ())
            used.update(v for _, v in block.copies if v.startswith("%"))
            defined.update(it.name for it in block.instructions if it.name and it.op != "phi")
            defined.update(phi.name for phi, _ in block.copies)
        out = set()
        if self.end:
            out = set().union(*(self.whole.live[to] for to in self.plan.heads_behind(self.end)))
            if self.plan.kind_of(self.end) != "count":
                out |= set(self.flow.blocks[self.end].last.uses)
        self.stored = sorted(defined & out & self.whole.kept)
        self.taken = sorted(self.whole.live[self.head] & (used | defined) & self.whole.kept)
        need = {name for name in used if self.plan.ranks.get(name) == THREAD}
        for name in reversed(self.whole.order):
            if name in need:
                need |= {u for u in self.plan.found[name].uses if self.plan.ranks[u] == THREAD}
        self.again = [name for name in self.whole.order if name in need and self.plan.ranks[name] == THREAD]

    def text(self):
        n, r = self.n, f"r{self.n}"
        self.find_values()
        group = self.begin_group() if self.plan.grouped else ""
        self.names.update({name: f"{name}.{n}" for name in self.again})
        uniform = self.plan.uniform
        before = "".join(f"  {v}.{n}.A = load {self.kind(v)}, ptr {v}.A\n" for v in self.taken if v in uniform)
        if self.returns:
            before += f"  store i8 {int(self.form == 'steady')}, ptr %um.reached\n"
        if self.form == "asked":
            return frames.region(r, n, before + frames.ASK, group, self.ask(), "", self.asked())
        if self.end and self.plan.kind_of(self.end) == "count":
            before += "  store i32 0, ptr %um.count\n"
        body = self.begin() + "".join(self.block(label) for label in self.region.blocks)
        if self.end:
            self.worked_out = self.work_out()
            body += f"{r}.last:\n" + "".join(self.keep(v) for v in self.stored if v not in self.worked_out)
            body += ("  store i8 1, ptr %um.live\n" if self.plan.dies else "") + f"  br label %{r}.next\n"
        if self.region.returns:
            body += f"{r}.return:\n  br label %{r}.next\n"
        return frames.region(r, n, before, group, body, self.alive(), self.go_on())

    def begin(self):
        """A thread begins: with what it takes along."""
        text = (frames.IN_GROUP if self.plan.grouped else frames.IN_BLOCK).format(n=self.n) + self.enter()
        return text + "".join(self.take(v) for v in self.taken) + f"  br label {self.head}.{self.n}\n"

    def asked(self):
        """Which form it is."""
        r = f"r{self.whole.heads[self.head]}"
        usual = r if self.first else r + "f"
        return frames.ASKED.format(n=self.n, r=f"r{self.n}", steady=r + "s", usual=usual,
                                   none=r + "n" if stay.way_out(self.plan, self.region) else usual)

    def ask(self):
        """Each thread goes as far as it is settled whether it stays."""
        text = self.begin() + "".join(self.block(label) for label in self.ways)
        return text + frames.SAID.format(r=f"r{self.n}")

    def begin_group(self):
        """A loop over the blocks that are run together, each with its indices and what follows from them."""
        n = self.n
        text = frames.EACH_BLOCK.format(r=f"r{n}", n=n) + frames.INDICES.format(n=f"bn.{n}", s=f".{n}")
        for name in self.whole.order:
            if self.plan.ranks[name] == BLOCK:
                text += f"  {name}.{n} = {renamed(self.plan.found[name].text, self.names)}\n"
                self.names[name] = f"{name}.{n}"
        return text

    def enter(self):
        """A thread begins: if it is still there, with what it computes again."""
        n, text = self.n, "  store i8 0, ptr %um.live\n" if self.plan.dies else ""
        if self.plan.dies and not self.first and not self.fast:
            text += (f"  %alive.at.{n} = getelementptr i8, ptr %um.alive.k, i64 %lin.{n}\n"
                     f"  %alive.{n} = load i8, ptr %alive.at.{n}\n  %is.alive.{n} = icmp ne i8 %alive.{n}, 0\n"
                     f"  br i1 %is.alive.{n}, label %r{n}.enter, label %r{n}.next\nr{n}.enter:\n")
        for name in self.again:
            if name in self.whole.own_arrays:
                at = self.new()
                text += f"  {at} = mul i64 %lin.{n}, {name}.w\n"
                text += f"  {name}.{n} = getelementptr i8, ptr {name}.k, i64 {at}\n"
            else:
                text += f"  {name}.{n} = {renamed(self.plan.found[name].text, self.names)}\n"
        return text

    def alive(self):
        """Behind a thread's part of a region in which threads may return: whether it goes on."""
        if not self.plan.dies or not self.end or not self.region.returns and not self.first or \
                self.form == "steady" and not self.first:
            return ""
        self.whole.arrays["%um.alive"] = "i8"
        at = self.new()
        text = (f"  {at} = getelementptr i8, ptr %um.alive.k, i64 %lin.{self.n}\n  {at}.v = load i8, ptr %um.live\n"
                f"  store i8 {at}.v, ptr {at}\n")
        if self.returns:
            text += "".join(f"  {at}.{name} = load i8, ptr %um.{name}\n  {at}.{name}.n = {how} i8 {at}.{name}, {at}.v\n"
                            f"  store i8 {at}.{name}.n, ptr %um.{name}\n"
                            for name, how in (("reached", "or"), ("every", "and")))
        return text

    # ---- what is done for the whole block ----

    def work_out(self):
        """Works out once, into `worked`, the values that are the same for all threads. @return {name: value}"""
        self.worked, self.values, self.levels, self.copies = "", {}, {}, {}
        for label in self.region.aligned:
            self.levels[label] = bin(self.region.dominators[self.region.number[label]]).count("1")
        for label in self.region.blocks:
            for phi, value in self.flow.blocks[label].copies:
                self.copies.setdefault(phi.name, []).append((label, value))
        last = 1 + len(self.region.blocks)
        found = {v: self.value_of(v, last) for v in self.stored if v in self.plan.uniform}
        return {v: value for v, value in found.items() if value is not None}

    def places(self, name):
        """Where the region gives it a value: (label, a phi's source, 1 if the place itself has the old one)."""
        if self.plan.found[name].op == "phi":
            return [(label, value, 1) for label, value in self.copies.get(name, ())]
        label = self.plan.defined[name]
        return [(label, None, 0)] if label in self.region.inside else []

    def value_of(self, name, level):
        """What it is for all threads in the block of that level. @return None: that has to be asked of a thread"""
        if not name.startswith("%") or name in self.plan.ranks:
            return name
        places = self.places(name)
        if name not in self.plan.uniform or any(label not in self.levels for label, _, _ in places) or len(places) > 1:
            return None
        now = [place for place in places if self.levels[place[0]] + place[2] <= level]
        key = name, bool(now)
        if key not in self.values:
            self.values[key] = self.worked_out_at(name, *now[0]) if now else self.new()
            if not now:
                self.worked += f"  {self.values[key]} = load {self.kind(name)}, ptr {name}.A\n"
        return self.values[key]

    def worked_out_at(self, name, label, source, _):
        if source is not None:
            return self.value_of(source, self.levels[label])
        it = self.plan.found[name]
        names = {use: self.value_of(use, self.levels[label]) for use in it.uses}
        if None in names.values() or self.flow.blocks[label].last is it:
            return None
        value = self.new()
        self.worked += f"  {value} = {renamed(it.text, names)}\n"
        return value

    def copy(self, name):
        """The block's value becomes what its threads have found."""
        value, text = self.worked_out.get(name), ""
        if value is None:
            value = self.new()
            text = f"  {value} = load {self.kind(name)}, ptr {name}.N\n"
        return text + f"  store {self.kind(name)} {value}, ptr {name}.A\n"

    def of_block(self, name):
        """A value for the whole block. @return (text, operand)"""
        if not name.startswith("%") or name in self.plan.ranks:
            return "", name
        value = self.new()
        return f"  {value} = load {self.kind(name)}, ptr {name}.A\n", value

    def go_on(self):
        """Behind all threads: what comes next."""
        if self.end is None:
            return "  br label %um.block.end\n"
        n, text, last = self.n, "", self.flow.blocks[self.end].last
        if self.returns:
            text += (f"  %reached.{n} = load i8, ptr %um.reached\n  %some.{n} = icmp ne i8 %reached.{n}, 0\n"
                     f"  br i1 %some.{n}, label %r{n}.go, label %um.block.end\nr{n}.go:\n")
        text += self.worked + "".join(self.copy(v) for v in self.stored if v in self.plan.uniform)
        heads = [f"%r{self.whole.heads[h]}" for h in self.plan.heads_behind(self.end)]
        kind = self.plan.kind_of(self.end)
        if kind == "choice":
            condition = last.uses[0] if last.uses else last.text.split("br i1 ")[1].split(",")[0]
            more, value = self.of_block(condition)
            return text + more + f"  br i1 {value}, label {heads[0]}, label {heads[1]}\n"
        if kind == "count" and last.name:
            value = self.new()
            text += f"  {value} = load i32, ptr %um.count\n  store i32 {value}, ptr {last.name}.A\n"
        if kind == "load":
            names, value = {}, self.new()
            for use in last.uses:
                more, names[use] = self.of_block(use)
                text += more
            text += f"  {value} = {renamed(last.text, names)}\n  store {last.kind} {value}, ptr {last.name}.A\n"
        return text + f"  br label {heads[0]}\n"

    # ---- a block of the region ----

    def operands(self, of, names):
        """Loads those of some values that have a place. @param[in,out] names what they are called in this block"""
        text = ""
        for use in dict.fromkeys(of):
            if use in names or use in self.plan.ranks or use not in self.plan.found:
                continue
            names[use] = self.new()
            text += f"  {names[use]} = load {self.kind(use)}, ptr {use}.s\n"
        return text

    def block(self, label):
        block, text, names = self.flow.blocks[label], f"{label[1:]}.{self.n}:\n", dict(self.names)
        for it in block.instructions:
            if it.op == "phi" or it.name in self.plan.ranks:
                continue
            text += self.operands(it.uses, names)
            what = renamed(it.text, names)
            if not it.name:
                text += f"  {what}\n"
                continue
            names[it.name] = f"{it.name}.{self.n}"
            if self.fast and it.name in self.whole.products:
                text += f"  {it.name}.{self.n}.w = {what}\n"
                what = f"and i64 {it.name}.{self.n}.w, {SMALL}"
            text += f"  {it.name}.{self.n} = {what}\n"
            if it.name in self.whole.kept:
                text += f"  store {self.kind(it.name)} {names[it.name]}, ptr {it.name}.s\n"
        text += self.operands([v for _, v in block.copies if v.startswith("%")], names)
        for phi, value in block.copies:
            text += f"  store {phi.kind} {names.get(value, value)}, ptr {phi.name}.s\n"
        return text + self.jump(block, names)

    def jump(self, block, names):
        if block.label in self.region.ends:
            text = self.operands(block.last.uses, names) if self.plan.kind_of(block.label) == "count" else ""
            return text + self.count(block.last, names) + f"  br label %r{self.n}.last\n"
        if block.last.op == "ret":
            return f"  br label %r{self.n}.return\n"
        if block.last.op == "unreachable":
            return "  unreachable\n"
        to = [f"label {s}.{self.n}" for s in block.last.labels]
        way = self.ways.get(block.label)
        if way and self.form != "asked":
            return f"  br label {way}.{self.n}\n"
        if way:
            on = f"{way}.{self.n}" if way in self.ways else f"%r{self.n}.stays"
            to = ["label " + (on if s == way else f"%r{self.n}.leaves") for s in block.last.labels]
        if len(to) == 1:
            return f"  br {to[0]}\n"
        text = self.operands(block.last.uses, names)
        condition = block.last.text.split("br i1 ")[1].split(",")[0]
        return text + f"  br i1 {names.get(condition, condition)}, {to[0]}, {to[1]}\n"

    def count(self, last, names):
        """At a barrier that counts: this thread's part."""
        match = re.search(r"@umsim_syncthreads_count\(i32 (?:\w+ )*?([^ ,]+),", last.text)
        if not match:
            return ""
        value = self.new()
        return (f"  {value} = icmp ne i32 {names.get(match[1], match[1])}, 0\n"
                f"  {value}.z = zext i1 {value} to i32\n  {value}.c = load i32, ptr %um.count\n"
                f"  {value}.n = add i32 {value}.c, {value}.z\n  store i32 {value}.n, ptr %um.count\n")
