// y = a x + y, three ways: one thread an element, a grid-stride loop, two elements a thread.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define gpuErrchk(ans)                                                                                       \
    {                                                                                                        \
        gpuAssert((ans), __FILE__, __LINE__);                                                                \
    }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort)
            exit(code);
    }
}

__global__ void saxpy(int n, float a, float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void saxpy_strided(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}

__global__ void saxpy_pairs(int n, float a, const float2 *x, float2 *y)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (2 * i + 1 < n) {
        float2 u = x[i], v = y[i];
        v.x = fmaf(a, u.x, v.x);
        v.y = fmaf(a, u.y, v.y);
        y[i] = v;
    }
}

int main(void)
{
    int N = 1 << 18;
    float *x, *y, *d_x, *d_y;
    x = (float *)malloc(N * sizeof(float));
    y = (float *)malloc(N * sizeof(float));

    gpuErrchk(cudaMalloc(&d_x, N * sizeof(float)));
    gpuErrchk(cudaMalloc(&d_y, N * sizeof(float)));

    float maxError = 0.0f;
    for (int version = 0; version < 3; version++) {
        for (int i = 0; i < N; i++) {
            x[i] = 1.0f;
            y[i] = 2.0f;
        }
        gpuErrchk(cudaMemcpy(d_x, x, N * sizeof(float), cudaMemcpyHostToDevice));
        gpuErrchk(cudaMemcpy(d_y, y, N * sizeof(float), cudaMemcpyHostToDevice));

        cudaEvent_t start, stop;
        cudaEventCreate(&start);
        cudaEventCreate(&stop);
        cudaEventRecord(start);
        if (version == 0)
            saxpy<<<(N + 255) / 256, 256>>>(N, 2.0f, d_x, d_y);
        else if (version == 1)
            saxpy_strided<<<32 * 4, 256>>>(N, 2.0f, d_x, d_y);
        else
            saxpy_pairs<<<(N / 2 + 255) / 256, 256>>>(N, 2.0f, (float2 *)d_x, (float2 *)d_y);
        cudaEventRecord(stop);
        gpuErrchk(cudaPeekAtLastError());

        gpuErrchk(cudaMemcpy(y, d_y, N * sizeof(float), cudaMemcpyDeviceToHost));
        cudaEventSynchronize(stop);
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, start, stop);

        for (int i = 0; i < N; i++)
            maxError = max(maxError, abs(y[i] - 4.0f));
        printf("version %d: effective bandwidth %s\n", version,
               N * 4 * 3 / milliseconds / 1e6 > 0 ? "positive" : "NOT POSITIVE");
        cudaEventDestroy(start);
        cudaEventDestroy(stop);
    }
    printf("Max error: %f\n", maxError);

    cudaFree(d_x);
    cudaFree(d_y);
    free(x);
    free(y);
    printf("%s\n", maxError == 0.0f ? "SUCCESS" : "FAILURE");
    return maxError == 0.0f ? EXIT_SUCCESS : EXIT_FAILURE;
}
