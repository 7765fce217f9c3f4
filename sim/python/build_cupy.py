"""Runs CuPy's own setup.py, in the folder of its unpacked source, for the simulator: install_cupy.sh.

    build_cupy.py bdist_wheel ...

What a build for a GPU takes from NVIDIA's toolkit is given or left out here, in memory: the source stays as it is.
The runtime is the simulator's shared library, where a build for a GPU links a static one; cuBLAS, cuFFT, cuRAND and
cuSPARSE are the simulator's.
"""
import os
import pathlib
import re
import runpy
import shutil
import subprocess
import sys

# Modules of NVIDIA's libraries that the simulator has not, each with what to do instead: such a module is not built,
# and what stands for it raises ImportError with a line.
MISSING = {
    "cupy_backends.cuda.libs.cusolver": ("cuSOLVER", "use numpy.linalg on the host"),
    "cupyx._cusolver": ("cuSOLVER", "use numpy.linalg on the host"),
    "cupy.cuda.jitify": ("Jitify", "leave out jitify=True"),
}
# Modules of CuPy's that files of our own stand for.
REPLACED = {"cupy_backends.cuda.libs.__init__": "cupy_libs.py"}
# cupy.cuda looks for cuFFT's library itself, and would find NVIDIA's where a toolkit is: it leaves that to the module,
# which is linked with the simulator's.
EDITS = {"cupy/cuda/__init__.py": ('pathfinder.load_nvidia_dynamic_lib("cufft")', "pass")}
# Modules that declare more calls of a library than the simulator's header has: each of these refuses (refusing()).
REFUSED = {
    "cupy_backends/cuda/libs/cusparse": ("cusparse.h", "cusparse", "CUSPARSE_STATUS_NOT_SUPPORTED"),
    "cupy/cuda/cufft": ("cufftXt.h", "cufft", "CUFFT_NOT_SUPPORTED"),
}
HERE = pathlib.Path(__file__).resolve().parent
FEATURES = ("cuda", "nvtx", "dlpack", "cub", "thrust", "random")
# What these modules call in place of NVIDIA's templates; beside this program.
OWN = {"cub": "cupy_cub.cpp", "thrust": "cupy_sort.cu"}


def features_here(features, context):
    """CuPy's features as they are built here: with the simulator's runtime and libraries."""
    here = {name: features[name] for name in FEATURES}
    for feature in here.values():
        feature.static_libraries = []
        feature.libraries = ["cudart", "cublas", "cufft", "curand", "cusparse"]
        feature.modules = [each for each in feature.modules if str(each) not in MISSING and str(each) not in REPLACED]
    for name, source in OWN.items():
        ((module, _),) = here[name].modules
        here[name].modules = [(module, [f"umlab/{source}"])]
    here["cuda"].includes = ["cuda.h", "cuda_profiler_api.h", "cuda_runtime.h"]
    return here


def file_of(module):
    return pathlib.Path(*module.split(".")).with_suffix(".py")


def refusing(module, header, prefix, status):
    """A header to stand before the simulator's: calls and types that it lacks, and that CuPy's module declares."""
    declared = "".join(pathlib.Path(module).with_suffix(end).read_text() for end in (".pxd", ".pyx"))
    include = pathlib.Path(os.environ["CUDA_PATH"], "include")
    here = subprocess.run(["g++", "-E", "-x", "c++", f"-I{include}", include / header], capture_output=True, text=True,
                          check=True).stdout
    known = set(re.findall(r"\w+", here)) | set(re.findall(r"typedef .*?(\w+);", declared))
    types = {name: kind for kind, name in re.findall(r"ctypedef (void\*|int) (?:\w+ ')?(\w+_t)'?$", declared, re.M)
             if name not in known and not re.match(r"csr(sv|sm|gemm)2", name)}  # these CuPy's own header has
    calls = sorted(set(re.findall(rf"\b({prefix}[A-Z]\w*)\(", declared)) - known)
    return "\n".join([
        f"#include_next <{header}>", f"#ifndef UMLAB_{prefix}_REFUSES", f"#define UMLAB_{prefix}_REFUSES",
        "#include <stdio.h>", *(f"typedef {kind} {name};" for name, kind in types.items()),
        f"#define UMLAB_REFUSES(name) template <typename... T> static inline decltype({status}) name(T...) \\",
        f'    {{ fputs("umlab: " #name "() is not part of the simulator\'s library\\n", stderr); return {status}; }}',
        *(f"UMLAB_REFUSES({name})" for name in calls), "#endif", ""])


def prepare():
    """Puts our files into the unpacked source."""
    pathlib.Path("umlab").mkdir(exist_ok=True)
    for source in OWN.values():
        shutil.copy(HERE / source, "umlab")
    include = pathlib.Path("umlab/include").resolve()
    include.mkdir(exist_ok=True)
    for module, (header, *rest) in REFUSED.items():
        (include / header).write_text(refusing(module, header, *rest))
    os.environ["CXXFLAGS"] += f" -I{include}"
    for module, source in REPLACED.items():
        shutil.copy(HERE / source, file_of(module))
    for module, (library, instead) in MISSING.items():
        file_of(module).write_text(f'raise ImportError("{library} is not part of the simulator: {instead}")\n')
    for path, (old, new) in EDITS.items():
        text = pathlib.Path(path).read_text()
        if text.count(old) == 1:
            pathlib.Path(path).write_text(text.replace(old, new))
        elif new not in text:
            sys.exit(f"build_cupy.py: {path} is not as expected: {old}")


def main():
    prepare()
    sys.path.insert(0, "install")
    import cupy_builder

    all_features = cupy_builder.get_features

    missing = str(HERE / "cupy_missing.h")

    def compile_here(self, obj, source, extension):
        self.spawn(["umcc", "-include", missing, "-std=c++17", "-O2", "-Xcompiler", "-fPIC", "-c", source, "-o", obj])

    cupy_builder._compiler.DeviceCompilerUnix.compile = compile_here
    cupy_builder.get_features = lambda context: features_here(all_features(context), context)
    sys.argv[0] = "setup.py"
    runpy.run_path("setup.py", run_name="__main__")


if __name__ == "__main__":
    main()
