"""Writes a kernel that is cut (regions.py) as a function that runs blocks: a loop over threads for each region.

What a thread needs in a later region is kept: in a variable, if it is the same for all threads of the block, else in an
array with a place for each thread. Values that follow from a thread's indices are computed again. Inside a region every
such value is a variable of its own, which LLVM makes values of again, so that it sees a plain loop over threads.
"""
import re

import frames
import stay
from part import Part
from regions import BLOCK, LAUNCH


class Text:
    """The text of one kernel."""

    def __init__(self, plan):
        self.plan, self.flow, self.number = plan, plan.flow, 0
        self.kept = plan.kept_values()
        self.live = plan.live(self.kept)
        self.heads = {head: i for i, head in enumerate(plan.regions)}
        self.shared = {}
        self.products = {name: of for name, of in plan.products.items() if of[0] in plan.uniform & self.kept}
        self.arrays, self.own_arrays = {}, {}
        self.order, seen = [], set()
        for name in plan.ranks:
            self.put_in_order(name, seen)
        for block in self.flow.blocks.values():
            for it in block.instructions:
                if it.op == "alloca":
                    self.own_arrays[it.name] = it

    def put_in_order(self, name, seen):
        """Values that are computed anywhere, each behind those that it follows from."""
        if name in seen or name not in self.plan.found:
            return
        seen.add(name)
        for use in self.plan.found[name].uses:
            self.put_in_order(use, seen)
        self.order.append(name)

    def new(self):
        self.number += 1
        return f"%t{self.number}"

    def kind(self, name):
        return self.flow.kinds[name]

    # ---- values that are the same wherever they are computed ----

    def of_rank(self, rank):
        text = ""
        for name in self.order:
            it = self.plan.found[name]
            if self.plan.ranks[name] != rank or it.op == "alloca":
                continue
            text += f"  {name} = {self.shared_once(it) or it.text}\n"
        return text

    def shared_once(self, it):
        """Each `__shared__` variable is asked for once, so that LLVM may know that no other pointer leads there."""
        if it.callee not in ("@umsim_shared", "@umsim_dynamic_shared"):
            return None
        key = re.search(r'@"?um\.key\.[^,]*|$', it.text)[0]
        if self.shared.setdefault(key, it.name) != it.name:
            return f"getelementptr i8, ptr {self.shared[key]}, i64 0"
        return "call noalias ptr " + it.text[it.text.index(it.callee):]

    # ---- the function ----

    def text(self, name, launch, probed):
        regions = "".join(self.region(head) for head in self.plan.regions)
        text = f"define internal void {name}({launch}, i64 %first, i64 %last) nounwind {probed} {{\n"
        text += frames.HEAD + (frames.GROUP if self.plan.grouped else frames.ONE)
        for value in sorted(self.kept):
            text += f"  {value}.s = alloca {self.kind(value)}\n"
            if value in self.plan.uniform:
                text += f"  {value}.A = alloca {self.kind(value)}\n  {value}.N = alloca {self.kind(value)}\n"
        text += "".join(f"  %um.{flag} = alloca i8\n" for flag in ("reached", "live", "every", "stay", "some"))
        text += "  %um.count = alloca i32\n" + self.of_rank(LAUNCH)
        text += self.own_array_sizes()
        first, threads = None, self.new()
        text += f"  {threads} = mul i64 %um.threads, %um.size\n"
        for array, size, align in self.needed_arrays():
            first = first or array
            text += (f"  {array}.b = mul i64 {threads}, {size}\n  {array}.c = add i64 {array}.b, 64\n"
                     f"  {array}.k = call noalias ptr @umsim_keep(i64 {array}.c, i64 {align})\n")
        text += frames.BLOCKS + (frames.TAKE if self.plan.grouped else
                                 frames.INDICES.format(n="um.n", s="") + self.of_rank(BLOCK))
        text += "".join(f"  store i64 0, ptr {number}.A\n" for number in sorted({n for n, _ in self.products.values()}))
        text += "  store i8 1, ptr %um.every\n  br label %r0\n" + regions + frames.END
        return text + (f"  call void @umsim_keep_end(ptr {first}.k)\n" if first else "") + "  ret void\n}\n"

    def needed_arrays(self):
        """(name, bytes for a thread, alignment); 64 bytes more lie between them, lest all share the cache's sets."""
        found = [(name, self.bytes(kind), 64) for name, kind in sorted(self.arrays.items())]
        return found + [(name, f"{name}.w", max(64, self.align(it))) for name, it in sorted(self.own_arrays.items())]

    @staticmethod
    def bytes(kind):
        return f"ptrtoint (ptr getelementptr ({kind}, ptr null, i64 1) to i64)"

    @staticmethod
    def align(it):
        match = re.search(r", align (\d+)", it.text)
        return int(match[1]) if match else 16

    def own_array_sizes(self):
        """Bytes of a thread's own arrays, with those up to the next thread's."""
        text = ""
        for name, it in sorted(self.own_arrays.items()):
            kind, align = re.split(r", (?:align|!)", it.text[len("alloca "):])[0], self.align(it)
            text += f"  {name}.u = add i64 {self.bytes(kind)}, {align - 1}\n  {name}.w = and i64 {name}.u, {-align}\n"
        return text

    def region(self, head):
        """One region's text, or several of which one is chosen each time."""
        r, usual = f"r{self.heads[head]}", Part(self, head)
        stays = self.plan.grouped and stay.ways(self.plan, usual.region)
        forms = ["asked", "steady", "none"] if stay.way_out(self.plan, usual.region) else ["asked", "steady"]
        more = "".join(Part(self, head, form).text() for form in forms) if stays else ""
        if not self.plan.grouped or usual.first or not usual.returns:
            stays = stays and usual.first
            return f"{r}:\n  br label %{r}{'a' if stays else ''}.begin\n" + usual.text() + (more if stays else "")
        text = f"{r}:\n  %every.{r} = load i8, ptr %um.every\n  %ok.{r}.0 = icmp ne i8 %every.{r}, 0\n"
        for i, (name, (number, step)) in enumerate(sorted(self.products.items())):
            text += (f"  {name}.{r}.p = load i64, ptr {number}.A\n  {name}.{r} = mul i64 {name}.{r}.p, {step}\n"
                     f"  {name}.{r}.h = lshr i64 {name}.{r}, 62\n  {name}.{r}.c = icmp eq i64 {name}.{r}.h, 0\n"
                     f"  %ok.{r}.{i + 1} = and i1 %ok.{r}.{i}, {name}.{r}.c\n")
        text += f"  br i1 %ok.{r}.{len(self.products)}, label %{r}{'a' if stays else 'f'}.begin, label %{r}.begin\n"
        return text + usual.text() + Part(self, head, "fast").text() + more
