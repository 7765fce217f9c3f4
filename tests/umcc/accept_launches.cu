/*
 * Launches in every form that C++ has for naming a function: <<<...>>> in templates, members, macros,
 * lambdas, over several lines; through pointers; parameters by reference; and what only looks like a launch:
 * kernel<<<1, 2>>>(x).
 */
#include "check.h"
#include <cuda.h>
#include <functional>
#include <utility>
#include <vector>

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)

const char *text = "kernel<<<1, 2>>>(x) __global__ \" threadIdx";
const char *raw = R"end(kernel<<<1, 2>>>(a) __shared__ ")end";

static __global__ void set(int *p, int value)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
static __global__ void set(float *p, float value)
{
    p[threadIdx.x] = value;
}
extern "C" {
__global__ void c_name(int *p)
{
    *p = 77;
}
}
__global__ void one(int *p)
{
    *p = 1;
}

namespace outer
{
namespace
{
__global__ void hidden(int *p)
{
    *p = 11;
}
} // namespace
namespace inner
{
template <typename T, int N = 3> __global__ void fill(T *p, T value)
{
    p[threadIdx.x] = value + N;
}
} // namespace inner
} // namespace outer

template <typename... A> __global__ void sum_of(int *p, A... a)
{
    int sum = 0;
    const int all[] = {a...};
    for (int x : all)
        sum += x;
    *p = sum;
}

__global__ void declared_first(int *p, int n = 4);
__global__ void declared_first(int *p, int n)
{
    n = n + 1;
    *p = n;
}

struct counted {
    int n;
};
__global__ void by_reference(int by, counted &c, const counted *from = nullptr)
{
    c.n += by + (from != nullptr ? from->n & by : 0);
}

/* Its copy needs the host; a destroyed one is worth nothing. */
struct owner {
    int *at;
    static int copies;
    explicit owner(int *p) : at(p)
    {
    }
    owner(const owner &from) : at(from.at)
    {
        copies++;
        cudaGetDevice(nullptr);
    }
    ~owner()
    {
        cudaPeekAtLastError();
    }
};
int owner::copies = 0;
__global__ void by_value(owner o)
{
    o.at += threadIdx.x;
    *o.at = 40 + threadIdx.x;
}
__global__ void by_value_waits(owner o)
{
    o.at += threadIdx.x;
    __syncthreads();
    *o.at = 50 + threadIdx.x;
}

template <class T> struct nest {
};
template <class T> static int two(nest<T>)
{
    return 2;
}

struct runner {
    int threads;
    void (*kernel)(int *) = one;
    explicit runner(int n) : threads{n}
    {
    }
    void run(int *p)
    {
        this->kernel<<<1, 1>>>(p);
    }
    template <class T> void fill(T *p)
    {
        outer::inner::fill<T><<<1, threads>>>(p, T(1));
    }
};

template <class T> struct host {
    static void launch(T *p)
    {
        outer::inner::template fill<T, 7><<<1, 2, 0>>>(p, T(1));
        // clang-format off
        set<<<1, (int)sizeof(std::pair<int, std::vector<std::vector<int>>>) > 4 ? 3 : 2>>>((int *)p, 9);
        // clang-format on
    }
};

static void names(int *p, float *f)
{
    outer::hidden<<<1, 1>>>(p);
    SYNC();
    CHECK(*p == 11);
    outer::inner::fill<int><<<1, 4>>>(p, 5);
    outer::inner::fill<float, 1><<<dim3(1), dim3{2, 1, 1}>>>(f, 5.f);
    SYNC();
    CHECK(p[3] == 8 && f[1] == 6);
    set<<<2, 2>>>(p, 4);
    ::set<<<1, 1>>>(f, 2.5f);
    SYNC();
    CHECK(p[0] == 4 && p[3] == 4 && f[0] == 2.5f);
    sum_of<<<1, 1>>>(p, 1, 2, 3);
    SYNC();
    CHECK(*p == 6);
    declared_first<<<1, 1>>>(p);
    SYNC();
    CHECK(*p == 5);
    runner r(3);
    r.run(p + 8);
    r.fill(p);
    SYNC();
    CHECK(p[8] == 1 && p[2] == 4 && p[3] == 4);
    host<int>::launch(p);
    SYNC();
    CHECK(p[0] == 9 && p[2] == 9);
}

static void places(int *p)
{
    LAUNCH(set, 1, 1, p, 3);
    SYNC();
    CHECK(*p == 3);
    // clang-format off
    c_name
        <<<1,
           dim3(1),
           0>>>
        (p
         );
    // clang-format on
    SYNC();
    CHECK(*p == 77);
    void (*pointer)(int *) = one;
    (*pointer)<<<1, 1>>>(p);
    SYNC();
    CHECK(*p == 1);
    void (*table[2])(int *) = {one, c_name};
    table[1]<<<1, 1>>>(p);
    SYNC();
    CHECK(*p == 77);
    (failures ? c_name : one)<<<1, 1>>>(p);
    SYNC();
    CHECK(*p == 1);
    std::function<void(int *)> later = [](int *q) { c_name<<<1, 1>>>(q); };
    later(p);
    SYNC();
    CHECK(*p == 77);
    if (p != nullptr)
        one<<<1, 1>>>(p);
    else
        c_name<<<1, 1>>>(p);
    for (int i = 0; i < 3; i++)
        declared_first<<<1, 1>>>(p, i);
    SYNC();
    CHECK(*p == 3);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    one<<<1, 1, 16, stream>>>(p);
    SYNC();
    CHECK(*p == 1);
    cudaStreamDestroy(stream);
}

/* Spaces as editors that know no CUDA set them; `>>>` that closes templates. */
static void spaced(int *p)
{
    // clang-format off
    set << <1, 2>> > (p, 31);
    SYNC();
    CHECK(p[1] == 31);
    set<<<two(nest<nest<nest<int>>>()), 1>>>(p, 32);
    SYNC();
    CHECK(p[1] == 32);
    set << <two(nest<nest<nest<int>> >()), 1 >> >
        (p, 33);
    // clang-format on
    SYNC();
    CHECK(p[1] == 33);
}

static void references(int *p)
{
    counted *c = reinterpret_cast<counted *>(p);
    c[0].n = 5, c[1].n = 3;
    by_reference<<<1, 1>>>(1, *c);
    SYNC();
    CHECK(c->n == 6);
    int by = 2;
    counted *from = c + 1;
    void *arguments[] = {&by, &c, &from};
    CHECK(cudaLaunchKernel((const void *)by_reference, dim3(1), dim3(1), arguments, 0, 0) == cudaSuccess);
    SYNC();
    CHECK(c->n == 10);
}

static void objects(int *p)
{
    owner o(p);
    by_value<<<1, 3>>>(o);
    SYNC();
    CHECK(p[0] == 40 && p[2] == 42 && owner::copies > 0);
    by_value_waits<<<1, 3>>>(o);
    cudaGetLastError(); /* the copies ask for an error */
    SYNC();
    CHECK(p[0] == 50 && p[2] == 52);
}

/* What programs written for earlier versions ask for. */
static void old_programs(void)
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
#ifdef __UMCC__
    CHECK(cuInit(0) == CUDA_SUCCESS && cuInit(1) == CUDA_ERROR_INVALID_VALUE);
    int clock = 0, overlap = -1, ratio = 0;
    cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
    cudaDeviceGetAttribute(&overlap, cudaDevAttrGpuOverlap, 0);
    cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, 0);
    CHECK(properties.clockRate == clock && clock > 0 && properties.deviceOverlap == overlap);
    CHECK(properties.singleToDoublePrecisionPerfRatio == ratio);
#endif
}

static void by_address(int *p)
{
    int value = 9;
    void *arguments[] = {&p, &value};
    CHECK(cudaLaunchKernel((const void *)declared_first, dim3(1), dim3(1), arguments, 0, 0) == cudaSuccess);
    SYNC();
    CHECK(*p == 10);
    auto *instance = outer::inner::fill<int, 20>;
    CHECK(cudaLaunchKernel((const void *)instance, dim3(1), dim3(2), arguments, 0, 0) == cudaSuccess);
    SYNC();
    CHECK(p[1] == 29);
    void (*overload)(float *, float) = set;
    float factor = 1.5f;
    void *others[] = {&p, &factor};
    CHECK(cudaLaunchKernel((const void *)overload, dim3(1), dim3(1), others, 0, 0) == cudaSuccess);
    SYNC();
    CHECK(*(float *)p == 1.5f);
}

int main()
{
    int *p = make_managed<int>(64);
    float *f = make_managed<float>(64);
    names(p, f);
    places(p);
    spaced(p);
    references(p);
    objects(p);
    old_programs();
    by_address(p);
    CHECK(text[6] == '<' && raw[6] == '<');
    return finish();
}
