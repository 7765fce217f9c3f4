"""The families of kernels that need no barrier: guarded ones, and grid-stride loops in one to three dimensions."""
import indices
from bodies import Scope, carried, change_one, show, statement
from changes import change
from maker import OUT_MOST, SMALL, Var
from tree import ADD, ASSIGN, TIMES, UNARY, Block, Expr, Stmt, fixed
from values import INT, LONG, UCHAR, UINT, ULONG, USHORT, WIDE, binary, both, cast, compare, literal, negation

OUT_KINDS = [INT, INT, UINT, ULONG, UCHAR, USHORT]


def add_output(m, index):
    """`out[index]` belongs to this turn of this thread."""
    kind = m.pick(OUT_KINDS)
    m.out = (m.output("out", kind, "out"), index)


# ---- guarded ----

def guarded(m, dims):
    """Declarations, then a condition around the rest or in front of it."""
    m.dims = dims
    indices.launches(m, dims)
    body = m.kernel.body
    axes = "xyz"[:dims]
    exact = m.chance(0.75)
    if not exact or m.seldom(1):
        body.add(indices.own_element(m, dims))
    coordinates = []
    for axis in axes:
        offset = None
        if m.chance(0.45):
            kind = m.pick([INT, INT, LONG, UINT])
            values = [m.pick([-1, 1, -16, 5, 0, 3] if kind.signed else [0, 2, 7]) for _ in "123"]
            offset = m.parameter("d" + axis, kind, values)
        made, var = indices.index_variable(m, axis, offset)
        body.add(made)
        coordinates.append(var)
    body.add(*indices.point(m, coordinates))
    m.scope += coordinates
    m.edges = coordinates
    m.pure = m.chance(0.8)
    for _ in range(m.rng.randrange(3)):
        made, var = carried(m) if m.chance(0.5) else m.local(const=m.chance(0.5))
        body.add(*made if isinstance(made, list) else [made])
        m.scope.append(var)
    m.pure = False
    if exact and not all(v.distinct for v in coordinates):
        exact = False
        body.add(indices.own_element(m, dims))
    if exact:
        conditions, needed = exact_conditions(m, coordinates), True
    else:
        if m.chance(0.2):
            coordinates = [moved(m, m.pick(coordinates))]
        kind = m.pick(WIDE)
        least = [-1, -7] if kind.signed else []
        w = m.parameter("n", kind, [m.pick([0, 1, 5, 10, 17, 33, 40, 64, 100, 1000, *least]) for _ in "123"])
        conditions, needed = [indices.anything(m, m.pick(coordinates), w)], False
    if len(conditions) > 1 and m.chance(0.2):
        one_by_one(m, conditions)
    else:
        e = conditions[0]
        for more in conditions[1:]:
            e = both(e, more, m.form([(2, "&&"), (1, "and"), (1, "&")]))
        enclose(m, e, needed)


def moved(m, var):
    """A copy of an index that is changed before it is compared. Returns its Var."""
    kind = m.pick(WIDE)
    if kind.signed and not (-SMALL < var.low and var.high < SMALL):
        kind = UINT
    copied = Var(m.new("c"), kind, kind.low, kind.high, role="counter", struct="scalar")
    if kind.signed:
        copied.low, copied.high = -3 * SMALL, 3 * SMALL
    m.kernel.body.add(Stmt([f"{kind.name} {copied.name} = ", var.value(), ";"], declares=[copied.name]))
    m.kernel.body.add(change(m, copied, m.small()))
    m.scope.append(copied)
    return copied


def one_by_one(m, conditions):
    """Conditions that each stand by themselves: to leave by, or around what follows."""
    body = m.kernel.body
    for e in conditions[:-1]:
        e.fixed = True
        if m.chance(0.5):
            leave = turned(m, e)
            leave.fixed = True
            body.add(Stmt(["if (", leave, ") return;"], tag="guard_form:leave_each", keep=True))
        else:
            inside = Block()
            body.add(Stmt(["if (", e, ") ", inside], tag="guard_form:nested", keep=True))
            body = inside
    enclose(m, conditions[-1], True, body)


def exact_conditions(m, coordinates):
    """All coordinates inside; afterwards their intervals are known, and out[] is the place for results."""
    conditions, widths = [], []
    for var in coordinates:
        w = indices.limits(m, var.name[0] if m.dims > 1 else None, "w")
        widths.append(w)
        conditions.append(indices.exact(m, var, w))
    for var, w in zip(coordinates, widths):
        var.low, var.high = 0, max(0, w.high - 1)
    m.rng.shuffle(conditions)
    index = coordinates[-1].value()
    for var, w in zip(reversed(coordinates[:-1]), reversed(widths[:-1])):
        index = binary("+", binary("*", index, w.value()), var.value())
    index = Expr(index.parts, index.kind, 0, OUT_MOST - 1, index.tight)
    add_output(m, index)
    return conditions


def opposite(m, e):
    """The condition to leave by: each comparison turned around where that is simple."""
    return negation(e, m.pick(["!", "!", "not "]))


def turned(m, e):
    """`x < w` as `x >= w`, `a && b` as the one or the other's opposite; else a negation."""
    operators = {" < ": " >= ", " >= ": " < ", " > ": " <= ", " <= ": " > "}
    if len(e.parts) == 3 and e.parts[1] in operators:
        return Expr([e.parts[0], operators[e.parts[1]], e.parts[2]], e.kind, 0, 1, e.tight, e.tag)
    if len(e.parts) == 3 and e.parts[1] in (" && ", " and "):
        a, b = (turned(m, part[0]) for part in (e.parts[0], e.parts[2]))
        return both(a, b, m.pick(["||", "||", "or"]))
    return opposite(m, e)


def inner(m, count=None):
    """Random statements; the last ones make visible what they did."""
    body = Block()
    with Scope(m):
        for _ in range(m.pick([0, 0, 1, 2, 3]) if count is None else count):
            body.add(*statement(m, 2, ("return",) if m.seldom(0.2) else ()))
        if m.chance(0.3):
            body.add(change_one(m))
        for _ in range(m.pick([0, 1, 2]) if m.edges else 0):
            m.edge(body)
        body.add(m.store_out() if m.out else m.store_own())
        if m.chance(0.3):
            body.add(m.store_own())
    return body


def enclose(m, condition, needed, body=None):
    """The condition in one of its forms. needed: what is inside relies on it."""
    condition.fixed = needed
    body = body or m.kernel.body
    odd = m.odd
    form = m.weighted([(5, "if"), (5, "leave"), (1.5, "leave_braces")] if not m.chance(min(1, 3 * odd)) else
                      [(5, "if"), (5, "leave"), (1, "else"), (1, "variable"), (0.7, "expect"),
                       (0.7, "if_else"), (0.5, "while"), (0.5, "goto"), (0.7, "then_more"), (0.5, "initializer"),
                       (0.4, "switch"), (0.4, "logical"), (0.4, "lambda")])
    if form in ("if_else", "then_more") and not m.own:
        form = "if"
    tag = "guard_form:" + form
    outside = m.out
    if form in ("if", "expect", "variable", "initializer", "while", "switch", "if_else", "then_more"):
        heads = {"if": ["if (", condition, ") "], "if_else": ["if (", condition, ") "],
                 "then_more": ["if (", condition, ") "],
                 "expect": ["if (__builtin_expect(", condition, ", 1)) "],
                 "variable": ["const bool inside = ", condition, ";\nif (inside) "],
                 "initializer": ["if (const bool inside = ", condition, "; inside) "],
                 "while": ["while (", condition, ") "], "switch": ["switch ((int)(", condition, ")) case 1: "]}
        block = inner(m)
        if form == "while":
            block.add(Stmt(["break;"], keep=True))
        parts = [*heads[form], block]
        m.out = None
        if form == "if_else":
            parts += [" else ", inner(m, 0)]
        body.add(Stmt(parts, tag=tag, keep=needed, shell=not needed))
        if form == "then_more":
            body.add(m.store_own())
    else:
        leave = turned(m, condition) if not m.seldom(0.2) else opposite(m, condition)
        leave.fixed = needed
        heads = {"leave": ["if (", leave, ") return;"], "leave_braces": ["if (", leave, ") { return; }"],
                 "else": ["if (", leave, ") return;"], "goto": ["if (", leave, ") goto end;\n"],
                 "logical": ["if (", leave, ") return;"], "lambda": ["if ([&] { return ", leave, "; }()) return;"]}
        block = inner(m)
        if form == "else":
            body.add(Stmt(["if (", leave, ") return; else ", block], tag=tag, keep=needed))
        elif form == "goto":
            body.add(Stmt([*heads[form], block, "\nend:;"], tag=tag, keep=needed))
        else:
            body.add(Stmt(heads[form], tag=tag, keep=needed))
            body.body += block.body
    m.out = outside


# ---- grid-stride loops ----

def strides(m, dims):
    """Declarations, a loop over elements with the grid's size as its step, mostly nothing behind it."""
    m.dims = dims
    indices.launches(m, dims)
    body = m.kernel.body
    if m.chance(0.35):
        body.add(indices.own_element(m, dims))
    m.pure = m.forced or m.chance(0.85)
    for _ in range(1 if m.forced else m.pick([0, 1, 1, 1, 2])):
        made, var = carried(m)
        body.add(*made)
        m.scope.append(var)
    if m.chance(0.3):
        made, var = m.local(const=m.chance(0.5))
        body.add(made)
        m.scope.append(var)
    m.pure = False
    if dims > 1 and m.chance(0.6):
        plane(m, dims)
    else:
        body.add(*one_loop(m, dims))
    if m.own and m.chance(0.05 + 0.35 * m.odd):
        m.out = None
        body.add(show(m))


def one_loop(m, dims):
    """One loop over all elements."""
    kind = m.weighted([(5, INT), (3, UINT), (2, ULONG), (2, LONG)])
    values = [m.pick([most * 3 + 1, most, most // 2, most * 7 - 3, 0, 1, 1000, 40, 4000])
              for most in (launch.threads() * launch.blocks() for launch in m.kernel.launches)]
    most = m.pick([1024, 1024, OUT_MOST])
    values = [min(v, most) for v in values]
    base = 0
    if m.chance(0.12):  # far away: where an index of 32 bits may wrap around
        base = m.pick([3000000000, 0x7fffffff - 10000, 4294960000, 1 << 33])
        base = base if kind.holds(0, base + 10000) else 0x7fffffff - 10000
    limit_kind = kind if m.chance(0.6) else m.pick([k for k in (INT, UINT, LONG, ULONG) if k.holds(0, base + 10000)])
    n = m.parameter("n", limit_kind, [v + base for v in values])
    start = indices.linear(m, dims)
    if base:
        start = binary("+", start, literal(base, kind)) if kind.bits == 64 else \
            Expr([(start, ADD), " + ", (literal(base, UINT if not kind.signed else INT), TIMES)], UINT, base,
                 base + 10000, ADD)
    step = indices.all_threads(m, dims)
    m.turns = max(-(-v // (launch.threads() * launch.blocks())) for v, launch in zip(values, m.kernel.launches)) + 1
    name = m.new("i")
    var = Var(name, kind, base, base + most - 1)
    m.scope.append(var)
    index = var.value() if not base else binary("-", var.value(), literal(base, kind))
    add_output(m, Expr(index.parts, index.kind, 0, OUT_MOST - 1, index.tight))
    return loop_statements(m, name, kind, start, n.value(), step)


def loop_statements(m, name, kind, start, limit, step):
    """`for (T i = start; i < limit; i += step)` in one of many forms."""
    form = m.form([(8, "for"), (2.5, "while"), (1, "for_outside"), (0.7, "endless"), (0.6, "do"), (0.5, "counted"),
                   (0.5, "goto"), (0.7, "several")])
    declared = f"{m.spell(kind)} {name}"
    value = Expr([name], kind, kind.low, kind.high)
    before = []
    step = cast(step, kind) if step.kind.bits > kind.bits else step
    if m.seldom(0.3):
        held = m.new("step")
        before.append(Stmt([f"const {m.pick([kind.name, 'auto', 'unsigned'])} {held} = ", fixed(step), ";"],
                           declares=[held]))
        step = Expr([held], kind, 1, step.high)
    if m.seldom(0.1):
        held = m.new("end")
        before.append(Stmt([f"const auto {held} = ", limit, ";"], declares=[held]))
        limit = Expr([held], limit.kind, limit.low, limit.high)
    inside = m.form([(6, lambda: compare("<", value, limit)), (1.5, lambda: compare(">", limit, value)),
                         (1, lambda: compare("<=", value, binary("-", limit, literal(1))) if limit.low > 0 else
                          compare("<", value, limit)),
                         (0.4, lambda: compare("!=", compare("<", value, limit), literal(0)))])()
    inside = Expr(inside.parts, inside.kind, 0, 1, inside.tight, "stride_condition")
    forms = [(6, [f"{name} += ", step]), (1, [f"{name} = {name} + ", (step, TIMES)]),
             (0.3, [f"{name} -= -", (cast(step, kind), UNARY)])]
    go_on = m.form(forms)
    jumps = m.form([(6, ()), (2, ("continue",)), (0.7, ("continue", "break")), (0.4, ("return",))])
    if form in ("while", "do", "endless", "goto"):
        jumps = tuple(j for j in jumps if j != "continue" and (form, j) != ("goto", "break"))
    with Scope(m):
        body = Block()
        for _ in range(0 if m.forced else m.pick([0, 1, 1, 2, 3])):
            body.add(*statement(m, 2, jumps))
        if m.forced or m.chance(0.7):
            body.add(change_one(m))
        body.add(m.store_out())
        if m.own and m.seldom(0.3):
            body.add(m.store_own())
        if not m.forced and value.high - limit.high > 1 << 20 and m.seldom(0.15):
            body.add(skip(m, name, kind, step))
    return [*before, *loop_form(form, name, declared, start, inside, go_on, body)]


def skip(m, name, kind, step):
    """Goes over an element: the loop's variable is changed in its body."""
    step = fixed(cast(step, kind))
    hows = [[f"{name} += ", step], [f"{name} = {name} + ", (step, TIMES)], ["[&] { ", f"{name} += ", step, "; }()"]]
    return Stmt(["if (", m.condition(1), ") ", *m.pick(hows), ";"], tag="skip")


def loop_form(form, name, declared, start, inside, go_on, body):
    tag = "stride:" + form
    for e in (start, inside, *(p if isinstance(p, Expr) else p[0] for p in go_on if not isinstance(p, str))):
        e.fixed = True
    step = Stmt([*go_on, ";"], keep=True)
    if form == "for":
        return [Stmt([f"for ({declared} = ", start, "; ", inside, "; ", *go_on, ") ", body], tag=tag)]
    begin = Stmt([f"{declared} = ", start, ";"], declares=[name])
    if form == "for_outside":
        return [begin, Stmt(["for (; ", inside, "; ", *go_on, ") ", body], tag=tag)]
    if form == "while":
        return [begin, Stmt(["while (", inside, ") ", body.add(step)], tag=tag)]
    if form == "do":
        return [begin, Stmt(["if (", inside, ") do ", body.add(step), " while (", inside, ");"], tag=tag)]
    if form == "endless":
        body.body.insert(0, Stmt(["if (!(", inside, ")) break;"], keep=True))
        return [begin, Stmt(["for (;;) ", body.add(step)], tag=tag)]
    if form == "goto":
        return [begin, Stmt(["again:\nif (", inside, ") ", body.add(step, Stmt(["goto again;"], keep=True))], tag=tag)]
    if form == "several":
        return [Stmt([f"for ({declared} = ", start, ", turn = 0; ", inside, "; ", *go_on, ", turn++) ", body], tag=tag)]
    return [begin, Stmt(["for (int turn = 0; ", inside, "; turn++, ", *go_on, ") ", body], tag=tag)]


def plane(m, dims):
    """A loop over rows (and planes) around one over columns."""
    sizes, start = {}, {}
    for axis in "xyz"[:dims]:
        base = "w" if axis == "x" else "h"
        bound = {2: 64, 3: 16}[dims]
        values = []
        for launch in m.kernel.launches:
            threads = indices.most_of(launch, axis)
            values.append(min(bound, m.pick([threads, threads * 2 + 1, threads * 3 - 2, threads // 2, 1, 0, 40])))
        sizes[axis] = m.parameter(base, m.pick([INT, INT, UINT, LONG]), values)
        start[axis] = indices.plain_global(m, axis)
        m.turns *= max(-(-v // indices.most_of(launch, axis)) for v, launch in zip(values, m.kernel.launches)) + 1
    nested(m, list("zyx"[3 - dims:]), sizes, start, m.kernel.body, {})


def nested(m, axes, sizes, start, block, names):
    """Loops for the axes, outer ones first, the body inside."""
    axis, *rest = axes
    w = sizes[axis]
    kind = m.pick([INT, INT, UINT, LONG]) if w.kind.signed else UINT
    name = m.new(axis)
    names = {**names, axis: name}
    product = m.pick(["gridDim.{0} * blockDim.{0}", "blockDim.{0} * gridDim.{0}"]).format(axis)
    step = Expr([product], UINT, 1, 2048, TIMES)
    if kind.bits < step.kind.bits or kind is INT and m.chance(0.2):
        step = cast(step, INT)
    inside = Block()
    with Scope(m):
        m.scope.append(Var(name, kind, 0, max(0, w.high - 1)))
        if not rest:
            index = Expr([names["x"]], kind, 0, 63)
            order = "xyz"[:len(names)]
            for a in order[1:]:
                before = order[order.index(a) - 1]
                if before == "x":
                    index = Expr([f"({names[a]} * ", (sizes["x"].value(), ASSIGN), f" + {names['x']})"], INT, 0, 4095)
                else:
                    index = Expr([f"(({names['z']} * ", (sizes["y"].value(), ASSIGN), f" + {names['y']}) * ",
                                  (sizes["x"].value(), ASSIGN), f" + {names['x']})"], INT, 0, 4095)
            add_output(m, index)
            for _ in range(m.pick([0, 1, 1, 2])):
                inside.add(*statement(m, 1, m.form([(1, ()), (1, ("continue",))])))
            inside.add(change_one(m), m.store_out())
        else:
            if m.seldom(0.3):
                made, var = carried(m)
                inside.add(*made)
                m.scope.append(var)
            nested(m, rest, sizes, start, inside, names)
            if m.chance(0.2):
                inside.add(change_one(m))
    condition = compare("<", Expr([name], kind, 0, kind.high), w.value())
    parts = [f"for ({m.spell(kind)} {name} = ", fixed(start[axis]), "; ", fixed(condition), f"; {name} += ",
             fixed(step), ") ", inside]
    block.add(Stmt(parts, tag="stride:" + "plane" if rest else "stride:for"))

