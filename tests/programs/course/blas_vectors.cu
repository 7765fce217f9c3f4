/* cuBLAS: vectors, and matrices with vectors, of both types and with strides, beside loops on the host. */
#include "common.h"
#include <cublas_v2.h>

static int wrong = 0;

static void expect(const char *what, double got, double expected, double tolerance = 1e-4)
{
    if (std::fabs(got - expected) > tolerance * (1 + std::fabs(expected))) {
        printf("%s: %g, not %g\n", what, got, expected);
        wrong++;
    }
}

static void check(cublasStatus_t status, const char *what)
{
    if (status != CUBLAS_STATUS_SUCCESS) {
        printf("%s: %s\n", what, cublasGetStatusName(status));
        wrong++;
    }
}

/* The calls of one type, by one name. */
template <class T> struct Blas;
#define BLAS_OF(T, P, i)                                                                                     \
    template <> struct Blas<T> {                                                                             \
        static constexpr auto axpy = cublas##P##axpy;                                                        \
        static constexpr auto scal = cublas##P##scal;                                                        \
        static constexpr auto copy = cublas##P##copy;                                                        \
        static constexpr auto swap = cublas##P##swap;                                                        \
        static constexpr auto dot = cublas##P##dot;                                                          \
        static constexpr auto nrm2 = cublas##P##nrm2;                                                        \
        static constexpr auto asum = cublas##P##asum;                                                        \
        static constexpr auto amax = cublasI##i##amax;                                                       \
        static constexpr auto amin = cublasI##i##amin;                                                       \
        static constexpr auto gemv = cublas##P##gemv;                                                        \
        static constexpr auto ger = cublas##P##ger;                                                          \
    };
BLAS_OF(float, S, s)
BLAS_OF(double, D, d)

template <class T> void vectors(cublasHandle_t handle)
{
    const int n = 1000, stride = 3;
    std::vector<T> x(n), y(n), got(n);
    T *dx, *dy, result;
    int place;
    for (int i = 0; i < n; i++) {
        x[i] = (T)((i * 37) % 101 - 50) / 10 + (T)0.05;
        y[i] = (T)((i * 53) % 97 - 48) / 10;
    }
    x[700] = -9;
    x[701] = 9; /* as large, but later */
    CHECK(cudaMalloc(&dx, n * sizeof(T)));
    CHECK(cudaMalloc(&dy, n * stride * sizeof(T)));
    check(cublasSetVector(n, sizeof(T), x.data(), 1, dx, 1), "SetVector");
    check(cublasSetVector(n, sizeof(T), y.data(), 1, dy, stride), "SetVector, apart");

    double dot = 0, squares = 0, sizes = 0;
    int least = 0;
    for (int i = 0; i < n; i++) {
        dot += (double)x[i] * y[i];
        squares += (double)x[i] * x[i];
        sizes += std::fabs((double)x[i]);
        least = std::fabs((double)x[i]) < std::fabs((double)x[least]) ? i : least;
    }
    check(Blas<T>::dot(handle, n, dx, 1, dy, stride, &result), "dot");
    expect("dot", result, dot, 1e-3);
    check(Blas<T>::nrm2(handle, n, dx, 1, &result), "nrm2");
    expect("nrm2", result, std::sqrt(squares));
    check(Blas<T>::asum(handle, n, dx, 1, &result), "asum");
    expect("asum", result, sizes);
    check(Blas<T>::amax(handle, n, dx, 1, &place), "amax");
    expect("amax", place, 701);
    check(Blas<T>::amin(handle, n, dx, 1, &place), "amin");
    expect("amin", place, least + 1);

    const T alpha = 2;
    check(Blas<T>::axpy(handle, n, &alpha, dx, 1, dy, stride), "axpy");
    check(Blas<T>::scal(handle, n, &alpha, dx, 1), "scal");
    check(Blas<T>::swap(handle, n / 2, dx, 1, dy, stride), "swap");
    check(cublasGetVector(n, sizeof(T), dy, stride, got.data(), 1), "GetVector, apart");
    for (int i = 0; i < n; i++)
        expect("swapped", got[i], i < n / 2 ? 2 * x[i] : y[i] + 2 * x[i]);
    check(Blas<T>::copy(handle, n, dy, stride, dx, -1), "copy, backwards");
    check(cublasGetVector(n, sizeof(T), dx, 1, x.data(), 1), "GetVector");
    for (int i = 0; i < n; i++)
        expect("copied backwards", x[n - 1 - i], got[i]);
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
}

template <class T> void with_matrices(cublasHandle_t handle)
{
    const int m = 60, n = 40;
    const T alpha = 1.5, beta = 0.5;
    std::vector<T> a(m * n), x(m), y(m), got(m * n);
    for (int i = 0; i < m * n; i++)
        a[i] = (T)(i % 13 - 6);
    for (int i = 0; i < m; i++) {
        x[i] = (T)(i % 5 - 2);
        y[i] = (T)(i % 3);
    }
    T *da, *dx, *dy;
    CHECK(cudaMalloc(&da, m * n * sizeof(T)));
    CHECK(cudaMalloc(&dx, m * sizeof(T)));
    CHECK(cudaMalloc(&dy, m * sizeof(T)));
    check(cublasSetMatrix(m, n, sizeof(T), a.data(), m, da, m), "SetMatrix");
    check(cublasSetVector(m, sizeof(T), x.data(), 1, dx, 1), "SetVector");
    for (int transposed = 0; transposed < 2; transposed++) {
        check(cublasSetVector(m, sizeof(T), y.data(), 1, dy, 1), "SetVector");
        check(Blas<T>::gemv(handle, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, &alpha, da, m, dx, 1, &beta,
                            dy, 1),
              "gemv");
        check(cublasGetVector(m, sizeof(T), dy, 1, got.data(), 1), "GetVector");
        for (int i = 0; i < (transposed ? n : m); i++) {
            double sum = 0;
            for (int j = 0; j < (transposed ? m : n); j++)
                sum += (double)(transposed ? a[j + i * m] : a[i + j * m]) * x[j];
            expect("gemv", got[i], 1.5 * sum + 0.5 * y[i]);
        }
    }
    check(Blas<T>::ger(handle, m, n, &alpha, dx, 1, dx, 1, da, m), "ger");
    check(cublasGetMatrix(m, n, sizeof(T), da, m, got.data(), m), "GetMatrix");
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            expect("ger", got[i + j * m], a[i + j * m] + 1.5 * x[i] * x[j]);
    CHECK(cudaFree(da));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
}

int main()
{
    cublasHandle_t handle;
    int version = 0;
    check(cublasCreate(&handle), "create");
    check(cublasGetVersion(handle, &version), "version");
    printf("cuBLAS %d\n", version / 10000);
    vectors<float>(handle);
    vectors<double>(handle);
    with_matrices<float>(handle);
    with_matrices<double>(handle);
    check(cublasDestroy(handle), "destroy");
    return report(wrong == 0);
}
