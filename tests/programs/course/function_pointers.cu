// Pointers to device functions: in a __device__ table, taken to the host by symbol and given to a kernel, as
// template arguments; a table of kernels on the host.
#include "common.h"

typedef float (*op_t)(float, float);

__device__ float add(float a, float b)
{
    return a + b;
}
__device__ float mul(float a, float b)
{
    return a * b;
}
__device__ float power(float a, float b)
{
    return powf(a, b);
}

__device__ op_t table[3] = {add, mul, power};
__device__ op_t p_mul = mul;

__global__ void byTable(const float *a, const float *b, float *c, int n, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = table[which](a[i], b[i]);
}

__global__ void byPointer(const float *a, const float *b, float *c, int n, op_t op)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = (*op)(a[i], b[i]);
}

template <op_t OP> __global__ void byTemplate(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = OP(a[i], b[i]);
}

static bool expect(const char *what, const float *c, const float *a, const float *b, int n,
                   float (*f)(float, float))
{
    CHECK_KERNEL();
    bool good = true;
    for (int i = 0; i < n; i++)
        good &= fabsf(c[i] - f(a[i], b[i])) < 1e-4f * fabsf(c[i]) + 1e-6f;
    printf("%s: %s\n", what, good ? "ok" : "wrong");
    return good;
}

int main()
{
    const int n = 300;
    const dim3 grid(3), block(128);
    float *a, *b, *c;
    CHECK(cudaMallocManaged(&a, n * sizeof(float)));
    CHECK(cudaMallocManaged(&b, n * sizeof(float)));
    CHECK(cudaMallocManaged(&c, n * sizeof(float)));
    for (int i = 0; i < n; i++) {
        a[i] = 1 + i * 0.01f;
        b[i] = 2 - i * 0.005f;
    }
    auto hostAdd = [](float x, float y) { return x + y; };
    auto hostMul = [](float x, float y) { return x * y; };
    auto hostPow = [](float x, float y) { return powf(x, y); };

    bool good = true;
    byTable<<<grid, block>>>(a, b, c, n, 0);
    good &= expect("table, add", c, a, b, n, hostAdd);
    byTable<<<grid, block>>>(a, b, c, n, 2);
    good &= expect("table, power", c, a, b, n, hostPow);
    op_t h_op;
    CHECK(cudaMemcpyFromSymbol(&h_op, p_mul, sizeof(op_t)));
    byPointer<<<grid, block>>>(a, b, c, n, h_op);
    good &= expect("pointer, mul", c, a, b, n, hostMul);
    byTemplate<add><<<grid, block>>>(a, b, c, n);
    good &= expect("template, add", c, a, b, n, hostAdd);

    void (*kernels[])(const float *, const float *, float *, int) = {byTemplate<add>, byTemplate<mul>};
    for (auto kernel : kernels)
        kernel<<<grid, block>>>(a, b, c, n);
    good &= expect("kernel table, mul", c, a, b, n, hostMul);

    void *args[] = {&a, &b, &c, (void *)&n};
    CHECK(cudaLaunchKernel((const void *)kernels[0], grid, block, args, 0, 0));
    good &= expect("cudaLaunchKernel, add", c, a, b, n, hostAdd);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return report(good);
}
