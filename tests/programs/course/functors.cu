// Functors and extended lambdas as a kernel's argument: map, transform of two arrays, for_each_n, counting.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <type_traits>
#define CHECK(x)                                                                                             \
    if (cudaError_t e = (x); e != cudaSuccess) {                                                             \
        printf("%s at %d\n", cudaGetErrorString(e), __LINE__);                                               \
        exit(1);                                                                                             \
    }

template <typename T> struct Axpy {
    T a;
    __host__ __device__ Axpy(T a_) : a(a_)
    {
    }
    __host__ __device__ T operator()(const T &x, const T &y) const
    {
        return a * x + y;
    }
};

struct Polynomial {
    float c[4];
    __device__ float operator()(float x) const
    {
        float r = 0;
        for (int i = 3; i >= 0; --i)
            r = r * x + c[i];
        return r;
    }
};

struct Range {
    int lo, hi;
};

template <class T, class F> __global__ void map(T *data, int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = f(data[i]);
}

template <class T, class F> __global__ void zip(const T *a, const T *b, T *out, int n, const F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f(a[i], b[i]);
}

template <class F> __global__ void forEachIndex(int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        f(i);
}

template <class F> void parallelFor(int n, F &&f)
{
    forEachIndex<<<(n + 127) / 128, 128>>>(n, f);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

int main()
{
    const int n = 3000;
    float *x, *y, *z;
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CHECK(cudaMallocManaged(&y, n * sizeof(float)));
    CHECK(cudaMallocManaged(&z, n * sizeof(float)));
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 1;
    }
    int errors = 0;
    zip<<<(n + 255) / 256, 256>>>(x, y, z, n, Axpy<float>(2));
    CHECK(cudaDeviceSynchronize());
    Axpy<float> onHost(2);
    for (int i = 0; i < n; i++)
        errors += z[i] != onHost(x[i], y[i]);

    map<<<(n + 255) / 256, 256>>>(y, n, Polynomial{{1, 2, 0, 3}});
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        errors += y[i] != 6;

    const float scale = 0.5f;
    parallelFor(n, [=] __device__(int i) { z[i] = x[i] * scale + y[n - 1 - i]; });
    for (int i = 0; i < n; i++)
        errors += z[i] != i * 0.5f + 6;

    int *count;
    CHECK(cudaMallocManaged(&count, sizeof(int)));
    *count = 0;
    auto isOdd = [] __host__ __device__(int i) { return i % 2 != 0; };
    parallelFor(n, [=] __device__(int i) {
        if (isOdd(i))
            atomicAdd(count, 1);
    });
    errors += *count != n / 2;

    Range range = {100, 200};
    *count = 0;
    auto inRange = [range, count] __device__(int i) mutable {
        range.hi += 0;
        if (i >= range.lo && i < range.hi)
            atomicAdd(count, i);
    };
    parallelFor(n, inRange);
    errors += *count != (100 + 199) * 100 / 2;

    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    cudaFree(count);
    printf("%d errors\n", errors);
    return errors != 0;
}
