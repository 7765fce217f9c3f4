"""What Numba's kernels call, as LLVM IR: special registers, barriers, warps, atomics, PTX's own words.

A function here has the name under which a kernel calls it (`llvm.` is `um.`, rewrite.py), and in front of its written
parameters those that rewrite.py adds: `%um.t`, the calling thread's indices, and `%um.line`, which call this is. A
function that has `%um.line` makes threads wait for each other. `um.asm.TEXT` stands for `asm "TEXT"`. All of these are
inlined. What is longer is C++ (device.cu), whose mathematical functions are listed in functions.def.
"""
import pathlib
import re

# The thread's indices, each x, y, z: where they lie in %um.t, in words of 32 bits.
INDICES = ("tid", "ctaid", "ntid", "nctaid")
TYPES = {"V": "void", "F": "float", "D": "double", "I": "i32", "L": "i64", "H": "i16", "P": "ptr", "Q": "ptr"}
WARP = {"sync": 0, "shfl": 1, "all": 5, "any": 6, "ballot": 7, "match_any": 8, "match_all": 9}  # umsim/abi.h

# Where threads meet is part of what they do: LLVM may not make one such call of two.
MEETS = "convergent nomerge "
HEAD = """
@um.file = private unnamed_addr constant [6 x i8] c"numba\\00"
declare void @umsim_syncthreads(ptr, i32) convergent nomerge
declare i32 @umsim_syncthreads_count(i32, ptr, i32) convergent nomerge
declare i64 @umsim_warp(i32, i32, i64, i32, ptr, i32) convergent nomerge
declare i32 @umsim_activemask() convergent nomerge
declare i32 @umsim_lane()
declare i64 @umsim_clock64()
declare i64 @umsim_clock_ns()
declare void @umsim_trap()
declare void @um_nanosleep(i32) convergent nomerge
declare void @umsim_grid_sync(ptr, i32) convergent nomerge
declare i32 @um_shfl(i32, i32, i32, i32, i32, ptr, i32) convergent nomerge
declare i32 @um_vprintf(ptr, ptr, ptr)
declare i32 @umsim_dynamic_shared_bytes()
declare i16 @um_hfma(i16, i16, i16)
"""


def function(result, name, parameters, body):
    """A definition that every module may have, which is inlined."""
    quoted = '"' + name.replace("\\", "\\5C").replace('"', "\\22") + '"'
    meets = MEETS if "%um.line" in parameters else ""
    return f"define linkonce_odr {result} @{quoted}({parameters}) alwaysinline nounwind {meets}{{\n{body}\n}}\n"


def registers():
    for i, register in enumerate(INDICES):
        for k, axis in enumerate("xyz"):
            yield function("i32", f"um.nvvm.read.ptx.sreg.{register}.{axis}", "ptr %um.t",
                           f"%p = getelementptr i32, ptr %um.t, i32 {3 * i + k}\n%v = load i32, ptr %p\nret i32 %v")
    load = "".join(f"%p{i} = getelementptr i32, ptr %um.t, i32 {at}\n%v{i} = load i32, ptr %p{i}\n"
                   for i, at in enumerate((0, 1, 2, 6, 7)))
    linear = load + ("%a = mul i32 %v4, %v2\n%b = add i32 %a, %v1\n%c = mul i32 %b, %v3\n%d = add i32 %c, %v0\n"
                     "%lane = and i32 %d, 31\n")
    yield function("i32", "um.nvvm.read.ptx.sreg.laneid", "ptr %um.t", linear + "ret i32 %lane")
    yield function("i32", "um.nvvm.read.ptx.sreg.warpsize", "", "ret i32 32")
    for relation, value in (("lt", "%m"), ("le", "%le"), ("eq", "%bit"), ("gt", "%gt"), ("ge", "%ge")):
        yield function("i32", f"um.asm.mov.u32 $0, %lanemask_{relation};", "ptr %um.t", linear +
                       "%bit = shl i32 1, %lane\n%m = sub i32 %bit, 1\n%le = or i32 %m, %bit\n%gt = xor i32 %le, -1\n"
                       f"%ge = or i32 %gt, %bit\nret i32 {value}")
    yield function("i32", "um.asm.mov.u32 $0, %dynamic_smem_size;", "",
                   "%v = call i32 @umsim_dynamic_shared_bytes()\nret i32 %v")
    for text in ("mov.u64 $0, %clock64;", "mov.u64 $0, %globaltimer;"):
        call = "umsim_clock64" if "clock64" in text else "umsim_clock_ns"
        yield function("i64", f"um.asm.{text}", "", f"%v = call i64 @{call}()\nret i64 %v")


WAITS = "i32 %um.line"


def barriers():
    here = "ptr @um.file, i32 %um.line"
    yield function("void", "um.nvvm.barrier0", WAITS, f"call void @umsim_syncthreads({here})\nret void")
    yield function("i32", "um.nvvm.barrier0.popc", WAITS + ", i32 %p",
                   f"%v = call i32 @umsim_syncthreads_count(i32 %p, {here})\nret i32 %v")
    yield function("i32", "um.nvvm.barrier0.or", WAITS + ", i32 %p",
                   f"%v = call i32 @umsim_syncthreads_count(i32 %p, {here})\n"
                   "%c = icmp ne i32 %v, 0\n%r = zext i1 %c to i32\nret i32 %r")
    yield function("i32", "um.nvvm.barrier0.and", WAITS + ", i32 %p",
                   "%n = icmp eq i32 %p, 0\n%z = zext i1 %n to i32\n"
                   f"%v = call i32 @umsim_syncthreads_count(i32 %z, {here})\n"
                   "%c = icmp eq i32 %v, 0\n%r = zext i1 %c to i32\nret i32 %r")
    for what, scope in (("cta", 'syncscope("block") '), ("gl", ""), ("sys", "")):  # checked.py tells the first apart
        yield function("void", f"um.nvvm.membar.{what}", "", f"fence {scope}seq_cst\nret void")
    yield function("i64", "cudaCGGetIntrinsicHandle", "i32 %scope", "ret i64 1")
    yield function("i32", "cudaCGSynchronize", WAITS + ", i64 %handle, i32 %flags",
                   f"call void @umsim_grid_sync({here})\nret i32 0")
    yield function("void", "um.asm.nanosleep.u32 $0;", WAITS + ", i32 %ns",
                   "call void @um_nanosleep(i32 %ns)\nret void")
    yield function("void", "um.asm.brkpt;", "", "ret void")
    yield function("void", "um.trap", "", "call void @umsim_trap()\nret void")


def warp_call(operation, mask, value):
    return f"call i64 @umsim_warp(i32 {WARP[operation]}, i32 {mask}, i64 {value}, i32 0, ptr @um.file, i32 %um.line)"


def warps():
    yield function("void", "um.nvvm.bar.warp.sync", WAITS + ", i32 %m", warp_call("sync", "%m", "0") + "\nret void")
    yield function("i32", "um.asm.activemask.b32 $0;", WAITS, "%v = call i32 @umsim_activemask()\nret i32 %v")
    pair = ("%a = insertvalue { i32, i1 } undef, i32 %v, 0\n%r = insertvalue { i32, i1 } %a, i1 %c, 1\n"
            "ret { i32, i1 } %r")
    yield function("{ i32, i1 }", "um.nvvm.shfl.sync.i32", WAITS + ", i32 %m, i32 %mode, i32 %x, i32 %b, i32 %clamp",
                   "%p = alloca i32\n%v = call i32 @um_shfl(i32 %m, i32 %mode, i32 %x, i32 %b, i32 %clamp, ptr %p, "
                   "i32 %um.line)\n%i = load i32, ptr %p\n%c = icmp ne i32 %i, 0\n" + pair)
    # 0: all, 1: any, 2: alike, 3: ballot. All of them follow from who says yes and who says no.
    yield function("{ i32, i1 }", "um.nvvm.vote.sync", WAITS + ", i32 %m, i32 %mode, i1 %x",
                   "%yes = zext i1 %x to i64\n%no = xor i64 %yes, 1\n"
                   f"%w = {warp_call('ballot', '%m', '%yes')}\n%v = trunc i64 %w to i32\n"
                   f"%n = {warp_call('ballot', '%m', '%no')}\n%some = icmp ne i64 %w, 0\n%all = icmp eq i64 %n, 0\n"
                   "%none = xor i1 %some, 1\n%alike = or i1 %all, %none\n%is1 = icmp eq i32 %mode, 1\n"
                   "%is2 = icmp eq i32 %mode, 2\n%c1 = select i1 %is1, i1 %some, i1 %all\n"
                   "%c = select i1 %is2, i1 %alike, i1 %c1\n" + pair)
    for bits in (32, 64):
        wide = "%w = zext i32 %x to i64" if bits == 32 else "%w = add i64 %x, 0"
        yield function("i32", f"um.nvvm.match.any.sync.i{bits}", WAITS + f", i32 %m, i{bits} %x",
                       f"{wide}\n%l = {warp_call('match_any', '%m', '%w')}\n%v = trunc i64 %l to i32\nret i32 %v")
        yield function("{ i32, i1 }", f"um.nvvm.match.all.sync.i{bits}", WAITS + f", i32 %m, i{bits} %x",
                       f"{wide}\n%l = {warp_call('match_all', '%m', '%w')}\n%v = trunc i64 %l to i32\n"
                       "%c = icmp ne i32 %v, 0\n" + pair)


def atomics():
    for operation, kind, name in (("fadd", "float", "add.f32.p0f32"), ("fadd", "double", "add.f64.p0f64"),
                                  ("uinc_wrap", "i32", "inc.32.p0i32"), ("udec_wrap", "i32", "dec.32.p0i32")):
        yield function(kind, f"um.nvvm.atomic.load.{name}", f"ptr %p, {kind} %x",
                       f"%v = atomicrmw {operation} ptr %p, {kind} %x monotonic\nret {kind} %v")
    yield function("i32", "vprintf", "ptr %um.t, ptr %format, ptr %arguments",
                   "%v = call i32 @um_vprintf(ptr %um.t, ptr %format, ptr %arguments)\nret i32 %v")


# ---- inline PTX ----

COMPARISONS = {"eq": "oeq", "ne": "one", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
COMPARE = "{ .reg .pred __$$f16_cmp_tmp; setp.%s.f16 __$$f16_cmp_tmp, $1, $2; selp.u16 $0, 1, 0, __$$f16_cmp_tmp; }"


def halves():
    two = "%a = bitcast i16 %x to half\n%b = bitcast i16 %y to half\n"
    for operation in ("add", "sub", "mul"):
        yield function("i16", f"um.asm.{operation}.f16 $0,$1,$2;", "i16 %x, i16 %y",
                       two + f"%c = f{operation} half %a, %b\n%r = bitcast half %c to i16\nret i16 %r")
    for operation, how in COMPARISONS.items():
        yield function("i16", "um.asm." + COMPARE % operation, "i16 %x, i16 %y",
                       two + f"%c = fcmp {how} half %a, %b\n%r = zext i1 %c to i16\nret i16 %r")
    yield function("i16", "um.asm.neg.f16 $0, $1;", "i16 %x", "%r = xor i16 %x, -32768\nret i16 %r")
    yield function("i16", "um.asm.abs.f16 $0, $1;", "i16 %x", "%r = and i16 %x, 32767\nret i16 %r")
    yield function("i16", "um.asm.fma.rn.f16 $0,$1,$2,$3;", "i16 %x, i16 %y, i16 %z",
                   "%r = call i16 @um_hfma(i16 %x, i16 %y, i16 %z)\nret i16 %r")
    for ptx, kind in (("f32", "float"), ("f64", "double")):
        yield function(kind, f"um.asm.cvt.{ptx}.f16 $0, $1;", "i16 %x",
                       f"%a = bitcast i16 %x to half\n%r = fpext half %a to {kind}\nret {kind} %r")
        yield function("i16", f"um.asm.cvt.rn.f16.{ptx} $0, $1;", f"{kind} %x",
                       f"%a = fptrunc {kind} %x to half\n%r = bitcast half %a to i16\nret i16 %r")
    for bits in (8, 16, 32, 64):
        for sign in "su":
            kind = f"i{bits}"
            yield function(kind, f"um.asm.cvt.rni.{sign}{bits}.f16 $0, $1;", "i16 %x",
                           "%a = bitcast i16 %x to half\n%w = fpext half %a to float\n"
                           "%n = call float @llvm.rint.f32(float %w)\n"
                           f"%r = call {kind} @llvm.fpto{sign}i.sat.{kind}.f32(float %n)\nret {kind} %r")
            # from 64 bits to half by way of float would round twice; double holds what is not infinite in half
            yield function("i16", f"um.asm.cvt.rn.f16.{sign}{bits} $0, $1;", f"{kind} %x",
                           f"%a = {sign}itofp {kind} %x to half\n%r = bitcast half %a to i16\nret i16 %r")
    yield function("float", "um.asm.rsqrt.approx.f32 $0, $1;", "float %x",
                   "%r = call float @__nv_rsqrtf(float %x)\nret float %r")
    yield function("float", "um.asm.tanh.approx.f32 $0, $1;", "float %x",
                   "%r = call float @__nv_tanhf(float %x)\nret float %r")


def hints():
    """Loads and stores that say how to use caches: plain ones."""
    for bits in (8, 16, 32, 64, 128):
        kind = f"i{bits}"
        for word in ("ca", "cg", "cs", "lu", "cv"):
            yield function(kind, f"um.asm.ld.global.{word}.b{bits} $0, [$1];", "ptr %p",
                           f"%v = load {kind}, ptr %p\nret {kind} %v")
        for word in ("cg", "cs", "wb", "wt"):
            yield function("void", f"um.asm.st.global.{word}.b{bits} [$0], $1;", f"ptr %p, {kind} %v",
                           f"store {kind} %v, ptr %p\nret void")


# ---- libdevice's names that are an instruction or two ----

def simple():
    for name, intrinsic in {"sqrt": "sqrt", "fabs": "fabs", "floor": "floor", "ceil": "ceil", "trunc": "trunc",
                            "rint": "rint", "nearbyint": "rint"}.items():
        for kind, suffix, bits in (("double", "", 64), ("float", "f", 32)):
            yield function(kind, f"__nv_{name}{suffix}", f"{kind} %x",
                           f"%r = call {kind} @llvm.{intrinsic}.f{bits}({kind} %x)\nret {kind} %r")
    for kind, suffix, bits, finite, infinite, sign in (
            ("double", "", 64, "isfinited", "isinfd", "signbitd"), ("float", "f", 32, "finitef", "isinff", "signbitf")):
        yield function(kind, f"__nv_copysign{suffix}", f"{kind} %x, {kind} %y",
                       f"%r = call {kind} @llvm.copysign.f{bits}({kind} %x, {kind} %y)\nret {kind} %r")
        for name in (f"fma{suffix}", f"fma{suffix}_rn"):
            yield function(kind, f"__nv_{name}", f"{kind} %x, {kind} %y, {kind} %z",
                           f"%r = call {kind} @llvm.fma.f{bits}({kind} %x, {kind} %y, {kind} %z)\nret {kind} %r")
        yield function("i32", f"__nv_isnan{'d' if bits == 64 else 'f'}", f"{kind} %x",
                       f"%c = fcmp uno {kind} %x, %x\n%r = zext i1 %c to i32\nret i32 %r")
        size = f"%a = call {kind} @llvm.fabs.f{bits}({kind} %x)\n"
        for name, how in ((finite, "one"), (infinite, "oeq")):
            yield function("i32", f"__nv_{name}", f"{kind} %x",
                           size + f"%c = fcmp {how} {kind} %a, 0x7FF0000000000000\n%r = zext i1 %c to i32\nret i32 %r")
        yield function("i32", f"__nv_{sign}", f"{kind} %x",
                       f"%i = bitcast {kind} %x to i{bits}\n%c = icmp slt i{bits} %i, 0\n%r = zext i1 %c to i32\n"
                       "ret i32 %r")
    for kind, prefix in (("i32", ""), ("i64", "ll")):
        for name, how in ((f"{prefix}max", "smax"), (f"{prefix}min", "smin"), (f"u{prefix}max", "umax"),
                          (f"u{prefix}min", "umin")):
            yield function(kind, f"__nv_{name}", f"{kind} %x, {kind} %y",
                           f"%r = call {kind} @llvm.{how}.{kind}({kind} %x, {kind} %y)\nret {kind} %r")
        yield function(kind, f"__nv_{prefix}abs", f"{kind} %x",
                       f"%r = call {kind} @llvm.abs.{kind}({kind} %x, i1 false)\nret {kind} %r")
        end = "ret i32 %r" if kind == "i32" else "%t = trunc i64 %r to i32\nret i32 %t"
        yield function("i32", f"__nv_popc{prefix}", f"{kind} %x",
                       f"%r = call {kind} @llvm.ctpop.{kind}({kind} %x)\n{end}")
        yield function("i32", f"__nv_clz{prefix}", f"{kind} %x",
                       f"%r = call {kind} @llvm.ctlz.{kind}({kind} %x, i1 false)\n{end}")
        yield function("i32", f"__nv_ffs{prefix}", f"{kind} %x",
                       f"%z = call {kind} @llvm.cttz.{kind}({kind} %x, i1 false)\n%n = add {kind} %z, 1\n"
                       f"%c = icmp eq {kind} %x, 0\n%r = select i1 %c, {kind} 0, {kind} %n\n{end}")
        yield function(kind, f"__nv_brev{prefix}", f"{kind} %x",
                       f"%r = call {kind} @llvm.bitreverse.{kind}({kind} %x)\nret {kind} %r")
    for name, source, how, target in (
            ("int2double_rn", "i32", "sitofp", "double"), ("uint2double_rn", "i32", "uitofp", "double"),
            ("ll2double_rn", "i64", "sitofp", "double"), ("ull2double_rn", "i64", "uitofp", "double"),
            ("int2float_rn", "i32", "sitofp", "float"), ("uint2float_rn", "i32", "uitofp", "float"),
            ("ll2float_rn", "i64", "sitofp", "float"), ("ull2float_rn", "i64", "uitofp", "float"),
            ("double2float_rn", "double", "fptrunc", "float"), ("float_as_int", "float", "bitcast", "i32"),
            ("int_as_float", "i32", "bitcast", "float"), ("double_as_longlong", "double", "bitcast", "i64"),
            ("longlong_as_double", "i64", "bitcast", "double")):
        yield function(target, f"__nv_{name}", f"{source} %x", f"%r = {how} {source} %x to {target}\nret {target} %r")


def functions():
    """The mathematical functions of functions.def: those of device.cu. @return {name: (result, parameters)}"""
    text = (pathlib.Path(__file__).parent / "functions.def").read_text(encoding="utf-8")
    return {"__nv_" + name: (TYPES[types[0]], [TYPES[t] for t in types[2:]])
            for types, name in re.findall(r"\b([A-Z]_[A-Z]+)\((\w+), \w+\)", text)}


def text():
    """The whole module, without target and layout."""
    parts = [HEAD]
    for part in (registers, barriers, warps, atomics, halves, hints, simple):
        parts += part()
    parts += [f"declare {result} @{name}({', '.join(parameters)})\n"
              for name, (result, parameters) in functions().items()]
    return "".join(parts)
