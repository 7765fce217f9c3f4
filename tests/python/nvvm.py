#!/usr/bin/env python3
"""libnvvm's functions by ctypes: what they answer, what is refused and how, and thousands of changed texts.

    tests/python/nvvm.py

Needs a Python with llvmlite, as tests/python/numba_kernels.py has it. UM_FUZZ=N changes texts N times (200): the one
below, and those that Numba writes (support/numba_texts.py). Each is an error with a text, or a module; the library's
process goes on, whatever becomes of the compiler's.
"""
import base64
import ctypes
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases, packages  # noqa: E402

SUCCESS, INVALID_INPUT, INVALID_PROGRAM, INVALID_IR, INVALID_OPTION, NO_MODULE, COMPILATION = 0, 4, 5, 6, 7, 8, 9
HEAD = """target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-n16:32:64"
"""
# Written by hand in the dialect that Numba writes: typed pointers, spaces of addresses, quoted names.
KERNEL = HEAD + """
@"tile" = internal addrspace(3) global [64 x float] undef, align 4
@"table" = addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@"text" = internal constant [7 x i8] c"a \\25f;\\0a\\00"
declare i32 @"llvm.nvvm.read.ptx.sreg.tid.x"()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
declare { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)
declare float @__nv_sinf(float)
declare double @"__nv_sqrt"(double)
declare float @llvm.nvvm.atomic.load.add.f32.p0f32(float*, float)
define linkonce_odr i32 @"part"(float %".1", i64 %".2") {
entry:
  %".4" = call float @__nv_sinf(float %".1")
  %".5" = fptosi float %".4" to i32
  %".6" = trunc i64 %".2" to i32
  %".7" = add nsw i32 %".5", %".6"
  ret i32 %".7"
}
define void @"kernel"(float* %".1", i64 %".2") {
entry:
  %".4" = alloca [2 x i64]
  %".5" = call i32 @"llvm.nvvm.read.ptx.sreg.tid.x"()
  %".6" = sext i32 %".5" to i64
  %".7" = icmp slt i64 %".6", %".2"
  br i1 %".7", label %"inside", label %"end"
inside:
  %".9" = addrspacecast [64 x float] addrspace(3)* @"tile" to [64 x float]*
  %".10" = getelementptr [64 x float], [64 x float]* %".9", i64 0, i64 %".6"
  store float 1.0, float* getelementptr ([64 x float], [64 x float]* addrspacecast ([64 x float] addrspace(3)*
    @"tile" to [64 x float]*), i64 0, i64 3)
  call void @llvm.nvvm.barrier0()
  %".11" = load float, float* %".10"
  %".12" = call i32 @"part"(float %".11", i64 %".6")
  %".13" = call { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32 -1, i32 0, i32 %".12", i32 0, i32 31)
  %".14" = extractvalue { i32, i1 } %".13", 0
  %".15" = sitofp i32 %".14" to float
  %".16" = call float @llvm.nvvm.atomic.load.add.f32.p0f32(float* %".1", float %".15")
  %".17" = load i32, i32* getelementptr ([4 x i32], [4 x i32]* addrspacecast ([4 x i32] addrspace(4)* @"table" to
    [4 x i32]*), i64 0, i64 1)
  switch i32 %".17", label %"end" [ i32 7, label %"other" ]
other:
  store i64 0, i64* getelementptr ([2 x i64], [2 x i64]* null, i64 0, i64 1)
  br label %"end"
end:
  ret void
}
!nvvm.annotations = !{ !0 }
!0 = !{ void (float*, i64)* @"kernel", !"kernel", i32 1 }
!nvvmir.version = !{ !1 }
!1 = !{ i32 2, i32 0, i32 3, i32 1 }
"""


SAXPY = HEAD + """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define void @saxpy(float %a, float* %x, float* %y, i64 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tw = zext i32 %t to i64
  %bw = zext i32 %b to i64
  %dw = zext i32 %d to i64
  %f = mul i64 %bw, %dw
  %i = add i64 %f, %tw
  %in = icmp slt i64 %i, %n
  br i1 %in, label %inside, label %end
inside:
  %px = getelementptr float, float* %x, i64 %i
  %py = getelementptr float, float* %y, i64 %i
  %vx = load float, float* %px
  %vy = load float, float* %py
  %m = fmul float %a, %vx
  %s = fadd float %m, %vy
  store float %s, float* %py
  br label %end
end:
  ret void
}
!nvvm.annotations = !{ !0 }
!0 = !{ void (float, float*, float*, i64)* @saxpy, !"kernel", i32 1 }
"""


def with_line(line, before='  %".4" = alloca [2 x i64]', more=""):
    return KERNEL.replace(before, line + "\n" + before).replace("define linkonce_odr", more + "\ndefine linkonce_odr")


# What is put into the kernel, and what the log says of it.
REFUSED = {
    "an intrinsic": (with_line("  call void @llvm.nvvm.nonsense()", more="declare void @llvm.nvvm.nonsense()"),
                     "intrinsic llvm.nvvm.nonsense is not known"),
    "a mathematical function": (with_line("  %q = call float @__nv_nonsensef(float 1.0)",
                                          more="declare float @__nv_nonsensef(float)"),
                                "function __nv_nonsensef is not known"),
    "inline PTX": (with_line('  call void asm sideeffect "bar.arrive 1,  64;", ""()'),
                   "inline PTX that is not known: bar.arrive 1, 64;"),
    "a call by an address": (with_line("  call void null()"),
                             "a call of a function by its address"),
    "an address of a function": (with_line("  store i32 (float, i64)* @part, i32 (float, i64)** null"),
                                 "the address of function part is taken"),
    "a function of another type": (with_line("  %q = call double bitcast (float (float)* @__nv_sinf to "
                                             "double (double)*)(double 1.0)"),
                                   "__nv_sinf is called as double (double), and is"),
    "a constructor": (KERNEL + '@llvm.global_ctors = appending global [1 x { i32, void ()*, i8* }] [{ i32, void ()*, '
                      'i8* } { i32 1, void ()* @own, i8* null }]\ndefine void @own() {\n  ret void\n}\n',
                      "llvm.global_ctors is of a kind that is not known"),
    "an assembler's text": (KERNEL + 'module asm "nop"\n', "not for a GPU"),
    "a section": (KERNEL + '@x = global i32 0, section ".init_array"\n', "variable x is of a kind that is not known"),
    "a variable without a value": (with_line("  %q = load i32, i32* @x", more="@x = external global i32"),
                                   "variable x is defined nowhere"),
    "a name of ours": (KERNEL + "define void @umsim_launch() {\n  ret void\n}\n", "is not its own to define"),
    "an instruction for exceptions": (KERNEL + "declare i32 @p(...)\ndefine void @own() personality i32 (...)* @p {\n"
                                      "  invoke void @own() to label %a unwind label %b\na:\n  ret void\nb:\n"
                                      "  %l = landingpad { i8*, i32 } cleanup\n  ret void\n}\n", "not for a GPU"),
}


class Library:
    """libnvvm.so.4, with the compiler of a Python that has llvmlite."""

    def __init__(self, python):
        os.environ["UMLAB_PYTHON"] = python
        self.calls = ctypes.CDLL(str(packages.BUILD / "driver/libnvvm.so.4"))

    def numba_programs(self):
        """Programs, each a list of modules' texts."""
        program = Path(__file__).resolve().parent / "support/numba_texts.py"
        done = subprocess.run([packages.UMPYTHON, program], capture_output=True, text=True, check=True,
                              env={**os.environ, "UMPYTHON": os.environ["UMLAB_PYTHON"]})
        return [[";" + m for m in text.split("; ModuleID") if m.strip()] for text in json.loads(done.stdout)]

    def program(self, *texts):
        handle = ctypes.c_void_p()
        assert self.calls.nvvmCreateProgram(ctypes.byref(handle)) == SUCCESS
        for text in texts:
            data = text if isinstance(text, bytes) else text.encode()
            assert self.calls.nvvmAddModuleToProgram(handle, data, ctypes.c_size_t(len(data)), None) == SUCCESS
        return handle

    def text_of(self, handle, name):
        size = ctypes.c_size_t()
        assert getattr(self.calls, f"nvvmGet{name}Size")(handle, ctypes.byref(size)) == SUCCESS
        buffer = ctypes.create_string_buffer(size.value + 1)
        assert getattr(self.calls, f"nvvmGet{name}")(handle, buffer) == SUCCESS
        return buffer.value.decode("utf-8", "replace")

    def compile(self, *texts, options=("-arch=compute_90", "-opt=3"), verify=False):
        """@return (result, log, compiled text)"""
        handle = self.program(*texts)
        given = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        call = self.calls.nvvmVerifyProgram if verify else self.calls.nvvmCompileProgram
        result = call(handle, len(options), given)
        log, image = self.text_of(handle, "ProgramLog"), self.text_of(handle, "CompiledResult") if not result else ""
        assert self.calls.nvvmDestroyProgram(ctypes.byref(handle)) == SUCCESS
        return result, log, image


# Words that may stand for each other, so that more of what is changed is still a program.
ALIKE = (("i1", "i8", "i16", "i32", "i64"), ("float", "double"), ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ugt"),
         ("add", "sub", "mul", "sdiv", "urem", "shl", "ashr", "and", "xor"), ("fadd", "fsub", "fmul", "fdiv"),
         ("oeq", "olt", "uge", "une"), ("sext", "zext"))


def exchanged(text, chance):
    """Likewise a word of its kind for another: a type, an operation, a number, a label, a value."""
    kind = chance.randrange(4)
    pattern = (r"label %\S+", r"%\"?\.\d+\"?", r"(?<=[ ,])-?\d+(?=[,\n])", "|".join(
        rf"(?<![\w.%@\"]){word}(?![\w.])" for words in ALIKE for word in words))[kind]
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    at = chance.choice(found)
    others = next((words for words in ALIKE if at[0] in words), None) if kind == 3 else \
        [m[0] for m in found if abs(m.start() - at.start()) < 3000]
    return text[:at.start()] + chance.choice(others) + text[at.end():]


def changed(text, chance):
    """The text with one to three changes: bytes, words, numbers, lines."""
    for _ in range(chance.randrange(1, 4)):
        if chance.randrange(3):
            text = exchanged(text, chance)
            continue
        lines = text.split("\n")
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        words = list(re.finditer(r"[-\w.%@\"]+", text))
        word, second = chance.choice(words), chance.choice(words)
        kind = chance.randrange(8)
        if kind == 0:
            place = chance.randrange(len(text))
            text = text[:place] + chr(chance.randrange(1, 256)) + text[place + 1:]
        elif kind == 1:
            text = text[:word.start()] + text[word.end():]
        elif kind in (2, 3):
            text = text[:word.start()] + second[0] + text[word.end():]
        elif kind == 4:
            text = re.sub(r"(?<![\w.])\d+", lambda m: m[0] if chance.randrange(20) else str(chance.choice(
                (0, 1, 2**31, 2**63, 2**64 - 1, 65, 3))), text)
        elif kind == 5:
            lines[at], lines[other] = lines[other], lines[at]
            text = "\n".join(lines)
        elif kind == 6:
            text = "\n".join(lines[:at] + lines[at + 1:])
        else:
            text = "\n".join(lines[:at] + [lines[other]] + lines[at:])
    return text


class Nvvm(cases.Case):
    library = None

    def test_versions(self):
        "versions, names of errors, mistakes with handles and options"
        calls, four = self.library.calls, [ctypes.c_int() for _ in range(4)]
        self.assertEqual(calls.nvvmVersion(*map(ctypes.byref, four[:2])), SUCCESS)
        self.assertEqual(calls.nvvmIRVersion(*map(ctypes.byref, four)), SUCCESS)
        self.assertEqual([v.value for v in four], [2, 0, 3, 1])
        calls.nvvmGetErrorString.restype = ctypes.c_char_p
        self.assertEqual(calls.nvvmGetErrorString(9), b"NVVM_ERROR_COMPILATION")
        self.assertEqual(calls.nvvmVersion(None, None), INVALID_INPUT)
        self.assertEqual(calls.nvvmCompileProgram(None, 0, None), INVALID_PROGRAM)
        self.assertEqual(self.library.compile()[0], NO_MODULE)
        result, log, _ = self.library.compile(KERNEL, options=("-made-up",))
        self.assertEqual(result, INVALID_OPTION)
        self.assertIn("-made-up is an unsupported option", log)
        self.assertEqual(self.library.compile(KERNEL, options=("-gen-lto",))[0], INVALID_OPTION)

    def test_compiles(self):
        "a program becomes a module as text that names its kernels; the same bytes each time"
        first, again = self.library.compile(KERNEL), self.library.compile(KERNEL)
        self.assertEqual(first[:2], (SUCCESS, ""))
        self.assertTrue(first[2].startswith("//umlab module 1 "))
        self.assertIn("//kernel kernel\n", first[2])
        self.assertEqual(first[2], again[2])
        self.assertEqual(self.library.compile(KERNEL, verify=True)[0], SUCCESS)

    def test_vectors(self):
        "threads that go through memory side by side become vectors, though an `if` stands around what they do"
        result, log, image = self.library.compile(SAXPY)
        self.assertEqual((result, log), (SUCCESS, ""))
        digits = re.match(r"//umlab module 1 \d+\n//([A-Za-z0-9+/\n]+)", image)[1].replace("\n//", "")
        module = self.folder / "module"
        module.write_bytes(base64.b64decode(digits.split("\n")[0] + "=="))
        code = subprocess.run(["objdump", "-d", module], capture_output=True, text=True, check=True).stdout
        self.assertRegex(code, r"\bv?mulps\b" if os.uname().machine == "x86_64" else r"\bfmul\tv\d+\.4s")

    def test_bitcode(self):
        "bitcode is not read: refused, or passed over where it need not be there"
        handle, bitcode = self.library.program(KERNEL), b"BC\xc0\xde" + b"\0" * 60
        add, lazy = self.library.calls.nvvmAddModuleToProgram, self.library.calls.nvvmLazyAddModuleToProgram
        self.assertEqual(add(handle, bitcode, ctypes.c_size_t(64), None), INVALID_IR)
        self.assertEqual(lazy(handle, bitcode, ctypes.c_size_t(64), None), SUCCESS)
        self.assertEqual(self.library.calls.nvvmCompileProgram(handle, 0, None), SUCCESS)

    def test_refused(self):
        "what a GPU's program cannot have here is refused by its name"
        for what, (text, says) in REFUSED.items():
            result, log, _ = self.library.compile(text)
            self.assertEqual(result, COMPILATION, f"{what}: {result} {log}")
            self.assertIn(says, log, what)

    def test_invalid(self):
        "what is no IR is INVALID_IR when it is verified, COMPILATION when it is compiled, with LLVM's own words"
        for text in ("nonsense", KERNEL.replace("add nsw i32", "add nsw float")):
            for verify in (False, True):
                result, log, _ = self.library.compile(text, verify=verify)
                self.assertEqual(result, INVALID_IR if verify else COMPILATION, text[:50])
                self.assertIn("libnvvm: ", log)
        self.assertEqual(self.library.compile(HEAD.replace("nvptx64", "x86_64"))[0], INVALID_IR)

    def test_architectures(self):
        "an architecture that there is not is an unsupported option"
        for arch, result in (("75", SUCCESS), ("90a", SUCCESS), ("121", SUCCESS), ("100f", SUCCESS),
                             ("99999", INVALID_OPTION), ("80a", INVALID_OPTION), ("90f", INVALID_OPTION),
                             ("91", INVALID_OPTION), ("90z", INVALID_OPTION)):
            done, log, _ = self.library.compile(KERNEL, options=(f"-arch=compute_{arch}",), verify=True)
            self.assertEqual(done, result, arch)
            self.assertIn(f"compute_{arch} is an unsupported" if result else "", log)

    def test_nothing_compiled(self):
        "a program that is not compiled has an empty result: one byte, 0"
        handle, size, byte = self.library.program(KERNEL), ctypes.c_size_t(), ctypes.create_string_buffer(b"x", 1)
        self.assertEqual(self.library.calls.nvvmGetCompiledResultSize(handle, ctypes.byref(size)), SUCCESS)
        self.assertEqual(self.library.calls.nvvmGetCompiledResult(handle, byte), SUCCESS)
        self.assertEqual((size.value, byte.raw), (1, b"\0"))

    def test_changed(self):
        "changed texts: each an error with a text or a module, and the next right one is compiled"
        chance, results = random.Random(21), {}
        programs = [[KERNEL], *self.library.numba_programs()]
        for program in programs:
            self.assertEqual(self.library.compile(*program)[:2], (SUCCESS, ""))
        for _ in range(int(os.environ.get("UM_FUZZ", "200"))):
            program = list(chance.choice(programs))
            at = chance.randrange(len(program))
            program[at] = text = changed(program[at], chance).encode("utf-8", "replace")
            result, log, image = self.library.compile(*program)
            self.assertTrue(log if result else image.startswith("//umlab module 1 "), result)
            self.assertIn(result, (SUCCESS, INVALID_IR, COMPILATION))
            ended = "has ended" in log
            if ended or "is not understood" in log:
                Path(os.environ.get("UM_KEEP", "/dev/null")).write_bytes(text)
                self.assertNotIn("is not understood", log)
            results[result, ended] = results.get((result, ended), 0) + 1
        print(f"        (result, LLVM ended itself): {results}")
        self.assertEqual(self.library.compile(KERNEL)[0], SUCCESS)
        self.assertGreater(results.get((COMPILATION, False), 0), 0)


def setUpModule():
    Nvvm.library = Library(packages.python("numba"))


if __name__ == "__main__":
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the library says what it refuses
    sys.exit(cases.main())
