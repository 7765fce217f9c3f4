"""cuBLAS for CuPy on the simulator: what CuPy's arrays call of it, by the simulator's small libcublas.

build_cupy.py puts this file in the place of CuPy's module of the same name. Matrices of float and double are
multiplied; other types raise NotImplementedError before anything is computed.
"""
import ctypes
import sys

from cupy_backends.cuda.api import runtime

CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C = range(3)
CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE = range(2)
CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT = range(2)
CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER = range(2)
CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT = range(2)
CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH = range(2)
CUBLAS_GEMM_DEFAULT, CUBLAS_GEMM_DEFAULT_TENSOR_OP = -1, 99
CUBLAS_COMPUTE_16F, CUBLAS_COMPUTE_16F_PEDANTIC = 64, 65
CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_PEDANTIC = 68, 69
CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_64F_PEDANTIC = 70, 71
CUBLAS_COMPUTE_32F_FAST_16F, CUBLAS_COMPUTE_32F_FAST_16BF, CUBLAS_COMPUTE_32F_FAST_TF32 = 74, 75, 77

_library = ctypes.CDLL("libcublas.so")
# what each argument is: i an integer, p an address, l a stride
_TYPES = {"i": ctypes.c_int, "p": ctypes.c_void_p, "l": ctypes.c_longlong}
# which calls of float and double there are; behind the handle
_ARGUMENTS = {
    "axpy": "ippipi",
    "scal": "ippi",
    "dot": "ipipip",
    "nrm2": "ipip",
    "asum": "ipip",
    "gemv": "iiippipippi",
    "ger": "iippipipi",
    "gemm": "iiiiippipippi",
    "geam": "iiiippippipi",
    "gemmStridedBatched": "iiiiippilpilppili",
}


class CUBLASError(RuntimeError):
    def __init__(self, status):
        self.status = status
        _library.cublasGetStatusName.restype = ctypes.c_char_p
        super().__init__(_library.cublasGetStatusName(status).decode())

    def __reduce__(self):
        return (type(self), (self.status,))


def check_status(status):
    if status != 0:
        raise CUBLASError(status)


def create():
    handle = ctypes.c_void_p()
    check_status(_library.cublasCreate_v2(ctypes.byref(handle)))
    return handle.value


def destroy(handle, library=_library, address=ctypes.c_void_p, finalizing=sys.is_finalizing):
    # when Python ends, this module's names are gone, and the library ends by itself
    if not finalizing():
        check_status(library.cublasDestroy_v2(address(handle)))


def getVersion(handle):
    return _get("cublasGetVersion_v2", handle, ctypes.c_int())


def getPointerMode(handle):
    return _get("cublasGetPointerMode_v2", handle, ctypes.c_int())


def setPointerMode(handle, mode):
    check_status(_library.cublasSetPointerMode_v2(ctypes.c_void_p(handle), ctypes.c_int(mode)))


def getStream(handle):
    return _get("cublasGetStream_v2", handle, ctypes.c_void_p()) or 0


def setStream(handle, stream):
    check_status(_library.cublasSetStream_v2(ctypes.c_void_p(handle), ctypes.c_void_p(stream)))


def getMathMode(handle):
    return _get("cublasGetMathMode", handle, ctypes.c_int())


def setMathMode(handle, mode):
    check_status(_library.cublasSetMathMode(ctypes.c_void_p(handle), ctypes.c_int(mode)))


def _get(call, handle, value):
    check_status(getattr(_library, call)(ctypes.c_void_p(handle), ctypes.byref(value)))
    return value.value


def _call(function, kinds, handle, arguments):
    from cupy.cuda import get_current_stream

    setStream(handle, get_current_stream().ptr)
    check_status(function(ctypes.c_void_p(handle), *(_TYPES[k](a) for k, a in zip(kinds, arguments, strict=True))))


def _letter(call, *types):
    """S or D, where all of a product's types are float or double."""
    letters = {runtime.CUDA_R_32F: "s", runtime.CUDA_R_64F: "d"}
    if len(set(types)) != 1 or types[0] not in letters:
        raise NotImplementedError(f"{call}: the simulator's cuBLAS multiplies float32 and float64 only")
    return letters[types[0]]


def gemmEx(handle, transa, transb, m, n, k, alpha, a, atype, lda, b, btype, ldb, beta, c, ctype, ldc, compute, algo):
    call = globals()[_letter("gemmEx", atype, btype, ctype) + "gemm"]
    call(handle, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)


def gemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, atype, lda, stride_a, b, btype, ldb, stride_b,
                         beta, c, ctype, ldc, stride_c, count, compute, algo):
    call = globals()[_letter("gemmStridedBatchedEx", atype, btype, ctype) + "gemmStridedBatched"]
    call(handle, transa, transb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, stride_c, count)


def _of_library(name, kinds, symbol):
    function = getattr(_library, symbol)

    def call(handle, *arguments):
        _call(function, kinds, handle, arguments)

    call.__name__ = name
    return call


def _add_all():
    for base, kinds in _ARGUMENTS.items():
        for letter in "sd":
            symbol = f"cublas{letter.upper()}{base}"
            symbol += "" if base in ("geam", "gemmStridedBatched") else "_v2"
            globals()[letter + base] = _of_library(letter + base, kinds, symbol)
    for letter in "sd":
        for base in ("amax", "amin"):
            globals()[f"i{letter}{base}"] = _of_library(f"i{letter}{base}", "ipip", f"cublasI{letter}{base}_v2")


_add_all()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise NotImplementedError(f"{name}: not in the simulator's small cuBLAS, which has float32 and float64 only")
