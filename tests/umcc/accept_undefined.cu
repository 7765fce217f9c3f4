/*
 * Operations that C++ leaves undefined, in every place where umcc finds them, against an H200's rules
 * computed in another way; and everything that only looks like them: operators, templates, references,
 * bit-fields, pointers.
 */
#include "check.h"

#include <cstdint>
#include <cstring>

typedef unsigned char byte_of_colour;
template <class T> using alias = T;

/* ---- conversions: all places give what the rule says ---- */

template <class T, class F> __device__ T by_return(F x)
{
    return x;
}
__device__ int int_by_return(float x)
{
    return x * 1.0f;
}

template <class T> struct holder {
    T value;
    T *place;
    unsigned bits : 9;
};

template <class T, class F> __device__ bool all_places_agree(F x, T expected)
{
    T declared = x, assigned, array[2], *pointer = &array[1];
    const T constant = x * (F)1;
    holder<T> h = {0, &array[0], 3};
    assigned = x;
    array[threadIdx.x] = x;
    *pointer = x;
    h.value = x;
    bool same = declared == expected && assigned == expected && array[0] == expected &&
                *pointer == expected && constant == expected && h.value == expected;
    *h.place = x;
    same = same && array[0] == expected && by_return<T>(x) == expected && static_cast<T>(x) == expected;
    same = same && (T)x == expected && (T)(x) == expected && (T)h.value == expected;
    for (T i = x, once = 1; once; once = 0)
        same = same && i == expected;
    if (same)
        assigned = 0, assigned += x;
    return same && (assigned == expected || sizeof(T) < 4 || x != x);
}

/* The rule: to 32 bits at least (64 for long), then the lower bits. Exact in 128 bits. */
template <class T, class F> T by_rule(F x)
{
    const bool is_signed = (T)-1 < (T)0;
    const int width = sizeof(T) > 4 ? 64 : 32;
    const __int128 one = 1, least = is_signed ? -(one << (width - 1)) : 0,
                   most = (one << (is_signed ? width - 1 : width)) - 1;
    if (x != x)
        return width == 64 ? (T)(one << 63) : sizeof(F) > 4 ? (T)(one << 31) : (T)0;
    const __int128 whole = x > (F)1e30 ? most : x < (F)-1e30 ? least : (__int128)x;
    return (T)(whole > most ? most : whole < least ? least : whole);
}

enum { NUMBERS = 4000 };
template <class T, class F> __global__ void convert(const F *x, const T *expected, int *wrong)
{
    for (int i = 0; i < NUMBERS; i++)
        if (!all_places_agree<T, F>(x[i], expected[i]))
            atomicAdd(wrong, 1);
}

static uint64_t state = 1;
static uint64_t random_bits()
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* All kinds of numbers: near the limits of the types, and any bits at all. */
template <class F> F random_number(int i)
{
    static const double limits[] = {0,
                                    1,
                                    128,
                                    256,
                                    32768,
                                    65536,
                                    2147483648.0,
                                    4294967296.0,
                                    9223372036854775808.0,
                                    18446744073709551616.0,
                                    1e30};
    uint64_t bits = random_bits();
    F x;
    if (i % 2) {
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    x = (F)limits[bits % 11] + (F)((int)(bits >> 8 & 7) - 3) / 2;
    return bits >> 20 & 1 ? -x : x;
}

template <class T, class F> void conversions()
{
    F *x;
    T *expected;
    int *wrong;
    CHECK(cudaMallocManaged(&x, NUMBERS * sizeof *x) == cudaSuccess);
    CHECK(cudaMallocManaged(&expected, NUMBERS * sizeof *expected) == cudaSuccess);
    CHECK(cudaMallocManaged(&wrong, sizeof *wrong) == cudaSuccess);
    for (int i = 0; i < NUMBERS; i++) {
        x[i] = random_number<F>(i);
        expected[i] = by_rule<T, F>(x[i]);
    }
    *wrong = 0;
    convert<T, F><<<1, 1>>>(x, expected, wrong);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(*wrong == 0);
    cudaFree(x);
    cudaFree(expected);
    cudaFree(wrong);
}

/* ---- shifts ---- */

template <class T> struct sums {
    T left, right, assigned_left, assigned_right;
    long long mixed;
};

template <class T, class C> __global__ void shift(const T *a, const C *count, sums<T> *out)
{
    for (int i = 0; i < NUMBERS; i++) {
        T l = a[i], r = a[i];
        l <<= count[i];
        r >>= count[i];
        out[i] = {(T)(a[i] << count[i]), (T)(a[i] >> count[i]), l, r,
                  (long long)((a[i] << count[i] >> count[i] % 3) + 1)};
    }
}

/* In 128 bits, where no count from 0 to 64 is too large. */
template <class T, class C> sums<T> shifted(T a, C count)
{
    typedef decltype(+a) wide;
    const uint32_t n = (uint32_t)count;
    const wide left = n >= 8 * sizeof(wide) ? 0 : (wide)((__int128)(wide)a << n);
    const wide right = n >= 8 * sizeof(wide) ? ((wide)a < 0 ? -1 : 0) : (wide)((__int128)(wide)a >> n);
    const uint32_t m = (uint32_t)(count % 3);
    const wide mixed = m >= 8 * sizeof(wide) ? (left < 0 ? -1 : 0) : (wide)((__int128)left >> m);
    return {(T)left, (T)right, (T)left, (T)right, (long long)(mixed + 1)};
}

template <class T, class C> void shifts()
{
    T *a;
    C *count;
    sums<T> *out;
    CHECK(cudaMallocManaged(&a, NUMBERS * sizeof *a) == cudaSuccess);
    CHECK(cudaMallocManaged(&count, NUMBERS * sizeof *count) == cudaSuccess);
    CHECK(cudaMallocManaged(&out, NUMBERS * sizeof *out) == cudaSuccess);
    for (int i = 0; i < NUMBERS; i++) {
        a[i] = (T)random_bits();
        count[i] = (C)(i % 3 ? random_bits() % 70 : random_bits());
    }
    shift<T, C><<<1, 1>>>(a, count, out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    int wrong = 0;
    for (int i = 0; i < NUMBERS; i++) {
        const sums<T> s = shifted<T, C>(a[i], count[i]);
        wrong += s.left != out[i].left || s.right != out[i].right ||
                 s.assigned_left != out[i].assigned_left || s.assigned_right != out[i].assigned_right ||
                 s.mixed != out[i].mixed;
    }
    CHECK(wrong == 0);
    cudaFree(a);
    cudaFree(count);
    cudaFree(out);
}

/* ---- divisions ---- */

template <class T> __global__ void divide(const T *a, const T *b, T *quotient, T *rest)
{
    for (int i = 0; i < 4; i++) {
        quotient[i] = a[i] / b[i];
        rest[i] = a[i] % b[i];
    }
}

template <class T> void divisions(T least)
{
    T *x;
    CHECK(cudaMallocManaged(&x, 16 * sizeof *x) == cudaSuccess);
    const T a[] = {7, 100, least, 3}, b[] = {0, 7, (T)-1, 0};
    memcpy(x, a, sizeof a);
    memcpy(x + 4, b, sizeof b);
    divide<T><<<1, 1>>>(x, x + 4, x + 8, x + 12);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    const T none = sizeof(T) > 4 ? (T)UINT32_MAX : (T)-1;
    CHECK(x[8] == none && x[12] == none && x[11] == none && x[15] == none);
    CHECK(x[9] == 100 / 7 && x[13] == 100 % 7);
    if ((T)-1 < 0)
        CHECK(x[10] == least && x[14] == 0);
    cudaFree(x);
}

struct path {
    int parts;
    __device__ path operator/(const path &other) const
    {
        return {parts + other.parts};
    }
    __device__ int operator%(int by) const
    {
        return parts - by;
    }
    __device__ path &operator/=(int by)
    {
        parts = 100 * by;
        return *this;
    }
};
struct narrow {
    unsigned bits : 3;
};
enum size { SMALL = 2 };

/* Each by its own rule of types, whatever stands for the operators. */
__global__ void divide_others(float *out, int zero, int two)
{
    constexpr int n = 12;
    int array[n / 3 % 5] = {}, i = 7;
    unsigned u = 5 + two; /* were it known, g++ would know that no quotient is larger */
    const path a{1}, b{2};
    path c{3};
    narrow of_three{7};
    int at = 0;
    out[at++] = (float)(sizeof array / sizeof *array);
    out[at++] = 7 / 2.0f;
    out[at++] = (float)(i / two * 10 + i % two);
    out[at++] = (float)(-7 / (two + of_three.bits)); /* a bit-field of 3 bits is an int */
    out[at++] = (float)((a / b).parts + b % 1);
    c /= two;
    out[at++] = (float)c.parts;
    i /= two;
    out[at++] = (float)i;
    i %= two;
    out[at++] = (float)i;
    float f = 9;
    f /= two;
    out[at++] = f;
    i = 9;
    i /= 2.5f;
    out[at++] = (float)i;
    out[at++] = (float)(100 / SMALL / two);
    out[at++] = (float)((short)-9 / (unsigned char)two);
    out[at++] = u / -two == 0u;
    out[at++] = 1 / (float)zero > 1e30f;
    u /= zero;
    out[at++] = u == ~0u;
    i = two;
    i %= zero;
    out[at++] = i == -1;
    signed char s = (signed char)two;
    s /= zero;
    out[at++] = s == -1;
    long long longer = (long long)two << 40;
    longer /= zero;
    out[at++] = longer == -1;
}

void other_divisions()
{
    static const float expected[] = {4, 3.5f, 31, 0, 4, 200, 3, 1, 4.5f, 3, 25, -4, 1, 1, 1, 1, 1, 1};
    float *out;
    CHECK(cudaMallocManaged(&out, sizeof expected) == cudaSuccess);
    divide_others<<<1, 1>>>(out, 0, 2);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < (int)(sizeof expected / sizeof *expected); i++)
        if (out[i] != expected[i])
            printf("%d: %g, not %g\n", i, (double)out[i], (double)expected[i]);
    CHECK(memcmp(out, expected, sizeof expected) == 0);
    cudaFree(out);
}

/* ---- what only looks like them ---- */

struct stream {
    int sum;
    template <class T> __device__ stream &operator<<(const T &value)
    {
        sum = sum * 10 + (int)value;
        return *this;
    }
    __device__ stream operator>>(int by) const
    {
        return {sum - by};
    }
    __device__ stream &operator<<=(int by)
    {
        sum += by;
        return *this;
    }
    __device__ stream &operator=(float value)
    {
        sum = (int)(value * 2);
        return *this;
    }
};
struct only_moved {
    int value;
    __device__ explicit only_moved(int v) : value(v)
    {
    }
    only_moved(const only_moved &) = delete;
    __device__ only_moved(only_moved &&other) : value(other.value)
    {
    }
    __device__ only_moved &operator=(only_moved &&other)
    {
        value = other.value;
        return *this;
    }
};
enum class colour : unsigned char { red = 1, blue = 4 };
__device__ constexpr colour operator<<(colour c, int n)
{
    return (colour)((int)c + 10 * n);
}
struct fields {
    unsigned narrow : 3, wide : 20;
    int negative : 5;
};
template <class A, class B> struct pair_of {
    A first;
    B second;
};
using reference = int &;
__device__ int twice(int x)
{
    return 2 * x;
}
__device__ float twice(float x)
{
    return 2 * x;
}

__global__ void look_alikes(int *out, int n, float x)
{
    stream s = {0};
    s << n << 2 << x;
    out[0] = s.sum; /* 323 for n = 3, x = 3.5 */
    out[1] = (s >> n).sum;
    s <<= n;
    s = x;
    out[2] = s.sum;
    only_moved m(n), k = only_moved(n + 1);
    m = only_moved(n + 2);
    m = static_cast<only_moved &&>(k);
    out[3] = m.value;
    out[4] = (int)(colour::red << n);
    fields f = {};
    f.narrow = n;
    f.wide = x * 1000;
    f.negative = -n;
    f.wide += 1.5f;
    f.wide <<= n - 2;
    out[5] = (f.narrow << n) - 25 < 0;
    out[6] = f.wide;
    out[7] = f.negative >> n;
    pair_of<pair_of<int, int>, pair_of<float, pair_of<int, int>>> p = {{1, n}, {x, {2, 3}}};
    out[8] = p.first.second + p.second.second.second;
    int &r = out[9];
    reference t = out[10];
    r = n;
    t = x;
    const int &c = x * 2;
    out[11] = c;
    int *q = 0, (*call)(int) = twice;
    float (*other)(float);
    other = twice;
    q = n ? out : NULL;
    q = &out[12];
    *q = call(n) + (int)other(x);
    auto lambda = [=, y = x](float z) { return (int)(y + z); };
    out[13] = lambda(x);
    enum local { one = 1, eight = one << 3 };
    constexpr int size = 1 << 2;
    int array[size] = {1, 2, 3, 4}, sum = 0;
    for (int i = 0, end = size; i < end; i++)
        sum += array[i];
    out[14] = sum + eight;
    char text[] = "abc", *at = text;
    at += 1;
    out[15] = *at;
    unsigned mask = ~0u, count = 32;
    out[16] = (mask >> (count - n)) == 7 && (count > 31 ? (1u << count) - 1 : 5) == ~0u;
    bool truth = x;
    truth = n << 1;
    out[17] = truth;
    n > 1 ? out[18] = x : out[19] = x;
    float real = n;
    real += n;
    real = x = real;
    out[20] = real;
    volatile int seen = x;
    seen = seen << 1;
    out[21] = seen;
    alias<int> alike = x;
    out[22] = alike >> (n - 2);
    *(out + 23) = (n < 5) ? (short)x : (byte_of_colour)-x;
    switch (n << 1) {
    case 3 << 1:
        out[24] = (int)sizeof(float) + (int)-1.5f;
    }
}

int main()
{
#define ALL(function, other)                                                                                 \
    function<signed char, other>();                                                                          \
    function<unsigned char, other>();                                                                        \
    function<short, other>();                                                                                \
    function<unsigned short, other>();                                                                       \
    function<int, other>();                                                                                  \
    function<unsigned, other>();                                                                             \
    function<long long, other>();                                                                            \
    function<unsigned long long, other>()
    ALL(conversions, float);
    ALL(conversions, double);
    ALL(shifts, int);
    ALL(shifts, unsigned long long);
    ALL(shifts, unsigned char);
    divisions<int>(INT32_MIN);
    divisions<unsigned>(0);
    divisions<long long>(INT64_MIN);
    other_divisions();

    static const int expected[] = {323, 320, 7,  4, 31, 1, 7002, -1, 6,  3, 3, 7, 13,
                                   7,   18,  98, 1, 1,  3, 0,    6,  12, 3, 6, 3};
    int *out;
    CHECK(cudaMallocManaged(&out, 4096) == cudaSuccess);
    look_alikes<<<1, 1>>>(out, 3, 3.5f);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < (int)(sizeof expected / sizeof *expected); i++)
        if (out[i] != expected[i])
            printf("%d: %d, not %d\n", i, out[i], expected[i]);
    for (int i = 0; i < (int)(sizeof expected / sizeof *expected); i++)
        CHECK(out[i] == expected[i]);
    return finish();
}
