// The dot product: partial sums in a cache of shared memory, finished on the host; by atomics on doubles; and
// with an atomicAdd of one's own from compare-and-swap, as for devices that have none.
#include <cstdio>
#include <cstdlib>
#include <cmath>

#define imin(a, b) (a < b ? a : b)

const int N = 33 * 1024;
const int threadsPerBlock = 256;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);

__device__ double myAtomicAdd(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void dot(float *a, float *b, float *c)
{
    __shared__ float cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;

    float temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();

    // for reductions, threadsPerBlock must be a power of 2
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0)
        c[blockIdx.x] = cache[0];
}

template <bool OWN> __global__ void dotAtomic(const float *a, const float *b, double *sum)
{
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    if (tid < N) {
        if (OWN)
            myAtomicAdd(sum, (double)a[tid] * b[tid]);
        else
            atomicAdd(sum, (double)a[tid] * b[tid]);
    }
}

#define sum_squares(x) (x * (x + 1) * (2 * x + 1) / 6)

int main(void)
{
    float *a = new float[N], *b = new float[N], *partial_c = new float[blocksPerGrid];
    float *dev_a, *dev_b, *dev_partial_c;
    double *dev_sum, sums[2] = {0, 0};

    cudaMalloc((void **)&dev_a, N * sizeof(float));
    cudaMalloc((void **)&dev_b, N * sizeof(float));
    cudaMalloc((void **)&dev_partial_c, blocksPerGrid * sizeof(float));
    cudaMalloc((void **)&dev_sum, sizeof sums);
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = i * 2;
    }
    cudaMemcpy(dev_a, a, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dev_b, b, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dev_sum, sums, sizeof sums, cudaMemcpyHostToDevice);

    dot<<<blocksPerGrid, threadsPerBlock>>>(dev_a, dev_b, dev_partial_c);
    dotAtomic<false><<<(N + 255) / 256, 256>>>(dev_a, dev_b, dev_sum);
    dotAtomic<true><<<(N + 255) / 256, 256>>>(dev_a, dev_b, dev_sum + 1);

    cudaMemcpy(partial_c, dev_partial_c, blocksPerGrid * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, dev_sum, sizeof sums, cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess)
        return printf("FAILED\n"), 1;
    float c = 0;
    for (int i = 0; i < blocksPerGrid; i++)
        c += partial_c[i];

    const double expected = 2 * sum_squares((double)(N - 1));
    printf("Does GPU value %.6g = %.6g?\n", c, expected);
    bool good = fabs(c - expected) < 1e-5 * expected && sums[0] == expected && sums[1] == expected;

    cudaFree(dev_a);
    cudaFree(dev_b);
    cudaFree(dev_partial_c);
    cudaFree(dev_sum);
    delete[] a;
    delete[] b;
    delete[] partial_c;
    printf("%s\n", good ? "PASSED" : "FAILED");
    return good ? 0 : 1;
}
