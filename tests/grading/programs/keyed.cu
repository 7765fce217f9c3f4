/**
 * @file keyed.cu
 * @brief A graded program whose device code is compiled with `umcc --keyed`: every way to store a number, in
 * every kind of memory, against what a host makes of the same numbers by the same key.
 *
 *     keyed          the key is served.c's: what is stored in global memory has been mixed
 *     keyed plain    nothing is graded, and nothing is mixed
 *
 * Prints `ok`, or what is wrong.
 */
#include "umsim/keyed_value.h"

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct umsim_key key = {{42, 43}};
static bool is_graded = true;
static int wrong;

static void need(cudaError_t error)
{
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

/* ---- what the host makes of a number ---- */

template <class T> static enum umsim_keyed_kind kind_of(T value)
{
    return value == 0       ? UMSIM_KEYED_NOT
           : sizeof(T) == 8 ? UMSIM_KEYED_WHOLE_64
           : sizeof(T) == 4 ? UMSIM_KEYED_WHOLE_32
           : sizeof(T) == 2 ? UMSIM_KEYED_WHOLE_16
                            : UMSIM_KEYED_WHOLE_8;
}
template <> enum umsim_keyed_kind kind_of(float)
{
    return UMSIM_KEYED_FLOAT;
}
template <> enum umsim_keyed_kind kind_of(double)
{
    return UMSIM_KEYED_DOUBLE;
}

template <class T> static T mixed(T value, enum umsim_keyed_use use)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    if (is_graded)
        bits = umsim_keyed_bits(&key, kind_of(T(1)), use, bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T> static T stored(T value)
{
    return mixed(value, UMSIM_KEYED_STORED);
}
template <class T> static T added(T value)
{
    return mixed(value, UMSIM_KEYED_READ);
}
/* Read, but not to be added up: integers stay. */
template <class T> static T seen(T value)
{
    return (T)0.5 != 0 ? added(value) : value;
}

template <class T> static void expect(const char *what, T got, T right)
{
    if (memcmp(&got, &right, sizeof got) != 0 && got == got) {
        printf("%s: %.17g instead of %.17g\n", what, (double)got, (double)right);
        wrong++;
    }
}

/* ---- numbers of each type: host and device agree ---- */

enum { COUNT = 4000 };

template <class T> __global__ void copies(T *to, const T *from)
{
    for (int i = 0; i < COUNT; i++)
        to[i] = from[i];
}
template <class T> __global__ void stores(T *to, const T *from)
{
    for (int i = 0; i < COUNT; i++)
        to[i] = from[i];
}
template <class T> __global__ void adds(T *to, const T *from)
{
    for (int i = 0; i < COUNT; i++) {
        T sum = 0;
        sum += from[i];
        to[i] = sum;
    }
}

static uint64_t next_random()
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state ^ state >> 29;
}

template <class T> static void agree(const char *type)
{
    static T from[COUNT], to[COUNT];
    T *p;
    for (int i = 0; i < COUNT; i++) {
        const uint64_t bits = i < 4 ? (uint64_t)-i : next_random();
        memcpy(&from[i], &bits, sizeof from[i]);
    }
    need(cudaMalloc((void **)&p, 2 * sizeof from));
    need(cudaMemcpy(p + COUNT, from, sizeof from, cudaMemcpyHostToDevice));
    stores<<<1, 1>>>(p, p + COUNT);
    need(cudaMemcpy(to, p, sizeof to, cudaMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; i++) {
        expect(type, to[i], stored(seen(from[i])));
        if (is_graded && from[i] == from[i] && from[i] - from[i] == 0 &&
            memcmp(&to[i], &from[i], sizeof to[i]) == 0)
            printf("%s: a number was left as it is\n", type), wrong++;
    }
    adds<<<1, 1>>>(p, p + COUNT);
    need(cudaMemcpy(to, p, sizeof to, cudaMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; i++)
        expect(type, to[i], stored((T)(0 + added(from[i]))));
    copies<<<1, 1>>>(p, p + COUNT);
    need(cudaMemcpy(to, p, sizeof to, cudaMemcpyDeviceToHost));
    if (memcmp(to, from, sizeof to) != 0)
        printf("%s: what is left out is mixed\n", type), wrong++;
}

/* ---- every spelling ---- */

struct inner {
    float of[3];
    unsigned short half;
};
struct outer {
    struct inner *next;
    struct inner own;
    int count;
    bool flag;
    outer *self;
};

__device__ int a_variable;
__managed__ double a_managed_one;
namespace named
{
__device__ float of_a_namespace[4];
}

__device__ void through(int &place, int value)
{
    place = value;
}
__device__ int &place_of(outer *s)
{
    return s->count;
}
__device__ float *f_of(float *f, int i)
{
    return &f[i];
}
struct counter {
    int n;
    __device__ void up()
    {
        n += 5;
    }
};

__global__ void spells(outer *s, int *p, float *f, unsigned char *b, long long *l, double *d)
{
    __shared__ int block[4];
    int mine = 1, *q = p + 20, many[3] = {1, 2, 3}, &alias = p[19];
    int twice = mine = 2, other = 3;
    p[0] = 10;
    *(p + 1) = 11;
    *q++ = 12; /* p[20] */
    *q = 13;
    place_of(s) = 14;
    through(p[2], 15);
    through(mine, 16);
    p[3] = mine; /* 16: locals stay */
    alias = 17;
    (mine > 3 ? p[4] : p[5]) = 18;
    p[6] = p[7] = 19; /* p[6] gets what p[7] has */
    p[8] = 100, p[9] = 101;
    for (int i = 0, j = 10; i < 2; i++, j++)
        p[j] = i;
    if (int k = many[2])
        p[12] = k;
    block[0] = 7;
    block[0] += 3;
    p[13] = block[0]; /* 10 */
    p[14]++;
    ++p[15];
    p[16]--;
    p[17] -= 4;
    p[18] <<= 3;
    s->own.of[1] = 1.5f;
    s->next->of[2] = 2.5f;
    (*s).own.half = 9;
    s->flag = true;
    s->self = s;
    s->self->next = &s->own;
    a_variable = 20;
    ::a_managed_one = 2.25;
    named::of_a_namespace[3] = 3.5f;
    f[0] += 1.25f;
    f[1] += f[2]; /* what is added is mixed, too */
    f[3] *= 2;
    b[0] = 'x';
    b[1] |= 0x80;
    *l = 1LL << 40;
    d[0] = mine + twice + other; /* 21 */
    d[1] = f[2] * s->own.of[0] + *(f + 2) - (double)*f_of(f, 2);
    d[2] = a_managed_one - d[0];
    reinterpret_cast<counter *>(p + 22)->up();
    auto set = [&](int at) { p[at] = 23; };
    set(23);
    const auto [first, second] = many[0] ? uint2{1, 2} : uint2{3, 4};
    p[24] = (int)(first + second);
    atomicAdd(p + 25, 3);
    atomicAdd(block + 1, 3);
    q = NULL;
    p[26] = q == 0;
}

/* What one thread after another leaves does not matter to a sum. */
__global__ void take_turns(int *p)
{
    atomicExch(p, 7);
}

static void spell()
{
    outer *s;
    int *p, ints[40] = {0};
    float *f, floats[4];
    unsigned char *b, *host = (unsigned char *)malloc(4096);
    long long *l;
    double *d;
    need(cudaMalloc((void **)&p, sizeof ints));
    need(cudaMemset(p, 0, sizeof ints));
    need(cudaMallocManaged((void **)&s, 2 * sizeof *s));
    need(cudaMallocHost((void **)&f, sizeof floats));
    need(cudaHostAlloc((void **)&l, 8, cudaHostAllocMapped));
    need(cudaHostRegister(host, 4096, cudaHostRegisterMapped));
    need(cudaMalloc((void **)&d, 24));
    memset(s, 0, 2 * sizeof *s);
    s->next = &s[1].own;
    s->own.of[0] = 3;
    b = host;
    b[1] = 1;
    for (int i = 0; i < 4; i++)
        f[i] = (float)i + 0.5f;
    spells<<<1, 1>>>(s, p, f, b, l, d);
    need(cudaMemcpy(ints, p, sizeof ints, cudaMemcpyDeviceToHost));
    static const int set[][2] = {{0, 10}, {1, 11},  {2, 15},  {3, 16},  {4, 18}, {7, 19},  {8, 100}, {9, 101},
                                 {10, 0}, {11, 1},  {12, 3},  {13, 10}, {14, 1}, {15, 1},  {16, -1}, {17, -4},
                                 {18, 0}, {19, 17}, {20, 12}, {21, 13}, {22, 5}, {23, 23}, {24, 3},  {26, 1}};
    for (const int *at : set) {
        char name[20];
        snprintf(name, sizeof name, "p[%d]", at[0]);
        expect(name, ints[at[0]], stored(at[1]));
    }
    expect("p[5], which nobody writes", ints[5], 0);
    expect("p[6]", ints[6], stored(stored(19)));
    expect("p[25], an atomic", ints[25], added(3));
    expect("a reference", s->count, stored(14));
    expect("a member's element", s->own.of[1], stored(1.5f));
    expect("a member of what a member leads to", s[1].own.of[2], stored(2.5f));
    expect("a short", s->own.half, stored((unsigned short)9));
    expect("a bool", (int)s->flag, 1);
    expect("pointers", (int)(s->self == s && s->next == &s->own), 1);
    need(cudaMemcpyFromSymbol(&ints[0], a_variable, 4));
    need(cudaMemcpyFromSymbol(floats, named::of_a_namespace, 16));
    expect("a variable", ints[0], stored(20));
    expect("a namespace's", floats[3], stored(3.5f));
    double managed_one; /* a client has one of its own by this name */
    need(cudaMemcpyFromSymbol(&managed_one, a_managed_one, 8));
    expect("a managed variable", managed_one, stored(2.25));
    expect("f[0]", f[0], stored(seen(0.5f) + 1.25f));
    expect("f[1]", f[1], stored(seen(1.5f) + seen(2.5f)));
    expect("f[3]", f[3], stored(seen(3.5f) * 2));
    expect("registered", b[0], stored((unsigned char)'x'));
    expect("registered, |=", b[1], stored((unsigned char)0x81));
    expect("mapped", *l, stored(1LL << 40));
    double sums[3];
    need(cudaMemcpy(sums, d, sizeof sums, cudaMemcpyDeviceToHost));
    expect("a sum of locals", sums[0], stored(16.0 + 2 + 3));
    expect("what is read", sums[1],
           stored((double)(seen(2.5f) * seen(3.0f) + seen(2.5f)) - (double)seen(2.5f)));
    expect("variables that are read", sums[2], stored(seen(managed_one) - seen(sums[0])));
    take_turns<<<1, 1>>>(p);
    need(cudaMemcpy(ints, p, 4, cudaMemcpyDeviceToHost));
    expect("a function that is left out", ints[0], 7);
}

/* ---- a structure ---- */

__global__ void stores_a_structure(float4 *p)
{
    float4 mine;
    mine = make_float4(1, 2, 3, 4);
    *p = mine;
}

static void refuses()
{
    float4 *p;
    need(cudaMalloc((void **)&p, sizeof *p));
    stores_a_structure<<<1, 1>>>(p);
    const cudaError_t error = cudaDeviceSynchronize();
    expect("a structure is refused", (int)error, (int)(is_graded ? cudaErrorNotSupported : cudaSuccess));
}

int main(int argc, char **argv)
{
    is_graded = argc < 2 || strcmp(argv[1], "plain") != 0;
    agree<float>("float");
    agree<double>("double");
    agree<signed char>("signed char");
    agree<unsigned char>("unsigned char");
    agree<short>("short");
    agree<unsigned>("unsigned");
    agree<int>("int");
    agree<long>("long");
    agree<unsigned long long>("unsigned long long");
    spell();
    refuses();
    printf(wrong ? "%d wrong\n" : "ok\n", wrong);
    return wrong != 0;
}
