"""What a set of CUDA headers declares: constants, structures, types and functions.

Reads the C that the preprocessor leaves of the headers, keeping only lines that come from below one folder. It knows
the C of CUDA headers (no bit-fields, no nested declarators), not all of C. Used by parity.py, for our headers and for
NVIDIA's.

    world = declared.read(cc, include_dir, headers, defines, more_flags)
    world.enums["cudaMemcpyKind"]        -> ["cudaMemcpyHostToHost", ...]
    world.structs["cudaPointerAttributes"] -> {"type": "enum cudaMemoryType @", "device": "int @", ...}
    world.typedefs["cudaStream_t"]       -> "typedef struct CUstream_st *@"
    world.functions["cudaFree"]          -> "cudaError_t @(void *devPtr)"
    world.macros["cudaHostAllocMapped"]  -> "0x02"

In types and prototypes `@` stands where the name was.
"""

import os
import re
import subprocess
from dataclasses import dataclass, field

LINE_MARKER = re.compile(r'^# \d+ "([^"]*)"')


@dataclass
class World:
    """The declarations of one set of headers, by name."""

    enums: dict = field(default_factory=dict)
    structs: dict = field(default_factory=dict)
    typedefs: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    macros: dict = field(default_factory=dict)


def read(cc, include_dir, headers, defines=(), more_flags=()):
    """Preprocesses `headers` as C and returns their World. Raises CalledProcessError when they do not compile."""
    source = "".join(f"#include <{name}>\n" for name in headers)
    command = [cc, "-x", "c", "-std=gnu11", f"-I{include_dir}", *more_flags, *(f"-D{d}" for d in defines)]
    text = _run(command + ["-E", "-"], source)
    world = World()
    for declaration in _declarations(_lines_below(text, include_dir)):
        _sort_in(world, declaration)
    world.macros = _macros(_run(command + ["-E", "-dD", "-"], source), include_dir)
    return world


def _run(command, source):
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def _from_below(text, folder):
    """Yields the lines of preprocessed text that come from files below `folder`."""
    folder = os.path.realpath(folder) + os.sep
    wanted = False
    for line in text.splitlines():
        marker = LINE_MARKER.match(line)
        if marker:
            wanted = os.path.realpath(marker.group(1)).startswith(folder)
        elif wanted:
            yield line


def _lines_below(text, folder):
    return "\n".join(line for line in _from_below(text, folder) if not line.startswith("#"))


def _macros(text, folder):
    """The object-like macros with a value that the headers define and leave defined: {name: value as text}."""
    macros = {}
    for line in _from_below(text, folder):
        found = re.match(r"#define (cuda\w+|CUDART_VERSION|CU_\w+|CUDA_\w+) +(\S.*)", line)
        if found:
            macros[found.group(1)] = found.group(2).strip()
        found = re.match(r"#undef (\w+)", line)
        if found:
            macros.pop(found.group(1), None)
    return macros


def _declarations(text):
    """Splits C into top-level declarations and definitions, without attributes and without bodies of functions."""
    text = _without_attributes(text)
    depth, start, position = 0, 0, 0
    while position < len(text):
        character = text[position]
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            head = text[start:position]
            # A function's body ends its definition; a structure's is followed by a declarator and a semicolon.
            if depth == 0 and re.match(r"[^{]*\)\s*{", head):
                yield re.match(r"[^{]*", head).group(0).strip()
                start = position + 1
        elif character == ";" and depth == 0:
            declaration = text[start:position].strip()
            if declaration:
                yield declaration
            start = position + 1
        position += 1


def _without_attributes(text):
    """Drops __attribute__((...)) and asm labels, whose parentheses may nest."""
    result, position = [], 0
    for found in re.finditer(r"\b__(?:attribute|asm)__\s*\(", text):
        if found.start() < position:
            continue
        result.append(text[position : found.start()])
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        position = end
    result.append(text[position:])
    return "".join(result)


def _sort_in(world, declaration):
    declaration = re.sub(r"\s+", " ", declaration)
    declaration = re.sub(r"^(?:(?:extern|static|inline|__inline__|__extension__) )+", "", declaration)
    aggregate = re.match(r"(?:typedef )?(enum|struct|union) (\w+)? ?{(.*)}", declaration)
    if aggregate:
        kind, name, body = aggregate.groups()
        if name and kind == "enum":
            world.enums[name] = re.findall(r"(?:^|,)\s*(\w+)", body)
        elif name and kind == "struct":  # of a union, the structures that have it are compared
            world.structs[name] = _members(body)
    elif declaration.startswith("typedef "):
        callback = re.match(r"(typedef .*\( ?\* ?)(\w+)( ?\).*)$", declaration)
        plain = re.match(r"(typedef .*?[ *])(\w+)$", declaration)
        found = callback or plain
        if found:
            world.typedefs[found.group(2)] = found.group(1) + "@" + (found.group(3) if callback else "")
    else:
        function = re.match(r"([\w *]+?[ *])(\w+) ?(\(.*\))$", declaration)
        if function:
            world.functions[function.group(2)] = function.group(1) + "@" + function.group(3)


def _members(body):
    """A structure's members and their types; of an unnamed aggregate that is one its members too, as `res.array`."""
    members = {}
    for line in _at_depth_zero(body):
        nested = re.match(r"(?:__extension__ )?(struct|union) ?{(.*)} ?(\w*)$", line)
        if nested:
            kind, inner, name = nested.groups()
            if name:
                members[name] = f"{kind} @"
            members.update((f"{name}.{member}" if name else member, text) for member, text in _members(inner).items())
            continue
        base = ""
        for declarator in line.split(","):
            found = re.match(r"(.*?[ *])?(\w+) *((?:\[[^\]]*\] *)*)$", declarator.strip())
            if found:
                base = found.group(1) or base  # in `int x, y` the second declarator has no type of its own
                members[found.group(2)] = f"{base.strip()} @{found.group(3)}"
    return members


def _at_depth_zero(body):
    """The declarations between the semicolons that stand in no inner braces."""
    depth, start = 0, 0
    for position, character in enumerate(body):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == ";" and depth == 0:
            yield body[start:position].strip()
            start = position + 1
