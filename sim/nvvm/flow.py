"""A function of LLVM's as blocks of instructions, for regions.py: read from LLVM's own text, values renamed.

Sets of blocks are whole numbers, a bit for a block: what is asked of a graph here are such sets.
"""
import re

from words import NAME, Refused, bare, first_type, split

VALUE = re.compile(r'%(?:"[^"]*"|[-\w$.]+)')
CALLEE = re.compile(rf"\bcall\b[^@]*?({NAME})\(")
# Operations whose result follows from their operands alone, and which may be done where they need not be.
PURE = frozenset("""add sub mul shl lshr ashr and or xor icmp fcmp select getelementptr trunc zext sext bitcast ptrtoint
inttoptr sitofp uitofp fptrunc fpext fadd fsub fmul fneg extractvalue insertvalue""".split())
# Likewise, but they are done only where they are.
IN_PLACE = frozenset(("udiv", "sdiv", "urem", "srem", "fdiv", "frem", "freeze"))
PURE_CALLS = re.compile(r"@llvm\.(?:[su](?:max|min)|abs|fabs|ctpop|fsh[lr]|bswap|bitreverse|copysign|sqrt|fma|floor|"
                        r"ceil|trunc|rint|minnum|maxnum|minimum|maximum|fpto[su]i\.sat)\.")
# What holds for one call of a function that was inlined, and not for threads one after another.
SCOPES = re.compile(r", !(?:alias\.scope|noalias) !\d+")
PASSED_OVER = re.compile(r"@llvm\.(?:experimental\.noalias\.scope\.decl|lifetime\.|dbg\.)")
# What is the same during a launch, wherever it is asked.
OF_LAUNCH = frozenset(("@umsim_shared", "@umsim_dynamic_shared", "@umsim_dynamic_shared_bytes"))


class Instruction:
    """One instruction. `uses` are its operands' names, without labels'; of a phi `edges` are (value, block)."""

    def __init__(self, name, kind, text):
        self.name, self.kind, self.text = name, kind, text
        words = text.split(" ", 2)
        self.op = words[1] if words[0] in ("tail", "notail", "musttail") else words[0]
        self.callee, self.labels, self.edges = None, [], []
        if self.op == "call":
            match = CALLEE.search(text)
            self.callee = match[1].replace('"', "") if match else "by address"
        plain = re.sub(r"label %[\w.]+", lambda m: self.labels.append(m[0][6:]) or "", text)
        if self.op == "phi":
            plain = plain[:plain.rfind(" ]") + 2]
            self.edges = [tuple(part[1:-1].strip().rsplit(", ", 1)) for part in
                          split(plain[4 + len(first_type(plain[4:])):])]
            plain = " ".join(value for value, _ in self.edges)
        self.uses = VALUE.findall(plain)

    def is_pure(self):
        return self.op in PURE or self.op == "call" and bool(PURE_CALLS.match(self.callee))

    def is_speculative(self):
        """Whether it may be done earlier than it is."""
        return self.is_pure() or self.op in ("udiv", "urem") and bool(re.search(r", [1-9]\d*(?:,|$)", self.text))


class Block:
    """Instructions without a jump between them. `last` ends it: a jump, or what cut it off from `next`."""

    def __init__(self, label):
        self.label, self.instructions, self.last, self.next = label, [], None, None
        self.copies = []  # (phi, source): what phis get at the end of this block

    def successors(self):
        return self.last.labels if self.next is None else []


def renamed(text, names):
    return VALUE.sub(lambda m: names.get(m[0], m[0]), text)


def lines_of(function):
    """The lines of its body, one for an instruction."""
    text = str(function)
    body = text[text.index("{\n", text.index("define ")) + 2:text.rindex("}")]
    for line in body.split("\n"):
        label = re.match(r'("[^"]*"|[-\w$.]+):', line)
        if label:
            yield "%" + label[1], None
        elif line.strip() and not line.startswith((";", "    #dbg")):
            yield None, line.strip()


class Function:
    """Its blocks, by label, the first one first; `kinds` are the types of values."""

    def __init__(self, function, types_named):
        kinds = {}
        for block in function.blocks:
            for it in block.instructions:
                kinds[it.name] = str(it.type)
        names, lines = {}, list(lines_of(function))
        for label, line in lines:
            own = label or line.startswith("%") and VALUE.match(line)[0]
            if own:
                names[own] = ("%b" if label else "%v") + str(len(names))
        if any(name in names for name in types_named):
            raise Refused("a type has a value's name")
        self.blocks, self.kinds = {}, {}
        self.labels = {new: old[1:] for old, new in names.items()}  # as they were
        self.read(lines, names, kinds)

    def read(self, lines, names, kinds):
        block = None
        for label, line in lines:
            if label:
                block = self.blocks[names[label]] = Block(names[label])
                continue
            if PASSED_OVER.search(line):
                continue
            name, text = None, renamed(SCOPES.sub("", line), names)
            if " = " in text and text.startswith("%"):
                name, text = text.split(" = ", 1)
                self.kinds[name] = kinds[bare(VALUE.match(line)[0])]
            it = Instruction(name, self.kinds.get(name), text)
            if it.op in ("br", "ret", "unreachable"):
                block.last = it
                if len(set(it.labels)) < len(it.labels):
                    raise Refused("a jump of which both ways are one")
            elif it.op in ("switch", "indirectbr", "invoke", "callbr"):
                raise Refused("a jump of another kind: " + it.op)
            else:
                block.instructions.append(it)

    # ---- the graph ----

    def cut_behind(self, label, at):
        """Divides a block: what is at `at` ends it, the rest is another one. @return the other's label"""
        block = self.blocks[label]
        rest = Block(f"%b{len(self.blocks)}.c")
        rest.instructions, rest.last, rest.next = block.instructions[at + 1:], block.last, block.next
        block.last, block.instructions, block.next = block.instructions[at], block.instructions[:at], rest.label
        self.blocks[rest.label] = rest
        for other in self.blocks.values():
            for it in other.instructions:
                it.edges = [(value, rest.label if of == label else of) for value, of in it.edges]
        return rest.label

    def split_edges(self):
        """Puts a block of its own on each edge from a choice to where a phi depends on it."""
        for label in list(self.blocks):
            block = self.blocks[label]
            for k, to in enumerate(list(block.successors()) if len(block.successors()) > 1 else []):
                if not any(it.op == "phi" for it in self.blocks[to].instructions):
                    continue
                edge = Block(f"%b{len(self.blocks)}.e")
                edge.last = Instruction(None, None, f"br label {to}")
                self.blocks[edge.label] = edge
                block.last.labels[k] = edge.label
                for it in self.blocks[to].instructions:
                    if it.op == "phi":
                        at = next(i for i, (_, of) in enumerate(it.edges) if of == label)
                        it.edges[at] = (it.edges[at][0], edge.label)
        for block in self.blocks.values():
            for it in block.instructions:
                for value, of in it.edges:
                    self.blocks[of].copies.append((it, value))


def live_in(function, kept):
    """Of each block the values of `kept` that are needed at its beginning."""
    uses, defined = {}, {}
    for label, block in function.blocks.items():
        first, own = set(), set()
        for it in block.instructions:
            if it.op == "phi":
                continue
            first |= set(it.uses) & kept - own
            own.add(it.name)
        first |= {v for _, v in block.copies if v in kept} - own
        own |= {phi.name for phi, _ in block.copies}
        if block.last:
            first |= set(block.last.uses) & kept - own
            own.add(block.last.name)
        uses[label], defined[label] = first, own
    live, changed = {label: set() for label in function.blocks}, True
    while changed:
        changed = False
        for label in reversed(function.blocks):
            block, out = function.blocks[label], set()
            for to in block.successors() if block.next is None else [block.next]:
                out |= live[to]
            new = uses[label] | out - defined[label]
            if new != live[label]:
                live[label], changed = new, True
    return live
