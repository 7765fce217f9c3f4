"""What a generated kernel is made of: expressions, statements and blocks, which render themselves and can be reduced.

An expression knows its type and the interval that its value lies in, so that the generator can tell what is defined
behaviour. A part of it may be replaced by a constant of the same type and interval without becoming undefined; a
statement that is not marked `keep` may be dropped. reduce.py does both.
"""
import re

NAME = re.compile(r"[A-Za-z_]\w*")
# How tightly operators bind; what is joined more loosely than its place wants gets parentheses.
COMMA, ASSIGN, LOR, LAND, OR, XOR, AND, EQUAL, LESS, SHIFT, ADD, TIMES, UNARY, POSTFIX, PRIMARY = range(1, 16)


class Expr:
    """`parts` are texts and pairs (expression, how tightly its place binds)."""

    def __init__(self, parts, kind, low, high, tight=PRIMARY, tag=None):
        self.parts, self.kind, self.low, self.high, self.tight, self.tag = parts, kind, low, high, tight, tag
        self.fixed = False  # which element it is, or how often a loop turns: it may not be replaced

    def text(self, wanted=COMMA):
        inside = "".join(p if isinstance(p, str) else p[0].text(p[1]) for p in self.parts)
        return f"({inside})" if self.tight < wanted else inside

    def children(self):
        return [p[0] for p in self.parts if not isinstance(p, str)]

    def is_constant(self):
        return len(self.parts) == 1 and isinstance(self.parts[0], str) and not NAME.match(self.parts[0])


class Stmt:
    """One statement: `parts` are texts, expressions, blocks, and tuples (expression, tightness).

    keep: may not be dropped. shell: its blocks may take its place (a condition, not a loop that hands them a variable).
    declares: the names that it brings. first_of: gives this name its first value, and has to stay while it is used.
    """

    def __init__(self, parts, tag=None, keep=False, shell=False, declares=(), first_of=None):
        self.parts, self.tag, self.keep, self.shell, self.declares = parts, tag, keep, shell, tuple(declares)
        self.first_of = first_of

    def lines(self, indent):
        """The text, with a line for each statement."""
        out = [" " * indent]
        for part in self.parts:
            if isinstance(part, Block):
                out[-1] += "{"
                for statement in part.body:
                    out += statement.lines(indent + 4)
                out.append(" " * indent + "}")
            elif isinstance(part, Expr):
                out[-1] += part.text(ASSIGN)
            elif isinstance(part, tuple):
                out[-1] += part[0].text(part[1])
            else:
                first, *more = part.split("\n")
                out[-1] += first
                out += [" " * indent + line for line in more]
        return out

    def blocks(self):
        return [p for p in self.parts if isinstance(p, Block)]

    def expressions(self):
        return [p if isinstance(p, Expr) else p[0] for p in self.parts if isinstance(p, (Expr, tuple))]


class Block:
    """Statements in braces. `loose`: it is not certain that all threads of a block run it together."""

    def __init__(self, body=None):
        self.body = body if body is not None else []

    def add(self, *statements):
        self.body += [s for s in statements if s is not None]
        return self

    def walk(self):
        """All statements below, as (block, statement)."""
        for statement in list(self.body):
            yield self, statement
            for block in statement.blocks():
                yield from block.walk()


def expressions_of(statement):
    """All expressions of one statement that may be replaced, without those of its blocks, outer ones first."""
    todo = statement.expressions()
    while todo:
        e = todo.pop(0)
        if not e.fixed:
            yield e
            todo += e.children()


def fixed(e):
    e.fixed = True
    return e


def tags_in(expressions):
    return {tag for e in expressions for tag in {e.tag} | tags_in(e.children())}


class Launch:
    """One launch of a kernel: its shape and its arguments, by the parameters' names."""

    def __init__(self, grid, block, shared=0):
        self.grid, self.block, self.shared, self.values = grid, block, shared, {}

    def shape(self):
        def dims(of):
            return str(of[0]) if of[1:] == (1, 1) else f"dim3({', '.join(map(str, of))})"
        more = f", {self.shared}" if self.shared else ", 0"
        return f"{dims(self.grid)}, {dims(self.block)}{more}"

    def threads(self):
        return self.block[0] * self.block[1] * self.block[2]

    def blocks(self):
        return self.grid[0] * self.grid[1] * self.grid[2]


class Kernel:
    """A kernel, the declarations that it needs, its parameters (name -> declaration) and its launches."""

    def __init__(self, number):
        self.number, self.name = number, f"k{number}"
        self.head, self.call = "__global__ void", self.name
        self.body = Block()
        self.helpers = {}  # name -> text; in the order of their declaration
        self.parameters = {}
        self.launches = []
        self.tags = set()
        self.space = None  # the namespace around a copy of it (reduce.py)
        self.family = ""

    def used_tags(self):
        """The forms that are left in it."""
        found = {self.family}
        for _, statement in self.body.walk():
            found.add(statement.tag)
            found |= tags_in(statement.expressions())
        text = self.text()
        return {t for t in found if t} | {t for t in self.tags if not t.startswith("name:") or t[5:] in text}

    def body_lines(self):
        out = ["{"]
        for statement in self.body.body:
            out += statement.lines(4)
        return out + ["}"]

    def chosen(self, only_used):
        """The parameters. `only_used` leaves out what nothing names and no type is deduced from."""
        words = set(NAME.findall("\n".join(self.body_lines())))
        return {n: p for n, p in self.parameters.items() if not only_used or n in words or "T" in NAME.findall(p)}

    def text(self, only_used=False):
        """The source: helpers, then the kernel. `only_used` leaves out what nothing names."""
        body = "\n".join(self.body_lines())
        parameters = self.chosen(only_used)
        head = f"{self.head} {self.name}({', '.join(parameters.values())})\n{body}"
        chosen, words = [], set(NAME.findall(head))
        for name, text in reversed(self.helpers.items()):
            if not only_used or any(w == name or w.startswith(name + "_") for w in words):
                chosen.append(text)
                words |= set(NAME.findall(text))
        return "\n".join([*reversed(chosen), head]) + "\n"

    def launch_text(self, launch, only_used=False):
        names = self.chosen(only_used)
        return f"{self.call}<<<{launch.shape()}, STREAM>>>({', '.join(launch.values[n] for n in names)})"
