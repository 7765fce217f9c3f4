/* cuBLAS: products and sums of matrices, beside loops on the host. Matrices are stored by columns. */
#include "common.h"
#include <cublas_v2.h>

#define CHECK_BLAS(call)                                                                                     \
    do {                                                                                                     \
        const cublasStatus_t status_ = (call);                                                               \
        if (status_ != CUBLAS_STATUS_SUCCESS) {                                                              \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cublasGetStatusName(status_));     \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* A matrix in both places; its columns are `leading` elements apart. */
struct Matrix {
    int rows, columns, leading;
    std::vector<float> host;
    float *device;

    Matrix(int rows, int columns, Random &random)
        : rows(rows), columns(columns), leading(rows + 3), host((size_t)leading * columns)
    {
        for (float &value : host)
            value = random.uniform() - 0.5f;
        CHECK(cudaMalloc(&device, host.size() * sizeof(float)));
        CHECK_BLAS(cublasSetMatrix(leading, columns, sizeof(float), host.data(), leading, device, leading));
    }
    ~Matrix()
    {
        cudaFree(device);
    }
    float at(int row, int column, bool transposed) const
    {
        return transposed ? host[column + (size_t)row * leading] : host[row + (size_t)column * leading];
    }
};

static bool is_product(const Matrix &a, bool ta, const Matrix &b, bool tb, Matrix &c, int k, float alpha,
                       float beta, const std::vector<float> &before)
{
    CHECK_BLAS(
        cublasGetMatrix(c.leading, c.columns, sizeof(float), c.device, c.leading, c.host.data(), c.leading));
    for (int i = 0; i < c.rows; i++)
        for (int j = 0; j < c.columns; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += (double)a.at(i, l, ta) * b.at(l, j, tb);
            const size_t place = i + (size_t)j * c.leading;
            const double expected = alpha * sum + (beta != 0 ? beta * before[place] : 0);
            if (std::fabs(c.host[place] - expected) > 1e-4) {
                printf("%d,%d is %g, not %g\n", i, j, c.host[place], expected);
                return false;
            }
        }
    return true;
}

static bool products(cublasHandle_t handle, Random &random)
{
    const int m = 129, n = 70, k = 33;
    bool good = true;
    for (int form = 0; form < 4; form++) {
        const bool ta = form & 1, tb = form & 2;
        const float alpha = 1.5f, beta = form == 0 ? 0.0f : -0.5f;
        Matrix a(ta ? k : m, ta ? m : k, random), b(tb ? n : k, tb ? k : n, random), c(m, n, random);
        const std::vector<float> before = c.host;
        CHECK_BLAS(cublasSgemm(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m, n,
                               k, &alpha, a.device, a.leading, b.device, b.leading, &beta, c.device,
                               c.leading));
        good = is_product(a, ta, b, tb, c, k, alpha, beta, before) && good;
    }
    return good;
}

/* Several small products in one call, with scalars that the device has. */
static bool batched(cublasHandle_t handle)
{
    const int n = 8, batches = 5;
    const double scalars[2] = {2.0, 1.0};
    std::vector<double> a(n * n * batches), c(n * n * batches);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = (double)(i % 7) - 3;
    double *da, *dc, *ds;
    CHECK(cudaMalloc(&da, a.size() * sizeof(double)));
    CHECK(cudaMalloc(&dc, c.size() * sizeof(double)));
    CHECK(cudaMalloc(&ds, sizeof scalars));
    CHECK(cudaMemset(dc, 0, c.size() * sizeof(double)));
    CHECK_BLAS(cublasSetVector((int)a.size(), sizeof(double), a.data(), 1, da, 1));
    CHECK(cudaMemcpy(ds, scalars, sizeof scalars, cudaMemcpyHostToDevice));
    CHECK_BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CHECK_BLAS(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, ds, da, n, n * n, da, n,
                                         n * n, ds + 1, dc, n, n * n, batches));
    CHECK_BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    CHECK_BLAS(cublasGetVector((int)c.size(), sizeof(double), dc, 1, c.data(), 1));
    bool good = true;
    for (int batch = 0; batch < batches; batch++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int l = 0; l < n; l++)
                    sum += a[batch * n * n + i + l * n] * a[batch * n * n + j + l * n];
                good = good && c[batch * n * n + i + j * n] == 2 * sum;
            }
    CHECK(cudaFree(da));
    CHECK(cudaFree(dc));
    CHECK(cudaFree(ds));
    return good;
}

/* C = A' + 2 B: also how cuBLAS transposes a matrix. */
static bool sums(cublasHandle_t handle, Random &random)
{
    const int m = 45, n = 77;
    const float one = 1, two = 2;
    Matrix a(n, m, random), b(m, n, random), c(m, n, random);
    CHECK_BLAS(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, a.device, a.leading, &two, b.device,
                           b.leading, c.device, c.leading));
    CHECK_BLAS(cublasGetMatrix(c.leading, n, sizeof(float), c.device, c.leading, c.host.data(), c.leading));
    bool good = true;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            good = good && std::fabs(c.at(i, j, false) - (a.at(j, i, false) + 2 * b.at(i, j, false))) < 1e-6f;
    return good;
}

int main()
{
    cublasHandle_t handle;
    cudaStream_t stream;
    Random random(3);
    CHECK_BLAS(cublasCreate(&handle));
    CHECK(cudaStreamCreate(&stream));
    CHECK_BLAS(cublasSetStream(handle, stream));
    const bool p = products(handle, random), b = batched(handle), s = sums(handle, random);
    printf("products %s, batched %s, sums %s\n", p ? "right" : "wrong", b ? "right" : "wrong",
           s ? "right" : "wrong");
    const float one = 1;
    const cublasStatus_t refused = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, nullptr, 3,
                                               nullptr, 4, &one, nullptr, 4);
    printf("a leading dimension that is too small: %s\n", cublasGetStatusName(refused));
    CHECK_BLAS(cublasDestroy(handle));
    CHECK(cudaStreamDestroy(stream));
    return report(p && b && s && refused == CUBLAS_STATUS_INVALID_VALUE);
}
