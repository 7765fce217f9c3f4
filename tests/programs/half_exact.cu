/**
 * @file half_exact.cu
 * @brief half and bfloat16 in kernels, bit by bit: functions of one number and conversions for all 65,536,
 * arithmetic for each of these with many others, floats and integers in each way of rounding, against what
 * this program works out.
 *
 * Its own results come from long double, rounded once by search in the table of all numbers: none of the
 * headers' code, nor of their methods. Prints for each function how many results differ, and of what; exit 0
 * when none does.
 */
#include "need.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <vector>

enum { ALL = 65536, OTHERS = 12, THREADS = 256 };

static bool good = true;

/* What a long double could not hold of the last result of a multiply-add: decides ties. */
static long double rest;

/* A format by its digits and exponents: the value of each number, and the nearest number to a value. */
struct format {
    unsigned short infinity;
    std::vector<long double>
        values; /* of the positive numbers; infinity is where it would be if it were a number */

    format(int digits, int lowest, unsigned short infinity_) : infinity(infinity_)
    {
        for (int bits = 0; bits <= infinity; bits++) {
            const int exponent = bits >> digits, fraction = bits & ((1 << digits) - 1);
            values.push_back(exponent == 0
                                 ? ldexpl(fraction, lowest - digits)
                                 : ldexpl(fraction + (1 << digits), lowest - digits + exponent - 1));
        }
    }
    long double value(unsigned short bits) const
    {
        const unsigned short magnitude = bits & 0x7fff;
        const long double result = magnitude < infinity    ? values[magnitude]
                                   : magnitude == infinity ? (long double)INFINITY
                                                           : (long double)NAN;
        return bits & 0x8000 ? -result : result;
    }
    /* The number next to x on the side that is asked for: 1 towards zero, 2 down, 3 up; 0 the nearest one. */
    unsigned short beside(long double x, int way) const
    {
        if (way == 0 || isnan(x) || isinf(x))
            return nearest(x);
        const unsigned short sign = signbit(x) ? 0x8000 : 0;
        unsigned short low = 0;
        for (int step = 1 << 14; step > 0; step /= 2)
            if (low + step < infinity && values[low + step] <= fabsl(x))
                low += (unsigned short)step;
        const bool outwards = values[low] != fabsl(x) && way == (sign ? 2 : 3);
        return sign | (unsigned short)(low + outwards);
    }
    /* The largest number whose magnitude is not above, or the one behind it: which is nearer, ties to even.
     */
    unsigned short nearest(long double x) const
    {
        if (isnan(x))
            return 0x7fff;
        const unsigned short sign = signbit(x) ? 0x8000 : 0;
        const long double magnitude = fabsl(x), more = sign ? -rest : rest;
        int low = 0, high = infinity;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            (values[middle] <= magnitude ? low : high) = middle;
        }
        const long double middle = (values[low] + values[high]) / 2;
        const bool tie = magnitude == middle;
        return sign |
               (unsigned short)(magnitude > middle || (tie && (more > 0 || (more == 0 && low % 2 == 1)))
                                    ? high
                                    : low);
    }
};

static const format half_format(10, -14, 0x7c00), bfloat16_format(7, -126, 0x7f80);

/* A product has few digits, and is exact. */
static long double multiply_add(long double a, long double b, long double c)
{
    const long double product = a * b, sum = product + c, back = sum - product;
    rest = (product - (sum - back)) + (c - back);
    return sum;
}

__device__ half from_bits(unsigned short bits, half)
{
    return __ushort_as_half(bits);
}
__device__ __nv_bfloat16 from_bits(unsigned short bits, __nv_bfloat16)
{
    return __ushort_as_bfloat16(bits);
}
__device__ unsigned short to_bits(half h)
{
    return __half_as_ushort(h);
}
__device__ unsigned short to_bits(__nv_bfloat16 h)
{
    return __bfloat16_as_ushort(h);
}

/* Each function: what the kernel does, what it is. */
#define FUNCTION(name, kernels, hosts)                                                                       \
    struct name {                                                                                            \
        template <class T> static __device__ T kernel(T a, T b, T c)                                         \
        {                                                                                                    \
            (void)b, (void)c;                                                                                \
            return kernels;                                                                                  \
        }                                                                                                    \
        static long double host(long double a, long double b, long double c)                                 \
        {                                                                                                    \
            (void)b, (void)c;                                                                                \
            return hosts;                                                                                    \
        }                                                                                                    \
    };
FUNCTION(adds, __hadd(a, b), a + b)
FUNCTION(subtracts, __hsub(a, b), a - b)
FUNCTION(multiplies, __hmul(a, b), a *b)
FUNCTION(divides, __hdiv(a, b), a / b)
FUNCTION(multiplies_and_adds, __hfma(a, b, c), multiply_add(a, b, c))
FUNCTION(square_root, hsqrt(a), sqrtl(a))
FUNCTION(reciprocal_root, hrsqrt(a), 1 / sqrtl(a))
FUNCTION(reciprocal, hrcp(a), 1 / a)
FUNCTION(exponential, hexp(a), expl(a))
FUNCTION(exponential_2, hexp2(a), exp2l(a))
FUNCTION(exponential_10, hexp10(a), powl(10, a))
FUNCTION(logarithm, hlog(a), logl(a))
FUNCTION(logarithm_2, hlog2(a), log2l(a))
FUNCTION(logarithm_10, hlog10(a), log10l(a))
FUNCTION(sine, hsin(a), sinl(a))
FUNCTION(cosine, hcos(a), cosl(a))
FUNCTION(tangent_h, htanh(a), tanhl(a))
FUNCTION(whole, htrunc(a), truncl(a))
FUNCTION(below, hfloor(a), floorl(a))
FUNCTION(above, hceil(a), ceill(a))
FUNCTION(nearest_whole, hrint(a), rintl(a))

template <class F, class T>
__global__ void compute(const unsigned short *others, unsigned short *results, int turn)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned short b = others[(i + turn) % ALL], c = others[(i * 7 + turn) % ALL];
    results[i] = to_bits(F::kernel(from_bits((unsigned short)i, T()), from_bits(b, T()), from_bits(c, T())));
}

static unsigned short *others, *results;
static std::vector<unsigned short> other_numbers(ALL), found(ALL);

/* Any numbers; every fourth is a neighbour of 1, or an end. */
static void prepare()
{
    static const unsigned short ends[] = {0,      0x8000, 1,      0x8001, 0x3c00, 0x3c01, 0x3bff,
                                          0x3f80, 0x3f81, 0x7bff, 0x7c00, 0x7f80, 0x7f7f, 0x7e00};
    unsigned state = 1;
    for (unsigned short &number : other_numbers) {
        state = state * 1664525u + 1013904223u;
        number = (unsigned short)(state >> 16);
        if (state >> 8 & 3)
            continue;
        number = ends[(state >> 10) % (sizeof ends / sizeof ends[0])];
    }
    NEED(cudaMalloc(&others, ALL * sizeof *others));
    NEED(cudaMalloc(&results, ALL * sizeof *results));
    NEED(cudaMemcpy(others, other_numbers.data(), ALL * sizeof *others, cudaMemcpyHostToDevice));
}

template <class F, class T>
static void compare(const char *type, const char *name, const format &format, int turns)
{
    int wrong = 0;
    for (int turn = 0; turn < turns; turn++) {
        compute<F, T><<<ALL / THREADS, THREADS>>>(others, results, turn);
        NEED(cudaMemcpy(found.data(), results, ALL * sizeof *results, cudaMemcpyDeviceToHost));
        for (unsigned i = 0; i < ALL; i++) {
            const unsigned short a = (unsigned short)i, b = other_numbers[(i + turn) % ALL],
                                 c = other_numbers[(i * 7 + turn) % ALL];
            rest = 0;
            const unsigned short exact =
                format.nearest(F::host(format.value(a), format.value(b), format.value(c)));
            if (found[i] != exact && wrong++ < 3)
                printf("%s %s of 0x%04x, 0x%04x, 0x%04x is 0x%04x, not 0x%04x\n", type, name, a, b, c,
                       found[i], exact);
        }
    }
    if (wrong)
        printf("%s %s: %d of %d differ\n", type, name, wrong, turns * ALL);
    good &= wrong == 0;
}

template <class T> static void compare_all(const char *type, const format &format)
{
#define COMPARE(name, turns) compare<name, T>(type, #name, format, turns)
    COMPARE(adds, OTHERS);
    COMPARE(subtracts, 2);
    COMPARE(multiplies, OTHERS);
    COMPARE(divides, OTHERS);
    COMPARE(multiplies_and_adds, OTHERS);
    COMPARE(square_root, 1);
    COMPARE(reciprocal_root, 1);
    COMPARE(reciprocal, 1);
    COMPARE(exponential, 1);
    COMPARE(exponential_2, 1);
    COMPARE(exponential_10, 1);
    COMPARE(logarithm, 1);
    COMPARE(logarithm_2, 1);
    COMPARE(logarithm_10, 1);
    COMPARE(sine, 1);
    COMPARE(cosine, 1);
    COMPARE(tangent_h, 1);
    COMPARE(whole, 1);
    COMPARE(below, 1);
    COMPARE(above, 1);
    COMPARE(nearest_whole, 1);
}

/* Conversions: to nearest, towards zero, down, up. */
#define FOUR_WAYS(T, X, name)                                                                                \
    __device__ void four_ways(X x, T, unsigned short *out)                                                   \
    {                                                                                                        \
        out[0] = to_bits(name##_rn(x));                                                                      \
        out[1] = to_bits(name##_rz(x));                                                                      \
        out[2] = to_bits(name##_rd(x));                                                                      \
        out[3] = to_bits(name##_ru(x));                                                                      \
    }
FOUR_WAYS(half, float, __float2half)
FOUR_WAYS(half, long long, __ll2half)
FOUR_WAYS(__nv_bfloat16, float, __float2bfloat16)
FOUR_WAYS(__nv_bfloat16, long long, __ll2bfloat16)
#define TO_INTEGERS(T, name)                                                                                 \
    __device__ void to_integers(T x, int *out)                                                               \
    {                                                                                                        \
        out[0] = name##_rn(x);                                                                               \
        out[1] = name##_rz(x);                                                                               \
        out[2] = name##_rd(x);                                                                               \
        out[3] = name##_ru(x);                                                                               \
    }
TO_INTEGERS(half, __half2int)
TO_INTEGERS(__nv_bfloat16, __bfloat162int)

template <class T>
__global__ void convert(const float *floats, const long long *integers, unsigned short *from_floats,
                        unsigned short *from_integers, int *back)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    four_ways(floats[i], T(), from_floats + 4 * i);
    four_ways(integers[i], T(), from_integers + 4 * i);
    to_integers(from_bits((unsigned short)i, T()), back + 4 * i);
}

static int whole_number(long double x, int way)
{
    const long double whole = way == 0 ? rintl(x) : way == 1 ? truncl(x) : way == 2 ? floorl(x) : ceill(x);
    return isnan(x) ? 0 : whole >= INT_MAX ? INT_MAX : whole <= INT_MIN ? INT_MIN : (int)whole;
}

/* Floats at and beside numbers of 16 bits, ties, and others; integers of all sizes. */
struct inputs {
    float floats[ALL];
    long long integers[ALL];
    unsigned short from_floats[4 * ALL], from_integers[4 * ALL];
    int back[4 * ALL];
};

template <class T> static void compare_conversions(const char *type, const format &format)
{
    static const unsigned low[8] = {0, 0x1000, 0x0fff, 0x1001, 0x8000, 0x7fff, 0x8001, 0x3000};
    int wrong = 0;
    inputs *in;
    NEED(cudaMallocManaged(&in, sizeof *in));
    for (unsigned i = 0; i < ALL; i++) {
        const unsigned bits = i << 16 | low[other_numbers[i] % 8];
        memcpy(&in->floats[i], &bits, sizeof bits);
        in->integers[i] = (long long)((unsigned long long)other_numbers[i] << 48 |
                                      (unsigned long long)i << 20 | other_numbers[ALL - 1 - i]) >>
                          i % 64;
    }
    convert<T>
        <<<ALL / THREADS, THREADS>>>(in->floats, in->integers, in->from_floats, in->from_integers, in->back);
    NEED(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 4 * ALL; i++) {
        rest = 0;
        const long double x = in->floats[i / 4], whole = (long double)in->integers[i / 4];
        const int way = (int)(i % 4);
        const bool right = in->from_floats[i] == format.beside(x, way) &&
                           in->from_integers[i] == format.beside(whole, way) &&
                           in->back[i] == whole_number(format.value((unsigned short)(i / 4)), way);
        if (!right && wrong++ < 3)
            printf("%s, rounded by way %d: %a becomes 0x%04x, %lld 0x%04x, 0x%04x becomes %d\n", type, way,
                   in->floats[i / 4], in->from_floats[i], in->integers[i / 4], in->from_integers[i], i / 4,
                   in->back[i]);
    }
    if (wrong)
        printf("%s conversions: %d of %d differ\n", type, wrong, 4 * ALL);
    good &= wrong == 0;
    NEED(cudaFree(in));
}

int main(void)
{
    prepare();
    compare_conversions<half>("half", half_format);
    compare_conversions<__nv_bfloat16>("bfloat16", bfloat16_format);
    compare_all<half>("half", half_format);
    compare_all<__nv_bfloat16>("bfloat16", bfloat16_format);
    printf("half_exact: %s\n", good ? "all results are the nearest numbers" : "some results differ");
    return good ? 0 : 1;
}
