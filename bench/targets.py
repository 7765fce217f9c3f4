"""What `make bench BACKEND=cuda` compares: which of our paths with which peer's test or which other path, and the
target.

A comparison is a dict:
  work     what the table calls it; the size is added
  paths    ours (bench/gpu), the fastest of them, at `bytes`; where that was not measured, at the largest size below,
           and then without a target
  peer     (peer, its tests' names: the first that is there counts)   or
  against  another path of the same run, at the same size
  target   for ours / peer; None: only told
"""
MIB = 1 << 20


def with_peer(path, size, peer, tests, target, work=None):
    return {"work": work or path, "paths": path if isinstance(path, list) else [path], "bytes": size * MIB,
            "peer": (peer, tests), "target": target}


def with_path(path, size, other, target, work=None):
    return {"work": work or path, "paths": path if isinstance(path, list) else [path], "bytes": size * MIB,
            "against": other, "target": target}


NVBANDWIDTH, BABELSTREAM, COMM_SCOPE = "nvbandwidth", "BabelStream", "Comm|Scope"

# Ways of managed data: by moving its pages, or between two homes.
TO_DEVICE, TO_HOST = ["managed to device", "two homes to device"], ["managed to host", "two homes to host"]

COMPARISONS = [
    with_peer("pinned H2D", 512, NVBANDWIDTH, ["host_to_device_memcpy_ce"], 0.995),
    with_peer("pinned D2H", 512, NVBANDWIDTH, ["device_to_host_memcpy_ce"], 0.995),
    with_path("write-combined H2D", 512, "pinned H2D", None),
    with_path("registered H2D", 512, "pinned H2D", None),
    with_peer("mapped read", 512, NVBANDWIDTH, ["host_to_device_memcpy_sm"], 1.0),
    with_peer("mapped write", 512, NVBANDWIDTH, ["device_to_host_memcpy_sm"], 1.0),
    with_peer("device copy, engine", 512, NVBANDWIDTH, ["device_local_copy"], None),
    with_peer("device copy", 256, BABELSTREAM, ["Copy"], 0.99),
    with_peer("device mul", 256, BABELSTREAM, ["Mul"], None),
    with_peer("device add", 256, BABELSTREAM, ["Add"], None),
    with_peer("device triad", 256, BABELSTREAM, ["Triad"], 0.99),
    with_peer("device dot", 256, BABELSTREAM, ["Dot"], None),
    with_peer("pageable H2D", 256, COMM_SCOPE, ["Comm_cudaMemcpyAsync_PageableToGPU", "Comm_cudaMemcpyAsync_HostToGPU"],
              None),
    with_peer("pageable D2H", 256, COMM_SCOPE, ["Comm_cudaMemcpyAsync_GPUToPageable", "Comm_cudaMemcpyAsync_GPUToHost"],
              None),
    with_peer("prefetch to device", 256, COMM_SCOPE, ["Comm_UM_Prefetch_HostToGPU"], 1.0),
    with_peer("prefetch to host", 256, COMM_SCOPE, ["Comm_UM_Prefetch_GPUToHost"], 1.5),
    with_peer("demand to device", 256, COMM_SCOPE, ["Comm_UM_Demand_HostToGPU"], None, "demand to device, plain"),
    with_peer("demand to device, best", 256, COMM_SCOPE, ["Comm_UM_Demand_HostToGPU"], 1.0),
    with_path("pipelined H2D", 512, "pinned H2D", 0.83),
    with_path("pipelined D2H", 512, "pinned D2H", 0.83),
    with_path("pipelined H2D", 512, "pageable H2D", None),
    with_path("pipelined D2H", 512, "pageable D2H", None),
    with_path(TO_DEVICE, 256, "prefetch to device", 1.0, "managed data to the device, best way"),
    with_path(TO_DEVICE, 256, "pinned H2D", 0.98, "managed data to the device, best way"),
    with_path(TO_HOST, 256, "prefetch to host", 2.0, "managed data to the host, best way"),
    with_path("managed to host", 256, "prefetch to host", None, "managed pages to the host, best way"),
]

# (ours, the other): at every size that both have, the worst counts.
AT_EVERY_SIZE = [("pipelined H2D", "pageable H2D", 0.97), ("pipelined D2H", "pageable D2H", 0.97)]


# What else stands beside our figures in the full table, at each size that the peer has.
BESIDE = {
    "pinned H2D": (COMM_SCOPE, ["Comm_cudaMemcpyAsync_PinnedToGPU"]),
    "pinned D2H": (COMM_SCOPE, ["Comm_cudaMemcpyAsync_GPUToPinned"]),
    "write-combined H2D": (COMM_SCOPE, ["Comm_cudaMemcpyAsync_WCToGPU"]),
    "write-combined D2H": (COMM_SCOPE, ["Comm_cudaMemcpyAsync_GPUToWC"]),
    "mapped read": (COMM_SCOPE, ["Comm_ZeroCopy_HostToGPU"]),
    "mapped write": (COMM_SCOPE, ["Comm_ZeroCopy_GPUToHost"]),
} | {path: one["peer"] for one in COMPARISONS if "peer" in one for path in one["paths"]
     if one["peer"][0] != NVBANDWIDTH}
