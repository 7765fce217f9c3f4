"""What the inside of a kernel does: variables that are carried from turn to turn, conditions, inner loops, switches,
jumps. All of it belongs to one thread; phases.py has what threads do together.
"""
from changes import HASHES, change, make_structure
from maker import SMALL, Var, wrapping
from tree import ADD, Block, Stmt
from values import INT, KINDS, LONG, UINT, ULONG, WIDE, binary, cast, literal


def carried(m, role=None):
    """A variable that is changed later. Returns (statements that declare it, Var)."""
    role = role or m.pick(["counter", "counter", "hash"])
    form = m.weighted([(6, "scalar"), (3, "structure"), (1, "array")])
    kind = m.pick(KINDS if role == "hash" and form == "scalar" else WIDE)
    if m.forced:
        form, row = m.forced
        kind, role = (UINT, "hash") if row in HASHES or row[0] == "asm_ptx" else (INT, "counter")
    if role == "hash" and kind.signed:
        kind = m.pick([UINT, ULONG])
    low, high = (-SMALL, SMALL) if kind.signed else (kind.low, kind.high)
    name = m.new(m.pick(["c", "s", "sum", "acc", "h", "n", "count"]))
    start = literal(m.pick([0, 0, 0, 1, 7]), INT) if m.pure or m.chance(0.6) else m.small()
    start = literal(1) if m.forced else start
    if form == "scalar":
        spelled = kind.name if kind.bits == 64 else m.spell(kind)  # `long` is another type than `long long`
        text = f"{spelled} {name}" if not m.seldom(0.15) else f"{kind.name} {m.new('unused')} = 0, {name}"
        var = Var(name, kind, low, high, role=role, struct="scalar")
        return [Stmt([text + " = ", start, ";"], declares=[name])], var
    if form == "array":
        var = Var(name, kind, 2 * low, 2 * high, role=role, struct="array", read=f"({name}[0] + {name}[1])")
        if not kind.signed:
            var.low, var.high = kind.low, kind.high
        values = [f"{kind.name} {name}[2] = {{({kind.name})(", start, "), 1};"]
        return [Stmt(values, declares=[name])], var
    struct = make_structure(m, kind, role)
    var = Var(name, kind, low, high, role=role, struct=struct, read=f"{name}.v")
    begin = m.pick([f"{struct[0]} {name}(", f"{struct[0]} {name} = {struct[0]}("])
    if m.pure or m.forced:  # umcc takes only what has no parenthesis: a copy of a parameter
        first = m.new("zero")
        m.kernel.parameters[first] = f"{struct[0]} {first}"
        for launch in m.kernel.launches:
            launch.values[first] = f"{struct[0]}({start.text()})"
        return [Stmt([f"{struct[0]} {name} = {first};"], declares=[name])], var
    return [Stmt([begin, (cast(start, kind), 2), ");"], declares=[name])], var


def amount(m, var):
    """What is added: small for a counter, of an unsigned type for a hash."""
    if var.role == "counter":
        return m.small() if m.chance(0.6) else literal(m.pick([1, 1, 2, 3]))
    return cast(m.expr(m.rng.randrange(3)), var.kind)


def change_one(m):
    """Changes a variable in scope; None if none may change."""
    changing = [v for v in m.scope if v.role and v.struct]
    if not changing:
        return None
    var = m.pick(changing)
    return change(m, var, amount(m, var))


class Scope:
    """Variables that are declared inside are forgotten at the end."""

    def __init__(self, m, turns=1):
        self.m, self.turns = m, turns

    def __enter__(self):
        self.kept, self.before = list(self.m.scope), self.m.turns
        self.m.turns *= self.turns

    def __exit__(self, *_):
        self.m.scope, self.m.turns = self.kept, self.before


def block_of(m, count, depth, jumps=()):
    body = Block()
    with Scope(m):
        for _ in range(count):
            body.add(*statement(m, depth, jumps))
    return body


def statement(m, depth=2, jumps=()):
    """One random statement, as a list. jumps: what may be left here: "break", "continue", "return"."""
    odd = max(m.odd, 0.2)
    table = [(3, local), (4 * m.odd, changing), (2, storing), (0.7 * odd, atomic), (1.5 * odd, local_object)]
    if depth > 0:
        table += [(2.2 * odd, condition), (odd, inner_loop), (0.7 * odd, switch), (0.3 * m.odd, goto_forward),
                  (0.3 * odd, bare_block)]
    if jumps:
        table.append((odd, jump))
    return m.weighted(table)(m, depth, jumps)


def local(m, *_):
    made, var = m.local(const=m.chance(0.3))
    m.scope.append(var)
    return [made]


def changing(m, *_):
    made = change_one(m)
    return [made] if made else local(m)


def storing(m, *_):
    return [m.store_out() if m.out and m.chance(0.6) else m.store_own()]


def atomic(m, *_):
    return [m.atomic()]


def local_object(m, *_):
    """A lambda or a pointer or an array that keeps values, and what is read from it."""
    kind = m.rng.randrange(5)
    name, result = m.new("f"), m.new("y")
    m_kind = m.pick([UINT, LONG, INT])
    if kind == 0 and m_kind is not INT:
        lines = [f"auto {name} = [=](unsigned u) {{ return u * 3u + (unsigned)(", m.expr(1), "); };\n",
                 f"const unsigned {result} = {name}((unsigned)(", m.expr(1), "));"]
    elif kind == 1:
        lines = [f"unsigned {name}[4] = {{(unsigned)(", m.expr(1), "), 1u, (unsigned)(", m.expr(1), "), 3u};\n",
                 f"{name}[", m.wrap(m.expr(1), 4), f"] += {name}[", m.wrap(m.expr(1), 4), "];\n",
                 f"const unsigned {result} = {name}[", m.wrap(m.expr(1), 4), "];"]
    elif kind == 2:
        lines = [f"const int *{name} = {m.input('in')} + ", (m.wrap(m.expr(1), 512), ADD), ";\n",
                 f"const unsigned {result} = (unsigned){name}[", m.wrap(m.expr(1), 512), "];"]
    elif kind == 3:
        lines = [f"unsigned char {name}[8] = {{0}};\n", f"for (int i = 0; i < 8; i++) {name}[(i * 5) & 7] = "
                 "(unsigned char)(i + (unsigned)(", m.expr(1), "));\n",
                 f"const unsigned {result} = {name}[", m.wrap(m.expr(1), 8), f"] + {name}[7];"]
    else:
        lines = [f"float {name} = 0;\n", f"for (int i = 0; i < 3; i++) {name} += 0.5f * (float)(",
                 m.wrap(m.expr(1), 256), ");\n", f"const unsigned {result} = (unsigned)(4 * {name});"]
    m.scope.append(Var(result, UINT, 0, UINT.high))
    return [Stmt(lines, tag=f"object:{kind}", declares=[name, result])]


def condition(m, depth, jumps):
    then = block_of(m, m.rng.randrange(1, 3), depth - 1, jumps)
    parts = [m.pick(["if (", "if (", "if (", "if constexpr (sizeof(int) == 4) if ("]), m.condition(1), ") ", then]
    if m.chance(0.35):
        parts += [" else ", block_of(m, m.rng.randrange(1, 3), depth - 1, jumps)]
    return [Stmt(parts, tag="if", shell=True)]


def bare_block(m, depth, jumps):
    return [Stmt([block_of(m, 2, depth - 1, jumps)], tag="block", shell=True)]


def inner_loop(m, depth, _):
    """A loop of a few turns, of any form; what it leaves by is its own."""
    turns = m.pick([1, 2, 3, 5]) if m.turns <= 64 else 2
    name = m.new("j")
    kind = m.pick(WIDE)
    with Scope(m, turns + 1):
        if m.chance(0.5):
            limit = m.wrap(m.expr(1), turns + 1)  # depends on anything but the loop's own variable
        else:
            limit = literal(turns)
        m.scope.append(Var(name, kind, 0, turns))
        body = block_of(m, m.rng.randrange(1, 4), depth - 1, ("break", "continue"))
    low = literal(0)
    form = m.rng.randrange(5)
    text = f"{m.spell(kind)} {name}"
    if form <= 1:
        step = m.pick([f"{name}++", f"++{name}", f"{name} += 1", f"{name} = {name} + 1"])
        parts = [f"for ({text} = ", low, f"; {name} < ", (cast(limit, kind), ADD), f"; {step}) ", body]
    elif form == 2:
        parts = [f"for ({text} = ", low, f"; {name} != {turns}; {name}++) ", body]
    elif form == 3:
        parts = [f"{text} = 0;\nwhile ({name}++ < ", (cast(limit, kind), ADD), ") ", body]
    else:
        parts = [f"{text} = 0;\ndo ", body, f" while (++{name} < ", (cast(limit, kind), ADD), ");"]
    return [Stmt(parts, tag=f"loop:{form}", declares=[name])]


def switch(m, depth, jumps):
    """Cases that fall through or do not, `continue` of the loop around."""
    inner = tuple(j for j in jumps if j != "break")
    parts = ["switch (", m.wrap(m.expr(1), 4), ") {\n"]
    for case in m.rng.sample(range(4), m.rng.randrange(1, 4)):
        parts += [f"case {case}: ", block_of(m, m.rng.randrange(1, 3), depth - 1, (*inner, "break")),
                  m.pick([" break;\n", " break;\n", "\n"])]
    if m.chance(0.5):
        parts += ["default: ", block_of(m, 1, depth - 1, inner), "\n"]
    return [Stmt([*parts, "}"], tag="switch")]


def goto_forward(m, depth, _):
    """Jumps over statements; what is jumped over declares nothing outside of its block."""
    label = m.new("skip")
    body = block_of(m, m.rng.randrange(1, 3), depth - 1)
    return [Stmt(["if (", m.condition(1), f") goto {label};\n", body, f"\n{label}:;"], tag="goto")]


def jump(m, _, jumps):
    return [Stmt(["if (", m.condition(1), f") {m.pick(jumps)};"], tag="jump")]


def show(m):
    """Stores what the changed variables have become."""
    e = literal(0, UINT)
    for v in m.scope:
        if v.role:
            e = binary("+", binary("*", e, literal(31, UINT)), wrapping(v.value()))
    return Stmt([f"{m.own} = {m.own} * 7u + ", (wrapping(e), ADD + 1), ";"], tag="store:own")

