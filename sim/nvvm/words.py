"""Words of LLVM's text: names, brackets, types. Only for text that LLVM itself has written."""
import re

NAME = r'@(?:"[^"]*"|[-\w$.]+)'
STRING_OR = r'c?"[^"]*"|'
OPEN, CLOSE = "([{<", ")]}>"


class Refused(Exception):
    """The program has something that the simulated GPU does not know; the text says what."""


def bare(name):
    """A global's name, without @, quotes and escapes."""
    name = name[1:].strip('"').encode()
    return re.sub(rb"\\([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), name).decode()


def quoted(name, sigil="@"):
    """As it is written: in quotes, whatever it has in it."""
    escaped = "".join(c if c.isalnum() or c in "_.$" and c.isascii() else "".join(f"\\{b:02X}" for b in c.encode())
                      for c in name)
    return f'{sigil}"{escaped}"'


def behind(text, at):
    """The index behind the bracket that closes the one at `at`."""
    depth = 0
    for m in re.compile(r'"[^"]*"|[][(){}<>]').finditer(text, at):
        if m[0] in OPEN:
            depth += 1
        elif m[0] in CLOSE:
            depth -= 1
            if depth == 0:
                return m.end()
    raise Refused("a bracket is not closed: " + text[:200])


def split(text):
    """The parts between the commas that are in no bracket."""
    parts, depth, start = [], 0, 0
    for m in re.finditer(r'"[^"]*"|[][(){}<>,]', text):
        if m[0] in OPEN:
            depth += 1
        elif m[0] in CLOSE:
            depth -= 1
        elif m[0] == "," and depth == 0:
            parts.append(text[start:m.start()].strip())
            start = m.end()
    if text[start:].strip():
        parts.append(text[start:].strip())
    return parts


def first_type(text):
    """The type with which a parameter or an argument begins."""
    if text[0] in "{[<":
        return text[:behind(text, 0)]
    return re.match(r'%"[^"]*"|[^\s,]+', text)[0]


def last_type(text):
    """The type with which what stands before a function's name ends."""
    text = text.rstrip()
    depth = 0
    for m in reversed(list(re.finditer(r'"[^"]*"|[][(){}<>]|\s+', text))):
        if m[0] in CLOSE:
            depth += 1
        elif m[0] in OPEN:
            depth -= 1
        elif m[0].isspace() and depth == 0:
            return text[m.end():]
        if depth == 0 and m[0] in "{[<":
            return text[m.start():]
    return text


def call_type(before, arguments):
    """(result, [parameters]) as a call has them: what stands before the name, and between its brackets."""
    return last_type(before), [first_type(a) for a in split(arguments)]


def array_bytes(kind):
    """The size of an array of numbers, as text: `[4 x [8 x float]]`. @return None: of something else"""
    match = re.fullmatch(r"((?:\[\d+ x )+)(i8|i16|i32|i64|half|float|double|ptr)\]+", kind)
    if not match:
        return None
    size = {"i8": 1, "i16": 2, "half": 2, "i32": 4, "float": 4}.get(match[2], 8)
    for count in re.findall(r"\d+", match[1]):
        size *= int(count)
    return size


def without_spaces(text):
    """Pointers of a GPU's address spaces are pointers."""
    instead = {"addrspacecast": "bitcast"}
    return re.sub(STRING_OR + r" *\baddrspace\(\d+\)|\baddrspacecast\b",
                  lambda m: m[0] if '"' in m[0] else instead.get(m[0], ""), text)


def signature(kind):
    """(result, [parameters]) of a function's type as text: `i32 (ptr, i64)`."""
    kind = without_spaces(kind)
    result = first_type(kind)
    return result, split(kind[len(result):].strip()[1:-1])
