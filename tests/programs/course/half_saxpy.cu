// saxpy in half precision: number by number with operators, and two at a time with half2. Both kernels make
// the product and the sum differently, so each is compared with what its own roundings give.
#include "common.h"
#include <algorithm>
#include <cuda_fp16.h>

__constant__ __half factor;

__global__ void haxpy(int n, const half *x, half *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = factor * x[i] + y[i];
}

// One __hfma2 does two numbers, and rounds each once. A last odd number is left for the first thread.
__global__ void haxpy2(int n, half a, const half *x, half *y)
{
    int start = threadIdx.x + blockDim.x * blockIdx.x;
    int stride = blockDim.x * gridDim.x;
    half2 a2 = __half2half2(a);
    const half2 *x2 = reinterpret_cast<const half2 *>(x);
    half2 *y2 = reinterpret_cast<half2 *>(y);
    for (int i = start; i < n / 2; i += stride)
        y2[i] = __hfma2(a2, x2[i], y2[i]);
    if (start == 0 && (n % 2))
        y[n - 1] = __hfma(a, x[n - 1], y[n - 1]);
}

__global__ void toHalf(int n, const float *in, half *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __float2half(in[i]);
}

// The largest of all, by shuffles of half2, then by one thread: max() has no half.
__global__ void largest(int n, const half2 *in, half *result)
{
    half2 best = __float2half2_rn(-INFINITY);
    for (int i = threadIdx.x; i < n / 2; i += 32)
        best = __hmax2(best, in[i]);
    for (int offset = 16; offset > 0; offset /= 2)
        best = __hmax2(best, __shfl_down_sync(0xffffffff, best, offset));
    if (threadIdx.x == 0)
        *result = __hmax(__low2half(best), __high2half(best));
}

// The nearest half, worked out in double: 11 digits, or steps of 2^-24.
static float nearest(double x)
{
    int exponent;
    frexp(x, &exponent);
    const double step = ldexp(1.0, std::max(exponent - 11, -24));
    return (float)(nearbyint(x / step) * step);
}

int main(void)
{
    const int n = 100001;
    const float a = 2.7f;
    Random random(7);
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; i++) {
        x[i] = nearest(random.uniform() * 4 - 2);
        y[i] = nearest(random.uniform() * 10 - 5);
    }
    float *source;
    half *d_x, *d_y, *d_z, *d_best;
    CHECK(cudaMalloc(&source, n * sizeof(float)));
    CHECK(cudaMalloc(&d_x, n * sizeof(half)));
    CHECK(cudaMalloc(&d_y, n * sizeof(half)));
    CHECK(cudaMalloc(&d_z, n * sizeof(half)));
    CHECK(cudaMalloc(&d_best, sizeof(half)));
    CHECK(cudaMemcpy(source, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    toHalf<<<blocks_for(n, 256), 256>>>(n, source, d_x);
    CHECK(cudaMemcpy(source, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    toHalf<<<blocks_for(n, 256), 256>>>(n, source, d_y);
    CHECK(cudaMemcpy(d_z, d_y, n * sizeof(half), cudaMemcpyDeviceToDevice));

    const half h_a = a; // converted by the host
    CHECK(cudaMemcpyToSymbol(factor, &h_a, sizeof h_a));
    haxpy<<<blocks_for(n, 256), 256>>>(n, d_x, d_y);
    haxpy2<<<40, 256>>>(n, h_a, d_x, d_z);
    largest<<<1, 32>>>(n - 1, reinterpret_cast<half2 *>(d_z), d_best);
    CHECK_KERNEL();

    std::vector<half> h_y(n), h_z(n);
    half best;
    CHECK(cudaMemcpy(h_y.data(), d_y, n * sizeof(half), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h_z.data(), d_z, n * sizeof(half), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&best, d_best, sizeof best, cudaMemcpyDeviceToHost));
    int twice = 0, once = 0, differ = 0;
    float expected_best = -INFINITY;
    for (int i = 0; i < n; i++) {
        const float product = nearest((double)nearest(a) * x[i]);
        const float two_roundings = nearest((double)product + y[i]);
        const float one_rounding = nearest((double)nearest(a) * x[i] + y[i]);
        // nvcc may contract the operators' product and sum into one multiply-add.
        twice += __half2float(h_y[i]) == two_roundings || __half2float(h_y[i]) == one_rounding;
        once += (float)h_z[i] == one_rounding;
        differ += two_roundings != one_rounding;
        if (i < n - 1)
            expected_best = fmaxf(expected_best, one_rounding);
    }
    printf("%d of %d right, two at a time %d; rounding twice changes %d; largest %g\n", twice, n, once,
           differ, (float)best);
    CHECK(cudaFree(source));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    CHECK(cudaFree(d_best));
    return report(twice == n && once == n && differ > 0 && (float)best == expected_best);
}
