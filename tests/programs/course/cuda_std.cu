// <cuda/std/...> in kernels: types of C++'s library that work on both sides, from tuples to complex numbers.
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/numbers>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/cmath>
#include <cuda/functional>
#include "common.h"

namespace cs = cuda::std;

// Where the largest value stands, and what it is: nothing where there is none.
template <class T> __host__ __device__ cs::optional<cs::pair<int, T>> largest(cs::span<const T> values)
{
    static_assert(cs::is_arithmetic_v<T>, "numbers");
    if (values.empty())
        return cs::nullopt;
    auto best = cs::make_pair(-1, cs::numeric_limits<T>::lowest());
    for (cs::size_t i = 0; i < values.size(); i++)
        if (values[i] > best.second)
            best = cs::make_pair((int)i, values[i]);
    return best;
}

__global__ void rows(const float *values, int width, cs::tuple<int, float> *out)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const cs::span<const float> mine(values + row * width, row == 3 ? 0 : width);
    const auto found = largest<float>(mine);
    out[row] = found ? cs::make_tuple(found->first, found->second) : cs::make_tuple(-1, 0.0f);
}

// z -> z^2 + c, how often until |z| > 2.
__global__ void escapes(cs::array<int, 8> *counts, int rows)
{
    const int row = threadIdx.x;
    for (int column = 0; column < 8; column++) {
        const cs::complex<float> c(-2.0f + 3.0f * column / 8, -1.0f + 2.0f * row / rows);
        cs::complex<float> z = 0;
        int count = 0;
        while (cs::norm(z) <= 4.0f && count < 50) {
            z = z * z + c;
            count++;
        }
        counts[row][column] = count;
    }
}

template <class Operation>
__global__ void combine(const int *a, const int *b, int *out, int n, Operation operation)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = operation(a[i], b[i]);
}

using matrix = cs::mdspan<float, cs::dextents<int, 2>>;
using columns = cs::mdspan<float, cs::extents<int, 8, 8>, cs::layout_left>;

__global__ void transpose(float *to, const float *from, int height, int width)
{
    const matrix out(to, width, height);
    const cs::mdspan<const float, cs::dextents<int, 2>> in(from, height, width);
    for (int i = threadIdx.x; i < in.extent(0) * in.extent(1); i += blockDim.x)
        out(i % width, i / width) = in(i / width, i % width);
}

// The number of an array's first free place: the bits below it are set.
__global__ void places(const unsigned *taken, float *out)
{
    const unsigned mask = taken[threadIdx.x];
    const int free = cs::countr_one(mask);
    static_assert(cs::byteswap((cs::uint16_t)0x1234) == 0x3412 && cs::byteswap(0x12345678u) == 0x78563412u,
                  "");
    out[threadIdx.x] = cs::bit_cast<float>(cs::bit_cast<unsigned>(cs::numbers::pi_v<float>) + free) +
                       (cs::has_single_bit(mask + 1) && cs::popcount(mask) == free ? 1.0f : 0.0f);
}

__global__ void timed(cs::int64_t *nanoseconds)
{
    const auto start = cs::chrono::high_resolution_clock::now();
    auto end = start;
    while (end - start < cs::chrono::microseconds(20)) {
        __nanosleep(100); // for up to twice as long
        end = cs::chrono::high_resolution_clock::now();
    }
    *nanoseconds = cs::chrono::duration_cast<cs::chrono::nanoseconds>(end - start).count();
}

static bool tables()
{
    const int height = 64, width = 10;
    float *values;
    cs::tuple<int, float> *out;
    CHECK(cudaMallocManaged(&values, height * width * sizeof *values));
    CHECK(cudaMallocManaged(&out, height * sizeof *out));
    Random random;
    for (int i = 0; i < height * width; i++)
        values[i] = random.uniform();
    rows<<<2, height / 2>>>(values, width, out);
    CHECK_KERNEL();
    bool good = true;
    for (int row = 0; row < height; row++) {
        const auto want = largest<float>(cs::span<const float>(values + row * width, row == 3 ? 0 : width));
        const auto [at, value] = out[row];
        good &= want ? at == want->first && value == want->second : at == -1;
    }
    CHECK(cudaFree(values));
    CHECK(cudaFree(out));
    printf("span, optional, tuple: %s\n", good ? "ok" : "wrong");
    return good;
}

static bool numbers()
{
    cs::array<int, 8> *counts;
    CHECK(cudaMallocManaged(&counts, 16 * sizeof *counts));
    escapes<<<1, 16>>>(counts, 16);
    CHECK_KERNEL();
    // The middle row is the real axis: c = -2 to 0.25 never escapes, 0.625 does at once.
    bool good = counts[8][0] == 50 && counts[8][4] == 50 && counts[8][5] == 50 && counts[8][7] < 6;
    for (int row = 1; row < 16; row++)
        good &= counts[row] == counts[16 - row];
    CHECK(cudaFree(counts));
    printf("array, complex: %s\n", good ? "ok" : "wrong");
    return good;
}

static bool functions()
{
    const int n = 1000;
    int *a, *b, *out;
    CHECK(cudaMallocManaged(&a, n * sizeof *a));
    CHECK(cudaMallocManaged(&b, n * sizeof *b));
    CHECK(cudaMallocManaged(&out, n * sizeof *out));
    for (int i = 0; i < n; i++) {
        a[i] = i * 7 % 31;
        b[i] = i * 5 % 29;
    }
    bool good = true;
    const int blocks = cuda::ceil_div(n, 128);
    combine<<<blocks, 128>>>(a, b, out, n, cs::multiplies<int>());
    CHECK_KERNEL();
    for (int i = 0; i < n; i++)
        good &= out[i] == a[i] * b[i];
    combine<<<blocks, 128>>>(a, b, out, n, cuda::maximum<int>());
    CHECK_KERNEL();
    for (int i = 0; i < n; i++)
        good &= out[i] == (a[i] < b[i] ? b[i] : a[i]);
    combine<<<blocks, 128>>>(a, b, out, n, cuda::proclaim_return_type<int>([] __device__(int x, int y) {
                                 return cs::less<int>{}(x, y) ? x - y : cs::abs(y - x);
                             }));
    CHECK_KERNEL();
    for (int i = 0; i < n; i++)
        good &= out[i] == a[i] - b[i];
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(out));
    printf("functional: %s\n", good ? "ok" : "wrong");
    return good;
}

static bool dimensions()
{
    const int height = 24, width = 40;
    float *from, *to;
    cs::int64_t *slept;
    CHECK(cudaMallocManaged(&from, height * width * sizeof *from));
    CHECK(cudaMallocManaged(&to, height * width * sizeof *to));
    CHECK(cudaMallocManaged(&slept, sizeof *slept));
    for (int i = 0; i < height * width; i++)
        from[i] = (float)i;
    transpose<<<1, 64>>>(to, from, height, width);
    timed<<<1, 1>>>(slept);
    CHECK_KERNEL();
    bool good = *slept >= 20000;
    for (int i = 0; i < height * width; i++)
        good &= to[i] == from[i % height * width + i / height];
    const columns square(from);
    good &= &square(1, 0) == from + 1 && &square(0, 1) == from + 8 && square.extent(1) == 8;
    unsigned *taken = reinterpret_cast<unsigned *>(from);
    for (int i = 0; i < 16; i++)
        taken[i] = i % 2 ? (1u << i) - 1 : 0x10000u | ((1u << i) - 1);
    places<<<1, 16>>>(taken, to);
    CHECK_KERNEL();
    for (int i = 0; i < 16; i++)
        good &= std::fabs(to[i] - 3.14159265f - i % 2) < 1e-4f;
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    CHECK(cudaFree(slept));
    printf("mdspan, chrono, bit, numbers: %s\n", good ? "ok" : "wrong");
    return good;
}

int main()
{
    static_assert(cs::is_same<cs::remove_reference_t<int &>, int>::value, "type_traits");
    bool good = tables();
    good &= numbers();
    good &= functions();
    good &= dimensions();
    return report(good);
}
