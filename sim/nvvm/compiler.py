"""The compiler behind libnvvm.so.4 (program.h): reads questions from its standard input, a connection, and answers.

It runs in the Python of the program that has a kernel, for that one's llvmlite. What it does with a program's modules:
LLVM reads, links and verifies them; rewrite.py and loops.py make a program for this machine of them; LLVM verifies
that, links runtime.py's functions to it, optimises and writes an object file; ld adds device.cu's and makes a module,
with the options that are this program's arguments.
"""
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile

import checked
import cut
import flow
import frames
import loops
import polls
import regions
import rewrite
import runtime
from words import NAME, Refused, bare, signature

SUCCESS, INVALID_IR, INVALID_OPTION, COMPILATION = 0, 6, 7, 9  # nvvm.h
OPTIONS = re.compile(r"-(?:arch=compute_(?P<arch>\d+)(?P<kind>[af]?)|opt=[03]|(?:ftz|prec-sqrt|prec-div|fma)=[01]|g|"
                     r"generate-line-info|numba-debug=None)$")
# Those that toolkits 12 and 13 compile for; from 90 on with features of one chip (a), from 100 on of a family (f).
ARCHITECTURES = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121}
KINDS_FROM = {"": 0, "a": 90, "f": 100}


SIMPLIFY = ("sroa simplify_cfg instruction_combine sroa new_gvn simplify_cfg instruction_combine aggressive_dce "
            "simplify_cfg loop_simplify lower_switch instruction_namer").split()
SHARED = re.compile(r"@umsim_shared\(ptr [^@]*(@[^,]+), i64 (\d+), i64 (\d+)\)")


class Failed(Exception):
    """(result, text)"""


class Compiler:
    """LLVM for this machine, and the parts that every kernel needs."""

    def __init__(self, prefix, ld_options):
        import llvmlite.binding as llvm

        self.llvm, self.prefix, self.ld_options, self.checks = llvm, prefix, ld_options, checked.wanted(os.environ)
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple()
        self.machine = target.create_target_machine(cpu=llvm.get_host_cpu_name(), opt=2, reloc="pic", codemodel="small",
                                                    features=llvm.get_host_cpu_features().flatten())
        self.layout = self.machine.target_data
        self.head = f'target triple = "{target.triple}"\ntarget datalayout = "{self.layout}"\n'
        module = self.parsed(self.head + runtime.text())
        self.known = module.as_bitcode()
        self.runtime = {}
        for function in module.functions:
            if function.name.startswith(("um_", "umsim", "llvm.")):
                continue
            hidden = [a.name for a in function.arguments if a.name in ("um.t", "um.line")]
            result, parameters = signature(str(function.global_value_type))
            self.runtime[function.name] = (hidden, result, parameters[len(hidden):])

    def parsed(self, text):
        module = self.llvm.parse_assembly(text)
        module.verify()
        return module

    def linked(self, texts, wrong=INVALID_IR):
        """The program's modules as one. What is no IR fails with `wrong`."""
        for text in texts:
            target = re.search(r'^\s*target triple = "([^"]*)"', text, re.M)
            if target and not target[1].startswith("nvptx64-"):
                raise Failed(INVALID_IR, f"libnvvm: Invalid target triple {target[1]}: nvptx64-... is for GPUs\n")
        try:
            modules = [self.parsed(rewrite.own_names(text)) for text in texts]
            for module in modules[1:]:
                modules[0].link_in(module)
            modules[0].verify()
        except RuntimeError as error:
            version = self.llvm.llvm_version_info[0]
            raise Failed(wrong, f"libnvvm: this is no IR that LLVM {version} reads: {error}\n") from None
        return modules[0]

    def compile(self, texts):
        """@return (shared object, what to write behind it)"""
        try:
            program = rewrite.Program(self.linked(texts, COMPILATION), self.runtime, self.layout)
            text = program.text()
            of = [loops.Kernel(program.functions[name], program.waits(name), self.layout) for name in program.kernels]
            text += "".join(k.part(program.body_name(k.name), self.llvm.llvm_version_info[0] >= 19) for k in of)
            text += loops.imports_table(list(program.imports))
        except Refused as error:
            raise Failed(COMPILATION, f"libnvvm: the simulated GPU does not run this: {error}\n") from None
        try:
            module = self.parsed(self.kept(self.head + text))
            module.link_in(self.llvm.parse_bitcode(self.known))
            module.verify()
            self.simplify(module, of)
            for kernel in of:
                kernel.memory, kernel.threads = self.memory(module, kernel), program.bounds.get(kernel.name, 0)
            text = self.made_of(module, of) + loops.tables(of, program.variables) + frames.DECLARED
            module = self.parsed(self.kept(text, ".cut"))
        except RuntimeError as error:
            raise Failed(COMPILATION, f"libnvvm: what became of this program is no IR: {error}\n") from None
        self.optimise(module)
        notes = "".join(f"//kernel {name}\n" for name in program.kernels)
        # Numba looks for what it has to link, in the form that PTX would have.
        notes += "".join(f"//calls {name}: .extern .func {name}();\n" for name in program.imports)
        notes += "//cudaCGGetIntrinsicHandle\n" if "cudaCGGetIntrinsicHandle" in program.used else ""
        return self.link(self.machine.emit_object(module)), notes

    @staticmethod
    def kept(text, ending=""):
        if os.environ.get("UMLAB_NVVM_KEEP"):
            with open(os.environ["UMLAB_NVVM_KEEP"] + ending, "w", encoding="utf-8") as file:
                file.write(text)
        return text

    def simplify(self, module, kernels):
        """Makes of each kernel one function, as short as LLVM can, with a name for each value."""
        tuning = self.llvm.create_pipeline_tuning_options(speed_level=2)
        builder = self.llvm.create_pass_builder(self.machine, tuning)
        whole, each = self.llvm.create_new_module_pass_manager(), self.llvm.create_new_function_pass_manager()
        whole.add_always_inliner_pass()
        whole.run(module, builder)
        for name in SIMPLIFY:
            getattr(each, f"add_{name}_pass")()
        for kernel in kernels:
            function = module.get_function("um.part." + kernel.name)
            each.run(function, builder)
            function.linkage = "internal"
            function.add_function_attribute("noinline" if self.checks else "alwaysinline")  # messages name it

    def memory(self, module, kernel):
        """What a kernel asks for by its text, bytes: (shared by a block, constant, a thread's own)."""
        text, shared = str(module.get_function("um.part." + kernel.name)), 0
        for size, align in {key: (int(size), int(align)) for key, size, align in SHARED.findall(text)}.values():
            shared = (shared + align - 1) // align * align + size
        names = {bare(name) for name in re.findall(NAME, text)}
        constant = sum(self.layout.get_abi_size(it.global_value_type) for it in module.global_variables
                       if it.name in names and not it.name.startswith("um.") and " constant " in str(it))
        kinds = re.findall(r"= alloca (.*?)(?:, align \d+)?(?:, !.*)?$", text, re.M)
        types = self.parsed(self.head + "".join(f"@um.{i} = global {kind} undef\n" for i, kind in enumerate(kinds)))
        local = sum(self.layout.get_abi_size(it.global_value_type) for it in types.global_variables)
        return shared, constant, local

    def made_of(self, module, kernels):
        """The module's text with what runs its kernels."""
        text = str(module)
        for kernel in kernels:
            name = "um.part." + kernel.name
            waits = polls.waiting_loops(module.get_function(name))
            if waits:
                kernel.waits, kernel.polls = True, True
                text = polls.with_yields(text, name, waits)
        if self.checks:
            for kernel in kernels:
                kernel.waits = kernel.checked = True
            return checked.with_calls(module, text, self.layout) + "".join(k.code(None) for k in kernels)
        return text + "".join(k.code(self.cut(module, k)) for k in kernels)

    def cut(self, module, kernel):
        """@return the text of the function that runs a kernel's blocks without a fiber for each thread, or None"""
        said, text, strides = os.environ.get("UMLAB_NVVM_REPORT"), None, not kernel.waits
        if os.environ.get("UMLAB_NVVM_FIBERS"):
            return None
        try:
            if kernel.polls:
                raise Refused("a loop waits until another thread has done something")
            types = ["%" + it.name for it in module.struct_types if it.name]
            plan = regions.Plan(flow.Function(module.get_function("um.part." + kernel.name), types), strides)
            text = cut.Text(plan).text(kernel.blocks_name(), kernel.launch(), loops.PROBED)
            kernel.waits, kernel.strides = False, plan.stride is not None
            report = f"cut into {len(plan.regions)} regions"
        except Refused as why:
            report = f"it is not cut: {why}" if strides else f"its threads are on fibers: {why}"
        if said:
            sys.stderr.write(f"libnvvm: kernel {loops.spoken(kernel.name)}: {report}\n")
        return text

    def optimise(self, module):
        tuning = self.llvm.create_pipeline_tuning_options(speed_level=2)
        tuning.loop_vectorization = tuning.loop_unrolling = True
        tuning.slp_vectorization = True
        builder = self.llvm.create_pass_builder(self.machine, tuning)
        builder.getModulePassManager().run(module, builder)

    def link(self, code):
        with tempfile.TemporaryDirectory(prefix="umlab-nvvm-") as folder:
            source, module = os.path.join(folder, "kernel.o"), os.path.join(folder, "module")
            with open(source, "wb") as file:
                file.write(code)
            library = os.path.join(self.prefix, "lib")
            # The first page of a section of variables is device.cu's (umsim/module.h).
            command = ["ld", "-shared", "--gc-sections", "-Bsymbolic", "-z", "now", "--as-needed", *self.ld_options,
                       "-o", module, os.path.join(library, "umlab", "nvvm_device.o"), source, "-L" + library, "-lumsim",
                       "-lm", "-lc"]
            try:
                run = subprocess.run(command, capture_output=True, text=True, check=False)
            except OSError as error:
                raise Failed(COMPILATION, f"libnvvm: ld cannot be started: {error}\n") from None
            if run.returncode:
                raise Failed(COMPILATION, f"libnvvm: {run.stderr}\n")
            with open(module, "rb") as file:
                return file.read()


def options_known(options):
    for option in options:
        known = OPTIONS.match(option)
        arch = int(known["arch"]) if known and known["arch"] else None
        if not known or arch is not None and (arch not in ARCHITECTURES or arch < KINDS_FROM[known["kind"]]):
            raise Failed(INVALID_OPTION, f"libnvvm: {option} is an unsupported option\n")


def answer(compiler, verb, options, modules):
    """@return (result, log, image)"""
    try:
        options_known(options)
        texts = [module.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode() for module in modules]
        if verb == "verify":
            compiler.linked(texts)
            return SUCCESS, "", b""
        image, notes = compiler.compile(texts)
        return SUCCESS, notes, image
    except Failed as failed:
        return failed.args[0], failed.args[1], b""
    except UnicodeDecodeError as error:
        return INVALID_IR, f"libnvvm: the IR has a name that is no UTF-8: {error}\n", b""
    except RecursionError:
        return INVALID_IR, "libnvvm: the IR is nested too deeply\n", b""
    except (LookupError, ValueError, TypeError, AttributeError, RuntimeError) as error:
        return COMPILATION, f"libnvvm: the IR is not understood: {type(error).__name__}: {error}\n", b""


def texts(stream, count):
    return [stream.read(int(stream.readline())) for _ in range(count)]


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program decides what becomes of Ctrl-C
    here = os.path.dirname(os.path.abspath(sys.argv[0]))
    prefix = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    connection = socket.socket(fileno=0)
    stream = connection.makefile("rwb")
    compiler, missing = None, ""
    try:
        compiler = Compiler(prefix, sys.argv[1:])
    except ImportError as error:
        missing = f"libnvvm: {sys.executable} has no llvmlite, whose LLVM compiles kernels: {error}\n"
    while head := stream.readline().split():
        options = [text.decode("utf-8", "replace") for text in texts(stream, int(head[1]))]
        modules = texts(stream, int(head[2]))
        result, log, image = ((COMPILATION, missing, b"") if missing else
                              answer(compiler, head[0].decode(), options, modules))
        said = log.encode("utf-8", "replace")
        stream.write(b"%d %d %d\n" % (result, len(said), len(image)) + said + image)
        stream.flush()


if __name__ == "__main__":
    main()
