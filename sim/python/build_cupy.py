"""Runs CuPy's own setup.py, in the folder of its unpacked source, for the simulator: install_cupy.sh.

    build_cupy.py bdist_wheel ...

What a build for a GPU takes from NVIDIA's toolkit is given or left out here, in memory: the source stays as it is.
The runtime is the simulator's shared library, where a build for a GPU links a static one.
"""
import pathlib
import runpy
import shutil
import sys

# Libraries that the simulator has not: their modules are left out, and what stands in for them (cupy_missing.py)
# says so when it is imported.
MISSING = [
    "cupy_backends.cuda.libs.cublas",
    "cupy_backends.cuda.libs.curand",
    "cupy_backends.cuda.libs.cusparse",
    "cupy.cuda.cufft",
]
FEATURES = ("cuda", "nvtx", "dlpack", "cub", "thrust", "random")
# What these modules call in place of NVIDIA's templates; beside this program.
OWN = {"cub": "cupy_cub.cpp", "thrust": "cupy_sort.cu"}


def features_here(features, context):
    """CuPy's features as they are built here: without libraries of NVIDIA's but the runtime."""
    here = {name: features[name] for name in FEATURES}
    for feature in here.values():
        feature.static_libraries = []
        feature.libraries = ["cudart"]
        feature.modules = [each for each in feature.modules if each not in MISSING]
    for name, source in OWN.items():
        ((module, _),) = here[name].modules
        here[name].modules = [(module, [f"umlab/{source}"])]
    here["cuda"].includes = ["cuda.h", "cuda_profiler_api.h", "cuda_runtime.h"]
    return here


def main():
    pathlib.Path("umlab").mkdir(exist_ok=True)
    for source in OWN.values():
        shutil.copy(pathlib.Path(__file__).parent / source, "umlab")
    sys.path.insert(0, "install")
    import cupy_builder

    all_features = cupy_builder.get_features

    missing = str(pathlib.Path(__file__).parent / "cupy_missing.h")

    def compile_here(self, obj, source, extension):
        self.spawn(["umcc", "-include", missing, "-std=c++17", "-O2", "-Xcompiler", "-fPIC", "-c", source, "-o", obj])

    cupy_builder._compiler.DeviceCompilerUnix.compile = compile_here
    cupy_builder.get_features = lambda context: features_here(all_features(context), context)
    sys.argv[0] = "setup.py"
    runpy.run_path("setup.py", run_name="__main__")


if __name__ == "__main__":
    main()
