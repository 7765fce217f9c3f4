// Sums of a matrix's rows and columns: one thread each, and a block a row; several arrays of different types
// in one block of dynamic shared memory.
#include <stdio.h>
#include <stdlib.h>

#define cudaCheckErrors(msg)                                                                                 \
    do {                                                                                                     \
        cudaError_t __err = cudaGetLastError();                                                              \
        if (__err != cudaSuccess) {                                                                          \
            fprintf(stderr, "Fatal error: %s (%s at %s:%d)\n", msg, cudaGetErrorString(__err), __FILE__,     \
                    __LINE__);                                                                               \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

const size_t DSIZE = 256; // matrix side dimension
const int block_size = 128;

// matrix row-sum kernel
__global__ void row_sums(const float *A, float *sums, size_t ds)
{
    int idx = threadIdx.x + blockDim.x * blockIdx.x;
    if (idx < ds) {
        float sum = 0.0f;
        for (size_t i = 0; i < ds; i++)
            sum += A[idx * ds + i];
        sums[idx] = sum;
    }
}

// matrix column-sum kernel
__global__ void column_sums(const float *A, float *sums, size_t ds)
{
    int idx = threadIdx.x + blockDim.x * blockIdx.x;
    if (idx < ds) {
        float sum = 0.0f;
        for (size_t i = 0; i < ds; i++)
            sum += A[idx + ds * i];
        sums[idx] = sum;
    }
}

__global__ void row_sums_shared(const float *A, float *sums, int *positive, size_t ds)
{
    extern __shared__ unsigned char raw[];
    double *sdata = reinterpret_cast<double *>(raw);
    int *counts = (int *)&sdata[blockDim.x];
    int idx = blockIdx.x; // our block index becomes our row indicator
    int tid = threadIdx.x;
    size_t tidx = tid;
    sdata[tid] = 0;
    counts[tid] = 0;
    while (tidx < ds) {
        float value = A[idx * ds + tidx];
        sdata[tid] += value;
        counts[tid] += value > 0;
        tidx += blockDim.x;
    }
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        __syncthreads();
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
            counts[tid] += counts[tid + s];
        }
    }
    if (tid == 0) {
        sums[idx] = sdata[0];
        positive[idx] = counts[0];
    }
}

bool validate(const float *data, size_t sz, float factor)
{
    for (size_t i = 0; i < sz; i++)
        if (data[i] != factor * sz) {
            printf("results mismatch at %lu, was: %f, should be: %f\n", (unsigned long)i, data[i],
                   factor * sz);
            return false;
        }
    return true;
}

int main()
{
    float *h_A, *h_sums, *d_A, *d_sums;
    int *h_positive, *d_positive;
    h_A = new float[DSIZE * DSIZE];
    h_sums = new float[DSIZE]();
    h_positive = new int[DSIZE];
    for (size_t i = 0; i < DSIZE * DSIZE; i++)
        h_A[i] = 1.0f;
    cudaMalloc(&d_A, DSIZE * DSIZE * sizeof(float));
    cudaMalloc(&d_sums, DSIZE * sizeof(float));
    cudaMalloc(&d_positive, DSIZE * sizeof(int));
    cudaCheckErrors("cudaMalloc failure");
    cudaMemcpy(d_A, h_A, DSIZE * DSIZE * sizeof(float), cudaMemcpyHostToDevice);
    cudaCheckErrors("cudaMemcpy H2D failure");

    row_sums<<<(DSIZE + block_size - 1) / block_size, block_size>>>(d_A, d_sums, DSIZE);
    cudaCheckErrors("kernel launch failure");
    cudaMemcpy(h_sums, d_sums, DSIZE * sizeof(float), cudaMemcpyDeviceToHost);
    cudaCheckErrors("kernel execution failure or cudaMemcpy D2H failure");
    if (!validate(h_sums, DSIZE, 1))
        return -1;
    printf("row sums correct!\n");

    cudaMemset(d_sums, 0, DSIZE * sizeof(float));
    column_sums<<<(DSIZE + block_size - 1) / block_size, block_size>>>(d_A, d_sums, DSIZE);
    cudaMemcpy(h_sums, d_sums, DSIZE * sizeof(float), cudaMemcpyDeviceToHost);
    cudaCheckErrors("kernel execution failure or cudaMemcpy D2H failure");
    if (!validate(h_sums, DSIZE, 1))
        return -1;
    printf("column sums correct!\n");

    row_sums_shared<<<DSIZE, 64, 64 * (sizeof(double) + sizeof(int))>>>(d_A, d_sums, d_positive, DSIZE);
    cudaMemcpy(h_sums, d_sums, DSIZE * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(h_positive, d_positive, DSIZE * sizeof(int), cudaMemcpyDeviceToHost);
    cudaCheckErrors("kernel execution failure or cudaMemcpy D2H failure");
    if (!validate(h_sums, DSIZE, 1) || h_positive[DSIZE - 1] != DSIZE)
        return -1;
    printf("shared row sums correct!\n");

    cudaFree(d_A);
    cudaFree(d_sums);
    cudaFree(d_positive);
    delete[] h_A;
    delete[] h_sums;
    delete[] h_positive;
    return 0;
}
