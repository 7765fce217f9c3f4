// Softmax of a matrix's rows: a block a row with its maximum and sum in shared memory, and a warp a row by
// shuffles.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
#define CUDA_CHECK(err) (cuda_check((err), __FILE__, __LINE__))

void cuda_check(cudaError_t error, const char *file, int line)
{
    if (error != cudaSuccess) {
        printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}

__global__ void softmax_block(const float *__restrict__ xd, float *__restrict__ resd, int M, int N)
{
    extern __shared__ float smem[];
    const int row = blockIdx.x, tid = threadIdx.x;
    if (row >= M)
        return;
    const float *input_row = xd + row * N;
    float local_max = -INFINITY, local_norm = 0.0f;
    for (int i = tid; i < N; i += blockDim.x) {
        float x = input_row[i];
        if (x > local_max) {
            local_norm *= expf(local_max - x);
            local_max = x;
        }
        local_norm += expf(x - local_max);
    }
    smem[tid] = local_max;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            smem[tid] = fmaxf(smem[tid], smem[tid + stride]);
        __syncthreads();
    }
    float row_max = smem[0];
    __syncthreads();
    smem[tid] = local_norm * expf(local_max - row_max);
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            smem[tid] += smem[tid + stride];
        __syncthreads();
    }
    float row_norm = smem[0];
    for (int i = tid; i < N; i += blockDim.x)
        resd[row * N + i] = expf(input_row[i] - row_max) / row_norm;
}

__global__ void softmax_warp(const float *in, float *out, int M, int N)
{
    const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= M)
        return;
    float most = -INFINITY, sum = 0;
    for (int i = lane; i < N; i += 32)
        most = fmaxf(most, in[row * N + i]);
    for (int mask = 16; mask > 0; mask /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, mask));
    for (int i = lane; i < N; i += 32)
        sum += expf(in[row * N + i] - most);
    for (int mask = 16; mask > 0; mask /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
    for (int i = lane; i < N; i += 32)
        out[row * N + i] = __fdividef(expf(in[row * N + i] - most), sum);
}

int main()
{
    const int M = 33, N = 300;
    static float mat[M * N], res[M * N], expected[M * N];
    srand(42);
    for (int i = 0; i < M * N; i++)
        mat[i] = (rand() % 2000) / 100.0f - 10.0f;
    for (int r = 0; r < M; r++) {
        double sum = 0, most = -INFINITY;
        for (int c = 0; c < N; c++)
            most = fmax(most, mat[r * N + c]);
        for (int c = 0; c < N; c++)
            sum += exp(mat[r * N + c] - most);
        for (int c = 0; c < N; c++)
            expected[r * N + c] = exp(mat[r * N + c] - most) / sum;
    }
    float *xd, *resd;
    CUDA_CHECK(cudaMalloc(&xd, sizeof mat));
    CUDA_CHECK(cudaMalloc(&resd, sizeof res));
    CUDA_CHECK(cudaMemcpy(xd, mat, sizeof mat, cudaMemcpyHostToDevice));
    bool good = true;
    for (int version = 0; version < 2; version++) {
        if (version == 0)
            softmax_block<<<M, 128, 128 * sizeof(float)>>>(xd, resd, M, N);
        else
            softmax_warp<<<CEIL_DIV(M, 4), dim3(32, 4)>>>(xd, resd, M, N);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(res, resd, sizeof res, cudaMemcpyDeviceToHost));
        double worst = 0;
        for (int i = 0; i < M * N; i++)
            worst = fmax(worst, fabs(res[i] - expected[i]) / expected[i]);
        printf(">> version %d: %s\n", version, worst < 1e-4 ? "matches" : "DOES NOT MATCH");
        good = good && worst < 1e-4;
    }
    cudaFree(xd);
    cudaFree(resd);
    return good ? 0 : 1;
}
