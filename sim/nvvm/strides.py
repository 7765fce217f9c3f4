"""Grid-stride loops: where a kernel without barriers is cut, so that its threads go through memory side by side.

    for i in range(cuda.grid(1), n, cuda.gridsize(1)): ...

All threads of some blocks make one pass of such a loop, then the next: behind each pass is a cut, at which they meet as
at a barrier. Any order of threads is right where nothing makes them wait. A thread that leaves the loop goes on alone,
so behind it there is no other such loop. What counts passes in the loop, by steps that are the same for all threads, is
computed from the pass's number: so LLVM sees that neighbours have neighbouring addresses.
"""
import re

from flow import Instruction
from words import Refused

LAUNCH = 0  # regions.py


class Stride:
    """The loop of a function that is to be cut. @param plan has the function's values, and no cuts yet"""

    def __init__(self, plan, whole):
        self.plan, self.flow, self.whole = plan, plan.flow, whole
        found = [label for label in whole.blocks if self.is_grid_stride(label)]
        outer = [label for label in found if not any(self.contains(other, label) for other in whole.blocks
                                                     if other != label and self.back_edge(other))]
        if not outer:
            raise Refused("it has no grid-stride loop")
        self.header = outer[-1]
        self.count_passes()

    def dominates(self, one, other):
        return self.whole.dominators[self.whole.number[other]] >> self.whole.number[one] & 1

    def back_edge(self, header):
        """The block from which a loop begins again. @return None: it is no loop's first block"""
        back = [p for p in self.whole.preds[header] if self.dominates(header, p)]
        return back[0] if len(back) == 1 and len(self.whole.preds[header]) == 2 else None

    def contains(self, header, label):
        return self.dominates(header, label) and self.whole.reach[self.whole.number[label]] >> \
            self.whole.number[header] & 1

    def step_of(self, phi, back):
        """By what a variable grows from pass to pass. @return (operand, what it begins with), or None"""
        ends = {of: value for value, of in phi.edges}
        it = self.plan.found.get(ends.get(back))
        match = it and re.match(r"add (?:nuw |nsw )*i\d+ ([^, ]+), ([^, ]+)", it.text)
        if not match or phi.name not in match.groups():
            return None
        step = match[2] if match[1] == phi.name else match[1]
        if step.startswith("%") and self.plan.ranks.get(step) != LAUNCH:
            return None
        return step, next(value for value, of in phi.edges if of != back)

    def asks_for_sizes(self, name):
        """Whether a value follows from the launch's dimensions."""
        todo, seen = [name], set()
        while todo:
            at = todo.pop()
            if at == "%g":
                return True
            if at in self.plan.found and at not in seen:
                seen.add(at)
                todo += self.plan.found[at].uses
        return False

    def phis(self, header):
        return [it for it in self.flow.blocks[header].instructions if it.op == "phi"]

    def is_grid_stride(self, header):
        back = self.back_edge(header)
        steps = [self.step_of(phi, back) for phi in self.phis(header)] if back else []
        return any(step and self.asks_for_sizes(step[0]) for step in steps)

    def count_passes(self):
        """Variables that grow by a step become first value and passes times step."""
        back, block = self.back_edge(self.header), self.flow.blocks[self.header]
        front = next(p for p in self.whole.preds[self.header] if p != back)
        phis, others, new = [], [it for it in block.instructions if it.op != "phi"], []
        for phi in self.phis(self.header):
            step = self.step_of(phi, back)
            if not step:
                phis.append(phi)
                continue
            number = "%pass"
            if phi.kind != "i64":
                number = f"{phi.name}.p"
                how = "trunc" if int(phi.kind[1:]) < 64 else "zext"
                new.append(self.made(number, phi.kind, f"{how} i64 %pass to {phi.kind}"))
            elif not step[0].startswith("-"):
                self.plan.products[f"{phi.name}.w"] = "%pass", step[0]
            new.append(self.made(f"{phi.name}.w", phi.kind, f"mul {phi.kind} {number}, {step[0]}"))
            new.append(self.made(phi.name, phi.kind, f"add {phi.kind} {step[1]}, {phi.name}.w"))
        self.counter = self.made("%pass", "i64", f"phi i64 [ 0, {front} ], [ %pass.next, {back} ]")
        block.instructions = [self.counter, *phis, *new, *others]
        self.flow.blocks[back].instructions.append(self.made("%pass.next", "i64", "add i64 %pass, 1"))

    def made(self, name, kind, text):
        self.flow.kinds[name] = kind
        return Instruction(name, kind, text)

    def cut(self):
        """Behind each pass. The function's edges have been divided."""
        back = self.flow.blocks[self.counter.edges[1][1]]
        if back.successors() != [self.header]:
            raise Refused("a loop of another form")
        back.next, back.last = self.header, Instruction(None, None, "pass")
