// Sparse matrix times vector in CSR: one thread a row, one block of 32 a row with a sum in shared memory; the
// dense product is the reference.
#include "common.h"

struct Csr {
    int rows;
    std::vector<int> start, column;
    std::vector<float> value;
};

__global__ void spmv_scalar(int rows, const int *start, const int *column, const float *value, const float *x,
                            float *y)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < rows) {
        float dot = 0;
        for (int jj = start[row]; jj < start[row + 1]; jj++)
            dot += value[jj] * x[column[jj]];
        y[row] = dot;
    }
}

__global__ void spmv_vector(const int *start, const int *column, const float *value, const float *x, float *y)
{
    __shared__ volatile float vals[32];
    int row = blockIdx.x, lane = threadIdx.x;
    float sum = 0;
    for (int jj = start[row] + lane; jj < start[row + 1]; jj += 32)
        sum += value[jj] * x[column[jj]];
    vals[lane] = sum;
    for (int s = 16; s > 0; s >>= 1) {
        __syncthreads();
        if (lane < s)
            vals[lane] = vals[lane] + vals[lane + s];
    }
    if (lane == 0)
        y[row] = vals[0];
}

__global__ void gemv(int n, const float *A, const float *x, float *y)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < n) {
        float dot = 0;
        for (int j = 0; j < n; j++)
            dot += A[row * n + j] * x[j];
        y[row] = dot;
    }
}

template <class T> static T *toDevice(const std::vector<T> &v)
{
    T *d;
    CHECK(cudaMalloc(&d, v.size() * sizeof(T)));
    CHECK(cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}

int main()
{
    const int n = 300;
    std::vector<float> dense(n * n, 0.f), x(n), reference(n), y(n);
    Csr m;
    m.rows = n;
    Random random(11);
    for (int i = 0; i < n; i++) {
        m.start.push_back((int)m.column.size());
        x[i] = random.uniform();
        for (int j = 0; j < n; j++)
            if (i == j || random.next() % 20 == 0 || (i == 17 && j % 3)) { // row 17 is a long one
                dense[i * n + j] = random.uniform() + (i == j ? 2 : 0);
                m.column.push_back(j);
                m.value.push_back(dense[i * n + j]);
            }
    }
    m.start.push_back((int)m.column.size());

    int *start = toDevice(m.start), *column = toDevice(m.column);
    float *value = toDevice(m.value), *d_x = toDevice(x), *d_dense = toDevice(dense), *d_y;
    CHECK(cudaMalloc(&d_y, n * sizeof(float)));
    gemv<<<(n + 127) / 128, 128>>>(n, d_dense, d_x, d_y);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(reference.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost));

    spmv_scalar<<<(n + 127) / 128, 128>>>(n, start, column, value, d_x, d_y);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost));
    bool good = close(y, reference, 1e-4);
    CHECK(cudaMemset(d_y, 0, n * sizeof(float)));
    spmv_vector<<<n, 32>>>(start, column, value, d_x, d_y);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost));
    good &= close(y, reference, 1e-4);
    for (void *p : {(void *)start, (void *)column, (void *)value, (void *)d_x, (void *)d_dense, (void *)d_y})
        CHECK(cudaFree(p));
    printf("%zu of %d elements are not zero\n", m.value.size(), n * n);
    return report(good);
}
