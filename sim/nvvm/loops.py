"""The functions that run a kernel's threads, and the tables by which a module makes its kernels known (device.cu)."""
import re

from words import Refused, quoted, without_spaces

CLOSURE_MAX = 33 * 1024  # umsim/abi.h
SIZES = "{ i32, i32, i32, i32 }"  # struct umsim_sizes
# struct umsim_kernel (umsim/abi.h): four fields of a byte are one number.
RECORD = "{ ptr, ptr, ptr, ptr, ptr, i32, i32 }"
# %um.t: where runtime.INDICES lie
TID, CTAID, NTID, NCTAID = 0, 3, 6, 9

# A stack that grows over its end meets its guard, as umcc's do (worker/stacks.h).
PROBED = '"probe-stack"="inline-asm"'
# One thread: the kernel's parameters are taken from where the launch put them.
PART = """
define void {part}(ptr %c, ptr %g, {index}) nounwind {{
  %t = alloca [12 x i32], align 16
{loads}{geometry}{indices}  call void {kernel}({arguments})
  ret void
}}
"""
BLOCKS = """
define internal void {blocks}({launch}, i64 %first, i64 %last) nounwind {probed} {{
entry:
{sizes}  %gx = zext i32 %n9 to i64
  %gy = zext i32 %n10 to i64
  %some = icmp ult i64 %first, %last
  br i1 %some, label %block, label %end
block:
  %n = phi i64 [ %first, %entry ], [ %next, %block.end ]
  %line = udiv i64 %n, %gx
  %bx.w = urem i64 %n, %gx
  %bz.w = udiv i64 %line, %gy
  %by.w = urem i64 %line, %gy
  %bx = trunc i64 %bx.w to i32
  %by = trunc i64 %by.w to i32
  %bz = trunc i64 %bz.w to i32
  br label %plane
plane:
  %z = phi i32 [ 0, %block ], [ %z1, %plane.end ]
  br label %row
row:
  %y = phi i32 [ 0, %plane ], [ %y1, %row.end ]
  br label %thread
thread:
  %x = phi i32 [ 0, %row ], [ %x1, %thread ]
  call void {part}(ptr %c, ptr %g, {values})
  %x1 = add nuw nsw i32 %x, 1
  %more.x = icmp slt i32 %x1, %n6
  br i1 %more.x, label %thread, label %row.end
row.end:
  %y1 = add nuw nsw i32 %y, 1
  %more.y = icmp slt i32 %y1, %n7
  br i1 %more.y, label %row, label %plane.end
plane.end:
  %z1 = add nuw nsw i32 %z, 1
  %more.z = icmp slt i32 %z1, %n8
  br i1 %more.z, label %plane, label %block.end
block.end:
  %next = add nuw i64 %n, 1
  %more = icmp ult i64 %next, %last
  br i1 %more, label %block, label %end
end:
  ret void
}}
"""

THREAD = """
define internal void {thread}(ptr %c, ptr %g, ptr %b, ptr %i) nounwind {probed} {{
{indices}  call void {part}(ptr %c, ptr %g, {values})
  ret void
}}
"""
# The indices of a thread, and how large they are.
AXES = ("bx", 0x80000000), ("by", 0x10000), ("bz", 0x10000), ("x", 1024), ("y", 1024), ("z", 64)
VALUES = ", ".join(f"i32 %{axis}" for axis, _ in AXES)


def store(value, at):
    return f"  %s{at} = getelementptr i32, ptr %t, i32 {at}\n  store i32 {value}, ptr %s{at}\n"


def sizes():
    """The launch's dimensions, of which is known that they are no larger than a GPU's."""
    text = ""
    for start, at, bits in ((12, NTID, (2047, 2047, 127)), (0, NCTAID, (0x7FFFFFFF, 0xFFFF, 0xFFFF))):
        for k in range(3):
            n = at + k
            text += (f"  %q{n} = getelementptr i8, ptr %g, i64 {start + 4 * k}\n  %r{n} = load i32, ptr %q{n}\n"
                     f"  %n{n} = and i32 %r{n}, {bits[k]}\n")
    return text


def thread_indices():
    """Of one thread: from where the caller has them."""
    text = ""
    for source, prefix in (("i", ""), ("b", "b")):
        for k, axis in enumerate("xyz"):
            text += (f"  %a{source}{k} = getelementptr i32, ptr %{source}, i32 {k}\n"
                     f"  %{prefix}{axis} = load i32, ptr %a{source}{k}\n")
    return text


def spoken(symbol):
    """The name that a kernel has in its program: of _ZN8__main__5saxpyB2v1...E its last part."""
    match = re.match(r"_ZN?", symbol)
    at, name = match.end() if match else 0, symbol
    while match and (part := re.match(r"\d+", symbol[at:])):
        name = symbol[at + part.end():at + part.end() + int(part[0])]
        at += part.end() + int(part[0])
    return name


def text_constant(name, value):
    data = value.encode() + b"\0"
    return f'{name} = private constant [{len(data)} x i8] c"' + "".join(f"\\{b:02X}" for b in data) + '"\n'


def numbers(name, values):
    return f"{name} = private constant [{len(values)} x i32] [{', '.join(f'i32 {v}' for v in values)}]\n"


class Kernel:
    """One kernel: how its parameters lie in the closure, and the text of what runs it."""

    def __init__(self, function, waits, layout):
        self.name, self.waits, self.strides = function.name, waits, False
        self.polls = False  # a loop waits until another thread has done something
        self.checked = False  # its accesses are told (checked.py)
        self.memory = (0, 0, 0)  # bytes: shared by a block, constant, a thread's own
        self.threads = 0  # a block's, by its launch bounds; 0: any
        self.sizes, self.aligns, self.offsets, at = [], [], [], 0
        if "byval(" in function.arguments:
            raise Refused(f"kernel {spoken(self.name)} has a parameter that is passed as memory (byval)")
        if function.result != "void":
            raise Refused(f"kernel {spoken(self.name)} gives a result")
        for kind in function.types:
            size, align = layout.get_abi_size(kind), layout.get_abi_alignment(kind)
            at = (at + align - 1) // align * align
            self.sizes.append(size)
            self.aligns.append(align)
            self.offsets.append(at)
            at += size
        self.bytes = at
        if at > CLOSURE_MAX:
            raise Refused(f"kernel {spoken(self.name)} has {at} bytes of parameters")
        self.kinds = [without_spaces(str(kind)) for kind in function.types]

    def part(self, body, ranges):
        """The text of the function for one thread. @param ranges whether this LLVM knows ranges of parameters"""
        loads = "".join(f"  %p{i}.a = getelementptr i8, ptr %c, i64 {at}\n"
                        f"  %p{i} = load {kind}, ptr %p{i}.a, align {align}\n"
                        for i, (kind, at, align) in enumerate(zip(self.kinds, self.offsets, self.aligns)))
        index = ", ".join(f"i32 {f'range(i32 0, {most - (most >> 31)}) ' if ranges else ''}%{axis}"
                          for axis, most in AXES)
        indices = "".join(store(f"%{prefix}{axis}", at + k) for prefix, at in (("", TID), ("b", CTAID))
                          for k, axis in enumerate("xyz"))
        indices += "".join(store(f"%n{n}", n) for n in range(NTID, NCTAID + 3))
        arguments = ", ".join(["ptr %t"] + [f"{kind} %p{i}" for i, kind in enumerate(self.kinds)])
        return PART.format(part=self.part_name(), index=index, loads=loads, geometry=sizes(), indices=indices,
                           kernel=body, arguments=arguments)

    def part_name(self):
        return quoted("um.part." + self.name)

    def blocks_name(self):
        return quoted("um.blocks." + self.name)

    def launch(self):
        """The closure and the geometry as parameters: what a kernel writes is never there, so they are read once. LLVM
        reads before it knows that a thread will, where it knows that it may: that many bytes, aligned."""
        same = "ptr noalias readonly"
        closure = f" align 16 dereferenceable({self.bytes})" if self.bytes else ""
        return f"{same}{closure} %c, {same} align 4 dereferenceable(24) %g"

    def code(self, cut):
        """The text of what runs it. @param cut the text of the function that runs blocks, if threads need not wait"""
        form = THREAD if self.waits else BLOCKS
        text = cut or form.format(blocks=self.blocks_name(), thread=quoted("um.thread." + self.name), sizes=sizes(),
                                  indices=thread_indices(), probed=PROBED, part=self.part_name(), values=VALUES,
                                  launch=self.launch())
        return text + f"define void {quoted(self.name)}() {{\n  ret void\n}}\n"

    def row(self, i):
        """Its entry of the table (struct um_kernel). @return (constants in front, entry)"""
        front = text_constant(f"@um.name.{i}", spoken(self.name)) + text_constant(f"@um.symbol.{i}", self.name)
        front += numbers(f"@um.parameters.{i}", [n for pair in zip(self.sizes, self.aligns) for n in pair] + [0, 0])
        front += numbers(f"@um.offsets.{i}", self.offsets + [0])
        run = ("ptr null, ptr " + quoted("um.thread." + self.name) if self.waits else
               "ptr " + quoted("um.blocks." + self.name) + ", ptr null")
        record = (f"{RECORD} {{ ptr @um.name.{i}, {run}, ptr null, ptr null, i32 {int(self.strides)}, "
                  f"i32 {int(self.checked)} }}")
        memory = f"{SIZES} {{ " + ", ".join(f"i32 {size}" for size in (*self.memory, self.threads)) + " }"
        return front, (f"%um.entry {{ ptr {quoted(self.name)}, {record}, ptr @um.parameters.{i}, ptr @um.offsets.{i}, "
                       f"ptr @um.symbol.{i}, {memory}, i32 {len(self.sizes)}, i32 {self.bytes} }}")


def imports_table(names):
    """The text of um_imports (driver/module.h)."""
    entries = [f"{{ ptr, ptr }} {{ ptr @um.import.{i}, ptr @um.import.name.{i} }}" for i in range(len(names))]
    entries.append("{ ptr, ptr } zeroinitializer")
    return "".join(text_constant(f"@um.import.name.{i}", name) for i, name in enumerate(names)) + \
        f"@um_imports = constant [{len(entries)} x {{ ptr, ptr }}] [{', '.join(entries)}]\n"


def tables(kernels, variables):
    """The text of um_kernels and um_variables."""
    rows = [kernel.row(i) for i, kernel in enumerate(kernels)]
    text = f"%um.entry = type {{ ptr, {RECORD}, ptr, ptr, ptr, {SIZES}, i32, i32 }}\n"
    text += "%um.variable = type { ptr, i64, ptr }\n" + "".join(front for front, _ in rows)
    text += f"@um_kernels = hidden constant [{len(rows)} x %um.entry] [{', '.join(entry for _, entry in rows)}]\n"
    text += f"@um_kernels_count = hidden constant i32 {len(rows)}\n"
    entries = []
    for i, (name, size) in enumerate(variables):
        text += text_constant(f"@um.variable.{i}", name)
        entries.append(f"%um.variable {{ ptr {quoted(name)}, i64 {size}, ptr @um.variable.{i} }}")
    text += f"@um_variables = hidden constant [{len(entries)} x %um.variable] [{', '.join(entries)}]\n"
    return text + f"@um_variables_count = hidden constant i32 {len(entries)}\n"
