"""CUDA's driver API by cuda.bindings, for the programs that use it: a device, a compiled kernel, calls that raise."""
from cuda.bindings import driver, nvrtc


def call(answer):
    """What a call of cuda.bindings returned, without its error, which becomes an exception of its name."""
    error, *values = answer
    if error.value:
        raise RuntimeError(error.name)
    return values[0] if len(values) == 1 else tuple(values)


def start():
    """A context of device 0's, current."""
    call(driver.cuInit(0))
    device = call(driver.cuDeviceGet(0))
    call(driver.cuCtxSetCurrent(call(driver.cuDevicePrimaryCtxRetain(device))))
    return device


def kernel(source, name, device=0):
    """The kernel of CUDA C++ text, compiled by NVRTC for the device."""
    attributes = driver.CUdevice_attribute
    major, minor = (call(driver.cuDeviceGetAttribute(which, device)) for which in
                    (attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                     attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR))
    program = call(nvrtc.nvrtcCreateProgram(source.encode(), b"kernel.cu", 0, [], []))
    call(nvrtc.nvrtcCompileProgram(program, 1, [f"--gpu-architecture=sm_{major}{minor}".encode()]))
    image = b" " * call(nvrtc.nvrtcGetCUBINSize(program))
    call(nvrtc.nvrtcGetCUBIN(program, image))
    return call(driver.cuModuleGetFunction(call(driver.cuModuleLoadData(image)), name.encode()))


def launch(function, blocks, threads, values, types, stream=0):
    """Launches it with the values, whose types are those of ctypes: an address is a c_void_p."""
    call(driver.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, (tuple(values), tuple(types)), 0))
