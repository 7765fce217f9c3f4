/*
 * Device functions: built-in variables in them, functors, lambdas, local classes, operators, barriers that
 * only a called function has; atomics; bounds checks, whose kernels umcc runs in two ways.
 */
#include "check.h"

struct times {
    int k;
    __host__ __device__ explicit times(int v) : k{v}
    {
    }
    __host__ __device__ int operator()(int x) const
    {
        return x * k;
    }
};
template <class F> __global__ void apply(F f, int *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = f(threadIdx.x);
}

__device__ int with_block(int);
__device__ int with_block(int x)
{
    return x + blockIdx.x;
}
__device__ __noinline__ int twice(int x)
{
    return with_block(x) * 2;
}
__global__ void through_functions(int *p)
{
    p[blockIdx.x] = twice(threadIdx.x + 1);
}

__device__ void wait_for_all()
{
    __syncthreads();
}
__global__ void reverse(int *p)
{
    const int mine = p[threadIdx.x];
    wait_for_all();
    p[blockDim.x - 1 - threadIdx.x] = mine;
}

__global__ void counts(int *p)
{
    int few = __syncthreads_count(threadIdx.x < 5);
    int all = __syncthreads_and(threadIdx.x < 5);
    int any = __syncthreads_or(threadIdx.x == 5);
    if (threadIdx.x == 0) {
        p[0] = few;
        p[1] = all;
        p[2] = any;
    }
}

__global__ void local_class(int *p)
{
    struct local {
        __device__ int get() const
        {
            return threadIdx.x * 2;
        }
    };
    auto size = []() { return (int)blockDim.x; };
    p[threadIdx.x] = local().get() + size();
}

__global__ void atomics(int *i, float *f, unsigned long long *u)
{
    atomicAdd(i, 1);
    atomicAdd(f, 1);
    atomicAdd(u, 2);
    atomicMax(i + 1, (int)threadIdx.x);
    atomicCAS(i + 2, 0, 5);
    atomicInc((unsigned *)i + 3, 3u);
    atomicSub(i + 4, 2);
}

__global__ void __launch_bounds__(128, 2)
    arithmetic(const int *__restrict__ a, int *__restrict__ b, const int n)
{
    const int i = threadIdx.x;
    if (i >= n)
        return;
#pragma unroll 4
    for (int k = 0; k < 1; k++)
        b[i] = max(a[i], 2) + min(3, i) + __popc(7) + (int)rsqrtf(0.25f) + warpSize;
}

/* Each counts the threads that pass its condition. */
__global__ void below(int *hits, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        hits[i] += 1;
}
__global__ void inside(int *hits, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    hits[y * width + x] += 1;
}
__global__ void between(int *hits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 2 && i < n - 2)
        hits[i] += 1;
}
__global__ void not_in_a_row(int *hits, int n)
{
    int i = threadIdx.x;
    if (i % 3 == 0 || i > n)
        hits[i] += 1;
}
__global__ void narrow(int *hits, int n)
{
    unsigned char i = threadIdx.x;
    if (i < n)
        hits[threadIdx.x] += 1;
}
__global__ void wraps(int *hits, unsigned n)
{
    unsigned i = threadIdx.x - 5;
    if (i > n)
        hits[threadIdx.x] += 1;
}

static bool is_one(const int *hits, int first, int last, int count)
{
    bool good = true;
    for (int i = 0; i < count; i++)
        good &= hits[i] == (i >= first && i < last);
    return good;
}

template <class Launch> static void expect(int first, int last, int count, Launch launch)
{
    int *hits = make_managed<int>(count);
    launch(hits);
    SYNC();
    CHECK(is_one(hits, first, last, count));
    cudaFree(hits);
}

static void conditions()
{
    expect(0, 1000, 1024, [](int *hits) { below<<<4, 256>>>(hits, 1000); });
    expect(0, 1024, 1024, [](int *hits) { below<<<4, 256>>>(hits, 1024); });
    expect(0, 0, 1024, [](int *hits) { below<<<4, 256>>>(hits, 0); });
    expect(0, 700, 900, [](int *hits) { inside<<<dim3(3, 3), dim3(16, 16)>>>(hits, 35, 20); });
    expect(3, 998, 1024, [](int *hits) { between<<<4, 256>>>(hits, 1000); });
    int *hits = make_managed<int>(512);
    not_in_a_row<<<1, 128>>>(hits, 100);
    narrow<<<1, 512>>>(hits + 0, -1);
    SYNC();
    for (int i = 0; i < 128; i++)
        CHECK(hits[i] == (i % 3 == 0 || i > 100));
    for (int i = 0; i < 512; i++)
        hits[i] = 0;
    narrow<<<1, 512>>>(hits, 100);
    SYNC();
    for (int i = 0; i < 512; i++)
        CHECK(hits[i] == (i % 256 < 100));
    for (int i = 0; i < 512; i++)
        hits[i] = 0;
    wraps<<<1, 32>>>(hits, 10);
    SYNC();
    for (int i = 0; i < 32; i++)
        CHECK(hits[i] == (i < 5 || i > 15));
}

int main()
{
    int *p = make_managed<int>(64);
    float *f = make_managed<float>(64);
    unsigned long long *u = make_managed<unsigned long long>(1);
    apply<<<2, 2>>>(times(3), p);
    SYNC();
    CHECK(p[3] == 3 && p[2] == 0);
    through_functions<<<2, 1>>>(p);
    SYNC();
    CHECK(p[0] == 2 && p[1] == 4);
    for (int i = 0; i < 64; i++)
        p[i] = i;
    reverse<<<1, 64>>>(p);
    SYNC();
    CHECK(p[0] == 63 && p[63] == 0 && p[31] == 32);
    counts<<<1, 16>>>(p);
    SYNC();
    CHECK(p[0] == 5 && p[1] == 0 && p[2] == 1);
    local_class<<<1, 3>>>(p);
    SYNC();
    CHECK(p[2] == 7);
    for (int i = 0; i < 5; i++)
        p[i] = 0;
    atomics<<<2, 8>>>(p, f, u);
    SYNC();
    CHECK(p[0] == 16 && p[1] == 7 && p[2] == 5 && f[0] == 16 && *u == 32 && p[3] == 0 && p[4] == -32);
    const int values[4] = {1, 5, 3, 9};
    for (int i = 0; i < 64; i++)
        p[i] = i < 4 ? values[i] : 0;
    arithmetic<<<1, 64>>>(p, p + 8, 4);
    SYNC();
    CHECK(p[9] == 5 + 1 + 3 + 2 + 32 && p[12] == 0);
    conditions();
    return finish();
}
