"""A kernel while it is made: names, parameters, the memory that it may use, and random expressions and statements.

Memory of a launch (files.py allocates and hashes it): `in` and its like are read only, 1024 elements each; `out` is
written at places that belong to one thread alone; `own` has an element for each thread of the grid; `bins` is changed
by atomic functions that commute.
"""
from tree import Block, Expr, Kernel, Stmt, fixed
from values import (
    INT,
    KINDS,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    WIDE,
    binary,
    both,
    call,
    cast,
    choice,
    compare,
    element,
    literal,
    negation,
    positive,
    promoted,
    shift,
    unary,
)

# Read-only arrays: name -> (declaration, kind, interval). files.py fills them.
INPUTS = {
    "in": ("const int *$", INT, -1000, 1000),
    "words": ("const unsigned *$", UINT, None, None),
    "bytes": ("const unsigned char *$", UCHAR, None, None),
    "longs": ("const long long *$", LONG, -10**12, 10**12),
    "shorts": ("const short *$", SHORT, None, None),
}
LENGTH = 1024  # elements of each
OUT_MOST, THREADS_MOST, BINS = 4096, 2048, 64
SMALL = 1 << 27  # a counter stays below it: some 2^14 turns of at most 1000 each


class Var:
    """A variable in scope. counter: only small amounts are added to it; hash: any arithmetic, modulo its width."""

    def __init__(self, name, kind, low, high, **more):
        self.name, self.kind, self.low, self.high = name, kind, low, high
        self.role = more.get("role")  # "counter", "hash", or None: it is not changed
        self.read = more.get("read", name)  # how its value is written: `s.v` for a structure
        self.struct = more.get("struct")  # "scalar", "array", or (structure's name, [(tag, statement that changes it)])
        self.distinct = more.get("distinct", False)  # no two threads have the same value

    def value(self):
        return Expr([self.read], self.kind, self.low, self.high)


class Maker:
    """Makes one kernel; `rng` decides everything."""

    def __init__(self, number, rng, without=frozenset()):
        self.rng, self.kernel, self.without = rng, Kernel(number), without
        self.scope = []  # Vars
        self.serial = 0
        self.turns = 1  # how often the place that is being made runs in a thread, at most
        self.in_kernel = True
        self.edges = []  # the thread's place in the grid, as variables
        self.own = None  # how a thread's own element is written: "own[...]"
        self.out = None  # (array, Expr of the index, kind): an element that belongs to this turn alone
        # How far from what most programs look like: umcc's passes take only what is simple, so that most kernels have
        # to be, but for one oddity or two.
        self.odd = self.weighted([(6, 0.06), (2.5, 0.3), (1.5, 1.0)])
        self.uniform_only = False
        self.pure = False  # only arithmetic
        self.forced = None  # the one form of change that the kernel has: (of what, its row in changes.py)
        self.reads = 0  # reads of memory whose index is being made

    # ---- choices and names ----

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return items[self.rng.randrange(len(items))]

    def may(self, tag):
        return tag not in self.without

    def weighted(self, table):
        """One of [(weight, item)]; items whose tag is excluded are left out before."""
        at = self.rng.random() * sum(w for w, _ in table)
        for weight, item in table:
            at -= weight
            if at < 0:
                return item
        return table[-1][1]

    def form(self, table):
        """As weighted(), but the first row is the usual one; the others are as likely as the kernel is odd."""
        return self.weighted([table[0], *((w * self.odd, item) for w, item in table[1:])])

    def seldom(self, p):
        return self.chance(p * self.odd)

    def new(self, base="v"):
        self.serial += 1
        return f"{base}{self.serial}"

    def helper_name(self, base):
        self.serial += 1
        return f"{base}{self.kernel.number}_{self.serial}"

    def helper(self, base, text):
        """Declares something in front of the kernel; `$H` is its name, which is returned."""
        name = self.helper_name(base)
        self.kernel.helpers[name] = text.replace("$H", name)
        return name

    # ---- parameters ----

    def parameter(self, base, kind, values, spelled=None):
        """A parameter by value with a value for each launch. Returns its Var."""
        name = self.new(base)
        const = "const " if self.seldom(0.2) else ""
        self.kernel.parameters[name] = f"{const}{spelled or self.spell(kind)} {name}"
        for launch, value in zip(self.kernel.launches, values):
            launch.values[name] = literal(value, kind).text()
        var = Var(name, kind, min(values), max(values))
        self.scope.append(var)
        return var

    def pointer(self, name, declaration, argument):
        """A pointer parameter: once for each name."""
        if name not in self.kernel.parameters:
            self.kernel.parameters[name] = declaration.replace("$", name)
            for launch in self.kernel.launches:
                launch.values[name] = argument
        return name

    def input(self, name):
        declaration = INPUTS[name][0]
        if self.seldom(0.2):
            declaration = declaration.replace("*$", "*__restrict__ $")
        return self.pointer(name, declaration, f"MEMORY->{name}")

    def output(self, name, kind, place):
        style = self.form([(2, "$T *$"), (1, "$T *__restrict__ $"), (1, "$T $[]"), (1, "$T *const $")])
        spelled = self.spell(kind)
        return self.pointer(name, style.replace("$T", spelled), f"({spelled} *)MEMORY->{place}")

    def spell(self, kind):
        return self.pick(kind.others) if kind.others and self.seldom(0.15) else kind.name

    # ---- expressions ----

    def leaf(self):
        readable = self.scope[-12:]
        kind = self.rng.random()
        if readable and kind < 0.6:
            return self.pick(readable).value()
        if kind < 0.75 and not self.uniform_only and self.reads < 2 and not self.pure:
            return self.read()
        if kind < 0.75 + 0.05 * self.odd and not self.uniform_only:
            return Expr([self.pick(["threadIdx.x", "blockIdx.x", "blockDim.x", "gridDim.x"])], UINT, 0, 2047)
        return self.constant()

    def constant(self):
        kind = self.pick([INT, INT, INT, UINT, LONG])
        value = self.pick([0, 1, 2, 3, 5, 7, 16, 31, 100, 255, 1000, self.rng.randrange(1 << 16)])
        if self.chance(0.1):
            value = self.pick([kind.high, kind.high - 1, 0x7fffffff, 0x9e3779b1 & kind.high])
        return literal(value, kind)

    def read(self):
        """An element of an input."""
        name = self.pick(list(INPUTS))
        _, kind, low, high = INPUTS[name]
        self.reads += 1
        index = self.below(LENGTH)
        self.reads -= 1
        return element(self.input(name), index, kind, low, high)

    def below(self, limit):
        """An expression in [0, limit)."""
        e = self.pick(self.scope[-8:]).value() if self.scope and self.chance(0.7) else self.expr(1)
        return self.wrap(e, limit)

    def wrap(self, e, limit):
        if e.low >= 0 and e.high < limit:
            return e
        if e.low < 0 and promoted(e).signed and limit & limit - 1:
            e = cast(e, ULONG if promoted(e) is LONG else UINT, self.rng.randrange(3))
        if limit & limit - 1 == 0:
            return binary("&", e, literal(limit - 1))
        return binary("%", e, literal(limit, e.kind if e.kind in (UINT, ULONG) else INT))

    def expr(self, depth=2):
        """A random value; defined whatever the variables hold."""
        if depth <= 0 or self.chance(0.15):
            return self.leaf()
        kind = self.rng.random() * (0.55 if self.pure else 0.65 + 0.35 * self.odd)
        if kind < 0.55:
            return binary(self.pick("+++--**&|^"), self.expr(depth - 1), self.expr(depth - 1))
        if kind < 0.65:
            return binary(self.pick("/%"), self.expr(depth - 1), positive(self.expr(depth - 2)))
        if kind < 0.75:
            e = self.expr(depth - 1)
            count = literal(self.rng.randrange(1, 8)) if self.chance(0.7) else self.wrap(self.leaf(), 32)
            return shift(self.pick(["<<", ">>"]), e, count)
        if kind < 0.83:
            return cast(self.expr(depth - 1), self.pick(KINDS), self.rng.randrange(3))
        if kind < 0.88:
            return unary(self.pick("-~"), self.expr(depth - 1))
        if kind < 0.94:
            return choice(self.condition(1), self.expr(depth - 1), self.expr(depth - 1))
        if kind < 0.97:
            return self.library_call(depth)
        return self.condition(depth - 1)

    def library_call(self, depth):
        """min() and max() of one type; bits."""
        kind = self.pick([INT, UINT, LONG])
        a, b = (cast(self.expr(depth - 1), kind) for _ in range(2))
        which = self.rng.randrange(4)
        if which == 0:
            return call("min", kind, a, b, low=min(a.low, b.low), high=min(a.high, b.high))
        if which == 1:
            return call("max", kind, a, b, low=max(a.low, b.low), high=max(a.high, b.high))
        if which == 2:
            return call("__popc", INT, cast(a, UINT), low=0, high=32)
        return call("__clz", INT, cast(a, INT), low=0, high=32)

    def condition(self, depth=1):
        kind = self.rng.random()
        if depth > 0 and kind < 0.2:
            return both(self.condition(depth - 1), self.condition(depth - 1), self.pick(["&&", "||", "and", "|"]))
        if depth > 0 and kind < 0.27:
            return negation(self.condition(depth - 1), self.pick(["!", "not "]))
        return compare(self.pick(["<", "<=", ">", ">=", "==", "!="]), self.expr(depth), self.expr(depth))

    def small(self, most=1000):
        """An amount for a counter: within [-most, most]."""
        e = self.expr(self.rng.randrange(3))
        if -most <= e.low and e.high <= most:
            return e
        if e.low >= 0 and e.kind not in (UINT, ULONG):
            return binary("%", e, literal(most + 1))
        return cast(self.wrap(e, self.pick([most + 1, 64, 8])), INT, self.rng.randrange(3))

    # ---- statements that every family has ----

    def local(self, kind=None, value=None, role=None, const=False):
        """`T v = value;` Returns (statement, Var)."""
        kind = kind or self.pick(KINDS if role == "hash" else WIDE)
        value = value if value is not None else self.small() if role == "counter" else self.expr(2)
        name = self.new(self.pick(["a", "b", "t", "v", "x", "value", "r"]))
        low, high = kind_interval(kind, value)
        if role == "counter":
            low, high = (-SMALL, SMALL) if kind.signed else (kind.low, kind.high)
        elif role == "hash":
            low, high = kind.low, kind.high
        deduced = role is None and value.kind is kind and self.seldom(0.2)
        text = f"{'const ' if const else ''}{'auto' if deduced else self.spell(kind)} {name}"
        # A brace takes no narrowing, a parenthesis everything; `x(int(y))` would declare a function.
        form = self.form([(6, (" = ", ";")), (1, ("((", "));")), (1, ("{" + f"({kind.name})(", ")};"))])
        statement = Stmt([text + form[0], value, form[1]], declares=[name])
        return statement, Var(name, kind, low, high, role=role)

    def store_own(self):
        """Into the thread's own element: every store there shows."""
        if not self.own:
            return self.store_out()
        e = wrapping(self.seen(2))
        form = self.pick([(" = {0} * 31u + ", ""), (" += ", ""), (" ^= ", "")])
        return Stmt([self.own + form[0].format(self.own), (e, 13), ";"], tag="store:own")

    def store_out(self):
        """Into the element that belongs to this turn."""
        array, index = self.out
        e = wrapping(self.seen(2))
        form = self.weighted([(5, [" = ", e]), (2, [" += ", e]), (1, [" ^= ", e]),
                              (1, [f" = {array}[", index, "] * 3u + ", (e, 12)])])
        return Stmt([f"{array}[", fixed(index), "]", *form, ";"], tag="store:out")

    def edge(self, block):
        """A condition behind the first, which most blocks pass or fail as a whole (umcc's steady.c): around a store, or
        of a choice. Sometimes the limit has changed by then."""
        limit = self.parameter("e", self.pick([INT, INT, UINT]),
                               [self.pick([0, 1, 10, 33, 64, 100, 1000, 1 << 20, 1 << 20]) for _ in "123"])
        value = self.pick(self.edges).value()
        if self.chance(0.6):
            value = binary(self.pick("+-"), value, literal(self.pick([1, 2, 32, 256])))
        condition = compare(self.pick(["<", "<", "<=", ">", ">="]), value, limit.value())
        if self.chance(0.15):
            condition = both(condition, self.condition(0), self.pick(["&&", "||"]))
        if self.chance(0.15) and not self.kernel.parameters[limit.name].startswith("const "):
            block.add(Stmt([f"{limit.name} {self.pick('+-')}= {self.pick([1, 3, 40])};"], tag="edge:limit", keep=True))
        if self.chance(0.5):
            inside = Block()
            inside.add(self.store_own())
            block.add(Stmt(["if (", condition, ") ", inside], tag="edge:if"))
            return
        name = self.new("c")
        block.add(Stmt([f"const unsigned {name} = ", cast(choice(condition, self.expr(1), self.expr(1)), UINT), ";"],
                       tag="edge:choice", declares=[name]))
        self.scope.append(Var(name, UINT, 0, UINT.high))

    def seen(self, depth):
        """A value that most likely depends on what changes."""
        changing = [v for v in self.scope if v.role]
        e = self.expr(depth - 1)
        for v in self.rng.sample(changing, min(len(changing), self.rng.randrange(1, 3))):
            e = binary(self.pick("+^-"), e, v.value())
        return e

    def atomic(self):
        """Atomic functions commute on an array of their own, and their results are not looked at."""
        name, kind, place = self.pick([("atomicAdd", INT, "sums"), ("atomicXor", UINT, "xors"),
                                       ("atomicMax", INT, "mosts"), ("atomicOr", UINT, "ors")])
        array = self.pointer(f"bins_{place}", f"{kind.name} *$", f"MEMORY->{place}")
        e = self.small() if name == "atomicAdd" else cast(self.expr(1), kind)
        form = self.pick([f"{name}(&{array}[", f"(void){name}({array} + ("])
        end = "], " if form.endswith("[") else "), "
        return Stmt([form, self.below(BINS), end, e, ");"], tag="atomic")


def wrapping(e):
    """The value in an unsigned type, so that what is added to it cannot overflow."""
    kind = promoted(e)
    return cast(e, UINT if kind is INT else ULONG) if kind.signed else e


def kind_interval(kind, value):
    e = cast(value, kind)
    return e.low, e.high
