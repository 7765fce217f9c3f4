"""Makes a program for the host of one for a GPU: LLVM's text in, LLVM's text out.

The text was written by LLVM itself (compiler.py), after it had read, linked and verified the program's modules: one
instruction a line, one spelling of everything. What becomes of it:

- Address spaces are gone: all pointers are the host's.
- Each function has one more parameter, %um.t, the calling thread's indices (runtime.py). All functions are inlined
  into their kernels, so nothing is left of it in the end.
- A `__shared__` variable is what umsim_shared() says, asked at the beginning of each function that mentions it.
- A variable that the host may ask for lies in the section of device variables.
- A kernel becomes a function that runs blocks of threads in loops; or one that runs one thread, on a fiber, where
  threads wait for each other (umsim/abi.h). Under the kernel's own name stands the stub that is launched.

A module without kernels has functions for other modules (Numba compiles each apart for a debugger): under the name of
each stands a function that asks for the thread's indices.

What is not known is refused by its name: functions that a compiler for GPUs has, inline PTX, and forms of IR that none
writes. Other functions that have no body are called by way of a table, which is filled when the module is loaded.
"""
import math
import re

from runtime import MEETS
from words import NAME, STRING_OR, Refused, array_bytes, bare, behind, call_type, quoted, signature, without_spaces

# LLVM's own functions that mean the same on any machine.
INTRINSICS = re.compile(
    r"llvm\.(?:memcpy|memmove|memset|lifetime\.(?:start|end)|dbg\.\w+|ctpop|ctlz|cttz|bswap|bitreverse|fma|fmuladd|"
    r"sqrt|fabs|floor|ceil|trunc|rint|nearbyint|round|roundeven|copysign|minnum|maxnum|minimum|maximum|pow|powi|exp|"
    r"exp2|log|log2|log10|sin|cos|abs|[su](?:min|max)|[su](?:add|sub|mul)\.with\.overflow|[su](?:add|sub)\.sat|"
    r"fpto[su]i\.sat|fsh[lr]|assume|expect|stacksave|stackrestore|is\.fpclass|donothing|canonicalize)(?:\.|$)")
# Instructions that belong to exceptions, to code as data, or to a machine.
FOREIGN = re.compile(r"^\s*(?:%\S+ = )?(?:invoke|callbr|indirectbr|landingpad|resume|catch\w+|cleanup\w+|va_arg)\b")
CALL = re.compile(rf'\bcall\b([^"@%]*(?:%[\w.]+[^"@%(]*)?)({NAME})\(')
ASM = re.compile(r'\bcall\b([^"@]*?)\basm((?: \w+)*) "([^"]*)", "[^"]*"\(')
# LLVM 17 and later make a calling convention of the metadata that says what is a kernel.
KERNEL = re.compile(rf'^!\d+ = (?:distinct )?!\{{ptr ({NAME}), !"kernel", i32 1\}}|'
                    rf'^define [^@]*\bptx_kernel\b[^@]*({NAME})', re.M)
CONSTANT = re.compile(r"\b(getelementptr(?: \w+(?:\([^()]*\))?)*|ptrtoint|inttoptr|bitcast|addrspacecast|sub|add) \(")
# Bytes of an array that is stored as one.
LARGE = 256
# Functions that are known or not known; others may be another module's.
OURS = re.compile(r"llvm\.|um[._]|umsim|__nv|cuda|nvvm|vprintf$")


def normal(text):
    """Inline PTX with its white space as single blanks."""
    text = re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), text)
    return " ".join(text.split())


def own_names(text):
    """Of a program's text as it comes: what LLVM would take for its own of another machine gets a name of ours."""
    return re.sub(r';[^\n]*|@"llvm\.(nvvm\.[^"]*|trap)"|@llvm\.(nvvm\.[-\w$.]*|trap)(?![-\w$.])|"[^"]*"',
                  lambda m: f'@"um.{m[1] or m[2]}"' if m[1] or m[2] else m[0], text)


class Function:
    """A function of the program's: its first line's parts, and its lines."""

    def __init__(self, llvm_function, head, lines):
        self.name = llvm_function.name
        self.result, self.parameters = signature(str(llvm_function.global_value_type))
        self.types = [a.type for a in llvm_function.arguments]
        match = re.search(NAME + r"\(", head)
        end = behind(head, match.end() - 1)
        self.arguments = head[match.end():end - 1]
        debug = re.search(r"!dbg !\d+", head[end:])
        self.debug = debug[0] + " " if debug else ""
        self.lines = lines
        self.calls, self.shared = set(), []
        self.linkage = llvm_function.linkage.name

    def is_for_others(self):
        """Whether another module may call it."""
        return self.linkage in ("external", "weak", "weak_odr") and not re.search(r"byval\(|sret\(", self.arguments)


def launch_bounds(text):
    """How many threads a block of a kernel may have, by name: said by metadata, of which LLVM 21 makes attributes."""
    groups = {m[1]: m[2] for m in re.finditer(r'^attributes (#\d+) = \{[^\n]*"nvvm\.maxntid"="([\d,]+)"', text, re.M)}
    found = {bare(m[1]): math.prod(map(int, groups[m[2]].split(",")))
             for m in re.finditer(rf"^define [^@]*({NAME})\([^\n]* (#\d+)", text, re.M) if m[2] in groups}
    for m in re.finditer(rf'^!\d+ = (?:distinct )?!\{{ptr ({NAME}), !"maxntid[xyz]", i32 (\d+)\}}', text, re.M):
        found[bare(m[1])] = found.get(bare(m[1]), 1) * int(m[2])
    return found


class Program:
    """The program, rewritten function by function."""

    def __init__(self, module, runtime, layout):
        self.layout = layout
        self.runtime = runtime  # {name: (hidden parameters, result, written parameters)}
        self.functions, self.declared, self.globals, self.rest = {}, {}, [], []
        self.shared, self.variables, self.imports = {}, [], {}
        self.used, self.number = set(), 0
        text = str(module)
        self.kernels = list(dict.fromkeys(bare(m[1] or m[2]) for m in KERNEL.finditer(text)))
        self.bounds = launch_bounds(text)
        self.llvm_functions = {f.name: f for f in module.functions}
        self.llvm_globals = {g.name: g for g in module.global_variables}
        self.lines_of_debug = {m[1]: m[2] for m in
                               re.finditer(r"^(!\d+) = (?:distinct )?!DILocation\(line: (\d+)", text, re.M)}
        self.read(text)
        self.exports = [] if self.kernels else [name for name, it in self.functions.items() if it.is_for_others()]
        missing = [k for k in self.kernels if k not in self.functions]
        if missing:
            raise Refused(f"kernel {missing[0]} has no body")

    # ---- reading ----

    def read(self, text):
        lines = iter(text.split("\n"))
        for line in lines:
            if line.startswith("define "):
                body = []
                for inner in lines:
                    if inner == "}":
                        break
                    body.append(inner)
                name = bare(re.search(NAME, line)[0])
                self.functions[name] = Function(self.llvm_functions[name], line, body)
            elif line.startswith("declare "):
                name = bare(re.search(NAME, line)[0])
                self.declared[name] = signature(str(self.llvm_functions[name].global_value_type))
            elif line.startswith("@"):
                self.read_global(line)
            elif line.startswith(("%", "!")):
                if not re.match(r"!nvvm|!\d+ = (?:distinct )?!\{ptr @", line):
                    self.rest.append(without_spaces(line))
            elif line.startswith(("module asm", "$", "uselistorder")):
                raise Refused("not for a GPU: " + line[:80])
        for name in self.functions:
            if name.startswith(("um.", "um_", "umsim", "llvm.")) or name in self.runtime:
                raise Refused(f"the program defines {name}, which is not its own to define")

    def read_global(self, line):
        name = re.match(NAME, line)[0]
        rest, plain = line[len(name) + 3:], bare(name)
        if plain in ("llvm.used", "llvm.compiler.used"):
            return
        words = re.match(r"(?:[\w-]+(?:\([^()]*\))? )*?(?=(?:global|constant) )", rest)
        if plain.startswith(("llvm.", "um.")) or not words or "thread_local" in words[0] or ', section "' in rest:
            raise Refused(f"variable {plain} is of a kind that is not known: {rest[:60]}")
        kind, value = rest[words.end():].split(" ", 1)
        bytes_ = self.layout.get_abi_size(self.llvm_globals[plain].global_value_type)
        align = re.search(r", align (\d+)", value)
        if "addrspace(3)" in words[0]:
            self.shared[plain] = (bytes_, int(align[1]) if align else 16, "external" in words[0].split() or bytes_ == 0)
            return
        if re.search(r"\bexternal\b|\bextern_weak\b", words[0]):
            raise Refused(f"variable {plain} is defined nowhere")
        value = without_spaces(re.sub(r", comdat(?:\(\$[^()]*\))?", "", value))
        if kind == "global" and "NumbaEnv" not in plain:
            self.variables.append((plain, bytes_))
            found = re.search(r"(?:, align \d+)?(?:, !.*)?$", value)
            value = value[:found.start()] + ', section "um_device"' + found[0]
        self.globals.append(f"{name} = internal {kind} {value}")

    # ---- rewriting ----

    def check_type(self, name, where, expected):
        if where != expected:
            as_text = ["{} ({})".format(r, ", ".join(p)) for r, p in (where, expected)]
            raise Refused(f"{name} is called as {as_text[0]}, and is {as_text[1]}")

    def hidden(self, name, line):
        """What a call of this function gets in front of its arguments."""
        if name in self.functions:
            return ["ptr %um.t"]
        added = []
        for parameter in self.runtime[name][0]:
            if parameter == "um.line":
                debug = re.search(r"!dbg (!\d+)", line)
                self.number += 1
                added.append(f"i32 {self.lines_of_debug.get(debug[1] if debug else '', self.number)}")
            else:
                added.append("ptr %um.t")
        return added

    def called(self, of, name, what):
        """Notes a call. @return the type that the function has"""
        of.calls.add(name)
        if name in self.functions:
            it = self.functions[name]
            return it.result, it.parameters
        if name in self.runtime:
            return self.runtime[name][1:]
        if INTRINSICS.match(name) and name in self.declared:
            return self.declared[name]
        if name in self.declared and not OURS.match(name):
            self.imports.setdefault(name, len(self.imports))
            return self.declared[name]
        raise Refused(what)

    def import_call(self, line, start, before, name, end):
        """A call of a function that another module has, with which this one is linked (driver/module.c)."""
        self.number += 1
        return (f"  call void @um_tell(ptr %um.t)\n"
                f"  %um.f.{self.number} = load ptr, ptr @um.import.{self.imports[name]}\n"
                f"{line[:start]}call{before}%um.f.{self.number}({end}")

    def call(self, of, line, match, name, what):
        end = behind(line, match.end() - 1)
        arguments = line[match.end():end - 1]
        before = re.sub(r"\basm\b.*", "", match[1])
        self.check_type(name, call_type(before, arguments), self.called(of, name, what))
        if name in self.functions or name in self.runtime:
            parts = self.hidden(name, line) + ([arguments] if arguments else [])
            self.used.add(name)
            own = self.body_name(name)
            return f"{line[:match.start()]}call{match[1]}{own}({', '.join(parts)}){line[end:]}"
        if name in self.imports:
            return self.import_call(line, match.start(), match[1], name, line[match.end():])
        self.used.add(name)
        return line

    def need(self, name, result, parameters):
        """One of LLVM's own functions, which the rewritten text calls."""
        self.declared.setdefault(name, (result, parameters))
        self.used.add(name)
        return f"@{name}"

    def conversion(self, line):
        """A GPU converts what is out of range to the nearest whole number, and NaN to 0; bytes by way of 16 bits."""
        match = re.match(r"  (%\S+) = fpto([su])i (half|float|double) (\S+) to i(8|16|32|64)(,|$)", line)
        if not match:
            return line
        name, sign, kind, value, bits, _ = match.groups()
        wide = "16" if bits == "8" else bits
        size = {"half": 16, "float": 32, "double": 64}[kind]
        call = (f"call i{wide} {self.need(f'llvm.fpto{sign}i.sat.i{wide}.f{size}', f'i{wide}', [kind])}"
                f"({kind} {value})")
        if bits == wide:
            return f"  {name} = {call}{line[match.end(5):]}"
        self.number += 1
        return f"  %um.b.{self.number} = {call}\n  {name} = trunc i16 %um.b.{self.number} to i8{line[match.end(5):]}"

    def store(self, line):
        """An array of zeros is stored by a call: LLVM takes one element after the other, which takes minutes."""
        match = re.match(r"  store (\[.*\]) zeroinitializer, ptr (%\S+?)(?:,|$)", line)
        size = array_bytes(match[1]) if match else None
        if not size or size < LARGE:
            return line
        name = self.need("llvm.memset.p0.i64", "void", ["ptr", "i8", "i64", "i1"])
        return f"  call void {name}(ptr {match[2]}, i8 0, i64 {size}, i1 false)"

    def body_name(self, name):
        """What the text of a function is called: something else stands under its own name, if others have that."""
        return quoted("um.body." + name if name in self.kernels or name in self.exports else name)

    def shared_names(self, of, line, new):
        """Puts shared variables' addresses in place of their names, and instructions in place of constants of them."""
        def address(m):
            name = bare(m[0]) if m[0].startswith("@") else None
            if name not in self.shared:
                return m[0]
            if name not in of.shared:
                of.shared.append(name)
            return quoted("um.s." + name, "%")
        line = re.sub(STRING_OR + NAME, lambda m: address(m) if m[0].startswith("@") else m[0], line)
        if line.lstrip().startswith("#dbg"):
            return "" if '%"um.s.' in line else line
        while True:
            for m in reversed(list(CONSTANT.finditer(line))):
                end = behind(line, m.end() - 1)
                if '%"um.' in line[m.end():end]:
                    name = f'%"um.c.{len(new)}"'
                    new.append(f"  {name} = {m[1]} {line[m.end():end - 1]}")
                    line = line[:m.start()] + name + line[end:]
                    break
            else:
                return line

    def rewrite(self, of):
        lines, new = [], []
        for line in of.lines:
            if "@" in line and self.shared:
                line = self.shared_names(of, line, new)
            line = without_spaces(line)
            if FOREIGN.match(line) or "blockaddress(" in line or "dso_local_equivalent" in line:
                raise Refused("not for a GPU: " + line.strip()[:80])
            if re.match(r"\s*(?:%\S+ = )?(?:tail |musttail |notail )?call\b", line):
                line = self.rewrite_call(of, re.sub(r"\b(?:tail|musttail|notail) call\b", "call", line))
            lines.append(self.store(line) if line.startswith("  store [") else
                         self.conversion(line) if " = fpto" in line else line)
        self.check_addresses(of, lines)
        at = 1 if lines and re.match(r"\S+:", lines[0]) else 0
        first = [self.ask_for(name) for name in of.shared] + [without_spaces(line) for line in new]
        of.lines = lines[:at] + first + lines[at:]

    def rewrite_call(self, of, line):
        line = re.sub(r" #\d+(?=,|$| \[)", "", line)
        match = ASM.search(line)
        if match:
            name = "um.asm." + normal(match[3])
            return self.call(of, line, match, name, f"inline PTX that is not known: {normal(match[3])}")
        match = CALL.search(line)
        if not match:
            raise Refused("a call of a function by its address: " + line.strip()[:80])
        name = bare(match[2])
        kind = "function" if not name.startswith("um.nvvm.") else "intrinsic"
        return self.call(of, line, match, name, f"{kind} {name.replace('um.nvvm.', 'llvm.nvvm.')} is not known")

    def check_addresses(self, of, lines):
        functions = set(self.functions) | set(self.declared)
        for line in lines:
            if "@" not in line:
                continue
            for m in re.finditer(STRING_OR + NAME + r"\(?", line):
                if m[0].startswith("@") and not m[0].endswith("(") and bare(m[0]) in functions:
                    raise Refused(f"the address of function {bare(m[0])} is taken")

    def ask_for(self, name):
        bytes_, align, dynamic = self.shared[name]
        value = ("@umsim_dynamic_shared()" if dynamic else
                 f"@umsim_shared(ptr {quoted('um.key.' + name)}, i64 {bytes_}, i64 {align})")
        return f"  {quoted('um.s.' + name, '%')} = call ptr {value}"

    # ---- writing ----

    def waits(self, name, seen=None):
        """Whether threads wait for each other in this function or in one that it calls."""
        seen = seen if seen is not None else set()
        if name in seen:
            return False
        seen.add(name)
        if name in self.functions:
            return any(self.waits(c, seen) for c in self.functions[name].calls)
        return name in self.imports or name in self.runtime and "um.line" in self.runtime[name][0]

    def declarations(self):
        for name in sorted(self.used - set(self.functions)):
            if name in self.runtime:
                hidden, result, parameters = self.runtime[name]
                types = ["ptr" if h == "um.t" else "i32" for h in hidden] + parameters
            else:
                result, types = self.declared[name]
            yield f"declare {result} {quoted(name)}({', '.join(types)})"

    def export(self, name):
        """The text of what other modules call."""
        it = self.functions[name]
        kinds = [f"{without_spaces(str(kind))} %um.a{i}" for i, kind in enumerate(it.types)]
        answer, back = ("", "void") if it.result == "void" else ("%um.r = ", f"{it.result} %um.r")
        return (f'define {it.result} {quoted(name)}({", ".join(kinds)}) nounwind '
                f'{MEETS if self.waits(name) else ""}"probe-stack"="inline-asm" {{\n'
                f'  %um.t = alloca [12 x i32], align 16\n  call void @um_ask(ptr %um.t)\n'
                f'  {answer}call {it.result} {self.body_name(name)}({", ".join(["ptr %um.t", *kinds])})\n'
                f'  ret {back}\n}}')

    def text(self):
        """The whole program, without target and layout."""
        for function in self.functions.values():
            self.rewrite(function)
        functions = set(self.functions) | set(self.declared)
        for line in self.globals:
            if any(bare(m[0]) in functions for m in re.finditer(STRING_OR + NAME, line) if m[0].startswith("@")):
                raise Refused("the address of a function is in a variable: " + line[:80])
        out = list(self.globals) + list(self.declarations())
        out += ["declare ptr @umsim_shared(ptr, i64, i64) memory(none) nounwind willreturn",
                "declare ptr @umsim_dynamic_shared() memory(none) nounwind willreturn",
                "declare void @um_tell(ptr)"]
        out += [f"@um.import.{number} = internal global ptr null" for number in self.imports.values()]
        out += [f"{quoted('um.key.' + name)} = internal constant i8 0" for name in self.shared]
        for function in self.functions.values():
            own = self.body_name(function.name)
            arguments = ", ".join(["ptr %um.t"] + ([without_spaces(function.arguments)] if function.arguments else []))
            out.append(f'define internal {function.result} {own}({arguments}) alwaysinline nounwind '
                       f'{MEETS if self.waits(function.name) else ""}"probe-stack"="inline-asm" {function.debug}{{')
            out += function.lines + ["}"]
        out += ["declare void @um_ask(ptr)", *map(self.export, self.exports)]
        return "\n".join(out + self.rest) + "\n"
