/**
 * @file times.cu
 * @brief Times of cuBLAS's calls between two events, for times.py: a line "name n microseconds" each, the
 * median.
 *
 *     times [LARGEST n, 8192] [TURNS, 21]
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

#define OK(call)                                                                                             \
    do {                                                                                                     \
        if ((int)(call) != 0) {                                                                              \
            fprintf(stderr, "%d: %s\n", __LINE__, #call);                                                    \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static cublasHandle_t handle;

template <class F> static void measure(const char *name, int n, int turns, F run)
{
    cudaEvent_t a, b;
    OK(cudaEventCreate(&a));
    OK(cudaEventCreate(&b));
    OK(run()); /* warm */
    OK(cudaDeviceSynchronize());
    std::vector<float> times;
    for (int i = 0; i < turns; i++) {
        OK(cudaEventRecord(a));
        OK(run());
        OK(cudaEventRecord(b));
        OK(cudaEventSynchronize(b));
        float ms;
        OK(cudaEventElapsedTime(&ms, a, b));
        times.push_back(ms * 1000);
    }
    std::sort(times.begin(), times.end());
    printf("%s %d %.1f\n", name, n, times[times.size() / 2]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const int largest = argc > 1 ? atoi(argv[1]) : 8192, turns = argc > 2 ? atoi(argv[2]) : 21;
    OK(cublasCreate(&handle));
    for (int n : {128, 512, 1024, 2048, 4096, 8192}) {
        if (n > largest)
            continue;
        void *a, *b, *c;
        const size_t bytes = (size_t)n * n * 16;
        OK(cudaMalloc(&a, bytes));
        OK(cudaMalloc(&b, bytes));
        OK(cudaMalloc(&c, bytes));
        OK(cudaMemset(a, 0, bytes));
        OK(cudaMemset(b, 0, bytes));
        OK(cudaMemset(c, 0, bytes));
        const float one = 1, zero = 0;
        const double done = 1, dzero = 0;
        const __half hone = __float2half(1.0f), hzero = __float2half(0.0f);
        const cuComplex cone = {1, 0}, czero = {0, 0};
        const int ione = 1, izero = 0;
        const cublasOperation_t N = CUBLAS_OP_N;
        measure("sgemm", n, turns, [&] {
            return cublasSgemm(handle, N, N, n, n, n, &one, (float *)a, n, (float *)b, n, &zero, (float *)c,
                               n);
        });
        OK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
        measure("sgemm-tf32", n, turns, [&] {
            return cublasSgemm(handle, N, N, n, n, n, &one, (float *)a, n, (float *)b, n, &zero, (float *)c,
                               n);
        });
        OK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
        measure("dgemm", n, turns, [&] {
            return cublasDgemm(handle, N, N, n, n, n, &done, (double *)a, n, (double *)b, n, &dzero,
                               (double *)c, n);
        });
        measure("cgemm", n, turns, [&] {
            return cublasCgemm(handle, N, N, n, n, n, &cone, (cuComplex *)a, n, (cuComplex *)b, n, &czero,
                               (cuComplex *)c, n);
        });
        measure("hgemm", n, turns, [&] {
            return cublasHgemm(handle, N, N, n, n, n, &hone, (__half *)a, n, (__half *)b, n, &hzero,
                               (__half *)c, n);
        });
        measure("igemm", n, turns, [&] {
            return cublasGemmEx(handle, N, N, n, n, n, &ione, a, CUDA_R_8I, n, b, CUDA_R_8I, n, &izero, c,
                                CUDA_R_32I, n, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
        });
        measure("sgemv", n, turns, [&] {
            return cublasSgemv(handle, N, n, n, &one, (float *)a, n, (float *)b, 1, &zero, (float *)c, 1);
        });
        measure("strsm", n, turns, [&] {
            return cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, N, CUBLAS_DIAG_UNIT, n, n,
                               &one, (float *)a, n, (float *)b, n);
        });
        measure("saxpy", n * n, turns,
                [&] { return cublasSaxpy(handle, n * n, &one, (float *)a, 1, (float *)b, 1); });
        OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
        measure("sdot", n * n, turns,
                [&] { return cublasSdot(handle, n * n, (float *)a, 1, (float *)b, 1, (float *)c); });
        OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
        OK(cudaFree(a));
        OK(cudaFree(b));
        OK(cudaFree(c));
    }
    return 0;
}
