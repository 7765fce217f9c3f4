// What docs/undefined.md says of 64 bits, of the two zeros and of fast arithmetic, asked: of an H200, whose
// answers are kept in measured/ (asked-h200.txt, and asked-fast-h200.txt of nvcc -use_fast_math), and of the
// simulator (run.sh). Operands come from memory, so that no compiler knows them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

typedef unsigned long long word;

__global__ void divide(const word *a, const word *b, word *result, int n)
{
    const int i = threadIdx.x;
    if (i >= n)
        return;
    result[4 * i] = a[i] / b[i];
    result[4 * i + 1] = a[i] % b[i];
    result[4 * i + 2] = (word)((long long)a[i] / (long long)b[i]);
    result[4 * i + 3] = (word)((long long)a[i] % (long long)b[i]);
}

__global__ void shift(const word *a, const word *count, word *result, int n)
{
    const int i = threadIdx.x;
    if (i >= n)
        return;
    result[4 * i] = a[i] << count[i];
    result[4 * i + 1] = a[i] >> count[i];
    result[4 * i + 2] = (word)((long long)a[i] >> count[i]);
    result[4 * i + 3] = (unsigned)a[i] << count[i];
}

__global__ void compute(const float *x, const float *y, float *result, int n)
{
    const int i = threadIdx.x;
    if (i >= n)
        return;
    result[4 * i] = x[i] / y[i];
    result[4 * i + 1] = x[i] * y[i];
    result[4 * i + 2] = sqrtf(x[i]);
    result[4 * i + 3] = expf(x[i]);
}

__device__ float (*greater)(float, float) = fmaxf;
__device__ double (*lesser)(double, double) = fmin;
// What a header of the program's has beside the library's own.
__host__ __device__ inline float2 fminf(float2 a, float2 b)
{
    return make_float2(fminf(a.x, b.x), fminf(a.y, b.y));
}

__global__ void extremes(const float *x, const double *y, float *f, double *d, int n)
{
    const int i = threadIdx.x / n, j = threadIdx.x % n;
    f += 7 * threadIdx.x, d += 7 * threadIdx.x;
    f[0] = fmaxf(x[i], x[j]), f[1] = fminf(x[i], x[j]);
    f[2] = fmax(x[i], x[j]), f[3] = fmin(x[i], x[j]);
    f[4] = max(x[i], x[j]), f[5] = greater(x[i], x[j]);
    f[6] = fminf(make_float2(x[i], 0), make_float2(x[j], 0)).x;
    d[0] = fmax(y[i], y[j]), d[1] = fmin(y[i], y[j]);
    d[2] = max(y[i], y[j]), d[3] = min(y[i], y[j]);
    d[4] = fmax((double)x[i], y[j]), d[5] = lesser(y[i], y[j]);
    d[6] = std::fmax(y[i], y[j]);
}

template <class T> static T *managed(void)
{
    T *p = nullptr;
    cudaMallocManaged((void **)&p, 4096);
    return p;
}

static const word dividends[] = {0,
                                 1,
                                 5,
                                 77,
                                 255,
                                 65535,
                                 65536,
                                 0xffffffff,
                                 0x100000000,
                                 0x123456789abcdef,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0xffffffffffffffff};
static const word counts[] = {0,
                              1,
                              31,
                              32,
                              33,
                              63,
                              64,
                              65,
                              0xff,
                              0xffffffff,
                              0x100000000,
                              0x100000001,
                              0x100000021,
                              0x8000000000000001,
                              0xffffffff00000004,
                              0xffffffffffffffff};
static const double ends[] = {0, -0.0, 1, -1, NAN, INFINITY, -INFINITY};
static const float left[] = {1, 1, 0, -1, 3e38f, 1e-40f, 1e-40f, 10, 88.9f, -104};
static const float right[] = {3, 0, 0, 0, 1e-10f, 1, 0.5f, 1e-40f, 2e38f, 1e30f};

int main()
{
    word *a = managed<word>(), *b = managed<word>(), *result = managed<word>();
    int n = sizeof dividends / sizeof *dividends;
    for (int i = 0; i < n; i++)
        a[i] = dividends[i], b[i] = 0;
    divide<<<1, 32>>>(a, b, result, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        printf("div %#llx / 0: u %#llx %% %#llx  s %#llx %% %#llx\n", a[i], result[4 * i], result[4 * i + 1],
               result[4 * i + 2], result[4 * i + 3]);
    n = sizeof counts / sizeof *counts;
    for (word value : {0x9876543210fedcbaull, 0x7ull}) {
        for (int i = 0; i < n; i++)
            a[i] = value, b[i] = counts[i];
        shift<<<1, 32>>>(a, b, result, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++)
            printf("shift %#llx by %#llx: << %#llx  >> %#llx  s>> %#llx  32<< %#llx\n", a[i], b[i],
                   result[4 * i], result[4 * i + 1], result[4 * i + 2], result[4 * i + 3]);
    }
    float *x = managed<float>(), *y = managed<float>(), *z = managed<float>();
    n = sizeof left / sizeof *left;
    for (int i = 0; i < n; i++)
        x[i] = left[i], y[i] = right[i];
    compute<<<1, 32>>>(x, y, z, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        unsigned bits[4];
        memcpy(bits, z + 4 * i, sizeof bits);
        printf("fast %a %a: / %08x * %08x sqrt %08x exp %08x\n", x[i], y[i], bits[0], bits[1], bits[2],
               bits[3]);
    }
    for (int i = 0; i < 7; i++)
        x[i] = (float)ends[i], ((double *)a)[i] = ends[i];
    extremes<<<1, 49>>>(x, (double *)a, z, (double *)result, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 49; i++) {
        printf("extremes %g %g:", ends[i / 7], ends[i % 7]);
        for (int j = 0; j < 7; j++)
            printf(" %g %g", std::isnan(z[7 * i + j]) ? NAN : z[7 * i + j],
                   std::isnan(((double *)result)[7 * i + j]) ? NAN : ((double *)result)[7 * i + j]);
        putchar('\n');
    }
    return cudaGetLastError();
}
