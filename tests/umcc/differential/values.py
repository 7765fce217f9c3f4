"""C's integer types and arithmetic, with intervals: what an expression's value can be, and that it is defined.

Every function here returns an expression that is defined for all values of its operands. Where a signed result might
overflow, an operand is cast to unsigned first.
"""
from tree import ADD, AND, EQUAL, LAND, LESS, LOR, OR, POSTFIX, PRIMARY, SHIFT, TIMES, UNARY, XOR, Expr
from tree import ASSIGN as TERNARY


class Kind:
    """An integer type: its name, width and sign, and other spellings."""

    def __init__(self, name, bits, signed, rank, others=()):
        self.name, self.bits, self.signed, self.rank, self.others = name, bits, signed, rank, others
        self.low = -(1 << bits - 1) if signed else 0
        self.high = (1 << bits - signed) - 1

    def holds(self, low, high):
        return self.low <= low and high <= self.high


BOOL = Kind("bool", 1, False, 0)
CHAR = Kind("signed char", 8, True, 1, ("int8_t",))
UCHAR = Kind("unsigned char", 8, False, 1, ("uint8_t",))
SHORT = Kind("short", 16, True, 2, ("int16_t", "short int"))
USHORT = Kind("unsigned short", 16, False, 2, ("uint16_t",))
INT = Kind("int", 32, True, 3, ("int32_t", "signed", "signed int"))
UINT = Kind("unsigned", 32, False, 3, ("uint32_t", "unsigned int"))
LONG = Kind("long long", 64, True, 4, ("int64_t", "long", "ptrdiff_t"))
ULONG = Kind("unsigned long long", 64, False, 4, ("uint64_t", "size_t", "unsigned long"))
KINDS = [CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG]
WIDE = [INT, UINT, LONG, ULONG]
UNSIGNED = {CHAR: UCHAR, SHORT: USHORT, INT: UINT, LONG: ULONG}


def literal(value, kind=INT):
    """A constant, in decimal; INT_MIN and the like as a difference."""
    suffix = {UINT: "u", LONG: "ll", ULONG: "ull"}.get(kind, "")
    kind = kind if kind.rank >= INT.rank else INT
    if value == kind.low and kind.signed:
        return Expr([f"-{-value - 1}{suffix} - 1"], kind, value, value, ADD)
    if value < 0:
        return Expr([f"-{-value}{suffix}"], kind, value, value, UNARY)
    return Expr([f"{value}{suffix}"], kind, value, value)


def variable(name, kind, low=None, high=None):
    return Expr([name], kind, kind.low if low is None else low, kind.high if high is None else high)


def converted(low, high, kind):
    """The interval of a value after its conversion to `kind`: modulo 2^bits."""
    if kind is BOOL:
        return (int(low > 0 or high < 0), int((low, high) != (0, 0)))
    size = 1 << kind.bits
    if high - low >= size:
        return kind.low, kind.high
    a, b = (low - kind.low) % size + kind.low, (high - kind.low) % size + kind.low
    return (a, b) if a <= b else (kind.low, kind.high)


def promoted(e):
    return INT if e.kind.rank < INT.rank else e.kind


def common(a, b):
    x, y = promoted(a), promoted(b)
    if x.rank != y.rank:
        return x if x.rank > y.rank else y
    return x if not x.signed else y


def cast(e, kind, style=0, spelled=None):
    """`(T)e`, `T(e)`, `static_cast<T>(e)`."""
    name = spelled or kind.name
    low, high = converted(e.low, e.high, kind)
    if style == 1 and " " not in name:
        return Expr([f"{name}(", (e, TERNARY), ")"], kind, low, high, POSTFIX)
    if style == 2:
        return Expr([f"static_cast<{name}>(", (e, TERNARY), ")"], kind, low, high, POSTFIX)
    return Expr([f"({name})", (e, UNARY)], kind, low, high, UNARY)


def _bits_above(value):
    return (1 << max(value, 0).bit_length()) - 1


def _interval(op, kind, a, b):
    """The interval of `a op b` as mathematical integers; None if it is not known. a, b: intervals."""
    if op in "+-*":
        both = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y}[op]
        ends = [both(x, y) for x in a for y in b]
        return min(ends), max(ends)
    if op in "/%" and b[0] > 0:
        if op == "/":
            ends = [abs(x) // y * (1 if x >= 0 else -1) for x in (*a, *([0] if a[0] < 0 < a[1] else [])) for y in b]
            return min(ends), max(ends)
        return (max(a[0], 1 - b[1]) if a[0] < 0 else 0), min(max(a[1], 0), b[1] - 1)
    if op == "&" and (a[0] >= 0 or b[0] >= 0):
        return 0, min(x[1] for x in (a, b) if x[0] >= 0)
    if op in "|^" and a[0] >= 0 and b[0] >= 0:
        return 0, _bits_above(a[1] | b[1]) if op == "|" else _bits_above(max(a[1], b[1]))
    return (kind.low, kind.high) if op in "&|^" else None


TIGHT = {"+": ADD, "-": ADD, "*": TIMES, "/": TIMES, "%": TIMES, "&": AND, "|": OR, "^": XOR}


def binary(op, a, b):
    """`a op b`. For / and % the right side must be positive: positive() makes it so."""
    kind = common(a, b)
    ends = converted(a.low, a.high, kind), converted(b.low, b.high, kind)
    exact = _interval(op, kind, *ends)
    if kind.signed and (exact is None or not kind.holds(*exact)):
        return binary(op, cast(a, UNSIGNED[kind]), b)
    low, high = converted(*exact, kind) if exact else (kind.low, kind.high)
    tight = TIGHT[op]
    return Expr([(a, tight), f" {op} ", (b, tight + 1)], kind, low, high, tight)


def positive(e):
    """A divisor: `e | 1` where it may be 0, unsigned where it may be negative."""
    if e.low > 0:
        return e
    if e.low < 0:
        e = cast(e, UNSIGNED[promoted(e)] if promoted(e).signed else e.kind)
    return binary("|", e, literal(1)) if e.low <= 0 else e


def shift(op, e, count):
    """`e << count`, `e >> count`; the count's interval must lie below the width."""
    kind = promoted(e)
    assert 0 <= count.low and count.high < kind.bits, (count.low, count.high)
    if op == "<<" and kind.signed and (e.low < 0 or e.high << count.high > kind.high):
        return shift(op, cast(e, UNSIGNED[kind]), count)
    if op == "<<":
        low, high = e.low << count.low, e.high << count.high
        low, high = (low, high) if kind.holds(low, high) else (kind.low, kind.high)
    else:
        ends = [x >> c for x in (e.low, e.high) for c in (count.low, count.high)]
        low, high = min(ends), max(ends)
    return Expr([(e, SHIFT), f" {op} ", (count, ADD)], kind, low, high, SHIFT)


def compare(op, a, b):
    tight = EQUAL if op in ("==", "!=") else LESS
    return Expr([(a, tight), f" {op} ", (b, tight + 1)], BOOL, 0, 1, tight)


def both(a, b, word="&&"):
    tight = {"&&": LAND, "and": LAND, "||": LOR, "or": LOR, "&": AND, "|": OR}[word]
    return Expr([(a, tight), f" {word} ", (b, tight + 1)], BOOL, 0, 1, tight)


def negation(e, word="!"):
    return Expr([word, (e, UNARY)], BOOL, 0, 1, UNARY)


def unary(op, e):
    """`-e`, `~e`."""
    kind = promoted(e)
    if op == "~":
        low, high = (-e.high - 1, -e.low - 1) if kind.signed else (kind.low, kind.high)
    else:
        if kind.signed and e.low == kind.low:
            return unary(op, cast(e, UNSIGNED[kind]))
        low, high = converted(-e.high, -e.low, kind)
    return Expr([op, " " if e.tight == UNARY else "", (e, UNARY)], kind, low, high, UNARY)


def choice(c, a, b):
    kind = common(a, b)
    ends = converted(a.low, a.high, kind), converted(b.low, b.high, kind)
    return Expr([(c, LOR), " ? ", (a, TERNARY), " : ", (b, TERNARY)], kind, min(ends[0][0], ends[1][0]),
                max(ends[0][1], ends[1][1]), TERNARY)


def element(array, index, kind, low=None, high=None):
    """`array[index]`: a read of memory."""
    return Expr([f"{array}[", (index, TERNARY), "]"], kind, kind.low if low is None else low,
                kind.high if high is None else high, POSTFIX)


def call(name, kind, *arguments, low=None, high=None, tag=None):
    parts = [f"{name}("]
    for i, a in enumerate(arguments):
        parts += [", "] * (i > 0) + [(a, TERNARY)]
    return Expr([*parts, ")"], kind, kind.low if low is None else low, kind.high if high is None else high, POSTFIX,
                tag)


def tagged(e, tag):
    return Expr(e.parts, e.kind, e.low, e.high, e.tight, tag)


__all__ = [n for n in dir() if not n.startswith("_")] + ["PRIMARY"]
