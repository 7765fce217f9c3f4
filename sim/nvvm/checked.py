"""The checked form of a program: before each access stands a call, as umcc --check has g++ write them (check/hooks.c).

The functions of a module, simplified and not yet optimised, are gone through line by line. What is read or written by
atomics is told by umsim_check_atomic(), and done here; so a fence is told and made by one call. A call has the place
in the program that its access has: LLVM's debug information as Numba writes it (lineinfo) is read, and written anew
with what names a place and nothing else, because that of the functions that were inlined does not fit the function
that they are in now.
"""
import re

from loops import spoken, text_constant
from words import behind, quoted, split

# What g++ calls, by bytes; other sizes, and what need not be aligned, are ranges.
WIDTHS = (1, 2, 4, 8, 16)
ORDERS = {"unordered": 0, "monotonic": 0, "acquire": 2, "release": 3, "acq_rel": 4, "seq_cst": 5}  # __ATOMIC_RELAXED...
ACCESS = re.compile(r"  (?:%\S+ = )?(load|store|atomicrmw|cmpxchg)((?: atomic| weak| volatile)*) (.*)")
COPY = re.compile(r"  (?:tail )?call void @llvm\.(memcpy|memmove|memset)\.[^(]*\(")
FENCE = re.compile(r'  fence (?:syncscope\("(\w+)"\) )?(\w+)')
PLACE = re.compile(r", !dbg (!\d+)")
DECLARED = "".join(f"declare void @__tsan_{volatile}{what}{width}(ptr)\n" for volatile in ("", "volatile_")
                   for what in ("read", "write") for width in WIDTHS) + """
declare void @__tsan_read_range(ptr, i64)
declare void @__tsan_write_range(ptr, i64)
declare void @__tsan_atomic_thread_fence(i32)
declare void @umsim_check_atomic(ptr, i64, i32, i32)
declare void @umsim_block_scope(i32)
"""


def wanted(environment):
    """Whether kernels are to be checked: umpython --check says so."""
    return bool(environment.get("UMSIM_CHECK_MODULES"))


class Places:
    """A module's debug information: (line, file, folder) of a location, by its number; and the same written anew."""

    def __init__(self, text):
        self.nodes = dict(re.findall(r"^(!\d+) = (?:distinct )?!(DI\w+\(.*\))$", text, re.M))
        self.new, self.numbers, self.strings, self.main = [], {}, {}, None
        self.next = 1 + max((int(n) for n in re.findall(r"^!(\d+) = ", text, re.M)), default=0)

    def member(self, node, name):
        found = re.search(rf'\b{name}: ("(?:[^"\\]|\\.)*"|[^,()]+)', self.nodes.get(node, ""))
        return found[1].strip('"') if found else ""

    def of(self, node):
        """@return (line, file, folder), None where it is not known"""
        file = self.member(self.member(node, "scope"), "file")
        line = self.member(node, "line")
        name = self.member(file, "filename")
        return (int(line), name, self.member(file, "directory")) if line and line != "0" and name else None

    def node(self, text):
        """The number of a node; one for each text."""
        if text not in self.numbers:
            self.numbers[text] = f"!{self.next}"
            self.next += 1
            self.new.append(f"{self.numbers[text]} = {text}")
        return self.numbers[text]

    def file(self, place):
        return self.node(f'!DIFile(filename: "{place[1]}", directory: "{place[2]}")')

    def file_name(self, place):
        """The name of a constant that holds the file's."""
        return self.strings.setdefault(place[1], f"@um.file.{len(self.strings)}")

    def unit(self, place):
        return self.node(f'distinct !DICompileUnit(language: DW_LANG_C, file: {self.file(place)}, producer: "umlab", '
                         'isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)')

    def function(self, name, place):
        """The function that begins there."""
        kind = self.node("!DISubroutineType(types: !{})")
        file, escaped = self.file(place), quoted(name)[2:-1]
        return self.node(f'distinct !DISubprogram(name: "{escaped}", scope: {file}, file: {file}, line: {place[0]}, '
                         f"type: {kind}, scopeLine: {place[0]}, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, "
                         f"unit: {self.unit(self.main)})")

    def location(self, function, own, place):
        """What stands behind an instruction. @param own where the function begins"""
        scope = function if place[1:] == own[1:] else self.node(
            f"!DILexicalBlockFile(scope: {function}, file: {self.file(place)}, discriminator: 0)")
        return ", !dbg " + self.node(f"!DILocation(line: {place[0]}, scope: {scope})")

    def text(self):
        flags = [self.node(f'!{{i32 {how}, !"{name}", i32 {value}}}')
                 for how, name, value in ((2, "Debug Info Version", 3), (7, "Dwarf Version", 4))]
        return (f"!llvm.dbg.cu = !{{{self.unit(self.main)}}}\n!llvm.module.flags = !{{{', '.join(flags)}}}\n" +
                "\n".join(self.new) + "\n")


class Function:
    """One function's lines, with calls."""

    def __init__(self, head, body, sizes, places, name):
        self.head, self.lines, self.sizes, self.places = head, body.split("\n"), sizes, places
        found = [places.of(m[1]) for m in map(PLACE.search, self.lines) if m]
        self.own = next((place for place in found if place), None)
        self.function = None
        if self.own:
            places.main = places.main or self.own
            self.function = places.function(name, self.own)

    def text(self):
        head = re.sub(r" !dbg !\d+", "", self.head)
        if self.function:
            head = head.rstrip("{ ") + f" !dbg {self.function} {{"
        at, out = self.own, [head]
        for line in self.lines:
            if line.lstrip().startswith("#dbg"):
                continue
            found = PLACE.search(line)
            at = found and self.places.of(found[1]) or at
            line = PLACE.sub("", line)
            if at:  # the place of a barrier, or of what a warp does
                line = re.sub(r"@um\.file\b(?!\.)", lambda _, at=at: self.places.file_name(at), line)
            where = self.places.location(self.function, self.own, at) if self.function else ""
            out += [call + where for call in self.calls(line)]
            if not FENCE.match(line):
                out.append(line + where if re.match(r"  (?:%\S+ = )?(?:tail |notail )?call ", line) else line)
        return "\n".join(out)

    def calls(self, line):
        """What stands in front of a line."""
        access, copy, fence = ACCESS.match(line), COPY.match(line), FENCE.match(line)
        if access:
            return self.access(access[1], access[2].split(), split(access[3]), line)
        if copy:
            to, source, size = split(line[copy.end():behind(line, copy.end() - 1) - 1])[:3]
            reads = [] if copy[1] == "memset" else [f"  call void @__tsan_read_range({plain(source)}, {size})"]
            return [*reads, f"  call void @__tsan_write_range({plain(to)}, {size})"]
        if fence:
            told = f"  call void @__tsan_atomic_thread_fence(i32 {ORDERS[fence[2]]})"
            in_block = fence[1] == "block"
            return ["  call void @umsim_block_scope(i32 1)", told, "  call void @umsim_block_scope(i32 0)"] \
                if in_block else [told]
        return []

    def access(self, op, words, parts, line):
        size = next(self.sizes)
        pointer = re.sub(r"^\w+ (?=ptr)", "", parts[1 if op in ("load", "store") else 0])
        atomic = op in ("atomicrmw", "cmpxchg") or "atomic" in words
        order = [w for w in re.findall(r"\w+", line.split(", align")[0]) if w in ORDERS][-1:] if atomic else []
        pointer = re.sub(r' (?:syncscope\("[^"]*"\) )?\w+$', "", pointer) if atomic and op in ("load", "store") \
            else pointer
        if re.match(r"ptr @um\.", pointer):
            return []
        if atomic:
            how = {"load": 0, "store": 1}.get(op, 2)
            return [f"  call void @umsim_check_atomic({pointer}, i64 {size}, i32 {how}, i32 {ORDERS[order[0]]})"]
        align = re.search(r", align (\d+)", line)
        what = "write" if op == "store" else "read"
        if size not in WIDTHS or (align and int(align[1]) < min(size, 8)):
            return [f"  call void @__tsan_{what}_range({pointer}, i64 {size})"]
        return [f"  call void @__tsan_{'volatile_' if 'volatile' in words else ''}{what}{size}({pointer})"]


def plain(argument):
    """A pointer without what else an argument says of it."""
    return "ptr " + re.sub(r"^ptr (?:(?:\w+\([^()]*\)|align \d+|no\w+|read\w+|write\w+|captures\S+) )*", "", argument)


def sizes_of(function, layout):
    """The bytes of each access of a function, in turn."""
    for block in function.blocks:
        for it in block.instructions:
            if it.opcode in ("load", "atomicrmw"):
                yield layout.get_abi_size(it.type)
            elif it.opcode in ("store", "cmpxchg"):
                yield layout.get_abi_size(list(it.operands)[0 if it.opcode == "store" else 1].type)


def with_calls(module, text, layout):
    """A module's text in which all of its functions tell what they access."""
    places = Places(text)
    functions = {it.name: it for it in module.functions if not it.is_declaration}

    def changed(m):
        name = re.search(r'@("[^"]*"|[-\w$.]+)\(', m[1])[1].strip('"')
        symbol = re.sub(r"\\([0-9A-F]{2})", lambda n: chr(int(n[1], 16)), name)
        if symbol not in functions or functions[symbol].linkage.name == "linkonce_odr":
            return re.sub(r",? !dbg !\d+", "", m[0])
        return Function(m[1], m[2], sizes_of(functions[symbol], layout), places,
                        spoken(symbol.replace("um.part.", ""))).text() + "\n}"

    text = re.sub(r"^(define [^\n]*\{)\n(.*?)\n\}$", changed, text, flags=re.M | re.S)
    if places.main:
        text = re.sub(r"^!llvm\.(?:dbg\.cu|module\.flags) = .*\n", "", text, flags=re.M) + places.text()
    declared = [line for line in DECLARED.splitlines() if line and line.split("(")[0] + "(" not in text]
    names = "".join(text_constant(constant, name) for name, constant in places.strings.items())
    return text + names + "\n".join(declared) + "\n"
