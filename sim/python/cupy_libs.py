"""The modules of CUDA's libraries that CuPy has on the simulator; each is imported when it is first asked for.

build_cupy.py puts this file in the place of CuPy's, which would look for NVIDIA's libraries first.
"""
import importlib

_MODULES = ("cublas", "cusolver", "cusparse", "curand", "nvrtc", "nvtx")


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
