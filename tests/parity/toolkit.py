"""Where NVIDIA's toolkit is on this machine: by CUDA_HOME, else nvcc on PATH, else /usr/local/cuda."""
import os
import re
import shutil
import subprocess
from pathlib import Path


def _asked(nvcc):
    """The toolkit that an nvcc says it takes: what is on PATH may be a script that runs one elsewhere."""
    told = subprocess.run([nvcc, "--dryrun", "-E", "-x", "cu", os.devnull], capture_output=True, text=True, check=False)
    found = re.search(r"^#\$ TOP=(.+)$", told.stderr, re.M)
    return found and found.group(1)


def home():
    """Its home, which has include/cuda_runtime_api.h; None where there is none."""
    nvcc = shutil.which("nvcc")
    for place in (os.environ.get("CUDA_HOME"), nvcc and _asked(nvcc), nvcc and Path(nvcc).resolve().parent.parent,
                  "/usr/local/cuda"):
        if place and (Path(place) / "include" / "cuda_runtime_api.h").is_file():
            return Path(place).resolve()
    return None


def headers(folder):
    """Where the headers of a folder really are: it may hold links to them."""
    return (folder / "cuda_runtime_api.h").resolve().parent
