"""Random kernels by number and seed, and the .cu file that launches many of them and prints a hash for each launch."""
import random
from pathlib import Path

import families
import phases
from changes import all_forms
from maker import Maker

# Of a hundred kernels: the family, its number of dimensions.
FAMILIES = [(19, "guarded", 1), (12, "guarded", 2), (4, "guarded", 3), (20, "strides", 1), (9, "strides", 2),
            (3, "strides", 3), (14, "phases", 1), (6, "phases", 2), (3, "phases", 3), (7, "warps", 1), (2, "warps", 2),
            (1, "warps", 3)]

ROOT = Path(__file__).resolve().parent
PRELUDE = ("// Random kernels (tests/umcc/differential): a line for each, with a hash for each launch.\n"
           "#include \"random.h\"\n")
FLAGS = ["-std=c++17", "--extended-lambda", "--expt-relaxed-constexpr"]


def dress(m):
    """What stands around a kernel: a template's head, bounds, a namespace."""
    kernel, style = m.kernel, m.rng.random()
    if style < 0.08:
        kernel.head = "__global__ void __launch_bounds__(256)"
    elif style < 0.12:
        kernel.head = "static __global__ void"
    elif style < 0.16:
        kernel.head = "extern \"C\" __global__ void"
    elif style < 0.2:
        kernel.head, kernel.call = "template <int N> __global__ void", f"{kernel.name}<3>"
    elif style < 0.25:
        name = next((n for n in ("own", "out") if n in kernel.parameters), None)
        if name:
            spelled = kernel.launches[0].values[name].split("*")[0].strip("( ")
            kernel.parameters[name] = kernel.parameters[name].replace(spelled, "T", 1)
            kernel.head = "template <class T> __global__ void"
    elif style < 0.29:
        kernel.space = f"space{kernel.number}"


def make(number, seed, without=frozenset()):
    """The kernel of this number: the same for the same seed."""
    m = Maker(number, random.Random(f"{seed} {number}"), without)
    family, dims = m.weighted([(w, (f, d)) for w, f, d in FAMILIES])
    m.kernel.family = f"family:{family}"
    if family == "guarded":
        families.guarded(m, dims)
    elif family == "strides":
        families.strides(m, dims)
    else:
        phases.phases(m, dims, family == "warps")
    dress(m)
    return m.kernel


def make_form(number, seed):
    """A simple kernel with one way to change a variable (changes.py): three for each way. None behind the last."""
    forms = all_forms()
    if number >= 3 * len(forms):
        return None
    m = Maker(number, random.Random(f"{seed} form {number}"))
    m.odd, m.forced = 0.01, forms[number // 3]
    m.kernel.family = ("family:strides", "family:phases", "family:bounds")[number % 3]
    if number % 3 == 0:
        families.strides(m, 1)
    else:
        phases.one_change(m, number % 3 == 2)
    return m.kernel


def kernel_text(kernel, only_used=False):
    text = kernel.text(only_used)
    if kernel.space:
        return f"namespace {kernel.space} {{\n{text}}}\n"
    return text


def run_text(kernel, only_used=False):
    """RUN(7) { ... }: the launches."""
    lines = [f"RUN({kernel.number})", "{"]
    if kernel.space:
        lines.append(f"    using namespace {kernel.space};")
    for n, launch in enumerate(kernel.launches):
        lines += [f"    begin({n});", f"    {kernel.launch_text(launch, only_used)};"]
    return "\n".join([*lines, f"    finish({kernel.number}, {len(kernel.launches)});", "}"]) + "\n"


def file_text(some, only_used=False):
    """A whole program, which takes the first and the last number. Returns (text, {line number: kernel number})."""
    parts, lines, line = [PRELUDE], {}, PRELUDE.count("\n") + 1
    for kernel in some:
        text = "\n" + kernel_text(kernel, only_used) + run_text(kernel, only_used)
        for n in range(text.count("\n")):
            lines[line + n] = kernel.number
        line += text.count("\n")
        parts.append(text)
    parts.append("\nint main(int argc, char **argv)\n{\n"
                 "    const int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : 1 << 30;\n"
                 "    prepare();\n")
    parts += [f"    if (first <= {k.number} && {k.number} <= last) run{k.number}();\n" for k in some]
    return "".join([*parts, "    return 0;\n}\n"]), lines


def header_flags(folder=ROOT):
    """near.h and random.h are found by -I, far.h by -isystem."""
    return ["-I", str(folder / "near"), "-isystem", str(folder / "far")]
