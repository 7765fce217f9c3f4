"""Where a thread works: launches' shapes, the index that it computes, and the conditions that keep it inside.

A condition is *exact* if it holds just where 0 <= x < w; then results may go to out[x]. Any other may be anything, and
results go to the thread's own element.
"""
from maker import OUT_MOST, THREADS_MOST, Var
from tree import ADD, ASSIGN, LESS, POSTFIX, TIMES, UNARY, Expr, Launch, Stmt, fixed
from values import (
    BOOL,
    CHAR,
    INT,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    USHORT,
    WIDE,
    binary,
    both,
    call,
    cast,
    choice,
    compare,
    literal,
    negation,
    shift,
    unary,
)

BLOCKS = {1: [(1, 1, 1), (7, 1, 1), (32, 1, 1), (33, 1, 1), (64, 1, 1), (96, 1, 1), (100, 1, 1), (128, 1, 1),
              (256, 1, 1)],
          2: [(8, 8, 1), (16, 4, 1), (32, 3, 1), (5, 7, 1), (1, 32, 1), (32, 8, 1), (16, 16, 1)],
          3: [(4, 4, 4), (8, 2, 3), (3, 5, 2), (16, 2, 2), (32, 2, 2)]}
GRIDS = {1: [(1, 1, 1), (2, 1, 1), (3, 1, 1), (5, 1, 1), (8, 1, 1), (16, 1, 1)],
         2: [(1, 1, 1), (2, 2, 1), (3, 1, 1), (1, 4, 1), (4, 3, 1), (8, 1, 1)],
         3: [(1, 1, 1), (2, 2, 2), (1, 2, 3), (4, 1, 1)]}
X, Y, Z = "xyz"
NARROW = [CHAR, UCHAR, SHORT, USHORT]


def launches(m, dims, count=3, fits=lambda block: True):
    """Shapes for one kernel, of at most THREADS_MOST threads."""
    while len(m.kernel.launches) < count:
        block, grid = m.pick([b for b in BLOCKS[dims] if fits(b)]), m.pick(GRIDS[dims])
        launch = Launch(grid, block)
        if launch.threads() * launch.blocks() <= THREADS_MOST:
            m.kernel.launches.append(launch)


def most(m, axis=None):
    """The number of threads along an axis, or of the grid: the most of all launches."""
    def size(launch):
        if axis is None:
            return launch.threads() * launch.blocks()
        at = "xyz".index(axis)
        return launch.grid[at] * launch.block[at]
    return max(size(launch) for launch in m.kernel.launches)


def builtin(name, axis, high=THREADS_MOST):
    return Expr([f"{name}.{axis}"], UINT, 0, high, POSTFIX)


def plain_global(m, axis):
    """blockIdx.x * blockDim.x + threadIdx.x, as most programs write it or nearly so."""
    product = [builtin("blockIdx", axis), builtin("blockDim", axis)]
    if m.seldom(0.2):
        product.reverse()
    style = m.rng.random() / m.odd
    if style < 0.1:
        product[0] = cast(product[0], m.pick(WIDE), m.rng.randrange(3))
    parts = [binary("*", *product), builtin("threadIdx", axis)]
    if m.seldom(0.2):
        parts.reverse()
    if 0.1 <= style < 0.15:
        parts[1] = cast(parts[1], m.pick(WIDE), m.rng.randrange(3))
    e = binary("+", *parts)
    if 0.15 <= style < 0.22:
        e = cast(e, m.pick(WIDE), m.rng.randrange(3))
    if 0.22 <= style < 0.27 and m.may("index:function"):
        text = f"__device__ inline int $H() {{ return {e.text()}; }}"
        e = call(m.helper("gid", text), INT, tag="index:function")
    if 0.3 <= style < 0.33 and m.may("index:lambda"):
        e = Expr(["([&] { return ", (e, ASSIGN), "; }())"], e.kind, e.low, e.high, tag="index:lambda")
    if 0.27 <= style < 0.3:
        e = call("__umul24", UINT, product[0], product[1])
        e = binary("+", cast(e, UINT), builtin("threadIdx", axis))
    return bounded(e, 0, most(m, axis) - 1)


def bounded(e, low, high):
    """The same expression, of which the generator knows more than its operands tell."""
    return Expr(e.parts, e.kind, low, high, e.tight, e.tag)


def linear(m, dims):
    """The thread's number in the whole grid, from 0: unlike any other's."""
    if dims == 1:
        return plain_global(m, X)
    if dims == 2 and m.chance(0.5):
        y, x = plain_global(m, Y), plain_global(m, X)
        row = binary("*", builtin("gridDim", X), builtin("blockDim", X))
        return bounded(binary("+", binary("*", y, row), x), 0, most(m) - 1)
    block = "((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)"
    size = "(blockDim.x * blockDim.y * blockDim.z)"
    thread = "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)"
    return Expr([f"{block} * {size} + {thread}"], UINT, 0, most(m) - 1, ADD)


def all_threads(m, dims):
    """How many threads the grid has."""
    x = [builtin("gridDim", X), builtin("blockDim", X)]
    m.rng.shuffle(x)
    e = binary("*", *x)
    if dims > 1:
        rest = "gridDim.y * blockDim.y" + (" * gridDim.z * blockDim.z" if dims == 3 else "")
        e = Expr([(e, TIMES), " * " + rest], UINT, 1, THREADS_MOST, TIMES)
    e = bounded(e, 1, most(m))
    return cast(e, m.pick(WIDE), m.rng.randrange(3)) if m.seldom(0.15) else e


def own_element(m, dims):
    """Where a thread's own results go; set once for each kernel."""
    index = linear(m, dims)
    array = m.output("own", m.pick([UINT, UINT, ULONG]), "own")
    if m.chance(0.5):
        name = m.new("me")
        m.own = f"{array}[{name}]"
        kind = m.pick(["int", "unsigned", "size_t", "auto"])
        return Stmt([f"const {kind} {name} = ", fixed(index), ";"], declares=[name])
    m.own = f"{array}[{index.text(ASSIGN)}]"
    return None


# ---- the index of a guarded kernel ----

def index_variable(m, axis, offset=None):
    """`int x = global + offset;` Returns (statement, Var)."""
    kind = m.weighted([(6, INT), (4, UINT), (2, LONG), (2, ULONG), (0.4, SHORT), (0.4, USHORT), (0.3, UCHAR),
                       (0.3, CHAR)])
    e, low, high = plain_global(m, axis), 0, most(m, axis) - 1
    if offset is not None:
        # the negative of an unsigned number is a large one, where it is added to something wider
        turned = m.seldom(0.4) and offset.kind.signed
        e = binary("-", e, unary("-", offset.value())) if turned else binary("+", e, offset.value())
        low, high = low + offset.low, high + offset.high
    if low < 0 and not e.kind.signed and e.kind.bits < kind.bits:
        low, high = 0, (1 << e.kind.bits) - 1  # wraps around before it is widened
    distinct = kind.bits >= 32 or kind.holds(low, high)
    if not kind.holds(low, high):
        low, high = kind.low, kind.high
    name = m.new(axis)
    deduced = e.kind if m.seldom(0.15) else None
    if deduced:
        kind, distinct = deduced, True
        low, high = (low, high) if kind.holds(low, high) else (kind.low, kind.high)
    text = f"{m.pick(['', '', 'const '])}{'auto' if deduced else m.spell(kind)} {name}"
    form = m.form([(8, (" = ", ";")), (1, ("((", "));"))])  # `x(int(y))` would declare a function
    return Stmt([text + form[0], fixed(e), form[1]], declares=[name]), Var(name, kind, low, high, distinct=distinct)


def point(m, coordinates):
    """The coordinates as members of one variable, sometimes. Returns statements."""
    if len(coordinates) == 1 or any(v.kind is not INT for v in coordinates) or not m.seldom(0.4):
        return []
    name, kind = m.new("p"), f"int{len(coordinates)}"
    names = ", ".join(v.name for v in coordinates)
    for v, axis in zip(coordinates, "xyz"):
        v.read = f"{name}.{axis}"
    return [Stmt([f"const {kind} {name} = make_{kind}({names});"], declares=[name])]


# Each makes a condition that holds just where 0 <= x < w, from expressions x and w (w >= 0). `u` is x as unsigned.
def _unsigned(m, e):
    kind = ULONG if e.kind in (LONG, ULONG) else UINT
    spelled = m.spell(kind)
    return cast(e, kind, m.rng.randrange(3), spelled)


def _both_ends(m, x, w):
    low = m.pick([compare(">=", x, literal(0)), compare("<=", literal(0), x), compare(">", x, literal(-1)),
                  negation(compare("<", x, literal(0)))])
    high = _below(m, x, w)
    parts = [low, high]
    if m.chance(0.2):
        parts.reverse()
    return both(*parts, m.pick(["&&", "&&", "&&", "and", "&"]))


def _below(m, x, w):
    """x < w as mathematics has it, for x, w >= 0 or both signed."""
    if w.kind is UINT and x.kind is not ULONG and x.kind.signed or w.kind is ULONG and x.kind.signed:
        w = cast(w, LONG)
    if x.kind in (UINT, ULONG) and w.kind.signed and w.kind.bits <= x.kind.bits:
        w = cast(w, UINT if x.kind is UINT else ULONG) if w.low >= 0 else w
    return m.form([(6, lambda: compare("<", x, w)), (2, lambda: compare(">", w, x)),
                       (1, lambda: negation(compare(">=", x, w))), (1, lambda: negation(compare("<=", w, x))),
                       (1, lambda: compare("<", binary("+", x, literal(1)), binary("+", w, literal(1)))
                        if w.high < 1 << 20 and x.high < 1 << 20 and x.low >= 0 else compare("<", x, w)),
                       (0.5, lambda: compare("==", compare("<", x, w), Expr(["true"], BOOL, 1, 1)))])()


def exact(m, x, w):
    """A condition that holds just where 0 <= x < w. x: a Var; w: a Var with w >= 0."""
    value, width = x.value(), w.value()
    forms = []
    if x.low >= 0 or not x.kind.signed:
        forms.append((6, "below", lambda: _below(m, value, width)))
    if x.kind.bits >= w.kind.bits or x.low >= 0:
        forms += [
            (5, "unsigned", lambda: compare("<", _unsigned(m, value), _unsigned(m, width))),
            (1, "unsigned_reversed", lambda: compare(">", _unsigned(m, width), _unsigned(m, value))),
            (1, "unsigned_negated", lambda: negation(compare(">=", _unsigned(m, value), _unsigned(m, width)))),
            (1, "unsigned_once", lambda: compare("<", _unsigned(m, value), width if not width.kind.signed else
                                                 _unsigned(m, width))),
        ]
    if x.kind.signed:
        forms += [
            (3, "both_ends", lambda: _both_ends(m, value, width)),
            (0.7, "conditional", lambda: choice(compare("<", value, _signed(width)), compare(">=", value, literal(0)),
                                                Expr(["false"], BOOL, 0, 0))),
            (0.7, "function", lambda: call(m.helper("inside", "__device__ inline bool $H(long long x, long long w) "
                                                    "{ return x >= 0 && x < w; }"), BOOL, value, width)),
            (0.7, "object", lambda: Expr([m.helper("Range", "struct $H { long long low, high; __device__ bool "
                                                   "has(long long x) const { return x >= low && x < high; } };") +
                                          "{0, ", (cast(width, LONG), ASSIGN), "}.has(", (value, ASSIGN), ")"], BOOL, 0,
                                         1, POSTFIX)),
            (0.7, "wrapper", lambda: wrapped(m, value, width)),
        ]
    forms = [f for f in forms if m.may("guard:" + f[1])]
    _, tag, make = m.weighted([(f[0], f) for f in forms])
    e = make()
    return Expr(e.parts, e.kind, e.low, e.high, e.tight, "guard:" + tag)


def _signed(e):
    return cast(e, LONG) if not e.kind.signed else e


def wrapped(m, x, w):
    """`x < Bound{w}` with an operator that compares as integers do."""
    name = m.helper("Bound", "struct $H { long long n; };\n__device__ inline bool operator<(long long x, $H b) "
                    "{ return x >= 0 && x < b.n; }")
    return Expr([(cast(x, LONG), LESS), f" < {name}{{", (cast(w, LONG), ASSIGN), "}"], BOOL, 0, 1, LESS)


def anything(m, x, w):
    """A condition of any kind on x: which threads pass is not known here, but the same everywhere."""
    value, width = x.value(), w.value()
    op = m.pick(["<", "<=", ">", ">=", "<", "<", "!=", "=="])
    forms = [
        (5, "as_they_are", lambda: compare(op, value, width)),
        (2, "narrow", lambda: compare(op, cast(value, m.pick(NARROW), m.rng.randrange(3)), width)),
        (2, "narrow_limit", lambda: compare(op, value, cast(width, m.pick(NARROW)))),
        (2, "scaled", lambda: compare(op, binary("*", value, m.constant()), width)),
        (2, "moved", lambda: compare(op, binary("+", value, m.constant()), width)),
        (2, "limit_difference", lambda: compare(op, value, binary("-", width, m.constant()))),
        (1, "reversed_sign", lambda: compare(op, unary(m.pick("-~"), value), width)),
        (1, "modulo", lambda: compare(op, binary("%", m.wrap(value, 1 << 16), literal(m.pick([2, 3, 7]))), literal(1))),
        (1, "bits", lambda: compare("==", binary("&", value, literal(m.pick([1, 4, 6]))), literal(0))),
        (1, "square", lambda: compare(op, binary("*", value, value), width)),
        (1, "halved", lambda: compare(op, shift(">>", value, literal(1)), width)),
        (1, "expression", lambda: compare(op, binary(m.pick("+-*^"), value, m.expr(1)), width)),
        (1, "limit_memory", lambda: compare(op, value, m.read())),
        (1, "limit_conditional", lambda: compare(op, value, choice(m.condition(0), width, m.constant()))),
        (1, "floating", lambda: Expr(["(float)", (value, UNARY), f" {op} ", (width, LESS + 1)], BOOL, 0, 1,
                                      LESS if op in "<=>=" else LESS - 1)
         if abs(value.low) < 1 << 20 and value.high < 1 << 20 and width.high < 1 << 20 else compare(op, value, width)),
        (1, "per_block", lambda: compare(op, builtin(m.pick(["blockIdx", "threadIdx"]), m.pick("xyz")), width)),
        (2, "overloaded", lambda: overloaded(m, value, width)),
        (1, "overloaded_index", lambda: overloaded_index(m, value, width, op)),
        (1, "disjunction", lambda: both(compare(op, value, width), m.condition(0), m.pick(["||", "or"]))),
        (1, "conjunction", lambda: both(compare(op, value, width), m.condition(0), "&&")),
        (1, "pointers", lambda: Expr([f"{m.input('in')} + ", (m.wrap(value, 1024), TIMES), f" {op} in + ",
                                      (m.wrap(width, 1024), TIMES)], BOOL, 0, 1, LESS if op in "<=>=" else LESS - 1)),
    ]
    forms = [f for f in forms if m.may("guard:" + f[1])]
    _, tag, make = m.weighted([(f[0], f) for f in forms])
    e = make()
    return Expr(e.parts, BOOL, 0, 1, e.tight, "guard:" + tag)


def overloaded(m, x, w):
    """`x < Odd{w}`: the operator means something else."""
    body = m.pick(["x % 2 == 0 && x < b.n", "(x & 7) < (b.n & 7)", "x > b.n", "x % 3 == b.n % 3"])
    kind = m.pick(["int", "long long", "unsigned"])
    name = m.helper("Odd", f"struct $H {{ long long n; }};\n__device__ inline bool operator<({kind} x, $H b) "
                    f"{{ return {body}; }}\n__device__ inline bool operator>=({kind} x, $H b) {{ return !({body}); }}")
    if m.chance(0.5):  # a parameter of that type
        parameter = m.new("bound")
        m.kernel.parameters[parameter] = f"{name} {parameter}"
        for launch in m.kernel.launches:
            launch.values[parameter] = f"{name}{{{m.rng.randrange(300)}}}"
        limit = Expr([parameter], LONG, 0, 0)
    else:
        limit = Expr([f"{name}{{", (cast(w, LONG), ASSIGN), "}"], LONG, 0, 0)
    limit.fixed = True
    return Expr([(x, LESS), " < ", (limit, ADD)], BOOL, 0, 1, LESS)


def overloaded_index(m, x, w, op):
    """The index is of a class: its comparison or its conversion acts."""
    op = op if op in ("<", ">", "<=", ">=") else "<"
    name = m.helper("Index", "struct $H { long long v; __device__ explicit $H(long long x) : v(x) {} "
                    f"__device__ bool operator{op}(long long n) const {{ return (v ^ 5) {op} n; }} }};")
    return Expr([f"{name}(", (x, ASSIGN), f") {op} ", (w, ADD)], BOOL, 0, 1, LESS)


def limits(m, axis, base):
    """A parameter w >= 0 around the number of threads on an axis, such that results fit."""
    values, bound = [], OUT_MOST if axis is None else {1: OUT_MOST, 2: 64, 3: 16}[m.dims]
    for launch in m.kernel.launches:
        threads = most_of(launch, axis)
        value = m.pick([threads, threads - 1, threads // 2, threads - threads // 3, threads + 5, 1, 0,
                        m.rng.randrange(threads + 1)])
        values.append(max(0, min(value, bound)))
    return m.parameter(base, m.weighted([(6, INT), (3, UINT), (1, LONG), (1, ULONG)]), values)


def most_of(launch, axis):
    if axis is None:
        return launch.threads() * launch.blocks()
    at = "xyz".index(axis)
    return launch.grid[at] * launch.block[at]

