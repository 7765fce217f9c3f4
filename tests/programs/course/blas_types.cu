/* cuBLAS in other types than float: half with float sums, 8-bit numbers, complex ones, batches of doubles;
   and systems of equations, triangular ones and whole ones, each put back into its equation on the host. */
#include "common.h"
#include <cmath>
#include <complex>
#include <cublas_v2.h>
#include <cuda_fp16.h>

#define CHECK_BLAS(call)                                                                                     \
    do {                                                                                                     \
        const cublasStatus_t status_ = (call);                                                               \
        if (status_ != CUBLAS_STATUS_SUCCESS) {                                                              \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cublasGetStatusName(status_));     \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

template <class T> struct Array {
    T *device;
    size_t count;
    explicit Array(const std::vector<T> &from) : count(from.size())
    {
        CHECK(cudaMalloc(&device, count * sizeof(T)));
        CHECK(cudaMemcpy(device, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Array()
    {
        cudaFree(device);
    }
    std::vector<T> get() const
    {
        std::vector<T> out(count);
        CHECK(cudaMemcpy(out.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }
};

static bool near(double got, double expected, double allowed, const char *what)
{
    if (std::fabs(got - expected) <= allowed)
        return true;
    printf("%s: %g, not %g\n", what, got, expected);
    return false;
}

static bool halves(cublasHandle_t handle, Random &random)
{
    const int m = 40, n = 24, k = 56;
    std::vector<__half> a(m * k), b(k * n), c(m * n, __float2half(0));
    for (auto *v : {&a, &b})
        for (__half &x : *v)
            x = __float2half(random.uniform() - 0.5f);
    Array<__half> da(a), db(b), dc(c);
    const float one = 1, zero = 0;
    CHECK_BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da.device, CUDA_R_16F, m,
                            db.device, CUDA_R_16F, k, &zero, dc.device, CUDA_R_16F, m, CUBLAS_COMPUTE_32F,
                            CUBLAS_GEMM_DEFAULT));
    c = dc.get();
    bool right = true;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += (double)__half2float(a[i + l * m]) * __half2float(b[l + j * k]);
            right &= near(__half2float(c[i + j * m]), sum, 4e-3, "half");
        }
    return right;
}

static bool bytes(cublasHandle_t handle, Random &random)
{
    const int n = 32;
    std::vector<signed char> a(n * n), b(n * n);
    for (auto *v : {&a, &b})
        for (signed char &x : *v)
            x = (signed char)(random.uniform() * 255 - 127);
    Array<signed char> da(a), db(b);
    Array<int> dc(std::vector<int>(n * n, 0));
    const int one = 1, zero = 0;
    CHECK_BLAS(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, da.device, CUDA_R_8I, n,
                            db.device, CUDA_R_8I, n, &zero, dc.device, CUDA_R_32I, n, CUBLAS_COMPUTE_32I,
                            CUBLAS_GEMM_DEFAULT));
    const std::vector<int> c = dc.get();
    bool right = true;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < n; l++)
                sum += a[l + i * n] * b[l + j * n];
            right &= near(c[i + j * n], sum, 0, "8-bit");
        }
    return right;
}

static bool complexes(cublasHandle_t handle, Random &random)
{
    using number = std::complex<double>;
    const int n = 20;
    std::vector<number> a(n * n), b(n * n);
    for (auto *v : {&a, &b})
        for (number &x : *v)
            x = number(random.uniform(), random.uniform());
    Array<number> da(a), db(b), dc(std::vector<number>(n * n));
    const cuDoubleComplex alpha = make_cuDoubleComplex(1, -1), zero = make_cuDoubleComplex(0, 0);
    CHECK_BLAS(cublasZgemm(handle, CUBLAS_OP_C, CUBLAS_OP_T, n, n, n, &alpha, (cuDoubleComplex *)da.device, n,
                           (cuDoubleComplex *)db.device, n, &zero, (cuDoubleComplex *)dc.device, n));
    const std::vector<number> c = dc.get();
    bool right = true;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            number sum = 0;
            for (int l = 0; l < n; l++)
                sum += std::conj(a[l + i * n]) * b[j + l * n];
            right &= near(std::abs(c[i + j * n] - number(1, -1) * sum), 0, 1e-12, "complex");
        }
    return right;
}

/* A batch of systems by LU, through arrays of addresses in device memory. */
static bool systems(cublasHandle_t handle, Random &random)
{
    const int n = 12, count = 5;
    std::vector<double> a(n * n * count), b(n * count);
    for (double &x : a)
        x = random.uniform() - 0.5;
    for (double &x : b)
        x = random.uniform();
    for (int z = 0; z < count; z++)
        for (int i = 0; i < n; i++)
            a[z * n * n + i * n + (i + 1) % n] += 3; /* off the diagonal: rows have to be exchanged */
    Array<double> da(a), db(b);
    std::vector<double *> at_a, at_b;
    for (int z = 0; z < count; z++) {
        at_a.push_back(da.device + z * n * n);
        at_b.push_back(db.device + z * n);
    }
    Array<double *> all_a(at_a), all_b(at_b);
    const std::vector<int> zeros(n * count, 0);
    Array<int> pivots(zeros), info(zeros);
    int wrong = -1;
    CHECK_BLAS(cublasDgetrfBatched(handle, n, all_a.device, n, pivots.device, info.device, count));
    CHECK_BLAS(cublasDgetrsBatched(handle, CUBLAS_OP_N, n, 1, (const double *const *)all_a.device, n,
                                   pivots.device, all_b.device, n, &wrong, count));
    const std::vector<double> x = db.get();
    bool right = wrong == 0;
    for (int z = 0; z < count; z++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += a[z * n * n + i + j * n] * x[z * n + j];
            right &= near(sum, b[z * n + i], 1e-11, "system");
        }
    return right;
}

static bool triangular(cublasHandle_t handle, Random &random)
{
    const int m = 30, n = 7;
    std::vector<float> a(m * m), b(m * n);
    for (float &x : a)
        x = random.uniform() - 0.5f;
    for (int i = 0; i < m; i++)
        a[i + i * m] = 4;
    for (float &x : b)
        x = random.uniform();
    Array<float> da(a), db(b);
    const float alpha = 2;
    CHECK_BLAS(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                           CUBLAS_DIAG_NON_UNIT, m, n, &alpha, da.device, m, db.device, m));
    const std::vector<float> x = db.get();
    bool right = true;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l <= i; l++)
                sum += (double)a[i + l * m] * x[l + j * m];
            right &= near(sum, 2 * b[i + j * m], 1e-4, "triangular");
        }
    return right;
}

int main()
{
    Random random;
    cublasHandle_t handle;
    CHECK_BLAS(cublasCreate(&handle));
    const bool right = halves(handle, random) && bytes(handle, random) && complexes(handle, random) &&
                       systems(handle, random) && triangular(handle, random);
    CHECK_BLAS(cublasDestroy(handle));
    printf("Test %s\n", right ? "PASSED" : "FAILED");
    return right ? 0 : 1;
}
