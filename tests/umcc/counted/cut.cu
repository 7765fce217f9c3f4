// Kernels whose form that counts is cut at their barriers: their counts are those of threads that each run by
// themselves (umcc --plain), but for instructions, of which g++ makes some more or fewer.
#include <cstdio>
#include <cuda_runtime.h>

// Loops around barriers, conditions that take part of a warp, a variable that is kept, one that is computed
// again.
__global__ void scan(int *out, const int *in, int n)
{
    extern __shared__ int held[];
    int mine = threadIdx.x, to = 0, from = 1;
    held[mine] = mine < n ? in[mine] : 0;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset <<= 1) {
        to = 1 - to;
        from = 1 - to;
        if (mine >= offset)
            held[to * blockDim.x + mine] =
                held[from * blockDim.x + mine] + held[from * blockDim.x + mine - offset];
        else
            held[to * blockDim.x + mine] = held[from * blockDim.x + mine];
        __syncthreads();
    }
    if (mine < n)
        out[mine] = held[to * blockDim.x + mine];
}

// Loops in loops, of which the inner one is a thread's own; blocks of two dimensions; conflicts of banks.
__global__ void multiply(float *c, const float *a, const float *b, int n)
{
    __shared__ float left[16][16], right[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < n / 16; tile++) {
        left[threadIdx.x][threadIdx.y] = a[row * n + tile * 16 + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(tile * 16 + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += left[k][threadIdx.y] * right[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// What all threads step alike is a variable that lives across loops: g++ proves it where it optimizes.
__global__ void sweep(int *out, const int *in, int *sum)
{
    __shared__ int tree[256];
    const int i = threadIdx.x;
    tree[2 * i] = in[2 * i];
    tree[2 * i + 1] = in[2 * i + 1];
    int apart = 1;
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (i < d)
            tree[apart * (2 * i + 2) - 1] += tree[apart * (2 * i + 1) - 1];
        apart *= 2;
    }
    if (i == 0) {
        if (sum != nullptr)
            sum[blockIdx.x] = tree[255];
        tree[255] = 0;
    }
    for (int d = 1; d < 256; d *= 2) {
        apart >>= 1;
        __syncthreads();
        if (i < d)
            tree[apart * (2 * i + 1) - 1] ^= tree[apart * (2 * i + 2) - 1];
    }
    __syncthreads();
    out[i] = tree[2 * i] + tree[2 * i + 1];
}

// A loop behind a barrier that says how it is to be unrolled.
__global__ void unrolled(float *out, const float *in)
{
    __shared__ float row[64];
    float sum = 0;
    row[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 64; k++)
        sum += row[k] * row[(k + threadIdx.x) % 64];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Threads that leave early, loops of which each thread makes another number of passes, atomics, warps that
// are not full.
__global__ void uneven(int *out, const int *in, int n)
{
    __shared__ int bins[37];
    if (threadIdx.x < 37)
        bins[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < threadIdx.x % 7; k++)
        atomicAdd(&bins[in[(i * 5 + k) % n] % 37], 1);
    __syncthreads();
    if (threadIdx.x < 37)
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// Values that each thread keeps over barriers between which no thread does anything.
__global__ void idle(double *out, const double *in, int rounds)
{
    double first = in[threadIdx.x], second = in[threadIdx.x * 33];
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        __syncthreads();
        __syncthreads();
    }
    out[threadIdx.x] = first;
    __syncthreads();
    out[threadIdx.x] += second;
}

// Conditions that are the block's; a loop without a constant step that only the block's first warp runs.
__global__ void reduce(float *out, const float *in, int n)
{
    __shared__ float sums[256];
    const int mine = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + mine; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    sums[mine] = sum;
    __syncthreads();
    if (gridDim.x > 1) {
        for (int half = blockDim.x / 2; half > 0; half >>= 1) {
            if (mine < half)
                sums[mine] += sums[mine + half];
            __syncthreads();
        }
    }
    if (mine == 0)
        out[blockIdx.x] = sums[0];
}

int main()
{
    char *a, *b, *c;
    const size_t bytes = 1 << 22;
    cudaMalloc((void **)&a, bytes);
    cudaMalloc((void **)&b, bytes);
    cudaMalloc((void **)&c, bytes);
    cudaMemset(a, 1, bytes);
    cudaMemset(b, 1, bytes);
    cudaMemset(c, 0, bytes);
    scan<<<1, 1024, 8192>>>((int *)c, (int *)a, 1000);
    scan<<<40, 96, 768>>>((int *)c, (int *)a, 90);
    multiply<<<dim3(4, 4), dim3(16, 16)>>>((float *)c, (float *)a, (float *)b, 64);
    multiply<<<dim3(16, 16), dim3(16, 16)>>>((float *)c, (float *)a, (float *)b, 256);
    sweep<<<1, 128>>>((int *)c, (int *)a, NULL);
    unrolled<<<5, 64>>>((float *)c, (float *)a);
    uneven<<<9, 100>>>((int *)c, (int *)a, 850);
    idle<<<2, 64>>>((double *)c, (double *)a, 10);
    idle<<<3, 64>>>((double *)c, (double *)a, 2000);
    reduce<<<1, 256>>>((float *)c, (float *)a, 100000);
    reduce<<<100, 256>>>((float *)c, (float *)a, 1000000);
    const cudaError_t failed = cudaDeviceSynchronize();
    std::puts(failed ? cudaGetErrorString(failed) : "done");
    return failed;
}
