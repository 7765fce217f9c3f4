"""Runs CuPy's own setup.py, in the folder of its unpacked source, for the simulator: install_cupy.sh.

    build_cupy.py bdist_wheel ...

What a build for a GPU takes from NVIDIA's toolkit is given or left out here, in memory: the source stays as it is.
The runtime is the simulator's shared library, where a build for a GPU links a static one.
"""
import pathlib
import runpy
import shutil
import sys

# Modules of NVIDIA's libraries that the simulator has not, each with what to do instead: such a module is not built,
# and what stands for it raises ImportError with a line.
MISSING = {
    "cupy_backends.cuda.libs.curand": ("cuRAND's host library", "draw by cupy.random.default_rng()"),
    "cupy_backends.cuda.libs.cusparse": ("cuSPARSE", "use scipy.sparse on the host"),
    "cupy_backends.cuda.libs.cusolver": ("cuSOLVER", "use numpy.linalg on the host"),
    "cupyx._cusolver": ("cuSOLVER", "use numpy.linalg on the host"),
    "cupy.cuda.cufft": ("cuFFT", "use numpy.fft on the host"),
    "cupy.cuda.jitify": ("Jitify", "leave out jitify=True"),
}
# Modules of CuPy's that files of our own stand for.
REPLACED = {
    "cupy_backends.cuda.libs.cublas": "cupy_cublas.py",
    "cupy_backends.cuda.libs.__init__": "cupy_libs.py",
}
# cupy.cuda looks for cuFFT's library itself, and would find NVIDIA's where a toolkit is: it leaves that to the module.
EDITS = {"cupy/cuda/__init__.py": ('pathfinder.load_nvidia_dynamic_lib("cufft")', "pass")}
HERE = pathlib.Path(__file__).resolve().parent
FEATURES = ("cuda", "nvtx", "dlpack", "cub", "thrust", "random")
# What these modules call in place of NVIDIA's templates; beside this program.
OWN = {"cub": "cupy_cub.cpp", "thrust": "cupy_sort.cu"}


def features_here(features, context):
    """CuPy's features as they are built here: without libraries of NVIDIA's but the runtime."""
    here = {name: features[name] for name in FEATURES}
    for feature in here.values():
        feature.static_libraries = []
        feature.libraries = ["cudart"]
        feature.modules = [each for each in feature.modules if str(each) not in MISSING and str(each) not in REPLACED]
    for name, source in OWN.items():
        ((module, _),) = here[name].modules
        here[name].modules = [(module, [f"umlab/{source}"])]
    here["cuda"].includes = ["cuda.h", "cuda_profiler_api.h", "cuda_runtime.h"]
    return here


def file_of(module):
    return pathlib.Path(*module.split(".")).with_suffix(".py")


def prepare():
    """Puts our files into the unpacked source."""
    pathlib.Path("umlab").mkdir(exist_ok=True)
    for source in OWN.values():
        shutil.copy(HERE / source, "umlab")
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
