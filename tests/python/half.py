#!/usr/bin/env python3
"""cuda_fp16.h, cuda_bf16.h and cuda_fp8.h against NVIDIA's: results on the host, and the type of every function.

    tests/python/half.py

Results: tests/parity/half_bits.cpp and fp8_bits.cpp, compiled with either headers by g++, because NVIDIA's work on the
host, too. Types: what NVIDIA's headers declare is read from them, and our functions are asked for by it. Expressions:
which of some thousands are an error with either headers (what converts without being asked is easily too little, or
ambiguous). Skipped without a CUDA toolkit.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

from support import cases

sys.path.insert(0, str(cases.ROOT / "tests/parity"))
import toolkit  # noqa: E402

# NVIDIA's host code takes the first of -0 and +0 for the larger one; its device code and its manual say +0.
MANUAL_SAYS = {"__nv_bfloat16 __hmax_nan", "__nv_bfloat16 __hmin_nan"}
# Without a mask: gone from devices since Volta; the simulator's other types lack them, too.
WITHOUT_MASK = {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"}
HEADERS = {"cuda_fp16.h": 230, "cuda_bf16.h": 220, "cuda_fp8.h": 15}  # and at least how many functions each declares
OF_TWO = """a+b a-b a*b a/b a%b a<<b a==b a!=b a<b a&&b a+=b a*=b a=b true?a:b A(b) static_cast<A>(b) __hadd(a,b)
    __hmax(a,b) __heq(a,b) __hadd2(a,b) __halves2half2(a,b) __lows2half2(a,b)""".split()
OF_ONE = """-a +a !a ++a a++ ~a a.x a?1:2 (float)a (double)a (int)a (long)a (char)a (bool)a (short)a int(a)+1
    float(a)*2.0f A(0) A(1.0) A(2u) A(3ll) A{} A{a} __half2float(a) __bfloat162float(a) __low2float(a) __habs(a)
    __hneg2(a) __half_raw(a) __half2_raw(a) __hisnan(a) __float2half(a) __int2half_rn(a) __float2bfloat16(a)""".split()
SMALL = ["__half", "__half2", "__nv_bfloat16", "__nv_bfloat162", "const __half", "volatile __half", "__half_raw"]
FP8 = [f"__nv_fp8{n}_{kind}" for kind in ("e4m3", "e5m2", "e8m0") for n in ("", "x2", "x4")]
FP8_OF_ONE = """a.__x -a +a !a a+a a==a a<a a?1:2 (float)a (double)a (int)a (char)a (bool)a float(a)*2.0f A(0) A(1.0)
    A(2u) A(3ll) A{} A{a} A('c') A(true) A(a,a) (float2)a (float4)a (__half2)a (__nv_bfloat162)a (__nv_bfloat16)a
    __nv_cvt_fp8_to_halfraw(a,__NV_E4M3) __nv_cvt_float_to_fp8(a,__NV_NOSAT,__NV_E5M2)""".split()
FP8_OF_TWO = "a+b a==b a<b a=b true?a:b A(b) A(b,b) static_cast<A>(b) A{b}".split()
FP8_OTHERS = ["float", "double", "int", "long", "char", "bool", "__half", "__nv_bfloat16", "__half2", "__nv_bfloat162",
              "float2", "double2", "float4", "double4_16a", "double4_32a", "__half_raw"]
OTHERS = ["float", "double", "int", "unsigned", "long long", "short", "char", "bool", "__half2_raw", "float2"]
OURS = cases.ROOT / "sim/include"


def theirs():
    home = toolkit.home()
    if home is None or not (home / "include/cuda_fp16.h").is_file():
        raise cases.Skip("no CUDA toolkit with cuda_fp16.h (CUDA_HOME, nvcc on PATH, /usr/local/cuda)")
    return home / "include"


def declarations(text):
    """(name, result, types of parameters) of each function that the header declares in a line."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    for match in re.finditer(r"__CUDA_(?:HOSTDEVICE_)?(?:FP16|BF16|FP8)_DECL__\s+"
                             r"([^;{()]*?)\b(\w+)\s*\(([^()]*)\)\s*;", text):
        result, name, parameters = match.groups()
        types = [re.sub(r"\s*=.*", "", p) for p in parameters.split(",")]
        yield name, result.strip(), [re.sub(r"\bconst\s*\w+\s*$|\b\w+\s*$", "", t).strip() for t in types]


def expressions(header, types, others, of_one, of_two):
    """A program that prints a line for each expression and types: 1 where it compiles."""
    yield f"#include <{header}>\n#include <cstdio>\n#include <type_traits>\ntemplate <class T> T &value();"
    for i, text in enumerate(of_one + of_two):
        yield f"template <class A, class B> auto f{i}(A &a, B &b, int) -> decltype((void)({text}), std::true_type());"
        yield f"template <class A, class B> std::false_type f{i}(A &, B &, long);"
    yield "int main()\n{"
    for a in types + others:
        for b in types + others if a in types else types:
            for i, text in enumerate(of_one + of_two):
                if i < len(of_one) and a != b:
                    continue
                call = f"decltype(f{i}(value<{a}>(), value<{b}>(), 0))::value"
                yield f'    puts({call} ? "{a}, {b}: {text} 1" : "{a}, {b}: {text} 0");'
    yield "}\n"


class Half(cases.Case):
    maxDiff = None

    def compiled(self, include, source, level):
        """What a program prints that was compiled with these headers: {name: result}."""
        program = self.folder / "program"
        self.call("g++", "-std=c++17", level, "-w", f"-I{include}", str(source), "-o", str(program))
        lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
        return dict(line.rsplit(" ", 1) for line in lines)

    def differing(self, source, level, least):
        nvidia, ours = self.compiled(theirs(), source, level), self.compiled(OURS, source, level)
        self.assertGreater(len(ours), least)
        self.assertEqual(ours.keys(), nvidia.keys())
        return {name for name in ours if ours[name] != nvidia[name]}

    def test_results(self):
        "half and bfloat16: results on the host are NVIDIA's, bit for bit"
        self.assertEqual(self.differing(cases.ROOT / "tests/parity/half_bits.cpp", "-O1", 120), MANUAL_SAYS)

    def test_results_of_8_bits(self):
        "8-bit numbers: results on the host are NVIDIA's, bit for bit"
        self.assertEqual(self.differing(cases.ROOT / "tests/parity/fp8_bits.cpp", "-O1", 200), set())

    def same_errors(self, least, *what):
        source = self.folder / "expressions.cpp"
        source.write_text("\n".join(expressions(*what)), encoding="utf-8")
        self.assertEqual(self.differing(source, "-O0", least), set())

    def test_expressions(self):
        "half and bfloat16: an expression is an error where it is one with NVIDIA's headers"
        self.same_errors(4000, "cuda_bf16.h", SMALL, OTHERS, OF_ONE, OF_TWO)

    def test_expressions_of_8_bits(self):
        "8-bit numbers: an expression is an error where it is one with NVIDIA's headers"
        self.same_errors(2000, "cuda_fp8.h", FP8, FP8_OTHERS, FP8_OF_ONE, FP8_OF_TWO)

    def test_types(self):
        "half, bfloat16 and 8-bit numbers: every function that NVIDIA declares is there, with its types"
        folder = theirs()
        lines = ["#include <cuda_fp8.h>", "__global__ void all()", "{"]
        for header, least in HEADERS.items():
            found = 0
            for name, result, types in declarations((folder / header).read_text(encoding="utf-8", errors="replace")):
                found += 1
                if name in WITHOUT_MASK:
                    continue
                if name.startswith("__shfl"):  # ours have two more parameters, with defaults
                    values = ", ".join(f"({t}){{}}" for t in types)
                    lines.append(f"    {{ {result} r = {name}({values}); (void)r; }}")
                else:
                    lines.append(f"    (void)static_cast<{result} (*)({', '.join(types)})>(&{name});")
            self.assertGreater(found, least, f"functions found in {header}")
        source = self.folder / "all.cu"
        source.write_text("\n".join([*lines, "}", "int main()", "{", "}", ""]), encoding="utf-8")
        umcc = Path(os.environ["UMLAB_BUILD"]) / "bin/umcc"
        if not umcc.is_file():
            raise cases.Skip("the simulator's compiler is not built on this backend")
        run = subprocess.run([umcc, "-std=c++17", "-c", "-o", self.folder / "all.o", source], capture_output=True,
                             text=True, check=False)
        errors = [line for line in run.stderr.splitlines() if "error" in line]
        self.assertEqual(errors[:5], [])
        self.assertEqual(run.returncode, 0)


if __name__ == "__main__":
    sys.exit(cases.main())
