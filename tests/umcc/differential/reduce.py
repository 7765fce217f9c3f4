"""Makes a failing kernel small: it drops launches and statements, and replaces expressions, as long as it fails.

Every change keeps the program defined (tree.py), except that a barrier or a condition may have been needed: so what is
left must also be clean under --check. Many candidates are compiled as one file, each in a namespace of its own.
"""
import copy
from collections import Counter

from tree import NAME, Expr, expressions_of
from values import literal

BATCH = 40


def statements(kernel):
    """All statements with the blocks that they are in, and how deep they are."""
    def walk(block, depth):
        for statement in list(block.body):
            yield block, statement, depth
            for inner in statement.blocks():
                yield from walk(inner, depth + 1)
    return list(walk(kernel.body, 0))


def is_needed(kernel, block, statement):
    """Whether a name that the statement declares is used outside of it, or one that has its first value from it. Of two
    barriers with nothing between them one is not needed."""
    if statement.keep:
        at = block.body.index(statement)
        return statement.tag != "barrier" or at == 0 or block.body[at - 1].tag != "barrier"
    if not statement.declares and not statement.first_of:
        return False
    words = Counter(NAME.findall("\n".join(kernel.body_lines())))
    own = Counter(NAME.findall("\n".join(statement.lines(0))))
    if statement.first_of:
        return words[statement.first_of] > own[statement.first_of] + 1
    return any(words[name] > own[name] for name in statement.declares)


def drops(kernel, depth):
    """Statements at a depth that can be dropped: ("drop", statement)."""
    return [("drop", n) for n, (block, s, d) in enumerate(statements(kernel))
            if d == depth and not is_needed(kernel, block, s)]


def simpler(kernel):
    """("unwrap", statement), ("else", statement), ("plain",)."""
    edits = []
    if kernel.head != "__global__ void" and "class T" not in kernel.head or kernel.space:
        edits.append(("plain",))
    for n, (_, s, _) in enumerate(statements(kernel)):
        if s.shell and s.blocks():
            edits.append(("unwrap", n))
        if " else " in s.parts:
            edits.append(("else", n))
    return edits


def constants(kernel, depth):
    """Expressions at a depth of their statement that a constant can replace: ("constant", statement, expression)."""
    edits = []
    for n, (_, s, _) in enumerate(statements(kernel)):
        all_of = list(expressions_of(s))
        level = [e for e in s.expressions() if not e.fixed]
        for _ in range(depth):
            level = [c for e in level for c in e.children() if not c.fixed]
        for e in level:
            if not e.is_constant() and not is_simple(e):
                edits.append(("constant", n, next(x for x, other in enumerate(all_of) if other is e)))
    return edits


def children(kernel):
    """Expressions that one of their operands can replace: ("child", statement, expression, operand)."""
    edits = []
    for n, (_, s, _) in enumerate(statements(kernel)):
        for x, e in enumerate(expressions_of(s)):
            for c, child in enumerate(e.children()):
                if child.kind is e.kind and e.low <= child.low and child.high <= e.high:
                    edits.append(("child", n, x, c))
    return edits


def launches(kernel):
    return [("launch", n) for n in range(len(kernel.launches))] if len(kernel.launches) > 1 else []


def is_simple(e):
    """A name or an index that says nothing more when it is replaced."""
    return not e.children() and e.low == e.high


def constant_for(e):
    for value in (0, 1, e.low):
        if e.low <= value <= e.high:
            return value
    return e.high


def become(e, other):
    """The object `e` takes over what `other` is."""
    e.__dict__.update(other.__dict__)


def apply(kernel, edits):
    """A copy with these changes; later ones may find their place gone."""
    made = copy.deepcopy(kernel, {id(kernel.helpers): kernel.helpers})
    places = statements(made)
    inner = [list(expressions_of(s)) for _, s, _ in places]
    before = list(made.launches)
    for kind, *at in edits:
        if kind == "launch":
            made.launches = [before[at[0]]]
        elif kind == "plain":
            make_plain(made)
        elif kind in ("constant", "child"):
            e = inner[at[0]][at[1]]
            if kind == "constant":
                value = literal(constant_for(e), e.kind)
                become(e, Expr(value.parts, e.kind, value.low, value.high, value.tight))
            elif at[2] < len(e.children()):
                become(e, e.children()[at[2]])
        else:
            change_statement(places, kind, at[0])
    return made


def change_statement(places, kind, n):
    block, s, _ = places[n]
    if kind == "else" and " else " in s.parts:
        del s.parts[s.parts.index(" else "):]
    elif s not in block.body:
        return
    elif kind == "drop":
        block.body.remove(s)
    elif kind == "unwrap":
        at = block.body.index(s)
        block.body[at:at + 1] = s.blocks()[0].body


def make_plain(kernel):
    kernel.space = None
    if "class T" not in kernel.head:
        kernel.head, kernel.call = "__global__ void", kernel.name


def renumbered(kernel, number):
    """The same kernel in a namespace, under another number."""
    made = copy.copy(kernel)
    made.space, made.number = f"copy{number}", number
    return made


class Reducer:
    """fails(kernels) says which of them fail; a candidate that does not compile does not."""

    def __init__(self, fails):
        self.fails, self.asked = fails, 0

    def which(self, kernel, sets):
        """For each set of edits whether the kernel still fails with it."""
        answers, batch = [], BATCH if "extern" not in kernel.head else 1  # C's names are the same in namespaces
        for at in range(0, len(sets), batch):
            some = [apply(kernel, edits) for edits in sets[at:at + batch]]
            answers += self.fails(some)
            self.asked += 1
        return answers

    def most(self, kernel, edits):
        """Applies as many of the edits, each of which is good by itself, as go together."""
        sets = [edits[:n] for n in sorted({1, 2, 4, 8, 16, 32, 64, len(edits) // 2, len(edits)})
                if 0 < n <= len(edits)]
        answers = self.which(kernel, sets)
        best = max((s for s, good in zip(sets, answers) if good), key=len, default=edits[:1])
        return apply(kernel, best)

    def chunk(self, kernel, edits):
        """Applies all edits, or a half, or a quarter, as far as that works; None if it does not: quick at first, when
        the kernel is large."""
        if len(edits) < 8:
            return None
        sizes = [len(edits), -(-len(edits) // 2), -(-len(edits) // 4)]
        sets = [edits[at:at + size] for size in sizes for at in range(0, len(edits), size)]
        answers = self.which(kernel, sets)
        return next((apply(kernel, some) for some, good in zip(sets, answers) if good), None)

    def reduce(self, kernel):
        """Whole statements first, outer ones before inner ones; then everything at once, as long as something helps."""
        kernel = self.round(kernel, lambda k: [e for e in simpler(k) if e == ("plain",)], 1)
        kernel = self.round(kernel, launches)
        for depth in range(4):
            kernel = self.round(kernel, lambda k, at=depth: drops(k, at))
        return self.round(kernel, lambda k: [e for depth in range(5) for e in drops(k, depth)] + simpler(k) +
                          [e for depth in range(4) for e in constants(k, depth)] + children(k), 20)

    def round(self, kernel, find, times=6):
        """All changes of a kind, as long as one helps."""
        for _ in range(times):
            edits = find(kernel)
            fewer = self.chunk(kernel, edits)
            if fewer:
                kernel = fewer
                continue
            answers = self.which(kernel, [[e] for e in edits])
            good = [e for e, fails in zip(edits, answers) if fails]
            if not good:
                break
            kernel = apply(kernel, good[:1]) if len(good) == 1 or find is launches else self.most(kernel, good)
        return kernel
