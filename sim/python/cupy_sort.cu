/**
 * @file cupy_sort.cu
 * @brief The three sorts that CuPy calls of Thrust, as plain kernels: each thread finds its element's place.
 *
 * Runs of sorted elements are merged pairwise, first of one element, then of two, until a run is a row. An
 * element's place in the merged run is its own place plus the number of elements of the other run that come
 * before it. Equal elements keep their order. NaN comes last, as in NumPy; complex numbers as NumPy documents
 * numpy.sort(). umcc compiles this file where CuPy is installed (install_cupy.sh).
 */
#include <cstddef>
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <new>
#include <stdexcept>
#include <vector>

/* CuPy's pool of memory; 0: there is none left. */
extern "C" char *cupy_malloc(void *pool, size_t bytes);
extern "C" int cupy_free(void *pool, char *memory);

namespace
{

constexpr int THREADS = 256;

template <typename T> struct pair_of {
    T re, im;
};

/* ---- which comes first ---- */

template <typename T> __device__ bool before(const T &a, const T &b)
{
    return a < b;
}
template <typename T> __device__ bool real_before(T a, T b)
{
    return a < b || (b != b && a == a);
}
__device__ bool before(const float &a, const float &b)
{
    return real_before(a, b);
}
__device__ bool before(const double &a, const double &b)
{
    return real_before(a, b);
}
__device__ bool before(const __half &a, const __half &b)
{
    return real_before(__half2float(a), __half2float(b));
}
template <typename T> __device__ bool before(const pair_of<T> &a, const pair_of<T> &b)
{
    const int a_nan = 2 * (a.re != a.re) + (a.im != a.im), b_nan = 2 * (b.re != b.re) + (b.im != b.im);
    if (a_nan != b_nan)
        return a_nan < b_nan;
    if (a_nan & 2)
        return a_nan == 2 && a.im < b.im;
    return a.re < b.re || (a_nan == 0 && a.re == b.re && a.im < b.im);
}

/** Compares elements of a row themselves. */
template <typename T> struct by_value {
    using element = T;
    __device__ bool operator()(size_t, const T &a, const T &b) const
    {
        return before(a, b);
    }
};

/** Compares places of a row by the values there. */
template <typename T> struct by_place {
    using element = size_t;
    const T *values;
    size_t length;
    __device__ bool operator()(size_t row, size_t a, size_t b) const
    {
        return before(values[row * length + a], values[row * length + b]);
    }
};

/* ---- merging ---- */

/* Merges runs of `width` elements of each row. */
template <typename Less>
__global__ void merge(const typename Less::element *from, typename Less::element *to, size_t count,
                      size_t length, size_t width, Less less)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const size_t row = i / length, at = i % length, pair = at / (2 * width) * (2 * width);
    const bool first = at < pair + width;
    const typename Less::element *elements = from + row * length;
    const typename Less::element mine = elements[at];
    /* the other run, and in it the first element that does not come before this one */
    const size_t begin = first ? (pair + width < length ? pair + width : length) : pair;
    const size_t end = first ? (pair + 2 * width < length ? pair + 2 * width : length) : pair + width;
    size_t low = begin, high = end;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (first ? less(row, elements[middle], mine) : !less(row, mine, elements[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    const size_t own = first ? at - pair : at - pair - width;
    to[row * length + pair + own + (low - begin)] = mine;
}

__global__ void number(size_t *places, size_t count, size_t length)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        places[i] = i % length;
}

unsigned blocks_of(size_t count)
{
    return (unsigned)((count + THREADS - 1) / THREADS);
}

/** Memory of CuPy's pool. */
class scratch
{
  public:
    scratch(void *pool, size_t bytes) : pool(pool), memory(cupy_malloc(pool, bytes))
    {
        if (!memory)
            throw std::bad_alloc();
    }
    ~scratch()
    {
        cupy_free(pool, memory);
    }
    scratch(const scratch &) = delete;
    scratch &operator=(const scratch &) = delete;
    template <typename T> T *as()
    {
        return reinterpret_cast<T *>(memory);
    }

  private:
    void *pool;
    char *memory;
};

void check(cudaError_t error)
{
    if (error != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(error));
}

template <typename Less>
void sort_rows(typename Less::element *data, size_t count, size_t length, Less less, cudaStream_t stream,
               void *pool)
{
    if (count == 0 || length < 2)
        return;
    using T = typename Less::element;
    scratch other(pool, count * sizeof(T));
    T *from = data, *to = other.as<T>();
    for (size_t width = 1; width < length; width *= 2) {
        merge<Less><<<blocks_of(count), THREADS, 0, stream>>>(from, to, count, length, width, less);
        check(cudaGetLastError());
        T *const swap = from;
        from = to, to = swap;
    }
    if (from != data)
        check(cudaMemcpyAsync(data, from, count * sizeof(T), cudaMemcpyDeviceToDevice, stream));
}

size_t product(const std::vector<ptrdiff_t> &shape)
{
    size_t count = 1;
    for (const ptrdiff_t extent : shape)
        count *= (size_t)extent;
    return count;
}

/* ---- CuPy's numbers of types ---- */

template <typename F> void with_type(int type, F &&f)
{
    switch (type) {
    case 0:
        return f((int8_t)0);
    case 1:
        return f((uint8_t)0);
    case 2:
        return f((int16_t)0);
    case 3:
        return f((uint16_t)0);
    case 4:
        return f((int32_t)0);
    case 5:
        return f((uint32_t)0);
    case 6:
        return f((int64_t)0);
    case 7:
        return f((uint64_t)0);
    case 8:
        return f(__half());
    case 9:
        return f(0.0f);
    case 10:
        return f(0.0);
    case 11:
        return f(pair_of<float>());
    case 12:
        return f(pair_of<double>());
    case 13:
        return f(false);
    default:
        throw std::runtime_error("a type that cannot be sorted");
    }
}

} // namespace

void thrust_sort(int type, void *data, size_t *, const std::vector<ptrdiff_t> &shape, intptr_t stream,
                 void *pool)
{
    with_type(type, [&](auto zero) {
        using T = decltype(zero);
        sort_rows(static_cast<T *>(data), product(shape), (size_t)shape.back(), by_value<T>{},
                  (cudaStream_t)stream, pool);
    });
}

void thrust_argsort(int type, size_t *places, void *data, void *, const std::vector<ptrdiff_t> &shape,
                    intptr_t stream, void *pool)
{
    const size_t count = product(shape), length = (size_t)shape.back();
    if (count == 0)
        return;
    number<<<blocks_of(count), THREADS, 0, (cudaStream_t)stream>>>(places, count, length);
    check(cudaGetLastError());
    with_type(type, [&](auto zero) {
        using T = decltype(zero);
        const by_place<T> less = {static_cast<const T *>(data), length};
        sort_rows(places, count, length, less, (cudaStream_t)stream, pool);
    });
}

void thrust_lexsort(int type, size_t *places, void *keys, size_t rows, size_t length, intptr_t stream,
                    void *pool)
{
    if (length == 0)
        return;
    number<<<blocks_of(length), THREADS, 0, (cudaStream_t)stream>>>(places, length, length);
    check(cudaGetLastError());
    with_type(type, [&](auto zero) {
        using T = decltype(zero);
        for (size_t row = 0; row < rows; row++) {
            const by_place<T> less = {static_cast<const T *>(keys) + row * length, length};
            sort_rows(places, length, length, less, (cudaStream_t)stream, pool);
        }
    });
}
