"""The program of tests/python/cupy_arrays.py: CuPy's arrays and kernels, each case with results that NumPy knows.

    umpython cupy_cases.py [-v]        all cases: a line `ok TITLE` or `FAIL TITLE: why` for each, -v with tracebacks
"""
import ctypes
import sys
import traceback

import cupy as cp
import numpy as np

CASES = []
HOST = np.random.default_rng(7).random((50, 40)).astype(np.float32)


def case(function):
    CASES.append(function)
    return function


def same(got, wanted):
    np.testing.assert_allclose(cp.asnumpy(got), wanted, rtol=2e-6, atol=1e-6)


def refused(kind, word, function, *arguments):
    """The call raises `kind` with `word` in its one line."""
    try:
        function(*arguments)
    except kind as error:
        assert word in str(error) and "\n" not in str(error), str(error)
        return
    raise AssertionError(f"{function} was not refused")


@case
def creation():
    "arrays are made, copied to and fro, viewed and filled"
    x = cp.asarray(HOST)
    same(x, HOST)
    same(x[::2, 3:7].T, HOST[::2, 3:7].T)
    same(cp.arange(10, dtype=cp.float32), np.arange(10))
    same(cp.zeros((3, 4)) + 2, np.full((3, 4), 2.0))


@case
def ufuncs():
    "functions element by element, with broadcasting"
    x = cp.asarray(HOST)
    same(cp.sin(x) * x[0] + 1, np.sin(HOST) * HOST[0] + 1)
    same(cp.where(x > 0.5, x, 0), np.where(HOST > 0.5, HOST, 0))


@case
def types():
    "half, complex numbers and integers"
    x = cp.asarray(HOST)
    same((x.astype("e") + 1).astype("f"), (HOST.astype("e") + np.float16(1)).astype("f"))
    same(cp.exp(x * 1j), np.exp(HOST * 1j))
    same((x * 100).astype("i4") // 7, (HOST * 100).astype("i4") // 7)
    same((x * 9).astype("u2").byteswap(), (HOST * 9).astype("u2").byteswap())


@case
def reductions():
    "sums, extremes and their places, along axes"
    x = cp.asarray(HOST)
    same(x.sum(axis=0), HOST.sum(axis=0))
    same(x.max(), HOST.max())
    same(x.argmax(axis=1), HOST.argmax(axis=1))
    same(x.mean(axis=1), HOST.mean(axis=1))


@case
def scans_and_choices():
    "running sums, choosing by a mask, adding at places"
    x = cp.asarray(HOST)
    same(cp.cumsum(x.astype("d")), np.cumsum(HOST.astype("d")))
    same(x[x > 0.5], HOST[HOST > 0.5])
    z = cp.zeros(3)
    cp.add.at(z, cp.array([1, 1, 2]), 1.0)
    same(z, [0, 2, 1])


@case
def sorts():
    "sorting, of each type and along each axis, stable, NaN last"
    for kind in "?bBhHiIqQefd":
        x = (HOST * 99).astype(kind)
        assert (cp.asnumpy(cp.sort(cp.asarray(x))) == np.sort(x)).all(), kind
        assert (cp.asnumpy(cp.argsort(cp.asarray(x), axis=0)) == np.argsort(x, axis=0, kind="stable")).all(), kind
    mixed = np.array([3, np.nan, -1, np.inf, np.nan, 0, -np.inf], dtype="f")
    np.testing.assert_array_equal(cp.asnumpy(cp.sort(cp.asarray(mixed))), np.sort(mixed))
    complex_ones = np.empty(49, "F")
    complex_ones.real, complex_ones.imag = np.repeat(mixed, 7), np.tile(mixed, 7)
    np.testing.assert_array_equal(cp.asnumpy(cp.sort(cp.asarray(complex_ones))), np.sort(complex_ones))
    keys = (HOST[:3] * 4).astype("i4")
    assert (cp.asnumpy(cp.lexsort(cp.asarray(keys))) == np.lexsort(keys)).all()
    assert (cp.asnumpy(cp.unique(cp.asarray(keys))) == np.unique(keys)).all()


@case
def products():
    "products of matrices of all kinds of numbers, single and stacked"
    x = cp.asarray(HOST)
    same(x @ x.T, HOST @ HOST.T)
    d, h = x.astype("d").reshape(5, 10, 40), HOST.astype("d").reshape(5, 10, 40)
    same(cp.matmul(d, d.transpose(0, 2, 1)), np.matmul(h, h.transpose(0, 2, 1)))
    n = (HOST * 9).astype("i4")
    same(cp.asarray(n) @ cp.asarray(n.T), n @ n.T)
    c = (HOST + 1j * HOST[::-1]).astype("F")
    same(cp.asarray(c) @ cp.asarray(c.conj().T), c @ c.conj().T)
    same(cp.ones((3, 40), "e") @ cp.ones((40, 2), "e"), np.full((3, 2), 40))


@case
def transforms():
    "Fourier transforms: real and complex, of one axis and of several, and back"
    x = cp.asarray(HOST)
    same(cp.fft.fft(x, axis=0), np.fft.fft(HOST, axis=0))
    same(cp.fft.rfft2(x.astype("d")), np.fft.rfft2(HOST.astype("d")))
    same(cp.fft.irfftn(cp.fft.rfftn(x.astype("d")), HOST.shape), HOST)
    same(cp.fft.ifft(cp.fft.fft(x.astype("D"), 37, norm="ortho"), 37, norm="ortho"), HOST[:, :37])


@case
def sparse_matrices():
    "sparse matrices: COO, CSR and CSC, sums, products, a triangular system"
    import cupyx.scipy.sparse
    from cupyx.scipy.sparse import linalg
    dense = np.where(np.arange(400).reshape(20, 20) % 7 < 2, np.arange(400.0).reshape(20, 20) + 1, 0)
    row, column = np.nonzero(dense)
    order = np.argsort((row * 31 + column * 17) % 97)
    at = tuple(cp.asarray(each[order]) for each in (row, column))
    coo = cupyx.scipy.sparse.coo_matrix((cp.asarray(dense[row, column][order]), at), shape=(20, 20))
    same(coo.toarray(), dense)
    a = coo.tocsr()
    same(a.tocsc().toarray(), dense)
    same((a + a.T.tocsr()).toarray(), dense + dense.T)
    same((a @ a).toarray(), dense @ dense)
    same(a @ cp.arange(20.0), dense @ np.arange(20.0))
    lower = np.tril(dense) + 1000 * np.eye(20)
    same(linalg.spsolve_triangular(cupyx.scipy.sparse.csr_matrix(cp.asarray(lower)), cp.arange(20.0)),
         np.linalg.solve(lower, np.arange(20.0)))


@case
def own_kernels():
    "ElementwiseKernel, ReductionKernel, fuse"
    x = cp.asarray(HOST)
    same(cp.ElementwiseKernel("T x, T y", "T z", "z = x * y + 1", "mad")(x, x), HOST * HOST + 1)
    norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    same(norm(x, axis=1), np.sqrt((HOST * HOST).sum(axis=1)))

    def both(a, b):
        return cp.sqrt(a) * b + 2

    same(cp.fuse(both)(x, x), np.sqrt(HOST) * HOST + 2)


@case
def raw_kernels():
    "RawKernel with shared memory and atomics, RawModule with templates and constants"
    count = cp.RawKernel(r"""
extern "C" __global__ void count(const float *x, int *total, int n) {
    __shared__ int mine;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
    if (i < n && x[i] > 0.5f) atomicAdd(&mine, 1);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, mine);
}""", "count")
    x, total = cp.asarray(HOST), cp.zeros(1, dtype=cp.int32)
    count((8,), (256,), (x, total, np.int32(x.size)))
    assert int(total[0]) == (HOST > 0.5).sum()
    module = cp.RawModule(code="__constant__ float by; template <typename T> __global__ void scale(T *x) "
                               "{ x[threadIdx.x] *= by; }", options=("-std=c++17",), name_expressions=["scale<double>"])
    module.get_global("by").copy_from(np.array([3], dtype="f").ctypes.data, 4)
    y = cp.arange(32, dtype="d")
    module.get_function("scale<double>")((1,), (32,), (y,))
    same(y, np.arange(32) * 3.0)


@case
def streams():
    "streams, events, pinned memory, a pool in stream order"
    pinned = np.frombuffer(cp.cuda.alloc_pinned_memory(4000), np.float32, 1000)
    pinned[:] = np.arange(1000)
    begin, end, stream = cp.cuda.Event(), cp.cuda.Event(), cp.cuda.Stream(non_blocking=True)
    with stream, cp.cuda.using_allocator(cp.cuda.MemoryAsyncPool().malloc):
        begin.record()
        x = cp.empty(1000, "f")
        x.set(pinned, stream=stream)
        x *= 2
        end.record()
        end.synchronize()
        same(x, np.arange(1000) * 2)
        del x
    assert cp.cuda.get_elapsed_time(begin, end) > 0


@case
def managed():
    "managed memory is one for NumPy and for kernels"
    with cp.cuda.using_allocator(cp.cuda.MemoryPool(cp.cuda.malloc_managed).malloc):
        x = cp.arange(1000, dtype="f")
        x *= 2
        cp.cuda.Device().synchronize()
        host = np.ctypeslib.as_array(ctypes.cast(x.data.ptr, ctypes.POINTER(ctypes.c_float)), (1000,))
        assert host[7] == 14
        host[3] = 99
        x += 1
        assert float(x[3]) == 100 and host[7] == 15


@case
def foreign_memory():
    "memory of others: UnownedMemory, __cuda_array_interface__, DLPack"
    x = cp.arange(10)
    pointer = cp.cuda.MemoryPointer(cp.cuda.UnownedMemory(x.data.ptr, x.nbytes, x), 0)
    cp.ndarray((10,), "l", pointer)[:] += 1
    same(x, np.arange(10) + 1)
    same(cp.asarray(type("Foreign", (), {"__cuda_array_interface__": x.__cuda_array_interface__})()), np.arange(10) + 1)
    same(cp.from_dlpack(x), np.arange(10) + 1)


@case
def random_numbers():
    "random numbers of the Generator, by XORWOW and by Philox"
    for bits in (cp.random.XORWOW, cp.random.Philox4x3210):
        generator = cp.random.Generator(bits(1))
        assert abs(float(generator.random(20000).mean()) - 0.5) < 0.02
        assert abs(float(generator.standard_normal(20000).std()) - 1) < 0.05


@case
def host_library():
    "random numbers of cuRAND's host library, by a seed"
    cp.random.seed(5)
    first = cp.random.rand(20000)
    cp.random.seed(5)
    same(cp.random.rand(20000), cp.asnumpy(first))
    assert abs(float(first.mean()) - 0.5) < 0.02 and abs(float(cp.random.randn(20000).std()) - 1) < 0.05


@case
def pool():
    "the pool keeps what is freed, and gives it back"
    pool = cp.cuda.MemoryPool()
    with cp.cuda.using_allocator(pool.malloc):
        x = cp.zeros(1 << 20, "u1")
        assert pool.used_bytes() == 1 << 20
        del x
        assert pool.used_bytes() == 0 and pool.total_bytes() == 1 << 20
        pool.free_all_blocks()
        assert pool.total_bytes() == 0


@case
def what_is_missing():
    "what the simulator has not says so in one line, and gives no number"
    x = cp.asarray(HOST[:4, :4])
    refused(ImportError, "cuSOLVER is not part of the simulator", cp.linalg.cholesky, x)


def main():
    failed = 0
    for function in CASES:
        try:
            function()
            print("ok", function.__doc__, flush=True)
        except Exception as error:  # whatever it is, it is told
            failed += 1
            print(f"FAIL {function.__doc__}: {type(error).__name__}: {str(error).strip()[:500]}", flush=True)
            if "-v" in sys.argv:
                traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
