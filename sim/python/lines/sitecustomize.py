"""In programs of umpython --check: Numba's kernels say which line of Python each access is of.

Python imports this at its start, because umpython puts its folder in front of PYTHONPATH, and it then imports the
sitecustomize that would have been imported otherwise. Numba writes lines for kernels that ask for it (lineinfo=True):
here all do, except where `debug` has them anyway.
"""
import atexit
import functools
import importlib.machinery
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE, NAMES = "numba.cuda.decorators", "device inline link debug opt lineinfo".split()


def with_lines(jit):
    """numba.cuda.jit, which asks for lines."""
    @functools.wraps(jit)
    def asking(*arguments, **named):
        given = {**dict(zip(NAMES, arguments[1:])), **named}
        if not given.get("debug", os.environ.get("NUMBA_CUDA_DEBUGINFO")) and "lineinfo" not in given:
            named["lineinfo"] = True
        return jit(*arguments, **named)
    return asking


def give_back():
    """Numba keeps freed arrays for later, also at the program's end, where nothing comes later: they are no leaks."""
    driver = sys.modules.get("numba.cuda.cudadrv.driver")
    for device in driver.driver.devices.values() if driver else ():
        context = getattr(device, "primary_context", None)
        for queue in (context.memory_manager, context) if context else ():
            queue.deallocations.clear()


class Loader:
    """Another's loader, and what is done behind it."""

    def __init__(self, loader):
        self.loader = loader

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def exec_module(self, module):
        self.loader.exec_module(module)
        module.jit = with_lines(module.jit)


class Finder:
    """Finds the one module, as others find it."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != MODULE:
            return None
        for finder in sys.meta_path:
            spec = None if finder is Finder else finder.find_spec(name, path, target)
            if spec and spec.loader:
                spec.loader = Loader(spec.loader)
                return spec
        return None


def next_one():
    """The program's own sitecustomize."""
    elsewhere = [folder for folder in sys.path if os.path.abspath(folder or ".") != HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    sys.path[:] = elsewhere
    if spec and spec.loader:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


sys.meta_path.insert(0, Finder)
atexit.register(give_back)
next_one()
